/*
 * Sums of decoded chunks in rows of 16 cycles. They serve between the spans, which are too many to
 * be walked in a frame, and the sums of the whole run, which are too coarse. Private to this
 * folder.
 */
#ifndef VIZ_TRACK_FINE_SUMS_H
#define VIZ_TRACK_FINE_SUMS_H

#include "track/track_state.h"

/* Begins the sums of a decoded chunk. Returns false if memory runs out. */
bool fine_begin(struct decoded_chunk *piece, uint32_t subs);
/* Adds one slot of the chunk to its sums. */
void fine_add(struct decoded_chunk *piece, const struct run *run, uint32_t slot);

/*
 * Returns whether a frame can take `count` parts of [from, to) from these sums: the stretch is
 * short enough and its chunks are decoded.
 */
bool fine_wanted(struct track *track, double from, double to, uint32_t count);

/* As track_states and track_flights, but these add to the values that are there. */
enum simsm_status fine_states(struct track *track, uint32_t sub, double from, double to,
                              double *states, double *issues, uint32_t count,
                              struct simsm_error *error);
enum simsm_status fine_flights(struct track *track, uint32_t sub, double from, double to,
                               double *flight, uint32_t count, struct simsm_error *error);

#endif
