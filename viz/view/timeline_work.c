/*
 * Work beside the warps on the screen Timeline: a track of the tensor cores' products, a track of
 * copies (TMA), and arrows from copies to the waits that they end.
 */
#include <math.h>
#include <stdlib.h>

#include "language/language.h"
#include "timeline/work_words.h"
#include "view/chart.h"
#include "view/timeline_parts.h"

enum {
    TRACK = 24,     /* least height of a track, in pixels at 100 % */
    LANE = 5,       /* least height of a lane */
    MOST_LANES = 8, /* lanes of copies */
    MOST_NEAR = 32, /* most cycles of a pixel at which each copy has a bar */
    AROUND = 8192   /* cycles around the selected cell that are searched */
};

/* Draws work in the rectangle of its bar. */
typedef void work_visitor(void *context, const struct history *history,
                          const struct timeline_work *work, struct rect bar);

static bool is_near(const struct timeline_layout *layout)
{
    return layout->time.cycles_per_px <= MOST_NEAR;
}

void timeline_work_layout(const struct canvas *canvas, const struct track *track,
                          struct timeline_layout *layout)
{
    const int scale = canvas_metrics(canvas)->scale;
    const uint32_t most = track_most_copies(track);
    layout->copy_lanes = most < MOST_LANES ? most : MOST_LANES;
    const int lanes = (int)layout->copy_lanes * LANE;
    const int tensor = track_has_products(track) ? TRACK * scale / 100 : 0;
    const int copies = most ? (lanes > TRACK ? lanes : TRACK) * scale / 100 : 0;
    if (2 * (tensor + copies) > layout->rows.h)
        return; /* a small window has room for the slots only */
    if (tensor) {
        layout->tensor = rect_cut_top(&layout->rows, tensor);
        rect_cut_top(&layout->rows, layout->gap);
    }
    if (copies) {
        layout->copies = rect_cut_top(&layout->rows, copies);
        rect_cut_top(&layout->rows, layout->gap);
    }
}

/* Returns the tracks and the rows of slots. */
static struct rect area_of(const struct timeline_layout *layout)
{
    struct rect area = layout->rows;
    area.y = layout->tensor.h ? layout->tensor.y : layout->copies.h ? layout->copies.y : area.y;
    area.h += layout->rows.y - area.y;
    return area;
}

/* Returns lane `i` of `count` equal lanes of a track. */
static struct rect lane_of(struct rect track, uint32_t i, uint32_t count, int gap)
{
    const int top = track.h * (int)i / (int)count;
    const int end = track.h * (int)(i + 1) / (int)count;
    const int h = end - top > 3 * gap ? end - top - gap : end - top;
    return (struct rect){track.x, track.y + top, track.w, h};
}

/* Returns the lane in which work is drawn. */
static struct rect lane_of_work(const struct canvas *canvas, const struct timeline_layout *layout,
                                const struct timeline_work *work)
{
    const int px = canvas_metrics(canvas)->px;
    const uint32_t last = layout->copy_lanes - 1;
    if (work->product)
        return lane_of(layout->tensor, work->slot % layout->subs, layout->subs, px);
    return lane_of(layout->copies, work->number < last ? work->number : last, layout->copy_lanes,
                   px);
}

/* Returns the colour of a kind of work. */
static uint32_t colour_of(const struct theme *theme, enum work_kind kind)
{
    static const uint8_t series[WORK_KINDS] = {
        [WORK_PRODUCT] = 2, [WORK_LOAD] = 0, [WORK_STORE] = 1, [WORK_REDUCE] = 4};
    return theme->series[series[kind]];
}

