/* Parts of charts in a terminal. */
#include "tui/tui_plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "view/states.h"

enum { Y_ROOM = 6 };

struct tui_plot plot_of(struct rect rect, double low, double high)
{
    rect_cut_left(&rect, Y_ROOM);
    rect_cut_bottom(&rect, rect.h > 2 ? 1 : 0);
    return (struct tui_plot){rect, low, high > low ? high : low + 1};
}

void plot_axes(struct grid *grid, const struct theme *theme, const struct tui_plot *plot,
               double from, double to, const char *label)
{
    char text[32];
    struct rect area = plot->area;
    struct rect number = {area.x - Y_ROOM, area.y, Y_ROOM - 1, 1};
    for (int y = area.y; y < area.y + area.h; y++)
        grid_ink(grid, area.x - 1, y, 0x2502, theme->line);
    grid_text(grid, number, ALIGN_RIGHT, theme->quiet, chart_number(plot->high, text));
    number.y = area.y + area.h - 1;
    if (area.h > 1)
        grid_text(grid, number, ALIGN_RIGHT, theme->quiet, chart_number(plot->low, text));
    struct rect foot = {area.x, area.y + area.h, area.w, 1};
    if (isnan(from))
        return;
    int left = grid_text(grid, foot, ALIGN_LEFT, theme->quiet, chart_number(from, text));
    int right = grid_text(grid, foot, ALIGN_RIGHT, theme->quiet, chart_number(to, text));
    rect_cut_left(&foot, left + 1);
    rect_cut_right(&foot, right + 1);
    if (label && grid_width(label) <= foot.w)
        grid_text(grid, foot, ALIGN_CENTRE, theme->quiet, label);
}

/* Bits of the braille dots of a cell, by row from the top: left, right. */
static const uint8_t dots[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};

/* Draws a dot; x counts two dots to a cell, y four. */
static void dot(struct grid *grid, const struct tui_plot *plot, int x, int y, uint32_t colour)
{
    struct rect area = plot->area;
    int at_x = area.x + x / 2;
    int at_y = area.y + y / 4;
    if (!rect_has(area, at_x, at_y) || !rect_has(grid->clip, at_x, at_y))
        return;
    SIMSM_CHECK(at_x < grid->w && at_y < grid->h, "cell %d, %d of %d x %d", at_x, at_y, grid->w,
                grid->h);
    struct grid_cell *cell = &grid->cells[(size_t)at_y * (size_t)grid->w + (size_t)at_x];
    uint32_t bits = dots[y % 4][x % 2];
    if (grid->ascii)
        cell->sign = grid_sign(grid, 0x2800 | bits);
    else
        cell->sign = (cell->sign > 0x2800 && cell->sign <= 0x28ff ? cell->sign : 0x2800) | bits;
    cell->fg = colour;
}

/* Returns the row of dots of a value, from the top. */
static int dot_row(const struct tui_plot *plot, double value)
{
    double share = (value - plot->low) / (plot->high - plot->low);
    int rows = plot->area.h * 4;
    int row = rows - 1 - (int)lround(share * (rows - 1));
    return row < 0 ? 0 : row >= rows ? rows - 1 : row;
}

void plot_curve(struct grid *grid, const struct tui_plot *plot, const double *values,
                uint32_t count, uint32_t colour)
{
    int last = -1;
    for (int x = 0; x < plot->area.w * 2; x++) {
        uint32_t i = (uint32_t)((uint64_t)x * count / (uint32_t)(plot->area.w * 2));
        int row = i < count && !isnan(values[i]) ? dot_row(plot, values[i]) : -1;
        int top = last >= 0 && last < row ? last + 1 : row;
        int foot = last > row ? last - 1 : row;
        for (int y = top; row >= 0 && y <= foot; y++)
            dot(grid, plot, x, y, colour);
        last = row;
    }
}

void plot_level(struct grid *grid, const struct tui_plot *plot, double value, uint32_t colour)
{
    int y = dot_row(plot, value);
    for (int x = 0; x < plot->area.w * 2; x += 2)
        dot(grid, plot, x, y, colour);
}

void plot_mark(struct grid *grid, const struct tui_plot *plot, double x, double value,
               uint32_t colour)
{
    int at = plot->area.x + (int)(x * plot->area.w);
    at = at >= plot->area.x + plot->area.w ? plot->area.x + plot->area.w - 1 : at;
    int y = plot->area.y + dot_row(plot, value) / 4;
    grid_ink(grid, at, y, 0x25c6, colour);
    grid_style(grid, (struct rect){at, y, 1, 1}, GRID_BOLD);
}

/* Returns the state at a height of the areas, in slot cycles; SIMSM_STATE_EMPTY above all areas. */
static uint32_t state_at(const struct view *view, const double *sums, double level)
{
    static const uint8_t first[] = {SIMSM_STATE_ISSUED, SIMSM_STATE_NOT_SELECTED};
    double below = 0;
    for (uint32_t i = 0; i < SIMSM_STATE_COUNT + 2; i++) {
        uint32_t state = i < 2 ? first[i] : i - 2;
        if ((i >= 2 && (state == first[0] || state == first[1])) || state == SIMSM_STATE_EMPTY ||
            view->options.hidden_states >> state & 1)
            continue;
        below += sums[state];
        if (level < below)
            return state;
    }
    return SIMSM_STATE_EMPTY;
}

