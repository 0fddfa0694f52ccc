/* The tables of a folder, and the points that are chosen. */
#ifndef SIM_CALIBRATE_TABLES_H
#define SIM_CALIBRATE_TABLES_H

#include "calibrate/table.h"

struct tables {
    struct table *table; /* [count], by name */
    uint32_t count;
    const char *folder;
    const char *const *names; /* [name_count]; 0: all */
    uint32_t name_count;
};

/*
 * Opens NAME.yaml of the folder for each name "NAME" or "NAME/POINT" of `names`, or all tables of
 * the folder. POINT may leave out the brackets and their contents. A name that matches nothing is
 * an error. `folder` and `names` must outlive *tables. The caller calls tables_close() whatever the
 * result.
 */
enum simsm_status tables_open(struct tables *tables, const char *folder, const char *const *names,
                              uint32_t name_count, struct simsm_error *error);
void tables_close(struct tables *tables);

/* Returns whether the point is chosen. */
bool tables_chosen(const struct tables *tables, const struct table *table, uint32_t point);

/*
 * Makes the path of the table's kernels for compute capability `sm` (90): the cubin for sm, else
 * that for the next lower capability of the same generation, which these GPUs execute too (CUDA C++
 * Programming Guide, Binary Compatibility). If there is none, the path where the cubin for sm would
 * be.
 */
void tables_cubin(const struct tables *tables, const struct table *table, uint32_t sm,
                  char path[PLAN_PATH]);

#endif
