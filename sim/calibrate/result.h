/* How a point's number is computed from the buffer that its kernel has written. */
#ifndef SIM_CALIBRATE_RESULT_H
#define SIM_CALIBRATE_RESULT_H

#include <stdbool.h>
#include <stdint.h>

#include "exec/launch/launch_plan.h"

enum { RESULT_TEXT = 4096, RESULT_METRIC = 96 };

/* Ways to reduce the entries of a buffer to one number. A pair is a start and an end. */
enum result_take {
    TAKE_MIN,
    TAKE_MAX,
    TAKE_MEDIAN,
    TAKE_MEAN,
    TAKE_SUM,
    TAKE_FIRST,
    TAKE_LAST,
    TAKE_RANGE, /* the largest entry minus the smallest */
    TAKE_SPAN,  /* of pairs: the last end minus the first start */
    TAKE_PAIRS_MIN,
    TAKE_PAIRS_MAX,
    TAKE_PAIRS_MEDIAN,
    TAKE_PAIRS_MEAN,
    TAKE_LIST, /* all entries, as a text */
    TAKE_INDEX,
    TAKE_PERCENTILE, /* the smallest entry that `percent` of all entries do not exceed */
    TAKE_METRIC,     /* no buffer: a counter of the whole launch */
    TAKES
};

extern const char *const result_take_names[TAKES];

struct result {
    char of[PLAN_NAME];         /* name of the buffer */
    char metric[RESULT_METRIC]; /* TAKE_METRIC: its name in Nsight Compute */
    enum result_take take;
    uint64_t index;             /* TAKE_INDEX: index among the used entries */
    uint32_t percent;           /* TAKE_PERCENTILE: 1 to 100 */
    uint64_t skip, count, step; /* entries that are used; count 0: all behind `skip` */
    double offset;              /* subtracted first */
    double over,
        per; /* then divided by `over`, or `per` divided by the value; the other member is 0 */
};

/* A measured value: a number, or a list if `text` is not "". */
struct measured {
    double value;
    char text[RESULT_TEXT]; /* "3 2 1 0" */
};

/* Returns the index of the plan's buffer that the result is taken from, or plan->buffers if
 * there is none. */
uint32_t result_buffer(const struct result *result, const struct launch_plan *plan);

/* Computes the final value from the number taken: minus the offset, then divided. Returns false
 * if that is undefined. */
bool result_value(const struct result *result, double taken, double *value, const char **why);

/* Takes the result from the bytes of the buffer. Returns false if that is impossible (no entry,
 * half a pair, a list that is too long, division by 0) and sets *why. */
bool result_take(const struct result *result, const struct launch_plan *plan, const uint8_t *bytes,
                 struct measured *measured, const char **why);

#endif
