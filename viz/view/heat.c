/* All SMs over time as a map of colours. */
#include "view/heat.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "language/language.h"
#include "view/chart.h"
#include "view/view_waves.h"

enum { LOAD_BUDGET = 4000 /* microseconds of a frame for building the track of an SM */ };

uint32_t heat_colour(const struct view *view, enum waves_mode mode, double share)
{
    const struct theme *theme = view_theme(view);
    uint32_t full = mode == WAVES_ISSUES ? theme->issue : theme->series[0];
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    return colour_mix(theme->panel, full, (int)lround(share * 100));
}

static uint32_t sm_of(const struct view *view, const struct heat *heat, uint32_t row)
{
    return heat->all ? row : run_info(view->run)->sm[row];
}

static uint32_t row_of(const struct view *view, const struct heat *heat, uint32_t sm)
{
    uint32_t row = 0;
    while (row < heat->sms && sm_of(view, heat, row) != sm)
        row++;
    return row;
}

/*
 * Adds a block to the shares of warp slots held, `values` [sms x columns]. A column that the block
 * covers in part gets its share directly. For the columns that it covers wholly, `steps` gets the
 * change at the first one and after the last one.
 */
static void add_block(const struct view *view, const struct heat *heat,
                      const struct run_block *block, double share, double *values, double *steps)
{
    uint32_t row = row_of(view, heat, block->sm);
    double end = block->end == UINT64_MAX ? (double)run_end(view->run) : (double)block->end;
    double a = time_x(&heat->time, (double)block->start) - heat->time.x;
    double b = time_x(&heat->time, end) - heat->time.x;
    double w = heat->time.w;
    a = a < 0 ? 0 : a;
    b = b > w ? w : b;
    if (row == heat->sms || !(a < b))
        return;
    size_t at = (size_t)row * (size_t)(heat->time.w + 1);
    uint32_t first = (uint32_t)a;
    uint32_t last = (uint32_t)b;
    if (first == last) {
        values[at + first] += share * (b - a);
        return;
    }
    values[at + first] += share * (first + 1 - a);
    values[at + last] += share * (b - last);
    steps[at + first + 1] += share;
    steps[at + last] -= share;
}

static bool fill_warps(struct view *view, const struct heat *heat, double *values)
{
    const struct timeline_info *info = run_info(view->run);
    struct simsm_error error;
    uint32_t count;
    bool all;
    size_t columns = (size_t)heat->time.w + 1;
    const struct run_block *blocks = run_blocks(view->run, &count, &all, &error);
    double *steps = calloc((size_t)heat->sms * columns, sizeof *steps);
    uint32_t threads = info->launch.block[0] * info->launch.block[1] * info->launch.block[2];
    uint32_t warps = (threads + SIMSM_WARP_LANES - 1) / SIMSM_WARP_LANES;
    for (uint32_t i = 0; blocks && steps && i < count; i++)
        add_block(view, heat, &blocks[i], (double)warps / info->slots, values, steps);
    for (size_t row = 0; blocks && steps && row < heat->sms; row++) {
        double now = 0;
        for (size_t i = 0; i < columns; i++)
            values[row * columns + i] += now += steps[row * columns + i];
    }
    bool ok = blocks && steps;
    free(steps);
    return ok;
}

/*
 * Fills `values` with the shares of issue slots used. An SM that is not recorded or not loaded is
 * NaN.
 */
static void fill_issues(struct view *view, const struct heat *heat, double *values)
{
    const struct timeline_info *info = run_info(view->run);
    size_t columns = (size_t)heat->time.w + 1;
    for (size_t i = 0; i < heat->sms * columns; i++)
        values[i] = NAN;
    for (uint32_t i = 0; i < info->sm_count; i++) {
        struct simsm_error error;
        uint32_t budget = view->patient ? UINT32_MAX : LOAD_BUDGET;
        struct track *track = run_track(view->run, info->sm[i], budget, &error);
        if (!track)
            continue;
        if (track_built(track) < run_end(view->run)) {
            view->loading = true;
            return; /* the other SMs follow in the next frames */
        }
        double *row = values + row_of(view, heat, info->sm[i]) * columns;
        double width = heat->time.cycles_per_px * info->sub_partitions;
        double before = track_issued_until(track, heat->time.from);
        for (int x = 0; x < heat->time.w; x++) {
            double now = track_issued_until(track, time_cycle(&heat->time, heat->time.x + x + 1));
            row[x] = (now - before) / width;
            before = now;
        }
    }
}