/* Visits the work that is in view. */
static void visit(struct view *view, struct canvas *canvas, const struct timeline_layout *layout,
                  struct track *track, work_visitor *visitor, void *context)
{
    const double end = time_cycle(&layout->time, layout->rows.x + layout->rows.w);
    const uint64_t from = (uint64_t)(layout->time.from > 0 ? layout->time.from : 0);
    const struct history *piece = view_piece(view, track, from);
    for (; piece && (double)piece->begin < end; piece = view_piece(view, track, piece->end))
        for (uint32_t i = 0; i < piece->work_count; i++) {
            const struct timeline_work *work = &piece->works[i];
            const struct rect track_rect = work->product ? layout->tensor : layout->copies;
            if (work->to <= from || (double)work->from >= end || !track_rect.h)
                continue;
            const struct rect lane = lane_of_work(canvas, layout, work);
            visitor(context, piece, work, timeline_cells(layout, lane, work->from, work->to));
        }
}

/* Draws a bar, and on it the bytes of a copy if there is room. */
struct bars {
    struct view *view;
    struct canvas *canvas;
};

static void draw_bar(void *context, const struct history *history, const struct timeline_work *work,
                     struct rect bar)
{
    const struct bars *bars = context;
    const struct metrics *m = canvas_metrics(bars->canvas);
    const struct theme *theme = view_theme(bars->view);
    const uint32_t colour = colour_of(theme, work_kind_of(history->info, work));
    char text[48];
    canvas_fill(bars->canvas, bar, colour);
    if (bar.w > 3 * m->px) /* tells bars apart that follow one another */
        canvas_fill(bars->canvas, (struct rect){bar.x, bar.y, m->px, bar.h},
                    colour_mix(colour, theme->ground, 60));
    if (work->reach > 1)
        canvas_hatch(bars->canvas, bar, HATCH_DIAGONAL, colour_mix(colour, theme->ground, 50));
    (void)snprintf(text, sizeof text, "%s %u", work_name(history->info, work), work->bytes);
    if (!work->product && bar.h >= m->line[TEXT_SMALL] - 2 * m->px &&
        bar.w >= text_width(m, TEXT_SMALL, text) + 4 * m->px)
        canvas_text_in(bars->canvas, bar, TEXT_SMALL, ALIGN_CENTRE, colour_on(colour), text);
}

/* Marks the ends of copies that end a phase of a barrier for which warps wait. */
static void mark_phases(struct view *view, struct canvas *canvas,
                        const struct timeline_layout *layout, struct track *track)
{
    const int px = canvas_metrics(canvas)->px;
    const double end = time_cycle(&layout->time, layout->rows.x + layout->rows.w);
    const uint64_t from = (uint64_t)(layout->time.from > 0 ? layout->time.from : 0);
    const struct history *piece = view_piece(view, track, from);
    for (; piece && (double)piece->begin < end; piece = view_piece(view, track, piece->end))
        for (uint32_t i = 0; i < piece->wake_count; i++) {
            const struct timeline_wake *wake = &piece->wakes[i];
            const struct timeline_work *copy = wake->cycle >= from && (double)wake->cycle < end
                                                   ? history_waker(piece, wake)
                                                   : NULL;
            if (!copy || !layout->copies.h)
                continue;
            struct rect mark = lane_of_work(canvas, layout, copy);
            mark.x = (int)floor(time_x(&layout->time, (double)wake->cycle)) - 2 * px;
            mark.w = 2 * px;
            canvas_fill(canvas, mark, view_theme(view)->text);
        }
}

/* Draws a row of values from 0 to `most` as columns from the foot of `area` up. */
static void draw_columns(struct canvas *canvas, struct rect area, const double *value, double most,
                         uint32_t colour)
{
    for (int i = 0; i < area.w; i++) {
        const double share = value[i] / most < 1 ? value[i] / most : 1;
        const int h = share > 0 ? (int)ceil(share * area.h) : 0;
        canvas_fill(canvas, (struct rect){area.x + i, area.y + area.h - h, 1, h}, colour);
    }
}

