/* The chart of a roofline: operations per second over operations per byte, on logarithmic axes. */
#ifndef VIZ_VIEW_ROOFLINE_CHART_H
#define VIZ_VIEW_ROOFLINE_CHART_H

#include "canvas/canvas.h"
#include "canvas/theme.h"
#include "report/roofline.h"

void roofline_chart(struct canvas *canvas, const struct theme *theme, struct rect area,
                    const struct roofline *roofline);

#endif
