/* Judges the program's own accesses by the operations that it has not waited for. */
#include "sanitize/host_order.h"

#include <stdio.h>

/* Memory while it is looked at. */
struct host_look {
    struct sanitizer *sanitizer;
    const struct stream_clock *clock;
    uint32_t number;                /* of the record that was looked at last; 0: none */
    const struct past_access *past; /* that record; NULL: the program has waited for it */
};

/* Returns the access that `reference` stands for; NULL if there is none, or if the program has
 * waited for it. */
static const struct past_access *pending(struct host_look *look, uint32_t reference)
{
    const struct sanitizer *sanitizer = look->sanitizer;
    const uint32_t number = reference >> PAST_SHIFT;
    if (!past_is_kept(&sanitizer->past, reference))
        return NULL;
    if (number == look->number)
        return look->past;
    const struct past_access *past = past_of(&sanitizer->past, reference);
    const struct sanitizer_launch *list = sanitizer->launch.data;
    const struct stream_operation operation = list[past->launch].operation;
    const bool waited = operation.number <= look->clock->of[operation.slot] ||
                        operation.number <= sanitizer->flags_seen.of[operation.slot];
    look->number = number;
    look->past = waited ? NULL : past;
    return look->past;
}

static void raise_to(struct stream_clock *clock, struct stream_operation operation)
{
    if (clock->of[operation.slot] < operation.number)
        clock->of[operation.slot] = operation.number;
}

/* Orders what the program does behind the operation of a flag that it has read. */
static void see(struct host_look *look, const struct past_access *flag, struct stream_clock *clock)
{
    const struct sanitizer_launch *list = look->sanitizer->launch.data;
    raise_to(clock, list[flag->launch].operation);
    look->number = 0;
}

/* The program may have read each flag of the memory. */
static void see_flags(struct host_look *look, uint64_t address, uint64_t bytes)
{
    for (uint64_t at = address / 4 * 4; at < address + bytes; at += 4) {
        const struct shadow_line *line = shadow_at(look->sanitizer->shadow, at).line;
        const struct past_access *write =
            line ? pending(look, line->write[at % SHADOW_BYTES / 4]) : NULL;
        if (write && write->scope)
            see(look, write, &look->sanitizer->flags_seen);
    }
}

enum host_may sanitizer_host_may(struct sanitizer *sanitizer, const struct stream_clock *clock,
                                 uint64_t address, uint64_t bytes)
{
    struct host_look look = {.sanitizer = sanitizer, .clock = clock};
    bool all_written = true, all_touched = true, flags = false;
    for (uint64_t at = address / 4 * 4; at < address + bytes; at += 4) {
        const struct shadow_line *line = shadow_at(sanitizer->shadow, at).line;
        const uint32_t word = at % SHADOW_BYTES / 4;
        if (!line)
            return HOST_MAY_WRITE;
        const struct past_access *write = pending(&look, line->write[word]);
        const bool written = write && past_bytes(line->write[word]) == 15;
        const bool read =
            pending(&look, line->read[word]) != NULL && past_bytes(line->read[word]) == 15;
        all_written &= written;
        all_touched &= written || read;
        flags |= write && write->scope;
    }
    if (flags && !all_written)
        see_flags(&look, address, bytes);
    if (all_written)
        return HOST_MAY_NOTHING;
    return all_touched ? HOST_MAY_READ : HOST_MAY_WRITE;
}

static void report(const struct sanitizer *sanitizer, const struct host_access *access,
                   const struct past_access *past, uint32_t reference, struct findings *findings)
{
    const struct sanitizer_launch *list = sanitizer->launch.data;
    const struct sanitizer_launch *launch = &list[past->launch];
    struct finding finding = {.kind = FINDING_RACE_HOST};
    finding.key = (access->stack ^ (uint64_t)past->at << 48) * UINT64_C(0x9e3779b97f4a7c15) ^
                  (uintptr_t)(launch->kernel ? launch->kernel : (const void *)launch->call);
    if (findings_again(findings, finding.key))
        return;
    char where[160];
    (void)snprintf(where, sizeof where, "0x%llx", (unsigned long long)access->address);
    if (*access->memory)
        (void)snprintf(where, sizeof where, "0x%llx, byte %llu of \"%s\"",
                       (unsigned long long)access->address, (unsigned long long)access->offset,
                       access->memory);
    (void)snprintf(finding.message, sizeof finding.message, "%s (%s after %s): %s",
                   finding_rows[finding.kind].title, access->what, past->writes ? "write" : "read",
                   where);
    finding.place[0].what = access->what;
    finding.place[0].by.stack = access->stack;
    (void)snprintf(finding.place[0].kernel, sizeof finding.place[0].kernel, "the program");
    sanitizer_past_place(sanitizer, launch, past, reference, &finding.place[1]);
    findings_add(findings, &finding);
}

void sanitizer_host_access_at(struct sanitizer *sanitizer, const struct stream_clock *clock,
                              const struct host_access *access)
{
    struct host_look look = {.sanitizer = sanitizer, .clock = clock};
    const struct shadow_line *line = shadow_at(sanitizer->shadow, access->address).line;
    const uint32_t word = access->address % SHADOW_BYTES / 4;
    if (!line)
        return;
    uint32_t reference = line->write[word];
    const struct past_access *past = pending(&look, reference);
    if (!past && access->writes) {
        reference = line->read[word];
        past = pending(&look, reference);
    }
    if (past && past->scope && past->writes)
        see(&look, past, &sanitizer->streams.host);
    else if (past && !past->scope)
        report(sanitizer, access, past, reference, &sanitizer->findings);
    see_flags(&look, access->page, access->page_bytes);
}
