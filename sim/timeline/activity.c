/* The list of a program's activities, and sums over it. */
#include "timeline/activity.h"

#include <stdlib.h>
#include <string.h>

const struct activity_look activity_looks[ACTIVITY_KIND_COUNT] = {
#define ACTIVITY(id, name_, mark_, ascii_)                                                         \
    [ACTIVITY_##id] = {.name = (name_), .mark = (mark_), .ascii = (ascii_)},
#include "timeline/activities.def"
#undef ACTIVITY
};

/* A time at which work on the device begins or ends. */
struct activity_step {
    double at;
    int kernels, copies; /* running from here on; before the steps are summed, the change */
    struct activity_shares until; /* of all time before */
};

void activity_add(struct activity_log *log, const struct activity *entry)
{
    log->entries.size = sizeof *entry;
    log->lost |= !pool_add(&log->entries, entry);
}

void activity_free(struct activity_log *log)
{
    pool_free(&log->entries);
    free(log->gpu);
    free(log->command);
    free(log->stream);
    free(log->lane);
    free(log->steps);
    *log = (struct activity_log){0};
}

/* Returns the lane of a stream; an activity of a new stream adds one. */
static uint32_t lane_of(struct activity_log *log, const struct activity *entry)
{
    uint32_t lane = 1;
    if (activity_is_call(entry))
        return 0;
    while (lane < log->lanes && log->stream[lane] != entry->stream)
        lane++;
    if (lane == log->lanes)
        log->stream[log->lanes++] = entry->stream;
    return lane;
}

static int by_time(const void *a, const void *b)
{
    const struct activity_step *x = a, *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

/* Adds `time` with so many kernels and copies to the shares. */
static void add_time(struct activity_shares *shares, const struct activity_step *step, double time)
{
    shares->kernel += step->kernels > 0 ? time : 0;
    shares->several += step->kernels > 1 ? time : 0;
    shares->copy += step->copies > 0 ? time : 0;
    shares->beside += step->kernels > 0 && step->copies > 0 ? time : 0;
    shares->any += step->kernels + step->copies > 0 ? time : 0;
}

static void add_steps(struct activity_log *log, const struct activity *entry)
{
    const int kernel = entry->kind == ACTIVITY_KERNEL;
    if (activity_is_call(entry) || entry->kind == ACTIVITY_FUNCTION)
        return;
    log->steps[log->step_count++] =
        (struct activity_step){.at = entry->begin, .kernels = kernel, .copies = !kernel};
    log->steps[log->step_count++] =
        (struct activity_step){.at = entry->end, .kernels = -kernel, .copies = -!kernel};
}

static void sum_steps(struct activity_log *log)
{
    if (log->step_count)
        qsort(log->steps, log->step_count, sizeof *log->steps, by_time);
    for (size_t i = 1; i < log->step_count; i++) {
        struct activity_step *step = &log->steps[i];
        step->until = step[-1].until;
        add_time(&step->until, &step[-1], step->at - step[-1].at);
        step->kernels += step[-1].kernels;
        step->copies += step[-1].copies;
    }
}

bool activity_finish(struct activity_log *log)
{
    const size_t count = log->entries.count;
    log->lane = calloc(count + 1, sizeof *log->lane);
    log->stream = calloc(count + 1, sizeof *log->stream);
    log->steps = calloc(2 * count + 1, sizeof *log->steps);
    if (!log->lane || !log->stream || !log->steps)
        return false;
    log->lanes = 1;
    for (size_t i = 0; i < count; i++) {
        const struct activity *entry = &activities(log)[i];
        log->lane[i] = lane_of(log, entry);
        log->begin = i == 0 || entry->begin < log->begin ? entry->begin : log->begin;
        log->end = i == 0 || entry->end > log->end ? entry->end : log->end;
        log->count[entry->kind]++;
        add_steps(log, entry);
    }
    sum_steps(log);
    return true;
}

/* Returns the shares of the time before `at`. */
static struct activity_shares shares_until(const struct activity_log *log, double at)
{
    size_t low = 0, high = log->step_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (log->steps[middle].at <= at)
            low = middle + 1;
        else
            high = middle;
    }
    if (!low)
        return (struct activity_shares){0};
    const struct activity_step *step = &log->steps[low - 1];
    struct activity_shares shares = step->until;
    add_time(&shares, step, at - step->at);
    return shares;
}

struct activity_shares activity_shares(const struct activity_log *log, double from, double to)
{
    const struct activity_shares a = shares_until(log, from), b = shares_until(log, to);
    return (struct activity_shares){.kernel = b.kernel - a.kernel,
                                    .several = b.several - a.several,
                                    .copy = b.copy - a.copy,
                                    .beside = b.beside - a.beside,
                                    .any = b.any - a.any};
}

static int by_name(const void *a, const void *b)
{
    const struct activity_sum *x = a, *y = b;
    const int names = strcmp(x->name, y->name);
    return x->kind != y->kind ? (int)x->kind - (int)y->kind : names;
}

static int by_ns(const void *a, const void *b)
{
    const struct activity_sum *x = a, *y = b;
    return x->ns != y->ns ? (x->ns < y->ns) - (x->ns > y->ns) : by_name(a, b);
}

size_t activity_sums(const struct activity_log *log, double from, double to,
                     struct activity_sum **sums)
{
    struct activity_sum *sum = calloc(log->entries.count + 1, sizeof *sum);
    size_t count = 0, kept = 0;
    *sums = sum;
    for (size_t i = 0; sum && i < log->entries.count; i++) {
        const struct activity *entry = &activities(log)[i];
        const double begin = entry->begin > from ? entry->begin : from;
        const double end = entry->end < to ? entry->end : to;
        if (!activity_is_call(entry) && (end > begin || (end == begin && from <= begin)))
            sum[count++] =
                (struct activity_sum){entry->kind, entry->name, 1, entry->bytes, end - begin};
    }
    if (count)
        qsort(sum, count, sizeof *sum, by_name);
    for (size_t i = 0; i < count; i++) {
        if (kept && by_name(&sum[kept - 1], &sum[i]) == 0) {
            sum[kept - 1].count++;
            sum[kept - 1].bytes += sum[i].bytes;
            sum[kept - 1].ns += sum[i].ns;
        } else {
            sum[kept++] = sum[i];
        }
    }
    if (kept)
        qsort(sum, kept, sizeof *sum, by_ns);
    return kept;
}
