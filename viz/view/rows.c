/* Draws a warp slot over time: from the pyramid when zoomed out, from the chunks when zoomed in. */
#include "view/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_COLUMNS = 8192,
    CELL_BANDS = 3, /* bands of a column of a row */
    BLUR_CYCLES = 64,
    MOST_BLURS = MOST_COLUMNS / BLUR_CYCLES +
                 2, /* spans of BLUR_CYCLES in view: a pixel is at most a cycle */
    OP_TEXT = 24,
    TEXTURE_PX = 6,   /* least size of a cell that shows its texture, in pixels at 100 % */
    TICK_PERCENT = 30 /* height of the tick for the share of issues, of the row's height */
};

struct time_scale time_scale_of(const struct view *view, struct rect area)
{
    struct time_scale time = {.x = area.x, .w = area.w, .from = view->place.from};
    time.cycles_per_px = (view->place.to - view->place.from) / (area.w > 0 ? area.w : 1);
    if (time.cycles_per_px < 1)
        return time;
    time.width_q16 = (uint64_t)(time.cycles_per_px * 65536);
    time.cycles_per_px = (double)time.width_q16 / 65536;
    time.first_column = (uint64_t)(time.from < 0 ? 0 : time.from / time.cycles_per_px);
    time.from = (double)time.first_column * time.cycles_per_px;
    return time;
}

#define TIME_FAR 1e6 /* pixels: beyond any display, and small enough for an int in 1/16 pixel */

double time_x(const struct time_scale *time, double cycle)
{
    double x = time->x + (cycle - time->from) / time->cycles_per_px;
    return x < -TIME_FAR ? -TIME_FAR : x > TIME_FAR ? TIME_FAR : x;
}

double time_cycle(const struct time_scale *time, double x)
{
    return time->from + (x - time->x) * time->cycles_per_px;
}

void time_cursor(struct view *view, struct canvas *canvas, struct rect area,
                 const struct time_scale *time)
{
    const struct theme *theme = view_theme(view);
    double at = time_cycle(time, view->pointer_x + 0.5);
    if (rect_has(area, view->pointer_x, view->pointer_y) && at >= (double)view_begin(view) &&
        at < (double)view_end(view) && view->target.kind == TARGET_NONE)
        view->target = (struct view_target){.kind = TARGET_CYCLE, .cycle = (uint64_t)at};
    if (!view_has_cycle(&view->place))
        return;
    struct rect saved = canvas_clip(canvas, area);
    int px = canvas_metrics(canvas)->px;
    int x = (int)floor(time_x(time, (double)view->place.cycle));
    int end = (int)floor(time_x(time, (double)view->place.cycle + 1));
    int w = end - x > px ? end - x : px;
    canvas_blend(canvas, (struct rect){x, area.y, w, area.h}, theme->accent, w > px ? 60 : 200);
    canvas_unclip(canvas, saved);
}

static const struct state_look *look_of(const struct view *view, uint8_t state)
{
    const struct theme *theme = view_theme(view);
    bool hidden = view->options.hidden_states >> state & 1;
    return &theme->states[hidden ? SIMSM_STATE_EMPTY : state];
}

/*
 * Divides a column into bands: its main state, and below it the second state by its share. At the
 * foot, a tick as high as the share of issues. An issue lasts one cycle and would not be visible
 * among waits of hundreds of cycles.
 */
static void column_bands(const uint32_t colours[SIMSM_STATE_COUNT], int h,
                         const struct track_cell *cell, struct canvas_band bands[CELL_BANDS])
{
    int second = 0;
    int tick = 0;
    if (cell->second_share > 25 && h >= 4)
        second = h * cell->second_share / (cell->state_share + cell->second_share);
    if (cell->issue_share && h >= 4)
        tick = 1 + (h * TICK_PERCENT / 100 - 1) * cell->issue_share / 255;
    second = second > tick ? second : tick;
    bands[0] = (struct canvas_band){h - second, colours[cell->state]};
    bands[1] = (struct canvas_band){h - tick, colours[cell->second]};
    bands[2] = (struct canvas_band){h, colours[SIMSM_STATE_ISSUED]};
    if (!cell->state_share)
        bands[0] = (struct canvas_band){h, CANVAS_KEEP};
}

