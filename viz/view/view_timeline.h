/* What the screen Timeline says about a cell, for a window or a terminal. */
#ifndef VIZ_VIEW_VIEW_TIMELINE_H
#define VIZ_VIEW_VIEW_TIMELINE_H

#include "view/view.h"

/*
 * Describes a cell in view->status, and makes it the target of a click. The status stays empty if
 * the history cannot be read.
 */
void timeline_describe_cell(struct view *view, struct track *track, uint32_t slot, uint64_t cycle);

/*
 * Returns why the selected slot is in its state, in lines of `width` characters. The caller frees
 * the result. Returns NULL if memory runs out.
 */
char *timeline_why(const struct view *view, uint32_t width);

#endif
