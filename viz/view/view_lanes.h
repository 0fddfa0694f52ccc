/* What the screen Lanes shows, for whoever draws it. */
#ifndef VIZ_VIEW_VIEW_LANES_H
#define VIZ_VIEW_VIEW_LANES_H

#include "view/view.h"

enum {
    LANES_MOST_CYCLES = 1 << 18, /* that are shown at once, instruction by instruction */
    LANES_LIST_CYCLES = 1 << 16, /* that a list of instructions goes over */
    REGIONS_MOST = 12            /* depth of regions that are drawn */
};

/* Issues of one warp slot. Valid as long as the history. */
struct warp_issues {
    const struct timeline_issue *issues;
    uint32_t first, end; /* those to show */
    const struct timeline_info *info;
    const struct history *history;
    uint32_t slot;
};

/* The slot whose lanes are shown: the selected one, else the first. */
uint32_t lanes_slot(const struct view *view);

/*
 * What is exact about the slot in the cycles to show, which it tells. NULL: there are too many, it
 * is not there in time, or it cannot be read (view->problem).
 */
const struct history *lanes_load(struct view *view, struct track *track, double *from, double *to);

/* Those in [from, to) cycles, and the one before, whose lanes are on until then. */
struct warp_issues lanes_issues(const struct history *history, uint32_t slot, double from,
                                double to);

/* Until when its lanes are shown: the slot's next issue, or when no warp lives there any more. */
double lanes_until(const struct view *view, const struct history *history, uint32_t slot,
                   uint32_t i);

/* Of the instruction of issue `i`. */
const char *lanes_text(const struct warp_issues *w, uint32_t i);

/* Issue `i` is under the pointer: says so in the status, and makes it the target. */
void lanes_describe(struct view *view, const struct warp_issues *w, uint32_t i);

/* Cycles that the warp stood between the issue before (or its start) and issue `i`. */
struct lanes_wait {
    uint64_t cycles;
    enum simsm_warp_state state; /* the one that lasted longest */
};
struct lanes_wait lanes_wait_before(const struct view *view, const struct warp_issues *w,
                                    uint32_t i);

/* The warp, its lanes in `w` (NULL: not known) and those of the whole SM, in words. */
void lanes_note(const struct view *view, const struct track *track, const struct warp_issues *w,
                char *text, size_t size);

/* Draws the lanes of the slot over time; `history` may be NULL. */
void lanes_by_cycle(struct view *view, struct canvas *canvas, struct track *track,
                    const struct history *history);

/* Convergence regions that a warp is in: the lanes that entered each, and those back at its BSYNC.
 */
struct regions {
    struct {
        uint32_t entered, arrived;
    } region[REGIONS_MOST];
    int depth;
};

/* Before an issue with `mask` is drawn: a region is left once all its lanes have arrived. */
void regions_before(struct regions *r, uint32_t mask);
void regions_after(struct regions *r, const char *text, uint32_t mask);

/* Those open before the first issue to show, as far back as the warp is known. */
struct regions regions_open(const struct warp_issues *w);

#endif
