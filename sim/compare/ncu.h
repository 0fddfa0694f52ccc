/*
 * Reads the output of Nsight Compute with --csv: of `--page raw`, one row for each launch and one
 * column for each metric; of `--page details`, one row for each metric of a launch, under its label
 * ("Elapsed Cycles"). Also reads tables of this project, which begin with
 * program,launch,kernel,grid,block.
 */
#ifndef SIM_COMPARE_NCU_H
#define SIM_COMPARE_NCU_H

#include "compare/compare_launches.h"
#include "simsm/error.h"

enum { NCU_BYTES = 1 << 28 }; /* most launches of a file */

/* Adds the launches of a file to `launches`, with values in the units of simsm's metrics (ns,
 * byte, GB/s). Text that is not a number ("n/a", names) becomes no value. */
enum simsm_status ncu_read(struct launches *launches, const char *path, struct simsm_error *error);

/* Reads a number as ncu writes it, such as "1,234.5" or "12 (3; 4; 5)"; words give NaN. Returns
 * false if the text is neither. */
bool ncu_number(const char *text, double *value);

/* Returns the factor from a unit of ncu, such as "usecond" or "Kbyte/second", to simsm's unit. */
double ncu_unit(const char *unit);

/* Returns the metric of a label of the page `details`, or the label itself if it is unknown. */
const char *ncu_label(const char *section, const char *label);

#endif
