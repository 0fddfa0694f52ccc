#include "compare/match.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"

/* The sorting key of a launch of either side. */
struct item {
    const struct launch_row *row;
    char function[KERNEL_NAME];
    const char *program; /* "" if programs do not count */
    uint32_t size[6];    /* zeros if sizes do not count */
};

static bool sizes_known(const struct launches *launches)
{
    for (size_t i = 0; i < launches->rows; i++)
        if (!launches->row[i].grid[0] || !launches->row[i].block[0])
            return false;
    return true;
}

static int by_kind(const struct item *a, const struct item *b)
{
    int order = strcmp(a->program, b->program);
    if (!order)
        order = strcmp(a->function, b->function);
    for (int i = 0; i < 6 && !order; i++)
        order = (a->size[i] > b->size[i]) - (a->size[i] < b->size[i]);
    return order;
}

static int compare_items(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    const int order = by_kind(x, y);
    return order ? order : (x->row > y->row) - (x->row < y->row);
}

static struct item *sorted(const struct launches *launches, bool programs, bool sizes)
{
    struct item *item = calloc(launches->rows + 1, sizeof *item);
    for (size_t i = 0; item && i < launches->rows; i++) {
        const struct launch_row *row = &launches->row[i];
        item[i].row = row;
        item[i].program = programs ? row->program : "";
        (void)kernel_function(row->kernel, item[i].function);
        if (sizes) {
            memcpy(item[i].size, row->grid, sizeof row->grid);
            memcpy(item[i].size + 3, row->block, sizeof row->block);
        }
    }
    if (item && launches->rows)
        qsort(item, launches->rows, sizeof *item, compare_items);
    return item;
}

/* Orders pairs before launches without a partner, each by measured order, then by simulated
 * order. */
static int compare_pairs(const void *a, const void *b)
{
    const struct match_pair *x = a, *y = b;
    const bool x_whole = x->simulated && x->measured, y_whole = y->simulated && y->measured;
    if (x_whole != y_whole)
        return x_whole ? -1 : 1;
    if (!x->measured != !y->measured)
        return x->measured ? -1 : 1;
    if (x->measured)
        return (x->measured > y->measured) - (x->measured < y->measured);
    return (x->simulated > y->simulated) - (x->simulated < y->simulated);
}

static void merge(struct match *m, const struct item *s, const struct item *r)
{
    size_t i = 0, k = 0, count = 0;
    while (i < m->simulated->rows || k < m->measured->rows) {
        int order = 0;
        if (i == m->simulated->rows || k == m->measured->rows)
            order = i == m->simulated->rows ? 1 : -1;
        else
            order = by_kind(&s[i], &r[k]);
        struct match_pair *pair = &m->pair[count++];
        *pair = (struct match_pair){order <= 0 ? s[i].row : NULL, order >= 0 ? r[k].row : NULL};
        i += order <= 0;
        k += order >= 0;
        m->pairs += order == 0;
        m->only_simulated += order < 0;
        m->only_measured += order > 0;
    }
    if (count)
        qsort(m->pair, count, sizeof *m->pair, compare_pairs);
}

enum simsm_status match_launches(struct match *match, const struct launches *simulated,
                                 const struct launches *measured, struct simsm_error *error)
{
    const bool programs = launches_have_programs(measured);
    const bool sizes = sizes_known(simulated) && sizes_known(measured);
    struct item *s = sorted(simulated, programs, sizes), *r = sorted(measured, programs, sizes);
    *match = (struct match){.simulated = simulated, .measured = measured};
    match->pair = calloc(simulated->rows + measured->rows + 1, sizeof *match->pair);
    const bool room = s && r && match->pair;
    if (room)
        merge(match, s, r);
    free(s);
    free(r);
    return room ? SIMSM_OK : err_no_memory(error);
}

void match_free(struct match *match)
{
    free(match->pair);
    match->pair = NULL;
}
