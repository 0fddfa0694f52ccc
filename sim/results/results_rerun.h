/* Repeating a point of a sweep: its configuration and its command. */
#ifndef SIM_RESULTS_RESULTS_RERUN_H
#define SIM_RESULTS_RESULTS_RERUN_H

#include <stdio.h>

#include "results/results.h"

/* Writes the complete configuration of a point as a file that simsm reads. Returns SIMSM_BAD_INPUT
 * if there is no such point. */
enum simsm_status rerun_config(FILE *file, const char *path, int64_t point,
                               struct simsm_error *error);

/*
 * Writes the shell commands that simulate a point again. Comments before them list what has changed
 * since: the version of simsm and the inputs. `path` is the file of results. Returns
 * SIMSM_BAD_INPUT if there is no such point.
 */
enum simsm_status rerun_command(FILE *file, const char *path, int64_t point,
                                struct simsm_error *error);

#endif
