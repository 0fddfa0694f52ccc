/* Primitives of the canvas against what they promise, pixel by pixel; clipping; text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "canvas/canvas.h"
#include "canvas/outline.h"

enum { W = 60, H = 40 };

static uint32_t pixel(const struct canvas *canvas, int x, int y)
{
    int stride;
    const uint32_t *pixels = canvas_pixels(canvas, &stride);
    return pixels[(size_t)y * (size_t)stride + (size_t)x] & 0xffffff;
}

static void wipe(struct canvas *canvas)
{
    canvas_fill(canvas, (struct rect){0, 0, canvas_width(canvas), canvas_height(canvas)}, 0);
}

static struct canvas *blank(void)
{
    struct canvas *canvas = canvas_create(W, H, 100);
    assert_non_null(canvas);
    assert_int_equal(pixel(canvas, 0, 0), 0);
    return canvas;
}

/* Pixels that are not black. */
static int painted(const struct canvas *canvas)
{
    int count = 0;
    for (int y = 0; y < canvas_height(canvas); y++)
        for (int x = 0; x < canvas_width(canvas); x++)
            count += pixel(canvas, x, y) != 0;
    return count;
}

/* The smallest rectangle that holds all pixels that are not black. */
static struct rect extent(const struct canvas *canvas)
{
    int left = W, top = H, right = 0, bottom = 0;
    for (int y = 0; y < canvas_height(canvas); y++)
        for (int x = 0; x < canvas_width(canvas); x++)
            if (pixel(canvas, x, y)) {
                left = x < left ? x : left;
                top = y < top ? y : top;
                right = x + 1 > right ? x + 1 : right;
                bottom = y + 1 > bottom ? y + 1 : bottom;
            }
    return (struct rect){left, top, right - left, bottom - top};
}

static void assert_rect(struct rect rect, int x, int y, int w, int h)
{
    assert_int_equal(rect.x, x);
    assert_int_equal(rect.y, y);
    assert_int_equal(rect.w, w);
    assert_int_equal(rect.h, h);
}

static void test_fill_is_half_open(void **state)
{
    (void)state;
    struct canvas *canvas = blank();
    canvas_fill(canvas, (struct rect){3, 5, 7, 2}, 0x123456);
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            assert_int_equal(pixel(canvas, x, y),
                             x >= 3 && x < 10 && y >= 5 && y < 7 ? 0x123456 : 0);
    canvas_fill(canvas, (struct rect){-100, 39, 1000, 1000}, 0xff);
    assert_int_equal(painted(canvas), 7 * 2 + W);
    canvas_fill(canvas, (struct rect){5, 5, 0, 9}, 0xff);
    canvas_fill(canvas, (struct rect){5, 5, -4, 9}, 0xff);
    canvas_fill(canvas, (struct rect){INT_MAX, INT_MAX, INT_MAX, INT_MAX}, 0xff);
    canvas_fill(canvas, (struct rect){INT_MIN, 0, INT_MAX, 1}, 0xff);
    canvas_fill(canvas, (struct rect){INT_MIN, 0, INT_MIN, 1}, 0xff);
    assert_int_equal(painted(canvas), 7 * 2 + W);
    canvas_destroy(canvas);
}

static void test_frame(void **state)
{
    (void)state;
    struct canvas *canvas = blank();
    canvas_frame(canvas, (struct rect){10, 10, 8, 6}, 2, 0xffffff);
    assert_int_equal(painted(canvas), 8 * 6 - 4 * 2);
    assert_rect(extent(canvas), 10, 10, 8, 6);
    wipe(canvas);
    canvas_frame(canvas, (struct rect){10, 10, 3, 3}, 2, 0xffffff);
    assert_int_equal(painted(canvas), 9);
    canvas_destroy(canvas);
}

static void test_blend(void **state)
{
    (void)state;
    struct canvas *canvas = blank();
    for (int alpha = 0; alpha < 256; alpha++) {
        canvas_fill(canvas, (struct rect){0, 0, W, H}, 0x204060);
        canvas_blend(canvas, (struct rect){1, 1, 1, 1}, 0xff8000, (uint8_t)alpha);
        uint32_t got = pixel(canvas, 1, 1);
        for (int i = 0; i < 24; i += 8) {
            int below = 0x204060 >> i & 255;
            int above = 0xff8000 >> i & 255;
            int expected = (below * (255 - alpha) + above * alpha + 127) / 255;
            assert_int_equal(got >> i & 255, expected);
        }
    }
    canvas_destroy(canvas);
}

