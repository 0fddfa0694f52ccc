/* The screen Latency hiding: are there enough warps to hide the waits? */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "language/language.h"
#include "view/chart.h"
#include "view/rows.h"
#include "view/states.h"
#include "view/view_latency.h"
#include "view/view_memory.h"
#include "view/view_screens.h"

enum {
    MOST_COLUMNS = 8192,
    SIDE_PERCENT = 34,
    LEAST_TRAFFIC = 36, /* least height, in lines of text, for which a chart of DRAM is shown */
    NEED_LINES = 10     /* lines of the panel that says whether there are enough warps */
};

struct latency_panels {
    struct rect states, flight, traffic, ready, need;
};

static struct latency_panels panels_of(struct view *view, const struct canvas *canvas)
{
    const struct metrics *m = canvas_metrics(canvas);
    struct rect area = rect_inset(view->area, m->pad);
    struct latency_panels p = {.ready = rect_cut_right(&area, area.w * SIDE_PERCENT / 100)};
    rect_cut_right(&area, m->pad);
    const int need = m->line[TEXT_LARGE] + NEED_LINES * m->line[TEXT_NORMAL] + 6 * m->pad;
    p.need = rect_cut_bottom(&p.ready, need < p.ready.h / 2 ? need : p.ready.h / 2);
    rect_cut_bottom(&p.ready, m->pad);
    char text[200];
    if (area.h >= LEAST_TRAFFIC * m->line[TEXT_SMALL] && run_overview(view->run) &&
        !memory_plain(view, text, sizeof text)) {
        p.traffic = rect_cut_bottom(&area, area.h * 25 / 100);
        rect_cut_bottom(&area, m->pad);
    }
    p.flight = rect_cut_bottom(&area, area.h * (p.traffic.h ? 34 : 32) / 100);
    rect_cut_bottom(&area, m->pad);
    p.states = area;
    return p;
}

uint32_t latency_sub(const struct view *view)
{
    return view->place.slot == VIEW_NONE ? UINT32_MAX
                                         : view->place.slot % run_info(view->run)->sub_partitions;
}

static struct rect plot_of(const struct canvas *canvas, struct rect inner)
{
    rect_cut_left(&inner, chart_y_room(canvas));
    rect_cut_bottom(&inner, chart_x_room(canvas));
    rect_cut_top(&inner, canvas_metrics(canvas)->line[TEXT_SMALL]);
    return inner;
}

/* ---- States over time, as areas ---- */

void latency_describe(struct view *view, const double *sums, double cycles, double from)
{
    char cycle[32];
    size_t used = (size_t)snprintf(view->status, sizeof view->status, _("cycle %s   warps:"),
                                   chart_cycles((uint64_t)from, cycle));
    for (uint32_t s = 1; s < SIMSM_STATE_COUNT && used < sizeof view->status; s++)
        if (sums[s] / cycles >= 0.05)
            used += (size_t)snprintf(view->status + used, sizeof view->status - used, "  %s %.1f",
                                     translate(simsm_states[s].title), sums[s] / cycles);
}

/* Returns the top of the y axis: 15 % above the most warps of a column, at most `slots`. */
static double top_of(const double *sums, uint32_t count, double cycles, double slots)
{
    double most = 1;
    for (uint32_t i = 0; i < count; i++) {
        double warps = 0;
        for (uint32_t s = 0; s < SIMSM_STATE_COUNT; s++)
            warps += s == SIMSM_STATE_EMPTY ? 0 : sums[(size_t)i * SIMSM_STATE_COUNT + s] / cycles;
        most = warps > most ? warps : most;
    }
    most = ceil(most * 1.15 - 1e-6);
    return most < slots ? most : slots;
}

