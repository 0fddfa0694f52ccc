/*
 * The screen Occupancy in a terminal: how many warps fit into an SM, what limits them, what gains
 * more.
 */
#include "view/view_occupancy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tui/tui_plot.h"
#include "tui/tui_screens.h"

enum { LEFT = 40, NARROW = 64, LEAST_PLOT = 4 };

static uint32_t tried(const struct view_options *options, uint32_t field)
{
    const uint32_t values[OCCUPANCY_FIELDS] = {options->threads, options->registers,
                                               options->shared};
    return values[field];
}

static void draw_inputs(struct view *view, struct grid *grid, struct rect *area,
                        const struct simsm_launch *launch, const struct simsm_occupancy *occupancy)
{
    const struct theme *theme = view_theme(view);
    char text[160];
    for (uint32_t i = 0; i < OCCUPANCY_FIELDS; i++) {
        bool focus = view->options.field == i;
        bool changed = tried(&view->options, i) != VIEW_NONE;
        struct rect row = rect_cut_top(area, 1);
        struct rect label = rect_cut_left(&row, 23);
        struct rect box = rect_cut_left(&row, 10);
        grid_text(grid, label, ALIGN_LEFT, theme->text, occupancy_inputs[i].label);
        grid_fill(grid, box, focus ? colour_mix(theme->panel, theme->accent, 35) : theme->panel);
        (void)snprintf(text, sizeof text, focus ? "\u2190 %u \u2192" : "%u",
                       vary_get(launch, occupancy_inputs[i].input));
        grid_text(grid, box, ALIGN_CENTRE, changed ? theme->accent : theme->text, text);
        grid_style(grid, box, focus ? grid->colour ? GRID_BOLD : GRID_REVERSE : 0);
        if (changed)
            grid_text(grid, row, ALIGN_LEFT, theme->accent, " tried");
        if (!rect_has(box, view->pointer_x, view->pointer_y))
            continue;
        view->target = (struct view_target){.kind = TARGET_FIELD, .field = i, .value = VIEW_NONE};
        (void)snprintf(
            view->status, sizeof view->status,
            "the wheel changes it, or click and arrows left and right; escape: as it ran");
    }
    (void)snprintf(text, sizeof text, "%u block%s, %u of %u warps: %.0f %%", occupancy->blocks,
                   occupancy->blocks == 1 ? "" : "s", occupancy->warps, occupancy->max_warps,
                   occupancy->max_warps ? 100.0 * occupancy->warps / occupancy->max_warps : 0);
    struct rect line = rect_cut_top(area, 1);
    grid_text(grid, line, ALIGN_LEFT, occupancy->blocks ? theme->text : theme->warning, text);
    grid_style(grid, line, GRID_BOLD);
}

static void draw_better(const struct view *view, struct grid *grid, struct rect *area,
                        const struct simsm_config *config, const struct simsm_launch *launch,
                        const struct simsm_occupancy *occupancy)
{
    const struct theme *theme = view_theme(view);
    char text[160];
    bool any = false;
    for (uint32_t i = 0; i < OCCUPANCY_FIELDS; i++)
        for (int above = 0; above < 2; above++) {
            struct vary_point better;
            enum vary_input input = occupancy_inputs[i].input;
            if (!vary_next_better(config, launch, input, above, &better))
                continue;
            (void)snprintf(text, sizeof text, "%s %u, not %u: %u warps", occupancy_inputs[i].title,
                           better.value, vary_get(launch, input), better.occupancy.warps);
            grid_text(grid, rect_cut_top(area, 1), ALIGN_LEFT, theme->text, text);
            any = true;
        }
    if (!any)
        grid_paragraph(grid, *area, theme->quiet,
                       occupancy->warps == occupancy->max_warps
                           ? "All warp slots are taken: there is nothing to gain."
                           : "No other value of one input alone gives more warps.",
                       true);
}

static void draw_limits(const struct view *view, struct grid *grid, struct rect *area,
                        const struct simsm_occupancy *occupancy)
{
    const struct theme *theme = view_theme(view);
    char text[64];
    plot_title(grid, theme, area, "What limits it?", "blocks");
    for (int i = 0; i < SIMSM_LIMIT_COUNT; i++) {
        struct rect row = rect_cut_top(area, 1);
        bool binds = occupancy->limiters >> i & 1;
        uint32_t colour = binds ? theme->warning : theme->text;
        (void)snprintf(text, sizeof text, occupancy->limit[i] == SIMSM_NO_LIMIT ? "-" : "%u",
                       occupancy->limit[i]);
        grid_text(grid, rect_cut_left(&row, 16), ALIGN_LEFT, colour, simsm_limit_names[i]);
        grid_text(grid, rect_cut_left(&row, 6), ALIGN_RIGHT, colour, text);
        grid_text(grid, row, ALIGN_LEFT, colour, binds ? " \u2190 this one" : "");
    }
}