enum { BANDS = 3 };

/* Columns with bands of any size, some of them empty, some beyond the foot. */
static void draw_columns(struct canvas *canvas, struct rect rect, bool by_fills)
{
    struct canvas_band *bands = calloc((size_t)rect.w * BANDS + 1, sizeof *bands);
    assert_non_null(bands);
    for (int i = 0; i < rect.w * BANDS; i++) {
        int above = i % BANDS ? bands[i - 1].end : 0;
        bands[i].end = above + (rand() % 3 ? rand() % (rect.h / 2 + 2) : 0);
        bands[i].colour = rand() % 4 ? (uint32_t)rand() & 0xffffff : CANVAS_KEEP;
    }
    if (!by_fills)
        canvas_columns(canvas, rect, bands, BANDS);
    for (int i = 0; i < rect.w * BANDS && by_fills; i++) {
        int top = i % BANDS ? bands[i - 1].end : 0;
        int end = bands[i].end < rect.h ? bands[i].end : rect.h;
        if (bands[i].colour != CANVAS_KEEP && end > top)
            canvas_fill(canvas, (struct rect){rect.x + i / BANDS, rect.y + top, 1, end - top},
                        bands[i].colour);
    }
    free(bands);
}

static void test_columns_are_fills(void **state)
{
    (void)state;
    struct canvas *columns = blank();
    struct canvas *fills = blank();
    for (unsigned i = 0; i < 300; i++) {
        struct rect rect = {rand() % W - 20, rand() % H - 20, rand() % W, rand() % H};
        wipe(columns);
        wipe(fills);
        srand(i);
        draw_columns(columns, rect, false);
        srand(i);
        draw_columns(fills, rect, true);
        assert_int_equal(canvas_hash(columns), canvas_hash(fills));
    }
    canvas_destroy(columns);
    canvas_destroy(fills);
}

/* Every primitive, with coordinates inside and far outside. */
static void draw_anything(struct canvas *canvas, int i)
{
    int wide = i % 7 == 0 ? 100000 : 90;
    int x = rand() % (2 * wide) - wide / 2;
    int y = rand() % (2 * wide) - wide / 2;
    int w = rand() % wide;
    int h = rand() % wide;
    struct rect rect = {x, y, w, h};
    const int points[8] = {16 * x, 16 * y, 16 * w, 7 * h, -3 * x, 16 * h, 5 * y, 16 * (y - h)};
    enum text_size size = (enum text_size)(rand() % TEXT_SIZE_COUNT);
    static const char words[] = "Warp \xe2\x86\x92 \xff\xc3 gjW#";
    uint32_t colour = (uint32_t)rand() & 0xffffff;
    const int steps[10] = {x, y, w, y, w, 16 * h, 7 * x, 16 * h, 7 * x, -3 * y};
    switch (i % 11) {
    case 0:
        canvas_fill(canvas, rect, colour);
        break;
    case 1:
        canvas_blend(canvas, rect, colour, (uint8_t)rand());
        break;
    case 2:
        canvas_frame(canvas, rect, rand() % 5, colour);
        break;
    case 3:
        canvas_hatch(canvas, rect, (enum canvas_hatch)(rand() % HATCH_COUNT), colour);
        break;
    case 4:
        canvas_polyline(canvas, points, (size_t)(rand() % 5), rand() % 64, colour);
        break;
    case 5:
        canvas_polygon(canvas, points, (size_t)(rand() % 5), colour);
        break;
    case 6:
        canvas_arrow(canvas, x, y, w, h, colour);
        break;
    case 7:
        canvas_text(canvas, x, y, size, colour, words);
        break;
    case 8:
        canvas_text_in(canvas, rect, size, (enum text_align)(rand() % 3), colour, words);
        canvas_paragraph(canvas, rect, size, colour, words, true);
        break;
    case 9:
        draw_columns(canvas, rect, false);
        break;
    case 10:
        canvas_polyline(canvas, steps, (size_t)(rand() % 6), rand() % 64, colour);
        break;
    }
}

