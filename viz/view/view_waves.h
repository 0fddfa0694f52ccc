/* What the screen Waves shows, for whoever draws it. */
#ifndef VIZ_VIEW_VIEW_WAVES_H
#define VIZ_VIEW_VIEW_WAVES_H

#include "view/view.h"

enum { WAVE_COLOURS = 4 }; /* which take turns */

struct waves_summary {
    uint64_t end;        /* of the last block */
    uint64_t tail_begin; /* from when a place is empty for good */
    double tail;         /* place-cycles empty from then on, as a share of all since the first
                            block started: as simsm__tail.pct */
    uint32_t waves;
    double full_waves;
};

/* Of all blocks, on `sms` SMs with `places` places each (at least 1). */
struct waves_summary waves_summarise(const struct view *view, const struct run_block *blocks,
                                     uint32_t count, uint32_t sms, uint32_t places);

/* The same in words. `all`: blocks of all SMs are known, not of those recorded alone. */
void waves_words(const struct view *view, const struct waves_summary *s, uint32_t count, bool all,
                 char *text, size_t size);

/* The end of a block, or of the recording. */
uint64_t waves_end_of(const struct view *view, const struct run_block *block);

/* Rows are all SMs, or those that are recorded. */
uint32_t waves_row_of(const struct timeline_info *info, bool all, uint32_t sm);

uint32_t waves_colour(const struct theme *theme, uint32_t wave);

/* The block is under the pointer: says so in the status, and makes it the target. */
void waves_describe(struct view *view, const struct run_block *block);

#endif
