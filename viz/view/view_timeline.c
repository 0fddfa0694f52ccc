/* The screen Timeline: sub-partitions x warp slots x cycles. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "language/language.h"
#include "view/chart.h"
#include "view/states.h"
#include "view/timeline_parts.h"
#include "view/view_screens.h"
#include "view/view_timeline.h"

enum {
    LEAST_ROW = 2,     /* least height of a slot's row, in pixels at 100 % */
    MOST_FIT_ROW = 80, /* greatest height of a row that is chosen to fit */
    STRIP = 14,        /* height of the strip of issues, in pixels at 100 % */
    GAP = 4,           /* gap between sub-partitions, in pixels at 100 % */
    INSPECTOR = 44,    /* characters of a line; fewer in a small window */
    LEAST_INSPECTOR = 30,
    LEAST_MARKED = 6, /* least height of a row that shows blocks, in device pixels */
    LEAST_CELLS = 3,  /* least height of a row that shows cells, in pixels at 100 %; below: areas */
    MOST_EXACT = 1 << 17 /* most cycles in view with blocks and the selected instruction */
};

static int px_of(const struct canvas *canvas, int at_100)
{
    return at_100 * canvas_metrics(canvas)->scale / 100;
}

/* Returns the height of a row if all rows, and a note on the slots without row, are in view. */
static int fit_row(const struct timeline_layout *layout, const struct canvas *canvas)
{
    int fixed = (int)layout->subs * (layout->strip + layout->gap);
    if (layout->per_sub < layout->all)
        fixed += canvas_metrics(canvas)->line[TEXT_SMALL];
    int row = (layout->rows.h - fixed) / (int)(layout->subs * layout->per_sub);
    if (layout->areas)
        return row > 1 ? row : 1;
    int most = px_of(canvas, MOST_FIT_ROW);
    int least = px_of(canvas, LEAST_ROW);
    return row > most ? most : row < least ? least : row;
}

static struct timeline_layout layout_of(struct view *view, struct canvas *canvas,
                                        const struct track *track)
{
    const struct metrics *m = canvas_metrics(canvas);
    const struct timeline_info *info = run_info(view->run);
    struct timeline_layout layout = {.subs = info->sub_partitions,
                                     .per_sub = view_slots(view, track),
                                     .all = info->slots / info->sub_partitions,
                                     .strip = px_of(canvas, STRIP),
                                     .gap = px_of(canvas, GAP)};
    struct rect area = view->area;
    int columns = area.w / m->advance[TEXT_NORMAL] * 3 / 10;
    columns = columns > INSPECTOR ? INSPECTOR : columns;
    if (view->options.inspector && columns >= LEAST_INSPECTOR)
        layout.inspector = rect_cut_right(&area, columns * m->advance[TEXT_NORMAL] + 2 * m->pad);
    if (view->options.legend) {
        int h = states_legend(view, canvas, rect_inset(area, m->pad), states_present(view), false);
        layout.legend = rect_inset(rect_cut_bottom(&area, h + 2 * m->pad), m->pad);
    }
    layout.labels = rect_cut_left(&area, 15 * m->advance[TEXT_SMALL] + 2 * m->pad);
    rect_cut_right(&area, m->pad);
    layout.axis = rect_cut_top(&area, m->line[TEXT_SMALL] + m->px * 2);
    layout.rows = area;
    timeline_work_layout(canvas, track, &layout);
    layout.row =
        view->place.row_height ? px_of(canvas, view->place.row_height) : fit_row(&layout, canvas);
    layout.areas = layout.row < px_of(canvas, LEAST_CELLS);
    if (layout.areas)
        layout.row = fit_row(&layout, canvas);
    layout.time = time_scale_of(view, area);
    /*
     * If a cycle is wide enough for a letter, rows are high enough for it too, and the screen
     * scrolls.
     */
    int letter = m->line[TEXT_SMALL] + m->px;
    if (!view->place.row_height && layout.row < letter &&
        layout.time.cycles_per_px * m->advance[TEXT_SMALL] <= 1) {
        layout.row = letter;
        layout.areas = false;
    }
    return layout;
}

