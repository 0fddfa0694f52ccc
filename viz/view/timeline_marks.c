/*
 * Marks over the cells of the screen Timeline: blocks, the selected instruction, the selected cell
 * and its cause.
 */
#include <math.h>

#include "language/language.h"
#include "timeline/explain.h"
#include "view/chart.h"
#include "view/timeline_parts.h"

/* Returns the start of the slot's first warp after cycle `after`, or `end`. */
static double next_warp(struct view *view, struct track *track, uint32_t slot, uint64_t after,
                        double end)
{
    const struct history *piece = view_piece(view, track, after);
    for (; piece && (double)piece->begin < end; piece = view_piece(view, track, piece->end)) {
        const struct history_slot *row = &piece->slot[slot];
        for (uint32_t i = 0; i < row->warp_count; i++)
            if (row->warps[i].cycle > after)
                return (double)row->warps[i].cycle;
    }
    return end;
}

/* Returns the cycle at which the slot's warp that came at `start` leaves it, at most `end`. */
static double warp_end(struct view *view, struct track *track, uint32_t slot, uint64_t start,
                       double end)
{
    const double next = next_warp(view, track, slot, start, end);
    const double recorded = (double)run_end(view->run);
    const double last = ceil(next < recorded ? next : recorded) - 1;
    if (last <= (double)start)
        return next;
    const struct history *piece = view_piece(view, track, (uint64_t)last);
    const struct timeline_span *span = piece ? history_span_at(piece, slot, (uint64_t)last) : NULL;
    return span && span->from > start &&
                   run_known_state(view->run, span->state) == SIMSM_STATE_EMPTY
               ? (double)span->from
               : next;
}

/*
 * Draws a line where a warp takes its slot, and the label "b17 w2" (warp 2 of block 17) on a plate
 * in the middle of the part of the warp's time that is in view, where it does not hide the start.
 */
static void draw_warp(struct view *view, struct canvas *canvas,
                      const struct timeline_layout *layout, struct rect row,
                      const struct timeline_warp *warp, double end)
{
    const struct metrics *m = canvas_metrics(canvas);
    const struct theme *theme = view_theme(view);
    const int x = (int)lround(time_x(&layout->time, (double)warp->cycle));
    const struct rect seen = timeline_cells(layout, row, warp->cycle, (uint64_t)end);
    char text[48];
    if (x >= row.x)
        canvas_fill(canvas, (struct rect){x, row.y, m->px, row.h}, theme->text);
    (void)snprintf(text, sizeof text, "b%u w%u", warp->block, warp->warp);
    const int wide = text_width(m, TEXT_SMALL, text) + 4 * m->px;
    if (row.h < m->line[TEXT_SMALL] || seen.w < wide + 4 * m->pad || layout->time.width_q16 == 0)
        return;
    const struct rect plate = {seen.x + (seen.w - wide) / 2,
                               row.y + (row.h - m->line[TEXT_SMALL]) / 2, wide,
                               m->line[TEXT_SMALL]};
    canvas_fill(canvas, plate, theme->ground);
    canvas_frame(canvas, plate, m->px, theme->line);
    canvas_text_in(canvas, plate, TEXT_SMALL, ALIGN_CENTRE, theme->text, text);
}

void timeline_blocks(struct view *view, struct canvas *canvas, const struct timeline_layout *layout,
                     struct track *track, uint32_t slot)
{
    const struct rect row = timeline_row(view, layout, slot);
    const double end = time_cycle(&layout->time, row.x + row.w);
    const double begin = layout->time.from > 0 ? layout->time.from : 0;
    const struct history *piece = view_piece(view, track, (uint64_t)begin);
    for (bool first = true; piece && (double)piece->begin < end; first = false) {
        const struct history_slot *its = &piece->slot[slot];
        for (uint32_t i = 0; i < its->warp_count; i++) {
            const struct timeline_warp *warp = &its->warps[i];
            /* Each chunk repeats the warp that holds the slot at its begin. */
            if (!warp->started || (double)warp->cycle >= end ||
                (!first && warp->cycle < piece->begin))
                continue;
            const double left = warp_end(view, track, slot, warp->cycle, end);
            if (left > begin)
                draw_warp(view, canvas, layout, row, warp, left);
        }
        piece = view_piece(view, track, piece->end);
    }
}

struct rect timeline_cells(const struct timeline_layout *layout, struct rect row, uint64_t from,
                           uint64_t to)
{
    int x = (int)floor(time_x(&layout->time, (double)from));
    int end = (int)floor(time_x(&layout->time, (double)to));
    x = x < row.x ? row.x : x;
    end = end > row.x + row.w ? row.x + row.w : end;
    return (struct rect){x, row.y, end > x ? end - x : 1, row.h};
}

