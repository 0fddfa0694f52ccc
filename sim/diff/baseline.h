/*
 * The baseline of `simsm check-speed`: how long each kernel took, one line of JSON for each. The
 * first line names the GPU and the settings. Lines stand in the order of first launches, so that a
 * renewed baseline differs only where kernels do.
 */
#ifndef SIM_DIFF_BASELINE_H
#define SIM_DIFF_BASELINE_H

#include "diff/diff.h"

enum { BASELINE_VERSION = 1 };

/* Writes the kernels of a run. Leaves write errors in `file`; fails only if memory runs out. */
enum simsm_status baseline_write(FILE *file, const struct diff_run *run, struct simsm_error *error);

/* A budget: how much longer a kernel, and all together, may take, as a share such as 0.05. */
struct budget {
    double most;
    bool markdown;
};

/*
 * Judges run B against baseline A and writes the outcome to `file`: within the budget, or which
 * kernels are slower, by how much and why. Returns whether B is within the budget: no kernel of
 * both is slower, and neither is the whole.
 */
bool budget_check(FILE *file, const struct diff *diff, const struct budget *budget);

#endif
