/* The screen Lanes by cycle: a row for each lane, time to the right. */
#include <math.h>
#include <stdlib.h>

#include "language/language.h"
#include "view/chart.h"
#include "view/rows.h"
#include "view/states.h"
#include "view/view_lanes.h"
#include "view/view_timeline.h"

enum {
    LANES = SIMSM_WARP_LANES,
    LEAST_TEXTURE = 6, /* least size of a cell that shows its texture, in pixels */
    STALE_PERCENT = 62 /* percent of the ground colour in a lane's colour while its warp waits */
};

struct lanes_area {
    struct rect labels, axis, state, efficiency, text, rows, legend;
    int row;
    struct time_scale time;
};

/*
 * Draws the legend: colours of lanes, then the states of the warp. Returns its height in device
 * pixels.
 */
static int draw_legend(const struct view *view, struct canvas *canvas, struct rect rect, bool draw)
{
    const struct theme *theme = view_theme(view);
    uint32_t on = theme->issue;
    uint32_t stale = colour_mix(on, theme->ground, STALE_PERCENT);
    const struct legend_entry entries[] = {
        {.colour = on, .text = _("lane takes part in the issue")},
        {.colour = stale, .text = _("took part; the warp waits for its next issue")},
        {.colour = theme->line, .ink = theme->text, .hatch = HATCH_DOTS, .text = _("switched off")},
        {.colour = colour_mix(theme->series[2], theme->ground, 30), .text = _("all 32 active")},
        {.colour = theme->warning, .text = _("fewer")}};
    int used = chart_legend(canvas, theme, rect, entries, sizeof entries / sizeof *entries, draw);
    rect_cut_top(&rect, used);
    return used + states_legend(view, canvas, rect, states_present(view), draw);
}

static struct lanes_area lanes_area_of(const struct view *view, struct canvas *canvas)
{
    const struct metrics *m = canvas_metrics(canvas);
    struct rect area = rect_inset(view->area, m->pad);
    struct lanes_area a = {.legend = {0}};
    if (view->options.legend) {
        a.legend = rect_cut_bottom(&area, draw_legend(view, canvas, area, false));
        rect_cut_bottom(&area, m->pad);
    }
    a.labels = rect_cut_left(&area, 8 * m->advance[TEXT_SMALL] + m->pad);
    a.axis = rect_cut_top(&area, m->line[TEXT_SMALL] + 2 * m->px);
    a.state = rect_cut_top(&area, m->line[TEXT_NORMAL] + m->px);
    rect_cut_top(&area, m->pad);
    a.efficiency = rect_cut_top(&area, 3 * m->line[TEXT_SMALL]);
    rect_cut_top(&area, m->pad);
    a.text = rect_cut_bottom(&area, 2 * m->line[TEXT_SMALL]);
    rect_cut_bottom(&area, m->pad);
    a.row = area.h / LANES;
    a.rows = area;
    a.rows.h = a.row * LANES;
    a.time = time_scale_of(view, area);
    return a;
}

static void draw_label(const struct view *view, struct canvas *canvas, const struct lanes_area *a,
                       int y, const char *text)
{
    const struct metrics *m = canvas_metrics(canvas);
    struct rect label = {a->labels.x, y, a->labels.w - m->pad, m->line[TEXT_SMALL]};
    canvas_text_in(canvas, label, TEXT_SMALL, ALIGN_RIGHT, view_theme(view)->quiet, text);
}

static void draw_labels(const struct view *view, struct canvas *canvas, const struct lanes_area *a)
{
    const struct metrics *m = canvas_metrics(canvas);
    int every = a->row >= m->line[TEXT_SMALL] ? 1 : a->row * 4 >= m->line[TEXT_SMALL] ? 4 : 8;
    for (int lane = 0; lane < LANES; lane += every) {
        char text[20];
        int middle = (a->row - m->line[TEXT_SMALL]) / 2;
        (void)snprintf(text, sizeof text, _("lane %d"), lane);
        draw_label(view, canvas, a, a->rows.y + lane * a->row + (every == 1 ? middle : -m->px),
                   text);
    }
    int below = a->efficiency.y + a->efficiency.h - m->line[TEXT_SMALL];
    draw_label(view, canvas, a, a->efficiency.y, "32");
    draw_label(view, canvas, a, (a->efficiency.y + below) / 2, _("active"));
    draw_label(view, canvas, a, below, "0");
}

