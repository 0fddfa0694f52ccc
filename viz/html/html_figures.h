/* The run in words and figures, as far as its timeline has them. */
#ifndef VIZ_HTML_HTML_FIGURES_H
#define VIZ_HTML_HTML_FIGURES_H

#include <stdio.h>

#include "track/track.h"

/* Kernel, GPU, launch, command, what was recorded: a list of definitions. */
void figures_run(FILE *file, const struct run *run);

/* Cycles, instructions, occupancy, memory under Nsight Compute's names: a table. */
void figures_metrics(FILE *file, struct run *run);

/* Where the warps' cycles went, on the recorded SMs: a table with bars. */
void figures_states(FILE *file, const struct run *run);

/* The states that occur, as a list of cells with their titles. */
void figures_legend(FILE *file, const struct run *run);

#endif
