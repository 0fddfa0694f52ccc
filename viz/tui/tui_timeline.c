/* The screen Timeline in a terminal: sub-partitions x warp slots x cycles. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "timeline/explain.h"
#include "tui/slots.h"
#include "tui/tui_plot.h"
#include "tui/tui_screens.h"
#include "view/chart.h"
#include "view/states.h"
#include "view/timeline_parts.h"
#include "view/view_timeline.h"

enum {
    LABELS = 12,
    WIDE = 110,          /* least columns of the screen for an inspector at its side */
    INSPECTOR = 40,      /* columns of the inspector at the side */
    LEAST_LOW = 14,      /* least lines of the screen for an inspector below the rows */
    USUAL_ROW = 12,      /* a chosen row height below this puts two slots into a line */
    MOST_EXACT = 1 << 17 /* most cycles in view with blocks and the selected instruction */
};

struct tui_timeline_layout {
    struct rect inspector, legend, axis, labels, rows, bar;
    struct rect tensor, copies; /* lines of work beside the warps; h = 0: there is none */
    uint32_t subs, per_sub;
    uint32_t of_line; /* slots in a line: 1 or 2 */
    struct time_scale time;
};

/* Returns the lines of a sub-partition: one of issues, then its slots. */
static int band_lines(const struct tui_timeline_layout *l)
{
    return 1 + (int)((l->per_sub + l->of_line - 1) / l->of_line);
}

/* Returns the line of a slot, from the top of the rows. */
static int line_of(const struct tui_timeline_layout *l, uint32_t slot)
{
    return (int)(slot % l->subs) * band_lines(l) + 1 + (int)(slot / l->subs / l->of_line);
}

static void cut_sides(struct view *view, struct grid *grid, struct tui_timeline_layout *l,
                      struct rect *area)
{
    bool why = view->options.inspector;
    if (why && area->w >= WIDE) {
        l->inspector = rect_cut_right(area, INSPECTOR);
        rect_cut_left(&l->inspector, 1);
    } else if (why && view->place.slot != VIEW_NONE && area->h >= LEAST_LOW) {
        l->inspector = rect_cut_bottom(area, area->h / 3);
        return; /* the inspector replaces the legend */
    }
    if (view->options.legend && area->h >= 8) {
        int lines = plot_legend(grid, view, *area, states_present(view), false);
        int most = area->h < 16 ? 1 : area->h / 8;
        l->legend = rect_cut_bottom(area, lines < most ? lines : most);
    }
}

static struct tui_timeline_layout layout_of(struct view *view, struct grid *grid,
                                            const struct track *track)
{
    const struct timeline_info *info = run_info(view->run);
    struct tui_timeline_layout l = {
        .subs = info->sub_partitions, .per_sub = view_slots(view, track), .of_line = 1};
    struct rect area = view->area;
    cut_sides(view, grid, &l, &area);
    l.axis = rect_cut_top(&area, 1);
    if (track_has_products(track) && area.h > LEAST_LOW)
        l.tensor = rect_cut_top(&area, 1);
    if (track_most_copies(track) && area.h > LEAST_LOW)
        l.copies = rect_cut_top(&area, 1);
    l.labels = rect_cut_left(&area, LABELS);
    l.bar = rect_cut_right(&area, 1);
    l.rows = area;
    rect_cut_left(&l.axis, LABELS);
    l.axis.w = area.w;
    l.time = time_scale_of(view, area);
    /* Zoomed out, all slots are shown at once if possible; zoomed in, letters are readable. */
    bool fits = band_lines(&l) * (int)l.subs <= area.h || !l.time.width_q16;
    bool low = view->place.row_height ? view->place.row_height < USUAL_ROW : !fits;
    if (low && !grid->plain)
        l.of_line = 2;
    return l;
}

