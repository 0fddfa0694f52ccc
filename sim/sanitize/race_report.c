/* What a race is, and where: its kind, its message, the places of both accesses. */
#include "sanitize/current_access.h"

#include <stdio.h>
#include <string.h>

/* Returns whether the lane writes what memory holds already, or what the lane of `reference` writes
 * by the same instruction. */
static bool writes_same_value(const struct current_access *current, uint32_t reference)
{
    const struct sanitizer_access *access = current->access;
    if (!access->writes || !access->place || !access->value[current->word])
        return false;
    const uint32_t bytes = access->bytes < 4 ? access->bytes : 4;
    const uint32_t value = access->value[current->word][current->lane];
    if (reference >> PAST_SHIFT == current->record)
        return memcmp(&access->value[current->word][reference & (SANITIZER_LANES - 1)], &value,
                      bytes) == 0;
    return memcmp(access->place[current->lane] + (size_t)4 * current->word, &value, bytes) == 0;
}

/* Returns whether one of the two is an allocation or a free in a stream. */
static bool is_about_memory(const struct current_access *current, const struct past_access *past)
{
    const struct sanitizer_launch *list = current->sanitizer->launch.data;
    const char *calls[2] = {list[past->launch].call,
                            list[current->sanitizer->launch.count - 1].call};
    bool about = false;
    for (size_t i = 0; i < 2; i++)
        about |= calls[i] && (strstr(calls[i], "Malloc") || strstr(calls[i], "Free"));
    return about;
}

static enum finding_kind kind_of(const struct current_access *current,
                                 const struct past_access *past, uint32_t reference, int how)
{
    if (!access_is_of_launch(current, past))
        return is_about_memory(current, past) ? FINDING_STREAM_ORDER : FINDING_RACE_STREAMS;
    if (past->kind == PAST_COPIED || past->kind == PAST_BULK)
        return FINDING_RACE_ASYNC;
    if ((how == WRITE_AFTER_READ && !past->scope && current->access->tolerant) ||
        (how == READ_AFTER_WRITE && !current->access->scope && past->tolerant))
        return FINDING_OLD_VALUE;
    if (how == WRITE_AFTER_WRITE && writes_same_value(current, reference))
        return FINDING_SAME_VALUE;
    return current->owner ? FINDING_RACE_SHARED : FINDING_RACE_GLOBAL;
}

/* The name of an access, for messages. */
static const char *access_name(bool writes, uint8_t kind)
{
    static const char *const plain[2] = {"read", "write"};
    switch (kind) {
    case PAST_ATOMIC:
        return "atomic operation";
    case PAST_COPIED:
        return "copy (cp.async)";
    case PAST_BULK:
        return "bulk copy";
    default:
        return plain[writes];
    }
}

void sanitizer_past_place(const struct sanitizer *sanitizer, const struct sanitizer_launch *launch,
                          const struct past_access *past, uint32_t reference,
                          struct finding_place *place)
{
    *place = (struct finding_place){.what = access_name(past->writes, past->kind),
                                    .launch = launch->number,
                                    .by.stack = launch->stack};
    if (launch->call) {
        (void)snprintf(place->kernel, sizeof place->kernel, "%s", launch->call);
        return;
    }
    sanitizer->place(launch->module, launch->kernel, past->at, place);
    if (past->block == PAST_ANY_BLOCK || past->warp == PAST_ANY_WARP)
        return;
    const uint32_t thread = past->warp * SANITIZER_LANES + (reference & (SANITIZER_LANES - 1));
    const uint32_t *block = launch->block, *grid = launch->grid;
    place->has_thread = true;
    place->thread[0] = thread % block[0];
    place->thread[1] = thread / block[0] % block[1];
    place->thread[2] = thread / block[0] / block[1];
    place->block[0] = (uint32_t)(past->block % grid[0]);
    place->block[1] = (uint32_t)(past->block / grid[0] % grid[1]);
    place->block[2] = (uint32_t)(past->block / grid[0] / grid[1]);
}

/* Returns whether the past access is known to be of another lane of the warp, but not of which. */
static bool is_unknown_lane(const struct current_access *current, const struct past_access *past,
                            uint32_t reference)
{
    return current->warp && access_is_of_launch(current, past) &&
           past->block == current->warp->block->index && past->warp == current->warp->index &&
           reference & PAST_LANES && (reference & (SANITIZER_LANES - 1)) == current->lane;
}

