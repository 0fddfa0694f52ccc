/* The grid of character cells: clipping, signs, text. */
#include "tui/grid.h"

#include <stdlib.h>
#include <string.h>

#include "canvas/font.h"

bool grid_resize(struct grid *grid, int w, int h)
{
    struct grid_cell *cells = calloc((size_t)w * (size_t)h + 1, sizeof *cells);
    if (!cells)
        return false;
    free(grid->cells);
    grid->cells = cells;
    grid->w = w;
    grid->h = h;
    grid->clip = (struct rect){.w = w, .h = h};
    return true;
}

void grid_free(struct grid *grid)
{
    free(grid->cells);
    *grid = (struct grid){0};
}

struct rect grid_clip(struct grid *grid, struct rect rect)
{
    struct rect saved = grid->clip;
    int right = saved.x + saved.w;
    int bottom = saved.y + saved.h;
    struct rect *clip = &grid->clip;
    clip->x = rect.x > saved.x ? rect.x : saved.x;
    clip->y = rect.y > saved.y ? rect.y : saved.y;
    right = rect.x + rect.w < right ? rect.x + rect.w : right;
    bottom = rect.y + rect.h < bottom ? rect.y + rect.h : bottom;
    clip->w = right > clip->x ? right - clip->x : 0;
    clip->h = bottom > clip->y ? bottom - clip->y : 0;
    return saved;
}

void grid_unclip(struct grid *grid, struct rect saved)
{
    grid->clip = saved;
}

/* Returns the cell at (x, y), NULL outside the clip. */
static struct grid_cell *cell_at(struct grid *grid, int x, int y)
{
    return rect_has(grid->clip, x, y) ? &grid->cells[(size_t)y * (size_t)grid->w + (size_t)x]
                                      : NULL;
}

/* Returns the part of `rect` inside the clip. */
static struct rect clipped(struct grid *grid, struct rect rect)
{
    struct rect saved = grid_clip(grid, rect);
    struct rect result = grid->clip;
    grid->clip = saved;
    return result;
}

void grid_fill(struct grid *grid, struct rect rect, uint32_t bg)
{
    rect = clipped(grid, rect);
    for (int y = rect.y; y < rect.y + rect.h; y++)
        for (int x = rect.x; x < rect.x + rect.w; x++)
            *cell_at(grid, x, y) = (struct grid_cell){.sign = ' ', .fg = bg, .bg = bg};
}

/* ASCII replacements of signs. The table has every sign that the viewer draws. */
static const struct {
    uint32_t sign;
    char ascii;
} signs[] = {
    {0x2026, '~'}, /* ellipsis */
    {0x2013, '-'}, {0x2014, '-'}, {0x2212, '-'}, {0x2019, '\''}, {0x00b7, '.'}, {0x00d7, 'x'},
    {0x00b0, 'o'}, {0x00b2, '2'}, {0x00b5, 'u'}, {0x2248, '='},  {0x2264, '<'}, {0x2265, '>'},
    {0x221e, 'i'}, {0x2190, '<'}, {0x2191, '^'}, {0x2192, '>'},  {0x2193, 'v'}, {0x2713, '+'},
    {0x2500, '-'}, {0x2502, '|'}, {0x250c, '+'}, {0x2514, '+'},  {0x251c, '+'}, {0x253c, '+'},
    {0x25b2, '^'}, {0x25b6, '>'}, {0x25bc, 'v'}, {0x25cf, 'o'},  {0x25c6, 'O'}, {0x2580, '\''},
    {0x2584, '.'}, {0x2588, '#'}, {0x258c, '<'}, {0x2590, '>'},  {0x2591, ':'}, {0x2503, '|'},
};

uint32_t grid_sign(const struct grid *grid, uint32_t sign)
{
    if (sign >= ' ' && sign < 127)
        return sign;
    if (sign > 0x2800 &&
        sign <= 0x28ff) /* braille dots of a curve: by the height of the lowest dot */
        return !grid->ascii ? sign : sign & 0xc0 ? '_' : sign & 0x36 ? '-' : '\'';
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
        if (signs[i].sign == sign)
            return grid->ascii ? (uint32_t)signs[i].ascii : sign;
    if (sign >= 0x2581 && sign <= 0x2588)
        return grid->ascii ? '0' + (sign - 0x2580) : sign;
    return '?';
}

