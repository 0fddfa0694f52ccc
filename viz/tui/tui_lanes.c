/* The screen Lanes in a terminal: which of a warp's 32 lanes take part in each instruction. */
#include "view/view_lanes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tui/tui_plot.h"
#include "tui/tui_screens.h"
#include "view/chart.h"
#include "view/rows.h"

enum { LANES = SIMSM_WARP_LANES, LABELS = 8, WIDE = 72 };

/*
 * Returns the sign of `of_cell` lanes in a cell: one lane as a block, two as halves, four as rows
 * of dots. The shape alone shows the lanes, without colour.
 */
static uint32_t sign_of(uint32_t mask, int lane, int of_cell)
{
    static const uint8_t dots[4] = {0x09, 0x12, 0x24, 0xc0};
    static const uint32_t halves[4] = {0x00b7, 0x2580, 0x2584, 0x2588};
    uint32_t bits = 0;
    if (of_cell == 1)
        return mask >> lane & 1 ? 0x2588 : 0x00b7;
    if (of_cell == 2)
        return halves[mask >> lane & 3];
    for (int i = 0; i < 4; i++)
        bits |= mask >> (lane + i) & 1 ? dots[i] : 0;
    return bits ? 0x2800 | bits : 0x00b7;
}

/* ---- By cycle: a line for each lane or group of lanes, time to the right ---- */

struct tui_lanes_area {
    struct rect axis, active, rows, labels, text;
    int of_cell; /* lanes in a line: 1, 2 or 4 */
    struct time_scale time;
};

static struct tui_lanes_area area_of(const struct view *view, const struct grid *grid,
                                     struct rect rect)
{
    struct tui_lanes_area a = {.of_cell = 1};
    a.labels = rect_cut_left(&rect, LABELS);
    a.axis = rect_cut_top(&rect, 1);
    a.active = rect_cut_top(&rect, rect.h > 12 ? 1 : 0);
    while (LANES / a.of_cell > rect.h - 2 && a.of_cell < 4)
        a.of_cell *= 2;
    if (grid->ascii && a.of_cell == 4) /* four lanes in a cell need braille */
        a.of_cell = 2;
    a.rows = rect_cut_top(&rect, LANES / a.of_cell);
    a.text = rect_cut_top(&rect, 2);
    a.time = time_scale_of(view, a.rows);
    return a;
}

static void draw_issue(struct view *view, struct grid *grid, const struct tui_lanes_area *a,
                       const struct warp_issues *w, uint32_t i, double until, double after)
{
    const struct theme *theme = view_theme(view);
    const struct timeline_issue *issue = &w->issues[i];
    uint32_t on = theme->issue;
    int x = (int)floor(time_x(&a->time, (double)issue->cycle));
    int fresh = (int)floor(time_x(&a->time, (double)issue->cycle + 1));
    int end = (int)floor(time_x(&a->time, until));
    int next = (int)floor(time_x(&a->time, after));
    int active = __builtin_popcount(issue->mask);
    fresh = fresh > x ? fresh : x + 1;
    end = end > fresh ? end : fresh;
    for (int at = x < a->rows.x ? a->rows.x : x; at < end && at < a->rows.x + a->rows.w; at++) {
        uint32_t colour = at < fresh ? on : colour_mix(on, theme->ground, 55);
        for (int lane = 0; lane < LANES; lane += a->of_cell) {
            uint32_t sign = sign_of(issue->mask, lane, a->of_cell);
            grid_put(grid, at, a->rows.y + lane / a->of_cell, sign,
                     sign == 0x00b7 ? theme->quiet : colour, theme->panel);
        }
        if (a->active.h)
            grid_put(grid, at, a->active.y, grid_bar(grid, (active + 3) / 4),
                     active == LANES ? theme->series[2] : theme->warning, theme->panel);
    }
    /* Texts alternate between two lines, so that each has the room of two issues. */
    struct rect text = {x, a->text.y + (int)(i % 2), next - x - 1, 1};
    if (text.w >= 4 && a->text.h > (int)(i % 2) && x >= a->rows.x)
        grid_text(grid, text, ALIGN_LEFT, theme->text, lanes_text(w, i));
    struct rect column = {x, a->axis.y, end - x, a->text.y + a->text.h - a->axis.y};
    if (rect_has(column, view->pointer_x, view->pointer_y))
        lanes_describe(view, w, i);
}

static void draw_labels(const struct view *view, struct grid *grid, const struct tui_lanes_area *a)
{
    const struct theme *theme = view_theme(view);
    int every = a->of_cell == 1 ? 1 : 2;
    for (int line = 0; line < a->rows.h; line += every) {
        char text[20];
        (void)snprintf(text, sizeof text, "lane %d", line * a->of_cell);
        grid_text(grid, (struct rect){a->labels.x, a->rows.y + line, LABELS - 1, 1}, ALIGN_RIGHT,
                  theme->quiet, text);
    }
    if (a->active.h)
        grid_text(grid, (struct rect){a->labels.x, a->active.y, LABELS - 1, 1}, ALIGN_RIGHT,
                  theme->quiet, "active");
}

