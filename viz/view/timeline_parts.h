/* What the files of the timeline screen share. Private to them. */
#ifndef VIZ_VIEW_TIMELINE_PARTS_H
#define VIZ_VIEW_TIMELINE_PARTS_H

#include "view/rows.h"

struct timeline_layout {
    struct rect inspector, legend, axis, labels, rows;
    int row, strip, gap; /* heights in device pixels */
    bool areas;          /* rows are too thin for cells: areas by sub-partition, as high as fits */
    uint32_t subs, per_sub;
    struct time_scale time;
};

/* Of slot `slot` of the SM. */
struct rect timeline_row(const struct view *view, const struct timeline_layout *layout,
                         uint32_t slot);

/* ---- Over the cells (timeline_marks.c) ---- */

/* Where the slot's warps begin. */
void timeline_blocks(struct view *view, struct canvas *canvas, const struct timeline_layout *layout,
                     struct track *track, uint32_t slot);
/*
 * All cells fade but those of the selected instruction: where it was issued (bright), and where a
 * warp waits to issue it next.
 */
void timeline_glow(struct view *view, struct canvas *canvas, const struct timeline_layout *layout,
                   struct track *track);
/* The selected cycle and cell, and where its cause is. */
void timeline_selection(struct view *view, struct canvas *canvas,
                        const struct timeline_layout *layout, struct track *track);

/* ---- A stretch of cycles (timeline_stretch.c) ---- */

struct stretch_sums {
    double cycles, issues, warp_cycles; /* of slots in which a warp lives */
    double states[SIMSM_STATE_COUNT];   /* slot cycles */
};

/* False if they cannot be read. */
bool timeline_stretch_sums(const struct view *view, struct track *track, struct stretch_sums *sums);

/* Its frame over the rows, and its table. */
void timeline_stretch(const struct view *view, struct canvas *canvas,
                      const struct timeline_layout *layout);
void timeline_stretch_table(const struct view *view, struct canvas *canvas, struct track *track,
                            struct rect panel);

#endif
