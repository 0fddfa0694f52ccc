/*
 * Draws lines whose pieces are all horizontal or vertical, as the lines of step curves are. The
 * coverage of a column of pixels is gathered as one bit for each sample. The result has the same
 * pixels as the general polygon code, and takes less time.
 */
#include <string.h>

#include "canvas/surface.h"

enum { BITS = PIXEL_UNIT }; /* samples in one sample row of a pixel */

/* A piece of the line as a rectangle: half-open, in 1/16 pixel. */
struct line_box {
    int left, right, top, bottom;
};

static bool line_box_of(const int *quad, struct line_box *box)
{
    *box = (struct line_box){quad[0], quad[0], quad[1], quad[1]};
    for (int i = 1; i < 4; i++) {
        int x = quad[2 * i];
        int y = quad[2 * i + 1];
        int next = 2 * ((i + 1) % 4);
        if (x != quad[next] && y != quad[next + 1])
            return false;
        box->left = x < box->left ? x : box->left;
        box->right = x > box->right ? x : box->right;
        box->top = y < box->top ? y : box->top;
        box->bottom = y > box->bottom ? y : box->bottom;
    }
    return true;
}

/*
 * Returns the samples of pixel row `y` inside the box: the bits of `across` in each covered sample
 * row.
 */
static uint64_t samples_of(const struct line_box *box, int y, uint64_t across)
{
    uint64_t bits = 0;
    for (int s = 0; s < PIXEL_SAMPLES; s++) {
        int at = pixel_sample(y, s);
        if (at >= box->top && at < box->bottom)
            bits |= across << (s * BITS);
    }
    return bits;
}

/*
 * Adds the samples of column `x` that a box covers to the rows of `bits`, and widens [*top, *end).
 */
static void add_box(const struct line_box *box, int x, struct rect area, uint64_t *bits, int *top,
                    int *end)
{
    int left = box->left - x * PIXEL_UNIT;
    int right = box->right - x * PIXEL_UNIT;
    left = left < 0 ? 0 : left;
    right = right > PIXEL_UNIT ? PIXEL_UNIT : right;
    if (left >= right)
        return;
    uint64_t across = (((uint64_t)1 << right) - 1) & ~(((uint64_t)1 << left) - 1);
    uint64_t all = across | across << BITS;
    all |= all << 2 * BITS;
    int first = box->top < area.y * PIXEL_UNIT ? area.y : box->top / PIXEL_UNIT;
    int last = (box->bottom - 1) / PIXEL_UNIT;
    int foot = area.y + area.h;
    last = last >= foot ? foot - 1 : last;
    for (int y = first; y <= last; y++) {
        bool inside = y * PIXEL_UNIT >= box->top && (y + 1) * PIXEL_UNIT <= box->bottom;
        bits[y - area.y] |= inside ? all : samples_of(box, y, across);
    }
    *top = first < *top ? first : *top;
    *end = last + 1 > *end ? last + 1 : *end;
}

static void paint_column(struct canvas *canvas, int x, int top, int end, uint64_t *bits,
                         uint32_t colour)
{
    uint64_t last = 0;
    uint32_t alpha = 0;
    uint32_t *pixel = canvas->pixels + (size_t)top * (size_t)canvas->w + x;
    for (int y = top; y < end; y++, bits++, pixel += canvas->w) {
        if (*bits != last) {
            last = *bits;
            alpha = pixel_alpha(__builtin_popcountll(last), PIXEL_SAMPLES * PIXEL_UNIT);
        }
        if (alpha)
            *pixel = pixel_over(*pixel, colour, alpha);
        *bits = 0;
    }
}

enum { MOST_BOXES = 64, MOST_SIDE = 4096 };

/* Lists of boxes by the column of the area in which they begin. */
struct box_lists {
    uint8_t first[MOST_SIDE]; /* index of the box + 1; 0: none */
    uint8_t next[MOST_BOXES]; /* index of the next box + 1; 0: last */
};

static void sort_boxes(struct box_lists *lists, const struct line_box *boxes, size_t count,
                       struct rect area)
{
    memset(lists->first, 0, (size_t)area.w);
    for (size_t i = 0; i < count; i++) {
        int column = boxes[i].left / PIXEL_UNIT - area.x;
        column = column < 0 ? 0 : column;
        if (column >= area.w || boxes[i].right <= area.x * PIXEL_UNIT)
            continue;
        lists->next[i] = lists->first[column];
        lists->first[column] = (uint8_t)(i + 1);
    }
}

static void paint_boxes(struct canvas *canvas, const struct line_box *boxes, size_t count,
                        struct rect area, uint32_t colour)
{
    struct box_lists lists;
    uint64_t bits[MOST_SIDE];
    const struct line_box *here[MOST_BOXES];
    size_t active = 0;
    sort_boxes(&lists, boxes, count, area);
    memset(bits, 0, (size_t)area.h * sizeof *bits);
    for (int x = area.x; x < area.x + area.w; x++) {
        int top = area.y + area.h;
        int end = area.y;
        size_t left = 0;
        for (uint8_t i = lists.first[x - area.x]; i; i = lists.next[i - 1])
            here[active++] = &boxes[i - 1];
        for (size_t i = 0; i < active; i++) {
            add_box(here[i], x, area, bits, &top, &end);
            if (here[i]->right > (x + 1) * PIXEL_UNIT)
                here[left++] = here[i];
        }
        active = left;
        if (top < end)
            paint_column(canvas, x, top, end, bits + (top - area.y), colour);
    }
}

bool pixels_steps(struct canvas *canvas, struct rect area, const int *quads, size_t count,
                  uint32_t colour)
{
    struct line_box boxes[MOST_BOXES];
    if (count > MOST_BOXES || area.h > MOST_SIDE || area.w > MOST_SIDE)
        return false;
    for (size_t i = 0; i < count; i++)
        if (!line_box_of(quads + 8 * i, &boxes[i]))
            return false;
    if (area.w > 0 && area.h > 0)
        paint_boxes(canvas, boxes, count, area, colour);
    return true;
}
