/* Mean errors of other kinds: by program, without the largest program, and with the sign. */
#ifndef SIM_COMPARE_BALANCE_H
#define SIM_COMPARE_BALANCE_H

#include "compare/compare_figures.h"

/* Errors are as in struct figure; NaN if there is no launch. */
struct balance {
    size_t programs;           /* number of programs, or of kernels (show_group) */
    double by_program;         /* mean of the mean errors of programs */
    char largest[KERNEL_NAME]; /* the program with most launches */
    size_t largest_launches;
    double without_largest;     /* mean error of the launches of all other programs */
    double signed_mean;         /* below 0: simulated values are too small */
    size_t launches, too_small; /* launches with an error; of these, with an error below 0 */
};

/* Fails only if memory runs out. */
enum simsm_status balance_compute(struct balance *balance, const struct match *match,
                                  const struct figure *figure, struct simsm_error *error);

#endif
