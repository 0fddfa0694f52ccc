/* Runs a simulation in slices, so that a person can watch and stop it. */
#ifndef SIM_CLI_RUN_LOOP_H
#define SIM_CLI_RUN_LOOP_H

#include <stdbool.h>

#include "simsm/simsm.h"

/*
 * SIMSM_OK: the kernel has ended. SIMSM_LIMIT: max_cycles reached. SIMSM_INTERRUPTED: a signal,
 * which signals_first has. SIMSM_FAILED: *error is filled. With `progress` a line on stderr, if
 * that is a terminal, says how far a longer run is, and goes at the end.
 */
enum simsm_status run_loop(struct simsm *simulation, uint64_t max_cycles, bool progress,
                           struct simsm_error *error);

#endif
