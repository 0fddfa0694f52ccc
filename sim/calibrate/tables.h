/* The tables of a folder, and the points of them that are meant. */
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
 * Opens NAME.yaml of the folder for each name "NAME" or "NAME/POINT" of `names`, or all tables
 * there. POINT may leave out what stands in brackets. tables_close must be called whatever it
 * returns; `folder` and `names` must outlive it. A name that fits nothing is an error.
 */
enum simsm_status tables_open(struct tables *tables, const char *folder, const char *const *names,
                              uint32_t name_count, struct simsm_error *error);
void tables_close(struct tables *tables);

/* Whether the names mean this point. */
bool tables_chosen(const struct tables *tables, const struct table *table, uint32_t point);

/* The file with a table's kernels for GPUs of compute capability `sm` (90): those for sm, else
 * those for the next lower one of the same generation, whose code they execute, too (CUDA C++
 * Programming Guide, Binary Compatibility). If there are none, where those for sm would be. */
void tables_cubin(const struct tables *tables, const struct table *table, uint32_t sm,
                  char path[PLAN_PATH]);

#endif