/* Returns the top of sub-partition `sub`, in device pixels. */
static int band_top(const struct view *view, const struct timeline_layout *layout, uint32_t sub)
{
    int band = layout->strip + layout->row * (int)layout->per_sub + layout->gap;
    return layout->rows.y + (int)sub * band - (int)(view->place.scroll * layout->row);
}

struct rect timeline_row(const struct view *view, const struct timeline_layout *layout,
                         uint32_t slot)
{
    int top = band_top(view, layout, slot % layout->subs) + layout->strip;
    int gap = layout->row >= 6 ? 1 : 0;
    return (struct rect){layout->rows.x, top + (int)(slot / layout->subs) * layout->row,
                         layout->rows.w, layout->row - gap};
}

/*
 * Draws how many slots of a sub-partition are in which state, as areas: for rows that are too thin
 * to be read.
 */
static void draw_area(struct view *view, struct canvas *canvas,
                      const struct timeline_layout *layout, struct track *track, uint32_t sub)
{
    struct rect area = timeline_row(view, layout, sub);
    area.h = layout->row * (int)layout->per_sub;
    double to = time_cycle(&layout->time, area.x + area.w);
    double width = (to - layout->time.from) / area.w;
    double *sums = calloc((size_t)area.w * SIMSM_STATE_COUNT, sizeof *sums);
    struct simsm_error error;
    canvas_fill(canvas, area, view_theme(view)->panel);
    if (sums && track_states(track, sub, layout->time.from, to, sums, NULL, (uint32_t)area.w,
                             &error) == SIMSM_OK)
        states_columns(view, canvas, area, sums, width * layout->per_sub);
    free(sums);
}

static void draw_labels(struct view *view, struct canvas *canvas,
                        const struct timeline_layout *layout, uint32_t sub)
{
    const struct metrics *m = canvas_metrics(canvas);
    const struct theme *theme = view_theme(view);
    char text[32];
    int top = band_top(view, layout, sub);
    struct rect head = {layout->labels.x + m->pad, top, layout->labels.w - m->pad, layout->strip};
    (void)snprintf(text, sizeof text, _("sub-partition %u"), sub);
    canvas_text_in(canvas, head, TEXT_SMALL, ALIGN_LEFT, theme->text, text);
    if (layout->areas)
        return;
    /* Label every slot, or every second, fourth, ... slot, as the height of a line allows. */
    uint32_t every = 1;
    while ((int)every * layout->row < m->line[TEXT_SMALL] - 2 * m->px)
        every *= 2;
    for (uint32_t i = 0; i < layout->per_sub; i += every) {
        struct rect row = timeline_row(view, layout, i * layout->subs + sub);
        struct rect label = {layout->labels.x + m->pad, row.y, layout->labels.w - 2 * m->pad,
                             m->line[TEXT_SMALL]};
        label.y += (layout->row - label.h) / 2;
        if (every > 1)
            label.y = row.y - m->px * 2;
        (void)snprintf(text, sizeof text, _("slot %u"), i);
        canvas_text_in(canvas, label, TEXT_SMALL, ALIGN_RIGHT, theme->quiet, text);
    }
}

/*
 * Returns whether marks over the cells are drawn: they can be told apart at this zoom, and the
 * chunks are loaded. Sets view->status if only the zoom prevents it.
 */
static bool marks_shown(struct view *view, const struct timeline_layout *layout,
                        struct track *track)
{
    double to = time_cycle(&layout->time, layout->rows.x + layout->rows.w);
    double from = layout->time.from > 0 ? layout->time.from : 0;
    bool glow = view->place.line != VIEW_NONE;
    if (to - from > MOST_EXACT || (layout->row < LEAST_MARKED && !glow)) {
        if (glow)
            (void)snprintf(view->status, sizeof view->status,
                           _("zoom in (wheel, w) to see where the selected instruction is"));
        return false;
    }
    return track_whole(track, (uint64_t)from, (uint64_t)to);
}

