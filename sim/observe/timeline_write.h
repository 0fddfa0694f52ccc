/*
 * The timeline writer: an observer that records what every warp slot does in every cycle into a
 * .smtl file (docs/timeline-format.md). The calls, in order:
 *
 *     timeline_create    before the simulation is opened: gives the observer
 *     timeline_describe  after the simulation is opened, before it runs: says what is run
 *     timeline_finish    when the run has ended, was stopped by a limit or by the user, or is stuck
 *     timeline_abandon   instead of timeline_finish: leaves no file
 *
 * Memory stays within about 30 MB, whatever the length of the run. A thread of the timeline packs
 * and writes; it ends with the timeline.
 */
#ifndef SIM_OBSERVE_TIMELINE_WRITE_H
#define SIM_OBSERVE_TIMELINE_WRITE_H

#include <stdbool.h>
#include <stdint.h>

#include "front/front.h"
#include "simsm/config.h"
#include "simsm/error.h"
#include "simsm/observer.h"
#include "simsm/occupancy.h"
#include "simsm/stats.h"

struct timeline;

/* What to record. */
struct timeline_options {
    const uint32_t *sm; /* [sm_count] SMs to record, ascending; NULL: all */
    uint32_t sm_count;
    uint64_t from, to; /* cycles since the launch, half-open; to = 0: until the end */
};

/* What is being run. */
struct timeline_about {
    const char *command_line; /* as a user would type it; "" or NULL: none */
    const struct front *front;
    const struct simsm_occupancy *occupancy;
};

/* Checks that the options fit the GPU. Returns SIMSM_BAD_INPUT if not. */
enum simsm_status timeline_check(const struct simsm_config *config,
                                 const struct timeline_options *options, struct simsm_error *error);

/*
 * Opens `path` for writing. `options` NULL: records everything. The call copies `config` and what
 * it needs of `options`. On success the caller ends with timeline_finish or timeline_abandon.
 */
enum simsm_status timeline_create(struct timeline **timeline, const char *path,
                                  const struct simsm_config *config,
                                  const struct timeline_options *options,
                                  struct simsm_error *error);

/* Returns the observer to give to the simulation. Owned by the timeline. */
const struct simsm_observer *timeline_observer(struct timeline *timeline);

/* Writes the head of the file. `about` and what it points to are read during the call only. */
enum simsm_status timeline_describe(struct timeline *timeline, const struct timeline_about *about,
                                    struct simsm_error *error);

/*
 * Returns true and fills *error if the observer has refused events: a full disk, or contradictory
 * events. This may be known late, as another thread packs and writes; timeline_finish reports it in
 * any case.
 */
bool timeline_refused(const struct timeline *timeline, struct simsm_error *error);

/*
 * Writes the last chunks, the overview, the index and the totals. Renames the file to its final
 * name. Frees the timeline in any case. On failure no file is left.
 */
enum simsm_status timeline_finish(struct timeline *timeline, const struct simsm_stats *stats,
                                  struct simsm_error *error);

/* Removes the unfinished file and frees the timeline. NULL is allowed. */
void timeline_abandon(struct timeline *timeline);

#endif
