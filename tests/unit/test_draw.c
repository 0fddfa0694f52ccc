/* Bar charts and plots: what they show, their size, and that hostile labels stay harmless. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "draw/bars.h"
#include "draw/label.h"
#include "draw/plot.h"
#include "draw/scale.h"

/* The text that a drawing writes; the caller frees it. */
struct text {
    FILE *file;
    char *bytes;
    size_t size;
};

static void begin(struct text *text)
{
    text->file = open_memstream(&text->bytes, &text->size);
    assert_non_null(text->file);
}

static void end_equals(struct text *text, const char *expected)
{
    assert_int_equal(fclose(text->file), 0);
    assert_string_equal(text->bytes, expected);
    free(text->bytes);
}

static void test_labels(void **state)
{
    (void)state;
    struct text text;
    char number[32];
    assert_int_equal(label_width("Größe ▏"), 7);
    assert_int_equal(label_width(NULL), 0);
    begin(&text);
    label_pad(text.file, "aé\x1b[31m", 5); /* no escape sequence reaches the terminal */
    label_pad(text.file, "b", 3);
    label_pad(text.file, "\xff\xc3", 2); /* broken UTF-8 */
    label_pad(text.file, "\xc2\x9b", 1); /* a control sequence in one character */
    label_xml(text.file, "<a b=\"c\"> & \x01\xed\xa0\x80");
    end_equals(&text, "aé?[3b  ???&lt;a b=&quot;c&quot;&gt; &amp; ????");
    assert_string_equal(label_number(65536, number, sizeof number), "65536");
    assert_string_equal(label_number(-0.0, number, sizeof number), "0");
    assert_string_equal(label_number(87.512, number, sizeof number), "87.51");
    assert_string_equal(label_number(2.5e9, number, sizeof number), "2.5e+09");
    static const struct {
        double value;
        const char *shown;
    } few[] = {{0.9433, "0.943"}, {1, "1"},         {1234, "1234"},  {9999, "9999"},
               {-0.0, "0"},       {10000, "10k"},   {999960, "1M"},  {214321, "214k"},
               {1.04e6, "1.04M"}, {-25000, "-25k"}, {2.5e9, "2.5G"}, {3e15, "3000T"}};
    for (size_t i = 0; i < sizeof few / sizeof *few; i++)
        assert_string_equal(label_short(few[i].value, 3, number, sizeof number), few[i].shown);
}

static void test_bars(void **state)
{
    (void)state;
    const struct bar bars[] = {
        {"full", 100, "100 %"}, {"half", 50, "50 %"},    {"a bit", 0.01, "0 %"},
        {"none", 0, NULL},      {"undefined", NAN, "-"}, {"above", 200, ""},
    };
    struct text text;
    begin(&text);
    bars_text(text.file, bars, 6, 100, 1, 29, false);
    end_equals(&text, " full       ██████████  100 %\n"
                      " half       █████       50 %\n"
                      " a bit      ▏           0 %\n"
                      " none       \n"
                      " undefined              -\n"
                      " above      ██████████\n");
    begin(&text);
    bars_text(text.file, bars, 2, 0, 0, 23, true);
    end_equals(&text, "full  ##########  100 %\n"
                      "half  #####       50 %\n");
}

static struct plot steps(struct plot_series *series)
{
    static const double x[] = {0, 4, 8}, y[] = {8, 4, 4};
    *series = (struct plot_series){.label = "s", .x = x, .y = y, .count = 3};
    return (struct plot){.title = "Title",
                         .x_label = "x",
                         .y_label = "y",
                         .series = series,
                         .series_count = 1,
                         .step = true,
                         .marked = true,
                         .mark_x = 4,
                         .mark_y = 4,
                         .mark_label = "here"};
}

static void test_text_plot(void **state)
{
    (void)state;
    struct plot_series series;
    struct plot plot = steps(&series);
    struct text text;
    begin(&text);
    plot_text(text.file, &plot, (struct plot_area){.width = 25, .height = 11, .ascii = true});
    end_equals(&text, "Title\n"
                      "  y\n"
                      "   8 +**********\n"
                      "     |         *\n"
                      "   4 +         X*********\n"
                      "     |\n"
                      "   0 +\n"
                      "     ++--------+--------+\n"
                      "      0        4        8\n"
                      "               x\n"
                      "      X = here\n");
}

static unsigned lines_within(const char *text, unsigned width)
{
    unsigned lines = 0;
    char line[512];
    while (*text) {
        size_t length = strcspn(text, "\n");
        if (length >= sizeof line || text[length] != '\n')
            fail_msg("a line of %zu bytes, or without an end", length);
        length = length < sizeof line ? length : 0; /* gcc does not know that fail_msg ends it */
        memcpy(line, text, length);
        line[length] = '\0';
        assert_true(label_width(line) <= width);
        text += length + 1;
        lines++;
    }
    return lines;
}

/* UTF-8 drawings keep to their area, and have braille and the mark in them. */
static void test_plot_keeps_its_area(void **state)
{
    (void)state;
    struct plot_series series[3];
    struct plot plot = steps(series);
    struct text text;
    series[2] = series[1] = series[0];
    plot.series = series;
    for (unsigned count = 1; count <= 3; count += 2) {
        plot.series_count = count;
        plot.dots = count == 3;
        begin(&text);
        plot_text(text.file, &plot, (struct plot_area){.width = 60, .height = 16});
        assert_int_equal(fclose(text.file), 0);
        assert_int_equal(lines_within(text.bytes, 60), 16);
        assert_non_null(strstr(text.bytes, "◆"));
        assert_int_equal(strstr(text.bytes, "⠉⠉⠉") != NULL, count == 1);
        assert_int_equal(strstr(text.bytes, "c = s") != NULL, count == 3);
        free(text.bytes);
    }
}