static void glow_spans(struct view *view, struct canvas *canvas,
                       const struct timeline_layout *layout, const struct history *piece,
                       uint32_t slot)
{
    const struct theme *theme = view_theme(view);
    const struct history_slot *h = &piece->slot[slot];
    struct rect row = timeline_row(view, layout, slot);
    uint64_t begin = (uint64_t)(layout->time.from > 0 ? layout->time.from : 0);
    double end = time_cycle(&layout->time, row.x + row.w);
    const struct timeline_span *span = history_span_at(piece, slot, begin);
    for (span = span ? span : h->spans; span < h->spans + h->span_count && (double)span->from < end;
         span++) {
        enum simsm_warp_state state = run_known_state(view->run, span->state);
        if (span->pc != view->place.line || span->to <= begin || !track_is_resident(state))
            continue;
        struct rect cells = timeline_cells(layout, row, span->from, span->to);
        canvas_fill(canvas, cells, theme->states[state].colour);
        if (state == SIMSM_STATE_ISSUED)
            canvas_frame(canvas, cells, canvas_metrics(canvas)->px, theme->accent);
    }
}

void timeline_glow(struct view *view, struct canvas *canvas, const struct timeline_layout *layout,
                   struct track *track)
{
    uint64_t from = (uint64_t)(layout->time.from > 0 ? layout->time.from : 0);
    double end = time_cycle(&layout->time, layout->rows.x + layout->rows.w);
    for (uint32_t slot = 0; slot < layout->subs * layout->per_sub; slot++) {
        canvas_blend(canvas, timeline_row(view, layout, slot), view_theme(view)->ground, 170);
        const struct history *piece = view_piece(view, track, from);
        for (; piece && (double)piece->begin < end; piece = view_piece(view, track, piece->end))
            glow_spans(view, canvas, layout, piece, slot);
    }
}

/* Draws a note with its own ground at (x, y), moved so that it stays inside the rows. */
static void draw_note(const struct view *view, struct canvas *canvas,
                      const struct timeline_layout *layout, int x, int y, const char *text)
{
    const struct metrics *m = canvas_metrics(canvas);
    const struct theme *theme = view_theme(view);
    int w = text_width(m, TEXT_SMALL, text) + 2 * m->pad;
    struct rect box = {x, y, w < layout->rows.w ? w : layout->rows.w,
                       m->line[TEXT_SMALL] + 2 * m->px};
    int most = layout->rows.x + layout->rows.w - box.w;
    box.x = box.x > most ? most : box.x;
    box.x = box.x < layout->rows.x ? layout->rows.x : box.x;
    canvas_fill(canvas, box, theme->panel);
    canvas_frame(canvas, box, m->px, theme->accent);
    canvas_text_in(canvas, rect_inset(box, m->px), TEXT_SMALL, ALIGN_CENTRE, theme->text, text);
}

/*
 * Draws a frame in the colour of text, with a halo in the colour of the ground: visible on any
 * colour.
 */
static void frame_cell(const struct view *view, struct canvas *canvas, struct rect cell)
{
    int px = canvas_metrics(canvas)->px;
    canvas_frame(canvas, rect_inset(cell, -2 * px), px, view_theme(view)->ground);
    canvas_frame(canvas, rect_inset(cell, -px), px, view_theme(view)->text);
}

/* Draws a note with the cycle of a cause that lies beyond the left or right edge. */
static void draw_off_screen_note(const struct view *view, struct canvas *canvas,
                                 const struct timeline_layout *layout,
                                 const struct explain_link *link, int x, int y)
{
    char cycle[32];
    char text[64];
    bool left = (double)link->cycle < layout->time.from;
    (void)snprintf(text, sizeof text, left ? "<- %s" : "%s ->", chart_cycles(link->cycle, cycle));
    draw_note(view, canvas, layout, x, y, text);
}