/* Draws a note below the rows if some slots of the SM have no row. */
static void draw_unused_note(const struct view *view, struct canvas *canvas,
                             const struct timeline_layout *layout)
{
    const struct metrics *m = canvas_metrics(canvas);
    int end = band_top(view, layout, layout->subs);
    char text[96];
    if (layout->per_sub >= layout->all ||
        end + m->line[TEXT_SMALL] > layout->rows.y + layout->rows.h)
        return;
    (void)snprintf(text, sizeof text, _("slots %u to %u of each sub-partition never hold a warp"),
                   layout->per_sub, layout->all - 1);
    canvas_text(canvas, layout->rows.x, end, TEXT_SMALL, view_theme(view)->quiet, text);
}

static void draw_rows(struct view *view, struct canvas *canvas,
                      const struct timeline_layout *layout, struct track *track)
{
    struct rect left = layout->rows;
    left.w += left.x - layout->labels.x;
    left.x = layout->labels.x;
    struct rect saved = canvas_clip(canvas, left);
    bool marks = marks_shown(view, layout, track);
    for (uint32_t sub = 0; sub < layout->subs; sub++) {
        struct rect strip = {layout->rows.x, band_top(view, layout, sub), layout->rows.w,
                             layout->strip - canvas_metrics(canvas)->px};
        row_issues(view, canvas, track, sub, strip, &layout->time);
        draw_labels(view, canvas, layout, sub);
        for (uint32_t i = 0; i < layout->per_sub; i++) {
            uint32_t slot = i * layout->subs + sub;
            struct rect row = timeline_row(view, layout, slot);
            if (row.y + row.h <= left.y || row.y >= left.y + left.h)
                continue;
            if (!layout->areas)
                row_draw(view, canvas, track, slot, row, &layout->time);
            if (marks && layout->row >= LEAST_MARKED && !layout->areas)
                timeline_blocks(view, canvas, layout, track, slot);
        }
        if (layout->areas)
            draw_area(view, canvas, layout, track, sub);
    }
    if (marks && view->place.line != VIEW_NONE && !layout->areas)
        timeline_glow(view, canvas, layout, track);
    canvas_unclip(canvas, saved);
}

/* Sets *slot and *cycle to the cell at a pixel. Returns false if no cell is there. */
static bool cell_at(const struct view *view, const struct timeline_layout *layout, int x, int y,
                    uint32_t *slot, uint64_t *cycle)
{
    if (!rect_has(layout->rows, x, y))
        return false;
    double at = time_cycle(&layout->time, x + 0.5);
    if (at < (double)run_begin(view->run) || at >= (double)run_end(view->run))
        return false;
    *cycle = (uint64_t)at;
    for (uint32_t s = 0; s < layout->subs * layout->per_sub; s++) {
        struct rect row = timeline_row(view, layout, s);
        row.h = layout->row;
        if (rect_has(row, x, y)) {
            *slot = s;
            return true;
        }
    }
    return false;
}

void timeline_describe_cell(struct view *view, struct track *track, uint32_t slot, uint64_t cycle)
{
    uint32_t subs = run_info(view->run)->sub_partitions;
    view->target = (struct view_target){
        .kind = TARGET_CELL, .sm = view->place.sm, .slot = slot, .cycle = cycle};
    const struct history *history = NULL;
    struct simsm_error error;
    if (track_history(track, cycle, cycle + 1, &history, &error) != SIMSM_OK || !history)
        return;
    const struct timeline_span *span = history_span_at(history, slot, cycle);
    const struct timeline_warp *warp = history_warp_at(history, slot, cycle);
    if (!span)
        return;
    char text[32];
    enum simsm_warp_state state = run_known_state(view->run, span->state);
    int used = snprintf(
        view->status, sizeof view->status, _("cycle %s   sub-partition %u slot %u   %s: %s"),
        chart_cycles(cycle, text), slot % subs, slot / subs, translate(simsm_states[state].title),
        translate(simsm_states[state].meaning));
    if (warp && warp->started && state != SIMSM_STATE_EMPTY && used > 0 &&
        (size_t)used < sizeof view->status)
        (void)snprintf(view->status + used, sizeof view->status - (size_t)used,
                       _("   (block %u, warp %u)"), warp->block, warp->warp);
}

