/* The screen Program in a terminal: host and streams over time, and what was on the device. */
#include "view/view_program.h"

#include <math.h>
#include <stdlib.h>

#include "tui/tui_plot.h"
#include "tui/tui_screens.h"

enum {
    LABELS = 11,
    WIDE = 110,      /* columns from which on there is an inspector at the right */
    INSPECTOR = 36,  /* columns */
    TABLE_LINES = 7, /* least lines of the tables below the rows */
    SUMS = 64,
    LEAST_LINES = 16 /* lines of the screen from which on there are tables */
};

/* A column of a row: the activity that takes most of it, VIEW_NONE if none; shares of the column.
 */
struct program_column {
    uint32_t activity;
    double most, all;
};

struct tui_program_layout {
    struct rect axis, labels, rows, bar, inspector, tables, legend;
    struct time_scale time;
};

static struct tui_program_layout layout_of(const struct view *view)
{
    struct tui_program_layout layout = {0};
    struct rect area = view->area;
    if (view->options.inspector && area.w >= WIDE) {
        layout.inspector = rect_cut_right(&area, INSPECTOR);
        rect_cut_right(&area, 1);
    }
    if (view->options.legend && area.h > 4)
        layout.legend = rect_cut_bottom(&area, 1);
    const int tables = area.h >= LEAST_LINES ? TABLE_LINES : 0;
    const int lanes = (int)view->program->log.lane_count, most = area.h - 1 - tables;
    layout.axis = rect_cut_top(&area, 1);
    layout.rows = rect_cut_top(&area, lanes < most ? lanes : most);
    layout.tables = tables ? area : (struct rect){0};
    layout.bar = rect_cut_right(&layout.rows, 1);
    layout.labels = rect_cut_left(&layout.rows, LABELS);
    layout.axis.x = layout.rows.x;
    layout.axis.w = layout.rows.w;
    layout.time = program_scale(view, layout.rows);
    return layout;
}

/* Adds an activity to the columns of its lane. */
static void add_activity(const struct view *view, const struct time_scale *time, uint32_t i,
                         struct program_column *columns)
{
    const struct activity *entry = &activities(&view->program->log)[i];
    const double a = time_x(time, entry->begin) - time->x, b = time_x(time, entry->end) - time->x;
    for (int x = a < 0 ? 0 : (int)a; x < time->w && (x < b || x == (int)a); x++) {
        const double from = a > x ? a : x, to = b < x + 1 ? b : x + 1;
        columns[x].all += to - from;
        if (columns[x].activity == VIEW_NONE || to - from > columns[x].most) {
            columns[x].activity = i;
            columns[x].most = to - from;
        }
    }
}

/* Draws a lane: colours by kind, the name where it fits; marks of the report without colours. */
static void draw_lane(struct view *view, struct grid *grid, struct rect row,
                      const struct program_column *columns)
{
    const struct theme *theme = view_theme(view);
    const struct activity *const all = activities(&view->program->log);
    for (int x = 0; x < row.w;) {
        const uint32_t activity = columns[x].activity;
        int end = x + 1;
        while (end < row.w && columns[end].activity == activity)
            end++;
        if (activity == VIEW_NONE) {
            x = end;
            continue;
        }
        const struct activity *entry = &all[activity];
        const struct program_look look = program_look(theme, entry->kind);
        const uint32_t ink = colour_on(look.colour);
        for (int i = x; i < end; i++) {
            const int eighths = (int)ceil(8 * (columns[i].all < 1 ? columns[i].all : 1));
            if (grid->plain)
                grid_put(grid, row.x + i, row.y,
                         (uint32_t)(uint8_t)activity_looks[entry->kind].ascii, ink, look.colour);
            else if (end - x > 1 || eighths >= 8)
                grid_put(grid, row.x + i, row.y, ' ', ink, look.colour);
            else /* as high as the share of the column's time */
                grid_ink(grid, row.x + i, row.y, grid_bar(grid, eighths), look.colour);
        }
        if (x && columns[x - 1].activity != VIEW_NONE && end - x > 1 && !grid->plain)
            grid_ink(grid, row.x + x, row.y, 0x2502, theme->ground);
        const struct rect text = {row.x + x + 1, row.y, end - x - 2, 1};
        if (text.w >= 4)
            grid_text(grid, text, ALIGN_LEFT, ink, entry->name);
        if (activity == view->place.activity)
            grid_style(grid, (struct rect){row.x + x, row.y, end - x, 1},
                       GRID_BOLD | GRID_UNDERLINE);
        if (view->pointer_y == row.y && view->pointer_x >= row.x + x &&
            view->pointer_x < row.x + end)
            view->target = (struct view_target){.kind = TARGET_ACTIVITY, .activity = activity};
        x = end;
    }
}

