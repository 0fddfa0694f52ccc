/* The parts of the viewer in a terminal: what keys are, what is drawn, what is sent. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "simsm/names.h"
#include "tui/keys.h"
#include "tui/paint.h"
#include "tui/tui_plot.h"

/* ---- Keys ---- */

static void keys_have_names(void **state)
{
    (void)state;
    static const struct {
        const char *bytes, *key, *text;
    } keys[] = {
        {"a", "a", "a"},
        {"N", "shift+n", "N"},
        {" ", "space", " "},
        {"?", "?", "?"},
        {"\r", "return", ""},
        {"\t", "tab", ""},
        {"\033[Z", "shift+tab", ""},
        {"\177", "backspace", ""},
        {"\b", "backspace", ""},
        {"\003", "ctrl+c", ""},
        {"\032", "ctrl+z", ""},
        {"\033[A", "up", ""},
        {"\033OB", "down", ""},
        {"\033[1;5D", "ctrl+left", ""},
        {"\033[1;6C", "ctrl+shift+right", ""},
        {"\033[1;3A", "alt+up", ""},
        {"\033\033[A", "alt+up", ""},
        {"\033[5~", "pageup", ""},
        {"\033[6~", "pagedown", ""},
        {"\033[H", "home", ""},
        {"\033[1~", "home", ""},
        {"\033OP", "f1", ""},
        {"\033[[A", "f1", ""},
        {"\033[11~", "f1", ""},
        {"\033x", "alt+x", ""},
        {"\xc3\xa9", "\xc3\xa9", "\xc3\xa9"},
    };
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        struct tui_input input;
        size_t length = strlen(keys[i].bytes);
        assert_int_equal(input_next(keys[i].bytes, length, false, &input), length);
        assert_int_equal(input.kind, INPUT_KEY);
        assert_string_equal(input.key, keys[i].key);
        assert_string_equal(input.text, keys[i].text);
        /* Until it is whole there is nothing, unless no more comes. */
        for (size_t part = 1; part < length; part++)
            assert_int_equal(input_next(keys[i].bytes, part, false, &input), 0);
    }
}

static void escape_alone_is_a_key_in_time(void **state)
{
    (void)state;
    struct tui_input input;
    assert_int_equal(input_next("\033", 1, false, &input), 0);
    assert_int_equal(input_next("\033", 1, true, &input), 1);
    assert_string_equal(input.key, "escape");
    assert_int_equal(input_next("\033\033", 2, true, &input), 1);
    assert_string_equal(input.key, "escape");
}

static void mouse_is_understood(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        enum input_kind kind;
        int x, y, clicks;
        bool shift, ctrl;
    } events[] = {
        {"\033[<0;10;5M", INPUT_PRESS, 9, 4, 0, false, false},
        {"\033[<0;10;5m", INPUT_RELEASE, 9, 4, 0, false, false},
        {"\033[<32;300;200M", INPUT_MOVE, 299, 199, 0, false, false},
        {"\033[<35;1;1M", INPUT_MOVE, 0, 0, 0, false, false},
        {"\033[<64;2;3M", INPUT_WHEEL, 1, 2, 1, false, false},
        {"\033[<65;2;3M", INPUT_WHEEL, 1, 2, -1, false, false},
        {"\033[<68;2;3M", INPUT_WHEEL, 1, 2, 1, true, false},
        {"\033[<81;2;3M", INPUT_WHEEL, 1, 2, -1, false, true},
        {"\033[<67;2;3M", INPUT_WHEEL, 1, 2, -1, true, false},
        {"\033[<2;2;3M", INPUT_NOTHING, 1, 2, 0, false, false},
        {"\033[<0;0;3M", INPUT_NOTHING, 0, 0, 0, false, false},
        {"\033[<0;3M", INPUT_NOTHING, 0, 0, 0, false, false},
    };
    for (size_t i = 0; i < sizeof events / sizeof events[0]; i++) {
        struct tui_input input;
        size_t length = strlen(events[i].bytes);
        assert_int_equal(input_next(events[i].bytes, length, false, &input), length);
        assert_int_equal(input.kind, events[i].kind);
        assert_int_equal(input.x, events[i].x);
        assert_int_equal(input.y, events[i].y);
        assert_int_equal(input.clicks, events[i].clicks);
        assert_int_equal(input.shift, events[i].shift);
        assert_int_equal(input.ctrl, events[i].ctrl);
    }
}

/* Whatever comes, all of it is used in the end and nothing beyond it is read. */
static void any_bytes_are_used_up(void **state)
{
    (void)state;
    static const char alphabet[] = "\033[O<;0159~MmAZ\200\303\351\360a\177";
    uint32_t seed = 1;
    for (int round = 0; round < 20000; round++) {
        size_t count = 1 + (size_t)round % 40;
        char *bytes = malloc(count);
        size_t at = 0;
        assert_non_null(bytes);
        for (size_t i = 0; i < count; i++) {
            seed = seed * 1664525u + 1013904223u;
            bytes[i] = alphabet[(seed >> 16) % (sizeof alphabet - 1)];
        }
        while (at < count) {
            struct tui_input input;
            size_t used = input_next(bytes + at, count - at, true, &input);
            assert_in_range(used, 1, count - at);
            assert_non_null(memchr(input.key, '\0', sizeof input.key));
            at += used;
        }
        free(bytes);
    }
}

/* ---- The grid, and what is sent of it ---- */