static void draw_states(struct view *view, struct canvas *canvas, struct track *track,
                        struct rect panel)
{
    const struct timeline_info *info = run_info(view->run);
    const struct theme *theme = view_theme(view);
    uint32_t sub = latency_sub(view);
    double slots = sub == UINT32_MAX ? info->slots : info->slots / info->sub_partitions;
    struct rect inner =
        chart_panel(canvas, theme, panel, _("What are the warps doing?"),
                    sub == UINT32_MAX ? _("all sub-partitions of the SM")
                                      : _("sub-partition of the selected slot; escape: all"));
    uint32_t present = states_present(view) & ~(1u << SIMSM_STATE_EMPTY);
    int legend = view->options.legend ? states_legend(view, canvas, inner, present, false) : 0;
    if (legend && legend < inner.h / 2) /* in a small window the curves matter more */
        states_legend(view, canvas, rect_cut_bottom(&inner, legend), present, true);
    struct rect plot = plot_of(canvas, inner);
    double *sums = calloc((size_t)MOST_COLUMNS * SIMSM_STATE_COUNT, sizeof *sums);
    struct simsm_error error;
    uint32_t count = (uint32_t)(plot.w < 1 ? 1 : plot.w > MOST_COLUMNS ? MOST_COLUMNS : plot.w);
    struct time_scale time = time_scale_of(view, plot);
    double to = time_cycle(&time, plot.x + plot.w);
    view->time_area = plot;
    view->shown_from = time.from;
    view->shown_cycles_per_px = time.cycles_per_px;
    double top = slots;
    canvas_fill(canvas, plot, theme->ground);
    if (sums && track_states(track, sub, time.from, to, sums, NULL, count, &error) == SIMSM_OK) {
        struct rect area = {plot.x, plot.y, (int)count, plot.h};
        top = top_of(sums, count, time.cycles_per_px, slots);
        states_columns(view, canvas, area, sums, time.cycles_per_px * top);
        if (rect_has(area, view->pointer_x, view->pointer_y))
            latency_describe(view, sums + (size_t)(view->pointer_x - area.x) * SIMSM_STATE_COUNT,
                             time.cycles_per_px, time_cycle(&time, view->pointer_x));
    }
    free(sums);
    struct chart_axis y = {0, top, plot.y + plot.h, -plot.h};
    char label[64];
    (void)snprintf(label, sizeof label,
                   top < slots ? _("warps; the axis ends before all %.0f slots")
                               : _("warps in %.0f slots"),
                   slots);
    chart_y_axis(canvas, theme, plot, &y, label);
    struct chart_axis x = {time.from, to, plot.x, plot.w};
    chart_x_axis(canvas, theme, plot, &x, _("cycle"));
    time_cursor(view, canvas, plot, &time);
}

/* ---- Memory requests in flight ---- */

static void draw_flight(struct view *view, struct canvas *canvas, struct track *track,
                        struct rect panel)
{
    const struct theme *theme = view_theme(view);
    struct rect inner =
        chart_panel(canvas, theme, panel, _("How many memory instructions are in flight?"),
                    run_begin(view->run) ? _("at least: not all issued before are known") : NULL);
    struct rect plot = plot_of(canvas, inner);
    struct time_scale time = time_scale_of(view, plot);
    double to = time_cycle(&time, plot.x + plot.w);
    uint32_t count = (uint32_t)(plot.w < 1 ? 1 : plot.w);
    double *xs = calloc(count, sizeof *xs);
    double *ys = calloc(count, sizeof *ys);
    double most = 1;
    struct simsm_error error;
    char cycle[32];
    bool ok = xs && ys &&
              track_flights(track, latency_sub(view), time.from, to, ys, count, &error) == SIMSM_OK;
    for (uint32_t i = 0; ok && i < count; i++) {
        xs[i] = time.from + (to - time.from) * i / count;
        most = ys[i] > most ? ys[i] : most;
    }
    canvas_fill(canvas, plot, theme->ground);
    struct chart_axis x = {time.from, to, plot.x, plot.w};
    struct chart_axis y = {0, most * 1.1, plot.y + plot.h, -plot.h};
    chart_y_axis(canvas, theme, plot, &y, _("warp instructions"));
    chart_x_axis(canvas, theme, plot, &x, _("cycle"));
    if (ok)
        chart_curve(canvas, plot, &x, &y, xs, ys, count, true, theme->series[0]);
    if (ok && rect_has(plot, view->pointer_x, view->pointer_y))
        (void)snprintf(view->status, sizeof view->status,
                       _("cycle %s   %.0f memory instructions of this SM are in flight"),
                       chart_cycles((uint64_t)time_cycle(&time, view->pointer_x), cycle),
                       ys[view->pointer_x - plot.x]);
    time_cursor(view, canvas, plot, &time);
    free(xs);
    free(ys);
}