static void draw_strip(struct view *view, struct grid *grid, const struct tui_timeline_layout *l,
                       struct track *track, uint32_t sub, int y)
{
    const struct theme *theme = view_theme(view);
    char text[32];
    struct simsm_error error;
    double *share = calloc((size_t)l->rows.w + 1, sizeof *share);
    (void)snprintf(text, sizeof text, "sub-part. %u", sub);
    grid_text(grid, (struct rect){l->labels.x, y, LABELS - 1, 1}, ALIGN_LEFT, theme->text, text);
    if (share && l->rows.w > 0 &&
        track_issue_share(track, sub, l->time.from, time_cycle(&l->time, l->rows.x + l->rows.w),
                          share, (uint32_t)l->rows.w, &error) == SIMSM_OK)
        for (int i = 0; i < l->rows.w; i++) {
            int eighths = share[i] > 0 ? 1 + (int)lround(share[i] * 7) : 0;
            if (!l->time.width_q16) /* a column is at most a cycle: it has an issue or none */
                eighths = share[i] < 0.5 ? 0 : 8;
            grid_put(grid, l->rows.x + i, y, grid_bar(grid, eighths),
                     theme->states[SIMSM_STATE_ISSUED].colour, theme->panel);
        }
    free(share);
}

/* Draws a row of values from 0 to `most` as bars of one line, with a label. */
static void draw_bars(const struct view *view, struct grid *grid,
                      const struct tui_timeline_layout *l, int y, const char *label,
                      const double *value, double most)
{
    const struct theme *theme = view_theme(view);
    grid_text(grid, (struct rect){l->labels.x, y, LABELS - 1, 1}, ALIGN_LEFT, theme->text, label);
    for (int i = 0; i < l->rows.w; i++) {
        const double share = value[i] / most < 1 ? value[i] / most : 1;
        grid_put(grid, l->rows.x + i, y, grid_bar(grid, (int)ceil(share * 8)), theme->series[2],
                 theme->panel);
    }
}

/* Draws the share of tensor cores that work at products, and the number of copies under way as a
 * share of the most. */
static void draw_work(struct view *view, struct grid *grid, const struct tui_timeline_layout *l,
                      struct track *track)
{
    const double to = time_cycle(&l->time, l->rows.x + l->rows.w);
    struct simsm_error error;
    double *value = calloc((size_t)l->rows.w + 1, sizeof *value);
    if (value && l->tensor.h && l->rows.w > 0 &&
        track_products(track, UINT32_MAX, l->time.from, to, value, (uint32_t)l->rows.w, &error) ==
            SIMSM_OK)
        draw_bars(view, grid, l, l->tensor.y, "tensor", value, l->subs);
    if (value && l->copies.h && l->rows.w > 0 &&
        track_copies(track, l->time.from, to, value, (uint32_t)l->rows.w, &error) == SIMSM_OK)
        draw_bars(view, grid, l, l->copies.y, "TMA", value, track_most_copies(track));
    free(value);
}

static void draw_label(const struct view *view, struct grid *grid,
                       const struct tui_timeline_layout *l, uint32_t index, uint32_t sub, int y)
{
    const struct theme *theme = view_theme(view);
    char text[16];
    uint32_t chosen = view->place.slot;
    bool here = chosen != VIEW_NONE && chosen % l->subs == sub &&
                chosen / l->subs / l->of_line == index / l->of_line;
    (void)snprintf(text, sizeof text, here ? "> %u" : "slot %u", here ? chosen / l->subs : index);
    grid_text(grid, (struct rect){l->labels.x, y, LABELS - 1, 1}, ALIGN_RIGHT,
              here ? theme->accent : theme->quiet, text);
}

/* Draws "b17 w2" where warp 2 of block 17 takes the slot, if there is room. */
static void draw_blocks(const struct view *view, struct grid *grid,
                        const struct tui_timeline_layout *l, const struct history *history,
                        uint32_t slot, int y)
{
    const struct theme *theme = view_theme(view);
    const struct history_slot *row = &history->slot[slot];
    for (uint32_t i = 0; i < row->warp_count; i++) {
        char text[48];
        int x = (int)floor(time_x(&l->time, (double)row->warps[i].cycle));
        double next = i + 1 < row->warp_count ? time_x(&l->time, (double)row->warps[i + 1].cycle)
                                              : l->rows.x + l->rows.w;
        (void)snprintf(text, sizeof text, "b%u w%u ", row->warps[i].block, row->warps[i].warp);
        int width = grid_width(text);
        if (!row->warps[i].started || x < l->rows.x || next - x < width + 6)
            continue;
        grid_fill(grid, (struct rect){x, y, width, 1}, theme->ground);
        grid_text(grid, (struct rect){x, y, width, 1}, ALIGN_LEFT, theme->text, text);
    }
}

