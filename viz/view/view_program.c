/* The screen Program: host and streams over time, and what was on the device. */
#include "view/view_program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "view/chart.h"
#include "view/view_screens.h"

enum {
    MOST_FIT_ROW = 30, /* greatest height of a row that is chosen to fit, in pixels at 100 % */
    LEAST_FIT_ROW = 14,
    GAP = 3,        /* between rows, in pixels at 100 % */
    INSPECTOR = 40, /* characters of a line */
    SUM_LINES = 8,  /* least lines of the tables below the rows, with their titles */
    SUMS = 64
};

struct program_layout {
    struct rect axis, labels, rows, inspector, tables, legend;
    struct time_scale time;
    int row; /* height of a row with its gap */
};

struct program_look program_look(const struct theme *theme, enum activity_kind kind)
{
    const struct program_look looks[ACTIVITY_KIND_COUNT] = {
        [ACTIVITY_KERNEL] = {theme->series[0], HATCH_NONE},
        [ACTIVITY_TO_DEVICE] = {theme->series[2], HATCH_DIAGONAL},
        [ACTIVITY_TO_HOST] = {theme->series[1], HATCH_VERTICAL},
        [ACTIVITY_WITHIN] = {theme->series[4], HATCH_CROSS},
        [ACTIVITY_FILL] = {theme->series[7], HATCH_DOTS},
        [ACTIVITY_FUNCTION] = {theme->series[3], HATCH_CHEVRON},
        [ACTIVITY_CALL] = {theme->quiet, HATCH_NONE},
        [ACTIVITY_WAIT] = {colour_mix(theme->quiet, theme->ground, 70), HATCH_DOTS},
    };
    return looks[kind];
}

static size_t legend_entries(const struct view *view, struct legend_entry *entries)
{
    const struct theme *theme = view_theme(view);
    size_t count = 0;
    for (unsigned kind = 0; kind < ACTIVITY_KIND_COUNT; kind++) {
        const struct program_look look = program_look(theme, (enum activity_kind)kind);
        if (view->program->log.count[kind])
            entries[count++] = (struct legend_entry){.colour = look.colour,
                                                     .ink = colour_on(look.colour),
                                                     .hatch = look.hatch,
                                                     .text = activity_looks[kind].name};
    }
    return count;
}

/* Returns the height of a row with its gap: chosen by the user, or to fit. */
static int row_height(const struct view *view, const struct metrics *m, int room)
{
    const int most = MOST_FIT_ROW * m->scale / 100, least = LEAST_FIT_ROW * m->scale / 100;
    const int fit = room / (int)view->program->log.lanes;
    if (view->place.row_height)
        return (view->place.row_height + GAP) * m->scale / 100;
    return fit > most ? most : fit < least ? least : fit;
}

static struct program_layout layout_of(const struct view *view, struct canvas *canvas)
{
    const struct metrics *m = canvas_metrics(canvas);
    struct program_layout layout = {0};
    struct rect area = view->area;
    struct legend_entry entries[ACTIVITY_KIND_COUNT];
    if (view->options.inspector && area.w > 3 * INSPECTOR * m->advance[TEXT_NORMAL])
        layout.inspector = rect_cut_right(&area, INSPECTOR * m->advance[TEXT_NORMAL] + 2 * m->pad);
    if (view->options.legend) {
        const int h = chart_legend(canvas, view_theme(view), rect_inset(area, m->pad), entries,
                                   legend_entries(view, entries), false);
        layout.legend = rect_inset(rect_cut_bottom(&area, h + 2 * m->pad), m->pad);
    }
    const int tables = SUM_LINES * m->line[TEXT_NORMAL] + 2 * m->pad;
    const bool both = area.h > 2 * tables && !view->still; /* a page has tables of its own */
    layout.axis = rect_cut_top(&area, m->line[TEXT_SMALL] + 2 * m->px);
    layout.row = row_height(view, m, area.h - (both ? tables : 0));
    const int high = layout.row * (int)view->program->log.lanes;
    const int most = area.h - (both ? tables : 0);
    layout.rows = rect_cut_top(&area, high < most ? high : most);
    if (both)
        layout.tables = rect_inset(area, m->pad);
    layout.labels = rect_cut_left(&layout.rows, 11 * m->advance[TEXT_SMALL] + m->pad);
    rect_cut_right(&layout.rows, m->pad);
    area = layout.rows;
    layout.time = (struct time_scale){.x = area.x,
                                      .w = area.w,
                                      .from = view->place.from,
                                      .cycles_per_px = (view->place.to - view->place.from) /
                                                       (area.w > 0 ? area.w : 1)};
    return layout;
}