/* Draws the tracks as shares of time, when single copies cannot be told apart. */
static void draw_far(struct view *view, struct canvas *canvas, const struct timeline_layout *layout,
                     struct track *track)
{
    struct simsm_error error;
    const struct theme *theme = view_theme(view);
    const int px = canvas_metrics(canvas)->px;
    const double from = layout->time.from;
    const double to = time_cycle(&layout->time, layout->rows.x + layout->rows.w);
    const uint32_t count = (uint32_t)layout->rows.w;
    double *value = calloc((size_t)count + 1, sizeof *value);
    for (uint32_t sub = 0; value && layout->tensor.h && sub < layout->subs; sub++) {
        if (track_products(track, sub, from, to, value, count, &error) != SIMSM_OK)
            break; /* view_piece() tells of damage */
        draw_columns(canvas, lane_of(layout->tensor, sub, layout->subs, px), value, 1,
                     colour_of(theme, WORK_PRODUCT));
    }
    if (value && layout->copies.h &&
        track_copies(track, from, to, value, count, &error) == SIMSM_OK)
        draw_columns(canvas, layout->copies, value, layout->copy_lanes,
                     colour_of(theme, WORK_LOAD));
    free(value);
}

static void draw_label(struct view *view, struct canvas *canvas,
                       const struct timeline_layout *layout, struct rect track, const char *text)
{
    const struct metrics *m = canvas_metrics(canvas);
    const struct rect label = {layout->labels.x + m->pad, track.y, layout->labels.w - m->pad,
                               track.h};
    if (track.h)
        canvas_text_in(canvas, label, TEXT_SMALL, ALIGN_LEFT, view_theme(view)->text, text);
}

/* Work under the pointer, or of the selected cell. */
struct found {
    int x, y;
    uint32_t slot;
    uint64_t issued;
    const struct history *history;
    struct timeline_work work;
    struct rect bar;
};

static void find_pointed(void *context, const struct history *history,
                         const struct timeline_work *work, struct rect bar)
{
    struct found *found = context;
    if (!rect_has(bar, found->x, found->y))
        return;
    found->history = history;
    found->work = *work;
    found->bar = bar;
}

static void find_issued(void *context, const struct history *history,
                        const struct timeline_work *work, struct rect bar)
{
    struct found *found = context;
    if (work->slot != found->slot || work->issued != found->issued)
        return;
    found->history = history;
    found->work = *work;
    found->bar = bar;
}

/* Returns the work under the pointer. history = NULL: there is none. */
static struct found pointed(struct view *view, struct canvas *canvas,
                            const struct timeline_layout *layout, struct track *track)
{
    struct found found = {.x = view->pointer_x, .y = view->pointer_y};
    const bool over =
        rect_has(layout->tensor, found.x, found.y) || rect_has(layout->copies, found.x, found.y);
    if (over && is_near(layout))
        visit(view, canvas, layout, track, find_pointed, &found);
    return found;
}

static void describe(struct view *view, struct canvas *canvas, const struct found *found)
{
    char text[WORK_WORDS];
    (void)snprintf(view->status, sizeof view->status, "%.250s",
                   work_words(found->history, &found->work, text));
    view->target = (struct view_target){.kind = TARGET_CELL,
                                        .sm = view->place.sm,
                                        .slot = found->work.slot,
                                        .cycle = found->work.issued};
    canvas_frame(canvas, found->bar, canvas_metrics(canvas)->px, view_theme(view)->accent);
}

void timeline_work(struct view *view, struct canvas *canvas, const struct timeline_layout *layout,
                   struct track *track)
{
    const struct theme *theme = view_theme(view);
    struct bars bars = {view, canvas};
    if (!layout->tensor.h && !layout->copies.h)
        return;
    canvas_fill(canvas, layout->tensor, theme->panel);
    canvas_fill(canvas, layout->copies, theme->panel);
    draw_label(view, canvas, layout, layout->tensor, _("tensor core"));
    draw_label(view, canvas, layout, layout->copies, "TMA");
    const struct rect saved = canvas_clip(canvas, area_of(layout));
    if (is_near(layout)) {
        visit(view, canvas, layout, track, draw_bar, &bars);
        mark_phases(view, canvas, layout, track);
    } else {
        draw_far(view, canvas, layout, track);
    }
    canvas_unclip(canvas, saved);
    time_cursor(view, canvas, layout->tensor, &layout->time);
    time_cursor(view, canvas, layout->copies, &layout->time);
    const struct found found = pointed(view, canvas, layout, track);
    if (found.history)
        describe(view, canvas, &found);
}