static void draw_coarse(struct view *view, struct canvas *canvas, struct track *track,
                        uint32_t slot, struct rect row, const struct time_scale *time)
{
    struct track_cell cells[MOST_COLUMNS];
    struct canvas_band bands[MOST_COLUMNS * CELL_BANDS];
    uint32_t colours[SIMSM_STATE_COUNT];
    struct simsm_error error;
    uint32_t count = (uint32_t)(time->w < MOST_COLUMNS ? time->w : MOST_COLUMNS);
    if (track_cells(track, slot, time->first_column, time->width_q16, cells, count, &error) !=
        SIMSM_OK) {
        (void)snprintf(view->problem, sizeof view->problem, "%.250s", error.message);
        return;
    }
    for (uint32_t s = 0; s < SIMSM_STATE_COUNT; s++)
        colours[s] = look_of(view, (uint8_t)s)->colour;
    for (uint32_t i = 0; i < count; i++)
        column_bands(colours, row.h, &cells[i], bands + (size_t)i * CELL_BANDS);
    canvas_columns(canvas, (struct rect){time->x, row.y, (int)count, row.h}, bands, CELL_BANDS);
}

/*
 * Writes the operation of static instruction `pc`, without guard and operands; "" if the
 * instruction is unknown.
 */
static const char *operation(const struct view *view, uint32_t pc, char op[OP_TEXT])
{
    const struct timeline_info *info = run_info(view->run);
    const char *text = pc < info->line_count ? info->lines[pc].text : "";
    text = view_operation(text);
    size_t length = strcspn(text, " ;");
    (void)snprintf(op, OP_TEXT, "%.*s", (int)(length < OP_TEXT ? length : OP_TEXT - 1), text);
    return op;
}

/* Draws the letter of the state in each cycle, except where the operation is written. */
static void draw_letters(struct canvas *canvas, const struct state_look *look, struct rect cell,
                         const struct time_scale *time, uint64_t from, uint64_t to,
                         struct rect written)
{
    for (uint64_t cycle = from; cycle < to; cycle++) {
        int x = (int)floor(time_x(time, (double)cycle));
        int next = (int)floor(time_x(time, (double)cycle + 1));
        if (next <= cell.x || x >= cell.x + cell.w ||
            (written.w && next > written.x && x < written.x + written.w))
            continue;
        canvas_text_in(canvas, (struct rect){x, cell.y, next - x, cell.h}, TEXT_SMALL, ALIGN_CENTRE,
                       look->ink, (char[]){look->letter, '\0'});
    }
}

/*
 * Draws letters and the operation of a span, if a cycle is wide enough for a letter. The operation
 * of an issue replaces the letter. The operation that a waiting warp has next stands behind the
 * first letter.
 */
static void draw_words(const struct view *view, struct canvas *canvas,
                       const struct timeline_span *span, enum simsm_warp_state state,
                       struct rect cell, const struct time_scale *time)
{
    const struct metrics *m = canvas_metrics(canvas);
    const struct state_look *look = look_of(view, (uint8_t)state);
    double cycle_px = 1 / time->cycles_per_px;
    if (state == SIMSM_STATE_EMPTY || cell.h < m->line[TEXT_SMALL] ||
        cycle_px < m->advance[TEXT_SMALL])
        return;
    char op[OP_TEXT];
    uint64_t from = (uint64_t)(time->from > (double)span->from ? time->from : (double)span->from);
    uint64_t to = (uint64_t)ceil(time_cycle(time, cell.x + cell.w));
    int w = state == SIMSM_STATE_EXITED
                ? 0
                : text_width(m, TEXT_SMALL, operation(view, span->pc, op)) + 2 * m->px;
    bool issued = state == SIMSM_STATE_ISSUED;
    int first = issued ? 0 : (int)ceil(cycle_px);
    struct rect written = {cell.x + first, cell.y, w, cell.h};
    /* Another letter must fit beside the operation, so that the state can be read. */
    if (w <= 2 * m->px || written.x + w + first > cell.x + cell.w)
        written.w = 0;
    if (issued && written.w)
        written.w = cell.w;
    draw_letters(canvas, look, cell, time, from, to < span->to ? to : span->to, written);
    if (!written.w)
        return;
    uint32_t ground =
        issued ? look->colour : colour_mix(look->colour, view_theme(view)->ground, 70);
    canvas_fill(canvas, written, ground);
    canvas_text_in(canvas, written, TEXT_SMALL, ALIGN_CENTRE, colour_on(ground), op);
}

static void draw_span(struct view *view, struct canvas *canvas, const struct timeline_span *span,
                      enum simsm_warp_state state, struct rect row, const struct time_scale *time)
{
    const struct state_look *look = look_of(view, (uint8_t)state);
    int px = canvas_metrics(canvas)->px;
    int x = (int)floor(time_x(time, (double)span->from));
    int end = (int)floor(time_x(time, (double)span->to));
    x = x < time->x ? time->x : x;
    end = end > time->x + time->w ? time->x + time->w : end;
    struct rect cell = {x, row.y, end - x, row.h};
    if (cell.w <= 0)
        return;
    canvas_fill(canvas, cell, look->colour);
    if (cell.w >= TEXTURE_PX * px && cell.h >= TEXTURE_PX * px)
        canvas_hatch(canvas, cell, look->hatch, colour_mix(look->colour, look->ink, 25));
    draw_words(view, canvas, span, state, cell, time);
}