static void place_of_past(const struct current_access *current, const struct past_access *past,
                          uint32_t reference, struct finding_place *place)
{
    const struct sanitizer *sanitizer = current->sanitizer;
    const struct sanitizer_launch *list = sanitizer->launch.data;
    const uint32_t launch = current->owner ? (uint32_t)sanitizer->launch.count - 1 : past->launch;
    sanitizer_past_place(sanitizer, &list[launch], past, reference, place);
    place->same_warp = is_unknown_lane(current, past, reference);
    place->has_thread = place->has_thread && !place->same_warp;
}

/* What identifies a race: its kind and the two instructions. */
static uint64_t race_key(const struct current_access *current, const struct past_access *past,
                         enum finding_kind kind, int how)
{
    const struct sanitizer_launch *list = current->sanitizer->launch.data;
    const struct sanitizer_launch *now = &list[current->sanitizer->launch.count - 1];
    const struct sanitizer_launch *then = current->owner ? now : &list[past->launch];
    uint64_t key = access_mix((uint64_t)kind * 4 + (unsigned)how + 1, (uintptr_t)now->kernel);
    key = access_mix(key, (uintptr_t)(then->kernel ? then->kernel : (const void *)then->call));
    return access_mix(key, (uint64_t)past->at << 32 | current->access->at);
}

/* Says what memory holds, and what the access writes there. */
static void describe_values(const struct current_access *current, char *text, size_t size)
{
    const struct sanitizer_access *access = current->access;
    uint32_t before = 0, after = 0;
    if (!access->place)
        return;
    const uint32_t bytes = access->bytes < 4 ? access->bytes : 4;
    memcpy(&before, access->place[current->lane] + (size_t)4 * current->word, bytes);
    if (!access->writes || !access->value[current->word]) {
        (void)snprintf(text, size, ", which holds 0x%x", before);
        return;
    }
    memcpy(&after, &access->value[current->word][current->lane], bytes);
    (void)snprintf(text, size, ", which holds 0x%x and gets 0x%x", before, after);
}

static void describe(const struct current_access *current, const struct past_access *past, int how,
                     struct finding *finding)
{
    static const char *const names[] = {"read after write", "write after read",
                                        "write after write"};
    const struct sanitizer_memory *memory =
        current->owner ? NULL : sanitizer_memory_at(current->sanitizer, current->address);
    char where[120];
    if (memory)
        (void)snprintf(where, sizeof where, "0x%llx, byte %llu of \"%s\"",
                       (unsigned long long)current->address,
                       (unsigned long long)(current->address - memory->address), memory->name);
    else
        (void)snprintf(where, sizeof where, "0x%llx", (unsigned long long)current->address);
    finding->memory.allocation.stack = memory ? memory->stack : 0;
    char values[80] = "";
    describe_values(current, values, sizeof values);
    const bool both_atomic = past->scope && current->access->scope;
    (void)snprintf(finding->message, sizeof finding->message, "%s (%s): %s%s%s",
                   finding_rows[finding->kind].title, names[how], where, values,
                   both_atomic ? ": both are atomic, but for the threads of a block only" : "");
}

void race_report(const struct current_access *current, uint32_t reference, int how)
{
    const struct past_access *past = past_of(current->past, reference);
    how = how == WRITE_AFTER_READ && past->writes ? WRITE_AFTER_WRITE : how;
    struct findings *findings = &current->sanitizer->findings;
    struct finding finding = {.kind = kind_of(current, past, reference, how)};
    finding.key = race_key(current, past, finding.kind, how);
    if (findings_again(findings, finding.key))
        return;
    describe(current, past, how, &finding);
    if (current->warp)
        sanitizer_place_of(current->warp, current->access->at, current->lane,
                           access_name(current->access->writes, current->access->kind),
                           &finding.place[0]);
    else
        place_of_past(current, past_of(current->past, access_reference(current)),
                      access_reference(current), &finding.place[0]);
    place_of_past(current, past, reference, &finding.place[1]);
    const struct finding_place *one = &finding.place[0], *two = &finding.place[1];
    if (finding.kind == FINDING_OLD_VALUE && one->line && one->line == two->line &&
        strcmp(one->file, two->file) == 0)
        findings_ignore(findings, finding.key); /* an atomic operation that is made of both */
    else
        findings_add(findings, &finding);
}

bool race_is_well_known(const struct current_access *current, uint32_t reference, int how)
{
    enum { OFTEN = 1000 };
    const struct past_access *past = past_of(current->past, reference);
    const enum finding_kind kind = kind_of(current, past, reference, how);
    const uint64_t key = race_key(current, past, kind, how);
    return findings_times(&current->sanitizer->findings, key) >= OFTEN;
}
