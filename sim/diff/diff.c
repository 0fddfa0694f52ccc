/* Matches the kernels of two runs and explains the difference. */
#include "diff/diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "compare/compare_launches.h"

static bool same_launch(const struct diff_kernel *a, const struct diff_kernel *b)
{
    return strcmp(a->name, b->name) == 0 && memcmp(a->grid, b->grid, sizeof a->grid) == 0 &&
           memcmp(a->block, b->block, sizeof a->block) == 0;
}

static bool same_code(const struct diff_kernel *a, const struct diff_kernel *b)
{
    return same_launch(a, b) && a->side.registers == b->side.registers &&
           a->side.shared_bytes == b->side.shared_bytes;
}

static bool same_name(const struct diff_kernel *a, const struct diff_kernel *b)
{
    return strcmp(a->name, b->name) == 0;
}

static bool same_function(const struct diff_kernel *a, const struct diff_kernel *b)
{
    char first[KERNEL_NAME], second[KERNEL_NAME];
    return strcmp(kernel_function(a->name, first), kernel_function(b->name, second)) == 0;
}

static bool any(const struct diff_kernel *a, const struct diff_kernel *b)
{
    (void)a, (void)b;
    return true;
}

/* The kernels of both runs, and which of them have a partner. */
struct matching {
    const struct diff_run *a, *b;
    bool *a_taken, *b_taken;
    size_t a_left, b_left;
};

static void match(struct diff *diff, struct matching *m,
                  bool (*same)(const struct diff_kernel *, const struct diff_kernel *))
{
    for (size_t i = 0; i < m->a->kernels; i++) {
        size_t k = 0;
        while (!m->a_taken[i] && k < m->b->kernels &&
               (m->b_taken[k] || !same(&m->a->kernel[i], &m->b->kernel[k])))
            k++;
        if (m->a_taken[i] || k == m->b->kernels)
            continue;
        m->a_taken[i] = m->b_taken[k] = true;
        m->a_left--;
        m->b_left--;
        diff->pair[diff->pairs++] =
            (struct diff_pair){.a = &m->a->kernel[i], .b = &m->b->kernel[k]};
    }
}

static bool match_all(struct diff *diff)
{
    struct matching m = {.a = diff->a,
                         .b = diff->b,
                         .a_taken = calloc(diff->a->kernels + 1, sizeof *m.a_taken),
                         .b_taken = calloc(diff->b->kernels + 1, sizeof *m.b_taken),
                         .a_left = diff->a->kernels,
                         .b_left = diff->b->kernels};
    diff->pair = calloc(diff->a->kernels + diff->b->kernels + 1, sizeof *diff->pair);
    const bool done = m.a_taken && m.b_taken && diff->pair;
    if (done) {
        match(diff, &m, same_code);
        match(diff, &m, same_launch);
        match(diff, &m, same_name);
        match(diff, &m, same_function);
        if (m.a_left == m.b_left)
            match(diff, &m, any);
        for (size_t i = 0; i < diff->a->kernels; i++)
            if (!m.a_taken[i])
                diff->pair[diff->pairs++] = (struct diff_pair){.a = &diff->a->kernel[i]};
        for (size_t i = 0; i < diff->b->kernels; i++)
            if (!m.b_taken[i])
                diff->pair[diff->pairs++] = (struct diff_pair){.b = &diff->b->kernel[i]};
    }
    free(m.a_taken);
    free(m.b_taken);
    return done;
}

static int by_difference(const void *a, const void *b)
{
    const struct diff_pair *x = a, *y = b;
    const double first = fabs(x->difference), second = fabs(y->difference);
    if (first != second)
        return first < second ? 1 : -1;
    const struct diff_kernel *one = x->a ? x->a : x->b, *other = y->a ? y->a : y->b;
    const int names = strcmp(one->name, other->name);
    return names ? names : (one > other) - (one < other);
}

/* A pair causes most of the difference if it has at least this share. */
static const double MOST = 0.5;

/* Returns the pair that causes most of the difference; NULL: no pair does. */
static const struct diff_pair *find_main(const struct diff *diff, double whole)
{
    const struct diff_pair *first = diff->pair;
    if (!diff->pairs || !first->a || !first->b || !first->change.causes || diff->total.noise)
        return NULL;
    return first->difference / whole >= MOST ? first : NULL;
}

static void write_sentence(struct diff *diff)
{
    const double whole = speed_side_time(&diff->b->total) - speed_side_time(&diff->a->total);
    const struct speed_change *total = &diff->total;
    const struct diff_pair *most = find_main(diff, whole);
    char part[32];
    diff->main = most;
    if (!most || !most->b || diff->pairs == 1) {
        (void)snprintf(diff->sentence, sizeof diff->sentence, "%s",
                       most ? most->change.sentence : total->sentence);
        return;
    }
    const char *why = strchr(most->change.sentence, ';');
    const double share = most->difference / whole;
    if (share < 0.995)
        (void)snprintf(part, sizeof part, "%.0f %%", 100 * share);
    else
        (void)snprintf(part, sizeof part, share < 1.05 ? "all" : "more than all");
    (void)snprintf(diff->sentence, sizeof diff->sentence,
                   "%s; %s of the difference is in %.128s (%s): %s", total->how_much, part,
                   most->b->name, most->change.how_much, why ? why + 2 : "");
}

enum simsm_status diff_find(struct diff *diff, const struct diff_run *a, const struct diff_run *b,
                            double threshold, struct simsm_error *error)
{
    *diff = (struct diff){.a = a, .b = b, .threshold = threshold};
    if (!match_all(diff))
        return err_no_memory(error);
    for (size_t i = 0; i < diff->pairs; i++) {
        struct diff_pair *pair = &diff->pair[i];
        pair->difference = (pair->b ? speed_side_time(&pair->b->side) : 0) -
                           (pair->a ? speed_side_time(&pair->a->side) : 0);
        if (pair->a && pair->b)
            speed_change_find(&pair->a->side, &pair->b->side, threshold, &pair->change);
    }
    qsort(diff->pair, diff->pairs, sizeof *diff->pair, by_difference);
    speed_change_find(&a->total, &b->total, threshold, &diff->total);
    write_sentence(diff);
    return SIMSM_OK;
}

void diff_free(struct diff *diff)
{
    free(diff->pair);
    *diff = (struct diff){0};
}
