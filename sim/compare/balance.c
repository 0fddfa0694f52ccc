#include "compare/balance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "compare/show_value.h"

/* The errors of one program's launches. */
struct balanced_counters {
    char name[KERNEL_NAME];
    size_t launches;
    double sizes;
};

/* Returns the last group of that name, usually the last of all groups, or a new group. */
static struct balanced_counters *group_named(struct balanced_counters *group, size_t *groups,
                                             const char *name)
{
    for (size_t i = *groups; i-- > 0;)
        if (strcmp(group[i].name, name) == 0)
            return &group[i];
    memcpy(group[*groups].name, name, strlen(name) + 1);
    return &group[(*groups)++];
}

static void add_launch(struct balance *b, struct balanced_counters *group, double error)
{
    group->launches++;
    group->sizes += fabs(error);
    b->launches++;
    b->too_small += error < 0.0;
    b->signed_mean += error;
}

/* Returns the mean, or NaN if `count` is 0. */
static double mean(double sum, size_t count)
{
    return count ? sum / (double)count : NAN;
}

static void finish(struct balance *b, const struct balanced_counters *group)
{
    const struct balanced_counters *largest = group;
    double sizes = 0.0;
    for (size_t i = 0; i < b->programs; i++) {
        b->by_program += mean(group[i].sizes, group[i].launches);
        sizes += group[i].sizes;
        if (group[i].launches > largest->launches)
            largest = &group[i];
    }
    b->by_program = mean(b->by_program, b->programs);
    b->largest_launches = largest->launches;
    memcpy(b->largest, largest->name, sizeof b->largest);
    b->without_largest = mean(sizes - largest->sizes, b->launches - largest->launches);
    b->signed_mean = mean(b->signed_mean, b->launches);
}

enum simsm_status balance_compute(struct balance *balance, const struct match *match,
                                  const struct figure *figure, struct simsm_error *error)
{
    struct balanced_counters *group = calloc(match->pairs + 1, sizeof *group);
    *balance = (struct balance){.programs = 0};
    if (!group)
        return err_no_memory(error);
    for (size_t i = 0; i < match->pairs; i++) {
        char name[KERNEL_NAME];
        const double of_launch = figure_error(figure, &match->pair[i]);
        (void)show_group(match, match->pair[i].measured, name);
        if (!isnan(of_launch))
            add_launch(balance, group_named(group, &balance->programs, name), of_launch);
    }
    finish(balance, group);
    free(group);
    return SIMSM_OK;
}
