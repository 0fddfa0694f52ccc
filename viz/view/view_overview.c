/* The screen Overview: what limits the kernel, what would help, and the ways to see more. */
#include "view/view_overview.h"

#include <math.h>

#include "language/language.h"
#include "report/quantity.h"
#include "view/chart.h"
#include "view/view_screens.h"

enum { VALUE = 7 /* characters of a share */, BAR = 4 /* height of a bar, in thin lines */ };

/* The panels' places: column and row of a grid of two rows. */
static void panels_of(struct rect area, const struct metrics *m,
                      struct rect panels[OVERVIEW_PANELS])
{
    struct rect top = rect_cut_top(&area, (area.h - m->pad) * 54 / 100);
    rect_cut_top(&area, m->pad);
    panels[OVERVIEW_ADVICE] = rect_cut_left(&top, (top.w - m->pad) * 58 / 100);
    rect_cut_left(&top, m->pad);
    panels[OVERVIEW_STATES] = top;
    const int third = (area.w - 2 * m->pad) / 3;
    panels[OVERVIEW_ROOFS] = rect_cut_left(&area, third);
    rect_cut_left(&area, m->pad);
    panels[OVERVIEW_LOST] = rect_cut_left(&area, third);
    rect_cut_left(&area, m->pad);
    panels[OVERVIEW_LINES] = area;
}

/* Draws the verdict and what to try. Returns the height. */
static int draw_verdict(const struct view *view, struct canvas *canvas, struct rect area,
                        const struct overview_page *overview, bool draw)
{
    const struct metrics *m = canvas_metrics(canvas);
    const struct theme *theme = view_theme(view);
    char text[400];
    const int top =
        canvas_paragraph(canvas, area, TEXT_LARGE, theme->accent, overview->verdict, draw);
    rect_cut_top(&area, top + m->pad);
    (void)snprintf(text, sizeof text, _("Try: %s"), overview->hint);
    return top + m->pad + canvas_paragraph(canvas, area, TEXT_NORMAL, theme->text, text, draw);
}

/* Draws a row: name and share, a bar, and below them what shows it. Returns its height. */
static int draw_row(const struct view *view, struct canvas *canvas, struct rect area,
                    const struct overview_row *row, bool selected)
{
    const struct metrics *m = canvas_metrics(canvas);
    const struct theme *theme = view_theme(view);
    struct rect line = rect_cut_top(&area, m->line[TEXT_NORMAL]);
    struct rect detail = rect_cut_top(&area, m->line[TEXT_SMALL]);
    const struct rect bar = rect_cut_top(&area, BAR * m->px);
    const struct rect value = rect_cut_right(&line, VALUE * m->advance[TEXT_NORMAL]);
    canvas_text_in(canvas, line, TEXT_NORMAL, ALIGN_LEFT, selected ? theme->accent : theme->text,
                   row->name);
    canvas_text_in(canvas, detail, TEXT_SMALL, ALIGN_LEFT, theme->quiet, row->detail);
    if (isnan(row->percent))
        return bar.y + bar.h - line.y;
    canvas_text_in(canvas, value, TEXT_NORMAL, ALIGN_RIGHT, theme->text,
                   quantity_percent(row->percent).text);
    const int full = (int)lround(bar.w * fmin(fmax(row->percent, 0), 100) / 100);
    canvas_fill(canvas, bar, theme->line);
    canvas_fill(canvas, (struct rect){bar.x, bar.y, full, bar.h}, row->colour);
    return bar.y + bar.h - line.y;
}

static void draw_panel(struct view *view, struct canvas *canvas,
                       const struct overview_page *overview, enum overview_panel panel,
                       struct rect area)
{
    const struct metrics *m = canvas_metrics(canvas);
    struct rect inner =
        chart_panel(canvas, view_theme(view), area, translate(overview_titles[panel].title),
                    translate(overview_titles[panel].note));
    const int high = m->line[TEXT_NORMAL] + m->line[TEXT_SMALL] + BAR * m->px;
    for (uint32_t i = 0; i < overview->count && inner.h >= high; i++) {
        if (overview->rows[i].panel != panel)
            continue;
        const bool selected = view->options.way == i;
        const struct rect hit = {inner.x, inner.y, inner.w, high};
        (void)draw_row(view, canvas, hit, &overview->rows[i],
                       selected || rect_has(hit, view->pointer_x, view->pointer_y));
        if (rect_has(hit, view->pointer_x, view->pointer_y))
            overview_point(view, overview, i);
        rect_cut_top(&inner, high + m->pad);
    }
}

void view_overview_draw(struct view *view, struct canvas *canvas)
{
    const struct metrics *m = canvas_metrics(canvas);
    static struct overview_page
        overview; /* static because of its size; filled anew in every frame */
    if (!overview_fill(view, &overview)) {
        chart_note(canvas, view_theme(view), view->area, translate(overview_absent));
        return;
    }
    struct rect area = rect_inset(view->area, m->pad);
    const int verdict = draw_verdict(view, canvas, area, &overview, true);
    rect_cut_top(&area, verdict + m->pad);
    struct rect panels[OVERVIEW_PANELS];
    panels_of(area, m, panels);
    for (uint32_t i = 0; i < OVERVIEW_PANELS; i++)
        draw_panel(view, canvas, &overview, (enum overview_panel)i, panels[i]);
    if (view->options.way < overview.count && view->target.kind == TARGET_NONE)
        overview_point(view, &overview, view->options.way);
}

enum simsm_status view_overview_csv(struct view *view, FILE *file, struct simsm_error *error)
{
    static struct overview_page overview;
    (void)error;
    (void)fputs("panel,name,percent,detail\n", file);
    if (!overview_fill(view, &overview))
        return SIMSM_OK;
    for (uint32_t i = 0; i < overview.count; i++) {
        const struct overview_row *row = &overview.rows[i];
        chart_csv_text(file, overview_titles[row->panel].title);
        (void)fputc(',', file);
        chart_csv_text(file, row->name);
        (void)fprintf(file, isnan(row->percent) ? "," : ",%.3f", row->percent);
        (void)fputc(',', file);
        chart_csv_text(file, row->detail);
        (void)fputc('\n', file);
    }
    return SIMSM_OK;
}
