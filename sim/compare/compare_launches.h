/* Kernel launches with their metrics, from a simulation or a profiler. */
#ifndef SIM_COMPARE_COMPARE_LAUNCHES_H
#define SIM_COMPARE_COMPARE_LAUNCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The range of a metric over several runs of a launch. */
struct launch_range {
    double low, high; /* NaN: measured at most once */
};

struct launch_row {
    char *program, *kernel;     /* program: "" if unknown; kernel: as in the file */
    uint32_t grid[3], block[3]; /* zeros if unknown */
    uint32_t number;            /* number of the launch in its program, from 1 */
    bool warm;                  /* caches were not flushed before the launch */
    bool single_pass;           /* a row of a table of runs (compare/repeat.h) */
    double *value;              /* [room]; read by launches_get() */
    uint32_t room;
    struct launch_range *range; /* [ranges] by metric; NULL: the launch has one run */
    uint32_t ranges;
};

/* A list of launches, which owns all its memory. Initialised as {0}, freed by launches_free(). */
struct launches {
    char **metric; /* [metrics] names */
    uint32_t metrics, metric_room;
    struct launch_row *row; /* [rows] */
    size_t rows, row_room;
    bool repeated; /* a launch has a row for each run (compare/repeat.h) */
};

enum { LAUNCHES_NO_METRIC = -1 };

void launches_free(struct launches *launches);
void launch_row_free(struct launch_row *row);

/* Returns the index of a metric, or LAUNCHES_NO_METRIC. */
int launches_find(const struct launches *launches, const char *metric);

/* Returns the index of a metric, adding a new name. Returns LAUNCHES_NO_METRIC if memory runs
 * out. */
int launches_metric(struct launches *launches, const char *metric);

/* Appends a row with copies of the names. Returns NULL if memory runs out. */
struct launch_row *launches_add(struct launches *launches, const char *program, const char *kernel);

/* Sets a value. Returns false if memory runs out. */
bool launches_set(struct launch_row *row, int metric, double value);

/* Returns a value, or NaN if there is none or `metric` is LAUNCHES_NO_METRIC. */
double launches_get(const struct launch_row *row, int metric);

/* Returns the range of a metric over several runs. Returns false if the launch has one run or
 * not this metric. */
bool launches_range(const struct launch_row *row, int metric, struct launch_range *range);

/* Returns whether the rows have more than one program. */
bool launches_have_programs(const struct launches *launches);

enum { KERNEL_NAME = 128 };

/*
 * Copies the name of a kernel's function without type, namespaces, template arguments and
 * parameters: "scale" for "void math::scale<float>(float *, int)" and for _ZN4math5scaleIfEEvPfi.
 * The name is cut to KERNEL_NAME. Returns `to`.
 */
char *kernel_function(const char *name, char to[KERNEL_NAME]);

#endif
