/* A program's time as text: sums, and a picture with a line for each stream. */
#include <stdlib.h>
#include <string.h>

#include "cuda/program_log.h"
#include "report/quantity.h"

enum { COLUMNS = 80, LANES = 17 };

/* Times for which so many kernels and copies are on the device. */
struct shares {
    double kernel, several, copy, beside, any;
};

struct change {
    double at;
    int kernels, copies;
};

static int by_time(const void *a, const void *b)
{
    const struct change *x = a, *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

static bool is_call(const struct program_entry *entry)
{
    return entry->kind == PROGRAM_CALL || entry->kind == PROGRAM_WAIT;
}

/* Sums over the points at which work begins or ends. */
static bool sum_shares(const struct program_log *log, struct shares *shares)
{
    struct change *change = calloc(2 * log->entries.count + 1, sizeof *change);
    size_t changes = 0;
    int kernels = 0, copies = 0;
    *shares = (struct shares){0};
    if (!change)
        return false;
    for (size_t i = 0; i < log->entries.count; i++) {
        const struct program_entry *entry = &program_entries(log)[i];
        const int kernel = entry->kind == PROGRAM_KERNEL;
        if (is_call(entry) || entry->kind == PROGRAM_FUNCTION)
            continue;
        change[changes++] = (struct change){entry->begin, kernel, !kernel};
        change[changes++] = (struct change){entry->end, -kernel, -!kernel};
    }
    qsort(change, changes, sizeof *change, by_time);
    for (size_t i = 0; i + 1 < changes; i++) {
        const double time = change[i + 1].at - change[i].at;
        kernels += change[i].kernels;
        copies += change[i].copies;
        shares->kernel += kernels > 0 ? time : 0;
        shares->several += kernels > 1 ? time : 0;
        shares->copy += copies > 0 ? time : 0;
        shares->beside += kernels > 0 && copies > 0 ? time : 0;
        shares->any += kernels + copies > 0 ? time : 0;
    }
    free(change);
    return true;
}

static void print_share(FILE *file, const char *what, double ns, double all)
{
    (void)fprintf(file, "  %-34s%12s%9s\n", what, quantity_time(ns).text,
                  quantity_percent(100 * ns / all).text);
}

/* For each column of a line and each kind, the time that it takes. */
struct picture {
    double from, to;
    uint64_t stream[LANES];
    size_t streams;
    bool left_out; /* more streams than lanes */
    double time[LANES + 1][COLUMNS][PROGRAM_KIND_COUNT];
};

static void draw_entry(struct picture *picture, const struct program_entry *entry)
{
    const double column = (picture->to - picture->from) / COLUMNS;
    size_t lane = program_lane(entry, picture->stream, &picture->streams, LANES);
    picture->left_out |= lane > LANES;
    size_t at = (size_t)((entry->begin - picture->from) / column);
    for (; lane <= LANES && at < COLUMNS; at++) {
        const double from = picture->from + (double)at * column, to = from + column;
        const double begin = entry->begin > from ? entry->begin : from;
        const double end = entry->end < to ? entry->end : to;
        if (entry->end < from)
            break;
        picture->time[lane][at][entry->kind] += end > begin ? end - begin : 1e-3;
    }
}

static void print_lane(const struct picture *picture, size_t lane, FILE *file, bool ascii)
{
    static const char *const marks[] = {
#define PROGRAM_WORK(id, name, mark, ascii, colour) mark,
        PROGRAM_KINDS
#undef PROGRAM_WORK
    };
    static const char plain[] = {
#define PROGRAM_WORK(id, name, mark, ascii, colour) ascii,
        PROGRAM_KINDS
#undef PROGRAM_WORK
    };
    if (lane == 0)
        (void)fprintf(file, "  %-12s", "host");
    else
        (void)fprintf(file, "  stream %-5llu", (unsigned long long)picture->stream[lane - 1]);
    for (size_t at = 0; at < COLUMNS; at++) {
        const double *time = picture->time[lane][at];
        size_t most = 0;
        for (size_t kind = 1; kind < PROGRAM_KIND_COUNT; kind++)
            most = time[kind] > time[most] ? kind : most;
        if (time[most] <= 0)
            (void)fputc(' ', file);
        else if (ascii)
            (void)fputc(plain[most], file);
        else
            (void)fputs(marks[most], file);
    }
    (void)fputc('\n', file);
}

static void print_legend(FILE *file, bool ascii)
{
    (void)fprintf(file, "  %-12s", "");
#define PROGRAM_WORK(id, name, mark, plain, colour)                                                \
    if (ascii)                                                                                     \
        (void)fprintf(file, "%c %s  ", plain, name);                                               \
    else                                                                                           \
        (void)fprintf(file, "%s %s  ", mark, name);
    PROGRAM_KINDS
#undef PROGRAM_WORK
        (void)
    fputc('\n', file);
}

static void print_picture(const struct program_log *log, double from, double to, FILE *file,
                          bool ascii)
{
    struct picture *picture = calloc(1, sizeof *picture);
    if (!picture)
        return;
    picture->from = from;
    picture->to = to;
    for (size_t i = 0; i < log->entries.count; i++)
        draw_entry(picture, &program_entries(log)[i]);
    (void)fprintf(file, "\n  %-12s0%*s\n", "", COLUMNS - 1, quantity_time(to - from).text);
    for (size_t lane = 0; lane <= picture->streams; lane++)
        print_lane(picture, lane, file, ascii);
    if (picture->left_out)
        (void)fprintf(file, "  further streams are not shown; --program FILE.json has all\n");
    print_legend(file, ascii);
    free(picture);
}

void program_show(const struct program_log *log, FILE *file, bool ascii)
{
    struct shares shares;
    double from = 1e300, to = 0;
    bool any = false;
    for (size_t i = 0; i < log->entries.count; i++) {
        from = program_entries(log)[i].begin < from ? program_entries(log)[i].begin : from;
        to = program_entries(log)[i].end > to ? program_entries(log)[i].end : to;
        any = any || !is_call(&program_entries(log)[i]);
    }
    if (!any || !sum_shares(log, &shares))
        return;
    const double all = to - from;
    (void)fprintf(file, "Time of the program\n  %-34s%12s\n", "from the first call to the last end",
                  quantity_time(all).text);
    print_share(file, "kernels on the GPU", shares.kernel, all);
    print_share(file, "  of it two or more at a time", shares.several, all);
    print_share(file, "copies and fills", shares.copy, all);
    print_share(file, "  of it beside kernels", shares.beside, all);
    print_share(file, "nothing on the device", all - shares.any, all);
    print_picture(log, from, to, file, ascii);
    (void)fputc('\n', file);
}
