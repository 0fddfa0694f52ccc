/* Runs a simulation in slices of some tens of milliseconds, so that one can watch and stop it. */
#ifndef SIM_API_WATCHED_H
#define SIM_API_WATCHED_H

#include <stdbool.h>

#include "simsm/simsm.h"

struct simsm_watch {
    /* Called before each slice; false: stop. */
    bool (*go_on)(void *context, struct simsm *simulation);
    void *context;
};

/*
 * The same run as simsm_run(simulation, max_cycles), to the last byte that is written.
 * SIMSM_INTERRUPTED: go_on has stopped it. SIMSM_LIMIT: max_cycles are over, or a limit of the
 * front, which front_status knows.
 */
enum simsm_status simsm_run_watched(struct simsm *simulation, uint64_t max_cycles,
                                    const struct simsm_watch *watch, struct simsm_error *error);

#endif
