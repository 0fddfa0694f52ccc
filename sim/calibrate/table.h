/*
 * A table of points: micro-benchmarks of one file cuda/calib/NAME.cu, each a launch and the number
 * that it gives. docs/calibration.md describes it for those who write one.
 */
#ifndef SIM_CALIBRATE_TABLE_H
#define SIM_CALIBRATE_TABLE_H

#include "calibrate/expand.h"
#include "calibrate/result.h"
#include "exec/launch/launch_plan.h"

enum { POINT_NAME = 160, POINT_TEXT = 400, POINT_UNIT = 40, TABLE_NAME = 48 };

/* What a point is, which says how close the simulator has to come to it (docs/calibration.md). */
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

/* One benchmark with one combination of its values. */
struct point {
    struct launch_plan plan; /* first, as its keys want it (launch_plan_keys) */
    char name[POINT_NAME];
    char shows[POINT_TEXT], question[POINT_TEXT], note[POINT_TEXT];
    char unit[POINT_UNIT];
    enum point_kind kind;
    struct result result;
    bool has_kind;
    bool slow; /* takes the simulator seconds */
    bool warm; /* L2 is left as the launch before left it; the simulator's is always cold */
};

/* Where a point stands in the file, and the values of its `each` that are meant. */
struct table_point {
    char name[POINT_NAME];
    uint32_t item; /* of table.item */
    bool slow;
    struct expand_values values;
};

struct table_item;

struct table {
    char name[TABLE_NAME]; /* that of the file, without folder and ".yaml" */
    char path[PLAN_PATH];
    char kernels[PLAN_PATH]; /* the source file of the kernels: "alu.cu" */
    char *text;
    size_t size;
    struct table_item *item;   /* [items]; of them item[0] is `defaults`, maybe empty */
    struct table_point *point; /* [points] */
    uint32_t items, points;
};

/*
 * Reads the table `path` and checks every point of it. On success table_close must be called; on
 * failure it may be.
 */
enum simsm_status table_open(struct table *table, const char *path, struct simsm_error *error);
void table_close(struct table *table);

/* Fills *point with the point of that index; point_free whatever it returns. */
enum simsm_status table_point(const struct table *table, uint32_t index, struct point *point,
                              struct simsm_error *error);
void point_free(struct point *point);

#endif
