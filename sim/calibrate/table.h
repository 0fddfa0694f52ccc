/* A table of points: micro-benchmarks of one file cuda/calib/NAME.cu, each a launch and the
 * number computed from it. docs/calibration.md describes the format. */
#ifndef SIM_CALIBRATE_TABLE_H
#define SIM_CALIBRATE_TABLE_H

#include "calibrate/expand.h"
#include "calibrate/result.h"
#include "exec/launch/launch_plan.h"

enum { POINT_NAME = 160, POINT_TEXT = 400, POINT_UNIT = 40, TABLE_NAME = 48 };

/* Kinds of points, which differ in their tolerance (docs/calibration.md). */
enum point_kind {
    POINT_LATENCY,
    POINT_THROUGHPUT,
    POINT_LOADED,
    POINT_ORDER,
    POINT_SIZE,
    POINT_INFO,
    POINT_KINDS
};

extern const char *const point_kind_names[POINT_KINDS];

/* One micro-benchmark with one combination of values. */
struct point {
    struct launch_plan plan; /* first member, as launch_plan_keys requires */
    char name[POINT_NAME];
    char shows[POINT_TEXT], question[POINT_TEXT], note[POINT_TEXT];
    char unit[POINT_UNIT];
    enum point_kind kind;
    struct result result;
    bool has_kind;
    bool slow; /* the simulation takes seconds */
    bool warm; /* L2 keeps the lines of the previous launch; the simulator's L2 is always cold */
};

/* The place of a point in the file, and its values of `each`. */
struct table_point {
    char name[POINT_NAME];
    uint32_t item; /* index in table.item */
    bool slow;
    struct expand_values values;
};

struct table_item;

struct table {
    char name[TABLE_NAME]; /* name of the file without folder and ".yaml" */
    char path[PLAN_PATH];
    char kernels[PLAN_PATH]; /* the source file of the kernels: "alu.cu" */
    char *text;
    size_t size;
    struct table_item *item;   /* [items]; item[0] is `defaults`, which may be empty */
    struct table_point *point; /* [points] */
    uint32_t items, points;
};

/* Reads the table `path` and checks every point. On success the caller calls table_close(); on
 * failure it may. */
enum simsm_status table_open(struct table *table, const char *path, struct simsm_error *error);
void table_close(struct table *table);

/* Fills *point with the point of the index. The caller calls point_free() whatever the result. */
enum simsm_status table_point(const struct table *table, uint32_t index, struct point *point,
                              struct simsm_error *error);
void point_free(struct point *point);

#endif