/*
 * An issue in device pixels: its cycle from x to `fresh`, then the wait for the next issue until
 * `end`.
 */
struct lane_cell {
    int x, fresh, end;
};

static struct lane_cell cell_of(const struct lanes_area *a, uint64_t cycle, double until)
{
    struct lane_cell cell = {.x = (int)floor(time_x(&a->time, (double)cycle)),
                             .fresh = (int)floor(time_x(&a->time, (double)cycle + 1)),
                             .end = (int)floor(time_x(&a->time, until))};
    cell.fresh = cell.fresh > cell.x ? cell.fresh : cell.x + 1;
    cell.end = cell.end > cell.fresh ? cell.end : cell.fresh;
    return cell;
}

/* A column of pixels. If several issues share it, it shows the lanes of the last issue. */
struct lane_column {
    uint32_t mask;
    bool any, fresh;
    /* The bar of active lanes above the column: the last issue is in front of earlier ones. */
    bool all;    /* an issue of the column has all lanes active */
    uint8_t few; /* most active lanes of an issue after it; 0: none */
};

static void put_issue(struct lane_column *columns, const struct lanes_area *a,
                      const struct lane_cell *cell, uint32_t mask)
{
    int first = cell->x > a->rows.x ? cell->x - a->rows.x : 0;
    int end = cell->end - a->rows.x < a->rows.w ? cell->end - a->rows.x : a->rows.w;
    uint8_t active = (uint8_t)__builtin_popcount(mask);
    for (int i = first; i < end; i++) {
        struct lane_column *column = &columns[i];
        column->mask = mask;
        column->any = true;
        column->fresh = i < cell->fresh - a->rows.x;
        column->all = column->all || active == LANES;
        column->few = active == LANES ? 0 : active > column->few ? active : column->few;
    }
}

static void draw_lanes(const struct view *view, struct canvas *canvas, const struct lanes_area *a,
                       const struct lane_column *columns, struct canvas_band *bands)
{
    const struct theme *theme = view_theme(view);
    uint32_t on = theme->issue;
    uint32_t stale = colour_mix(on, theme->ground, STALE_PERCENT);
    int h = a->row - (a->row >= 5 ? canvas_metrics(canvas)->px : 0);
    for (int lane = 0; lane < LANES; lane++) {
        for (int i = 0; i < a->rows.w; i++) {
            const struct lane_column *c = &columns[i];
            bool active = c->mask >> lane & 1;
            uint32_t colour = active ? c->fresh ? on : stale : theme->line;
            bands[i] = (struct canvas_band){h, c->any ? colour : CANVAS_KEEP};
        }
        canvas_columns(canvas, (struct rect){a->rows.x, a->rows.y + lane * a->row, a->rows.w, h},
                       bands, 1);
    }
}

static void draw_bars(const struct view *view, struct canvas *canvas, const struct lanes_area *a,
                      const struct lane_column *columns, struct canvas_band *bands)
{
    const struct theme *theme = view_theme(view);
    uint32_t whole = colour_mix(theme->series[2], theme->ground, 30);
    int h = a->efficiency.h;
    for (int i = 0; i < a->rows.w; i++) {
        int few = h - h * columns[i].few / LANES;
        bands[2 * i] = (struct canvas_band){few, columns[i].all ? whole : CANVAS_KEEP};
        bands[2 * i + 1] = (struct canvas_band){h, theme->warning};
    }
    canvas_columns(canvas, (struct rect){a->rows.x, a->efficiency.y, a->rows.w, h}, bands, 2);
}

