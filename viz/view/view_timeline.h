/* What the screen Timeline says about a cell, for whoever draws it. */
#ifndef VIZ_VIEW_VIEW_TIMELINE_H
#define VIZ_VIEW_VIEW_TIMELINE_H

#include "view/view.h"

/* The pointer is over a cell: says what it is in the status, and makes it the target. */
void timeline_describe_cell(struct view *view, struct track *track, uint32_t slot, uint64_t cycle);

/* Why the selected slot is in its state, in lines of `width` characters; to be freed, NULL if
 * memory runs out. */
char *timeline_why(const struct view *view, uint32_t width);

#endif