static int lane_top(const struct view *view, const struct program_layout *layout, uint32_t lane)
{
    return layout->rows.y + (int)lane * layout->row - (int)(view->place.scroll * layout->row);
}

static struct rect bar_of(const struct view *view, const struct program_layout *layout, int gap,
                          uint32_t activity)
{
    const struct activity_log *log = &view->program->log;
    const struct activity *entry = &activities(log)[activity];
    const int x = (int)floor(time_x(&layout->time, entry->begin));
    const int end = (int)floor(time_x(&layout->time, entry->end));
    return (struct rect){x, lane_top(view, layout, log->lane[activity]) + gap / 2,
                         end - x > 1 ? end - x : 1, layout->row - gap};
}

static void draw_bar(struct view *view, struct canvas *canvas, struct rect rows, struct rect bar,
                     uint32_t activity)
{
    const struct metrics *m = canvas_metrics(canvas);
    const struct activity *entry = &activities(&view->program->log)[activity];
    const struct program_look look = program_look(view_theme(view), entry->kind);
    const uint32_t ink = colour_on(look.colour);
    const int left = bar.x > rows.x ? bar.x : rows.x;
    const int right = bar.x + bar.w < rows.x + rows.w ? bar.x + bar.w : rows.x + rows.w;
    const struct rect seen = {left, bar.y, right - left - (bar.w >= 4 ? m->px : 0), bar.h};
    canvas_fill(canvas, seen, look.colour);
    const struct rect text = {seen.x + m->px * 2, seen.y, seen.w - m->px * 4, seen.h};
    if (bar.h >= m->line[TEXT_SMALL] && text.w >= 4 * m->advance[TEXT_SMALL])
        canvas_text_in(canvas, text, TEXT_SMALL, ALIGN_LEFT, ink, entry->name);
    else if (seen.w >= 6 * m->px)
        canvas_hatch(canvas, seen, look.hatch, colour_mix(look.colour, ink, 40));
}

/*
 * Draws the bars of all lanes. Where several bars end in a pixel, the first is drawn: the entries
 * of a lane are in the order of time.
 */
static void draw_bars(struct view *view, struct canvas *canvas, const struct program_layout *layout)
{
    const struct activity_log *log = &view->program->log;
    const struct rect rows = layout->rows;
    const int gap = GAP * canvas_metrics(canvas)->scale / 100;
    int *drawn = malloc(log->lanes * sizeof *drawn); /* the last pixel of each lane */
    for (uint32_t lane = 0; drawn && lane < log->lanes; lane++)
        drawn[lane] = -1;
    for (uint32_t i = 0; drawn && i < log->entries.count; i++) {
        const struct rect bar = bar_of(view, layout, gap, i);
        const int last = bar.x + bar.w - 1;
        if (last < rows.x || bar.x >= rows.x + rows.w || bar.y + bar.h < rows.y ||
            bar.y > rows.y + rows.h)
            continue;
        if (rect_has(bar, view->pointer_x, view->pointer_y) &&
            rect_has(rows, view->pointer_x, view->pointer_y))
            program_describe(view, i);
        if (last == drawn[log->lane[i]])
            continue;
        drawn[log->lane[i]] = last;
        draw_bar(view, canvas, rows, bar, i);
    }
    free(drawn);
    const struct theme *theme = view_theme(view);
    if (view->target.kind == TARGET_ACTIVITY)
        canvas_frame(canvas, bar_of(view, layout, gap, view->target.activity),
                     canvas_metrics(canvas)->px, theme->text);
    if (view->place.activity != VIEW_NONE)
        canvas_frame(canvas, rect_inset(bar_of(view, layout, gap, view->place.activity), -1),
                     2 * canvas_metrics(canvas)->px, theme->accent);
}

