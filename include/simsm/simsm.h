/*
 * simsm: a warp-level simulator of GPU streaming multiprocessors.
 *
 * Open a simulation from a configuration and a trace, run it, read what it counted, close it. The
 * library prints nothing, never exits and has no global state: any number of simulations can
 * live side by side. docs/library.md has a complete example.
 */
#ifndef SIMSM_SIMSM_H
#define SIMSM_SIMSM_H

#include "simsm/config.h"
#include "simsm/error.h"
#include "simsm/kernel.h"
#include "simsm/names.h"
#include "simsm/observer.h"
#include "simsm/occupancy.h"
#include "simsm/policy.h"
#include "simsm/stats.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SIMSM_VERSION "0.1.0"

#define SIMSM_THREADS_MAX 1024

struct simsm;

/* What simsm_open takes besides the configuration; all zero is usual. What it points to is the
 * caller's, and has to live until simsm_close. */
struct simsm_options {
    const struct simsm_scheduler *scheduler;   /* NULL: as config.sm_scheduler names it */
    const struct simsm_dispatcher *dispatcher; /* NULL: as config.dispatch_policy names it */
    const struct simsm_policy_module *module;  /* of the program's own; NULL: config.policy_module,
                                                  where alone an order of paths is looked for */
    const struct simsm_observer *const
        *observers;                /* NULL-terminated list, or NULL; must outlive it */
    const char *const *parameters; /* NULL-terminated "name=value" for the trace, or NULL;
                                      of a recording: "launch=N", one of its launches, from 1 */
    bool no_skip;                  /* visit every cycle: slow, same results */
    bool check;      /* check invariants at the end of each simsm_run; a violation fails it */
    uint64_t window; /* cycles between exchanges of the SMs; 0: as many as possible. Same results */
    uint32_t threads; /* that simulate SMs; 0 is 1, at most one for each SM. Same results. Observers
                         are called by the thread that calls simsm_run */
};

/*
 * Reads the kernel in the file `trace`, a trace or a recording, and builds the GPU; `config` is
 * copied. `options` may be NULL. On success *simulation must be closed with simsm_close.
 */
enum simsm_status simsm_open(struct simsm **simulation, const struct simsm_config *config,
                             const char *trace, const struct simsm_options *options,
                             struct simsm_error *error);

/*
 * Runs until the kernel has ended (SIMSM_OK), or until `until` cycles since the launch have been
 * simulated (SIMSM_LIMIT; call again to go on). SIMSM_FAILED: deadlock, an observer's refusal, a
 * broken invariant. SIMSM_BAD_INPUT: a recording turned out to be damaged.
 */
enum simsm_status simsm_run(struct simsm *simulation, uint64_t until, struct simsm_error *error);

/* The launch that the trace describes; owned by the simulation. */
const struct simsm_launch *simsm_launch_of(const struct simsm *simulation);

/* What has been counted so far; owned by the simulation, valid until the next call on it. */
const struct simsm_stats *simsm_stats(struct simsm *simulation);

/* NULL is allowed. */
void simsm_close(struct simsm *simulation);

#ifdef __cplusplus
}
#endif

#endif
