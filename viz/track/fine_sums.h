/*
 * Sums of decoded chunks in rows of 16 cycles: between the spans themselves, which are too many to
 * be walked in a frame, and the sums of the whole run, which are too coarse. Private to this
 * folder.
 */
#ifndef VIZ_TRACK_FINE_SUMS_H
#define VIZ_TRACK_FINE_SUMS_H

#include "track/track_state.h"

/* False if memory runs out. */
bool fine_begin(struct decoded_chunk *piece, uint32_t subs);
void fine_add(struct decoded_chunk *piece, const struct run *run, uint32_t slot);

/* Whether a frame takes `count` parts of [from, to) from here, and they are there. */
bool fine_wanted(struct track *track, double from, double to, uint32_t count);

/* As track_states and track_flights; they add to what is there. */
enum simsm_status fine_states(struct track *track, uint32_t sub, double from, double to,
                              double *states, double *issues, uint32_t count,
                              struct simsm_error *error);
enum simsm_status fine_flights(struct track *track, uint32_t sub, double from, double to,
                               double *flight, uint32_t count, struct simsm_error *error);

#endif