static void draw_lanes(struct view *view, struct grid *grid,
                       const struct tui_program_layout *layout)
{
    const struct theme *theme = view_theme(view);
    const struct activity_log *log = &view->program->log;
    const int first = (int)view->place.scroll, wide = layout->rows.w;
    const uint32_t selected =
        view->place.activity == VIEW_NONE ? VIEW_NONE : log->lane[view->place.activity];
    if (wide <= 0 || layout->rows.h <= 0)
        return;
    const size_t cells = (size_t)wide * (size_t)layout->rows.h;
    struct program_column *columns = malloc(cells * sizeof *columns);
    for (size_t i = 0; columns && i < cells; i++)
        columns[i] = (struct program_column){VIEW_NONE, 0, 0};
    for (uint32_t i = 0; columns && i < log->entries.count; i++) {
        const int row = (int)log->lane[i] - first;
        if (row >= 0 && row < layout->rows.h)
            add_activity(view, &layout->time, i, columns + (size_t)row * (size_t)wide);
    }
    for (int row = 0; columns && row < layout->rows.h; row++) {
        char text[32];
        const uint32_t lane = (uint32_t)(first + row);
        const int y = layout->rows.y + row;
        if (lane >= log->lane_count)
            break;
        (void)program_lane(log, lane, text);
        if (log->lanes[lane].part)
            text[0] = '\0';
        grid_text(grid, (struct rect){layout->labels.x, y, LABELS - 1, 1}, ALIGN_RIGHT,
                  lane == selected ? theme->accent : theme->quiet, text);
        draw_lane(view, grid, (struct rect){layout->rows.x, y, wide, 1},
                  columns + (size_t)row * (size_t)wide);
    }
    free(columns);
}

static void draw_axis(const struct view *view, struct grid *grid,
                      const struct tui_program_layout *layout)
{
    const struct activity_log *log = &view->program->log;
    const double from = layout->time.from - log->begin;
    const struct chart_axis axis = {from, from + layout->time.cycles_per_px * layout->axis.w,
                                    layout->axis.x, layout->axis.w};
    const double step = axis_step(&axis, axis.length / 14 < 1 ? 1 : axis.length / 14);
    const int64_t first = (int64_t)ceil(axis.low / step);
    for (int64_t tick = first; (double)tick * step < axis.high; tick++) {
        const double v = (double)tick * step;
        char text[32];
        const int x = (int)floor(axis_place(&axis, v));
        program_time(log, v + log->begin, step, text);
        if (x + 1 + grid_width(text) <= layout->axis.x + layout->axis.w) {
            grid_ink(grid, x, layout->axis.y, 0x2502, view_theme(view)->line);
            grid_text(grid, (struct rect){x + 1, layout->axis.y, 14, 1}, ALIGN_LEFT,
                      view_theme(view)->quiet, text);
        }
    }
}