/* Empty, constant, interrupted and infinite data, and sizes that are too small or too large. */
static void test_awkward_plots(void **state)
{
    (void)state;
    static const double x[] = {1, 2, 3, 4, INFINITY}, y[] = {5, NAN, 5, INFINITY, 5};
    static const unsigned sizes[][2] = {{0, 0}, {23, 20}, {24, 6}, {80, 3}, {5000, 5000}};
    struct plot_series series = {.x = x, .y = y};
    struct plot plot = {.series = &series, .series_count = 1, .marked = true, .mark_x = NAN};
    for (series.count = 0; series.count <= 5; series.count++) {
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            struct text text;
            begin(&text);
            plot.step = i % 2 == 0;
            plot_text(text.file, &plot,
                      (struct plot_area){.width = sizes[i][0], .height = sizes[i][1]});
            plot_svg(text.file, &plot, 1, sizes[i][0], sizes[i][1]);
            assert_int_equal(fclose(text.file), 0);
            assert_null(strstr(text.bytes, "nan"));
            assert_null(strstr(text.bytes, "inf"));
            free(text.bytes);
        }
    }
}

static void test_svg(void **state)
{
    (void)state;
    struct plot_series series;
    struct plot plot = steps(&series);
    struct text text;
    plot.title = "a < b";
    begin(&text);
    plot_svg(text.file, &(struct plot[]){plot, plot}[0], 2, 400, 300);
    assert_int_equal(fclose(text.file), 0);
    assert_non_null(strstr(text.bytes, "viewBox=\"0 0 400 600\""));
    assert_non_null(strstr(text.bytes, ">a &lt; b</text>"));
    /* From (68, 40), the value 8, to the value 4 halfway: 154 pixels right, 104 down. */
    assert_non_null(strstr(text.bytes, "d=\"M68.00 40.00H222.00V144.00H376.00\""));
    assert_non_null(strstr(text.bytes, "cx=\"222.00\" cy=\"144.00\""));
    assert_non_null(strstr(text.bytes, "d=\"M68.00 340.00H222.00V444.00H376.00\""));
    assert_string_equal(text.bytes + text.size - 7, "</svg>\n");
    free(text.bytes);
}

/* Ratios, their axis at whole powers of two; a legend that has no room beside the title. */
static void test_svg_of_powers(void **state)
{
    (void)state;
    static const double x[] = {1, 2, 3}, y[] = {-1.5, 0, 2};
    const struct plot_series series = {.label = "series", .x = x, .y = y, .count = 3};
    struct plot plot = {.title = "short", .legend = "key", .series = &series, .series_count = 1};
    struct text text;
    plot.powers = true;
    begin(&text);
    plot_svg(text.file, &plot, 1, 400, 292);
    assert_int_equal(fclose(text.file), 0);
    assert_non_null(strstr(text.bytes, ">0.25</text>"));
    assert_non_null(strstr(text.bytes, ">4</text>"));
    assert_non_null(strstr(text.bytes, ">key</text>"));
    /* From 4 at 40 to 0.25 at 240: 1 is halfway. */
    assert_non_null(strstr(text.bytes, "y1=\"140.0\" x2=\"376.0\" y2=\"140.0\" class=\"guide\""));
    assert_non_null(strstr(text.bytes, "M68.00 215.00L222.00 140.00L376.00 40.00"));
    free(text.bytes);
    plot.title = "a title that leaves no room for the legend";
    begin(&text);
    plot_svg(text.file, &plot, 1, 400, 292);
    assert_int_equal(fclose(text.file), 0);
    assert_non_null(strstr(text.bytes, "L222.00 150.00L376.00 60.00")); /* it is 20 further up */
    free(text.bytes);
}

static void test_scales(void **state)
{
    (void)state;
    struct plot plot = {.x_min = 0, .x_max = 48, .y_min = 0, .y_max = 100};
    struct scale x = scale_x(&plot, 8), y = scale_y(&plot, 5);
    assert_true(x.tick == 8 && x.ticks == 7); /* warps count in powers of two */
    assert_true(y.tick == 20 && y.ticks == 6);
    plot.y_max = 64;
    y = scale_y(&plot, 5);
    assert_true(y.tick == 16 && y.ticks == 5);
    plot.x_min = 1;
    plot.x_max = 8;
    x = scale_x(&plot, 11);
    assert_true(x.tick == 1 && x.first == 1 && x.ticks == 8); /* no parts of a block */
    plot.y_min = -3;
    plot.y_max = 3;
    y = scale_y(&plot, 4);
    assert_true(y.tick == 2 && y.first == -2 && y.ticks == 3);
    const double points[] = {100, 200, 300, 400, 500, 600, 700, 800};
    const struct plot_series series = {.x = points, .y = points, .count = 8};
    const struct plot stepped = {.series = &series, .series_count = 1, .x_step = 100};
    x = scale_x(&stepped, 11);
    assert_true(x.tick == 100 && x.first == 100 && x.ticks == 8); /* where the points are */
    x = scale_x(&stepped, 4);
    assert_true(x.tick == 300 && x.first == 100 && x.ticks == 3);
    assert_true(scale_at(&y, 0) == 0.5 && scale_at(&y, 99) == 1 && scale_at(&y, -99) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_labels),        cmocka_unit_test(test_bars),
        cmocka_unit_test(test_text_plot),     cmocka_unit_test(test_plot_keeps_its_area),
        cmocka_unit_test(test_awkward_plots), cmocka_unit_test(test_svg),
        cmocka_unit_test(test_svg_of_powers), cmocka_unit_test(test_scales),
    };
    return cmocka_run_group_tests_name("draw", tests, NULL, NULL);
}
