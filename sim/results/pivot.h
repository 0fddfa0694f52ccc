/* Pivot tables: one metric of many points, with a row and a column for each value of some keys. */
#ifndef SIM_RESULTS_PIVOT_H
#define SIM_RESULTS_PIVOT_H

#include "results/results.h"

/* How the points of a cell are combined. */
enum pivot_reduce { PIVOT_MEAN, PIVOT_GEOMEAN, PIVOT_SUM, PIVOT_MIN, PIVOT_MAX, PIVOT_REDUCES };

/* The names of the values of --reduce. */
extern const char *const pivot_reduce_names[PIVOT_REDUCES];

/* The table that is asked for. */
struct pivot_request {
    struct texts rows, columns; /* keys; values of several keys form one label */
    const char *metric;         /* the metric, among results.metrics */
    const char *baseline; /* "key=value": divide by the point with this value that is otherwise the
                             same; NULL: absolute figures */
    bool inverse;         /* divide the baseline by the figure: the speedup, for times */
    enum pivot_reduce reduce; /* how to combine the points of a cell */
};

/* A table. */
struct pivot {
    struct texts row, column; /* labels, in the order of the points */
    double *cell;             /* [row.count x column.count]; NaN: no point */
    uint32_t *points;         /* [row.count x column.count] points of a cell */
    double *mean;      /* [column.count] geometric mean over the rows; NaN without a baseline */
    uint32_t most;     /* the most points of a cell */
    uint32_t without;  /* points without a figure or a baseline */
    uint32_t left_out; /* points that are not done */
};

/* Computes the table of the points that are done. Returns SIMSM_BAD_INPUT if a key or the baseline
 * is unknown. Call pivot_free() whatever it returns. */
enum simsm_status pivot_make(struct pivot *pivot, struct results *results,
                             const struct pivot_request *request, struct simsm_error *error);
void pivot_free(struct pivot *pivot);

/* Returns the geometric mean of value[0], value[stride], ..., `count` values; values that are not
 * above 0 are left out. NaN if none is left. */
double pivot_geomean(const double *value, uint32_t count, uint32_t stride);

/* Writes the table as text for a terminal. */
void pivot_text(FILE *file, const struct pivot *pivot, const struct pivot_request *request);

/* Writes the table as CSV. An empty cell has no point. */
void pivot_csv(FILE *file, const struct pivot *pivot, const struct pivot_request *request);

/* Returns the label of a row of results: its values of the keys, separated by spaces. NULL if
 * memory runs out. The caller frees it. */
char *pivot_label(struct results *results, const struct results_row *row, const struct texts *keys);

/*
 * Returns the index of `label` in the list and adds it if it is new. UINT32_MAX if memory runs out.
 */
uint32_t pivot_place(struct texts *labels, const char *label);

#endif