/* ---- How often are warps eligible? ---- */

uint32_t latency_ready(const struct view *view, const struct track *track,
                       double share[LATENCY_READY])
{
    const struct timeline_info *info = run_info(view->run);
    double all = 0;
    uint32_t last = 1;
    uint32_t count = 0;
    memset(share, 0, LATENCY_READY * sizeof *share);
    for (uint32_t sub = 0; sub < info->sub_partitions; sub++) {
        const uint64_t *ready = track_ready_histogram(track, sub, &count);
        SIMSM_CHECK(count <= LATENCY_READY, "counts of up to %u ready warps, room for %d", count,
                    (int)LATENCY_READY);
        for (uint32_t i = 0; i < count; i++) {
            if (latency_sub(view) != UINT32_MAX && latency_sub(view) != sub)
                continue;
            share[i] += (double)ready[i];
            all += (double)ready[i];
        }
    }
    for (uint32_t i = 0; i < count && all > 0; i++) {
        share[i] = 100 * share[i] / all;
        last = share[i] >= 0.05 ? i : last;
    }
    return last;
}

static void draw_ready(struct view *view, struct canvas *canvas, struct track *track,
                       struct rect panel)
{
    const struct metrics *m = canvas_metrics(canvas);
    const struct theme *theme = view_theme(view);
    struct rect inner =
        chart_panel(canvas, theme, panel, _("How many warps are ready?"), view_part(view));
    struct rect plot = plot_of(canvas, inner);
    double share[LATENCY_READY];
    double most = 0;
    uint32_t last = latency_ready(view, track, share);
    for (uint32_t i = 0; i <= last; i++)
        most = share[i] > most ? share[i] : most;
    struct chart_axis y = {0, most > 0 ? most * 1.2 : 1, plot.y + plot.h, -plot.h};
    /* xgettext:no-c-format */
    chart_y_axis(canvas, theme, plot, &y, _("% of sub-partition cycles"));
    int wide = plot.w / (int)(last + 1);
    for (uint32_t i = 0; i <= last; i++) {
        char text[16];
        int top = (int)lround(axis_place(&y, share[i]));
        struct rect bar = {plot.x + (int)i * wide + m->px, top, wide - 2 * m->px,
                           plot.y + plot.h - top};
        canvas_fill(canvas, bar,
                    i ? theme->states[SIMSM_STATE_NOT_SELECTED].colour : theme->warning);
        (void)snprintf(text, sizeof text, "%.1f", share[i]);
        if (text_width(m, TEXT_SMALL, text) < wide)
            canvas_text_in(canvas,
                           (struct rect){plot.x + (int)i * wide, top - m->line[TEXT_SMALL], wide,
                                         m->line[TEXT_SMALL]},
                           TEXT_SMALL, ALIGN_CENTRE, theme->text, text);
        (void)snprintf(text, sizeof text, "%u", i);
        struct rect label = {bar.x, plot.y + plot.h + m->px, bar.w, m->line[TEXT_SMALL]};
        canvas_text_in(canvas, label, TEXT_SMALL, ALIGN_CENTRE, theme->quiet, text);
        if (rect_has((struct rect){bar.x, plot.y, bar.w, plot.h}, view->pointer_x, view->pointer_y))
            (void)snprintf(
                view->status, sizeof view->status,
                _("in %.1f %% of the cycles of a sub-partition %u of its warps %s ready to issue"),
                share[i], i, i == 1 ? _("is") : _("are"));
    }
    struct rect label = {plot.x, plot.y + plot.h + m->line[TEXT_SMALL], plot.w,
                         m->line[TEXT_SMALL]};
    canvas_text_in(canvas, label, TEXT_SMALL, ALIGN_CENTRE, theme->quiet,
                   _("warps ready in a sub-partition (0: nobody issues)"));
}

