/* Kernel launches with their metrics, as a simulation or a profiler gives them. */
#ifndef SIM_COMPARE_COMPARE_LAUNCHES_H
#define SIM_COMPARE_COMPARE_LAUNCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The least and the most of a metric over several runs of a launch. */
struct launch_range {
    double low, high; /* NaN: not measured, or once */
};

struct launch_row {
    char *program, *kernel;     /* program: "" where it is unknown; kernel: as it was written */
    uint32_t grid[3], block[3]; /* zeros where they are unknown */
    uint32_t number;            /* in its program, from 1 */
    bool warm;                  /* caches were as the launch before left them, not flushed */
    double *value;              /* [room]: launches_get */
    uint32_t room;
    struct launch_range *range; /* [ranges] by metric; NULL: there is one run */
    uint32_t ranges;
};

/* All owned. Starts as {0}; launches_free ends it. */
struct launches {
    char **metric; /* [metrics] names */
    uint32_t metrics, metric_room;
    struct launch_row *row; /* [rows] */
    size_t rows, row_room;
    bool repeated; /* a launch may have several rows, one for each run (compare/repeat.h) */
};

enum { LAUNCHES_NO_METRIC = -1 };

void launches_free(struct launches *launches);
void launch_row_free(struct launch_row *row);

/* The number of a metric, LAUNCHES_NO_METRIC if there is none of that name. */
int launches_find(const struct launches *launches, const char *metric);

/* The same; a new name is added. LAUNCHES_NO_METRIC: memory has run out. */
int launches_metric(struct launches *launches, const char *metric);

/* A new last row with copies of the names; NULL: memory has run out. */
struct launch_row *launches_add(struct launches *launches, const char *program, const char *kernel);

/* False: memory has run out. */
bool launches_set(struct launch_row *row, int metric, double value);

/* NaN where there is no value, and for LAUNCHES_NO_METRIC. */
double launches_get(const struct launch_row *row, int metric);

/* The least and the most of several runs; false: there are none, or not of that metric. */
bool launches_range(const struct launch_row *row, int metric, struct launch_range *range);

/* Whether rows have more than one program. */
bool launches_have_programs(const struct launches *launches);

enum { KERNEL_NAME = 128 };

/*
 * The name of a kernel's function without its type, namespaces, template arguments and parameters:
 * "scale" of "void math::scale<float>(float *, int)" and of _ZN4math5scaleIfEEvPfi. Cut to
 * KERNEL_NAME. Returns `to`.
 */
char *kernel_function(const char *name, char to[KERNEL_NAME]);

#endif
