/* Runs a simulation in slices of some tens of milliseconds, so that the caller can show progress
 * and stop it. */
#ifndef SIM_API_WATCHED_H
#define SIM_API_WATCHED_H

#include <stdbool.h>

#include "simsm/simsm.h"

struct simsm_watch {
    /* Called before each slice. Returns false to stop the run. */
    bool (*go_on)(void *context, struct simsm *simulation);
    void *context;
};

/*
 * Runs like simsm_run(simulation, max_cycles) and writes the same bytes. Returns SIMSM_INTERRUPTED
 * if go_on stopped the run, SIMSM_LIMIT at max_cycles or at a limit of the front (front_status).
 */
enum simsm_status simsm_run_watched(struct simsm *simulation, uint64_t max_cycles,
                                    const struct simsm_watch *watch, struct simsm_error *error);

#endif
