/* The screen Lanes: which of a warp's 32 lanes take part in each instruction. */
#include <string.h>

#include "language/language.h"
#include "view/chart.h"
#include "view/view_lanes.h"
#include "view/view_screens.h"

enum {
    LANES = SIMSM_WARP_LANES,
    LEAST_TEXTURE = 6, /* least size of a cell that shows its texture, in pixels */
    WAIT_TEXT = 31     /* characters of the column with the wait before an issue */
};

uint32_t lanes_slot(const struct view *view)
{
    return view->place.slot == VIEW_NONE ? 0 : view->place.slot;
}

const char *lanes_text(const struct warp_issues *w, uint32_t i)
{
    uint32_t pc = w->issues[i].pc;
    return pc < w->info->line_count ? w->info->lines[pc].text : _("(unknown instruction)");
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

struct regions regions_open(const struct warp_issues *w)
{
    struct regions open = {.depth = 0};
    const struct timeline_warp *warp =
        w->end > w->first ? history_warp_at(w->history, w->slot, w->issues[w->first].cycle) : NULL;
    for (uint32_t i = 0; i < w->first; i++)
        if (!warp || w->issues[i].cycle >= warp->cycle) {
            regions_before(&open, w->issues[i].mask);
            regions_after(&open, lanes_text(w, i), w->issues[i].mask);
        }
    return open;
}

struct warp_issues lanes_issues(const struct history *history, uint32_t slot, double from,
                                double to)
{
    const struct history_slot *row = &history->slot[slot];
    struct warp_issues w = {
        .issues = row->issues, .info = history->info, .history = history, .slot = slot};
    w.first = from > 0 ? history_issues_until(history, slot, (uint64_t)from) : 0;
    w.first = w.first ? w.first - 1 : 0;
    for (w.end = w.first; w.end < row->issue_count && (double)row->issues[w.end].cycle < to;)
        w.end++;
    return w;
}

/* The wait of a warp between its previous issue, or its start, and an issue. */
struct lanes_wait {
    uint64_t cycles;
    enum simsm_warp_state state; /* the state that lasted longest */
};

/* Returns the wait before issue `i`. */
static struct lanes_wait wait_before(const struct view *view, const struct warp_issues *w,
                                     uint32_t i)
{
    struct lanes_wait wait = {.state = SIMSM_STATE_EMPTY};
    const struct history_slot *row = &w->history->slot[w->slot];
    uint64_t begin = i ? w->issues[i - 1].cycle + 1 : w->history->begin;
    uint64_t end = w->issues[i].cycle;
    uint64_t longest = 0;
    const struct timeline_span *span = history_span_at(w->history, w->slot, begin);
    for (; span && span < row->spans + row->span_count && span->from < end; span++) {
        enum simsm_warp_state state = run_known_state(view->run, span->state);
        uint64_t from = span->from > begin ? span->from : begin;
        uint64_t cycles = (span->to < end ? span->to : end) - from;
        if (!track_is_resident(state)) {
            longest = wait.cycles = 0; /* the time before belongs to another warp */
            continue;
        }
        wait.cycles += cycles;
        if (cycles > longest) {
            longest = cycles;
            wait.state = state;
        }
    }
    return wait;
}

void lanes_describe(struct view *view, const struct warp_issues *w, uint32_t i)
{
    char cycle[32];
    int active = __builtin_popcount(w->issues[i].mask);
    (void)snprintf(view->status, sizeof view->status,
                   _("cycle %s   %.100s   %d of 32 lanes (%d %%), mask 0x%08x"),
                   chart_cycles(w->issues[i].cycle, cycle), lanes_text(w, i), active,
                   active * 100 / 32, w->issues[i].mask);
    view->target = (struct view_target){.kind = TARGET_CELL,
                                        .sm = view->place.sm,
                                        .slot = lanes_slot(view),
                                        .cycle = w->issues[i].cycle};
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

/* ---- By instruction: a list, lanes to the right ---- */

/* Draws how long the warp waited before issue `i`, and the state that lasted longest. */
static void draw_wait(const struct view *view, struct canvas *canvas, struct rect cell,
                      const struct warp_issues *w, uint32_t i)
{
    const struct metrics *m = canvas_metrics(canvas);
    int a = m->advance[TEXT_NORMAL];
    struct lanes_wait wait = wait_before(view, w, i);
    if (!wait.cycles)
        return;
    char text[32];
    const struct state_look *look = &view_theme(view)->states[wait.state];
    canvas_text_in(canvas, rect_cut_left(&cell, 7 * a), TEXT_NORMAL, ALIGN_RIGHT,
                   view_theme(view)->quiet, chart_cycles(wait.cycles, text));
    rect_cut_left(&cell, a);
    struct rect letter = rect_inset(rect_cut_left(&cell, 2 * a), m->px);
    canvas_fill(canvas, letter, look->colour);
    canvas_text_in(canvas, letter, TEXT_NORMAL, ALIGN_CENTRE, look->ink,
                   (char[]){look->letter, '\0'});
    rect_cut_left(&cell, a);
    canvas_text_in(canvas, cell, TEXT_NORMAL, ALIGN_LEFT, view_theme(view)->quiet,
                   translate(simsm_states[wait.state].title));
}

static void draw_lane(struct canvas *canvas, const struct theme *theme, struct rect cell,
                      bool active)
{
    canvas_fill(canvas, cell, active ? theme->issue : theme->line);
    if (!active && cell.w >= LEAST_TEXTURE && cell.h >= LEAST_TEXTURE)
        canvas_hatch(canvas, cell, HATCH_DOTS, colour_mix(theme->line, theme->text, 35));
}

/* The columns of the list of instructions. */
struct lane_columns {
    struct rect cycle, text, wait, lanes, share;
};

static struct lane_columns columns_of(const struct canvas *canvas, struct rect row)
{
    const struct metrics *m = canvas_metrics(canvas);
    int a = m->advance[TEXT_NORMAL];
    struct lane_columns c = {.lanes = rect_cut_right(&row, row.w * 42 / 100)};
    c.share = rect_cut_right(&c.lanes, 9 * a);
    c.cycle = rect_cut_left(&row, 10 * a);
    rect_cut_left(&row, a);
    if (row.w > 2 * WAIT_TEXT * a)
        c.wait = rect_cut_right(&row, WAIT_TEXT * a);
    c.text = row;
    return c;
}

static void draw_row(struct view *view, struct canvas *canvas, struct rect row,
                     const struct warp_issues *w, uint32_t i, int depth)
{
    const struct metrics *m = canvas_metrics(canvas);
    const struct theme *theme = view_theme(view);
    char text[32];
    int a = m->advance[TEXT_NORMAL];
    uint32_t mask = w->issues[i].mask;
    struct lane_columns c = columns_of(canvas, row);
    canvas_text_in(canvas, c.cycle, TEXT_NORMAL, ALIGN_RIGHT, theme->quiet,
                   chart_cycles(w->issues[i].cycle, text));
    (void)snprintf(text, sizeof text, _("%d of %d"), __builtin_popcount(mask), LANES);
    canvas_text_in(canvas, c.share, TEXT_NORMAL, ALIGN_RIGHT,
                   mask == UINT32_MAX ? theme->quiet : theme->warning, text);
    /* Nested regions are brackets at the left of the text. */
    for (int d = 0; d < depth && d < REGIONS_MOST; d++) {
        struct rect bracket = rect_cut_left(&c.text, 2 * a);
        canvas_fill(canvas, (struct rect){bracket.x + a / 2, row.y, 2 * m->px, row.h},
                    theme->series[d % 8]);
    }
    canvas_text_in(canvas, c.text, TEXT_NORMAL, ALIGN_LEFT, theme->text, lanes_text(w, i));
    if (c.wait.w)
        draw_wait(view, canvas, c.wait, w, i);
    int size = c.lanes.w / LANES;
    for (int lane = 0; lane < LANES; lane++) {
        struct rect cell = {c.lanes.x + lane * size, row.y + m->px,
                            size - m->px - (lane % 8 == 7 ? m->px : 0), row.h - 2 * m->px};
        draw_lane(canvas, theme, cell, mask >> lane & 1);
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
    rect_cut_right(&row, m->pad);
    struct lane_columns c = columns_of(canvas, row);
    canvas_text_in(canvas, c.share, TEXT_NORMAL, ALIGN_RIGHT, colour, _("active"));
    canvas_text_in(canvas, c.lanes, TEXT_NORMAL, ALIGN_LEFT, colour, _("lanes 0 to 31"));
    canvas_text_in(canvas, c.cycle, TEXT_NORMAL, ALIGN_RIGHT, colour, _("cycle"));
    canvas_text_in(canvas, c.text, TEXT_NORMAL, ALIGN_LEFT, colour, _("instruction"));
    if (c.wait.w)
        canvas_text_in(canvas, c.wait, TEXT_NORMAL, ALIGN_LEFT, colour, _("waited before, mostly"));
}

static void draw_by_instruction(struct view *view, struct canvas *canvas,
                                const struct warp_issues *w)
{
    const struct metrics *m = canvas_metrics(canvas);
    struct rect area = rect_inset(view->area, m->pad);
    int line = m->line[TEXT_NORMAL] + 2 * m->px;
    draw_heads(view, canvas, rect_cut_top(&area, line));
    view->content_rows = w->end - w->first;
    view->shown_rows = area.h / line;
    uint32_t begin = w->first + (uint32_t)view->place.scroll;
    struct regions regions = regions_open(w);
    chart_scrollbar(canvas, view_theme(view), area, view->place.scroll, view->shown_rows,
                    view->content_rows);
    for (uint32_t i = w->first; i < w->end && view_has_cycle(&view->place); i++)
        if (w->issues[i].cycle <= view->place.cycle)
            view->selected_row = i - w->first;
    if (w->end == w->first)
        chart_note(
            canvas, view_theme(view), area,
            _("No warp issues in this slot in the cycles from here on: choose another slot or "
              "cycle in the timeline, or with up, down and g."));
    rect_cut_right(&area, m->pad);
    for (uint32_t i = w->first; i < w->end && area.h >= line; i++) {
        uint32_t mask = w->issues[i].mask;
        regions_before(&regions, mask);
        if (i >= begin)
            draw_row(view, canvas, rect_cut_top(&area, line), w, i, regions.depth);
        regions_after(&regions, lanes_text(w, i), mask);
    }
}

/* Writes the block and the warp, if known, and the slot. Returns the bytes written. */
static size_t note_warp(const struct view *view, const struct warp_issues *w, char *text,
                        size_t size)
{
    const struct timeline_info *info = run_info(view->run);
    uint32_t slot = lanes_slot(view);
    uint64_t cycle = view_has_cycle(&view->place) ? view->place.cycle : 0;
    if (w && w->end > w->first && !view_has_cycle(&view->place))
        cycle = w->issues[w->first].cycle;
    const struct timeline_warp *warp = w ? history_warp_at(w->history, slot, cycle) : NULL;
    size_t used = 0;
    if (warp && warp->started)
        used = (size_t)snprintf(text, size, _("block %u warp %u   "), warp->block, warp->warp);
    return used + (size_t)snprintf(text + used, size - used, _("sub-partition %u slot %u"),
                                   slot % info->sub_partitions, slot / info->sub_partitions);
}

void lanes_note(const struct view *view, const struct track *track, const struct warp_issues *w,
                char *text, size_t size)
{
    const struct timeline_info *info = run_info(view->run);
    const struct track_line *lines = track_lines(track);
    uint64_t issues = 0;
    uint64_t threads = 0;
    uint64_t active = 0;
    for (uint32_t i = 0; i < info->line_count; i++) {
        issues += lines[i].issues;
        threads += lines[i].threads;
    }
    for (uint32_t i = w ? w->first : 0; w && i < w->end; i++)
        active += (uint64_t)__builtin_popcount(w->issues[i].mask);
    size_t used = note_warp(view, w, text, size);
    if (w && w->end > w->first)
        used += (size_t)snprintf(text + used, size - used,
                                 _("   here %.1f of 32 lanes are active: %.0f %%,"),
                                 (double)active / (w->end - w->first),
                                 100.0 * (double)active / (double)(w->end - w->first) / LANES);
    (void)snprintf(text + used, size - used, _("%s on the whole SM %.0f %%%s"),
                   w && w->end > w->first ? "" : _("   active lanes"),
                   issues ? (double)threads / (double)issues / LANES * 100 : 0,
                   view->still                    ? ""
                   : view->options.by_instruction ? _("   (m: by cycle)")
                                                  : _("   (m: by instruction)"));
}

const struct history *lanes_load(struct view *view, struct track *track, double *from, double *to)
{
    const struct view_place *place = &view->place;
    *from = place->from > 0 ? place->from : 0;
    *to = place->to;
    if (view->options.by_instruction) {
        if (view_has_cycle(place) && (double)place->cycle >= *from + LANES_LIST_CYCLES)
            *from = (double)place->cycle - LANES_LIST_CYCLES / 2.0;
        *to = *from + LANES_LIST_CYCLES;
    }
    if (*to - *from > LANES_MOST_CYCLES)
        return NULL;
    const struct history *history = NULL;
    struct simsm_error error;
    if (track_slot_history(track, lanes_slot(view), (uint64_t)*from, (uint64_t)*to + 1, &history,
                           &error) != SIMSM_OK)
        (void)snprintf(view->problem, sizeof view->problem, "%.250s", error.message);
    return history;
}

void view_lanes_draw(struct view *view, struct canvas *canvas)
{
    const struct metrics *m = canvas_metrics(canvas);
    struct track *track = view_track(view);
    if (!track)
        return;
    double from;
    double to;
    const struct history *history = lanes_load(view, track, &from, &to);
    struct warp_issues w = {.issues = NULL};
    if (history)
        w = lanes_issues(history, lanes_slot(view), from, to);
    struct rect strip = rect_cut_top(&view->area, m->line[TEXT_NORMAL] + m->pad);
    rect_cut_left(&strip, m->pad);
    char note[200];
    lanes_note(view, track, history ? &w : NULL, note, sizeof note);
    canvas_text_in(canvas, strip, TEXT_NORMAL, ALIGN_LEFT, view_theme(view)->quiet, note);
    if (!view->options.by_instruction)
        lanes_by_cycle(view, canvas, track, history);
    else if (history)
        draw_by_instruction(view, canvas, &w);
}
