/* Observers receive events of a run. They cannot influence what the model does. */
#ifndef SIMSM_OBSERVER_H
#define SIMSM_OBSERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "simsm/names.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One event. The meaning of `sub` and `arg` depends on `kind`: defs/events.def. */
struct simsm_event {
    uint64_t cycle;
    uint32_t arg;
    uint16_t unit; /* SM x SIMSM_SLOTS_PER_SM + slot */
    uint8_t kind;  /* enum simsm_event_kind */
    uint8_t sub;
};

/*
 * Receives events in batches. All events of a batch come from one SM, and the cycles of an SM never
 * decrease. The same run gives the same batches on any number of threads.
 */
struct simsm_observer {
    uint32_t wants; /* events to receive: one bit per enum simsm_event_kind */
    /* Receives `count` events of one SM. A return value other than 0 stops the run, which fails. */
    int (*batch)(void *context, uint32_t sm, const struct simsm_event *events, size_t count);
    void *context;
    /*
     * NULL: not called. Receives the counters so far, [SIMSM_COUNTER_COUNT], at the end of the
     * first window after each multiple of sample_cycles; not in cycles that are skipped. Counters
     * of time (active cycles, warps) may lag behind, and instructions by pipe are complete only at
     * the end of the run. A return value other than 0 stops the run, which fails.
     */
    int (*sample)(void *context, uint64_t cycle, const uint64_t *counters);
    uint64_t sample_cycles;
    /* [number of SMs]: the events to receive of each SM, in place of `wants`; or NULL. */
    const uint32_t *sm_wants;
    /* true: state changes may come in fewer events (defs/events.def). They do if all observers of
     * the run agree. */
    bool terse;
};

#ifdef __cplusplus
}
#endif

#endif
