/* Runs a simulation that signals can stop, with progress on a terminal. */
#ifndef SIM_CLI_RUN_LOOP_H
#define SIM_CLI_RUN_LOOP_H

#include <stdbool.h>

#include "simsm/simsm.h"

/*
 * Runs to the end of the kernel (SIMSM_OK), for at most `max_cycles` cycles (SIMSM_LIMIT), or until
 * a signal (SIMSM_INTERRUPTED; signals_first() returns it). Returns another status and fills *error
 * on failure. `progress`: if stderr is a terminal, a line shows how far a longer run is; it is
 * cleared at the end.
 */
enum simsm_status run_loop(struct simsm *simulation, uint64_t max_cycles, bool progress,
                           struct simsm_error *error);

#endif
