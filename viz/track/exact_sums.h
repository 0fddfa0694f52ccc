/*
 * Exact sums over short stretches, computed from spans: the running totals are too coarse there.
 * Private to this folder.
 */
#ifndef VIZ_TRACK_EXACT_SUMS_H
#define VIZ_TRACK_EXACT_SUMS_H

#include "track/track_state.h"

enum { EXACT_CYCLES = 1 << 18, FRAME_CYCLES = 1 << 14 };

/*
 * Returns whether exact sums are possible for `count` parts of [from, to). The parts must be
 * shorter than the rows of the totals, the stretch short (shorter still while a frame is drawn),
 * and its chunks decoded in time.
 */
bool exact_wanted(struct track *track, double from, double to, uint32_t count);

/* As track_states. */
enum simsm_status exact_states(struct track *track, uint32_t sub, double from, double to,
                               double *sums, double *issues, uint32_t count,
                               struct simsm_error *error);

/* As track_products, or as track_copies for `products` false. */
enum simsm_status exact_work(struct track *track, bool products, uint32_t sub, double from,
                             double to, double *value, uint32_t count, struct simsm_error *error);

/* As track_flights. */
enum simsm_status exact_in_flight(struct track *track, uint32_t sub, double from, double to,
                                  double *flight, uint32_t count, struct simsm_error *error);

#endif
