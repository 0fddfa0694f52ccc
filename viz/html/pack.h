/*
 * One SM's timeline as bytes for the page's script: exact if that fits, else as buckets of 2^shift
 * cycles. data.js reads it. All numbers are varints:
 *
 *   head:    0 exact, 1 buckets; shift; first cycle; cycles; slots; then each slot
 *   exact:   number of warps; for each: cycles since the warp before, block, warp in the block;
 *            number of spans; for each: length << 6 | jump << 5 | state, and if `jump` is set the
 *            zigzag distance of its instruction from the expected instruction;
 *            then the memory instructions, as flights_write writes them
 *   buckets: number of runs of equal buckets; for each: its buckets, then 4 bytes, lowest first:
 *            state, second state (5 bits each), their shares, share of issues (7 bits each)
 *
 * The expected instruction of a span is the instruction of the span before it; behind a span of
 * issues, the instruction that follows the last issue in the code.
 */
#ifndef VIZ_HTML_PACK_H
#define VIZ_HTML_PACK_H

#include "timeline/smtl.h"
#include "track/track.h"

/*
 * Appends SM `sm`, which is recorded, to *to, which is zero. It takes at most `room` bytes, unless
 * even a timeline of few buckets is larger. *shift: 0 if the timeline is exact. The caller frees
 * *to with buffer_free, also on failure.
 */
enum simsm_status pack_sm(struct run *run, uint32_t sm, size_t room, struct byte_buffer *to,
                          uint32_t *shift, struct simsm_error *error);

#endif
