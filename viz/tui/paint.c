/* Escape sequences that make a terminal show a grid. */
#include "tui/paint.h"

#include <stdlib.h>
#include <string.h>

#include "simsm/names.h"

enum colours colours_of(const char *no_colour, const char *colorterm, const char *term)
{
    if ((no_colour && *no_colour) || !term || strncmp(term, "vt", 2) == 0)
        return COLOURS_NONE;
    if ((colorterm && (strcmp(colorterm, "truecolor") == 0 || strcmp(colorterm, "24bit") == 0)) ||
        strstr(term, "direct"))
        return COLOURS_TRUE;
    return strstr(term, "256") ? COLOURS_256 : COLOURS_16;
}

static uint32_t distance(uint32_t a, uint32_t b)
{
    uint32_t sum = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        int part = (int)(a >> shift & 255) - (int)(b >> shift & 255);
        sum += (uint32_t)(part * part);
    }
    return sum;
}

/* Returns the nearest of xterm's colours 16 to 255: a cube of 6 steps a side, then 24 greys. */
static uint32_t nearest_256(uint32_t colour)
{
    static const uint8_t steps[6] = {0, 95, 135, 175, 215, 255};
    uint32_t cube = 0;
    uint32_t number = 16;
    for (int shift = 16; shift >= 0; shift -= 8) {
        uint32_t part = colour >> shift & 255;
        uint32_t best = 0;
        for (uint32_t i = 1; i < 6; i++)
            if (abs((int)steps[i] - (int)part) < abs((int)steps[best] - (int)part))
                best = i;
        cube |= (uint32_t)steps[best] << shift;
        number += best * (shift == 16 ? 36 : shift == 8 ? 6 : 1);
    }
    uint32_t mean = ((colour >> 16 & 255) + (colour >> 8 & 255) + (colour & 255)) / 3;
    uint32_t step = mean < 8 ? 0 : mean > 238 ? 23 : (mean - 8 + 5) / 10;
    uint32_t grey = (8 + 10 * step) * 0x10101;
    return distance(grey, colour) < distance(cube, colour) ? 232 + step : number;
}

uint32_t colour_256(uint32_t colour)
{
    for (uint32_t i = 0; i < SIMSM_STATE_COUNT; i++)
        if (simsm_states[i].dark == colour && i != SIMSM_STATE_EMPTY)
            return simsm_states[i].xterm;
    return nearest_256(colour);
}

static uint32_t nearest_16(uint32_t colour)
{
    static const uint32_t palette[16] = {0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd,
                                         0x00cdcd, 0xe5e5e5, 0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00,
                                         0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff};
    uint32_t best = 0;
    for (uint32_t i = 1; i < 16; i++)
        if (distance(palette[i], colour) < distance(palette[best], colour))
            best = i;
    return best;
}

/* Writes a colour; `what` is 30 for ink, 40 for ground. */
static void write_colour(const struct tui_painter *painter, uint32_t what, uint32_t colour,
                         FILE *file)
{
    uint32_t number = painter->colours == COLOURS_16 ? nearest_16(colour) : 0;
    if (painter->colours == COLOURS_TRUE)
        (void)fprintf(file, ";%u;2;%u;%u;%u", what + 8, colour >> 16 & 255, colour >> 8 & 255,
                      colour & 255);
    else if (painter->colours == COLOURS_256)
        (void)fprintf(file, ";%u;5;%u", what + 8, colour_256(colour));
    else if (painter->colours == COLOURS_16)
        (void)fprintf(file, ";%u", number < 8 ? what + number : what + 60 + number - 8);
}

static void write_look(const struct tui_painter *painter, const struct grid_cell *cell, FILE *file)
{
    (void)fprintf(file, "\033[0%s%s%s", cell->style & GRID_BOLD ? ";1" : "",
                  cell->style & GRID_UNDERLINE ? ";4" : "", cell->style & GRID_REVERSE ? ";7" : "");
    write_colour(painter, 30, cell->fg, file);
    write_colour(painter, 40, cell->bg, file);
    (void)fputc('m', file);
}

static void write_sign(uint32_t sign, FILE *file)
{
    if (sign < 0x80) {
        (void)fputc((int)sign, file);
        return;
    }
    if (sign < 0x800) {
        (void)fputc((int)(0xc0 | sign >> 6), file);
    } else {
        (void)fputc((int)(0xe0 | sign >> 12), file);
        (void)fputc((int)(0x80 | (sign >> 6 & 0x3f)), file);
    }
    (void)fputc((int)(0x80 | (sign & 0x3f)), file);
}

static bool same_look(const struct grid_cell *a, const struct grid_cell *b)
{
    return a->fg == b->fg && a->bg == b->bg && a->style == b->style;
}

static bool same_cell(const struct tui_painter *painter, const struct grid_cell *a,
                      const struct grid_cell *b)
{
    if (painter->colours == COLOURS_NONE)
        return a->sign == b->sign && a->style == b->style;
    return a->sign == b->sign && same_look(a, b);
}

bool paint(struct tui_painter *painter, const struct grid *grid, FILE *file)
{
    struct grid *shown = &painter->shown;
    bool whole = shown->w != grid->w || shown->h != grid->h;
    const struct grid_cell *look = NULL;
    if (whole && !grid_resize(shown, grid->w, grid->h))
        return false;
    for (int y = 0; y < grid->h; y++) {
        bool there = false; /* the terminal's cursor is at the next cell */
        for (int x = 0; x < grid->w; x++) {
            size_t i = (size_t)y * (size_t)grid->w + (size_t)x;
            const struct grid_cell *cell = &grid->cells[i];
            if (!whole && same_cell(painter, cell, &shown->cells[i])) {
                there = false;
                continue;
            }
            if (!there)
                (void)fprintf(file, "\033[%d;%dH", y + 1, x + 1);
            if (!look || !same_look(look, cell))
                write_look(painter, cell, file);
            write_sign(cell->sign, file);
            look = cell;
            there = true;
        }
    }
    memcpy(shown->cells, grid->cells, (size_t)grid->w * (size_t)grid->h * sizeof *grid->cells);
    return true;
}

void paint_forget(struct tui_painter *painter)
{
    grid_free(&painter->shown);
}
