/* The help page: the screen's paragraph, the mouse, and the table of keys. */
#include <stdio.h>
#include <string.h>

#include "app/moves.h"
#include "language/language.h"

enum { LEAST_COLUMN = 56, KEYS = 18 /* characters of a column at least, and of the keys in it */ };

/* The position of the next line. Columns are filled from the left. */
struct help_flow {
    struct rect area; /* area of all columns */
    int x, y, width;  /* position of the next line, width of a column */
    enum text_size size;
    bool whole; /* no section is divided between columns */
    bool draw;
};

/* Returns whether the column is on this page: columns of other pages lie beside the area. */
static bool is_visible(const struct help_flow *flow)
{
    return flow->x >= flow->area.x && flow->x + flow->width <= flow->area.x + flow->area.w;
}

/* Draws keys at the left and wrapped words beside them. */
static void flow_line(struct help_flow *flow, struct canvas *canvas, const struct theme *theme,
                      const char *keys, const char *words)
{
    const struct metrics *m = canvas_metrics(canvas);
    int indent = KEYS * m->advance[flow->size];
    struct rect text = {flow->x + indent, flow->y, flow->width - indent - 2 * m->pad, flow->area.h};
    int h = canvas_paragraph(canvas, text, flow->size, theme->text, words, false);
    if (flow->y + h > flow->area.y + flow->area.h) {
        flow->x += flow->width;
        text.x += flow->width;
        flow->y = text.y = flow->area.y;
    }
    if (flow->draw && is_visible(flow)) {
        canvas_text(canvas, flow->x, flow->y, flow->size, theme->quiet, keys);
        canvas_paragraph(canvas, text, flow->size, theme->text, words, true);
    }
    flow->y += h;
}

/* Draws a heading. A heading never stands alone at the foot of a column. */
static void flow_head(struct help_flow *flow, struct canvas *canvas, const struct theme *theme,
                      const char *words)
{
    const struct metrics *m = canvas_metrics(canvas);
    int h = m->line[TEXT_LARGE];
    flow->y += flow->y > flow->area.y ? m->pad : 0;
    if (flow->y + h + 3 * m->line[flow->size] > flow->area.y + flow->area.h) {
        flow->x += flow->width;
        flow->y = flow->area.y;
    }
    if (flow->draw && is_visible(flow))
        canvas_text(canvas, flow->x, flow->y, TEXT_LARGE, theme->accent, words);
    flow->y += h;
}

/* Draws the section that begins with action `i`. Returns the first action behind it. */
static uint32_t flow_section(struct help_flow *flow, struct canvas *canvas,
                             const struct theme *theme, uint32_t i)
{
    const char *section = actions[i].section;
    flow_head(flow, canvas, theme, translate(section));
    for (; i < ACTION_COUNT && strcmp(section, actions[i].section) == 0; i++)
        flow_line(flow, canvas, theme, actions[i].keys, translate(actions[i].meaning));
    return i;
}

/* Draws all actions. Returns the number of columns used. */
static int flow_actions(struct help_flow flow, struct canvas *canvas, const struct theme *theme)
{
    const int first = flow.x;
    for (uint32_t i = 0; i < ACTION_COUNT;) {
        struct help_flow probe = flow;
        probe.draw = false;
        (void)flow_section(&probe, canvas, theme, i);
        if (flow.whole && probe.x > flow.x) {
            flow.x += flow.width;
            flow.y = flow.area.y;
        }
        i = flow_section(&flow, canvas, theme, i);
    }
    return (flow.x - first) / flow.width + 1;
}

const char app_mouse_help[] =
    N_("Mouse: the wheel zooms at the pointer, with Shift it goes through time, with Ctrl it "
       "changes the height of rows; over the labels it scrolls. Drag to move, in a window "
       "with Shift to see what warps do in a stretch. Click to select, click twice to see a state "
       "whole. Click a tab to change the screen.");

/* Only a window has the strip. */
static const char strip_help[] = N_("The strip above a time axis is the whole run, with the cycles "
                                    "in view framed: click or drag to "
                                    "go there, drag an edge of the frame to see more or less.");