/* Drawing with a clip gives the same pixels inside, and changes nothing outside. */
static void test_clip_cuts_out(void **state)
{
    (void)state;
    struct canvas *whole = blank();
    struct canvas *cut = blank();
    for (int i = 0; i < 3000; i++) {
        wipe(whole);
        wipe(cut);
        struct rect clip = {rand() % W - 5, rand() % H - 5, rand() % W, rand() % H};
        srand((unsigned)i);
        draw_anything(whole, i);
        srand((unsigned)i);
        struct rect saved = canvas_clip(cut, clip);
        draw_anything(cut, i);
        canvas_unclip(cut, saved);
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++)
                assert_int_equal(pixel(cut, x, y), rect_has(clip, x, y) ? pixel(whole, x, y) : 0);
    }
    canvas_destroy(whole);
    canvas_destroy(cut);
}

static void test_clips_nest(void **state)
{
    (void)state;
    struct canvas *canvas = blank();
    struct rect outer = canvas_clip(canvas, (struct rect){10, 10, 20, 20});
    struct rect inner = canvas_clip(canvas, (struct rect){0, 0, 15, 15});
    canvas_fill(canvas, (struct rect){0, 0, W, H}, 0xffffff);
    assert_rect(extent(canvas), 10, 10, 5, 5);
    canvas_unclip(canvas, inner);
    canvas_fill(canvas, (struct rect){0, 0, W, H}, 0xffffff);
    assert_rect(extent(canvas), 10, 10, 20, 20);
    canvas_unclip(canvas, outer);
    canvas_fill(canvas, (struct rect){0, 0, W, H}, 0xffffff);
    assert_int_equal(painted(canvas), W * H);
    canvas_destroy(canvas);
}

/* A texture leaves most of its ground free, differs from the others, and does not swim. */
static void test_hatches(void **state)
{
    (void)state;
    uint64_t seen[HATCH_COUNT];
    for (int i = 0; i < HATCH_COUNT; i++) {
        struct canvas *canvas = blank();
        canvas_hatch(canvas, (struct rect){0, 0, W, H}, (enum canvas_hatch)i, 0xffffff);
        seen[i] = canvas_hash(canvas);
        int share = painted(canvas) * 100 / (W * H);
        if (i == HATCH_NONE)
            assert_int_equal(share, 0);
        else
            assert_in_range(share, 5, 50);
        for (int k = 0; k < i; k++)
            assert_true(seen[k] != seen[i]);
        struct canvas *parts = blank();
        canvas_hatch(parts, (struct rect){0, 0, 17, H}, (enum canvas_hatch)i, 0xffffff);
        canvas_hatch(parts, (struct rect){17, 0, W - 17, H}, (enum canvas_hatch)i, 0xffffff);
        assert_true(canvas_hash(parts) == seen[i]);
        canvas_destroy(parts);
        canvas_destroy(canvas);
    }
}

/* A polygon along pixel borders is a rectangle; its area is right wherever it lies. */
static void test_polygon(void **state)
{
    (void)state;
    struct canvas *canvas = blank();
    const int box[] = {160, 80, 320, 80, 320, 240, 160, 240};
    canvas_polygon(canvas, box, 4, 0xffffff);
    assert_rect(extent(canvas), 10, 5, 10, 10);
    assert_int_equal(painted(canvas), 100);
    assert_int_equal(pixel(canvas, 12, 7), 0xffffff);
    srand(3);
    for (int i = 0; i < 300; i++) {
        int p[6];
        for (int k = 0; k < 3; k++) {
            p[2 * k] = 16 + rand() % (16 * (W - 2));
            p[2 * k + 1] = 16 + rand() % (16 * (H - 2));
        }
        wipe(canvas);
        canvas_polygon(canvas, p, 3, 0xffffff);
        double area = abs((p[2] - p[0]) * (p[5] - p[1]) - (p[4] - p[0]) * (p[3] - p[1])) / 512.0;
        double got = 0;
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++)
                got += (pixel(canvas, x, y) & 255) / 255.0;
        assert_true(fabs(got - area) <= 2 + area * 0.02);
    }
    canvas_destroy(canvas);
}