static void text_stays_in_its_place(void **state)
{
    (void)state;
    struct grid grid = {.colour = true};
    assert_true(grid_resize(&grid, 10, 3));
    grid_fill(&grid, (struct rect){-5, -5, 100, 100}, 0x102030);
    assert_int_equal(grid_text(&grid, (struct rect){2, 1, 4, 1}, ALIGN_LEFT, 1, "abcdef"), 4);
    assert_int_equal(grid.cells[12].sign, 'a');
    assert_int_equal(grid.cells[15].sign, 0x2026);
    assert_int_equal(grid.cells[16].sign, ' ');
    assert_int_equal(grid.cells[12].bg, 0x102030);
    /* Characters that terminals show in two columns, or not at all, would shift the rest of a
     * line. */
    grid_text(&grid, (struct rect){0, 0, 10, 1}, ALIGN_LEFT, 1, "\xe4\xb8\xad\033[2J\xff");
    assert_int_equal(grid.cells[0].sign, '?');
    assert_int_equal(grid.cells[1].sign, '?');
    assert_int_equal(grid.cells[2].sign, '[');
    assert_int_equal(grid_paragraph(&grid, (struct rect){0, 2, 5, 1}, 1, "one two three", true), 3);
    struct rect saved = grid_clip(&grid, (struct rect){3, 0, 2, 1});
    grid_fill(&grid, (struct rect){0, 0, 10, 3}, 0xff);
    grid_unclip(&grid, saved);
    assert_int_equal(grid.cells[2].bg, 0x102030);
    assert_int_equal(grid.cells[3].bg, 0xff);
    assert_int_equal(grid.cells[5].bg, 0x102030);
    grid.ascii = true;
    for (uint32_t sign = 0; sign < 0x3000; sign++)
        assert_in_range(grid_sign(&grid, sign), ' ', 126);
    grid_free(&grid);
}

static char *painted(struct tui_painter *painter, const struct grid *grid)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    assert_true(paint(painter, grid, file));
    (void)fclose(file);
    return text;
}

static void only_changes_are_sent(void **state)
{
    (void)state;
    struct grid grid = {.colour = true};
    struct tui_painter painter = {.colours = COLOURS_TRUE};
    assert_true(grid_resize(&grid, 4, 2));
    grid_fill(&grid, (struct rect){0, 0, 4, 2}, 0);
    free(painted(&painter, &grid));
    char *text = painted(&painter, &grid);
    assert_string_equal(text, "");
    free(text);
    grid_put(&grid, 2, 1, 'x', 0x010203, 0xffffff);
    text = painted(&painter, &grid);
    assert_string_equal(text, "\033[2;3H\033[0;38;2;1;2;3;48;2;255;255;255mx");
    free(text);
    painter.colours = COLOURS_NONE;
    grid_put(&grid, 2, 1, 'x', 0x999999, 0x111111); /* another colour, which is not seen */
    text = painted(&painter, &grid);
    assert_string_equal(text, "");
    free(text);
    grid_style(&grid, (struct rect){2, 1, 1, 1}, GRID_REVERSE);
    text = painted(&painter, &grid);
    assert_string_equal(text, "\033[2;3H\033[0;7mx");
    free(text);
    grid_free(&grid);
    paint_forget(&painter);
}

static void terminals_have_their_colours(void **state)
{
    (void)state;
    assert_int_equal(colours_of(NULL, "truecolor", "xterm"), COLOURS_TRUE);
    assert_int_equal(colours_of("", "24bit", "xterm-256color"), COLOURS_TRUE);
    assert_int_equal(colours_of("1", "truecolor", "xterm"), COLOURS_NONE);
    assert_int_equal(colours_of(NULL, NULL, "screen-256color"), COLOURS_256);
    assert_int_equal(colours_of(NULL, NULL, "xterm"), COLOURS_16);
    assert_int_equal(colours_of(NULL, NULL, "vt100"), COLOURS_NONE);
    assert_int_equal(colours_of(NULL, NULL, NULL), COLOURS_NONE);
    assert_int_equal(colour_256(0xff0000), 196);
    assert_int_equal(colour_256(0x000000), 16);
    assert_int_equal(colour_256(0x808080), 244);
    for (uint32_t i = 1; i < SIMSM_STATE_COUNT; i++)
        assert_int_equal(colour_256(simsm_states[i].dark), simsm_states[i].xterm);
}

/* A curve from the foot to the top, in dots of a cell: two across, four down. */
static void curves_reach_both_ends(void **state)
{
    (void)state;
    struct grid grid = {.colour = true};
    const double values[] = {0, 0, 10, 10};
    assert_true(grid_resize(&grid, 2, 2));
    grid_fill(&grid, (struct rect){0, 0, 2, 2}, 0);
    struct tui_plot plot = {{0, 0, 2, 2}, 0, 10};
    plot_curve(&grid, &plot, values, 4, 0xffffff);
    assert_int_equal(grid.cells[2].sign, 0x2800 | 0x40 | 0x80); /* two dots at the foot */
    assert_int_equal(grid.cells[0].sign, ' ');
    assert_int_equal(grid.cells[1].sign, 0x2800 | 0x01 | 0x02 | 0x04 | 0x40 | 0x08);
    assert_int_equal(grid.cells[3].sign, 0x2800 | 0x01 | 0x02 | 0x04);
    grid_free(&grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_have_names),
        cmocka_unit_test(escape_alone_is_a_key_in_time),
        cmocka_unit_test(mouse_is_understood),
        cmocka_unit_test(any_bytes_are_used_up),
        cmocka_unit_test(text_stays_in_its_place),
        cmocka_unit_test(only_changes_are_sent),
        cmocka_unit_test(terminals_have_their_colours),
        cmocka_unit_test(curves_reach_both_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
