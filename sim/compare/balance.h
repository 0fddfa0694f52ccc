/* The mean error seen in other ways: by program, without the largest one, with its sign. */
#ifndef SIM_COMPARE_BALANCE_H
#define SIM_COMPARE_BALANCE_H

#include "compare/compare_figures.h"

/* Errors are as in struct figure; NaN where there is no launch. */
struct balance {
    size_t programs;           /* or kernels: show_group */
    double by_program;         /* mean of the programs' mean errors */
    char largest[KERNEL_NAME]; /* the program of most launches */
    size_t largest_launches;
    double without_largest;     /* mean error of the launches of all others */
    double signed_mean;         /* below 0: simulated values are too small */
    size_t launches, too_small; /* that have an error; of these, with one below 0 */
};

/* An error: memory has run out. */
enum simsm_status balance_compute(struct balance *balance, const struct match *match,
                                  const struct figure *figure, struct simsm_error *error);

#endif