/* Makes the value of the curve that is nearest to the pointer the target of a click. */
static void point_at_curve(struct view *view, const struct tui_plot *plot, uint32_t field,
                           const struct vary_point *curve, uint32_t count)
{
    if (!rect_has(plot->area, view->pointer_x, view->pointer_y))
        return;
    const struct vary_point *point = &curve[0];
    double wanted = (view->pointer_x - plot->area.x + 0.5) / plot->area.w * curve[count - 1].value;
    for (uint32_t k = 0; k < count; k++)
        if (fabs(curve[k].value - wanted) < fabs(point->value - wanted))
            point = &curve[k];
    (void)snprintf(view->status, sizeof view->status,
                   "%u %s: %u warps in %u blocks   (click: try it)", point->value,
                   occupancy_inputs[field].axis, point->occupancy.warps, point->occupancy.blocks);
    view->target =
        (struct view_target){.kind = TARGET_FIELD, .field = field, .value = point->value};
}

/* Draws the resident warps by the value of an input, as a curve of steps. */
static void draw_curve(struct view *view, struct grid *grid, struct rect area, uint32_t field,
                       const struct simsm_config *config, const struct simsm_launch *launch,
                       const struct simsm_occupancy *occupancy)
{
    const struct theme *theme = view_theme(view);
    enum vary_input input = occupancy_inputs[field].input;
    char title[64];
    (void)snprintf(title, sizeof title, "Warps by %s", occupancy_inputs[field].axis);
    plot_title(grid, theme, &area,
               grid_width(title) <= area.w ? title : occupancy_inputs[field].title, NULL);
    uint32_t count = vary_count(config, input);
    struct vary_point *curve = vary_curve(config, launch, input);
    struct tui_plot plot = plot_of(area, 0, occupancy->max_warps ? occupancy->max_warps : 64);
    uint32_t columns = (uint32_t)(plot.area.w > 0 ? plot.area.w * 2 : 1);
    double *values = calloc(columns, sizeof *values);
    if (curve && values && count && plot.area.h > 0) {
        double last = curve[count - 1].value;
        uint32_t k = 0;
        for (uint32_t i = 0; i < columns; i++) {
            while (k + 1 < count && curve[k + 1].value <= last * (i + 0.5) / columns)
                k++;
            values[i] = curve[k].occupancy.warps;
        }
        grid_fill(grid, plot.area, theme->panel);
        plot_axes(grid, theme, &plot, 0, last, NULL);
        plot_curve(grid, &plot, values, columns, theme->series[0]);
        plot_mark(grid, &plot, vary_get(launch, input) / last, occupancy->warps, theme->accent);
        point_at_curve(view, &plot, field, curve, count);
    }
    free(curve);
    free(values);
}

/* Draws the resident warps of the simulated SM over time, beside the theoretical occupancy. */
static void draw_time(struct view *view, struct grid *grid, struct rect area)
{
    const struct timeline_info *info = run_info(view->run);
    const struct theme *theme = view_theme(view);
    struct track *track = view_track(view);
    char note[64];
    if (!track || view->loading)
        return;
    (void)snprintf(note, sizeof note, "theory: %u (level)", info->occupancy.warps);
    plot_title(grid, theme, &area, "And in the simulation?", note);
    struct tui_plot plot = plot_of(area, 0, info->slots);
    uint32_t columns = (uint32_t)(plot.area.w > 0 ? plot.area.w * 2 : 1);
    double *warps = calloc(columns, sizeof *warps);
    if (warps && plot.area.h > 0 && occupancy_over_time(view, track, columns, warps)) {
        grid_fill(grid, plot.area, theme->panel);
        plot_axes(grid, theme, &plot, (double)run_begin(view->run), (double)run_end(view->run),
                  "cycle");
        plot_level(grid, &plot, info->occupancy.warps, theme->series[1]);
        plot_curve(grid, &plot, warps, columns, theme->series[0]);
    }
    free(warps);
}

void tui_occupancy(struct view *view, struct grid *grid)
{
    struct simsm_error error;
    const struct simsm_config *config = run_config(view->run, &error);
    const struct theme *theme = view_theme(view);
    if (!config) {
        (void)snprintf(view->problem, sizeof view->problem, "the configuration in the file: %.200s",
                       error.message);
        return;
    }
    struct rect area = view->area;
    bool narrow = area.w < NARROW;
    struct rect left = rect_cut_left(&area, narrow ? area.w : LEFT);
    rect_cut_left(&area, 1);
    struct simsm_launch launch = occupancy_launch(view);
    struct simsm_occupancy occupancy = {0};
    error.message[0] = '\0';
    (void)simsm_occupancy(config, &launch, &occupancy,
                          &error); /* 0 blocks if the launch cannot run */
    draw_inputs(view, grid, &left, &launch, &occupancy);
    struct rect time = left;
    if (!narrow && left.h >= 24)
        time = rect_cut_bottom(&left, left.h - 16);
    if (occupancy.blocks) {
        if (left.h > SIMSM_LIMIT_COUNT + 3)
            rect_cut_top(&left, 1);
        draw_limits(view, grid, &left, &occupancy);
        draw_better(view, grid, &left, config, &launch, &occupancy);
    } else {
        grid_paragraph(grid, left, theme->warning, error.message, true);
    }
    if (time.y > left.y && !narrow)
        draw_time(view, grid, time);
    int high = area.h / OCCUPANCY_FIELDS;
    for (uint32_t i = 0; !narrow && high >= LEAST_PLOT && i < OCCUPANCY_FIELDS; i++)
        draw_curve(view, grid, rect_cut_top(&area, i + 1 < OCCUPANCY_FIELDS ? high : area.h), i,
                   config, &launch, &occupancy);
}
