/*
 * simsm: a warp-level simulator of GPU streaming multiprocessors.
 *
 * Usage: open a simulation from a configuration and a trace, run it, read its statistics, close it.
 * The library prints nothing, never exits and has no global state, so that any number of
 * simulations can exist at a time. docs/library.md has a complete example.
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
#include "simsm/report.h"
#include "simsm/stats.h"
#include "simsm/timeline.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SIMSM_VERSION "0.1.0"

enum { SIMSM_THREADS_MAX = 1024 };

struct simsm;

/* Further arguments of simsm_open. A struct of zeros asks for the defaults. The caller owns all
 * that the pointers refer to and keeps it until simsm_close. */
struct simsm_options {
    const struct simsm_scheduler *scheduler;   /* NULL: as config.sm_scheduler names it */
    const struct simsm_dispatcher *dispatcher; /* NULL: as config.dispatch_policy names it */
    const struct simsm_policy_module *module; /* a policy plug-in compiled into the calling program;
                                                 NULL: the one config.policy_module names. A path
                                                 order is taken from config.policy_module only */
    const struct simsm_observer *const *observers; /* NULL-terminated list, or NULL: none */
    const char *const
        *parameters; /* NULL-terminated list of "name=value", or NULL: parameters of
                        the trace. For a recording "launch=N" chooses a launch, from 1 */
    bool no_skip;    /* true: visit every cycle; slow, same results */
    bool check; /* true: check that sums balance at the end of each simsm_run, which fails otherwise
                 */
    uint64_t window;  /* length of a window in cycles; 0: the longest possible. Same results */
    uint32_t threads; /* threads that simulate SMs; 0 means 1; at most one for each SM. Same
                         results. Observers are called by the thread that calls simsm_run */
};

/*
 * Reads the kernel in the file `trace` (a trace or a recording) and builds the GPU. Copies
 * `config`. `options` may be NULL. On success the caller closes *simulation with simsm_close.
 */
enum simsm_status simsm_open(struct simsm **simulation, const struct simsm_config *config,
                             const char *trace, const struct simsm_options *options,
                             struct simsm_error *error);

/*
 * Simulates until the kernel has ended (returns SIMSM_OK) or `until` cycles since the launch have
 * been simulated (returns SIMSM_LIMIT; another call continues). Returns SIMSM_FAILED after a
 * deadlock, if an observer stops the run, or if `check` finds an error; SIMSM_BAD_INPUT if a
 * recording is damaged.
 */
enum simsm_status simsm_run(struct simsm *simulation, uint64_t until, struct simsm_error *error);

/* Returns the launch that the trace describes. The simulation owns it. */
const struct simsm_launch *simsm_launch_of(const struct simsm *simulation);

/* Returns the statistics of the cycles simulated so far. The simulation owns them; they are valid
 * until the next call with this simulation. */
const struct simsm_stats *simsm_stats(struct simsm *simulation);

/* Frees the simulation. NULL is allowed. */
void simsm_close(struct simsm *simulation);

#ifdef __cplusplus
}
#endif

#endif
