/* The page of all keys: the screen's own help, the mouse, and the table of actions. */
#include <string.h>

#include "app/moves.h"

enum { LEAST_COLUMN = 56, KEYS = 18 /* characters */ };

/* Where the next line goes; columns are filled from the left. */
struct flow {
    struct rect area; /* of all columns */
    int x, y, width;  /* of the next line, and of a column */
    enum text_size size;
    bool draw;
};

/* Words that wrap, with what stands before them at the left. */
static void flow_line(struct flow *flow, struct canvas *canvas, const struct theme *theme,
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
    if (flow->draw) {
        canvas_text(canvas, flow->x, flow->y, flow->size, theme->quiet, keys);
        canvas_paragraph(canvas, text, flow->size, theme->text, words, true);
    }
    flow->y += h;
}

/* A heading is never left alone at the foot of a column. */
static void flow_head(struct flow *flow, struct canvas *canvas, const struct theme *theme,
                      const char *words)
{
    const struct metrics *m = canvas_metrics(canvas);
    int h = m->line[TEXT_LARGE];
    flow->y += flow->y > flow->area.y ? m->pad : 0;
    if (flow->y + h + 3 * m->line[flow->size] > flow->area.y + flow->area.h) {
        flow->x += flow->width;
        flow->y = flow->area.y;
    }
    if (flow->draw)
        canvas_text(canvas, flow->x, flow->y, TEXT_LARGE, theme->accent, words);
    flow->y += h;
}

/* False if that is more than the area holds. */
static bool flow_actions(struct flow flow, struct canvas *canvas, const struct theme *theme)
{
    const char *section = "";
    for (uint32_t i = 0; i < ACTION_COUNT; i++) {
        if (strcmp(section, actions[i].section) != 0)
            flow_head(&flow, canvas, theme, actions[i].section);
        section = actions[i].section;
        flow_line(&flow, canvas, theme, actions[i].keys, actions[i].meaning);
    }
    return flow.x + flow.width <= flow.area.x + flow.area.w;
}

const char app_mouse_help[] =
    "Mouse: the wheel zooms at the pointer, with Shift it goes through time, with Ctrl it "
    "changes the height of rows; over the labels it scrolls. Drag to move, with Shift to see what "
    "warps do in a stretch. Click to select, "
    "click twice to see a state whole. Click a tab to change the screen.";

void frame_help(const struct app *app, struct canvas *canvas, struct rect area)
{
    const struct metrics *m = canvas_metrics(canvas);
    const struct theme *theme = view_theme(&app->view);
    canvas_fill(canvas, area, theme->ground);
    area = rect_inset(area, 2 * m->pad);
    const struct screen *screen = screens[app->view.place.screen];
    canvas_text_in(canvas, rect_cut_top(&area, m->line[TEXT_TITLE]), TEXT_TITLE, ALIGN_LEFT,
                   theme->text, screen->title);
    rect_cut_top(&area,
                 canvas_paragraph(canvas, area, TEXT_NORMAL, theme->text, screen->help, true) +
                     m->pad);
    rect_cut_top(&area,
                 canvas_paragraph(canvas, area, TEXT_NORMAL, theme->text, app_mouse_help, true) +
                     2 * m->pad);
    struct flow flow = {.area = area, .x = area.x, .y = area.y};
    for (int size = TEXT_NORMAL; size >= TEXT_SMALL; size--) {
        int columns = area.w / (LEAST_COLUMN * m->advance[size]);
        flow.size = (enum text_size)size;
        flow.width = area.w / (columns > 1 ? columns : 1);
        if (flow_actions(flow, canvas, theme))
            break;
    }
    flow.draw = true;
    (void)flow_actions(flow, canvas, theme);
}
