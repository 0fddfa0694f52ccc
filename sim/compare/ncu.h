/*
 * What NVIDIA Nsight Compute prints with --csv: of `--page raw` one row for each launch and one
 * column for each metric; of `--page details` one row for each metric of a launch, under its label
 * ("Elapsed Cycles"). Also tables of our own, which begin with program,launch,kernel,grid,block.
 */
#ifndef SIM_COMPARE_NCU_H
#define SIM_COMPARE_NCU_H

#include "compare/compare_launches.h"
#include "simsm/error.h"

enum { NCU_BYTES = 1 << 28 }; /* of a file, at most */

/*
 * Adds the launches of a file to `launches`, values in the units of simsm's metrics (ns, byte,
 * GB/s).
 * What is no number ("n/a", names) becomes no value.
 */
enum simsm_status ncu_read(struct launches *launches, const char *path, struct simsm_error *error);

/*
 * A number as ncu writes it, such as "1,234.5" or "12 (3; 4; 5)", NaN for words. False: it is none
 * of these.
 */
bool ncu_number(const char *text, double *value);

/* What values in a unit, such as "usecond" or "Kbyte/second", are multiplied by. */
double ncu_unit(const char *unit);

/* The metric behind a label of the page details, the label itself if it is unknown. */
const char *ncu_label(const char *section, const char *label);

#endif
