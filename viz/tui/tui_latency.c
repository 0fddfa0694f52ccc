/* The screen Latency hiding in a terminal: are there enough warps to hide the waits? */
#include "view/view_latency.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tui/tui_plot.h"
#include "tui/tui_screens.h"
#include "view/rows.h"
#include "view/states.h"

enum { NARROW = 64, LOW = 14, MOST_READY = 9 };

static void draw_states(struct view *view, struct grid *grid, struct track *track, struct rect area)
{
    const struct timeline_info *info = run_info(view->run);
    const struct theme *theme = view_theme(view);
    uint32_t sub = latency_sub(view);
    double slots = sub == UINT32_MAX ? info->slots : info->slots / info->sub_partitions;
    char note[48];
    (void)snprintf(note, sizeof note, sub == UINT32_MAX ? "whole SM" : "sub-partition %u; Esc: all",
                   sub);
    plot_title(grid, theme, &area, "What are the warps doing?", note);
    uint32_t present = states_present(view) & ~(1u << SIMSM_STATE_EMPTY);
    if (view->options.legend && area.h >= 8) {
        int lines = plot_legend(grid, view, area, present, false);
        int most = area.h / 4;
        plot_legend(grid, view, rect_cut_bottom(&area, lines < most ? lines : most), present, true);
    }
    struct tui_plot plot = plot_of(area, 0, slots);
    struct time_scale time = time_scale_of(view, plot.area);
    double to = time_cycle(&time, plot.area.x + plot.area.w);
    uint32_t count = (uint32_t)(plot.area.w > 0 ? plot.area.w : 1);
    double *sums = calloc((size_t)count * SIMSM_STATE_COUNT, sizeof *sums);
    struct simsm_error error;
    view->time_area = plot.area;
    view->shown_from = time.from;
    view->shown_cycles_per_px = time.cycles_per_px;
    plot_axes(grid, theme, &plot, time.from, to, "warp slots by cycle");
    if (sums && plot.area.w > 0 &&
        track_states(track, sub, time.from, to, sums, NULL, count, &error) == SIMSM_OK)
        for (uint32_t i = 0; i < count; i++) {
            struct rect column = {plot.area.x + (int)i, plot.area.y, 1, plot.area.h};
            const double *states = sums + (size_t)i * SIMSM_STATE_COUNT;
            plot_states(grid, view, column, states, time.cycles_per_px * slots);
            if (rect_has(column, view->pointer_x, view->pointer_y))
                latency_describe(view, states, time.cycles_per_px,
                                 time_cycle(&time, view->pointer_x));
        }
    free(sums);
    plot_cursor(grid, view, plot.area, time.from, time.cycles_per_px);
}

static void draw_flight(struct view *view, struct grid *grid, struct track *track, struct rect area)
{
    const struct theme *theme = view_theme(view);
    plot_title(grid, theme, &area, "Memory instructions in flight", NULL);
    struct tui_plot plot = plot_of(area, 0, 1);
    struct time_scale time = time_scale_of(view, plot.area);
    uint32_t count = (uint32_t)(plot.area.w > 0 ? plot.area.w * 2 : 1);
    double *values = calloc(count, sizeof *values);
    struct simsm_error error;
    if (values && plot.area.w > 0 && plot.area.h > 0 &&
        track_flights(track, latency_sub(view), time.from,
                      time_cycle(&time, plot.area.x + plot.area.w), values, count,
                      &error) == SIMSM_OK) {
        for (uint32_t i = 0; i < count; i++)
            plot.high = values[i] > plot.high ? values[i] : plot.high;
        plot.high = ceil(plot.high);
        grid_fill(grid, plot.area, theme->panel);
        plot_axes(grid, theme, &plot, NAN, 0, NULL);
        plot_curve(grid, &plot, values, count, theme->series[0]);
    }
    free(values);
    plot_cursor(grid, view, plot.area, time.from, time.cycles_per_px);
}

/* Draws a bar between a name and a number. */
static void draw_bar(struct grid *grid, const struct theme *theme, struct rect row,
                     const char *name, const char *number, double share, uint32_t colour)
{
    grid_text(grid, rect_cut_left(&row, 9), ALIGN_LEFT, theme->text, name);
    grid_text(grid, rect_cut_right(&row, 7), ALIGN_RIGHT, theme->text, number);
    int filled = (int)lround(share * row.w);
    for (int i = 0; i < filled; i++)
        grid_ink(grid, row.x + i, row.y, 0x2588, colour);
}

static void draw_ready(struct view *view, struct grid *grid, struct track *track, struct rect *area)
{
    const struct theme *theme = view_theme(view);
    double share[LATENCY_READY];
    double most = 0.1;
    uint32_t last = latency_ready(view, track, share);
    for (uint32_t i = 0; i <= last; i++)
        most = share[i] > most ? share[i] : most;
    plot_title(grid, theme, area, "How many warps are ready?", view_part(view));
    for (uint32_t i = 0; i <= last && i < MOST_READY && area->h > 0; i++) {
        char name[16];
        char number[16];
        double value = share[i];
        bool rest = i == MOST_READY - 1 && last > i;
        for (uint32_t k = i + 1; rest && k <= last; k++)
            value += share[k];
        (void)snprintf(name, sizeof name, rest ? "%u or more" : i == 0 ? "0: none" : "%u", i);
        (void)snprintf(number, sizeof number, "%.1f %%", value);
        draw_bar(grid, theme, rect_cut_top(area, 1), name, number, value > most ? 1 : value / most,
                 i ? theme->states[SIMSM_STATE_NOT_SELECTED].colour : theme->warning);
    }
}

static void draw_need(struct view *view, struct grid *grid, struct track *track, struct rect area)
{
    const struct theme *theme = view_theme(view);
    struct latency_balance b = latency_balance(view, track);
    char text[600];
    plot_title(grid, theme, &area, "Are there enough warps?", NULL);
    if (b.own <= 0)
        return;
    double most = b.have > b.own ? b.have : b.own;
    (void)snprintf(text, sizeof text, "%.1f", b.have);
    draw_bar(grid, theme, rect_cut_top(&area, 1), "you have", text, b.have / most,
             theme->series[0]);
    (void)snprintf(text, sizeof text, "%.1f", b.own);
    draw_bar(grid, theme, rect_cut_top(&area, 1), "you need", text, b.own / most, theme->series[1]);
    latency_words(&b, text, sizeof text);
    grid_paragraph(grid, area, theme->text, text, true);
}

void tui_latency(struct view *view, struct grid *grid)
{
    struct track *track = view_track(view);
    if (!track || view->loading)
        return;
    struct rect area = view->area;
    struct rect right = {0};
    if (area.w >= NARROW) {
        right = rect_cut_right(&area, area.w * 40 / 100);
        rect_cut_left(&right, 1);
    }
    struct rect flight = rect_cut_bottom(&area, area.h < LOW ? 0 : area.h * 30 / 100);
    draw_states(view, grid, track, area);
    if (flight.h)
        draw_flight(view, grid, track, flight);
    if (!right.w)
        return;
    if (right.h < LOW) {
        draw_need(view, grid, track, right);
        return;
    }
    struct rect need = rect_cut_bottom(&right, right.h * 60 / 100);
    draw_ready(view, grid, track, &right);
    draw_need(view, grid, track, need);
}
