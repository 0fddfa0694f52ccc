/* `simsm occupancy`: the three curves of a launch, as plots in the terminal, as SVG and as CSV. */
#include <stdlib.h>

#include "draw/plot.h"
#include "report/occupancy_show.h"

static const struct occupancy_curve {
    enum vary_input input;
    double unit; /* divides x in the plots */
    const char *title, *x_label;
} curves[OCCUPANCY_CURVES] = {
    {VARY_THREADS, 1, "Threads per block", "threads per block"},
    {VARY_REGISTERS, 1, "Registers per thread", "registers per thread"},
    {VARY_SHARED, 1024, "Shared memory per block", "KiB of shared memory per block"},
};

/* The points of all curves, as plots need them. */
struct curve_coordinates {
    double *x[OCCUPANCY_CURVES], *y[OCCUPANCY_CURVES];
    struct plot_series series[OCCUPANCY_CURVES];
    char mark[96];
};

/* Makes the series of a curve. A vary_point has the largest value of its step: 128 threads stand
 * for 97 to 128. A step of a plot begins at its smallest value, one above the point before. */
static bool make_series(struct curve_coordinates *c, const struct occupancy_answer *answer,
                        int index)
{
    const struct occupancy_curve *curve = &curves[index];
    const struct vary_point *points = answer->curves[index];
    uint32_t count = vary_count(answer->config, curve->input);
    c->x[index] = calloc((size_t)count + 1, sizeof *c->x[index]);
    c->y[index] = calloc((size_t)count + 1, sizeof *c->y[index]);
    if (!c->x[index] || !c->y[index])
        return false;
    for (uint32_t i = 0; i < count; i++) {
        c->x[index][i] = (i ? points[i - 1].value + 1 : 0) / curve->unit;
        c->y[index][i] = points[i].occupancy.warps;
    }
    c->x[index][count] = points[count - 1].value / curve->unit;
    c->y[index][count] = c->y[index][count - 1];
    c->series[index] =
        (struct plot_series){.x = c->x[index], .y = c->y[index], .count = (size_t)count + 1};
    return true;
}

static void release(struct curve_coordinates *c)
{
    for (int i = 0; i < OCCUPANCY_CURVES; i++) {
        free(c->x[i]);
        free(c->y[i]);
    }
}

static bool make_plots(struct plot plots[OCCUPANCY_CURVES], struct curve_coordinates *c,
                       const struct occupancy_answer *answer)
{
    *c = (struct curve_coordinates){0};
    (void)snprintf(c->mark, sizeof c->mark, "this kernel: %u warps (%.4g %%)", answer->result.warps,
                   occupancy_percent(&answer->result));
    for (int i = 0; i < OCCUPANCY_CURVES; i++) {
        if (!make_series(c, answer, i)) {
            release(c);
            return false;
        }
        plots[i] = (struct plot){
            .title = curves[i].title,
            .x_label = curves[i].x_label,
            .y_label = "warps per SM",
            .series = &c->series[i],
            .series_count = 1,
            .step = true,
            .marked = true,
            .mark_x = vary_get(&answer->launch, curves[i].input) / curves[i].unit,
            .mark_y = answer->result.warps,
            .mark_label = c->mark,
            .y_max = answer->result.max_warps,
        };
    }
    return true;
}

bool occupancy_show_curves(FILE *file, const struct occupancy_answer *answer, bool ascii)
{
    struct plot plots[OCCUPANCY_CURVES];
    struct curve_coordinates coordinates;
    if (!make_plots(plots, &coordinates, answer))
        return false;
    for (int i = 0; i < OCCUPANCY_CURVES; i++) {
        (void)fputc('\n', file);
        plot_text(file, &plots[i], (struct plot_area){.width = 80, .height = 15, .ascii = ascii});
    }
    release(&coordinates);
    return true;
}

bool occupancy_write_svg(FILE *file, const struct occupancy_answer *answer)
{
    struct plot plots[OCCUPANCY_CURVES];
    struct curve_coordinates coordinates;
    if (!make_plots(plots, &coordinates, answer))
        return false;
    plot_svg(file, plots, OCCUPANCY_CURVES, 760, 280);
    release(&coordinates);
    return true;
}

void occupancy_write_csv(FILE *file, const struct occupancy_answer *answer)
{
    (void)fputs("input,value,blocks,warps,occupancy_percent,limited_by,current\n", file);
    for (int c = 0; c < OCCUPANCY_CURVES; c++) {
        uint32_t own = vary_get(&answer->launch, curves[c].input), below = 0;
        uint32_t count = vary_count(answer->config, curves[c].input);
        for (uint32_t i = 0; i < count; i++) {
            const struct vary_point *point = &answer->curves[c][i];
            const struct simsm_occupancy *o = &point->occupancy;
            bool current = own <= point->value && (i == 0 || own > below);
            (void)fprintf(file, "%s,%u,%u,%u,%.4g,", occupancy_input_key(curves[c].input),
                          point->value, o->blocks, o->warps, occupancy_percent(o));
            const char *joint = "";
            for (int l = 0; l < SIMSM_LIMIT_COUNT; l++) {
                if (!(o->limiters >> l & 1))
                    continue;
                (void)fprintf(file, "%s%s", joint, occupancy_limit_key((enum simsm_limit)l));
                joint = "+";
            }
            (void)fprintf(file, ",%d\n", current);
            below = point->value;
        }
    }
}
