/*
 * Pictures as SVG: well-formed whatever is drawn, and the same picture as the pixels. A small
 * reader of its own parses the elements and paints the rectangles, inside the clips that hold them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "canvas/canvas.h"

enum { W = 80, H = 50, MOST_DEPTH = 16, MOST_CLIPS = 4096 };

struct picture {
    char *text;
    size_t size;
};

static struct picture svg_of(struct canvas *canvas)
{
    struct picture picture = {0};
    struct simsm_error error;
    FILE *file = open_memstream(&picture.text, &picture.size);
    assert_int_equal(canvas_write_svg(canvas, file, &error), SIMSM_OK);
    assert_int_equal(fclose(file), 0);
    return picture;
}

/* ---- A strict reader of the XML that is written ---- */

struct element {
    char name[32];
    char attributes[4096]; /* as they stand */
    bool opens, closes;    /* <g>, </g>; both: <rect/> */
};

static void expect_entities(const char *text, size_t size)
{
    static const char *const known[] = {"&lt;", "&gt;", "&amp;", "&quot;"};
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)text[i];
        bool good = c >= ' ' || c == '\n';
        for (size_t k = 0; c == '&' && k < 5; k++) {
            if (k == 4)
                good = false;
            else if (strncmp(text + i, known[k], strlen(known[k])) == 0)
                break;
        }
        if (!good || c == '<' || c == '>')
            fail_msg("not allowed in XML text: \"%.20s\"", text + i);
    }
}

/* Valid UTF-8 without what XML 1.0 excludes. */
static void expect_utf8(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    while (*at) {
        int more = *at < 0x80 ? 0 : *at >= 0xf0 ? 3 : *at >= 0xe0 ? 2 : *at >= 0xc2 ? 1 : -1;
        uint32_t code = more == 3 ? *at & 7u : more == 2 ? *at & 15u : more == 1 ? *at & 31u : *at;
        assert_true(more >= 0);
        at++;
        for (int i = 0; i < more; i++, at++) {
            assert_int_equal(*at & 0xc0, 0x80);
            code = code << 6 | (*at & 63u);
        }
        static const uint32_t least[4] = {0, 0x80, 0x800, 0x10000};
        assert_true(code >= least[more] && code <= 0x10ffff);
        assert_false(code >= 0xd800 && code <= 0xdfff);
        assert_false(code == 0xfffe || code == 0xffff);
    }
}