void heat_describe(struct view *view, const struct heat *heat, uint32_t row, double share)
{
    const struct timeline_info *info = run_info(view->run);
    uint64_t cycle = (uint64_t)time_cycle(&heat->time, view->pointer_x);
    char text[32];
    uint32_t sm = sm_of(view, heat, row);
    chart_cycles(cycle, text);
    if (isnan(share))
        (void)snprintf(
            view->status, sizeof view->status,
            _("SM %u   cycle %s   not in the file: simsm --timeline-sm chooses the recorded SMs"),
            sm, text);
    else if (heat->mode == WAVES_WARPS)
        (void)snprintf(
            view->status, sizeof view->status,
            _("SM %u   cycle %s   %.1f of %u warp slots are held by blocks   (click: see "
              "its warps)"),
            sm, text, share * info->slots, info->slots);
    else
        (void)snprintf(
            view->status, sizeof view->status,
            _("SM %u   cycle %s   issues in %.0f %% of its issue slots   (click: see its "
              "warps)"),
            sm, text, 100 * share);
    view->target = (struct view_target){.kind = TARGET_BLOCK, .sm = sm, .cycle = cycle};
}

static void draw_row(struct view *view, struct canvas *canvas, const struct heat *heat,
                     uint32_t row, const double *values)
{
    const struct theme *theme = view_theme(view);
    int gap = heat->height >= 6 ? canvas_metrics(canvas)->px : 0;
    const int top = waves_row_top(heat->rows, heat->scroll, heat->height, row);
    const int next = waves_row_top(heat->rows, heat->scroll, heat->height, row + 1);
    struct rect rect = {heat->rows.x, top, heat->rows.w, next - top - gap};
    if (rect.y + rect.h < heat->rows.y || rect.y > heat->rows.y + heat->rows.h)
        return;
    if (isnan(values[0]))
        canvas_hatch(canvas, rect, HATCH_DIAGONAL, theme->line);
    for (int x = 0; x < rect.w && !isnan(values[0]);) {
        uint32_t colour = heat_colour(view, heat->mode, values[x]);
        int end = x + 1;
        while (end < rect.w && heat_colour(view, heat->mode, values[end]) == colour)
            end++;
        canvas_fill(canvas, (struct rect){rect.x + x, rect.y, end - x, rect.h}, colour);
        x = end;
    }
    rect.h += gap;
    if (rect_has(rect, view->pointer_x, view->pointer_y))
        heat_describe(view, heat, row, values[view->pointer_x - rect.x]);
}

double *heat_values(struct view *view, const struct heat *heat)
{
    size_t columns = (size_t)heat->time.w + 1;
    double *values = calloc((size_t)heat->sms * columns, sizeof *values);
    if (!values)
        return NULL;
    if (heat->mode == WAVES_ISSUES) {
        fill_issues(view, heat, values);
    } else if (!fill_warps(view, heat, values)) {
        free(values);
        return NULL;
    }
    return values;
}

void heat_draw(struct view *view, struct canvas *canvas, const struct heat *heat)
{
    SIMSM_CHECK(heat->rows.w == heat->time.w, "rows of %d pixels, %d columns of values",
                heat->rows.w, heat->time.w);
    size_t columns = (size_t)heat->time.w + 1;
    double *values = heat_values(view, heat);
    for (uint32_t row = 0; values && row < heat->sms; row++)
        draw_row(view, canvas, heat, row, values + row * columns);
    free(values);
}

void heat_legend(const struct view *view, struct canvas *canvas, struct rect rect,
                 enum waves_mode mode)
{
    enum { STEPS = 20 };
    const struct metrics *m = canvas_metrics(canvas);
    const struct theme *theme = view_theme(view);
    const char *words = mode == WAVES_ISSUES ? _("of the issue slots used (one a cycle for each "
                                                 "sub-partition)")
                                             : _("of the warp slots held by blocks");
    char text[120];
    rect_cut_left(
        &rect, canvas_text_in(canvas, rect, TEXT_NORMAL, ALIGN_LEFT, theme->quiet, "0 %") + m->pad);
    struct rect bar = rect_cut_left(&rect, STEPS * m->advance[TEXT_NORMAL]);
    bar = rect_inset(bar, 2 * m->px);
    for (int i = 0; i < STEPS; i++)
        canvas_fill(canvas,
                    (struct rect){bar.x + bar.w * i / STEPS, bar.y,
                                  bar.w * (i + 1) / STEPS - bar.w * i / STEPS, bar.h},
                    heat_colour(view, mode, (i + 0.5) / STEPS));
    canvas_frame(canvas, bar, m->px, theme->line);
    rect_cut_left(&rect, m->pad);
    (void)snprintf(text, sizeof text, "100 %% %s", words);
    canvas_text_in(canvas, rect, TEXT_NORMAL, ALIGN_LEFT, theme->quiet, text);
}