/*
 * Returns the history for drawing blocks and the selected instruction, NULL if they cannot be told
 * apart at this zoom.
 */
static const struct history *marks_shown(struct view *view, const struct tui_timeline_layout *l,
                                         struct track *track)
{
    const struct history *history = NULL;
    struct simsm_error error;
    double from = l->time.from > 0 ? l->time.from : 0;
    double to = time_cycle(&l->time, l->rows.x + l->rows.w);
    if (to - from > MOST_EXACT) {
        if (view->place.line != VIEW_NONE)
            (void)snprintf(view->status, sizeof view->status,
                           "zoom in (wheel, w) to see where the selected instruction is");
        return NULL;
    }
    if (track_history(track, (uint64_t)from, (uint64_t)to, &history, &error) != SIMSM_OK)
        (void)snprintf(view->problem, sizeof view->problem, "%.250s", error.message);
    return history;
}

static void draw_slots(struct view *view, struct grid *grid, const struct tui_timeline_layout *l,
                       struct track *track, const struct history *history, uint32_t sub, int top)
{
    struct slot_column *columns = calloc(2 * ((size_t)l->rows.w + 1), sizeof *columns);
    for (uint32_t i = 0; columns && i < l->per_sub; i += l->of_line) {
        int y = top + (int)(i / l->of_line);
        uint32_t slot = i * l->subs + sub;
        bool two = l->of_line == 2 && i + 1 < l->per_sub;
        struct slot_column *below = columns + l->rows.w;
        if (y < l->rows.y || y >= l->rows.y + l->rows.h)
            continue;
        draw_label(view, grid, l, i, sub, y);
        bool ok = slot_columns(view, track, slot, &l->time, history, columns) &&
                  (!two || slot_columns(view, track, slot + l->subs, &l->time, history, below));
        if (ok && l->of_line == 2)
            slot_draw_two(grid, view, l->rows.x, y, columns, two ? below : NULL, l->rows.w);
        else if (ok)
            slot_draw(grid, view, l->rows.x, y, columns, l->rows.w);
        if (ok && history && l->of_line == 1 && l->time.width_q16 && view->place.line == VIEW_NONE)
            draw_blocks(view, grid, l, history, slot, y);
    }
    free(columns);
}

/*
 * Marks a cell with a colour: as ground, or as the half of the cell if two slots share a line. A
 * frame has no room.
 */
static void mark_cell(const struct view *view, struct grid *grid,
                      const struct tui_timeline_layout *l, uint32_t slot, uint64_t cycle,
                      uint32_t colour)
{
    int x = (int)floor(time_x(&l->time, (double)cycle));
    int end = (int)floor(time_x(&l->time, (double)cycle + 1));
    int y = l->rows.y + line_of(l, slot) - (int)view->place.scroll;
    struct rect cell = {x, y, end > x ? end - x : 1, 1};
    if ((double)cycle < l->time.from)
        return;
    struct rect saved = grid_clip(grid, l->rows);
    if (l->of_line == 2) {
        uint32_t half = slot / l->subs % 2 ? 0x2584 : 0x2580;
        for (int i = 0; i < cell.w; i++)
            grid_ink(grid, x + i, y, half, colour);
    } else {
        grid_tint(grid, cell, colour, 100);
        for (int i = 0; i < cell.w && rect_has(grid->clip, x + i, y); i++)
            grid->cells[(size_t)y * (size_t)grid->w + (size_t)(x + i)].fg = colour_on(colour);
        grid_style(grid, cell, grid->colour ? GRID_BOLD : GRID_REVERSE);
    }
    grid_unclip(grid, saved);
}

