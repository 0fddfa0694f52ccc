/*
 * One SM's timeline as bytes for a page's script, exact if that fits, else as buckets of 2^shift
 * cycles. data.js reads it:
 *
 *   0 exact, 1 buckets; shift; first cycle; cycles; slots; then each slot      (all varints)
 *   exact:   number of warps, of each: cycles since the one before, block, warp in it;
 *            number of spans, of each: length << 6 | jump << 5 | state; if `jump`: zigzag distance
 *            of its instruction from the expected one, which is the one before, or behind it where
 *            the span before was of issues; then memory instructions as flights.h has them
 *   buckets: number of runs of equal buckets, of each: how many, then 4 bytes, the lowest first:
 *            state, second state (5 bits each), their shares, share of issues (7 bits each)
 */
#ifndef VIZ_HTML_PACK_H
#define VIZ_HTML_PACK_H

#include "timeline/smtl.h"
#include "track/track.h"

/*
 * Appends SM `sm`, which is recorded, to `*to` (zeroed), in at most `room` bytes as far as a
 * picture of few buckets allows. `*shift` becomes 0 if it is exact. Release with buffer_free,
 * also on failure.
 */
enum simsm_status pack_sm(struct run *run, uint32_t sm, size_t room, struct byte_buffer *to,
                          uint32_t *shift, struct simsm_error *error);

#endif
