/* The screen Occupancy: how many warps fit into an SM, what limits them, what gains more. */
#include "view/view_occupancy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "language/language.h"
#include "occupancy/vary.h"
#include "view/chart.h"
#include "view/view_screens.h"

enum {
    CSV_ROWS = 1000,
    INPUTS = OCCUPANCY_FIELDS,
    LEAST_COLUMNS = 35, /* least width of the left side, in characters */
    LEAST_TIME = 11     /* least height of the plot over time, in lines */
};

const struct occupancy_input occupancy_inputs[OCCUPANCY_FIELDS] = {
    {VARY_THREADS, N_("Threads per block"), N_("threads per block"), N_("Block size")},
    {VARY_REGISTERS, N_("Registers per thread"), N_("registers per thread"), N_("Registers")},
    {VARY_SHARED, N_("Shared memory, bytes"), N_("bytes of shared memory per block"),
     N_("Shared memory")},
};

struct occupancy_panels {
    struct rect inputs, limits, plots[INPUTS], time;
};

static struct occupancy_panels panels_of(const struct view *view, const struct canvas *canvas)
{
    const struct metrics *m = canvas_metrics(canvas);
    struct rect area = rect_inset(view->area, m->pad);
    struct occupancy_panels p;
    int least = LEAST_COLUMNS * m->advance[TEXT_NORMAL];
    int wide = area.w * 36 / 100;
    struct rect left = rect_cut_left(&area, wide < least ? least : wide);
    rect_cut_left(&area, m->pad);
    p.inputs =
        rect_cut_top(&left, 2 * m->line[TEXT_LARGE] +
                                INPUTS * (m->line[TEXT_NORMAL] + m->pad + 2 * m->px) + 5 * m->pad);
    rect_cut_top(&left, m->pad);
    const int limits = occupancy_limits_height(m);
    const bool both = left.h >= limits + m->pad + LEAST_TIME * m->line[TEXT_NORMAL];
    p.limits = rect_cut_top(&left, both ? limits : left.h);
    rect_cut_top(&left, m->pad);
    p.time = both ? left : (struct rect){0};
    int h = (area.h - 2 * m->pad) / INPUTS;
    for (int i = 0; i < INPUTS; i++) {
        p.plots[i] = rect_cut_top(&area, i < INPUTS - 1 ? h : area.h);
        rect_cut_top(&area, m->pad);
    }
    return p;
}

/* Returns the option that holds the varied value of an input; VIEW_NONE: not varied. */
static uint32_t *tried(struct view_options *options, enum vary_input input)
{
    return input == VARY_THREADS     ? &options->threads
           : input == VARY_REGISTERS ? &options->registers
                                     : &options->shared;
}

struct simsm_launch occupancy_launch(const struct view *view)
{
    struct simsm_launch launch = run_info(view->run)->launch;
    struct view_options options = view->options;
    for (int i = 0; i < INPUTS; i++)
        if (*tried(&options, occupancy_inputs[i].input) != VIEW_NONE)
            vary_set(&launch, occupancy_inputs[i].input,
                     *tried(&options, occupancy_inputs[i].input));
    return launch;
}

void occupancy_step(struct view *view, uint32_t field, int steps)
{
    struct simsm_error error;
    const struct simsm_config *config = run_config(view->run, &error);
    if (!config || field >= INPUTS)
        return;
    enum vary_input input = occupancy_inputs[field].input;
    struct simsm_launch launch = occupancy_launch(view);
    uint32_t now = vary_get(&launch, input);
    uint32_t count = vary_count(config, input);
    uint32_t index = 0;
    while (index + 1 < count && vary_value(config, input, index) < now)
        index++;
    /*
     * If the value lies between two values, the first step goes to the nearer value in its
     * direction.
     */
    int64_t to =
        (int64_t)index + steps + (steps > 0 && vary_value(config, input, index) > now ? -1 : 0);
    to = to < 0 ? 0 : to >= count ? count - 1 : to;
    occupancy_set(view, field, vary_value(config, input, (uint32_t)to));
}

uint32_t occupancy_least(uint32_t field)
{
    return occupancy_inputs[field].input == VARY_THREADS;
}

uint32_t occupancy_most(const struct view *view, uint32_t field)
{
    struct simsm_error error;
    const struct simsm_config *config = run_config(view->run, &error);
    const enum vary_input input = occupancy_inputs[field].input;
    const uint32_t count = config ? vary_count(config, input) : 0;
    return count ? vary_value(config, input, count - 1) : 0;
}