char *timeline_why(const struct view *view, uint32_t width)
{
    struct simsm_error error;
    struct track *track = run_track(view->run, view->place.sm, 0, &error);
    const char *text =
        track ? track_explain(track, view->place.slot, view->place.cycle, width, &error) : NULL;
    return strdup(text ? text : error.message);
}

static void draw_inspector(struct view *view, struct canvas *canvas,
                           const struct timeline_layout *layout, struct track *track)
{
    const struct metrics *m = canvas_metrics(canvas);
    const struct theme *theme = view_theme(view);
    struct rect inner = chart_panel(canvas, theme, layout->inspector, _("Why?"), NULL);
    char *text = view->place.slot == VIEW_NONE
                     ? timeline_summary(view, track)
                     : timeline_why(view, (uint32_t)(inner.w / m->advance[TEXT_NORMAL]));
    const bool fits =
        !text || canvas_paragraph(canvas, inner, TEXT_NORMAL, theme->text, text, false) <= inner.h;
    const enum text_size size = fits ? TEXT_NORMAL : TEXT_SMALL;
    inner.h -= inner.h % m->line[size]; /* no line is cut through */
    struct rect saved = canvas_clip(canvas, inner);
    if (text)
        canvas_paragraph(canvas, inner, size, theme->text, text, true);
    canvas_unclip(canvas, saved);
    free(text);
}

/*
 * Returns the rectangle for text about the picture: the inspector, or the right part of the rows if
 * there is no inspector.
 */
static struct rect panel_of(const struct timeline_layout *layout)
{
    struct rect rows = layout->rows;
    return layout->inspector.w ? layout->inspector : rect_cut_right(&rows, rows.w * 40 / 100);
}

void view_timeline_draw(struct view *view, struct canvas *canvas)
{
    const struct theme *theme = view_theme(view);
    struct track *track = view_track(view);
    uint32_t slot;
    uint64_t cycle;
    if (!track)
        return;
    struct timeline_layout layout = layout_of(view, canvas, track);
    view->time_area = layout.rows;
    view->shown_from = layout.time.from;
    view->shown_cycles_per_px = layout.time.cycles_per_px;
    int band = layout.strip + layout.gap + layout.row * (int)layout.per_sub;
    view->content_rows = (double)band * layout.subs / layout.row;
    view->shown_rows = (double)layout.rows.h / layout.row;
    chart_time_axis(canvas, theme, layout.axis, layout.rows, layout.time.from,
                    layout.time.cycles_per_px);
    if (view->place.slot != VIEW_NONE)
        view->selected_row =
            (timeline_row(view, &layout, view->place.slot).y - layout.rows.y) / layout.row +
            view->place.scroll;
    draw_rows(view, canvas, &layout, track);
    if (!view->loading)
        draw_unused_note(view, canvas, &layout);
    timeline_work(view, canvas, &layout, track);
    timeline_selection(view, canvas, &layout, track);
    timeline_work_links(view, canvas, &layout, track);
    if (view->stretch.on)
        timeline_stretch(view, canvas, &layout);
    const struct timeline_info *info = run_info(view->run);
    if (view->place.line < info->line_count && !view->status[0])
        (void)snprintf(view->status, sizeof view->status,
                       _("bright: where warps have `%.80s` next or issue it (escape: all)"),
                       info->lines[view->place.line].text);
    if (cell_at(view, &layout, view->pointer_x, view->pointer_y, &slot, &cycle))
        timeline_describe_cell(view, track, slot, cycle);
    chart_scrollbar(canvas, theme, layout.rows, view->place.scroll, view->shown_rows,
                    view->content_rows);
    if (view->options.legend)
        states_legend(view, canvas, layout.legend, states_present(view), true);
    if (view->stretch.on)
        timeline_stretch_table(view, canvas, track, panel_of(&layout));
    else if (layout.inspector.w)
        draw_inspector(view, canvas, &layout, track);
}