/* Draws a line from the issue that the selected cell waits for to the cell, below both rows. */
static void draw_cause(struct view *view, struct canvas *canvas,
                       const struct timeline_layout *layout, const struct explain_link *link,
                       struct rect cell)
{
    const struct metrics *m = canvas_metrics(canvas);
    const struct theme *theme = view_theme(view);
    struct rect rows = layout->rows;
    struct rect from = timeline_cells(layout, timeline_row(view, layout, link->slot), link->cycle,
                                      link->cycle + 1);
    double x = time_x(&layout->time, (double)link->cycle);
    bool inside = x >= rows.x && x < rows.x + rows.w;
    int x0 = inside ? from.x + from.w / 2 : x < rows.x ? rows.x : rows.x + rows.w;
    int x1 = cell.x + cell.w / 2;
    int y0 = from.y + from.h;
    int y1 = cell.y + cell.h;
    int low = (y0 > y1 ? y0 : y1) + 5 * m->px;
    y0 = inside ? y0 : low; /* the line begins at the edge */
    const int line[] = {x0 * 16, y0 * 16, x0 * 16, low * 16, x1 * 16, low * 16, x1 * 16, low * 16};
    canvas_polyline(canvas, line, 4, m->px * 56, theme->ground);
    canvas_polyline(canvas, line, 4, m->px * 24, theme->text);
    canvas_arrow(canvas, x1, low, x1, y1, theme->text);
    if (inside)
        frame_cell(view, canvas, from);
    /*
     * The inspector has the whole text. Without an inspector, a note is drawn here, over other
     * slots' rows.
     */
    if (!layout->inspector.w)
        draw_note(view, canvas, layout, x0 + 2 * m->pad, low + 4 * m->px, link->text);
    else if (!inside)
        draw_off_screen_note(view, canvas, layout, link, x0, low + 4 * m->px);
}

/* Draws frames around the cells that the last search found. */
static void draw_found(const struct view *view, struct canvas *canvas,
                       const struct timeline_layout *layout)
{
    int px = canvas_metrics(canvas)->px;
    for (uint32_t i = 0; i < view->mark_count && view->marks_sm == view->place.sm; i++) {
        const struct view_mark *mark = &view->marks[i];
        struct rect cell = timeline_cells(layout, timeline_row(view, layout, mark->slot),
                                          mark->cycle, mark->cycle + 1);
        double x = time_x(&layout->time, (double)mark->cycle);
        if (x < layout->rows.x || x >= layout->rows.x + layout->rows.w ||
            mark->slot / layout->subs >= layout->per_sub)
            continue;
        cell = (struct rect){cell.x - px, cell.y, cell.w + 2 * px, cell.h};
        canvas_frame(canvas, cell, px, view_theme(view)->accent);
    }
}

/*
 * Frames the longest wait in view, of which the inspector speaks before a cell is selected, unless
 * single cycles are in view, which its note would hide.
 */
static void draw_longest(const struct view *view, struct canvas *canvas,
                         const struct timeline_layout *layout, struct track *track)
{
    const int px = canvas_metrics(canvas)->px;
    const struct track_wait wait = timeline_longest(view, track);
    char text[64], cycles[32];
    if (wait.to <= wait.from || wait.slot / layout->subs >= layout->per_sub ||
        layout->time.width_q16 == 0)
        return;
    const struct rect row = timeline_row(view, layout, wait.slot);
    const struct rect cell = timeline_cells(layout, row, wait.from, wait.to);
    const int high = canvas_metrics(canvas)->line[TEXT_SMALL] + 2 * px;
    /* In the row if it is high, else below it, or above the last row. */
    const bool last = wait.slot / layout->subs + 1 == layout->per_sub;
    const int y = row.h >= 3 * high ? row.y + row.h - high - 2 * px
                  : last            ? row.y - high - 2 * px
                                    : row.y + row.h + 2 * px;
    (void)snprintf(text, sizeof text, _("longest wait: %s cycles"),
                   chart_cycles(wait.to - wait.from, cycles));
    frame_cell(view, canvas, cell);
    draw_note(view, canvas, layout, cell.x + 2 * px, y, text);
}

void timeline_selection(struct view *view, struct canvas *canvas,
                        const struct timeline_layout *layout, struct track *track)
{
    const struct view_place *place = &view->place;
    struct rect saved = canvas_clip(canvas, layout->rows);
    if (place->slot == VIEW_NONE && layout->inspector.w && !layout->areas)
        draw_longest(view, canvas, layout, track);
    draw_found(view, canvas, layout);
    canvas_unclip(canvas, saved);
    time_cursor(view, canvas, layout->rows, &layout->time);
    if (place->slot == VIEW_NONE)
        return;
    saved = canvas_clip(canvas, layout->rows);
    struct rect row = timeline_row(view, layout, place->slot);
    struct rect cell = timeline_cells(layout, row, place->cycle, place->cycle + 1);
    bool inside = (double)place->cycle >= layout->time.from &&
                  (double)place->cycle < time_cycle(&layout->time, row.x + row.w);
    enum { AROUND = 8192 };
    const struct history *history = NULL;
    struct simsm_error error;
    struct explain_link link;
    uint64_t from = place->cycle > AROUND ? place->cycle - AROUND : 0;
    if (inside && track_history(track, from, place->cycle + AROUND, &history, &error) == SIMSM_OK &&
        history && explain_link(history, place->slot, place->cycle, &link))
        draw_cause(view, canvas, layout, &link, cell);
    if (inside)
        frame_cell(view, canvas, cell);
    canvas_unclip(canvas, saved);
}
