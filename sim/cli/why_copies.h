/* What a program's copies cost that run alone, from the table of a recorded program. */
#ifndef SIM_CLI_WHY_COPIES_H
#define SIM_CLI_WHY_COPIES_H

#include "report/copy_overlap.h"
#include "sweep/experiments.h"

/* Returns whether overlapping copies with kernels is worth advice, and fills *price then. `table`:
 * the file of --table. The time of kernels is that of the experiments. */
bool why_copies_price(const char *table, const struct experiments *experiments,
                      struct copy_price *price);

#endif
