/* The screen Compare in a terminal: two runs, one above the other, on one time axis. */
#include "view/view_compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tui/tui_plot.h"
#include "tui/tui_screens.h"
#include "view/chart.h"
#include "view/rows.h"
#include "view/states.h"

enum { LABELS = 6, TABLE = 46, WIDE = 100, LOW = 16, SENTENCE = 560 };

static void draw_head(const struct view *view, struct grid *grid, struct rect line,
                      const struct compare_side *side, int i)
{
    char text[300];
    grid_text(grid, line, ALIGN_LEFT, view_theme(view)->series[i],
              compare_head(side, i, text, sizeof text));
}

/* Draws the states of all slots of the SM as areas: a line for each slot has no room. */
static void draw_side(struct compare_side *side, struct grid *grid, struct rect area,
                      const struct time_scale *time)
{
    const struct timeline_info *info = run_info(side->view.run);
    uint32_t count = (uint32_t)(area.w > 0 ? area.w : 1);
    double *sums = calloc((size_t)count * SIMSM_STATE_COUNT, sizeof *sums);
    struct simsm_error error;
    grid_fill(grid, area, view_theme(&side->view)->panel);
    if (sums && area.w > 0 &&
        track_states(side->track, UINT32_MAX, time->from, time_cycle(time, time->x + time->w), sums,
                     NULL, count, &error) == SIMSM_OK)
        for (uint32_t i = 0; i < count; i++)
            plot_states(grid, &side->view, (struct rect){area.x + (int)i, area.y, 1, area.h},
                        sums + (size_t)i * SIMSM_STATE_COUNT, time->cycles_per_px * info->slots);
    free(sums);
}

/* Draws how many instructions A (up) or B (down) is ahead. */
static void draw_difference(const struct view *view, struct grid *grid, struct rect area,
                            const struct compare_side sides[COMPARE_RUNS],
                            const struct time_scale *time)
{
    const struct theme *theme = view_theme(view);
    char text[96];
    char number[32];
    double *ahead = calloc((size_t)area.w + 1, sizeof *ahead);
    if (!ahead)
        return;
    double most = compare_ahead(sides, time->from, time->cycles_per_px, area.w, ahead);
    (void)snprintf(text, sizeof text, "instructions ahead (up: A, down: B); at most %s",
                   chart_number(most, number));
    grid_text(grid, rect_cut_top(&area, 1), ALIGN_LEFT, theme->quiet, text);
    struct tui_plot plot = {area, -most, most};
    grid_fill(grid, area, theme->panel);
    plot_level(grid, &plot, 0, theme->quiet);
    plot_curve(grid, &plot, ahead, (uint32_t)area.w, theme->accent);
    free(ahead);
}

static void draw_table(const struct view *view, struct grid *grid, struct rect area,
                       const struct compare_side sides[COMPARE_RUNS])
{
    const struct theme *theme = view_theme(view);
    struct compare_row rows[COMPARE_ROWS];
    uint32_t count = compare_table(sides, rows);
    plot_title(grid, theme, &area, "What differs?", "A, B, change");
    for (uint32_t i = 0; i < count && area.h > 0; i++) {
        if (i == COMPARE_FIRST)
            grid_text(grid, rect_cut_top(&area, 1), ALIGN_LEFT, theme->quiet, compare_states_title);
        struct rect row = rect_cut_top(&area, 1);
        for (int k = 2; k >= 0; k--)
            grid_text(grid, rect_cut_right(&row, 9), ALIGN_RIGHT,
                      k == 2 ? theme->quiet : theme->text, rows[i].text[k]);
        grid_text(grid, row, ALIGN_LEFT, theme->text, rows[i].name);
    }
}

/* Divides the area: each run, the difference between them, the table at the side or below. */
static void draw_both(struct view *view, struct grid *grid, struct compare_side *sides)
{
    struct rect area = view->area;
    char text[SENTENCE];
    compare_sentence(view->run, view->other, text, sizeof text);
    const uint32_t accent = view_theme(view)->accent;
    const int lines = grid_paragraph(grid, area, accent, text, false);
    if (area.h >= 12 + lines)
        grid_paragraph(grid, rect_cut_top(&area, lines), accent, text, true);
    struct rect table = {0};
    if (area.w >= WIDE) {
        table = rect_cut_right(&area, TABLE);
        rect_cut_right(&area, 1);
    } else if (area.h >= LOW) {
        table = rect_cut_bottom(&area, area.h * 35 / 100);
    }
    rect_cut_left(&area, LABELS);
    struct rect settings = rect_cut_top(&area, area.h >= 12 ? 1 : 0);
    compare_differences(view->run, view->other, text, sizeof text);
    if (settings.h)
        grid_text(grid, settings, ALIGN_LEFT, view_theme(view)->text, text);
    struct rect axis = rect_cut_top(&area, 1);
    int strip = area.h >= 9 ? area.h / 4 : 0;
    int half = (area.h - strip) / COMPARE_RUNS;
    struct time_scale time = time_scale_of(view, area);
    struct rect all = area;
    view->time_area = all;
    view->shown_from = time.from;
    view->shown_cycles_per_px = time.cycles_per_px;
    plot_time(grid, view, axis, time.from, time.cycles_per_px);
    for (int i = 0; i < COMPARE_RUNS; i++) {
        struct rect part = rect_cut_top(&area, half);
        struct rect head = rect_cut_top(&part, 1);
        head.x -= LABELS;
        head.w += LABELS;
        draw_head(view, grid, head, &sides[i], i);
        const struct time_scale its = compare_time(&sides[i], &time);
        draw_side(&sides[i], grid, part, &its);
        if (i == 0 && strip >= 2)
            draw_difference(view, grid, rect_cut_top(&area, strip), sides, &time);
    }
    plot_cursor(grid, view, all, time.from, time.cycles_per_px);
    if (!table.h)
        return;
    draw_table(view, grid, table, sides);
    uint32_t present = states_present(&sides[0].view) | states_present(&sides[1].view);
    int used = COMPARE_ROWS + 3;
    if (view->options.legend && table.h > used)
        plot_legend(grid, view, (struct rect){table.x, table.y + used, table.w, table.h - used},
                    present & ~(1u << SIMSM_STATE_EMPTY), true);
}

void tui_compare(struct view *view, struct grid *grid)
{
    static struct compare_side
        sides[COMPARE_RUNS]; /* static because of its size; filled anew in every frame */
    if (!view->other) {
        grid_paragraph(grid, view->area, view_theme(view)->text, compare_alone, true);
        return;
    }
    bool a = compare_open(view, view->run, &sides[0]);
    bool b = compare_open(view, view->other, &sides[1]);
    if (a && b)
        draw_both(view, grid, sides);
}
