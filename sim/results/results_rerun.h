/* A point of the results, simulated again: its configuration, and the command. */
#ifndef SIM_RESULTS_RESULTS_RERUN_H
#define SIM_RESULTS_RESULTS_RERUN_H

#include <stdio.h>

#include "results/results.h"

/* Writes the complete configuration of a point, as a file that simsm reads. */
enum simsm_status rerun_config(FILE *file, const char *path, int64_t point,
                               struct simsm_error *error);

/*
 * Writes the commands that simulate a point once more, as a shell takes them, and before them
 * comments about what has changed since: the simulator, an input. `path` is the file of results.
 */
enum simsm_status rerun_command(FILE *file, const char *path, int64_t point,
                                struct simsm_error *error);

#endif
