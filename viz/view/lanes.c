/* Lanes: which of a warp's 32 lanes take part in each instruction. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "view/chart.h"
#include "view/csv.h"
#include "view/lanes.h"
#include "view/rows.h"
#include "view/screens.h"

enum {
    LANES = SIMSM_WARP_LANES,
    MOST_CYCLES = LANES_MOST_CYCLES,
    LEAST_TEXTURE = 6 /* pixels of a cell with its texture */
};

uint32_t lanes_slot(const struct view *view)
{
    return view->place.slot == VIEW_NONE ? 0 : view->place.slot;
}

const char *lanes_text(const struct warp_issues *w, uint32_t i)
{
    uint32_t pc = w->issues[i].pc;
    return pc < w->info->line_count ? w->info->lines[pc].text : "(unknown instruction)";
}

static bool is_op(const char *text, const char *op)
{
    return strncmp(view_operation(text), op, strlen(op)) == 0;
}

void regions_before(struct regions *r, uint32_t mask)
{
    while (r->depth && ((mask & ~r->region[r->depth - 1].entered) ||
                        r->region[r->depth - 1].arrived == r->region[r->depth - 1].entered))
        r->depth--;
}

void regions_after(struct regions *r, const char *text, uint32_t mask)
{
    if (is_op(text, "BSYNC") && r->depth) {
        r->region[r->depth - 1].arrived |= mask;
    } else if (is_op(text, "BSSY") && r->depth < REGIONS_MOST) {
        r->region[r->depth].entered = mask;
        r->region[r->depth].arrived = 0;
        r->depth++;
    }
}

static const struct history *load(struct view *view, struct track *track, double from, double to)
{
    const struct history *history = NULL;
    struct simsm_error error;
    if (track_slot_history(track, lanes_slot(view), (uint64_t)(from > 0 ? from : 0),
                           (uint64_t)to + 1, &history, &error) != SIMSM_OK)
        (void)snprintf(view->problem, sizeof view->problem, "%.250s", error.message);
    return history;
}

struct warp_issues lanes_issues(const struct history *history, uint32_t slot, double from,
                                double to)
{
    const struct history_slot *row = &history->slot[slot];
    struct warp_issues w = {.issues = row->issues, .info = history->info};
    w.first = from > 0 ? history_issues_until(history, slot, (uint64_t)from) : 0;
    w.first = w.first ? w.first - 1 : 0;
    for (w.end = w.first; w.end < row->issue_count && (double)row->issues[w.end].cycle < to;)
        w.end++;
    return w;
}

static void draw_lane(struct canvas *canvas, const struct theme *theme, struct rect cell,
                      bool active, bool fresh)
{
    uint32_t on = theme->states[SIMSM_STATE_ISSUED].colour;
    uint32_t colour = active ? fresh ? on : colour_mix(on, theme->ground, 62) : theme->line;
    canvas_fill(canvas, cell, colour);
    if (!active && cell.w >= LEAST_TEXTURE && cell.h >= LEAST_TEXTURE)
        canvas_hatch(canvas, cell, HATCH_DOTS, colour_mix(theme->line, theme->text, 35));
}

/* ---- By cycle: lanes below one another, time to the right ---- */

struct lanes_area {
    struct rect labels, axis, efficiency, text, rows;
    int row;
    struct time_scale time;
};

