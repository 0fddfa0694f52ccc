/* Counts the launches in which simulation and measurement agree, for each quantity. */
#ifndef SIM_COMPARE_AGREE_H
#define SIM_COMPARE_AGREE_H

#include "compare/compare_figures.h"

struct agreement {
    const char *what, *within; /* name of the quantity and its tolerance */
    size_t launches,
        agree; /* launches with the quantity on both sides; of these, those that agree */
};

enum { AGREE_MOST = 8 };

/* Fills a row for each quantity that some launch has on both sides. Returns the number of rows. */
size_t agree_count(const struct match *match, struct agreement rows[AGREE_MOST]);

/* Returns the sum of one or two metrics of a launch (the second may be NULL), or NaN if one is
 * missing. */
double agree_sum(const struct launches *launches, const struct launch_row *row, const char *first,
                 const char *second);

#endif
