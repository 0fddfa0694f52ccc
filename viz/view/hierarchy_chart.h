/* The chart of the memory hierarchy: its parts, and what moved between them. */
#ifndef VIZ_VIEW_HIERARCHY_CHART_H
#define VIZ_VIEW_HIERARCHY_CHART_H

#include "canvas/canvas.h"
#include "canvas/theme.h"
#include "report/memory_links.h"

void hierarchy_chart(struct canvas *canvas, const struct theme *theme, struct rect area,
                     const struct memory_link links[LINK_COUNT]);

#endif