uint32_t grid_bar(const struct grid *grid, int eighths)
{
    if (eighths <= 0)
        return grid->ascii ? '.' : ' ';
    if (grid->ascii)
        return eighths >= 8 ? '#' : (uint32_t)('0' + eighths);
    return 0x2580 + (uint32_t)(eighths > 8 ? 8 : eighths);
}

void grid_put(struct grid *grid, int x, int y, uint32_t sign, uint32_t fg, uint32_t bg)
{
    struct grid_cell *cell = cell_at(grid, x, y);
    if (cell)
        *cell = (struct grid_cell){.sign = grid_sign(grid, sign), .fg = fg, .bg = bg};
}

void grid_ink(struct grid *grid, int x, int y, uint32_t sign, uint32_t fg)
{
    struct grid_cell *cell = cell_at(grid, x, y);
    if (!cell)
        return;
    cell->sign = grid_sign(grid, sign);
    cell->fg = fg;
}

void grid_style(struct grid *grid, struct rect rect, uint8_t style)
{
    rect = clipped(grid, rect);
    for (int y = rect.y; y < rect.y + rect.h; y++)
        for (int x = rect.x; x < rect.x + rect.w; x++)
            cell_at(grid, x, y)->style |= style;
}

void grid_tint(struct grid *grid, struct rect rect, uint32_t colour, int percent)
{
    rect = clipped(grid, rect);
    for (int y = rect.y; y < rect.y + rect.h; y++)
        for (int x = rect.x; x < rect.x + rect.w; x++) {
            struct grid_cell *cell = cell_at(grid, x, y);
            cell->bg = colour_mix(cell->bg, colour, percent);
            if (cell->sign == 0x2580) /* the upper half block is ground as well */
                cell->fg = colour_mix(cell->fg, colour, percent);
        }
}

int grid_width(const char *text)
{
    int count = 0;
    while (font_next(&text))
        count++;
    return count;
}

static void put_text(struct grid *grid, int x, int y, uint32_t fg, const char *text, int count)
{
    for (int i = 0; i < count; i++)
        grid_ink(grid, x + i, y, font_next(&text), fg);
}

int grid_text(struct grid *grid, struct rect rect, enum text_align align, uint32_t fg,
              const char *text)
{
    int count = grid_width(text);
    if (rect.w <= 0 || rect.h <= 0 || !count)
        return 0;
    int shown = count < rect.w ? count : rect.w;
    int spare = rect.w - shown;
    int x = rect.x + (align == ALIGN_LEFT ? 0 : align == ALIGN_RIGHT ? spare : spare / 2);
    put_text(grid, x, rect.y, fg, text, count > rect.w ? shown - 1 : shown);
    if (count > rect.w)
        grid_ink(grid, x + shown - 1, rect.y, 0x2026, fg);
    return shown;
}

/*
 * Returns the characters of `text` that fit on a line of `room` columns. Sets *bytes to the start
 * of the next line.
 */
static int break_line(const char *text, int room, size_t *bytes)
{
    const char *at = text;
    const char *good = NULL;
    int count = 0;
    int good_count = 0;
    while (*at && *at != '\n') {
        if (*at == ' ') {
            good = at;
            good_count = count;
        }
        if (count == room) {
            *bytes = (size_t)((good ? good : at) - text) + (good ? 1 : 0);
            return good ? good_count : count;
        }
        (void)font_next(&at);
        count++;
    }
    *bytes = (size_t)(at - text) + (*at == '\n' ? 1 : 0);
    return count;
}

int grid_paragraph(struct grid *grid, struct rect rect, uint32_t fg, const char *text, bool draw)
{
    int lines = 0;
    int room = rect.w > 1 ? rect.w : 1;
    while (*text) {
        size_t bytes = 0;
        int count = break_line(text, room, &bytes);
        if (draw && lines < rect.h)
            put_text(grid, rect.x, rect.y + lines, fg, text, count);
        text += bytes;
        lines++;
    }
    return lines;
}
