/* The figures of a run, as far as its timeline has them. All functions write HTML. */
#ifndef VIZ_HTML_HTML_FIGURES_H
#define VIZ_HTML_HTML_FIGURES_H

#include <stdio.h>

#include "track/track.h"

/* Writes an item of a list of definitions; nothing if the text is empty. */
void figures_item(FILE *file, const char *name, const char *text);

/* Writes a list of definitions: kernel, GPU, launch, command, recorded cycles and SMs. */
void figures_run(FILE *file, const struct run *run);

/* Writes a table: cycles, instructions, occupancy, memory, with Nsight Compute's names. */
void figures_metrics(FILE *file, struct run *run);

/* Writes a table with bars: the share of each state in the warps' cycles on the recorded SMs. */
void figures_states(FILE *file, const struct run *run);

/* Writes the legend: the states that occur, with their titles. */
void figures_legend(FILE *file, const struct run *run);

#endif