static void draw_axis(const struct view *view, struct canvas *canvas,
                      const struct program_layout *layout)
{
    const struct metrics *m = canvas_metrics(canvas);
    const struct theme *theme = view_theme(view);
    const struct activity_log *log = &view->program->log;
    const double from = layout->time.from - log->begin;
    const struct chart_axis axis = {from, from + layout->time.cycles_per_px * layout->rows.w,
                                    layout->rows.x, layout->rows.w};
    const int wide = 14 * m->advance[TEXT_SMALL];
    const double step = axis_step(&axis, axis.length / wide < 1 ? 1 : axis.length / wide);
    const int64_t first = (int64_t)ceil(axis.low / step);
    for (int64_t tick = first; (double)tick * step < axis.high; tick++) {
        const double v = (double)tick * step;
        char text[32];
        const int x = (int)lround(axis_place(&axis, v));
        canvas_fill(canvas,
                    (struct rect){x, layout->axis.y, m->px, layout->axis.h + layout->rows.h},
                    theme->line);
        program_time(log, v + log->begin, step, text);
        if (x + m->px * 3 + text_width(m, TEXT_SMALL, text) <= layout->rows.x + layout->rows.w)
            canvas_text(canvas, x + m->px * 3, layout->axis.y, TEXT_SMALL, theme->quiet, text);
    }
}

static void draw_labels(const struct view *view, struct canvas *canvas,
                        const struct program_layout *layout)
{
    const struct metrics *m = canvas_metrics(canvas);
    const struct theme *theme = view_theme(view);
    const struct activity_log *log = &view->program->log;
    const uint32_t selected =
        view->place.activity == VIEW_NONE ? VIEW_NONE : log->lane[view->place.activity];
    for (uint32_t lane = 0; lane < log->lanes; lane++) {
        char text[32];
        const struct rect label = {layout->labels.x, lane_top(view, layout, lane),
                                   layout->labels.w - m->pad, layout->row};
        canvas_text_in(canvas, label, TEXT_SMALL, ALIGN_RIGHT,
                       lane == selected ? theme->accent : theme->quiet,
                       program_lane(log, lane, text));
    }
}

/* Draws a row of a table: a box of the kind's colour, what, count, time, share. */
static void draw_table_row(const struct view *view, struct canvas *canvas, struct rect line,
                           const struct program_row *row)
{
    const struct metrics *m = canvas_metrics(canvas);
    const struct theme *theme = view_theme(view);
    const int wide = m->advance[TEXT_NORMAL];
    const struct rect share = rect_cut_right(&line, 8 * wide);
    const struct rect time = rect_cut_right(&line, 10 * wide);
    const struct rect count = rect_cut_right(&line, row->count[0] ? 8 * wide : 0);
    if (row->kind != ACTIVITY_KIND_COUNT) {
        struct rect box = rect_cut_left(&line, 2 * wide);
        box.w = wide;
        box = rect_inset(box, m->px);
        const struct program_look look = program_look(theme, row->kind);
        box.y += (box.h - box.w) / 2;
        box.h = box.w;
        canvas_fill(canvas, box, look.colour);
    }
    canvas_text_in(canvas, line, TEXT_NORMAL, ALIGN_LEFT, theme->text, row->what);
    canvas_text_in(canvas, count, TEXT_NORMAL, ALIGN_RIGHT, theme->quiet, row->count);
    canvas_text_in(canvas, time, TEXT_NORMAL, ALIGN_RIGHT, theme->text, row->time);
    canvas_text_in(canvas, share, TEXT_NORMAL, ALIGN_RIGHT, theme->text, row->share);
}

