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

/* Returns the number of details that are cut off at the right. */
static int count_cut(const struct metrics *m, const struct overview_page *overview,
                     const struct rect panels[OVERVIEW_PANELS], const struct row_style *style)
{
    int cut = 0;
    for (uint32_t i = 0; i < overview->count; i++) {
        const struct overview_row *row = &overview->rows[i];
        cut += text_width(m, style->detail, row->detail) > panels[row->panel].w - 2 * m->pad;
    }
    return cut;
}

/*
 * Returns the style of rows of which each has `room` pixels: the largest that fits and cuts off no
 * more than the smallest.
 */
static struct row_style style_of(const struct metrics *m, const struct overview_page *overview,
                                 const struct rect panels[OVERVIEW_PANELS], int room)
{
    static const struct row_style styles[] = {
        {.name = TEXT_LARGE, .detail = TEXT_NORMAL, .hints = true},
        {.name = TEXT_LARGE, .detail = TEXT_SMALL, .hints = true},
        {.name = TEXT_NORMAL, .detail = TEXT_SMALL, .hints = true},
        {.name = TEXT_NORMAL, .detail = TEXT_SMALL},
    };
    enum { STYLES = sizeof styles / sizeof *styles };
    const int cut = count_cut(m, overview, panels, &styles[STYLES - 1]);
    size_t i = 0;
    while (i + 1 < STYLES && (row_height(m, &styles[i]) + m->pad / 2 > room ||
                              count_cut(m, overview, panels, &styles[i]) > cut))
        i++;
    struct row_style style = styles[i];
    const int least = row_height(m, &style) + m->pad / 2, most = 2 * least;
    style.step = room < least ? least : room > most ? most : room;
    return style;
}

/* Divides a row of panels. */
static void split(struct rect row, const struct metrics *m, int count, const int percent[],
                  struct rect panels[])
{
    const int all = row.w - (count - 1) * m->pad;
    for (int i = 0; i < count; i++) {
        panels[i] = i + 1 < count ? rect_cut_left(&row, all * percent[i] / 100) : row;
        rect_cut_left(&row, m->pad);
    }
}

/*
 * Sets the panels' places: two above three. Rows of all panels are equally high, and the panels as
 * high as the fullest of those beside them needs. Returns the style of rows.
 */
static struct row_style panels_of(struct rect area, const struct metrics *m,
                                  const struct overview_page *overview,
                                  struct rect panels[OVERVIEW_PANELS])
{
    static const int above[] = {58, 42}, below[] = {33, 33, 33};
    const int frame = m->line[TEXT_LARGE] + 3 * m->pad; /* title and margins */
    const int room = area.h - m->pad - 2 * frame;
    int rows[2] = {0, 0}, count[OVERVIEW_PANELS] = {0};
    for (uint32_t i = 0; i < overview->count; i++) {
        const enum overview_panel panel = overview->rows[i].panel;
        int *most = &rows[panel > OVERVIEW_STATES];
        count[panel]++;
        *most = count[panel] > *most ? count[panel] : *most;
    }
    const struct row_style least = {.name = TEXT_NORMAL, .detail = TEXT_SMALL};
    const int share = room * rows[0] / (rows[0] + rows[1]), last = room - row_height(m, &least);
    struct rect top = rect_cut_top(&area, frame + (share < last ? share : last));
    rect_cut_top(&area, m->pad);
    split(top, m, 2, above, panels);
    split(area, m, OVERVIEW_PANELS - 2, below, panels + 2);
    return style_of(m, overview, panels, room / (rows[0] + rows[1]));
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
