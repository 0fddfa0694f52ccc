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
    free(log->lanes);
    free(log->lane);
    free(log->name);
    free(log->steps);
    *log = (struct activity_log){0};
}

uint64_t activity_kernel_id(const char *name)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
    for (; *name; name++)
        hash = (hash ^ (uint8_t)*name) * UINT64_C(0x100000001b3);
    return hash & INT64_MAX; /* a number of JSON */
}

/* ---- Rows ---- */

/* An entry while rows and names are found. */
struct item {
    const struct activity *entry;
    uint32_t at;    /* index of the entry */
    uint32_t first; /* index of the entry of the same stream that begins first */
    uint32_t part;  /* of the stream */
};

static uint64_t stream_of(const struct activity *entry)
{
    return activity_is_call(entry) ? 0 : entry->stream;
}

/* By stream, then by begin; what begins together and lasts longer comes first. */
static int by_stream(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    const uint64_t s = stream_of(x->entry), t = stream_of(y->entry);
    if (s != t)
        return s < t ? -1 : 1;
    if (x->entry->begin != y->entry->begin)
        return x->entry->begin < y->entry->begin ? -1 : 1;
    if (x->entry->end != y->entry->end)
        return x->entry->end > y->entry->end ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

/* The host, then by the first begin of the stream, then by part. */
static int by_row(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    const bool s = stream_of(x->entry) != 0, t = stream_of(y->entry) != 0;
    if (s != t)
        return s ? 1 : -1;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return (x->part > y->part) - (x->part < y->part);
}

enum { MOST_PARTS = 64 }; /* of a stream; what overlaps more shares the last */
#define ROUNDING 0.01     /* ns: times that files give in microseconds are not exact */

/* Gives the items of each stream, which are sorted, parts in which they do not overlap. */
static void find_parts(struct item *items, size_t count)
{
    double end[MOST_PARTS] = {0};
    uint32_t parts = 0;
    for (size_t i = 0; i < count; i++) {
        const struct activity *entry = items[i].entry;
        if (i == 0 || stream_of(entry) != stream_of(items[i - 1].entry)) {
            parts = 0;
            items[i].first = (uint32_t)i;
        } else {
            items[i].first = items[i - 1].first;
        }
        uint32_t part = 0;
        while (part < parts && end[part] > entry->begin + ROUNDING)
            part++;
        part = part < MOST_PARTS ? part : MOST_PARTS - 1;
        parts = part == parts ? parts + 1 : parts;
        end[part] = entry->end;
        items[i].part = part;
    }
}

/* Replaces the first item of each stream by its rank in the order of time. */
static int by_first(const void *a, const void *b)
{
    const struct item *x = *(const struct item *const *)a, *y = *(const struct item *const *)b;
    if (x->entry->begin != y->entry->begin)
        return x->entry->begin < y->entry->begin ? -1 : 1;
    return (x->first > y->first) - (x->first < y->first);
}

static bool rank_streams(struct item *items, size_t count)
{
    const struct item **first = calloc(count + 1, sizeof *first);
    uint32_t *rank = calloc(count + 1, sizeof *rank);
    size_t streams = 0;
    for (size_t i = 0; first && rank && i < count; i++)
        if (items[i].first == i)
            first[streams++] = &items[i];
    if (streams)
        qsort(first, streams, sizeof *first, by_first);
    for (size_t i = 0; i < streams; i++)
        rank[first[i]->first] = (uint32_t)i;
    for (size_t i = 0; first && rank && i < count; i++)
        items[i].first = rank[items[i].first];
    const bool done = first && rank;
    free(first);
    free(rank);
    return done;
}

/* Numbers the rows, which the sorted items follow. The host has the first row in any case. */
static void number_lanes(struct activity_log *log, const struct item *items, size_t count)
{
    log->lanes[0] = (struct activity_lane){0, 0};
    log->lane_count = 1;
    for (size_t i = 0; i < count; i++) {
        const uint64_t stream = stream_of(items[i].entry);
        const struct activity_lane *last = &log->lanes[log->lane_count - 1];
        if (stream != last->stream || items[i].part != last->part)
            log->lanes[log->lane_count++] = (struct activity_lane){stream, items[i].part};
        log->lane[items[i].at] = log->lane_count - 1;
    }
}

/* ---- Names ---- */

static int by_kind_and_name(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    const int names = strcmp(x->entry->name, y->entry->name);
    return x->entry->kind != y->entry->kind ? (int)x->entry->kind - (int)y->entry->kind : names;
}

static void number_names(struct activity_log *log, const struct item *items, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        log->name_count += i == 0 || by_kind_and_name(&items[i - 1], &items[i]) != 0;
        log->name[items[i].at] = log->name_count - 1;
    }
}

static bool number_all(struct activity_log *log)
{
    const size_t count = log->entries.count;
    struct item *items = calloc(count + 1, sizeof *items);
    for (size_t i = 0; items && i < count; i++)
        items[i] = (struct item){.entry = &activities(log)[i], .at = (uint32_t)i};
    bool done = items != NULL;
    if (done && count) {
        qsort(items, count, sizeof *items, by_stream);
        find_parts(items, count);
        done = rank_streams(items, count);
        qsort(items, count, sizeof *items, by_row);
    }
    if (done) {
        number_lanes(log, items, count);
        if (count)
            qsort(items, count, sizeof *items, by_kind_and_name);
        number_names(log, items, count);
    }
    free(items);
    return done;
}

/* ---- Shares ---- */

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
    log->name = calloc(count + 1, sizeof *log->name);
    log->lanes = calloc(count + 1, sizeof *log->lanes);
    log->steps = calloc(2 * count + 1, sizeof *log->steps);
    if (!log->lane || !log->name || !log->lanes || !log->steps || !number_all(log))
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct activity *entry = &activities(log)[i];
        log->begin = i == 0 || entry->begin < log->begin ? entry->begin : log->begin;
        log->end = i == 0 || entry->end > log->end ? entry->end : log->end;
        log->count[entry->kind]++;
        log->by_device += entry->by_device;
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

/* ---- Sums ---- */

static int by_ns(const void *a, const void *b)
{
    const struct activity_sum *x = a, *y = b;
    if (x->ns != y->ns)
        return x->ns < y->ns ? 1 : -1;
    return x->kind != y->kind ? (int)x->kind - (int)y->kind : strcmp(x->name, y->name);
}

size_t activity_sums(const struct activity_log *log, double from, double to,
                     struct activity_sum **sums)
{
    struct activity_sum *sum = calloc(log->name_count + 1, sizeof *sum);
    size_t kept = 0;
    *sums = sum;
    for (size_t i = 0; sum && i < log->entries.count; i++) {
        const struct activity *entry = &activities(log)[i];
        const double begin = entry->begin > from ? entry->begin : from;
        const double end = entry->end < to ? entry->end : to;
        struct activity_sum *own = &sum[log->name[i]];
        if (activity_is_call(entry) || end < begin || (end == begin && begin != entry->begin))
            continue;
        own->kind = entry->kind;
        own->name = entry->name;
        own->count++;
        own->bytes += entry->bytes;
        own->ns += end - begin;
    }
    for (size_t i = 0; sum && i < log->name_count; i++)
        if (sum[i].count)
            sum[kept++] = sum[i];
    if (kept)
        qsort(sum, kept, sizeof *sum, by_ns);
    return kept;
}
