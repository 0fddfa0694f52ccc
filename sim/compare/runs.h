/* What a simulated launch counted: RUN.json of `--json`. */
#ifndef SIM_COMPARE_RUNS_H
#define SIM_COMPARE_RUNS_H

#include "compare/compare_launches.h"
#include "simsm/error.h"

enum { RUNS_GPU = 64, RUNS_BYTES = 1 << 26 };

/*
 * Adds the launch of a file. Its program is the file's name without folder, .json and number:
 * "fft" and 3 of out/fft.3.json. *gpu becomes the simulated GPU.
 */
enum simsm_status runs_read(struct launches *launches, const char *path, char gpu[RUNS_GPU],
                            struct simsm_error *error);

/* Brings the launches of each program into the order of their numbers: a.2 before a.10. */
void runs_sort(struct launches *launches);

#endif
