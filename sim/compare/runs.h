/* Reads the counters of simulated launches: a file of `--json`. */
#ifndef SIM_COMPARE_RUNS_H
#define SIM_COMPARE_RUNS_H

#include "compare/compare_launches.h"
#include "simsm/error.h"

enum { RUNS_GPU = 64, RUNS_BYTES = 1 << 30 };

/*
 * Adds the launches of a file: one object, or an object on each line. The program is the file's
 * name: "fft" for out/fft.jsonl. *gpu becomes the simulated GPU.
 */
enum simsm_status runs_read(struct launches *launches, const char *path, char gpu[RUNS_GPU],
                            struct simsm_error *error);

/* Sorts the launches of each program by their numbers: a.2 before a.10. */
void runs_sort(struct launches *launches);

#endif