/* Draws the title, the screen's paragraph and the mouse. Returns the height. */
static int draw_intro(const struct app *app, struct canvas *canvas, struct rect area, bool draw)
{
    const struct metrics *m = canvas_metrics(canvas);
    const struct theme *theme = view_theme(&app->view);
    const struct screen *screen = &screens[app->view.place.screen];
    const char *const paragraphs[] = {translate(screen->help), translate(app_mouse_help),
                                      translate(strip_help)};
    int top = area.y;
    struct rect title = rect_cut_top(&area, m->line[TEXT_TITLE]);
    if (draw)
        canvas_text_in(canvas, title, TEXT_TITLE, ALIGN_LEFT, theme->text,
                       translate(screen->title));
    for (int i = 0; i < 3; i++)
        rect_cut_top(&area,
                     canvas_paragraph(canvas, area, TEXT_NORMAL, theme->text, paragraphs[i], draw) +
                         m->pad);
    return area.y + m->pad - top;
}

/*
 * Returns columns of keys for an area: in the largest text in which all keys fit, else in the
 * smallest text. Sets *shown to the columns that fit and *all to the columns needed.
 */
static struct help_flow fit_columns(struct canvas *canvas, const struct theme *theme,
                                    struct rect area, int *shown, int *all)
{
    const struct metrics *m = canvas_metrics(canvas);
    struct help_flow flow = {.area = area, .x = area.x, .y = area.y};
    for (int size = TEXT_NORMAL; size >= TEXT_SMALL; size--) {
        *shown = area.w / (LEAST_COLUMN * m->advance[size]);
        *shown = *shown > 1 ? *shown : 1;
        flow.size = (enum text_size)size;
        flow.width = area.w / *shown;
        for (int whole = 1; whole >= 0; whole--) {
            flow.whole = whole;
            *all = flow_actions(flow, canvas, theme);
            if (*all <= *shown)
                return flow;
        }
    }
    return flow;
}

/* Makes the columns as low as `shown` of them can be, so that all are about equally full. */
static void balance_columns(struct help_flow *flow, struct canvas *canvas,
                            const struct theme *theme, int shown)
{
    const int line = canvas_metrics(canvas)->line[flow->size];
    int fits = flow->area.h;
    for (int low = 0; fits - low > line;) {
        flow->area.h = low + (fits - low) / 2;
        if (flow_actions(*flow, canvas, theme) <= shown)
            fits = flow->area.h;
        else
            low = flow->area.h;
    }
    flow->area.h = fits;
}

/*
 * Draws a page when the help text does not fit on one page: paragraphs on the first page, keys on
 * the pages after it.
 */
static void draw_pages(struct app *app, struct canvas *canvas, struct rect area)
{
    const struct metrics *m = canvas_metrics(canvas);
    const struct theme *theme = view_theme(&app->view);
    struct rect foot = rect_cut_bottom(&area, m->line[TEXT_NORMAL]);
    int shown;
    int all;
    char text[48];
    struct help_flow flow = fit_columns(canvas, theme, area, &shown, &all);
    app->help_pages = 1 + (all + shown - 1) / shown;
    int page = app->help_page < app->help_pages ? app->help_page : app->help_pages - 1;
    if (page == 0)
        (void)draw_intro(app, canvas, area, true);
    flow.draw = page > 0;
    flow.x -= (page - 1) * shown * flow.width;
    (void)flow_actions(flow, canvas, theme);
    (void)snprintf(text, sizeof text, _("page %d of %d: ? %s"), page + 1, app->help_pages,
                   page + 1 < app->help_pages ? _("shows the next") : _("closes"));
    canvas_text_in(canvas, foot, TEXT_NORMAL, ALIGN_RIGHT, theme->accent, text);
}

void frame_help(struct app *app, struct canvas *canvas, struct rect area)
{
    const struct metrics *m = canvas_metrics(canvas);
    const struct theme *theme = view_theme(&app->view);
    int shown;
    int all;
    canvas_fill(canvas, area, theme->ground);
    area = rect_inset(area, 2 * m->pad);
    struct rect keys = area;
    rect_cut_top(&keys, draw_intro(app, canvas, area, false));
    struct help_flow flow = fit_columns(canvas, theme, keys, &shown, &all);
    app->help_pages = 1;
    if (all > shown || keys.h < 4 * m->line[TEXT_NORMAL]) {
        draw_pages(app, canvas, area);
        return;
    }
    (void)draw_intro(app, canvas, area, true);
    balance_columns(&flow, canvas, theme, shown);
    flow.draw = true;
    (void)flow_actions(flow, canvas, theme);
}