void occupancy_set(struct view *view, uint32_t field, uint32_t value)
{
    if (field >= INPUTS)
        return;
    *tried(&view->options, occupancy_inputs[field].input) = value;
    view->options.field = field;
}

static void draw_field(struct view *view, struct canvas *canvas, struct rect row, int i,
                       const struct simsm_launch *launch, bool changed)
{
    const struct metrics *m = canvas_metrics(canvas);
    const struct theme *theme = view_theme(view);
    char text[48];
    struct rect label = rect_cut_left(&row, 26 * m->advance[TEXT_NORMAL]);
    struct rect box = rect_cut_left(&row, 12 * m->advance[TEXT_NORMAL]);
    canvas_text_in(canvas, label, TEXT_NORMAL, ALIGN_LEFT, theme->text,
                   translate(occupancy_inputs[i].label));
    bool focus = view->options.field == (uint32_t)i;
    canvas_fill(canvas, box, theme->ground);
    canvas_frame(canvas, box, m->px, focus ? theme->accent : theme->line);
    (void)snprintf(text, sizeof text, "%u", vary_get(launch, occupancy_inputs[i].input));
    canvas_text_in(canvas, box, TEXT_NORMAL, ALIGN_CENTRE, changed ? theme->accent : theme->text,
                   text);
    if (rect_has(box, view->pointer_x, view->pointer_y)) {
        view->target =
            (struct view_target){.kind = TARGET_FIELD, .field = (uint32_t)i, .value = VIEW_NONE};
        (void)snprintf(view->status, sizeof view->status,
                       _("click and type a value, or turn the wheel, or arrows left and right; "
                         "escape: as it ran"));
    }
}

static void draw_inputs(struct view *view, struct canvas *canvas, struct rect panel,
                        const struct simsm_launch *launch, const struct simsm_occupancy *occupancy)
{
    const struct metrics *m = canvas_metrics(canvas);
    const struct theme *theme = view_theme(view);
    struct view_options options = view->options;
    struct rect inner = chart_panel(canvas, theme, panel, _("What fits?"),
                                    view->still ? "" : _("arrows, or a click in a plot"));
    bool any = false;
    for (int i = 0; i < INPUTS; i++) {
        bool changed = *tried(&options, occupancy_inputs[i].input) != VIEW_NONE;
        any = any || changed;
        draw_field(view, canvas, rect_cut_top(&inner, m->line[TEXT_NORMAL] + m->pad), i, launch,
                   changed);
        rect_cut_top(&inner, m->px * 2);
    }
    char text[160];
    (void)snprintf(text, sizeof text, _("%u block%s, %u of %u warps: %.0f %%%s"), occupancy->blocks,
                   occupancy->blocks == 1 ? "" : "s", occupancy->warps, occupancy->max_warps,
                   occupancy->max_warps ? 100.0 * occupancy->warps / occupancy->max_warps : 0,
                   any ? _("   (tried out)") : "");
    rect_cut_top(&inner, m->pad);
    enum text_size size = text_width(m, TEXT_LARGE, text) <= inner.w ? TEXT_LARGE : TEXT_NORMAL;
    canvas_text_in(canvas, rect_cut_top(&inner, m->line[TEXT_LARGE]), size, ALIGN_LEFT,
                   occupancy->blocks ? theme->text : theme->warning, text);
}

/* Makes the value of the curve that is nearest to the pointer the target of a click. */
static void point_at_curve(struct view *view, struct canvas *canvas, struct rect plot, int i,
                           const struct chart_axis *x, const struct chart_axis *y,
                           const struct vary_point *curve, uint32_t count)
{
    if (!rect_has(plot, view->pointer_x, view->pointer_y))
        return;
    const struct vary_point *point = &curve[0];
    double wanted = axis_value(x, view->pointer_x);
    for (uint32_t k = 0; k < count; k++)
        if (fabs(curve[k].value - wanted) < fabs(point->value - wanted))
            point = &curve[k];
    chart_mark(canvas, x, y, point->value, point->occupancy.warps, view_theme(view)->text);
    (void)snprintf(view->status, sizeof view->status,
                   _("%u %s: %u warps in %u block%s   (click: try it)"), point->value,
                   translate(occupancy_inputs[i].axis), point->occupancy.warps,
                   point->occupancy.blocks, point->occupancy.blocks == 1 ? "" : "s");
    view->target =
        (struct view_target){.kind = TARGET_FIELD, .field = (uint32_t)i, .value = point->value};
}

