/* Shared by the files of the screen Timeline in the window. Private to these files. */
#ifndef VIZ_VIEW_TIMELINE_PARTS_H
#define VIZ_VIEW_TIMELINE_PARTS_H

#include "view/rows.h"

struct timeline_layout {
    struct rect inspector, legend, axis, labels, rows;
    struct rect tensor, copies; /* tracks of work beside the warps; h = 0: there is none */
    uint32_t copy_lanes;        /* lanes of `copies`: the last one holds all further copies, too */
    int row, strip,
        gap; /* heights of a slot's row, of the strip of issues, and of the gap, in device pixels */
    bool areas; /* rows are too thin for cells: each sub-partition is drawn as areas */
    uint32_t subs, per_sub, all; /* sub-partitions; slots of each that have a row; all of them */
    struct time_scale time;
};

/* Returns the rectangle of the row of slot `slot` of the SM. */
struct rect timeline_row(const struct view *view, const struct timeline_layout *layout,
                         uint32_t slot);

/*
 * Writes why the SM does not issue in the cycles in view: how often it issues, what its warps do,
 * at which instruction, and which warp waits longest. The caller frees the text. Returns NULL if
 * memory runs out.
 */
char *timeline_summary(const struct view *view, struct track *track);
/*
 * Returns the longest wait of the cycles in view, without length if there is none, or if a part of
 * the run is in view that is too long to be searched for a frame.
 */
struct track_wait timeline_longest(const struct view *view, struct track *track);

/* ---- Marks over the cells (timeline_marks.c) ---- */

/* Draws a line and a label where each warp of the slot begins. */
void timeline_blocks(struct view *view, struct canvas *canvas, const struct timeline_layout *layout,
                     struct track *track, uint32_t slot);
/*
 * Fades all cells except cells of the selected instruction: its issues, and the cycles in which a
 * warp has it next.
 */
void timeline_glow(struct view *view, struct canvas *canvas, const struct timeline_layout *layout,
                   struct track *track);
/* Returns the part of a row that covers cycles [from, to), at least one pixel wide. */
struct rect timeline_cells(const struct timeline_layout *layout, struct rect row, uint64_t from,
                           uint64_t to);
/* Draws the selected cycle and cell, and the line from the cell to its cause. */
void timeline_selection(struct view *view, struct canvas *canvas,
                        const struct timeline_layout *layout, struct track *track);

/* ---- Work beside the warps (timeline_work.c) ---- */

/* Cuts the tracks of such work off the top of `rows`, if the SM has any and there is room. */
void timeline_work_layout(const struct canvas *canvas, const struct track *track,
                          struct timeline_layout *layout);
/* Draws the tracks. Describes the copy or product under the pointer in view->status. */
void timeline_work(struct view *view, struct canvas *canvas, const struct timeline_layout *layout,
                   struct track *track);
/*
 * Draws arrows from the ends of copies to the waits that they end: of the copy under the pointer,
 * of the copy that the selected cell issues, and to the wait that the selected cell is in.
 */
void timeline_work_links(struct view *view, struct canvas *canvas,
                         const struct timeline_layout *layout, struct track *track);

/* ---- A stretch of cycles (timeline_stretch.c) ---- */

/* Sums over the selected cycles and sub-partitions. */
struct stretch_sums {
    double cycles, issues, warp_cycles; /* warp_cycles: slot cycles in which a warp lives */
    double states[SIMSM_STATE_COUNT];   /* slot cycles */
};

/* Fills *sums from view->stretch. Returns false if the states cannot be read. */
bool timeline_stretch_sums(const struct view *view, struct track *track, struct stretch_sums *sums);

/* Draw the frame of the selected cycles over the rows, and the table of their sums. */
void timeline_stretch(const struct view *view, struct canvas *canvas,
                      const struct timeline_layout *layout);
void timeline_stretch_table(const struct view *view, struct canvas *canvas, struct track *track,
                            struct rect panel);

#endif