/* Draws a texture on lanes that are switched off, if the cell is large enough. */
static void draw_textures(const struct view *view, struct canvas *canvas,
                          const struct lanes_area *a, const struct lane_cell *cell, uint32_t mask)
{
    const struct theme *theme = view_theme(view);
    uint32_t ink = colour_mix(theme->line, theme->text, 35);
    int h = a->row - (a->row >= 5 ? canvas_metrics(canvas)->px : 0);
    if (cell->end - cell->x < LEAST_TEXTURE || h < LEAST_TEXTURE)
        return;
    for (int lane = 0; lane < LANES; lane++) {
        int y = a->rows.y + lane * a->row;
        if (mask >> lane & 1)
            continue;
        if (cell->fresh - cell->x >= LEAST_TEXTURE)
            canvas_hatch(canvas, (struct rect){cell->x, y, cell->fresh - cell->x, h}, HATCH_DOTS,
                         ink);
        if (cell->end - cell->fresh >= LEAST_TEXTURE)
            canvas_hatch(canvas, (struct rect){cell->fresh, y, cell->end - cell->fresh, h},
                         HATCH_DOTS, ink);
    }
}

/*
 * Draws the texture and the text of issue `i`, and describes the issue if the pointer is over it.
 * `after` is the cycle at which the room for the text ends.
 */
static void draw_issue(struct view *view, struct canvas *canvas, const struct lanes_area *a,
                       const struct warp_issues *w, uint32_t i, const struct lane_cell *cell,
                       double after)
{
    const struct metrics *m = canvas_metrics(canvas);
    draw_textures(view, canvas, a, cell, w->issues[i].mask);
    /* Texts alternate between two lines, so that each has the room of two issues. */
    int next = (int)floor(time_x(&a->time, after));
    struct rect text = {cell->x + m->px, a->text.y + (int)(i % 2) * m->line[TEXT_SMALL],
                        next - cell->x - 2 * m->px, m->line[TEXT_SMALL]};
    if (text.w >= 4 * m->advance[TEXT_SMALL])
        canvas_text_in(canvas, text, TEXT_SMALL, ALIGN_LEFT, view_theme(view)->text,
                       lanes_text(w, i));
    struct rect column = {cell->x, a->efficiency.y, cell->end - cell->x,
                          a->text.y + a->text.h - a->efficiency.y};
    if (rect_has(column, view->pointer_x, view->pointer_y))
        lanes_describe(view, w, i);
}

static void draw_issues(struct view *view, struct canvas *canvas, const struct lanes_area *a,
                        const struct history *history)
{
    uint32_t slot = lanes_slot(view);
    double to = time_cycle(&a->time, a->rows.x + a->rows.w);
    struct warp_issues w = lanes_issues(history, slot, a->time.from, to);
    size_t width = (size_t)(a->rows.w > 0 ? a->rows.w : 0);
    struct lane_column *columns = calloc(width + 1, sizeof *columns);
    struct canvas_band *bands = calloc(2 * width + 1, sizeof *bands);
    for (uint32_t i = w.first; columns && bands && i < w.end; i++) {
        struct lane_cell cell = cell_of(a, w.issues[i].cycle, lanes_until(view, history, slot, i));
        put_issue(columns, a, &cell, w.issues[i].mask);
    }
    if (columns && bands) {
        draw_lanes(view, canvas, a, columns, bands);
        draw_bars(view, canvas, a, columns, bands);
    }
    free(columns);
    free(bands);
    for (uint32_t i = w.first; i < w.end; i++) {
        double until = lanes_until(view, history, slot, i);
        double after =
            i + 2 < history->slot[slot].issue_count ? (double)w.issues[i + 2].cycle : until;
        struct lane_cell cell = cell_of(a, w.issues[i].cycle, until);
        draw_issue(view, canvas, a, &w, i, &cell, after > until ? after : until);
    }
}

/*
 * Draws the mean of the active lanes as a level, when there are too many cycles for single issues.
 * The level tells neither lanes nor warps of the scheduler apart.
 */
