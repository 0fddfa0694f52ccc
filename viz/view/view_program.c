/* The screen Program: host and streams over time, and what was on the device. */
#include "view/view_program.h"

#include <math.h>
#include <stdlib.h>

#include "language/language.h"
#include "view/chart.h"
#include "view/view_screens.h"

enum {
    MOST_FIT_ROW = 64, /* greatest height of a row that is chosen to fit, in pixels at 100 % */
    LEAST_FIT_ROW = 14,
    GAP = 3,        /* between rows, in pixels at 100 % */
    INSPECTOR = 40, /* characters of a line */
    SUM_LINES = 8,  /* least lines of the tables below the rows, with their titles */
    SUMS = 64,
    MOST_LINE_PERCENT =
        160 /* greatest height of a line of the tables, in per cent of a line of text */
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
        [ACTIVITY_FUNCTION] = {theme->series[6], HATCH_CHEVRON},
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
                                                     .text = translate(activity_looks[kind].name)};
    }
    return count;
}

struct time_scale program_scale(const struct view *view, struct rect area)
{
    return (struct time_scale){.x = area.x,
                               .w = area.w,
                               .from = view->place.from,
                               .cycles_per_px =
                                   (view->place.to - view->place.from) / (area.w > 0 ? area.w : 1)};
}

/* Returns the height of a row with its gap: chosen by the user, or to fit. */
static int row_height(const struct view *view, const struct metrics *m, int room)
{
    const int most = MOST_FIT_ROW * m->scale / 100, least = LEAST_FIT_ROW * m->scale / 100;
    const int fit = room / (int)view->program->log.lane_count;
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
    const int high = layout.row * (int)view->program->log.lane_count;
    const int most = area.h - (both ? tables : 0);
    layout.rows = rect_cut_top(&area, high < most ? high : most);
    if (both)
        layout.tables = rect_inset(area, m->pad);
    layout.labels = rect_cut_left(&layout.rows, 11 * m->advance[TEXT_SMALL] + m->pad);
    rect_cut_right(&layout.rows, m->pad);
    layout.time = program_scale(view, layout.rows);
    return layout;
}

/* Returns the top of a row; rows have view->shown_rows in the time area. */
static int lane_top(const struct view *view, uint32_t lane)
{
    const int row = (int)lround(view->time_area.h / view->shown_rows);
    return view->time_area.y + (int)lane * row - (int)(view->place.scroll * row);
}

struct rect program_bar(const struct view *view, uint32_t activity)
{
    const struct activity_log *log = &view->program->log;
    const struct activity *entry = &activities(log)[activity];
    const struct time_scale time = {.x = view->time_area.x,
                                    .from = view->shown_from,
                                    .cycles_per_px = view->shown_cycles_per_px};
    const int x = (int)floor(time_x(&time, entry->begin));
    const int end = (int)floor(time_x(&time, entry->end));
    return (struct rect){x, lane_top(view, log->lane[activity]), end - x > 1 ? end - x : 1,
                         (int)lround(view->time_area.h / view->shown_rows)};
}

/* A pixel of a row with bars of which some are shorter: how long they last, and the longest. */
struct thin_bars {
    double ns, most;
    uint32_t longest;
};

static struct rect without_gap(struct rect bar, const struct metrics *m)
{
    const int gap = GAP * m->scale / 100;
    return (struct rect){bar.x, bar.y + gap / 2, bar.w, bar.h - gap};
}