/*
 * Returns the value at which the step of a point begins. A block's last warp may have fewer than 32
 * threads, so a step of the curve by threads begins 31 threads earlier.
 */
static double curve_from(enum vary_input input, const struct vary_point *point)
{
    return input == VARY_THREADS && point->value >= 32 ? point->value - 31 : point->value;
}

static void draw_curve(struct view *view, struct canvas *canvas, struct rect panel, int i,
                       const struct simsm_config *config, const struct simsm_launch *launch,
                       const struct simsm_occupancy *occupancy)
{
    const struct theme *theme = view_theme(view);
    char title[64];
    (void)snprintf(title, sizeof title, _("Resident warps by %s"),
                   translate(occupancy_inputs[i].axis));
    struct rect plot = chart_panel(canvas, theme, panel, title, NULL);
    rect_cut_left(&plot, chart_y_room(canvas));
    rect_cut_bottom(&plot, chart_x_room(canvas) - canvas_metrics(canvas)->line[TEXT_SMALL]);
    uint32_t count = vary_count(config, occupancy_inputs[i].input);
    struct vary_point *curve = vary_curve(config, launch, occupancy_inputs[i].input);
    double *xs = calloc((size_t)count + 1, sizeof *xs);
    double *ys = calloc((size_t)count + 1, sizeof *ys);
    if (curve && xs && ys && count) {
        for (uint32_t k = 0; k < count; k++) {
            xs[k] = curve_from(occupancy_inputs[i].input, &curve[k]);
            ys[k] = curve[k].occupancy.warps;
        }
        xs[count] = curve[count - 1].value; /* end of the last step */
        ys[count] = ys[count - 1];
        uint32_t most = occupancy->max_warps ? occupancy->max_warps : 64;
        struct chart_axis x = {0, curve[count - 1].value, plot.x, plot.w};
        struct chart_axis y = {0, most * 1.08, plot.y + plot.h, -plot.h};
        canvas_fill(canvas, plot, theme->ground);
        chart_x_axis(canvas, theme, plot, &x, NULL);
        chart_y_axis(canvas, theme, plot, &y, NULL);
        chart_curve(canvas, plot, &x, &y, xs, ys, count + 1, true, theme->series[0]);
        chart_mark(canvas, &x, &y, vary_get(launch, occupancy_inputs[i].input), occupancy->warps,
                   theme->accent);
        point_at_curve(view, canvas, plot, i, &x, &y, curve, count);
    }
    free(curve);
    free(xs);
    free(ys);
}

bool occupancy_over_time(const struct view *view, struct track *track, uint32_t count,
                         double *warps)
{
    double *sums = calloc((size_t)count * SIMSM_STATE_COUNT, sizeof *sums);
    double begin = (double)run_begin(view->run);
    double end = (double)run_end(view->run);
    double width = (end - begin) / count;
    struct simsm_error error;
    bool ok = sums && end > begin &&
              track_states(track, UINT32_MAX, begin, end, sums, NULL, count, &error) == SIMSM_OK;
    for (uint32_t i = 0; ok && i < count; i++) {
        warps[i] = 0;
        for (uint32_t s = 0; s < SIMSM_STATE_COUNT; s++)
            if (track_is_resident(s))
                warps[i] += sums[i * SIMSM_STATE_COUNT + s] / width;
    }
    free(sums);
    return ok;
}

/* Writes what a level is below it, on a ground that covers the curve. */
static void label_level(struct canvas *canvas, const struct theme *theme, struct rect plot,
                        int level, const char *text)
{
    const struct metrics *m = canvas_metrics(canvas);
    const struct rect label = {plot.x + m->pad, level + 3 * m->px,
                               text_width(m, TEXT_SMALL, text) + m->pad, m->line[TEXT_SMALL]};
    canvas_fill(canvas, label, theme->ground);
    canvas_text_in(canvas, label, TEXT_SMALL, ALIGN_CENTRE, theme->series[1], text);
}

