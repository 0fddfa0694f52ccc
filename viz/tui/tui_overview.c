/* The screen Overview in a terminal: what limits the kernel, what would help, the ways to see more.
 */
#include "view/view_overview.h"

#include <math.h>

#include "report/quantity.h"
#include "tui/tui_plot.h"
#include "tui/tui_screens.h"

enum { NAME = 34, VALUE = 8 };

static void draw_row(struct view *view, struct grid *grid, struct rect line,
                     const struct overview_row *row, bool selected)
{
    const struct theme *theme = view_theme(view);
    const int name = line.w < 2 * NAME ? line.w / 2 : NAME;
    struct rect words = rect_cut_left(&line, name);
    grid_text(grid, words, ALIGN_LEFT, selected ? theme->accent : theme->text, row->name);
    const struct rect value = rect_cut_left(&line, VALUE);
    if (!isnan(row->percent))
        grid_text(grid, value, ALIGN_RIGHT, theme->text, quantity_percent(row->percent).text);
    rect_cut_left(&line, 2);
    grid_text(grid, line, ALIGN_LEFT, theme->quiet, row->detail);
    if (selected)
        grid_style(grid, words, GRID_REVERSE);
}

void tui_overview(struct view *view, struct grid *grid)
{
    static struct overview_page
        overview; /* static because of its size; filled anew in every frame */
    const struct theme *theme = view_theme(view);
    struct rect area = view->area;
    if (!overview_fill(view, &overview)) {
        grid_paragraph(grid, area, theme->text, overview_absent, true);
        return;
    }
    char text[400];
    rect_cut_top(&area, grid_paragraph(grid, area, theme->accent, overview.verdict, true));
    (void)snprintf(text, sizeof text, "Try: %s", overview.hint);
    rect_cut_top(&area, grid_paragraph(grid, area, theme->text, text, true));
    view->content_rows = overview.count + OVERVIEW_PANELS;
    view->shown_rows = area.h;
    int y = area.y - (int)view->place.scroll;
    for (uint32_t i = 0, last = OVERVIEW_PANELS; i < overview.count; i++) {
        const struct overview_row *row = &overview.rows[i];
        const bool head = row->panel != last;
        last = row->panel;
        if (head && y >= area.y && y < area.y + area.h)
            plot_title(grid, theme, &(struct rect){area.x, y, area.w, 1},
                       overview_titles[row->panel].title, overview_titles[row->panel].note);
        y += head;
        const struct rect line = {area.x, y, area.w, 1};
        if (view->options.way == i)
            view->selected_row = y - area.y + view->place.scroll;
        if (y >= area.y && y < area.y + area.h)
            draw_row(view, grid, line, row, view->options.way == i);
        if (y >= area.y && rect_has(line, view->pointer_x, view->pointer_y))
            overview_point(view, &overview, i);
        y++;
    }
    if (view->options.way < overview.count && view->target.kind == TARGET_NONE)
        overview_point(view, &overview, view->options.way);
    plot_scrollbar(grid, theme, area, view->place.scroll, view->shown_rows, view->content_rows);
}
