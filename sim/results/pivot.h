/* One figure of many points as a table: a row and a column for each value of some keys. */
#ifndef SIM_RESULTS_PIVOT_H
#define SIM_RESULTS_PIVOT_H

#include "results/results.h"

enum pivot_reduce { PIVOT_MEAN, PIVOT_GEOMEAN, PIVOT_SUM, PIVOT_MIN, PIVOT_MAX, PIVOT_REDUCES };

extern const char *const pivot_reduce_names[PIVOT_REDUCES];

struct pivot_request {
    struct texts rows, columns; /* keys; several become one label */
    const char *metric;         /* one of results.metrics */
    const char *baseline;       /* "key=value": figures relative to the point that has this, and
                                   else is the same; NULL: as they are */
    bool inverse;               /* baseline / figure: how often as fast, of times */
    enum pivot_reduce reduce;   /* of several points with one label */
};

struct pivot {
    struct texts row, column; /* labels, in the order in which points have them */
    double *cell;             /* [row.count x column.count] NaN: no point */
    uint32_t *points;         /* [row.count x column.count] of which it is made */
    double *mean;             /* [column.count] of the rows: geometric, with a baseline; else NaN */
    uint32_t most;            /* points of a cell */
    uint32_t without;         /* points without one to compare with */
    uint32_t left_out;        /* points that are not done */
};

/* Call pivot_free whatever it returns. */
enum simsm_status pivot_make(struct pivot *pivot, struct results *results,
                             const struct pivot_request *request, struct simsm_error *error);
void pivot_free(struct pivot *pivot);

/* The geometric mean of the values that are above 0; NaN: there are none. */
double pivot_geomean(const double *value, uint32_t count, uint32_t stride);

/* For a terminal; as CSV. */
void pivot_text(FILE *file, const struct pivot *pivot, const struct pivot_request *request);
void pivot_csv(FILE *file, const struct pivot *pivot, const struct pivot_request *request);

/* The label of a row of results under some keys: their values with blanks between, to be freed. */
char *pivot_label(struct results *results, const struct results_row *row, const struct texts *keys);

/* The place of a label in a list, to which a new one is added; UINT32_MAX: memory has run out. */
uint32_t pivot_place(struct texts *labels, const char *label);

#endif