/* Reads the element at `*at`, which is '<'; leaves `*at` behind it. */
static struct element read_element(const char **at)
{
    struct element element = {.opens = true};
    const char *from = *at + 1;
    if (*from == '/') {
        element.opens = false;
        element.closes = true;
        from++;
    }
    size_t length = strspn(from, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    assert_in_range(length, 1, sizeof element.name - 1);
    memcpy(element.name, from, length);
    const char *end = from + length;
    while (*end && *end != '>' && *end != '/') { /* name="value" */
        assert_true(*end == ' ');
        const char *equals = strchr(end, '=');
        assert_non_null(equals);
        assert_true(equals[1] == '"');
        const char *close = strchr(equals + 2, '"');
        assert_non_null(close);
        expect_entities(equals + 2, (size_t)(close - equals - 2));
        end = close + 1;
    }
    assert_true((size_t)(end - from) < sizeof element.attributes);
    memcpy(element.attributes, from, (size_t)(end - from));
    if (*end == '/') {
        element.closes = true;
        end++;
    }
    assert_true(*end == '>');
    *at = end + 1;
    return element;
}

static bool attribute(const struct element *element, const char *name, char value[256])
{
    char key[64];
    (void)snprintf(key, sizeof key, " %s=\"", name);
    const char *at = strstr(element->attributes, key);
    if (!at)
        return false;
    at += strlen(key);
    (void)snprintf(value, 256, "%.*s", (int)strcspn(at, "\""), at);
    return true;
}

static int number(const struct element *element, const char *name)
{
    char value[256];
    assert_true(attribute(element, name, value));
    return atoi(value);
}

/* ---- Painting what was read ---- */

struct painter {
    struct canvas *canvas;
    struct rect clips[MOST_CLIPS];
    int clip_count;
    struct rect saved[MOST_DEPTH];
    char open[MOST_DEPTH][32];
    int depth;
    int patterns, texts, in_definition;
};

static struct rect rect_of(const struct element *element)
{
    return (struct rect){number(element, "x"), number(element, "y"), number(element, "width"),
                         number(element, "height")};
}

static void paint_rect(struct painter *painter, const struct element *element)
{
    char fill[256], opacity[256];
    if (painter->in_definition) {
        assert_int_equal(painter->clip_count < MOST_CLIPS, 1);
        painter->clips[painter->clip_count++] = rect_of(element);
        return;
    }
    assert_true(attribute(element, "fill", fill));
    if (fill[0] != '#')
        return; /* a texture */
    uint32_t colour = (uint32_t)strtoul(fill + 1, NULL, 16);
    double alpha = attribute(element, "fill-opacity", opacity) ? strtod(opacity, NULL) : 1;
    canvas_blend(painter->canvas, rect_of(element), colour, (uint8_t)(alpha * 255 + 0.5));
}

static void open_element(struct painter *painter, const struct element *element)
{
    char value[256];
    if (strcmp(element->name, "rect") == 0)
        paint_rect(painter, element);
    painter->texts += strcmp(element->name, "text") == 0;
    painter->patterns += strcmp(element->name, "pattern") == 0;
    if (element->closes)
        return;
    assert_true(painter->depth < MOST_DEPTH);
    memcpy(painter->open[painter->depth], element->name, sizeof element->name);
    struct rect clip = {0, 0, W, H};
    if (attribute(element, "clip-path", value)) {
        int id = atoi(value + strlen("url(#c"));
        assert_in_range(id, 0, painter->clip_count - 1);
        clip = painter->clips[id];
    }
    painter->saved[painter->depth++] = canvas_clip(painter->canvas, clip);
    painter->in_definition += strcmp(element->name, "clipPath") == 0;
}

static void close_element(struct painter *painter, const struct element *element)
{
    assert_true(painter->depth > 0);
    assert_string_equal(element->name, painter->open[--painter->depth]);
    canvas_unclip(painter->canvas, painter->saved[painter->depth]);
    painter->in_definition -= strcmp(element->name, "clipPath") == 0;
}

/* Checks the whole text, and paints its rectangles on the painter's canvas. */
static void read_svg(struct painter *painter, const char *text)
{
    expect_utf8(text);
    while (*text) {
        const char *next = text + strcspn(text, "<");
        expect_entities(text, (size_t)(next - text));
        if (!*next)
            break;
        struct element element = read_element(&next);
        if (element.opens)
            open_element(painter, &element);
        else
            close_element(painter, &element);
        text = next;
    }
    assert_int_equal(painter->depth, 0);
}

static struct painter painted(struct canvas *svg)
{
    struct painter painter = {.canvas = canvas_create(W, H, 100)};
    struct picture picture = svg_of(svg);
    assert_int_equal(strncmp(picture.text, "<svg xmlns=\"http://www.w3.org/2000/svg\"", 39), 0);
    read_svg(&painter, picture.text);
    free(picture.text);
    return painter;
}

/* ---- Tests ---- */

static uint32_t pixel(const struct canvas *canvas, int x, int y)
{
    int stride;
    const uint32_t *pixels = canvas_pixels(canvas, &stride);
    return pixels[(size_t)y * (size_t)stride + (size_t)x];
}

static void expect_same(const struct canvas *one, const struct canvas *other)
{
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            if (pixel(one, x, y) != pixel(other, x, y))
                fail_msg("at %d, %d: #%08x, not #%08x", x, y, (unsigned)pixel(other, x, y),
                         (unsigned)pixel(one, x, y));
}

/* Draws columns of two bands that end at each third of the height, some of them with equal
 * neighbours. */
static void draw_columns(struct canvas *canvas, struct rect rect, uint32_t colour)
{
    struct canvas_band bands[2 * 40];
    for (int i = 0; i < rect.w; i++) {
        bands[2 * i] = (struct canvas_band){rect.h * (i / 5 % 4) / 3, CANVAS_KEEP};
        bands[2 * i + 1] = (struct canvas_band){rect.h * (i / 4 % 5) / 4, colour};
    }
    canvas_columns(canvas, rect, bands, 2);
}

/* Rectangles in clips, with texts between them, which have groups of their own. */
static void draw_things(struct canvas *canvas, unsigned seed)
{
    srand(seed);
    for (int i = 0; i < 40; i++) {
        struct rect clip = {rand() % W - 9, rand() % H - 9, rand() % W, rand() % H};
        struct rect saved = canvas_clip(canvas, clip);
        struct rect rect = {rand() % W - 9, rand() % H - 9, rand() % 40, rand() % 30};
        uint32_t colour = (uint32_t)rand() % 3 * 0x30405;
        int what = rand() % 7;
        if (what < 2)
            canvas_fill(canvas, rect, colour);
        else if (what == 2)
            canvas_frame(canvas, rect, 1 + rand() % 3, colour);
        else if (what == 3)
            canvas_blend(canvas, rect, colour, (uint8_t)rand());
        else if (what == 6)
            draw_columns(canvas, rect, colour);
        else
            canvas_text(canvas, rect.x, rect.y, TEXT_NORMAL, 0, " ");
        canvas_unclip(canvas, saved);
        if (what == 5) /* beside the clip of the text before it */
            canvas_fill(canvas, rect, colour);
    }
}

static void test_same_rectangles_as_pixels(void **state)
{
    (void)state;
    struct canvas *svg = canvas_create_svg(W, H, 100);
    struct canvas *pixels = canvas_create(W, H, 100);
    for (unsigned seed = 0; seed < 60; seed++) {
        assert_true(canvas_resize(svg, W, H, 100));
        assert_true(canvas_resize(pixels, W, H, 100));
        draw_things(svg, seed);
        draw_things(pixels, seed);
        struct painter painter = painted(svg);
        expect_same(pixels, painter.canvas);
        canvas_destroy(painter.canvas);
    }
    canvas_destroy(pixels);
    canvas_destroy(svg);
}

/* A row of a timeline is one element for each colour, not one for each pixel. */
static void test_equal_neighbours_are_one(void **state)
{
    (void)state;
    struct canvas *svg = canvas_create_svg(W, H, 100);
    for (int x = 0; x < W; x++)
        canvas_fill(svg, (struct rect){x, 3, 1, 8}, x < 50 ? 0xff0000 : 0x00ff00);
    struct picture picture = svg_of(svg);
    int count = 0;
    for (const char *at = picture.text; (at = strstr(at, "<rect")); at++)
        count++;
    assert_int_equal(count, 2);
    assert_non_null(strstr(picture.text,
                           "<rect x=\"50\" y=\"3\" width=\"30\" height=\"8\" fill=\"#00ff00\"/>"));
    free(picture.text);
    assert_true(canvas_resize(svg, W, H, 100));
    struct canvas_band bands[W];
    for (int x = 0; x < W; x++)
        bands[x] = (struct canvas_band){x / 20, 0xff0000};
    canvas_columns(svg, (struct rect){0, 0, W, 9}, bands, 1);
    picture = svg_of(svg);
    count = 0;
    for (const char *at = picture.text; (at = strstr(at, "<rect")); at++)
        count++;
    assert_int_equal(count, W / 20 - 1);
    free(picture.text);
    canvas_destroy(svg);
}

static void expect_text(const char *text, const char *written)
{
    struct canvas *svg = canvas_create_svg(W, H, 100);
    canvas_text(svg, 7, 9, TEXT_NORMAL, 0xabcdef, text);
    struct painter painter = painted(svg);
    assert_int_equal(painter.texts, 1);
    struct picture picture = svg_of(svg);
    const char *at = strstr(picture.text, "<text x=\"7\"");
    assert_non_null(at);
    assert_non_null(strstr(at, "fill=\"#abcdef\""));
    const char *inside = strchr(at, '>') + 1;
    const char *end = strstr(inside, "</text>");
    assert_non_null(end);
    assert_int_equal(end - inside, strlen(written));
    assert_memory_equal(inside, written, strlen(written));
    free(picture.text);
    canvas_destroy(painter.canvas);
    canvas_destroy(svg);
}

/* Names in a file can be anything. */
static void test_hostile_text(void **state)
{
    (void)state;
    expect_text("plain  text", "plain  text");
    expect_text("a<b>&amp;\"'", "a&lt;b&gt;&amp;amp;\"'");
    expect_text("]]></svg>", "]]&gt;&lt;/svg&gt;");
    expect_text("\x01\x1b[2J\x7f", "??[2J\x7f");
    expect_text("(\xff)\xc3(", "(?)?(");
    expect_text("\xef\xbf\xbf|\xed\xa0\x80", "?|?");
    expect_text("a\xc0\x80z\xf7\xbf\xbf\xbf", "a?z?");
    expect_text("\xe2\x86\x92\xce\xbc", "\xe2\x86\x92\xce\xbc");
}

static void test_textures_are_defined(void **state)
{
    (void)state;
    struct canvas *svg = canvas_create_svg(W, H, 100);
    for (uint32_t i = 0; i < 60; i++)
        canvas_hatch(svg, (struct rect){(int)i, 0, 1, 9}, (enum canvas_hatch)(1 + i % 5), i / 10);
    struct picture picture = svg_of(svg);
    for (const char *at = picture.text; (at = strstr(at, "fill=\"url(#h")); at++) {
        char id[64];
        size_t length = strcspn(at + 11, ")");
        (void)snprintf(id, sizeof id, "<pattern id=\"%.*s\"", (int)length, at + 11);
        const char *definition = strstr(picture.text, id);
        assert_non_null(definition);
        assert_true(definition < at);
    }
    struct painter painter = painted(svg);
    assert_int_equal(painter.patterns, 5 * 6); /* each texture in each colour once */
    free(picture.text);
    canvas_destroy(painter.canvas);
    canvas_destroy(svg);
}

/* A texture keeps its colour however many there are. */
static void test_many_textures(void **state)
{
    (void)state;
    struct canvas *svg = canvas_create_svg(W, H, 100);
    for (uint32_t i = 0; i < 40; i++)
        canvas_hatch(svg, (struct rect){(int)i, 0, 1, 9}, HATCH_DOTS, 0x010203 * i);
    struct picture picture = svg_of(svg);
    for (uint32_t i = 0; i < 40; i++) {
        char text[64];
        (void)snprintf(text, sizeof text, "<rect x=\"%u\" y=\"0\"", i);
        const char *rect = strstr(picture.text, text);
        assert_non_null(rect);
        const char *id = strstr(rect, "url(#") + 5;
        (void)snprintf(text, sizeof text, "id=\"%.*s\"", (int)strcspn(id, ")"), id);
        const char *definition = strstr(picture.text, text);
        assert_non_null(definition);
        (void)snprintf(text, sizeof text, "stroke=\"#%06x\"", (unsigned)(0x010203 * i));
        const char *stroke = strstr(definition, "stroke=");
        assert_non_null(stroke);
        assert_int_equal(strncmp(stroke, text, strlen(text)), 0);
    }
    free(picture.text);
    canvas_destroy(svg);
}

static void test_lines_and_polygons(void **state)
{
    (void)state;
    struct canvas *svg = canvas_create_svg(W, H, 100);
    const int points[] = {16, 32, 40, 8, -16, 0};
    canvas_polyline(svg, points, 3, 24, 0x0a0b0c);
    canvas_polygon(svg, points, 3, 0x0d0e0f);
    canvas_arrow(svg, 1, 2, 30, 40, 0xff0000);
    struct picture picture = svg_of(svg);
    assert_non_null(strstr(picture.text, "points=\"1,2 2.5,0.5 -1,0\" stroke=\"#0a0b0c\" "
                                         "stroke-width=\"1.5\"/>"));
    assert_non_null(
        strstr(picture.text, "<polygon points=\"1,2 2.5,0.5 -1,0\" fill=\"#0d0e0f\"/>"));
    struct painter painter = painted(svg);
    free(picture.text);
    canvas_destroy(painter.canvas);
    canvas_destroy(svg);
}

/* Written twice it is the same, and nothing is left of it behind a change of size. */
static void test_written_again(void **state)
{
    (void)state;
    struct canvas *svg = canvas_create_svg(W, H, 100);
    struct picture empty = svg_of(svg);
    canvas_text(svg, 1, 1, TEXT_SMALL, 0, "a");
    canvas_fill(svg, (struct rect){1, 2, 3, 4}, 5);
    struct picture first = svg_of(svg);
    struct picture second = svg_of(svg);
    assert_string_equal(first.text, second.text);
    assert_true(first.size > empty.size);
    assert_true(canvas_resize(svg, W, H, 100));
    struct picture wiped = svg_of(svg);
    assert_string_equal(wiped.text, empty.text);
    free(empty.text);
    free(first.text);
    free(second.text);
    free(wiped.text);
    canvas_destroy(svg);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_rectangles_as_pixels),
        cmocka_unit_test(test_equal_neighbours_are_one),
        cmocka_unit_test(test_hostile_text),
        cmocka_unit_test(test_textures_are_defined),
        cmocka_unit_test(test_many_textures),
        cmocka_unit_test(test_lines_and_polygons),
        cmocka_unit_test(test_written_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
