/* The screen Overview: what limits the kernel, what would help, and the ways to see more. */
#include "view/view_overview.h"

#include <math.h>

#include "language/language.h"
#include "report/quantity.h"
#include "view/chart.h"
#include "view/view_screens.h"

enum { VALUE = 7 /* characters of a share */, BAR = 6 /* height of a bar, in thin lines */ };

/* How rows are drawn: larger where there is room. */
struct row_style {
    enum text_size name, detail;
    bool hints; /* whether a row of advice has a line that says what to try */
    int step;   /* from one row to the next, in pixels */
};

/* Returns the height of a row without the space below it. */
static int row_height(const struct metrics *m, const struct row_style *style)
{
    return m->line[style->name] + m->line[style->detail] + BAR * m->px +
           (style->hints ? m->line[style->detail] : 0);
}

/* Returns the style of rows of which each has `room` pixels. */
static struct row_style style_of(const struct metrics *m, int room)
{
    static const struct row_style styles[] = {
        {.name = TEXT_LARGE, .detail = TEXT_NORMAL, .hints = true},
        {.name = TEXT_NORMAL, .detail = TEXT_SMALL, .hints = true},
        {.name = TEXT_NORMAL, .detail = TEXT_SMALL},
    };
    enum { STYLES = sizeof styles / sizeof *styles };
    size_t i = 0;
    while (i + 1 < STYLES && row_height(m, &styles[i]) + m->pad / 2 > room)
        i++;
    struct row_style style = styles[i];
    const int least = row_height(m, &style) + m->pad / 2, most = 2 * least;
    style.step = room < least ? least : room > most ? most : room;
    return style;
}

/*
 * Sets the panels' places: two above three. Rows of all panels are equally high, and the panels as
 * high as the fullest of those beside them needs.
 */
static struct row_style panels_of(struct rect area, const struct metrics *m,
                                  const struct overview_page *overview,
                                  struct rect panels[OVERVIEW_PANELS])
{
    int rows[2] = {0, 0}, count[OVERVIEW_PANELS] = {0};
    for (uint32_t i = 0; i < overview->count; i++) {
        const enum overview_panel panel = overview->rows[i].panel;
        int *most = &rows[panel > OVERVIEW_STATES];
        count[panel]++;
        *most = count[panel] > *most ? count[panel] : *most;
    }
    const int frame = m->line[TEXT_LARGE] + 3 * m->pad; /* title and margins */
    const int room = area.h - m->pad - 2 * frame;
    const struct row_style style = style_of(m, room / (rows[0] + rows[1]));
    const int least = row_height(m, &style);
    int above = room * rows[0] / (rows[0] + rows[1]);
    above = above > room - least ? room - least : above;
    struct rect top = rect_cut_top(&area, frame + above);
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
    return style;
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

/* Draws a row: name and share, what shows it, what to try, and a bar. */
static void draw_row(const struct view *view, struct canvas *canvas, struct rect area,
                     const struct row_style *style, const struct overview_row *row, bool selected)
{
    const struct metrics *m = canvas_metrics(canvas);
    const struct theme *theme = view_theme(view);
    struct rect line = rect_cut_top(&area, m->line[style->name]);
    const struct rect value = rect_cut_right(&line, VALUE * m->advance[style->name]);
    canvas_text_in(canvas, line, style->name, ALIGN_LEFT, selected ? theme->accent : theme->text,
                   row->name);
    canvas_text_in(canvas, rect_cut_top(&area, m->line[style->detail]), style->detail, ALIGN_LEFT,
                   theme->quiet, row->detail);
    if (style->hints && row->hint) {
        char text[400];
        (void)snprintf(text, sizeof text, _("Try: %s"), row->hint);
        canvas_text_in(canvas, rect_cut_top(&area, m->line[style->detail]), style->detail,
                       ALIGN_LEFT, theme->text, text);
    }
    if (isnan(row->percent))
        return;
    canvas_text_in(canvas, value, style->name, ALIGN_RIGHT, theme->text,
                   quantity_percent(row->percent).text);
    const struct rect bar = rect_cut_top(&area, BAR * m->px);
    chart_bar(canvas, theme, bar, row->percent / 100, row->colour);
}

static void draw_panel(struct view *view, struct canvas *canvas,
                       const struct overview_page *overview, enum overview_panel panel,
                       struct rect area, const struct row_style *style)
{
    struct rect inner =
        chart_panel(canvas, view_theme(view), area, translate(overview_titles[panel].title),
                    translate(overview_titles[panel].note));
    const int high = row_height(canvas_metrics(canvas), style);
    for (uint32_t i = 0; i < overview->count && inner.h >= high; i++) {
        if (overview->rows[i].panel != panel)
            continue;
        const struct rect hit = {inner.x, inner.y, inner.w, high};
        const bool pointed = rect_has(hit, view->pointer_x, view->pointer_y);
        draw_row(view, canvas, hit, style, &overview->rows[i], pointed || view->options.way == i);
        if (pointed)
            overview_point(view, overview, i);
        rect_cut_top(&inner, style->step);
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
    const struct row_style style = panels_of(area, m, &overview, panels);
    for (uint32_t i = 0; i < OVERVIEW_PANELS; i++)
        draw_panel(view, canvas, &overview, (enum overview_panel)i, panels[i], &style);
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
