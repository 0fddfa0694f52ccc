/* What one number a point takes from the buffer that its kernel has written. */
#ifndef SIM_CALIBRATE_RESULT_H
#define SIM_CALIBRATE_RESULT_H

#include <stdbool.h>
#include <stdint.h>

#include "exec/launch/launch_plan.h"

enum { RESULT_TEXT = 4096, RESULT_METRIC = 96 };

/* How the entries of a buffer become one number; pairs are a start and an end. */
enum result_take {
    TAKE_MIN,
    TAKE_MAX,
    TAKE_MEDIAN,
    TAKE_MEAN,
    TAKE_SUM,
    TAKE_FIRST,
    TAKE_LAST,
    TAKE_RANGE, /* largest less smallest */
    TAKE_SPAN,  /* of pairs: the last end less the first start */
    TAKE_PAIRS_MIN,
    TAKE_PAIRS_MAX,
    TAKE_PAIRS_MEDIAN,
    TAKE_PAIRS_MEAN,
    TAKE_LIST, /* all entries, as a text */
    TAKE_INDEX,
    TAKE_PERCENTILE, /* the entry that so many percent of all do not exceed */
    TAKE_METRIC,     /* nothing of a buffer: a counter of the whole launch */
    TAKES
};

extern const char *const result_take_names[TAKES];

struct result {
    char of[PLAN_NAME];         /* a buffer */
    char metric[RESULT_METRIC]; /* TAKE_METRIC: its name in Nsight Compute */
    enum result_take take;
    uint64_t index;             /* TAKE_INDEX: of an entry that is used */
    uint32_t percent;           /* TAKE_PERCENTILE: 1 to 100 */
    uint64_t skip, count, step; /* which entries are used; count 0: all that are left */
    double offset;              /* what is taken off before */
    double over, per;           /* divided by `over`, or `per` divided by it; the other is 0 */
};

/* What has been measured: a number, or a list (text not ""). */
struct measured {
    double value;
    char text[RESULT_TEXT]; /* "3 2 1 0" */
};

/* Which buffer of the plan the result is taken of; plan->buffers: none. */
uint32_t result_buffer(const struct result *result, const struct launch_plan *plan);

/* The value of what has been taken: less the offset, and divided as the result says. */
bool result_value(const struct result *result, double taken, double *value, const char **why);

/*
 * Takes the result from the bytes of that buffer. false: it cannot be had (no entry, half a pair, a
 * list that is too long, per 0), and *why says it.
 */
bool result_take(const struct result *result, const struct launch_plan *plan, const uint8_t *bytes,
                 struct measured *measured, const char **why);

#endif
