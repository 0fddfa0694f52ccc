/* The screen Memory: traffic of shared memory, L1, L2 and DRAM over time. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "language/language.h"
#include "view/chart.h"
#include "view/rows.h"
#include "view/view_memory.h"
#include "view/view_screens.h"

enum { MOST_CURVES = MEMORY_CURVES, CHARTS = MEMORY_CHARTS, COLUMNS = 2, LEGEND_LINES = 5 };

#define LD "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"

const struct memory_chart memory_charts[MEMORY_CHARTS] = {
    {N_("Is DRAM near what it can do?"),
     N_("bytes per cycle"),
     N_("as requested: above the line they queue"),
     ROOF_DRAM,
     {{N_("read"), "dram__bytes_read.sum", NULL, 1},
      {N_("written"), "dram__bytes_write.sum", NULL, 1}}},
    {N_("How much goes through L2?"),
     N_("bytes per cycle"),
     NULL,
     ROOF_NONE,
     {{N_("read"), "simsm__l2_sectors_read.sum", NULL, 32},
      {N_("written"), "simsm__l2_sectors_written.sum", NULL, 32},
      {N_("atomics"), "lts__t_sectors_op_atom.sum", NULL, 32}}},
    {N_("How much goes through L1?"),
     N_("bytes per cycle"),
     N_("global loads and stores"),
     ROOF_NONE,
     {{N_("loads"), LD, NULL, 32},
      {N_("stores"), "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", NULL, 32}}},
    {N_("How often do the caches have it?"),
     "%",
     NULL,
     ROOF_PERCENT,
     {{N_("L1, global loads"), "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum", LD,
       100},
      {N_("L2, reads"), "simsm__l2_sectors_read_hit.sum", "simsm__l2_sectors_read.sum", 100}}},
    {N_("How many sectors does a request need?"),
     N_("sectors of 32 bytes"),
     N_("4 for 32 neighbouring words"),
     ROOF_NONE,
     {{N_("global loads"), LD, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 1},
      {N_("global stores"), "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
       "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", 1}}},
    {N_("How many passes do shared accesses take?"),
     N_("passes"),
     N_("above 1: conflicts"),
     ROOF_NONE,
     {{N_("loads"), "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
       "smsp__inst_executed_op_shared_ld.sum", 1},
      {N_("stores"), "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
       "smsp__inst_executed_op_shared_st.sum", 1},
      {N_("atomics"), "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum",
       "smsp__inst_executed_op_shared_atom.sum", 1}}},
};

void memory_values(const struct run *run, const struct memory_curve *curve, double from,
                   double width, uint32_t count, double *values)
{
    uint32_t above = run_counter_column(run, curve->counter);
    uint32_t below = curve->per ? run_counter_column(run, curve->per) : UINT32_MAX;
    double last_above = run_counter_at(run, above, from);
    double last_below = curve->per ? run_counter_at(run, below, from) : from;
    for (uint32_t i = 0; i < count; i++) {
        double end = from + width * (i + 1);
        double now_above = run_counter_at(run, above, end);
        double now_below = curve->per ? run_counter_at(run, below, end) : end;
        double part = now_below - last_below;
        values[i] = part > 0 ? curve->factor * (now_above - last_above) / part : NAN;
        last_above = now_above;
        last_below = now_below;
    }
}

static double value_of(const struct run *run, const struct memory_curve *curve, double from,
                       double to)
{
    double value;
    memory_values(run, curve, from, to - from, 1, &value);
    return value;
}

double memory_roof(struct view *view, enum memory_roof roof)
{
    struct simsm_error error;
    const struct simsm_config *config = run_config(view->run, &error);
    if (roof == ROOF_PERCENT)
        return 100;
    if (roof != ROOF_DRAM || !config)
        return 0;
    return config->dram_bandwidth_gbs * 1000 / config->gpu_clock_mhz * config->dram_efficiency;
}

/*
 * Returns the number of parts of a curve: one for two pixels. In long runs, samples are not denser.
 */
static uint32_t parts_of(struct rect plot)
{
    return (uint32_t)(plot.w / 2 < 2 ? 2 : plot.w / 2);
}