/* Draws the sums over the time in view: on the device, and by name. */
static void draw_tables(struct view *view, struct canvas *canvas, struct rect area)
{
    const struct metrics *m = canvas_metrics(canvas);
    const struct activity_log *log = &view->program->log;
    struct program_row shares[PROGRAM_SHARES], sums[SUMS];
    const double from = view->place.from > log->begin ? view->place.from : log->begin;
    const double to = view->place.to < log->end ? view->place.to : log->end;
    if (area.h <= 0 || to <= from)
        return;
    const size_t count = program_sum_rows(log, from, to, sums, SUMS);
    const int title = m->line[TEXT_LARGE] + 3 * m->pad, line = m->line[TEXT_NORMAL];
    const int high = title + line * (count > PROGRAM_SHARES ? (int)count : PROGRAM_SHARES);
    area.h = high < area.h ? high : area.h;
    struct rect left = rect_cut_left(&area, area.w * 2 / 5);
    rect_cut_left(&area, 2 * m->pad);
    left = chart_panel(canvas, view_theme(view), left, "On the device, in view", NULL);
    struct rect right = chart_panel(canvas, view_theme(view), area, "Work, by name", NULL);
    program_share_rows(log, from, to, shares);
    for (size_t i = 0; i < PROGRAM_SHARES; i++)
        draw_table_row(view, canvas, rect_cut_top(&left, line), &shares[i]);
    for (size_t i = 0; i < count && right.h >= line; i++)
        draw_table_row(view, canvas, rect_cut_top(&right, line), &sums[i]);
}

static void draw_inspector(const struct view *view, struct canvas *canvas, struct rect panel)
{
    const struct metrics *m = canvas_metrics(canvas);
    const struct theme *theme = view_theme(view);
    char text[900];
    if (panel.w <= 0)
        return;
    canvas_fill(canvas, panel, theme->panel);
    if (view->place.activity == VIEW_NONE)
        (void)snprintf(text, sizeof text,
                       "Click a bar, or step with the arrow keys, to read about it here.");
    else
        program_words(view, view->place.activity, text, sizeof text);
    canvas_paragraph(canvas, rect_inset(panel, m->pad), TEXT_NORMAL, theme->text, text, true);
}

void view_program_draw(struct view *view, struct canvas *canvas)
{
    struct legend_entry entries[ACTIVITY_KIND_COUNT];
    if (!view->program) {
        chart_note(canvas, view_theme(view), view->area, program_absent);
        return;
    }
    const struct program_layout layout = layout_of(view, canvas);
    view->time_area = layout.rows;
    view->shown_from = layout.time.from;
    view->shown_cycles_per_px = layout.time.cycles_per_px;
    view->content_rows = view->program->log.lanes;
    view->shown_rows = (double)layout.rows.h / layout.row;
    if (view->place.activity != VIEW_NONE)
        view->selected_row = view->program->log.lane[view->place.activity];
    canvas_fill(canvas, layout.rows, view_theme(view)->panel);
    draw_axis(view, canvas, &layout);
    struct rect lanes = layout.rows;
    lanes.x = layout.labels.x;
    lanes.w += layout.rows.x - layout.labels.x;
    struct rect saved = canvas_clip(canvas, lanes);
    draw_labels(view, canvas, &layout);
    canvas_unclip(canvas, saved);
    saved = canvas_clip(canvas, layout.rows);
    draw_bars(view, canvas, &layout);
    canvas_unclip(canvas, saved);
    chart_scrollbar(canvas, view_theme(view), layout.rows, view->place.scroll, view->shown_rows,
                    view->content_rows);
    draw_tables(view, canvas, layout.tables);
    draw_inspector(view, canvas, layout.inspector);
    if (view->options.legend)
        chart_legend(canvas, view_theme(view), layout.legend, entries,
                     legend_entries(view, entries), true);
}

struct rect program_bar(const struct view *view, uint32_t activity)
{
    const struct activity_log *log = &view->program->log;
    const struct activity *entry = &activities(log)[activity];
    const struct rect rows = view->time_area;
    const double row = rows.h / view->shown_rows, top = log->lane[activity] - view->place.scroll;
    const double x = rows.x + (entry->begin - view->shown_from) / view->shown_cycles_per_px;
    const double w = (entry->end - entry->begin) / view->shown_cycles_per_px;
    const bool seen = top >= 0 && top + 1 <= view->shown_rows + 0.01;
    return (struct rect){(int)x, rows.y + (int)(top * row), w > 1 ? (int)w : 1,
                         seen ? (int)row : 0};
}