/* Draws a line from the end of a copy to the cell in which the wait of a slot ends, or, first of
 * all, its ground. */
static void draw_link(struct view *view, struct canvas *canvas,
                      const struct timeline_layout *layout, const struct history *history,
                      const struct timeline_work *copy, const struct timeline_wake *wake,
                      bool ground)
{
    if (!layout->copies.h)
        return; /* no copy has been read yet */
    const struct metrics *m = canvas_metrics(canvas);
    const struct theme *theme = view_theme(view);
    const struct timeline_span *span = history_span_at(history, wake->slot, wake->cycle);
    const struct rect lane = lane_of_work(canvas, layout, copy);
    const struct rect row = timeline_row(view, layout, wake->slot);
    const double x0 = time_x(&layout->time, (double)wake->cycle);
    const double x1 = span ? time_x(&layout->time, (double)span->to) : x0;
    const int right = layout->rows.x + layout->rows.w;
    if (x0 < layout->rows.x || x1 >= right || wake->slot / layout->subs >= layout->per_sub)
        return;
    const int y0 = lane.y + lane.h / 2;
    const int y1 = row.y + row.h / 2;
    const int line[] = {(int)(x0 * 16), y0 * 16, (int)(x1 * 16), y1 * 16};
    if (ground)
        canvas_polyline(canvas, line, 2, m->px * 56, theme->ground);
    else
        canvas_arrow(canvas, (int)x0, y0, (int)x1, y1, theme->text);
}

/* Draws the links of all waits that the copy ends. */
static void link_copy(struct view *view, struct canvas *canvas,
                      const struct timeline_layout *layout, const struct found *found)
{
    const struct history *history = found->history;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < history->wake_count; i++) {
            const struct timeline_wake *wake = &history->wakes[i];
            if (wake->number == found->work.number && wake->cycle >= found->work.from &&
                wake->cycle <= found->work.to)
                draw_link(view, canvas, layout, history, &found->work, wake, pass == 0);
        }
}

/* Draws the link to the wait that the selected cell is in. */
static void link_selected(struct view *view, struct canvas *canvas,
                          const struct timeline_layout *layout, struct track *track)
{
    const struct view_place *place = &view->place;
    const uint64_t from = place->cycle > AROUND ? place->cycle - AROUND : 0;
    const struct history *history = NULL;
    struct simsm_error error;
    if (track_history(track, from, place->cycle + AROUND, &history, &error) != SIMSM_OK || !history)
        return;
    const struct timeline_wake *wake = history_wake_of(history, place->slot, place->cycle);
    const struct timeline_work *copy = wake ? history_waker(history, wake) : NULL;
    for (int pass = 0; copy && pass < 2; pass++)
        draw_link(view, canvas, layout, history, copy, wake, pass == 0);
}

void timeline_work_links(struct view *view, struct canvas *canvas,
                         const struct timeline_layout *layout, struct track *track)
{
    if ((!layout->copies.h && !layout->tensor.h) || !is_near(layout))
        return;
    const struct rect saved = canvas_clip(canvas, area_of(layout));
    struct found found = pointed(view, canvas, layout, track);
    if (found.history && !found.work.product)
        link_copy(view, canvas, layout, &found);
    if (view->place.slot != VIEW_NONE) {
        found = (struct found){.slot = view->place.slot, .issued = view->place.cycle};
        visit(view, canvas, layout, track, find_issued, &found);
        if (found.history)
            canvas_frame(canvas, found.bar, canvas_metrics(canvas)->px, view_theme(view)->text);
        if (found.history && !found.work.product)
            link_copy(view, canvas, layout, &found);
        link_selected(view, canvas, layout, track);
    }
    canvas_unclip(canvas, saved);
}