static void draw_curves(struct view *view, struct canvas *canvas, const struct memory_chart *chart,
                        struct rect plot, double from, double to)
{
    const struct metrics *m = canvas_metrics(canvas);
    const struct theme *theme = view_theme(view);
    uint32_t count = parts_of(plot);
    double *xs = calloc(count, sizeof *xs);
    double *ys = calloc((size_t)count * MOST_CURVES, sizeof *ys);
    double roof = memory_roof(view, chart->roof);
    double most = roof > 0 ? roof : 1e-9;
    double width = (to - from) / count;
    bool any = false;
    for (uint32_t i = 0; xs && i < count; i++)
        xs[i] = from + width * i;
    for (int c = 0; ys && c < MOST_CURVES && chart->curves[c].label; c++) {
        double *values = ys + (size_t)c * count;
        memory_values(view->run, &chart->curves[c], from, width, count, values);
        for (uint32_t i = 0; i < count; i++) {
            most = values[i] > most ? values[i] : most;
            any = any || !isnan(values[i]);
        }
    }
    struct chart_axis x = {from, to, plot.x, plot.w};
    struct chart_axis y = {0, most > 1e-9 ? most * 1.1 : 1, plot.y + plot.h, -plot.h};
    canvas_fill(canvas, plot, theme->ground);
    chart_x_axis(canvas, theme, plot, &x, NULL);
    char unit[96];
    char cycles[32];
    (void)snprintf(unit, sizeof unit, _("%s, mean of %s cycles"), translate(chart->unit),
                   chart_number((to - from) / count, cycles));
    chart_y_axis(canvas, theme, plot, &y, unit);
    if (roof > 0 && chart->roof == ROOF_DRAM) {
        int level = (int)lround(axis_place(&y, roof));
        canvas_fill(canvas, (struct rect){plot.x, level, plot.w, m->px}, theme->warning);
    }
    if (!any)
        canvas_text_in(canvas, (struct rect){plot.x, plot.y, plot.w, plot.h / 2}, TEXT_NORMAL,
                       ALIGN_CENTRE, theme->quiet, _("no such access in these cycles"));
    for (int c = 0; xs && ys && c < MOST_CURVES && chart->curves[c].label; c++)
        chart_curve(canvas, plot, &x, &y, xs, ys + (size_t)c * count, count, true,
                    theme->series[c]);
    free(xs);
    free(ys);
}

void memory_describe(struct view *view, const struct memory_chart *chart, double cycle,
                     double width)
{
    char text[32];
    size_t used = (size_t)snprintf(view->status, sizeof view->status, _("cycle %s   %s:"),
                                   chart_cycles((uint64_t)cycle, text), translate(chart->title));
    for (int c = 0; c < MOST_CURVES && chart->curves[c].label && used < sizeof view->status; c++)
        used += (size_t)snprintf(view->status + used, sizeof view->status - used, "  %s %.3g",
                                 translate(chart->curves[c].label),
                                 value_of(view->run, &chart->curves[c], cycle, cycle + width));
}

void memory_draw(struct view *view, struct canvas *canvas, const struct memory_chart *chart,
                 struct rect panel)
{
    const struct metrics *m = canvas_metrics(canvas);
    const struct theme *theme = view_theme(view);
    struct rect inner = chart_panel(canvas, theme, panel, translate(chart->title),
                                    chart->note ? translate(chart->note) : NULL);
    bool low = inner.h < LEGEND_LINES * m->line[TEXT_NORMAL];
    struct rect legend = rect_cut_bottom(&inner, low ? 0 : m->line[TEXT_NORMAL]);
    struct rect plot = inner;
    rect_cut_left(&plot, chart_y_room(canvas));
    rect_cut_bottom(&plot, m->line[TEXT_SMALL] + m->pad);
    rect_cut_top(&plot, m->line[TEXT_SMALL]);
    struct time_scale time = time_scale_of(view, plot);
    double to = time_cycle(&time, plot.x + plot.w);
    draw_curves(view, canvas, chart, plot, time.from, to);
    time_cursor(view, canvas, plot, &time);
    struct legend_entry entries[MOST_CURVES + 1];
    size_t count = 0;
    for (int c = 0; c < MOST_CURVES && chart->curves[c].label; c++)
        entries[count++] = (struct legend_entry){.colour = theme->series[c],
                                                 .text = translate(chart->curves[c].label)};
    if (chart->roof == ROOF_DRAM && memory_roof(view, chart->roof) > 0)
        entries[count++] =
            (struct legend_entry){.colour = theme->warning, .text = _("what DRAM sustains")};
    if (!low)
        chart_legend(canvas, theme, legend, entries, count, true);
    bool here = rect_has(plot, view->pointer_x, view->pointer_y);
    if (here || !view->time_area.w) {
        view->time_area = plot;
        view->shown_from = time.from;
        view->shown_cycles_per_px = time.cycles_per_px;
    }
    if (!here)
        return;
    memory_describe(view, chart, time_cycle(&time, view->pointer_x),
                    (to - time.from) / parts_of(plot));
}