static void draw_by_cycle(struct view *view, struct grid *grid, const struct history *history,
                          struct rect rect)
{
    struct tui_lanes_area a = area_of(view, grid, rect);
    view->time_area = a.rows;
    view->shown_from = a.time.from;
    view->shown_cycles_per_px = a.time.cycles_per_px;
    double to = time_cycle(&a.time, a.rows.x + a.rows.w);
    plot_time(grid, view, a.axis, a.time.from, a.time.cycles_per_px);
    draw_labels(view, grid, &a);
    if (!history) {
        if (to - a.time.from > LANES_MOST_CYCLES)
            grid_paragraph(grid, a.rows, view_theme(view)->text,
                           "These are too many cycles to show instructions one by one: zoom in "
                           "with w or the wheel, or press m for a list of them.",
                           true);
        return;
    }
    uint32_t slot = lanes_slot(view);
    const struct history_slot *row = &history->slot[slot];
    struct warp_issues w = lanes_issues(history, slot, a.time.from, to);
    struct rect saved = grid_clip(
        grid, (struct rect){a.rows.x, a.axis.y, a.rows.w, a.text.y + a.text.h - a.axis.y});
    for (uint32_t i = w.first; i < w.end; i++) {
        double until = lanes_until(view, history, slot, i);
        double after = i + 2 < row->issue_count ? (double)w.issues[i + 2].cycle : until;
        draw_issue(view, grid, &a, &w, i, until, after > until ? after : until);
    }
    struct rect through = {a.rows.x, a.active.y, a.rows.w, a.active.h + a.rows.h};
    plot_cursor(grid, view, through, a.time.from, a.time.cycles_per_px);
    grid_unclip(grid, saved);
}

/* ---- By instruction: a list, lanes to the right ---- */

static void draw_row(struct view *view, struct grid *grid, struct rect row,
                     const struct warp_issues *w, uint32_t i, int depth)
{
    const struct theme *theme = view_theme(view);
    char text[32];
    uint32_t mask = w->issues[i].mask;
    bool here = view->selected_row == i - w->first;
    struct rect rest = row;
    int of_cell = row.w >= WIDE ? 1 : 2;
    if (here) {
        grid_tint(grid, row, theme->accent, 30);
        grid_style(grid, row, GRID_BOLD);
    }
    grid_text(grid, rect_cut_left(&rest, 9), ALIGN_RIGHT, here ? theme->accent : theme->quiet,
              chart_cycles(w->issues[i].cycle, text));
    rect_cut_left(&rest, 1);
    struct rect share = rect_cut_right(&rest, 6);
    struct rect lanes = rect_cut_right(&rest, LANES / of_cell);
    rect_cut_right(&rest, 1);
    (void)snprintf(text, sizeof text, "%d", __builtin_popcount(mask));
    grid_text(grid, share, ALIGN_RIGHT, mask == UINT32_MAX ? theme->quiet : theme->warning, text);
    /* Nested regions are bars at the left of the text. */
    for (int d = 0; d < depth && rest.w > 8; d++)
        grid_ink(grid, rect_cut_left(&rest, 1).x, row.y, 0x2503, theme->series[d % 8]);
    grid_text(grid, rest, ALIGN_LEFT, theme->text, lanes_text(w, i));
    for (int lane = 0; lane < LANES; lane += of_cell) {
        static const uint32_t pair[4] = {0x00b7, 0x258c, 0x2590, 0x2588};
        uint32_t sign = of_cell == 2 ? pair[mask >> lane & 3] : sign_of(mask, lane, 1);
        grid_ink(grid, lanes.x + lane / of_cell, row.y, sign,
                 sign == 0x00b7 ? theme->quiet : theme->issue);
    }
    if (rect_has(row, view->pointer_x, view->pointer_y))
        lanes_describe(view, w, i);
}

static void draw_by_instruction(struct view *view, struct grid *grid, const struct warp_issues *w,
                                struct rect area)
{
    const struct theme *theme = view_theme(view);
    struct rect head = rect_cut_top(&area, 1);
    grid_text(grid, (struct rect){head.x, head.y, 9, 1}, ALIGN_RIGHT, theme->quiet, "cycle");
    grid_text(grid, (struct rect){head.x + 10, head.y, 20, 1}, ALIGN_LEFT, theme->quiet,
              "instruction");
    head.w--;
    grid_text(grid, head, ALIGN_RIGHT, theme->quiet,
              area.w >= WIDE ? "lanes 0 to 31, active" : "lanes");
    view->content_rows = w->end - w->first;
    view->shown_rows = area.h;
    for (uint32_t i = w->first; i < w->end && view_has_cycle(&view->place); i++)
        if (w->issues[i].cycle <= view->place.cycle)
            view->selected_row = i - w->first;
    plot_scrollbar(grid, theme, area, view->place.scroll, view->shown_rows, view->content_rows);
    rect_cut_right(&area, 1);
    uint32_t begin = w->first + (uint32_t)view->place.scroll;
    struct regions regions = regions_open(w);
    for (uint32_t i = w->first; i < w->end && area.h > 0; i++) {
        uint32_t mask = w->issues[i].mask;
        regions_before(&regions, mask);
        if (i >= begin)
            draw_row(view, grid, rect_cut_top(&area, 1), w, i, regions.depth);
        regions_after(&regions, lanes_text(w, i), mask);
    }
}

void tui_lanes(struct view *view, struct grid *grid)
{
    struct rect area = view->area;
    struct track *track = view_track(view);
    char note[200];
    if (!track)
        return;
    double from;
    double to;
    const struct history *history = lanes_load(view, track, &from, &to);
    struct warp_issues w = {.issues = NULL};
    if (history)
        w = lanes_issues(history, lanes_slot(view), from, to);
    lanes_note(view, track, history ? &w : NULL, note, sizeof note);
    grid_text(grid, rect_cut_top(&area, 1), ALIGN_LEFT, view_theme(view)->quiet, note);
    if (!view->options.by_instruction)
        draw_by_cycle(view, grid, history, area);
    else if (history)
        draw_by_instruction(view, grid, &w, area);
}