/* Draws the resident warps of the simulated SM over time, beside the theoretical occupancy. */
static void draw_time(struct view *view, struct canvas *canvas, struct rect panel)
{
    const struct timeline_info *info = run_info(view->run);
    const struct theme *theme = view_theme(view);
    struct track *track = view_track(view);
    if (!track || view->loading)
        return;
    char note[64];
    struct rect plot = chart_panel(canvas, theme, panel, _("And in the simulation?"), NULL);
    rect_cut_left(&plot, chart_y_room(canvas));
    rect_cut_bottom(&plot, chart_x_room(canvas));
    rect_cut_top(&plot, canvas_metrics(canvas)->line[TEXT_SMALL]);
    uint32_t count = (uint32_t)(plot.w < 1 ? 1 : plot.w);
    double *xs = calloc(count, sizeof *xs);
    double *ys = calloc(count, sizeof *ys);
    double begin = (double)run_begin(view->run);
    double end = (double)run_end(view->run);
    if (xs && ys && occupancy_over_time(view, track, count, ys)) {
        for (uint32_t i = 0; i < count; i++)
            xs[i] = begin + (end - begin) / count * i;
        struct chart_axis x = {begin, end, plot.x, plot.w};
        struct chart_axis y = {0, info->slots * 1.08, plot.y + plot.h, -plot.h};
        canvas_fill(canvas, plot, theme->ground);
        chart_x_axis(canvas, theme, plot, &x, _("cycle"));
        chart_y_axis(canvas, theme, plot, &y, _("resident warps of this SM"));
        chart_curve(canvas, plot, &x, &y, xs, ys, count, false, theme->series[0]);
        int level = (int)lround(axis_place(&y, info->occupancy.warps));
        canvas_fill(canvas, (struct rect){plot.x, level, plot.w, 2 * canvas_metrics(canvas)->px},
                    theme->series[1]);
        (void)snprintf(note, sizeof note, _("theory: %u"), info->occupancy.warps);
        label_level(canvas, theme, plot, level, note);
    }
    free(xs);
    free(ys);
}

void view_occupancy_draw(struct view *view, struct canvas *canvas)
{
    struct simsm_error error;
    const struct simsm_config *config = run_config(view->run, &error);
    if (!config) {
        (void)snprintf(view->problem, sizeof view->problem,
                       _("the configuration in the file: %.200s"), error.message);
        return;
    }
    struct occupancy_panels p = panels_of(view, canvas);
    struct simsm_launch launch = occupancy_launch(view);
    struct simsm_occupancy occupancy = {0};
    error.message[0] = '\0';
    (void)simsm_occupancy(config, &launch, &occupancy,
                          &error); /* 0 blocks if the launch cannot run */
    draw_inputs(view, canvas, p.inputs, &launch, &occupancy);
    occupancy_draw_limits(view, canvas, p.limits, config, &launch, &occupancy, error.message);
    if (p.time.h)
        draw_time(view, canvas, p.time);
    for (int i = 0; i < INPUTS; i++)
        draw_curve(view, canvas, p.plots[i], i, config, &launch, &occupancy);
}

/* Writes the resident warps of the SM over the recording, as the mean of up to CSV_ROWS parts. */
static void csv_time(struct view *view, FILE *file)
{
    struct track *track = view_track(view);
    double begin = (double)run_begin(view->run);
    double cycles = (double)run_end(view->run) - begin;
    uint32_t count = cycles < CSV_ROWS ? (uint32_t)cycles : CSV_ROWS;
    double *warps = calloc(count + 1u, sizeof *warps);
    if (track && warps && count && occupancy_over_time(view, track, count, warps))
        for (uint32_t i = 0; i < count; i++)
            (void)fprintf(file, "cycle,%.0f,,%.3f\n", floor(begin + cycles / count * i), warps[i]);
    free(warps);
}

enum simsm_status view_occupancy_csv(struct view *view, FILE *file, struct simsm_error *error)
{
    const struct simsm_config *config = run_config(view->run, error);
    if (!config)
        return error->status;
    struct simsm_launch launch = occupancy_launch(view);
    (void)fputs("input,value,blocks,warps\n", file);
    for (int i = 0; i < INPUTS; i++) {
        struct vary_point *curve = vary_curve(config, &launch, occupancy_inputs[i].input);
        for (uint32_t k = 0; curve && k < vary_count(config, occupancy_inputs[i].input); k++)
            (void)fprintf(file, "%s,%u,%u,%u\n", occupancy_inputs[i].axis, curve[k].value,
                          curve[k].occupancy.blocks, curve[k].occupancy.warps);
        free(curve);
    }
    csv_time(view, file);
    return SIMSM_OK;
}