static struct lanes_area lanes_area_of(const struct view *view, struct canvas *canvas)
{
    const struct metrics *m = canvas_metrics(canvas);
    struct rect area = rect_inset(view->area, m->pad);
    struct lanes_area a = {.labels = rect_cut_left(&area, 8 * m->advance[TEXT_SMALL] + m->pad)};
    a.axis = rect_cut_top(&area, m->line[TEXT_SMALL] + 2 * m->px);
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

static void draw_labels(const struct view *view, struct canvas *canvas, const struct lanes_area *a)
{
    const struct metrics *m = canvas_metrics(canvas);
    const struct theme *theme = view_theme(view);
    int every = a->row >= m->line[TEXT_SMALL] ? 1 : a->row * 4 >= m->line[TEXT_SMALL] ? 4 : 8;
    for (int lane = 0; lane < LANES; lane += every) {
        char text[20];
        struct rect label = {a->labels.x, a->rows.y + lane * a->row, a->labels.w - m->pad,
                             m->line[TEXT_SMALL]};
        label.y += every == 1 ? (a->row - label.h) / 2 : -m->px;
        (void)snprintf(text, sizeof text, "lane %d", lane);
        canvas_text_in(canvas, label, TEXT_SMALL, ALIGN_RIGHT, theme->quiet, text);
    }
    struct rect label = {a->labels.x, a->efficiency.y, a->labels.w - m->pad, m->line[TEXT_SMALL]};
    canvas_text_in(canvas, label, TEXT_SMALL, ALIGN_RIGHT, theme->quiet, "active");
}

void lanes_describe(struct view *view, const struct warp_issues *w, uint32_t i)
{
    char cycle[32];
    int active = __builtin_popcount(w->issues[i].mask);
    (void)snprintf(view->status, sizeof view->status,
                   "cycle %s   %.100s   %d of 32 lanes (%d %%), mask 0x%08x",
                   chart_cycles(w->issues[i].cycle, cycle), lanes_text(w, i), active,
                   active * 100 / 32, w->issues[i].mask);
    view->target = (struct view_target){.kind = TARGET_CELL,
                                        .sm = view->place.sm,
                                        .slot = lanes_slot(view),
                                        .cycle = w->issues[i].cycle};
}

/* An issue in device pixels: its cycle, and how long its lanes stand as they were. */
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

/* What a column of pixels shows: of issues that share it, the lanes of the last one. */
struct lane_column {
    uint32_t mask;
    bool any, fresh;
    /* The bar above it: issues lie over one another, the last one in front. */
    bool all;    /* an issue with all lanes */
    uint8_t few; /* most active lanes of those after it */
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
    uint32_t on = theme->states[SIMSM_STATE_ISSUED].colour;
    uint32_t stale = colour_mix(on, theme->ground, 62);
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

/* Lanes that are switched off have a texture too, where there is room. */
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

/* Texture and text of an issue, and what is said of it under the pointer. */
static void draw_issue(struct view *view, struct canvas *canvas, const struct lanes_area *a,
                       const struct warp_issues *w, uint32_t i, const struct lane_cell *cell,
                       double after)
{
    const struct metrics *m = canvas_metrics(canvas);
    draw_textures(view, canvas, a, cell, w->issues[i].mask);
    /* Texts take turns on two lines, so that each has the room of two. */
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

double lanes_until(const struct view *view, const struct history *history, uint32_t slot,
                   uint32_t i)
{
    const struct history_slot *row = &history->slot[slot];
    const struct timeline_span *span = history_span_at(history, slot, row->issues[i].cycle);
    double until =
        i + 1 < row->issue_count ? (double)row->issues[i + 1].cycle : (double)history->end;
    for (; span && span < row->spans + row->span_count && (double)span->from < until; span++)
        if (run_known_state(view->run, span->state) == SIMSM_STATE_EMPTY)
            until = (double)span->from;
    return until;
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

static void draw_by_cycle(struct view *view, struct canvas *canvas, struct track *track)
{
    const struct theme *theme = view_theme(view);
    struct lanes_area a = lanes_area_of(view, canvas);
    view->time_area = a.rows;
    view->shown_from = a.time.from;
    view->shown_cycles_per_px = a.time.cycles_per_px;
    double to = time_cycle(&a.time, a.rows.x + a.rows.w);
    chart_time_axis(canvas, theme, a.axis, a.rows, a.time.from, a.time.cycles_per_px);
    draw_labels(view, canvas, &a);
    if (to - a.time.from > MOST_CYCLES) {
        chart_note(canvas, theme, a.rows,
                   "These are too many cycles to show instructions one by one: zoom in with the "
                   "wheel or w, or press m for a list of them.");
        return;
    }
    const struct history *history = load(view, track, a.time.from, to);
    if (!history)
        return;
    struct rect clip = {a.rows.x, a.axis.y, a.rows.w, a.text.y + a.text.h - a.axis.y};
    struct rect saved = canvas_clip(canvas, clip);
    draw_issues(view, canvas, &a, history);
    time_cursor(view, canvas, clip, &a.time);
    canvas_unclip(canvas, saved);
}

/* ---- By instruction: one below the other, lanes to the right ---- */

static void draw_row(struct view *view, struct canvas *canvas, struct rect row,
                     const struct warp_issues *w, uint32_t i, int depth)
{
    const struct metrics *m = canvas_metrics(canvas);
    const struct theme *theme = view_theme(view);
    char text[32];
    int a = m->advance[TEXT_NORMAL];
    uint32_t mask = w->issues[i].mask;
    struct rect rest = row;
    canvas_text_in(canvas, rect_cut_left(&rest, 10 * a), TEXT_NORMAL, ALIGN_RIGHT, theme->quiet,
                   chart_cycles(w->issues[i].cycle, text));
    rect_cut_left(&rest, a);
    struct rect lanes = rect_cut_right(&rest, row.w / 2);
    (void)snprintf(text, sizeof text, "%d %%", __builtin_popcount(mask) * 100 / LANES);
    struct rect share = rect_cut_right(&lanes, 7 * a);
    canvas_text_in(canvas, share, TEXT_NORMAL, ALIGN_RIGHT,
                   mask == UINT32_MAX ? theme->quiet : theme->warning, text);
    /* Regions stand in one another as brackets at the left of the text. */
    for (int d = 0; d < depth && d < REGIONS_MOST; d++) {
        struct rect bracket = rect_cut_left(&rest, 2 * a);
        canvas_fill(canvas, (struct rect){bracket.x + a / 2, row.y, 2 * m->px, row.h},
                    theme->series[d % 8]);
    }
    canvas_text_in(canvas, rest, TEXT_NORMAL, ALIGN_LEFT, theme->text, lanes_text(w, i));
    int size = lanes.w / LANES;
    for (int lane = 0; lane < LANES; lane++) {
        struct rect cell = {lanes.x + lane * size, row.y + m->px,
                            size - m->px - (lane % 8 == 7 ? m->px : 0), row.h - 2 * m->px};
        draw_lane(canvas, theme, cell, mask >> lane & 1, true);
    }
    if (rect_has(row, view->pointer_x, view->pointer_y)) {
        canvas_blend(canvas, row, theme->text, 16);
        lanes_describe(view, w, i);
    }
    if (view->selected_row == i - w->first)
        canvas_frame(canvas, row, m->px, theme->accent);
}

static void draw_heads(const struct view *view, struct canvas *canvas, struct rect row)
{
    const struct metrics *m = canvas_metrics(canvas);
    uint32_t colour = view_theme(view)->quiet;
    int a = m->advance[TEXT_NORMAL];
    rect_cut_right(&row, m->pad);
    struct rect lanes = {row.x + row.w - row.w / 2, row.y, row.w / 2, row.h};
    canvas_text_in(canvas, lanes, TEXT_NORMAL, ALIGN_RIGHT, colour, "active");
    canvas_text_in(canvas, lanes, TEXT_NORMAL, ALIGN_LEFT, colour, "lanes 0 to 31");
    canvas_text_in(canvas, rect_cut_left(&row, 10 * a), TEXT_NORMAL, ALIGN_RIGHT, colour, "cycle");
    rect_cut_left(&row, a);
    canvas_text_in(canvas, row, TEXT_NORMAL, ALIGN_LEFT, colour, "instruction");
}

static void draw_by_instruction(struct view *view, struct canvas *canvas, struct track *track)
{
    const struct metrics *m = canvas_metrics(canvas);
    struct rect area = rect_inset(view->area, m->pad);
    int line = m->line[TEXT_NORMAL] + 2 * m->px;
    double from = view->place.from;
    const struct history *history = load(view, track, from, from + MOST_CYCLES / 4.0);
    if (!history)
        return;
    uint32_t slot = lanes_slot(view);
    struct warp_issues w = lanes_issues(history, slot, from, from + MOST_CYCLES / 4.0);
    draw_heads(view, canvas, rect_cut_top(&area, line));
    view->content_rows = w.end - w.first;
    view->shown_rows = area.h / line;
    uint32_t begin = w.first + (uint32_t)view->place.scroll;
    struct regions regions = {.depth = 0};
    chart_scrollbar(canvas, view_theme(view), area, view->place.scroll, view->shown_rows,
                    view->content_rows);
    for (uint32_t i = w.first; i < w.end && view_has_cycle(&view->place); i++)
        if (w.issues[i].cycle <= view->place.cycle)
            view->selected_row = i - w.first;
    rect_cut_right(&area, m->pad);
    for (uint32_t i = w.first; i < w.end && area.h >= line; i++) {
        uint32_t mask = w.issues[i].mask;
        regions_before(&regions, mask);
        if (i >= begin)
            draw_row(view, canvas, rect_cut_top(&area, line), &w, i, regions.depth);
        regions_after(&regions, lanes_text(&w, i), mask);
    }
}

void lanes_note(const struct view *view, const struct track *track, char *text, size_t size)
{
    const struct timeline_info *info = run_info(view->run);
    const struct track_line *lines = track_lines(track);
    uint64_t issues = 0;
    uint64_t threads = 0;
    for (uint32_t i = 0; i < info->line_count; i++) {
        issues += lines[i].issues;
        threads += lines[i].threads;
    }
    uint32_t slot = lanes_slot(view);
    (void)snprintf(text, size,
                   "sub-partition %u slot %u   %s (m changes)   over the whole SM %.1f of 32 lanes "
                   "are active: %.0f %%",
                   slot % info->sub_partitions, slot / info->sub_partitions,
                   view->options.by_instruction ? "by instruction" : "by cycle",
                   issues ? (double)threads / (double)issues : 0,
                   issues ? (double)threads / (double)issues / LANES * 100 : 0);
}

static void draw(struct view *view, struct canvas *canvas)
{
    const struct metrics *m = canvas_metrics(canvas);
    struct track *track = view_track(view);
    if (!track)
        return;
    struct rect strip = rect_cut_top(&view->area, m->line[TEXT_NORMAL] + m->pad);
    rect_cut_left(&strip, m->pad);
    char note[200];
    lanes_note(view, track, note, sizeof note);
    canvas_text_in(canvas, strip, TEXT_NORMAL, ALIGN_LEFT, view_theme(view)->quiet, note);
    if (view->options.by_instruction)
        draw_by_instruction(view, canvas, track);
    else
        draw_by_cycle(view, canvas, track);
}

const struct screen screen_lanes = {
    .name = "lanes",
    .title = "Lanes",
    .question = "Which lanes of the warp do the work, and which only wait for the others?",
    .help = "A warp has 32 lanes that execute one instruction together. Where a branch sends them "
            "different "
            "ways, each side is issued with only its own lanes active, one side after the other, "
            "until they "
            "meet again: bright lanes take part in an instruction, dotted ones are switched off. "
            "The bars on "
            "top have the active lanes of each instruction. m shows one instruction in each line, "
            "with the "
            "regions between divergence and reconvergence as brackets. Choose the warp in the "
            "timeline or "
            "with the arrow keys.",
    .draw = draw,
    .csv = csv_lanes,
};