static void draw_bar(struct view *view, struct canvas *canvas, struct rect bar, uint32_t activity)
{
    const struct metrics *m = canvas_metrics(canvas);
    const struct rect rows = view->time_area;
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

/* Adds a thin bar to the pixels of its row, which it fills in part. */
static void add_thin(const struct view *view, struct thin_bars *row, uint32_t activity)
{
    const struct activity *entry = &activities(&view->program->log)[activity];
    const struct rect rows = view->time_area;
    const double per_px = view->shown_cycles_per_px;
    const double a = (entry->begin - view->shown_from) / per_px;
    const double b = (entry->end - view->shown_from) / per_px;
    for (int x = a < 0 ? 0 : (int)a; x < rows.w && (x < b || x == (int)a); x++) {
        const double from = a > x ? a : x, to = b < x + 1 ? b : x + 1;
        row[x].ns += (to - from) * per_px;
        if (row[x].longest == VIEW_NONE || entry->end - entry->begin > row[x].most) {
            row[x].longest = activity;
            row[x].most = entry->end - entry->begin;
        }
    }
}

/* Draws the thin bars of a row: as high as the share of the pixel's time that they last. */
static void draw_thin(struct view *view, struct canvas *canvas, uint32_t lane,
                      const struct thin_bars *row)
{
    const struct metrics *m = canvas_metrics(canvas);
    const struct rect rows = view->time_area;
    const int high = (int)lround(rows.h / view->shown_rows);
    const struct rect bar = without_gap((struct rect){0, lane_top(view, lane), 1, high}, m);
    const int least = view->still ? 2 * m->px : m->px; /* a page may be shown smaller */
    for (int x = 0; x < rows.w; x++) {
        if (row[x].longest == VIEW_NONE)
            continue;
        const enum activity_kind kind = activities(&view->program->log)[row[x].longest].kind;
        const double share = row[x].ns / view->shown_cycles_per_px;
        int h = (int)ceil((share < 1 ? share : 1) * bar.h);
        h = h < 3 * m->px ? 3 * m->px : h;
        canvas_fill(canvas, (struct rect){rows.x + x, bar.y + bar.h - h, least, h},
                    program_look(view_theme(view), kind).colour);
        if (view->pointer_x == rows.x + x && view->pointer_y >= bar.y &&
            view->pointer_y < bar.y + bar.h)
            view->target =
                (struct view_target){.kind = TARGET_ACTIVITY, .activity = row[x].longest};
    }
}

/* Draws the bars of the rows in view. */
static void draw_bars(struct view *view, struct canvas *canvas)
{
    const struct activity_log *log = &view->program->log;
    const struct metrics *m = canvas_metrics(canvas);
    const struct rect rows = view->time_area;
    const uint32_t first = (uint32_t)view->place.scroll;
    const uint32_t count = (uint32_t)view->shown_rows + 2;
    struct thin_bars *thin = malloc((size_t)count * (size_t)rows.w * sizeof *thin);
    for (size_t i = 0; thin && i < (size_t)count * (size_t)rows.w; i++)
        thin[i] = (struct thin_bars){.longest = VIEW_NONE};
    for (uint32_t i = 0; thin && i < log->entries.count; i++) {
        const uint32_t lane = log->lane[i];
        const struct rect bar = program_bar(view, i);
        if (lane < first || lane >= first + count || bar.x + bar.w < rows.x ||
            bar.x >= rows.x + rows.w)
            continue;
        if (bar.w < 4 * m->px) {
            add_thin(view, thin + (size_t)(lane - first) * (size_t)rows.w, i);
            continue;
        }
        draw_bar(view, canvas, without_gap(bar, m), i);
        if (rect_has(without_gap(bar, m), view->pointer_x, view->pointer_y) &&
            rect_has(rows, view->pointer_x, view->pointer_y))
            view->target = (struct view_target){.kind = TARGET_ACTIVITY, .activity = i};
    }
    for (uint32_t lane = first; thin && lane < first + count && lane < log->lane_count; lane++)
        draw_thin(view, canvas, lane, thin + (size_t)(lane - first) * (size_t)rows.w);
    free(thin);
}

/* Frames what is under the pointer, and the selected activity, and describes one of them. */
static void draw_selected(struct view *view, struct canvas *canvas, bool inspector)
{
    const struct metrics *m = canvas_metrics(canvas);
    const struct theme *theme = view_theme(view);
    const uint32_t selected = view->place.activity;
    const bool pointed = view->target.kind == TARGET_ACTIVITY;
    if (pointed)
        canvas_frame(canvas, without_gap(program_bar(view, view->target.activity), m), m->px,
                     theme->text);
    if (selected != VIEW_NONE)
        canvas_frame(canvas, rect_inset(without_gap(program_bar(view, selected), m), -1), 2 * m->px,
                     theme->accent);
    program_describe(view, pointed ? view->target.activity : inspector ? VIEW_NONE : selected);
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
    for (uint32_t lane = 0; lane < log->lane_count; lane++) {
        char text[32];
        const struct rect label = {layout->labels.x, lane_top(view, lane),
                                   layout->labels.w - m->pad, layout->row};
        canvas_text_in(canvas, label, TEXT_SMALL, ALIGN_RIGHT,
                       lane == selected ? theme->accent : theme->quiet,
                       log->lanes[lane].part ? "" : program_lane(log, lane, text));
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
    const int title = m->line[TEXT_LARGE] + 3 * m->pad;
    const int lines = count > PROGRAM_SHARES ? (int)count : PROGRAM_SHARES;
    const int least = m->line[TEXT_NORMAL], most = MOST_LINE_PERCENT * least / 100;
    const int fit = (area.h - title) / lines;
    const int line = fit < least ? least : fit > most ? most : fit;
    const int high = title + line * lines;
    area.h = high < area.h ? high : area.h;
    struct rect left = rect_cut_left(&area, area.w * 2 / 5);
    rect_cut_left(&area, 2 * m->pad);
    left = chart_panel(canvas, view_theme(view), left, _("On the device, in view"), NULL);
    struct rect right = chart_panel(canvas, view_theme(view), area, _("Work, by name"), NULL);
    program_share_rows(log, from, to, shares);
    for (size_t i = 0; i < PROGRAM_SHARES; i++)
        draw_table_row(view, canvas, rect_cut_top(&left, line), &shares[i]);
    for (size_t i = 0; i < count && right.h >= line; i++)
        draw_table_row(view, canvas, rect_cut_top(&right, line), &sums[i]);
}

static void draw_inspector(const struct view *view, struct canvas *canvas, struct rect panel)
{
    const struct theme *theme = view_theme(view);
    char text[900];
    if (panel.w <= 0)
        return;
    const struct rect inner = chart_panel(canvas, theme, panel, _("What is it?"), NULL);
    if (view->place.activity == VIEW_NONE)
        (void)snprintf(text, sizeof text,
                       _("Click a bar, or step with the arrow keys, to read about it here."));
    else
        program_words(view, view->place.activity, text, sizeof text);
    canvas_paragraph(canvas, inner, TEXT_NORMAL, theme->text, text, true);
}

void view_program_draw(struct view *view, struct canvas *canvas)
{
    struct legend_entry entries[ACTIVITY_KIND_COUNT];
    if (!view->program) {
        chart_note(canvas, view_theme(view), view->area, translate(program_absent));
        return;
    }
    const struct program_layout layout = layout_of(view, canvas);
    view->time_area = layout.rows;
    view->shown_from = layout.time.from;
    view->shown_cycles_per_px = layout.time.cycles_per_px;
    view->content_rows = view->program->log.lane_count;
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
    draw_bars(view, canvas);
    draw_selected(view, canvas, layout.inspector.w > 0);
    canvas_unclip(canvas, saved);
    chart_scrollbar(canvas, view_theme(view), layout.rows, view->place.scroll, view->shown_rows,
                    view->content_rows);
    draw_tables(view, canvas, layout.tables);
    draw_inspector(view, canvas, layout.inspector);
    if (view->options.legend)
        chart_legend(canvas, view_theme(view), layout.legend, entries,
                     legend_entries(view, entries), true);
}
