/* A program's time as text: sums, and a picture with a line for each stream. */
#include "cuda/program_show.h"

#include <stdlib.h>

#include "report/quantity.h"

enum { COLUMNS = 80, LANES = 18 };

static void print_share(FILE *file, const char *what, double ns, double all)
{
    (void)fprintf(file, "  %-34s%12s%9s\n", what, quantity_time(ns).text,
                  quantity_percent(100 * ns / all).text);
}

/* For each column of a line and each kind, the time that it takes. */
struct picture {
    double column; /* ns */
    double time[LANES][COLUMNS][ACTIVITY_KIND_COUNT];
};

static void draw_activity(struct picture *picture, const struct activity_log *log, size_t i)
{
    const struct activity *entry = &activities(log)[i];
    const uint32_t lane = log->lane[i];
    size_t at = (size_t)((entry->begin - log->begin) / picture->column);
    for (; lane < LANES && at < COLUMNS; at++) {
        const double from = log->begin + (double)at * picture->column, to = from + picture->column;
        const double begin = entry->begin > from ? entry->begin : from;
        const double end = entry->end < to ? entry->end : to;
        if (entry->end < from)
            break;
        picture->time[lane][at][entry->kind] += end > begin ? end - begin : 1e-3;
    }
}

static void print_lane(const struct picture *picture, const struct activity_log *log, uint32_t lane,
                       FILE *file, bool ascii)
{
    if (lane == 0)
        (void)fprintf(file, "  %-12s", "host");
    else if (log->lanes[lane].part)
        (void)fprintf(file, "  %-12s", "");
    else
        (void)fprintf(file, "  stream %-5llu", (unsigned long long)log->lanes[lane].stream);
    for (size_t at = 0; at < COLUMNS; at++) {
        const double *time = picture->time[lane][at];
        size_t most = 0;
        for (size_t kind = 1; kind < ACTIVITY_KIND_COUNT; kind++)
            most = time[kind] > time[most] ? kind : most;
        if (time[most] <= 0)
            (void)fputc(' ', file);
        else if (ascii)
            (void)fputc(activity_looks[most].ascii, file);
        else
            (void)fputs(activity_looks[most].mark, file);
    }
    (void)fputc('\n', file);
}

static void print_legend(FILE *file, bool ascii)
{
    (void)fprintf(file, "  %-12s", "");
    for (size_t kind = 0; kind < ACTIVITY_KIND_COUNT; kind++) {
        const struct activity_look *look = &activity_looks[kind];
        const char sign[2] = {look->ascii, '\0'};
        (void)fprintf(file, "%s %s  ", ascii ? sign : look->mark, look->name);
    }
    (void)fputc('\n', file);
}

static void print_picture(const struct activity_log *log, FILE *file, bool ascii)
{
    struct picture *picture = calloc(1, sizeof *picture);
    if (!picture)
        return;
    picture->column = (log->end - log->begin) / COLUMNS;
    for (size_t i = 0; i < log->entries.count; i++)
        draw_activity(picture, log, i);
    (void)fprintf(file, "\n  %-12s0%*s\n", "", COLUMNS - 1,
                  quantity_time(log->end - log->begin).text);
    for (uint32_t lane = 0; lane < log->lane_count && lane < LANES; lane++)
        print_lane(picture, log, lane, file, ascii);
    if (log->lane_count > LANES)
        (void)fprintf(file, "  further rows are not shown; --program FILE.json has all\n");
    print_legend(file, ascii);
    free(picture);
}

void program_show(const struct activity_log *log, FILE *file, bool ascii)
{
    const struct activity_shares shares = activity_shares(log, log->begin, log->end);
    const double all = log->end - log->begin;
    if (log->entries.count == log->count[ACTIVITY_CALL] + log->count[ACTIVITY_WAIT])
        return;
    (void)fprintf(file, "Time of the program\n  %-34s%12s\n", "from the first call to the last end",
                  quantity_time(all).text);
    print_share(file, "kernels on the GPU", shares.kernel, all);
    print_share(file, "  of it two or more at a time", shares.several, all);
    print_share(file, "copies and fills", shares.copy, all);
    print_share(file, "  of it beside kernels", shares.beside, all);
    print_share(file, "nothing on the device", all - shares.any, all);
    print_picture(log, file, ascii);
    (void)fputc('\n', file);
}
