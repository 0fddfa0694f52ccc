/* Observers: told what happens, never asked. No decision of the model can depend on them. */
#ifndef SIMSM_OBSERVER_H
#define SIMSM_OBSERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "simsm/names.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What `sub` and `arg` hold depends on `kind`: defs/events.def. */
struct simsm_event {
    uint64_t cycle;
    uint32_t arg;
    uint16_t unit; /* SM x SIMSM_SLOTS_PER_SM + slot */
    uint8_t kind;  /* enum simsm_event_kind */
    uint8_t sub;
};

/*
 * Events come in batches, each of one SM. Within an SM cycles never go back; SMs take turns.
 * The same run gives the same batches on any number of threads.
 */
struct simsm_observer {
    uint32_t wants; /* bit per enum simsm_event_kind */
    /* Non-zero stops the run, which then fails. */
    int (*batch)(void *context, uint32_t sm, const struct simsm_event *events, size_t count);
    void *context;
    /*
     * May be NULL: told the sums so far, [SIMSM_COUNTER_COUNT], at the first exchange of the SMs
     * after each multiple of sample_cycles; cycles in which nothing happens have none. What adds up
     * over the time of a state (active cycles, warps) may lag behind, and instructions by pipe are
     * complete at the end only. Non-zero as above.
     */
    int (*sample)(void *context, uint64_t cycle, const uint64_t *counters);
    uint64_t sample_cycles;
    /* Events of single SMs, in place of `wants`: [SMs], or NULL. */
    const uint32_t *sm_wants;
    /* State changes come in fewer events (defs/events.def) if all observers of a run are terse. */
    bool terse;
};

#ifdef __cplusplus
}
#endif

#endif