/*
 * Draws the spans of one chunk. Leaves out the last span if it continues in the next chunk, which
 * draws it whole.
 */
static void draw_piece(struct view *view, struct canvas *canvas, const struct history *piece,
                       uint32_t slot, struct rect row, const struct time_scale *time,
                       const struct timeline_span *next)
{
    double end = time_cycle(time, time->x + time->w);
    const struct history_slot *h = &piece->slot[slot];
    const struct timeline_span *last = h->spans + h->span_count;
    const struct timeline_span *span =
        history_span_at(piece, slot, (uint64_t)(time->from > 0 ? time->from : 0));
    for (span = span ? span : h->spans; span < last && (double)span->from < end; span++)
        if (span + 1 < last || !next || next->from != span->from)
            draw_span(view, canvas, span, run_known_state(view->run, span->state), row, time);
}

static void draw_exact(struct view *view, struct canvas *canvas, struct track *track, uint32_t slot,
                       struct rect row, const struct time_scale *time)
{
    uint64_t from = (uint64_t)(time->from > 0 ? time->from : 0);
    uint64_t to = (uint64_t)ceil(time_cycle(time, time->x + time->w));
    const struct history *piece = view_piece(view, track, from);
    while (piece && piece->begin < to) {
        const struct history *next = piece->end < to ? view_piece(view, track, piece->end) : NULL;
        draw_piece(view, canvas, piece, slot, row, time, next ? next->slot[slot].spans : NULL);
        piece = next;
    }
}

/* Draws the row from the pyramid in steps of BLUR_CYCLES, while its chunks are not decoded. */
static void draw_blurred(struct view *view, struct canvas *canvas, struct track *track,
                         uint32_t slot, struct rect row, const struct time_scale *time)
{
    struct track_cell cells[MOST_BLURS];
    struct simsm_error error;
    uint64_t first = (uint64_t)(time->from > 0 ? time->from : 0) / BLUR_CYCLES;
    uint64_t end = (uint64_t)ceil(time_cycle(time, time->x + time->w)) / BLUR_CYCLES + 1;
    uint32_t count = (uint32_t)(end - first < MOST_BLURS ? end - first : MOST_BLURS);
    if (track_cells(track, slot, first, (uint64_t)BLUR_CYCLES << 16, cells, count, &error) !=
        SIMSM_OK)
        return;
    for (uint32_t i = 0; i < count; i++) {
        int x = (int)floor(time_x(time, (double)((first + i) * BLUR_CYCLES)));
        int to = (int)floor(time_x(time, (double)((first + i + 1) * BLUR_CYCLES)));
        if (cells[i].state_share)
            canvas_fill(canvas, (struct rect){x, row.y, to - x, row.h},
                        look_of(view, cells[i].state)->colour);
    }
}

static bool row_is_whole(struct track *track, const struct time_scale *time)
{
    uint64_t from = (uint64_t)(time->from > 0 ? time->from : 0);
    return track_whole(track, from, (uint64_t)ceil(time_cycle(time, time->x + time->w)));
}

void row_draw(struct view *view, struct canvas *canvas, struct track *track, uint32_t slot,
              struct rect row, const struct time_scale *time)
{
    if (time->width_q16)
        draw_coarse(view, canvas, track, slot, row, time);
    else if (!row_is_whole(track, time))
        draw_blurred(view, canvas, track, slot, row, time);
    else
        draw_exact(view, canvas, track, slot, row, time);
}

void row_issues(struct view *view, struct canvas *canvas, struct track *track, uint32_t sub,
                struct rect strip, const struct time_scale *time)
{
    const struct theme *theme = view_theme(view);
    if (strip.w <= 0 || strip.h <= 0)
        return;
    canvas_fill(canvas, strip, theme->panel);
    double *issues = calloc((size_t)strip.w, sizeof *issues);
    double to = time_cycle(time, strip.x + strip.w);
    struct simsm_error error;
    if (issues && track_issue_share(track, sub, time->from, to, issues, (uint32_t)strip.w,
                                    &error) == SIMSM_OK) {
        for (int i = 0; i < strip.w; i++) {
            int h = (int)lround(issues[i] * strip.h);
            struct rect bar = {strip.x + i, strip.y + strip.h - h, 1, h};
            canvas_fill(canvas, bar, theme->issue);
        }
    }
    free(issues);
}