static void test_polyline(void **state)
{
    (void)state;
    struct canvas *canvas = blank();
    const int level[] = {10 * 16, 8 * 16 + 8, 50 * 16, 8 * 16 + 8};
    canvas_polyline(canvas, level, 2, 16, 0xffffff);
    for (int x = 11; x < 49; x++) {
        assert_int_equal(pixel(canvas, x, 8), 0xffffff);
        assert_int_equal(pixel(canvas, x, 7), 0);
        assert_int_equal(pixel(canvas, x, 9), 0);
    }
    canvas_destroy(canvas);
    /* A line of more pieces than are painted at once has no gaps. */
    int points[400];
    for (int i = 0; i < 200; i++) {
        points[2 * i] = 16 * 5 + i * 4;
        points[2 * i + 1] = 16 * 20 + 8;
    }
    canvas = blank();
    canvas_polyline(canvas, points, 200, 32, 0xffffff);
    for (int x = 6; x < 54; x++)
        assert_int_equal(pixel(canvas, x, 20), 0xffffff);
    canvas_polyline(canvas, points, 1, 32, 0xffffff);
    canvas_polyline(canvas, points, 0, 32, 0xffffff);
    canvas_destroy(canvas);
}

static void test_arrow(void **state)
{
    (void)state;
    struct canvas *canvas = blank();
    canvas_arrow(canvas, 5, 20, 45, 20, 0xffffff);
    struct rect all = extent(canvas);
    assert_in_range(all.x, 3, 5);
    assert_in_range(all.x + all.w, 44, 47);
    assert_true(all.h > 4 && all.h < 12);
    canvas_arrow(canvas, 9, 9, 9, 9, 0xffffff);
    canvas_destroy(canvas);
}

static void expect_distinct_glyphs(struct canvas *canvas, enum text_size size)
{
    const struct metrics *m = canvas_metrics(canvas);
    uint64_t seen[128] = {0};
    for (int c = '!'; c < 127; c++) {
        const char text[2] = {(char)c, 0};
        wipe(canvas);
        assert_int_equal(canvas_text(canvas, 0, 0, size, 0xffffff, text), m->advance[size]);
        assert_true(painted(canvas) > 0);
        for (int y = 0; y < canvas_height(canvas); y++)
            for (int x = 0; x < W; x++)
                if (x >= m->advance[size] || y >= m->line[size])
                    assert_int_equal(pixel(canvas, x, y), 0);
        seen[c] = canvas_hash(canvas);
        for (int k = '!'; k < c; k++)
            if (seen[k] == seen[c])
                fail_msg("%c and %c look the same", k, c);
    }
}

/* Every printable ASCII character has a shape of its own, inside its cell. */
static void test_glyphs(void **state)
{
    (void)state;
    for (int scale = 100; scale <= 250; scale += 50) {
        struct canvas *canvas = canvas_create(W, H + 40, scale);
        for (int size = 0; size < TEXT_SIZE_COUNT; size++)
            expect_distinct_glyphs(canvas, (enum text_size)size);
        canvas_destroy(canvas);
    }
}

/* Chinese, Japanese and Korean characters are two columns wide, with a font of theirs or not. */
static void test_wide_text(void **state)
{
    (void)state;
    struct canvas *canvas = blank();
    const int one = canvas_metrics(canvas)->advance[TEXT_NORMAL];
    static const char warp[] = "\xe7\xba\xbf\xe7\xa8\x8b\xe6\x9d\x9f"; /* 3 characters */
    assert_int_equal(text_width(canvas_metrics(canvas), TEXT_NORMAL, warp), 6 * one);
    assert_int_equal(canvas_text(canvas, 0, 0, TEXT_NORMAL, 0xffffff, warp), 6 * one);
    assert_true(painted(canvas) > 0);
    wipe(canvas);
    /* Room for five columns: two characters and the ellipsis. A paragraph has two of them a line.
     */
    const struct rect room = {0, 0, 5 * one, 2 * canvas_metrics(canvas)->line[TEXT_NORMAL]};
    assert_int_equal(canvas_text_in(canvas, room, TEXT_NORMAL, ALIGN_LEFT, 0xffffff, warp),
                     5 * one);
    assert_int_equal(canvas_paragraph(canvas, room, TEXT_NORMAL, 0xffffff, warp, true), room.h);
    assert_true(extent(canvas).w <= 5 * one);
    canvas_destroy(canvas);
}

static uint64_t hash_of_text(void)
{
    struct canvas *canvas = blank();
    (void)canvas_text(canvas, 0, 0, TEXT_NORMAL, 0xffffff, "Rag");
    const uint64_t hash = canvas_hash(canvas);
    canvas_destroy(canvas);
    return hash;
}

