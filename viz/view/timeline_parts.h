/* What the files of the timeline screen share. Private to them. */
#ifndef VIZ_VIEW_TIMELINE_PARTS_H
#define VIZ_VIEW_TIMELINE_PARTS_H

#include "view/rows.h"

struct layout {
    struct rect inspector, legend, axis, labels, rows;
    int row, strip, gap; /* heights in device pixels */
    bool areas;          /* rows are too thin for cells: areas by sub-partition, as high as fits */
    uint32_t subs, per_sub;
    struct time_scale time;
};

/* Of slot `slot` of the SM. */
struct rect timeline_row(const struct view *view, const struct layout *layout, uint32_t slot);

/* Over the cells (timeline_marks.c); `history` covers what is shown. */
void timeline_blocks(struct view *view, struct canvas *canvas, const struct layout *layout,
                     const struct history *history, uint32_t slot);
void timeline_glow(struct view *view, struct canvas *canvas, const struct layout *layout,
                   const struct history *history);
void timeline_selection(struct view *view, struct canvas *canvas, const struct layout *layout,
                        struct track *track);

#endif