/* ---- Have and need ---- */

/*
 * Little's law: a warp that issues every `own` cycles fills 1/own of the issue slots, so `own`
 * warps fill all issue slots. More warps cannot hide the time in which a warp is not selected, or
 * waits for room in a pipe or a queue.
 */
struct latency_balance latency_balance(const struct view *view, struct track *track)
{
    double sums[SIMSM_STATE_COUNT];
    double issues = 0;
    struct simsm_error error;
    const struct timeline_info *info = run_info(view->run);
    struct latency_balance b = {0};
    double begin = (double)run_begin(view->run);
    double end = (double)run_end(view->run);
    if (track_states(track, latency_sub(view), begin, end, sums, &issues, 1, &error) != SIMSM_OK)
        return b;
    double resident = 0;
    double throttle = sums[SIMSM_STATE_MATH_PIPE_THROTTLE] + sums[SIMSM_STATE_LG_THROTTLE] +
                      sums[SIMSM_STATE_MIO_THROTTLE] + sums[SIMSM_STATE_TEX_THROTTLE];
    for (uint32_t s = 0; s < SIMSM_STATE_COUNT; s++)
        if (track_is_resident(s))
            resident += sums[s];
    double cycles = track_busy_cycles(track, latency_sub(view));

    if (cycles > 0 && issues > 0) {
        b.have = resident / cycles;
        b.own = (resident - sums[SIMSM_STATE_NOT_SELECTED] - throttle) / issues;
        b.issue = issues / cycles;
        b.throttle = throttle / resident;
        b.slots = (double)info->slots / info->sub_partitions;
        b.few_blocks = view_grid_blocks(view) < (uint64_t)info->sms * info->occupancy.blocks;
    }
    return b;
}

static void draw_need_bar(const struct view *view, struct canvas *canvas, struct rect *rest,
                          const char *name, double value, double most, uint32_t colour)
{
    const struct metrics *m = canvas_metrics(canvas);
    const struct theme *theme = view_theme(view);
    char text[48];
    struct rect row = rect_cut_top(rest, m->line[TEXT_NORMAL] + m->pad);
    struct rect label = rect_cut_left(&row, 10 * m->advance[TEXT_NORMAL]);
    struct rect number = rect_cut_right(&row, 7 * m->advance[TEXT_NORMAL]);
    canvas_text_in(canvas, label, TEXT_NORMAL, ALIGN_LEFT, theme->text, name);
    chart_bar(canvas, theme, rect_inset(row, 2 * m->px), value / most, colour);
    (void)snprintf(text, sizeof text, "%.1f", value);
    canvas_text_in(canvas, number, TEXT_NORMAL, ALIGN_RIGHT, theme->text, text);
}

