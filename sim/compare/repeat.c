#include "compare/repeat.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_launch(const struct launch_row *a, const struct launch_row *b)
{
    int order = strcmp(a->program, b->program);
    if (order == 0)
        order = (a->number > b->number) - (a->number < b->number);
    if (order == 0)
        order = strcmp(a->kernel, b->kernel);
    if (order == 0)
        order = memcmp(a->grid, b->grid, sizeof a->grid);
    return order ? order : memcmp(a->block, b->block, sizeof a->block);
}

static int by_launch_and_place(const void *a, const void *b)
{
    struct launch_row *const *x = a, *const *y = b;
    const int order = by_launch(*x, *y);
    return order ? order : (*x > *y) - (*x < *y);
}

/* Returns the rows with these caches, the runs of a launch next to each other. The caller frees
 * the array. Returns NULL if memory runs out. */
static struct launch_row **sorted(const struct launches *launches, bool warm, size_t *count)
{
    struct launch_row **rows = calloc(launches->rows + 1, sizeof(struct launch_row *));
    *count = 0;
    for (size_t i = 0; rows && i < launches->rows; i++)
        if (launches->row[i].warm == warm)
            rows[(*count)++] = &launches->row[i];
    if (rows && *count)
        qsort(rows, *count, sizeof *rows, by_launch_and_place);
    return rows;
}

/* Returns the number of rows at the start that belong to the same launch. */
static size_t runs_of(struct launch_row *const *rows, size_t count)
{
    size_t runs = 1;
    while (runs < count && by_launch(rows[0], rows[runs]) == 0)
        runs++;
    return runs;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Puts the values of a metric into `room`: those of single passes, or of the other rows. Returns
 * their number. */
static size_t values_of(struct launch_row *const *rows, size_t runs, uint32_t metric,
                        bool single_pass, double *room)
{
    size_t count = 0;
    for (size_t i = 0; i < runs; i++) {
        const double value = launches_get(rows[i], (int)metric);
        if (rows[i]->single_pass == single_pass && !isnan(value))
            room[count++] = value;
    }
    return count;
}

/* Sets the median and the range of a metric in the first of the rows. `room` has space for all
 * values. */
static bool merge_metric(struct launch_row **rows, size_t runs, uint32_t metric, double *room)
{
    size_t count = values_of(rows, runs, metric, true, room);
    if (count == 0)
        count = values_of(rows, runs, metric, false, room);
    rows[0]->range[metric] = (struct launch_range){NAN, NAN};
    if (count < 2)
        return count == 0 || launches_set(rows[0], (int)metric, room[0]);
    qsort(room, count, sizeof *room, by_size);
    rows[0]->range[metric] = (struct launch_range){room[0], room[count - 1]};
    return launches_set(rows[0], (int)metric, (room[(count - 1) / 2] + room[count / 2]) / 2.0);
}

static bool merge_runs(struct launch_row **rows, size_t runs, uint32_t metrics, double *room)
{
    struct launch_row *row = rows[0];
    row->range = malloc((metrics + 1) * sizeof *row->range);
    row->ranges = row->range ? metrics : 0;
    bool done = row->range != NULL;
    for (uint32_t i = 0; i < row->ranges && done; i++)
        done = merge_metric(rows, runs, i, room);
    return done;
}

/* Removes the rows that are not marked; the others keep their order. */
static void keep(struct launches *launches, const bool *kept)
{
    size_t used = 0;
    for (size_t i = 0; i < launches->rows; i++) {
        if (kept[i])
            launches->row[used++] = launches->row[i];
        else
            launch_row_free(&launches->row[i]);
    }
    launches->rows = used;
}

bool repeat_merge(struct launches *launches, bool warm)
{
    size_t count;
    struct launch_row **rows = sorted(launches, warm, &count);
    double *room = calloc(launches->rows + 1, sizeof *room);
    bool *kept = calloc(launches->rows + 1, sizeof *kept);
    bool done = rows && room && kept;
    for (size_t i = 0, runs; done && i < count; i += runs) {
        runs = runs_of(rows + i, count - i);
        kept[rows[i] - launches->row] = true;
        done = runs == 1 || merge_runs(rows + i, runs, launches->metrics, room);
    }
    if (done)
        keep(launches, kept);
    free(kept);
    free(room);
    free(rows);
    return done;
}

/* Appends a copy of `row` to `to`, which has the metrics of `from`. */
static bool add_copy(struct launches *to, const struct launches *from, const struct launch_row *row)
{
    struct launch_row *copy = launches_add(to, row->program, row->kernel);
    if (!copy)
        return false;
    memcpy(copy->grid, row->grid, sizeof copy->grid);
    memcpy(copy->block, row->block, sizeof copy->block);
    copy->number = row->number;
    copy->warm = row->warm;
    bool done = true;
    for (uint32_t i = 0; i < from->metrics && done; i++) {
        const double value = launches_get(row, (int)i);
        const int metric = isnan(value) ? 0 : launches_metric(to, from->metric[i]);
        done = isnan(value) || (metric >= 0 && launches_set(copy, metric, value));
    }
    return done;
}

bool repeat_pairs(const struct launches *launches, bool warm, struct launches *first,
                  struct launches *second)
{
    size_t count;
    struct launch_row **rows = sorted(launches, warm, &count);
    bool done = rows != NULL;
    for (size_t i = 0, runs; done && i < count; i += runs) {
        runs = runs_of(rows + i, count - i);
        for (size_t a = 0; a < runs && done; a++)
            for (size_t b = a + 1; b < runs && done; b++)
                done = rows[i + a]->single_pass != rows[i + b]->single_pass ||
                       (add_copy(first, launches, rows[i + a]) &&
                        add_copy(second, launches, rows[i + b]));
    }
    free(rows);
    return done;
}
