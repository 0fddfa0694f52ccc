/* Runs a simulation in slices, so that a person can watch and stop it. */
#ifndef SIM_CLI_RUN_LOOP_H
#define SIM_CLI_RUN_LOOP_H

#include <stdbool.h>

#include "simsm/simsm.h"

/*
 * From now on SIGINT, SIGTERM and SIGHUP only ask run_loop to stop, so that the program can remove
 * or finish its files. Call it before the first of them is opened.
 */
void run_loop_listen(void);

/* The first of these signals that came; 0: none. */
int run_loop_signal(void);

/*
 * SIMSM_OK: the kernel has ended. SIMSM_LIMIT: max_cycles reached. SIMSM_INTERRUPTED: a signal,
 * which run_loop_signal has. SIMSM_FAILED: *error is filled. With `progress` a line on stderr,
 * erased at the end, says how far a longer run is.
 */
enum simsm_status run_loop(struct simsm *simulation, uint64_t max_cycles, bool progress,
                           struct simsm_error *error);

#endif