/* Draws the selected cell, and the issue that it waits for. */
static void draw_selection(struct view *view, struct grid *grid,
                           const struct tui_timeline_layout *l, struct track *track)
{
    enum { AROUND = 8192 };
    const struct view_place *place = &view->place;
    const struct theme *theme = view_theme(view);
    const struct history *history = NULL;
    struct simsm_error error;
    struct explain_link link;
    plot_cursor(grid, view, l->rows, l->time.from, l->time.cycles_per_px);
    if (place->slot == VIEW_NONE)
        return;
    uint64_t from = place->cycle > AROUND ? place->cycle - AROUND : 0;
    if (track_history(track, from, place->cycle + AROUND, &history, &error) == SIMSM_OK &&
        history && explain_link(history, place->slot, place->cycle, &link))
        mark_cell(view, grid, l, link.slot, link.cycle, theme->text);
    mark_cell(view, grid, l, place->slot, place->cycle, theme->accent);
}

/*
 * Sets *slot and *cycle to the cell under the pointer. Returns false if the pointer is not on a
 * cell.
 */
static bool cell_at_pointer(const struct view *view, const struct tui_timeline_layout *l,
                            uint32_t *slot, uint64_t *cycle)
{
    int line = view->pointer_y - l->rows.y + (int)view->place.scroll;
    double at = time_cycle(&l->time, view->pointer_x + 0.5);
    if (!rect_has(l->rows, view->pointer_x, view->pointer_y) || at < (double)run_begin(view->run) ||
        at >= (double)run_end(view->run) || line % band_lines(l) == 0 ||
        line / band_lines(l) >= (int)l->subs)
        return false;
    uint32_t index = (uint32_t)(line % band_lines(l) - 1) * l->of_line;
    *slot = index * l->subs + (uint32_t)(line / band_lines(l));
    *cycle = (uint64_t)at;
    return true;
}

static void draw_inspector(const struct view *view, struct grid *grid,
                           const struct tui_timeline_layout *l, struct track *track)
{
    const struct theme *theme = view_theme(view);
    struct rect inner = l->inspector;
    grid_fill(grid, inner, theme->panel);
    rect_cut_left(&inner, 1);
    inner.w--;
    if (inner.h > 8)
        plot_title(grid, theme, &inner, "Why?", NULL);
    char *text = view->place.slot == VIEW_NONE ? timeline_summary(view, track)
                                               : timeline_why(view, (uint32_t)inner.w);
    if (text)
        grid_paragraph(grid, inner, theme->text, text, true);
    free(text);
}

void tui_timeline(struct view *view, struct grid *grid)
{
    struct track *track = view_track(view);
    uint32_t slot;
    uint64_t cycle;
    if (!track)
        return;
    struct tui_timeline_layout l = layout_of(view, grid, track);
    view->time_area = l.rows;
    view->shown_from = l.time.from;
    view->shown_cycles_per_px = l.time.cycles_per_px;
    view->content_rows = band_lines(&l) * (int)l.subs;
    view->shown_rows = l.rows.h;
    if (view->place.slot != VIEW_NONE)
        view->selected_row = line_of(&l, view->place.slot);
    plot_time(grid, view, l.axis, l.time.from, l.time.cycles_per_px);
    draw_work(view, grid, &l, track);
    const struct history *history = marks_shown(view, &l, track);
    struct rect left = {l.labels.x, l.rows.y, l.rows.x + l.rows.w - l.labels.x, l.rows.h};
    struct rect saved = grid_clip(grid, left);
    for (uint32_t sub = 0; sub < l.subs; sub++) {
        int y = l.rows.y + (int)sub * band_lines(&l) - (int)view->place.scroll;
        draw_strip(view, grid, &l, track, sub, y);
        draw_slots(view, grid, &l, track, history, sub, y + 1);
    }
    grid_unclip(grid, saved);
    if (cell_at_pointer(view, &l, &slot, &cycle))
        timeline_describe_cell(view, track, slot, cycle);
    draw_selection(view, grid, &l, track);
    plot_scrollbar(grid, view_theme(view), (struct rect){l.bar.x, l.rows.y, 1, l.rows.h},
                   view->place.scroll, view->shown_rows, view->content_rows);
    if (l.legend.h)
        plot_legend(grid, view, l.legend, states_present(view), true);
    if (l.inspector.w)
        draw_inspector(view, grid, &l, track);
}
