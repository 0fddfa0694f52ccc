/* The screen Memory in a terminal: traffic of shared memory, L1, L2 and DRAM over time. */
#include "view/view_memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/section.h"
#include "tui/tui_plot.h"
#include "tui/tui_screens.h"
#include "view/rows.h"

enum { NARROW = 64, LEAST_CHART = 5 };

static void draw_legend(const struct view *view, struct grid *grid, struct rect line,
                        const struct memory_chart *chart)
{
    const struct theme *theme = view_theme(view);
    for (int c = 0; c < MEMORY_CURVES && chart->curves[c].label; c++) {
        int used = grid_text(grid, line, ALIGN_LEFT, theme->series[c], chart->curves[c].label);
        rect_cut_left(&line, used + 2);
    }
    if (chart->roof == ROOF_DRAM)
        grid_text(grid, line, ALIGN_LEFT, theme->warning, "what DRAM can do");
    else if (grid_width(chart->unit) <= line.w)
        grid_text(grid, line, ALIGN_RIGHT, theme->quiet, chart->unit);
}

static void draw_chart(struct view *view, struct grid *grid, const struct memory_chart *chart,
                       struct rect area)
{
    const struct theme *theme = view_theme(view);
    plot_title(grid, theme, &area, chart->title, chart->unit);
    struct rect legend = rect_cut_bottom(&area, 1);
    struct rect room = area;
    rect_cut_left(&room, 6);
    double roof = memory_roof(view, chart->roof);
    struct tui_plot plot = {room, 0, roof > 0 ? roof : 1e-9};
    struct time_scale time = time_scale_of(view, plot.area);
    double to = time_cycle(&time, plot.area.x + plot.area.w);
    uint32_t count = (uint32_t)(plot.area.w > 0 ? plot.area.w : 1);
    double width = (to - time.from) / count;
    double *values = calloc((size_t)count * MEMORY_CURVES, sizeof *values);
    for (int c = 0; values && c < MEMORY_CURVES && chart->curves[c].label; c++)
        memory_values(view->run, &chart->curves[c], time.from, width, count,
                      values + (size_t)c * count);
    for (uint32_t i = 0; values && i < count * MEMORY_CURVES; i++)
        plot.high = values[i] > plot.high ? values[i] : plot.high;
    plot.high = plot.high > 1e-9 ? plot.high : 1;
    grid_fill(grid, plot.area, theme->panel);
    plot_axes(grid, theme, &plot, NAN, 0, NULL);
    if (chart->roof == ROOF_DRAM && roof > 0)
        plot_level(grid, &plot, roof, theme->warning);
    for (int c = 0; values && c < MEMORY_CURVES && chart->curves[c].label; c++)
        plot_curve(grid, &plot, values + (size_t)c * count, count, theme->series[c]);
    free(values);
    draw_legend(view, grid, legend, chart);
    plot_cursor(grid, view, plot.area, time.from, time.cycles_per_px);
    bool here = rect_has(plot.area, view->pointer_x, view->pointer_y);
    if (here || !view->time_area.w) {
        view->time_area = plot.area;
        view->shown_from = time.from;
        view->shown_cycles_per_px = time.cycles_per_px;
    }
    if (here)
        memory_describe(view, chart, time_cycle(&time, view->pointer_x), width);
}

/* Draws the sums of the run as the tables of the text report. */
static void draw_sums(struct view *view, struct grid *grid, struct rect area)
{
    char *text = NULL;
    size_t size;
    struct memory_sums sums;
    FILE *file = memory_sums_of(view, &sums) ? open_memstream(&text, &size) : NULL;
    if (!file) {
        grid_paragraph(grid, area, view_theme(view)->text, memory_sums_absent, true);
        return;
    }
    struct simsm_error error;
    struct section section = {.file = file,
                              .ascii = grid->ascii,
                              .config = run_config(view->run, &error),
                              .stats = run_info(view->run)->stats};
    memcpy(section.metrics, sums.metrics, sizeof section.metrics);
    section_speed_of_light(&section);
    section_title(&section, "Between the memory levels");
    section_memory_links(&section);
    const bool written = fclose(file) == 0;
    for (char *line = text, *end; written && line && *line; line = end + 1) {
        end = strchr(line, '\n');
        *end = '\0';
        grid_text(grid, rect_cut_top(&area, 1), ALIGN_LEFT,
                  line[0] == ' ' ? view_theme(view)->text : view_theme(view)->accent, line);
    }
    free(text);
}

void tui_memory(struct view *view, struct grid *grid)
{
    struct rect area = view->area;
    if (!run_overview(view->run)) {
        grid_paragraph(grid, area, view_theme(view)->text, memory_absent, true);
        return;
    }
    char text[200];
    if (memory_plain(view, text, sizeof text))
        grid_paragraph(grid, rect_cut_top(&area, 2), view_theme(view)->warning, text, true);
    if (view->options.memory_sums) {
        draw_sums(view, grid, area);
        return;
    }
    int columns = area.w < NARROW ? 1 : 2;
    int rows = MEMORY_CHARTS / columns;
    int shown = area.h / LEAST_CHART;
    shown = shown < 1 ? 1 : shown > rows ? rows : shown;
    int high = area.h / shown;
    struct rect bar = rect_cut_right(&area, shown < rows ? 1 : 0);
    int wide = (area.w - (columns - 1)) / columns;
    int first = (int)view->place.scroll;
    view->content_rows = rows;
    view->shown_rows = shown;
    for (int i = 0; i < MEMORY_CHARTS; i++) {
        int row = i / columns - first;
        struct rect chart = {area.x + i % columns * (wide + 1), area.y + row * high, wide, high};
        if (row >= 0 && row < shown)
            draw_chart(view, grid, &memory_charts[i], chart);
    }
    plot_scrollbar(grid, view_theme(view), bar, view->place.scroll, shown, rows);
}
