/* In how many launches the simulation agrees with what was measured, quantity by quantity. */
#ifndef SIM_COMPARE_AGREE_H
#define SIM_COMPARE_AGREE_H

#include "compare/compare_figures.h"

struct agreement {
    const char *what, *within; /* the quantity, and what counts as agreeing */
    size_t launches, agree;    /* that have the quantity on both sides; of these, that agree */
};

enum { AGREE_MOST = 8 };

/* Fills rows for all quantities that some launch has on both sides; returns their number. */
size_t agree_count(const struct match *match, struct agreement rows[AGREE_MOST]);

/* The sum of up to two metrics of a launch, the second may be NULL; NaN where one is missing. */
double agree_sum(const struct launches *launches, const struct launch_row *row, const char *first,
                 const char *second);

#endif