/* Runs last: outline fonts stay off. The own font is there without them, and is another one. */
static void test_own_font(void **state)
{
    (void)state;
    uint8_t cell[12 * 24] = {0};
    const bool outlines = outline_draw('R', 1, 12, 24, cell);
    const uint64_t before = hash_of_text();
    outline_disable();
    assert_false(outline_draw('R', 1, 12, 24, cell));
    assert_int_equal(hash_of_text() != before, outlines);
    test_glyphs(state);
    test_wide_text(state);
}

static void test_text_is_utf8(void **state)
{
    (void)state;
    struct metrics m = metrics_of(100);
    int one = m.advance[TEXT_NORMAL];
    assert_int_equal(text_width(&m, TEXT_NORMAL, ""), 0);
    assert_int_equal(text_width(&m, TEXT_NORMAL, "abc"), 3 * one);
    assert_int_equal(text_width(&m, TEXT_NORMAL, "\xe2\x86\x92x"), 2 * one); /* an arrow */
    assert_int_equal(text_width(&m, TEXT_NORMAL, "\xf0\x9f\x98\x80"), one);
    /* Damage is at least one character and never reads past the end. */
    static const char *const damaged[] = {"\xff",         "\xc3",         "\xe2\x86",
                                          "\xf0\x9f\x98", "\x80\x80\x80", "a\xc3"};
    for (size_t i = 0; i < sizeof damaged / sizeof damaged[0]; i++) {
        char *exact = strdup(damaged[i]);
        int width = text_width(&m, TEXT_NORMAL, exact);
        assert_in_range(width, one, (int)strlen(exact) * one);
        free(exact);
    }
}