static void draw_table_row(const struct view *view, struct grid *grid, struct rect line,
                           const struct program_row *row)
{
    const struct theme *theme = view_theme(view);
    const struct rect share = rect_cut_right(&line, 8);
    const struct rect time = rect_cut_right(&line, 9);
    const struct rect count = rect_cut_right(&line, row->count[0] ? 7 : 0);
    if (row->kind != ACTIVITY_KIND_COUNT) {
        const struct rect box = rect_cut_left(&line, 2);
        const struct program_look look = program_look(theme, row->kind);
        grid_put(grid, box.x, box.y, (uint32_t)(uint8_t)activity_looks[row->kind].ascii,
                 colour_on(look.colour), look.colour);
    }
    grid_text(grid, line, ALIGN_LEFT, theme->text, row->what);
    grid_text(grid, count, ALIGN_RIGHT, theme->quiet, row->count);
    grid_text(grid, time, ALIGN_RIGHT, theme->text, row->time);
    grid_text(grid, share, ALIGN_RIGHT, theme->text, row->share);
}

static void draw_legend(const struct view *view, struct grid *grid, struct rect line)
{
    for (unsigned kind = 0; kind < ACTIVITY_KIND_COUNT && line.w > 2; kind++) {
        const struct program_look look = program_look(view_theme(view), (enum activity_kind)kind);
        if (!view->program->log.count[kind])
            continue;
        grid_put(grid, line.x, line.y, (uint32_t)(uint8_t)activity_looks[kind].ascii,
                 colour_on(look.colour), look.colour);
        rect_cut_left(&line, 2);
        const int used =
            grid_text(grid, line, ALIGN_LEFT, view_theme(view)->text, activity_looks[kind].name);
        rect_cut_left(&line, used + 2);
    }
}

static void draw_tables(const struct view *view, struct grid *grid, struct rect area)
{
    const struct theme *theme = view_theme(view);
    const struct activity_log *log = &view->program->log;
    struct program_row shares[PROGRAM_SHARES], sums[SUMS];
    const double from = view->place.from > log->begin ? view->place.from : log->begin;
    const double to = view->place.to < log->end ? view->place.to : log->end;
    if (area.h <= 0 || to <= from)
        return;
    rect_cut_top(&area, 1);
    struct rect left = rect_cut_left(&area, area.w / 2 - 1);
    rect_cut_left(&area, 2);
    plot_title(grid, theme, &left, "On the device, in view", NULL);
    plot_title(grid, theme, &area, "Work, by name", NULL);
    program_share_rows(log, from, to, shares);
    for (size_t i = 0; i < PROGRAM_SHARES; i++)
        draw_table_row(view, grid, rect_cut_top(&left, 1), &shares[i]);
    const size_t count = program_sum_rows(log, from, to, sums, SUMS);
    for (size_t i = 0; i < count && area.h > 0; i++)
        draw_table_row(view, grid, rect_cut_top(&area, 1), &sums[i]);
}

void tui_program(struct view *view, struct grid *grid)
{
    char text[900];
    if (!view->program) {
        grid_paragraph(grid, view->area, view_theme(view)->text, program_absent, true);
        return;
    }
    const struct tui_program_layout layout = layout_of(view);
    view->time_area = layout.rows;
    view->shown_from = layout.time.from;
    view->shown_cycles_per_px = layout.time.cycles_per_px;
    view->content_rows = view->program->log.lane_count;
    view->shown_rows = layout.rows.h;
    if (view->place.activity != VIEW_NONE)
        view->selected_row = view->program->log.lane[view->place.activity];
    grid_fill(grid, layout.rows, view_theme(view)->panel);
    draw_axis(view, grid, &layout);
    draw_lanes(view, grid, &layout);
    plot_scrollbar(grid, view_theme(view), layout.bar, view->place.scroll, view->shown_rows,
                   view->content_rows);
    draw_tables(view, grid, layout.tables);
    draw_legend(view, grid, layout.legend);
    if (view->place.activity != VIEW_NONE)
        program_words(view, view->place.activity, text, sizeof text);
    if (layout.inspector.w > 0)
        grid_paragraph(grid, layout.inspector, view_theme(view)->text,
                       view->place.activity == VIEW_NONE
                           ? "Step with the arrow keys, or click a bar, to read about it here."
                           : text,
                       true);
    const bool pointed = view->target.kind == TARGET_ACTIVITY;
    program_describe(view, pointed                  ? view->target.activity
                           : layout.inspector.w > 0 ? VIEW_NONE
                                                    : view->place.activity);
}
