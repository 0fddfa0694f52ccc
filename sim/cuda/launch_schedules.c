/* One launch under several schedules. */
#include "cuda/launch_schedules.h"

#include <stdio.h>

#include "base/err.h"
#include "cuda/device_launch.h"
#include "cuda/launch_timing.h"
#include "exec/memory/undo.h"
#include "sanitize/sanitizer.h"

/* Drops what the kernel prints: its first execution has printed it. */
static void print_nothing(void *context, const char *text, size_t size)
{
    (void)context;
    (void)text;
    (void)size;
}

/* Returns the device address of a byte on the host, in memory that the sanitizer knows; 0: none. */
static uint64_t address_of(struct runtime *rt, const uint8_t *host)
{
    const struct sanitizer_memory *memory = rt->sanitizer->memory.data;
    for (size_t i = 0; i < rt->sanitizer->memory.count; i++) {
        const uint8_t *begin = device_pointer(rt->memory, memory[i].address, 1);
        if (begin && host >= begin && (uint64_t)(host - begin) < memory[i].size)
            return memory[i].address + (uint64_t)(host - begin);
    }
    return 0;
}

static void add(struct runtime *rt, const struct exec_launch *launch, uint64_t number,
                struct finding *finding)
{
    finding->kind = FINDING_SCHEDULE;
    finding->key = (uintptr_t)launch->kernel * 64 + FINDING_SCHEDULE;
    finding->place[0] =
        (struct finding_place){.what = "", .launch = number, .by.stack = rt->sanitizer->stack};
    (void)snprintf(finding->place[0].kernel, sizeof finding->place[0].kernel, "%s",
                   launch->launch.name);
    findings_add(&rt->sanitizer->findings, finding);
}

static void report_failure(struct runtime *rt, const struct exec_launch *launch, uint64_t number,
                           uint64_t schedule, const struct simsm_error *error)
{
    struct finding finding = {0};
    (void)snprintf(finding.message, sizeof finding.message,
                   "%s: it fails under schedule %llu: %.280s", finding_rows[FINDING_SCHEDULE].title,
                   (unsigned long long)schedule, error->message);
    add(rt, launch, number, &finding);
}

static void report_result(struct runtime *rt, const struct exec_launch *launch, uint64_t number,
                          uint64_t schedule, const uint8_t *host, const uint8_t byte_of[2])
{
    const uint64_t address = address_of(rt, host);
    const struct sanitizer_memory *memory =
        address ? sanitizer_memory_at(rt->sanitizer, address) : NULL;
    struct finding finding = {0};
    if (memory)
        (void)snprintf(finding.message, sizeof finding.message,
                       "%s: byte %llu of \"%s\" is 0x%02x, and 0x%02x under schedule %llu",
                       finding_rows[FINDING_SCHEDULE].title,
                       (unsigned long long)(address - memory->address), memory->name, byte_of[0],
                       byte_of[1], (unsigned long long)schedule);
    else
        (void)snprintf(finding.message, sizeof finding.message,
                       "%s: a byte of memory is 0x%02x, and 0x%02x under schedule %llu",
                       finding_rows[FINDING_SCHEDULE].title, byte_of[0], byte_of[1],
                       (unsigned long long)schedule);
    add(rt, launch, number, &finding);
}

/* Executes the launch under a schedule, takes it back, and compares it with the first execution.
 * Returns whether another schedule should be tried. */
static bool try_schedule(struct runtime *rt, const struct exec_launch *first, uint64_t number,
                         uint64_t schedule, const struct exec_undo *before)
{
    struct exec_launch launch = *first;
    struct exec_counts counts;
    struct simsm_error error;
    enum exec_failure failure = EXEC_FAILURE_OTHER;
    const uint8_t *host = NULL;
    uint8_t byte_of[2];
    struct exec_undo *undo = exec_undo_create(rt->memory);
    if (!undo)
        return false;
    launch.options.undo = undo;
    launch.options.sanitizer = NULL;
    launch.options.schedule = schedule;
    launch.options.print = print_nothing;
    launch.options.failure = &failure;
    const enum simsm_status status = exec_run(&launch, &counts, &error);
    device_launch_forget(launch.options.device_call_context);
    const bool restored = exec_undo_restore(undo);
    bool more = false;
    if (!restored)
        rt->sanitizer->findings.failed = true;
    else if (status == SIMSM_FAILED)
        report_failure(rt, first, number, schedule, &error);
    else if (status == SIMSM_OK && exec_undo_differ(before, undo, &host, byte_of))
        report_result(rt, first, number, schedule, host, byte_of);
    else
        more = status == SIMSM_OK;
    exec_undo_destroy(undo);
    return more;
}

enum simsm_status launch_under_schedules(struct runtime *rt, struct exec_launch *launch,
                                         struct journal_launch *row, struct simsm_error *error)
{
    struct exec_undo *undo = exec_undo_create(rt->memory);
    if (!undo)
        return err_no_memory(error);
    launch->options.undo = undo;
    enum simsm_status status = launch_execute(rt, launch, row, error);
    launch->options.undo = NULL;
    const struct device_launches *device = launch->options.device_call_context;
    if (status == SIMSM_OK && exec_undo_repeatable(undo) && !device->children.count &&
        exec_undo_restore(undo)) {
        uint64_t schedule = 1;
        while (schedule < rt->settings.schedules &&
               try_schedule(rt, launch, row->number, schedule, undo))
            schedule++;
        exec_undo_repeat(undo);
    }
    exec_undo_destroy(undo);
    return status;
}
