/* What the screen Lanes shows, for drawing it in a window or a terminal. */
#ifndef VIZ_VIEW_VIEW_LANES_H
#define VIZ_VIEW_VIEW_LANES_H

#include "view/view.h"

enum {
    LANES_MOST_CYCLES = 1 << 18, /* most cycles that are shown instruction by instruction */
    LANES_LIST_CYCLES = 1 << 16, /* cycles of the list of instructions */
    REGIONS_MOST = 12            /* most nested regions that are drawn */
};

/* The issues of one warp slot. Valid as long as `history`. */
struct warp_issues {
    const struct timeline_issue *issues;
    uint32_t first, end; /* issues to show: first, and one past the last */
    const struct timeline_info *info;
    const struct history *history;
    uint32_t slot;
};

/* Returns the slot whose lanes are shown: the selected slot, else slot 0. */
uint32_t lanes_slot(const struct view *view);

/*
 * Sets *from and *to to the cycles to show, and returns the exact history of the slot in them. The
 * track owns it. Returns NULL if the cycles are more than LANES_MOST_CYCLES, not loaded in time, or
 * damaged (view->problem is set).
 */
const struct history *lanes_load(struct view *view, struct track *track, double *from, double *to);

/*
 * Returns the issues in cycles [from, to), and the issue before them, whose lanes are shown until
 * the next issue.
 */
struct warp_issues lanes_issues(const struct history *history, uint32_t slot, double from,
                                double to);

/*
 * Returns the cycle until which the lanes of issue `i` are shown: the slot's next issue, or the end
 * of the warp.
 */
double lanes_until(const struct view *view, const struct history *history, uint32_t slot,
                   uint32_t i);

/* Returns the text of the instruction of issue `i`. The run owns it. */
const char *lanes_text(const struct warp_issues *w, uint32_t i);

/* Describes issue `i` in view->status, and makes it the target of a click. */
void lanes_describe(struct view *view, const struct warp_issues *w, uint32_t i);

/*
 * Writes which warp is shown, and the mean of its active lanes in `w` (NULL: not known) and of the
 * whole SM.
 */
void lanes_note(const struct view *view, const struct track *track, const struct warp_issues *w,
                char *text, size_t size);

/* Draws the lanes of the slot over time. `history` may be NULL: no single issues are drawn. */
void lanes_by_cycle(struct view *view, struct canvas *canvas, struct track *track,
                    const struct history *history);

/*
 * The nested convergence regions of a warp: the lanes that entered each region at its BSSY, and the
 * lanes that have arrived at its BSYNC.
 */
struct regions {
    struct {
        uint32_t entered, arrived;
    } region[REGIONS_MOST];
    int depth;
};

/*
 * Call regions_before() before and regions_after() after each issue, in order. A region is left
 * when all its lanes have arrived, or when a lane outside it issues.
 */
void regions_before(struct regions *r, uint32_t mask);
void regions_after(struct regions *r, const char *text, uint32_t mask);

/*
 * Returns the regions that are open before the first issue to show. Regions entered before the
 * history begins are unknown.
 */
struct regions regions_open(const struct warp_issues *w);

#endif