static void draw_density(struct view *view, struct canvas *canvas, const struct lanes_area *a,
                         struct track *track, double to)
{
    const struct metrics *m = canvas_metrics(canvas);
    const struct theme *theme = view_theme(view);
    uint32_t sub = lanes_slot(view) % run_info(view->run)->sub_partitions;
    size_t width = (size_t)(a->rows.w > 0 ? a->rows.w : 0);
    double *lanes = calloc(width + 1, sizeof *lanes);
    struct canvas_band *bands = calloc(2 * width + 1, sizeof *bands);
    uint32_t on = colour_mix(theme->issue, theme->ground, 30);
    if (lanes && bands && width)
        track_lanes(track, sub, a->time.from, to, lanes, (uint32_t)width);
    for (size_t i = 0; lanes && bands && i < width; i++) {
        int off = isnan(lanes[i]) ? 0 : a->rows.h - (int)lround(a->rows.h * lanes[i] / LANES);
        bands[2 * i] = (struct canvas_band){off, theme->warning};
        bands[2 * i + 1] = (struct canvas_band){a->rows.h, isnan(lanes[i]) ? CANVAS_KEEP : on};
    }
    if (bands)
        canvas_columns(canvas, a->rows, bands, 2);
    for (int part = 0; part <= 4; part++) {
        char text[8];
        (void)snprintf(text, sizeof text, "%d", LANES - LANES / 4 * part);
        draw_label(view, canvas, a, a->rows.y + a->rows.h * part / 4 - m->line[TEXT_SMALL] / 2,
                   text);
    }
    struct rect title = {a->rows.x, a->efficiency.y, a->rows.w, a->efficiency.h};
    canvas_paragraph(
        canvas, title, TEXT_NORMAL, theme->text,
        _("Mean of the active lanes of what this slot's scheduler issued, orange what is "
          "missing to 32. Zoom in for single lanes of the warp, or press m for a list of "
          "its instructions."),
        true);
    int x = view->pointer_x - a->rows.x;
    char cycle[32];
    if (lanes && rect_has(a->rows, view->pointer_x, view->pointer_y) && !isnan(lanes[x]))
        (void)snprintf(view->status, sizeof view->status,
                       _("cycle %s   sub-partition %u: %.1f of 32 lanes active on average"),
                       chart_cycles((uint64_t)time_cycle(&a->time, view->pointer_x), cycle), sub,
                       lanes[x]);
    free(lanes);
    free(bands);
}

static void draw_single(struct view *view, struct canvas *canvas, const struct lanes_area *a,
                        const struct history *history, struct rect clip)
{
    draw_labels(view, canvas, a);
    struct rect saved = canvas_clip(canvas, clip);
    if (history)
        draw_issues(view, canvas, a, history);
    canvas_unclip(canvas, saved);
}

void lanes_by_cycle(struct view *view, struct canvas *canvas, struct track *track,
                    const struct history *history)
{
    const struct theme *theme = view_theme(view);
    const struct metrics *m = canvas_metrics(canvas);
    struct lanes_area a = lanes_area_of(view, canvas);
    view->time_area = a.rows;
    view->shown_from = a.time.from;
    view->shown_cycles_per_px = a.time.cycles_per_px;
    double to = time_cycle(&a.time, a.rows.x + a.rows.w);
    chart_time_axis(canvas, theme, a.axis, a.rows, a.time.from, a.time.cycles_per_px);
    draw_label(view, canvas, &a, a.state.y + m->px, _("state"));
    struct rect clip = {a.rows.x, a.axis.y, a.rows.w, a.text.y + a.text.h - a.axis.y};
    struct rect saved = canvas_clip(canvas, clip);
    row_draw(view, canvas, track, lanes_slot(view), a.state, &a.time);
    canvas_unclip(canvas, saved);
    if (to - a.time.from > LANES_MOST_CYCLES)
        draw_density(view, canvas, &a, track, to);
    else
        draw_single(view, canvas, &a, history, clip);
    if (rect_has(a.state, view->pointer_x, view->pointer_y) &&
        time_cycle(&a.time, view->pointer_x) >= 0)
        timeline_describe_cell(view, track, lanes_slot(view),
                               (uint64_t)time_cycle(&a.time, view->pointer_x));
    time_cursor(view, canvas, clip, &a.time);
    if (a.legend.h)
        (void)draw_legend(view, canvas, a.legend, true);
}