bool memory_plain(struct view *view, char *text, size_t size)
{
    struct simsm_error error;
    const struct simsm_config *config = run_config(view->run, &error);
    if (!config || config->memory_model >= SIMSM_FULL_memory_model)
        return false;
    bool fixed = config->memory_model == SIMSM_FIXED_memory_model;
    (void)snprintf(
        text, size,
        _("This run has memory.model %s: every global access takes %u cycles. There are no "
          "caches and no DRAM; sectors and passes are counted, but cost nothing."),
        fixed ? "fixed" : "ideal",
        fixed ? config->memory_fixed_latency : config->memory_ideal_latency);
    return true;
}

const char memory_absent[] = N_(
    "The counters over time stand at the end of a timeline file, and this one was cut off before. "
    "The other screens show what there is.");

void view_memory_draw(struct view *view, struct canvas *canvas)
{
    const struct metrics *m = canvas_metrics(canvas);
    if (!run_overview(view->run)) {
        chart_note(canvas, view_theme(view), view->area, translate(memory_absent));
        return;
    }
    struct rect area = rect_inset(view->area, m->pad);
    char text[200];
    if (memory_plain(view, text, sizeof text)) {
        canvas_paragraph(canvas, rect_cut_top(&area, 2 * m->line[TEXT_NORMAL]), TEXT_NORMAL,
                         view_theme(view)->warning, text, true);
        rect_cut_top(&area, m->pad);
    }
    if (view->options.memory_sums) {
        memory_sums_draw(view, canvas, area);
        return;
    }
    int h = (area.h - (CHARTS / COLUMNS - 1) * m->pad) / (CHARTS / COLUMNS);
    int w = (area.w - (COLUMNS - 1) * m->pad) / COLUMNS;
    for (int i = 0; i < CHARTS; i++)
        memory_draw(view, canvas, &memory_charts[i],
                    (struct rect){area.x + i % COLUMNS * (w + m->pad),
                                  area.y + i / COLUMNS * (h + m->pad), w, h});
}

/*
 * Writes the values of all curves over cycles [from, to), an empty field for a value that is not
 * known.
 */
static void csv_rates(struct view *view, FILE *file, double from, double to)
{
    for (int i = 0; i < CHARTS; i++)
        for (int c = 0; c < MOST_CURVES && memory_charts[i].curves[c].label; c++) {
            double value = value_of(view->run, &memory_charts[i].curves[c], from, to);
            (void)fprintf(file, isnan(value) ? "," : ",%.6g", value);
        }
}

/*
 * Writes a line for each sample of the counters in the shown cycles: the values of all curves since
 * the previous sample, then the counters' sums since the start.
 */
enum simsm_status view_memory_csv(struct view *view, FILE *file, struct simsm_error *error)
{
    const struct overview_view *overview = run_overview(view->run);
    (void)error;
    (void)fputs("cycle", file);
    for (int i = 0; i < CHARTS; i++)
        for (int c = 0; c < MOST_CURVES && memory_charts[i].curves[c].label; c++)
            (void)fprintf(file, ",%s per %s", memory_charts[i].curves[c].counter,
                          memory_charts[i].curves[c].per ? memory_charts[i].curves[c].per
                                                         : "cycle");
    for (uint32_t i = 0; overview && i < overview->columns; i++)
        (void)fprintf(file, ",%s", overview->names[i]);
    (void)fputc('\n', file);
    for (uint32_t row = 0; overview && row < overview->rows; row++) {
        double cycle = (double)overview->cycle[row];
        if (cycle < view->place.from || cycle > view->place.to)
            continue;
        (void)fprintf(file, "%llu", (unsigned long long)overview->cycle[row]);
        csv_rates(view, file, row ? (double)overview->cycle[row - 1] : 0, cycle);
        for (uint32_t i = 0; i < overview->columns; i++)
            (void)fprintf(
                file, ",%llu",
                (unsigned long long)overview->values[(size_t)row * overview->columns + i]);
        (void)fputc('\n', file);
    }
    return SIMSM_OK;
}
