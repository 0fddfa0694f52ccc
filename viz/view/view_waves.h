/* What the screen Waves shows, for drawing it in a window or a terminal. */
#ifndef VIZ_VIEW_VIEW_WAVES_H
#define VIZ_VIEW_VIEW_WAVES_H

#include "view/view.h"

enum { WAVE_COLOURS = 4 }; /* colours of waves, used in turn */

struct waves_summary {
    uint64_t end;        /* end of the last block */
    uint32_t last_sm;    /* SM of the last block to end */
    uint64_t tail_begin; /* first cycle with a place that stays empty */
    uint32_t waves;    /* started waves */
    double full_waves; /* blocks by places of the GPU */
};

/* Returns the summary of `count` blocks on `sms` SMs with `places` places each (at least 1). */
struct waves_summary waves_summarise(const struct view *view, const struct run_block *blocks,
                                     uint32_t count, uint32_t sms, uint32_t places);

/*
 * Writes the summary in words. `all`: the blocks of all SMs are known, not only of the recorded
 * SMs.
 */
void waves_words(const struct view *view, const struct waves_summary *s, uint32_t count, bool all,
                 char *text, size_t size);

/* Returns the end of a block, or the end of the recording if the block had not ended. */
uint64_t waves_end_of(const struct view *view, const struct run_block *block);

/*
 * Returns the row of an SM. Rows are all SMs if `all`, else the recorded SMs; the number of rows if
 * the SM is not recorded.
 */
uint32_t waves_row_of(const struct timeline_info *info, bool all, uint32_t sm);

/*
 * Returns the top of a row in device pixels, if rows of `height` pixels fill `rows` and `scroll` of
 * them are hidden above.
 */
int waves_row_top(struct rect rows, double scroll, double height, uint32_t row);

/* Returns the colour of a wave, counted from 0. */
uint32_t waves_colour(const struct theme *theme, uint32_t wave);

/* Describes a block in view->status, and makes it the target of a click. */
void waves_describe(struct view *view, const struct run_block *block);

#endif
