/*
 * Draws columns of pixels with bands (canvas_columns). Pixels are written row by row, in the order
 * of memory: a line of colours goes down the rectangle, and a column changes its colour where a
 * band ends.
 */
#include <stdlib.h>
#include <string.h>

#include "canvas/surface.h"

struct column_fill {
    const struct canvas_band *bands;
    int most, count;
    uint32_t *line; /* [count] colours of the row; 0: the pixel stays */
    int *at;        /* [count] index of the present band */
    int *next;      /* [count] next column in the same list; -1: last */
    int *first;     /* [rows + 1] first column in the list of each row: columns that change there */
    int kept;       /* number of columns that draw nothing in this row */
};

/*
 * Moves a column to its band at row `y`, and puts it into the list of the row at which that band
 * ends.
 */
static void change_column(struct column_fill *c, int column, int y, int rows)
{
    const struct canvas_band *bands = c->bands + (size_t)column * (size_t)c->most;
    int at = c->at[column];
    while (at < c->most && bands[at].end <= y)
        at++;
    c->at[column] = at;
    bool keep = at == c->most || bands[at].colour == CANVAS_KEEP;
    c->kept += keep - !c->line[column];
    c->line[column] = keep ? 0 : 0xff000000u | bands[at].colour;
    if (at < c->most && bands[at].end < rows) {
        c->next[column] = c->first[bands[at].end];
        c->first[bands[at].end] = column;
    }
}

static void put_row(uint32_t *restrict row, const uint32_t *restrict line, int count)
{
    for (int x = 0; x < count; x++)
        row[x] = line[x] ? line[x] : row[x];
}

/* Draws the rows of `rect` whose part `seen` lies in the clip. */
static void draw_rows(struct canvas *canvas, struct column_fill *c, struct rect rect,
                      struct rect seen)
{
    int end = seen.y + seen.h - rect.y;
    for (int y = 0; y < end; y++) {
        int column = c->first[y];
        c->first[y] = -1;
        while (column >= 0) {
            int next = c->next[column];
            change_column(c, column, y, end);
            column = next;
        }
        if (rect.y + y < seen.y || c->kept == c->count)
            continue;
        uint32_t *row = canvas->pixels + (size_t)(rect.y + y) * (size_t)canvas->w + seen.x;
        const uint32_t *line = c->line + (seen.x - rect.x);
        if (c->kept)
            put_row(row, line, seen.w);
        else
            memcpy(row, line, (size_t)seen.w * sizeof *row);
    }
}

void pixels_columns(struct canvas *canvas, struct rect rect, struct rect seen,
                    const struct canvas_band *bands, int most)
{
    size_t count = (size_t)rect.w;
    size_t rows = (size_t)(seen.y + seen.h - rect.y);
    uint32_t *line = calloc(count, sizeof *line);
    int *lists = calloc(2 * count + rows + 1, sizeof *lists);
    struct column_fill c = {.bands = bands, .most = most, .count = rect.w, .kept = rect.w};
    if (line && lists) {
        c.line = line;
        c.at = lists;
        c.next = lists + count;
        c.first = lists + 2 * count;
        for (size_t y = 0; y <= rows; y++)
            c.first[y] = -1;
        for (int i = rect.w; i-- > 0; c.first[0] = i)
            c.next[i] = c.first[0];
        draw_rows(canvas, &c, rect, seen);
    }
    free(line);
    free(lists);
}