void latency_words(const struct latency_balance *b, char *text, size_t size)
{
    int used = snprintf(
        text, size,
        _("Left to itself a warp issues once in %.1f cycles; so %.1f warps would keep a scheduler "
          "busy. It has %.1f on average and issues in %.0f %% of its cycles.\n"),
        b->own, b->own, b->have, 100 * b->issue);
    const char *verdict =
        b->throttle > 0.3
            ? _("Many warp cycles wait for room in a pipe or a queue: more warps would "
                "only wait there.")
        : b->have >= b->own * 0.9
            ? _("There are enough warps: what remains are cycles in which they wait together.")
        : b->have > b->slots * 0.9
            ? _("Latency is not hidden although nearly all warp slots are taken: more independent "
                "instructions in each warp would help, or shorter waits.")
        : b->few_blocks
            ? _("Latency is not hidden, and the grid has too few blocks to fill the SMs: "
                "launch more of them, or have more independent instructions in each warp.")
            : _("Latency is not hidden: more resident warps, or more independent instructions in "
                "each, would help.");
    (void)snprintf(text + used, size - (size_t)used, "%s", verdict);
}

static void draw_need(struct view *view, struct canvas *canvas, struct track *track,
                      struct rect panel)
{
    const struct metrics *m = canvas_metrics(canvas);
    const struct theme *theme = view_theme(view);
    struct rect inner =
        chart_panel(canvas, theme, panel, _("Are there enough warps?"), view_part(view));
    struct latency_balance b = latency_balance(view, track);
    if (b.own <= 0)
        return;
    double most = b.have > b.own ? b.have : b.own;
    draw_need_bar(view, canvas, &inner, _("you have"), b.have, most, theme->series[0]);
    draw_need_bar(view, canvas, &inner, _("you need"), b.own, most, theme->series[1]);
    rect_cut_top(&inner, m->pad);
    char text[600];
    latency_words(&b, text, sizeof text);
    bool fits = canvas_paragraph(canvas, inner, TEXT_NORMAL, theme->text, text, false) <= inner.h;
    canvas_paragraph(canvas, inner, fits ? TEXT_NORMAL : TEXT_SMALL, theme->text, text, true);
}

void view_latency_draw(struct view *view, struct canvas *canvas)
{
    struct track *track = view_track(view);
    if (!track || view->loading)
        return;
    struct latency_panels p = panels_of(view, canvas);
    if (p.traffic.h)
        memory_draw(view, canvas, &memory_charts[0], p.traffic);
    draw_flight(view, canvas, track, p.flight);
    draw_states(view, canvas, track, p.states);
    view->time_area.h =
        p.flight.y + p.flight.h - view->time_area.y; /* both charts have the same x axis */
    draw_ready(view, canvas, track, p.ready);
    draw_need(view, canvas, track, p.need);
}

/*
 * Writes what the areas and the curve of memory instructions show, in up to PARTS parts of at least
 * a cycle.
 */
enum simsm_status view_latency_csv(struct view *view, FILE *file, struct simsm_error *error)
{
    enum { PARTS = 1000 };
    struct track *track = run_track(view->run, view->place.sm, UINT32_MAX, error);
    if (!track)
        return error->status;
    static double sums[PARTS * SIMSM_STATE_COUNT];
    double flight[PARTS];
    uint32_t sub = latency_sub(view);
    double from = floor(view->place.from);
    double to = ceil(view->place.to);
    uint32_t count = to - from < PARTS ? (uint32_t)(to - from) : PARTS;
    double width = (to - from) / count;
    enum simsm_status status = track_states(track, sub, from, to, sums, NULL, count, error);
    if (status == SIMSM_OK)
        status = track_flights(track, sub, from, to, flight, count, error);
    (void)fputs("cycle,in_flight", file);
    for (uint32_t s = 0; s < SIMSM_STATE_COUNT; s++)
        (void)fprintf(file, ",%s", simsm_states[s].name);
    (void)fputc('\n', file);
    for (uint32_t i = 0; status == SIMSM_OK && i < count; i++) {
        (void)fprintf(file, "%.0f,%.2f", floor(from + width * i), flight[i]);
        for (uint32_t s = 0; s < SIMSM_STATE_COUNT; s++)
            (void)fprintf(file, ",%.4f", sums[i * SIMSM_STATE_COUNT + s] / width);
        (void)fputc('\n', file);
    }
    return status;
}