void plot_states(struct grid *grid, const struct view *view, struct rect column, const double *sums,
                 double whole)
{
    const struct theme *theme = view_theme(view);
    for (int row = 0; row < column.h; row++) {
        double step = whole / column.h / 8;
        double foot = (column.h - 1 - row) * step * 8;
        uint32_t low = state_at(view, sums, foot + step / 2);
        uint32_t high = state_at(view, sums, foot + step * 7.5);
        int part = 1; /* eighths of the cell that `low` fills */
        while (part < 8 && state_at(view, sums, foot + step * (part + 0.5)) == low)
            part++;
        const struct state_look *look = &theme->states[part >= 4 ? low : high];
        bool plain = low == high || grid->plain;
        uint32_t sign = look == &theme->states[SIMSM_STATE_EMPTY] ? ' ' : (uint32_t)look->letter;
        if (plain) /* letters are faint where colours show the same */
            grid_put(grid, column.x, column.y + row, sign,
                     grid->plain ? look->ink : colour_mix(look->colour, look->ink, 45),
                     look->colour);
        else
            grid_put(grid, column.x, column.y + row, grid_bar(grid, part),
                     theme->states[low].colour, theme->states[high].colour);
    }
}

void plot_title(struct grid *grid, const struct theme *theme, struct rect *rect, const char *title,
                const char *note)
{
    struct rect line = rect_cut_top(rect, 1);
    int used = grid_text(grid, line, ALIGN_LEFT, theme->text, title);
    grid_style(grid, (struct rect){line.x, line.y, used, line.h}, GRID_BOLD);
    rect_cut_left(&line, used + 2);
    if (note && grid_width(note) <= line.w)
        grid_text(grid, line, ALIGN_LEFT, theme->quiet, note);
}

void plot_time(struct grid *grid, const struct view *view, struct rect strip, double from,
               double step)
{
    const struct theme *theme = view_theme(view);
    struct chart_axis axis = {from, from + step * strip.w, strip.x, strip.w};
    double every = axis_step(&axis, strip.w / 12 < 1 ? 1 : strip.w / 12);
    every = every < 1 ? 1 : every;
    for (double v = ceil(from / every) * every; v < axis.high; v += every) {
        char text[32];
        int x = (int)floor(axis_place(&axis, v));
        chart_cycles((uint64_t)v, text);
        if (x + 1 + grid_width(text) > strip.x + strip.w)
            continue;
        grid_ink(grid, x, strip.y, 0x2502, theme->quiet);
        grid_text(grid, (struct rect){x + 1, strip.y, strip.w, 1}, ALIGN_LEFT, theme->quiet, text);
    }
    int x = (int)floor(axis_place(&axis, (double)view->place.cycle));
    if (view_has_cycle(&view->place) && x >= strip.x && x < strip.x + strip.w)
        grid_ink(grid, x, strip.y, 0x25bc, theme->accent);
}

int plot_legend(struct grid *grid, const struct view *view, struct rect rect, uint32_t present,
                bool draw)
{
    const struct theme *theme = view_theme(view);
    struct states_entry entries[SIMSM_STATE_COUNT];
    uint32_t folded;
    const uint32_t count = states_entries(view, present, entries, &folded);
    int x = 0;
    int y = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct state_look *look = &theme->states[entries[i].state];
        const char *title = entries[i].words;
        int width = grid_width(title) + 4;
        if (x && x + width - 2 > rect.w) {
            x = 0;
            y++;
        }
        if (draw && y < rect.h) {
            grid_put(grid, rect.x + x, rect.y + y, (uint32_t)look->letter, look->ink, look->colour);
            grid_text(grid, (struct rect){rect.x + x + 2, rect.y + y, rect.w - x - 2, 1},
                      ALIGN_LEFT, theme->text, title);
        }
        x += width;
    }
    return x ? y + 1 : 0;
}

void plot_scrollbar(struct grid *grid, const struct theme *theme, struct rect area, double first,
                    double shown, double all)
{
    if (shown >= all || all <= 0 || area.h < 2)
        return;
    int x = area.x + area.w - 1;
    int high = (int)(area.h * shown / all);
    high = high < 1 ? 1 : high;
    int top = (int)((area.h - high) * first / (all - shown) + 0.5);
    for (int y = 0; y < area.h; y++) {
        bool thumb = y >= top && y < top + high;
        grid_put(grid, x, area.y + y, thumb ? 0x2588 : 0x2502, thumb ? theme->quiet : theme->line,
                 theme->ground);
    }
}

void plot_cursor(struct grid *grid, struct view *view, struct rect area, double from, double step)
{
    const struct theme *theme = view_theme(view);
    double at = from + (view->pointer_x - area.x + 0.5) * step;
    if (rect_has(area, view->pointer_x, view->pointer_y) && at >= (double)view_begin(view) &&
        at < (double)view_end(view) && view->target.kind == TARGET_NONE)
        view->target = (struct view_target){.kind = TARGET_CYCLE, .cycle = (uint64_t)at};
    if (!view_has_cycle(&view->place))
        return;
    double x = area.x + floor(((double)view->place.cycle - from) / step);
    double end = area.x + floor(((double)view->place.cycle + 1 - from) / step);
    if (x < area.x || x >= area.x + area.w)
        return;
    struct rect column = {(int)x, area.y, end > x ? (int)(end - x) : 1, area.h};
    struct rect saved = grid_clip(grid, area);
    grid_tint(grid, column, theme->accent, 35);
    grid_unclip(grid, saved);
}
