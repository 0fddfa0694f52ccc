/* The screen Memory: sums of the whole run. */

#include "language/language.h"
#include "model/op.h"
#include "report/quantity.h"
#include "view/chart.h"
#include "view/hierarchy_chart.h"
#include "view/roofline_chart.h"
#include "view/view_memory.h"

enum { HIERARCHY_PERCENT = 40, ROOFLINE_PERCENT = 62, LABEL = 9, VALUE = 8 };

const char memory_sums_absent[] = N_(
    "The file has no statistics of the run, because it was cut off before its end. The key m shows "
    "the rates over time.");

bool memory_sums_of(struct view *view, struct memory_sums *sums)
{
    struct simsm_error error;
    const struct simsm_config *config = run_config(view->run, &error);
    const struct simsm_stats *stats = run_info(view->run)->stats;
    if (!config || !stats)
        return false;
    metrics_compute(config, stats, sums->metrics);
    memory_links(config, stats, sums->metrics, sums->links);
    roofline_compute(config, stats, &sums->roofline);
    return true;
}

/* Draws a share as a bar, with its name at the left and its value at the right. */
static void draw_share(struct canvas *canvas, const struct theme *theme, struct rect row,
                       const char *name, double percent, uint32_t colour)
{
    const struct metrics *m = canvas_metrics(canvas);
    const int a = m->advance[TEXT_NORMAL];
    canvas_text_in(canvas, rect_cut_left(&row, LABEL * a), TEXT_NORMAL, ALIGN_LEFT, theme->text,
                   name);
    canvas_text_in(canvas, rect_cut_right(&row, VALUE * a), TEXT_NORMAL, ALIGN_RIGHT, theme->text,
                   quantity_percent(percent).text);
    chart_bar(canvas, theme, rect_inset(row, 2 * m->px), percent / 100, colour);
}

/* Writes how near operations of a type come to the lowest roof. */
static void draw_type(struct canvas *canvas, const struct theme *theme, struct rect *area,
                      const struct roofline *roofline, enum flop_type type)
{
    const struct metrics *m = canvas_metrics(canvas);
    const unsigned limit = roofline_limit(roofline, type);
    const bool peak = limit == ROOFLINE_LEVELS;
    const double roof = peak ? roofline->type[type].peak
                             : roofline_at(roofline, type, (enum roofline_level)limit).roof;
    char text[200];
    (void)snprintf(
        text, sizeof text, _("%s: %sFLOP/s, %s of the peak, %s of the %s %s."),
        flop_type_titles[type], quantity_count(1e9 * roofline->type[type].rate).text,
        quantity_percent(100 * roofline->type[type].rate / roofline->type[type].peak).text,
        quantity_percent(100 * roofline->type[type].rate / roof).text,
        peak ? _("lowest roof,") : _("roof of"),
        peak ? _("which is the peak") : roofline_level_titles[limit]);
    const int used = canvas_paragraph(canvas, *area, TEXT_NORMAL, theme->text, text, true);
    rect_cut_top(area, used + m->pad / 2);
}

static void draw_shares(struct canvas *canvas, const struct theme *theme, struct rect panel,
                        const struct memory_sums *sums)
{
    const struct {
        const char *name;
        unsigned metric;
    } rows[] = {{_("compute"), METRIC_SM_THROUGHPUT},
                {_("memory"), METRIC_MEMORY_THROUGHPUT},
                {_("issue"), METRIC_ISSUE_SLOTS_BUSY},
                {_("latency"), METRIC_NO_ELIGIBLE}};
    enum { SHARES = sizeof rows / sizeof rows[0], SHARE_LINES = 8 /* of text below the bars */ };
    const struct metrics *m = canvas_metrics(canvas);
    struct rect inner = chart_panel(canvas, theme, panel, _("What share of what it can do?"), NULL);
    const int least = m->line[TEXT_NORMAL] + 2 * m->px, most = 2 * least;
    const int fit = (inner.h - SHARE_LINES * m->line[TEXT_NORMAL]) / SHARES;
    const int high = fit < least ? least : fit > most ? most : fit;
    for (size_t i = 0; i < SHARES; i++)
        draw_share(canvas, theme, rect_cut_top(&inner, high), rows[i].name,
                   sums->metrics[rows[i].metric].value,
                   rows[i].metric == METRIC_NO_ELIGIBLE ? theme->warning : theme->accent);
    char text[200];
    (void)snprintf(
        text, sizeof text,
        _("Busiest pipe: %s. Latency: cycles of a scheduler in which no warp could issue."),
        simsm_pipes[metrics_busiest_pipe(sums->metrics)].name);
    rect_cut_top(&inner, m->pad);
    rect_cut_top(&inner,
                 m->pad + canvas_paragraph(canvas, inner, TEXT_NORMAL, theme->quiet, text, true));
    for (unsigned t = 0; t < FLOP_TYPES; t++)
        if (sums->roofline.type[t].flop > 0)
            draw_type(canvas, theme, &inner, &sums->roofline, (enum flop_type)t);
}

void memory_sums_draw(struct view *view, struct canvas *canvas, struct rect area)
{
    const struct metrics *m = canvas_metrics(canvas);
    const struct theme *theme = view_theme(view);
    struct memory_sums sums;
    if (!memory_sums_of(view, &sums)) {
        chart_note(canvas, theme, area, translate(memory_sums_absent));
        return;
    }
    struct rect top = rect_cut_top(&area, area.h * HIERARCHY_PERCENT / 100);
    rect_cut_top(&area, m->pad);
    struct rect left = rect_cut_left(&area, area.w * ROOFLINE_PERCENT / 100);
    rect_cut_left(&area, m->pad);
    hierarchy_chart(canvas, theme, top, sums.links);
    roofline_chart(canvas, theme, left, &sums.roofline);
    draw_shares(canvas, theme, area, &sums);
}
