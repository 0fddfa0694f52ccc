/* The kernel's instructions by the time that warps spend at them. */
#ifndef VIZ_VIEW_SOURCE_H
#define VIZ_VIEW_SOURCE_H

#include "view/view.h"

/* Most warp cycles of any instruction; lines as track_lines gives them. */
uint64_t source_most(const struct view *view, const struct track_line *lines);

/*
 * The instruction with the next less (or more) warp cycles than the selected one; from none
 * selected, the hottest one. The selected one if there is none.
 */
uint32_t source_hottest(const struct view *view, const struct track_line *lines, bool less);

#endif