static void test_text_in(void **state)
{
    (void)state;
    static const struct {
        enum text_align align;
        int w, shown, left;
    } cases[] = {
        {ALIGN_LEFT, 50, 3, 0},  {ALIGN_RIGHT, 50, 3, 50 - 21}, {ALIGN_CENTRE, 50, 3, 14},
        {ALIGN_LEFT, 20, 2, 0},  {ALIGN_LEFT, 7, 1, 0},         {ALIGN_RIGHT, 6, 0, 0},
        {ALIGN_LEFT, -10, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct canvas *canvas = blank();
        struct rect rect = {0, 0, cases[i].w, 20};
        int width = canvas_text_in(canvas, rect, TEXT_NORMAL, cases[i].align, 0xffffff, "WWW");
        assert_int_equal(width, cases[i].shown * 7);
        struct rect all = extent(canvas);
        if (width) {
            assert_in_range(all.x, cases[i].left, cases[i].left + 3);
            assert_true(all.x + all.w <= cases[i].w);
        } else {
            assert_int_equal(painted(canvas), 0);
        }
        canvas_destroy(canvas);
    }
}

static int lines_of(const char *text, int characters)
{
    struct canvas *canvas = blank();
    struct rect rect = {0, 0, characters * 7, 20};
    int height = canvas_paragraph(canvas, rect, TEXT_NORMAL, 0xffffff, text, false);
    assert_int_equal(painted(canvas), 0);
    assert_int_equal(canvas_paragraph(canvas, rect, TEXT_NORMAL, 0xffffff, text, true), height);
    canvas_destroy(canvas);
    assert_int_equal(height % 15, 0);
    return height / 15;
}

static void test_paragraph(void **state)
{
    (void)state;
    assert_int_equal(lines_of("", 10), 0);
    assert_int_equal(lines_of("one two", 10), 1);
    assert_int_equal(lines_of("one two", 7), 1);
    assert_int_equal(lines_of("one two", 6), 2);
    assert_int_equal(lines_of("one two", 3), 2);
    assert_int_equal(lines_of("one\ntwo", 10), 2);
    assert_int_equal(lines_of("a 21 % b", 4), 3); /* not "a 21" and "% b" */
    assert_int_equal(lines_of("one\n\ntwo", 10), 3);
    assert_int_equal(lines_of("abcdefghij", 4), 3);
    assert_int_equal(lines_of("a", 0), 1);
    assert_int_equal(lines_of("\xe2\x86\x92\xe2\x86\x92\xe2\x86\x92", 2), 2);
}

/* No word is cut that has room, and no line is wider than the rectangle. */
static void test_paragraph_keeps_words(void **state)
{
    (void)state;
    struct canvas *canvas = blank();
    struct rect rect = {0, 0, 5 * 7, H};
    canvas_paragraph(canvas, rect, TEXT_NORMAL, 0xffffff, "ab WWW WW", true);
    struct rect all = extent(canvas);
    assert_true(all.x + all.w <= rect.w);
    struct canvas *other = blank();
    canvas_text(other, 0, 0, TEXT_NORMAL, 0xffffff, "ab");
    canvas_text(other, 0, 15, TEXT_NORMAL, 0xffffff, "WWW");
    canvas_text(other, 0, 30, TEXT_NORMAL, 0xffffff, "WW");
    assert_true(canvas_hash(canvas) == canvas_hash(other));
    canvas_destroy(other);
    canvas_destroy(canvas);
}

static void test_resize(void **state)
{
    (void)state;
    struct canvas *canvas = blank();
    uint64_t small = canvas_hash(canvas);
    canvas_fill(canvas, (struct rect){0, 0, W, H}, 0xffffff);
    (void)canvas_clip(canvas, (struct rect){0, 0, 1, 1});
    assert_true(canvas_resize(canvas, 100, 90, 200));
    assert_int_equal(canvas_width(canvas), 100);
    assert_int_equal(canvas_height(canvas), 90);
    assert_int_equal(canvas_metrics(canvas)->scale, 200);
    assert_int_equal(painted(canvas), 0);
    canvas_fill(canvas, (struct rect){0, 0, 100, 90}, 0xffffff);
    assert_int_equal(painted(canvas), 100 * 90); /* the clip is that of the new size */
    assert_true(canvas_resize(canvas, W, H, 100));
    assert_true(canvas_hash(canvas) == small);
    assert_true(canvas_resize(canvas, H, W, 100));
    assert_true(canvas_hash(canvas) != small); /* the same pixels of another shape */
    canvas_destroy(canvas);
    canvas_destroy(NULL);
}

static void test_rects(void **state)
{
    (void)state;
    struct rect rect = {10, 20, 30, 40};
    assert_rect(rect_cut_top(&rect, 5), 10, 20, 30, 5);
    assert_rect(rect_cut_bottom(&rect, 5), 10, 55, 30, 5);
    assert_rect(rect_cut_left(&rect, 4), 10, 25, 4, 30);
    assert_rect(rect_cut_right(&rect, 4), 36, 25, 4, 30);
    assert_rect(rect, 14, 25, 22, 30);
    assert_rect(rect_inset(rect, 3), 17, 28, 16, 24);
    assert_rect(rect_inset(rect, 100), 114, 125, 0, 0);
    assert_rect(rect_cut_top(&rect, 1000), 14, 25, 22, 30);
    assert_rect(rect_cut_left(&rect, -7), 14, 55, 0, 0);
    assert_rect(rect, 14, 55, 22, 0);
    assert_true(rect_has((struct rect){1, 1, 2, 2}, 2, 2));
    assert_false(rect_has((struct rect){1, 1, 2, 2}, 3, 2));
}

static void test_mix(void **state)
{
    (void)state;
    assert_int_equal(colour_mix(0x102030, 0xf0e0d0, 0), 0x102030);
    assert_int_equal(colour_mix(0x102030, 0xf0e0d0, 100), 0xf0e0d0);
    assert_int_equal(colour_mix(0x000000, 0xc86400, 50), 0x643200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fill_is_half_open),
        cmocka_unit_test(test_frame),
        cmocka_unit_test(test_blend),
        cmocka_unit_test(test_clip_cuts_out),
        cmocka_unit_test(test_clips_nest),
        cmocka_unit_test(test_hatches),
        cmocka_unit_test(test_polygon),
        cmocka_unit_test(test_polyline),
        cmocka_unit_test(test_arrow),
        cmocka_unit_test(test_glyphs),
        cmocka_unit_test(test_text_is_utf8),
        cmocka_unit_test(test_text_in),
        cmocka_unit_test(test_paragraph),
        cmocka_unit_test(test_paragraph_keeps_words),
        cmocka_unit_test(test_columns_are_fills),
        cmocka_unit_test(test_resize),
        cmocka_unit_test(test_rects),
        cmocka_unit_test(test_mix),
        cmocka_unit_test(test_wide_text),
        cmocka_unit_test(test_own_font),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
