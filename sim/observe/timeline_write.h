/*
 * The timeline writer: an observer that records what every warp slot does in every cycle into a
 * .smtl file (docs/timeline-format.md).
 *
 *     timeline_create    before the simulation is opened: gives the observer
 *     timeline_describe  after it is opened, before it runs: what is being run
 *     timeline_finish    when the run has ended, was stopped by a limit or by the user, or is stuck
 *     timeline_abandon   instead, when there is nothing to keep: leaves no file
 *
 * Memory stays within some 30 MB whatever the length of the run. Packing and writing is done by a
 * thread of its own, which ends with the timeline.
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

struct timeline_options {
    const uint32_t *sm; /* [sm_count] the SMs to record, ascending; NULL: all */
    uint32_t sm_count;
    uint64_t from, to; /* cycles since the launch, half-open; to = 0: until the end */
};

struct timeline_about {
    const char *command_line; /* as a user would type it; "" or NULL if there is none */
    const struct front *front;
    const struct simsm_occupancy *occupancy;
};

/* Refuses options that are not of this GPU. */
enum simsm_status timeline_check(const struct simsm_config *config,
                                 const struct timeline_options *options, struct simsm_error *error);

/*
 * Opens `path` for writing. `options` may be NULL: everything. Both are read during the call
 * only; `config` is copied. On success end with timeline_finish or timeline_abandon.
 */
enum simsm_status timeline_create(struct timeline **timeline, const char *path,
                                  const struct simsm_config *config,
                                  const struct timeline_options *options,
                                  struct simsm_error *error);

/* Owned by the timeline. */
const struct simsm_observer *timeline_observer(struct timeline *timeline);

/* Writes the head of the file. `about` and what it points to are read during the call only. */
enum simsm_status timeline_describe(struct timeline *timeline, const struct timeline_about *about,
                                    struct simsm_error *error);

/*
 * True and *error filled if the observer has refused events: a full disk, contradictory events. It
 * may notice late, as another thread packs and writes; timeline_finish knows for sure.
 */
bool timeline_refused(const struct timeline *timeline, struct simsm_error *error);

/*
 * Writes what is left, the index and the totals, moves the file to its place and frees the
 * timeline, whether it succeeds or not. On failure no file is left.
 */
enum simsm_status timeline_finish(struct timeline *timeline, const struct simsm_stats *stats,
                                  struct simsm_error *error);

/* Removes what has been written and frees the timeline. NULL is allowed. */
void timeline_abandon(struct timeline *timeline);

#endif
