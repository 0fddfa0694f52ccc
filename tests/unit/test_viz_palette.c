/*
 * Colours can be told apart: any two looks of states, and any two series of a chart, by people of
 * normal, protan, deutan and tritan vision. Letters and words can be read on their ground.
 *
 * Distance: CIEDE2000 (Sharma, Wu, Dalal 2005). Vision: Machado, Oliveira, Fernandes 2009, severity
 * 1, on linear RGB. Contrast: WCAG 2.1.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "canvas/theme.h"

#define PI 3.14159265358979323846

enum { VISIONS = 4, SERIES = sizeof((struct theme *)0)->series / sizeof(uint32_t) };

static const char *const vision_names[VISIONS] = {"normal", "protan", "deutan", "tritan"};
static const double visions[VISIONS][3][3] = {
    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    {{0.152286, 1.052583, -0.204868},
     {0.114503, 0.786281, 0.099216},
     {-0.003882, -0.048116, 1.051998}},
    {{0.367322, 0.860646, -0.227968},
     {0.280085, 0.672501, 0.047413},
     {-0.011820, 0.042940, 0.968881}},
    {{1.255528, -0.076749, -0.178779},
     {-0.078411, 0.930809, 0.147602},
     {0.004733, 0.691367, 0.303900}},
};

struct lab {
    double l, a, b;
};

static void to_linear(uint32_t colour, double rgb[3])
{
    for (int i = 0; i < 3; i++) {
        double part = (colour >> (16 - 8 * i) & 255) / 255.0;
        rgb[i] = part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4);
    }
}

static double lab_curve(double t)
{
    return t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116;
}

/* CIE L*a*b* (D65) of a colour as an eye of that vision sees it. */
static struct lab lab_of(uint32_t colour, int vision)
{
    static const double xyz[3][3] = {{0.4124564, 0.3575761, 0.1804375},
                                     {0.2126729, 0.7151522, 0.0721750},
                                     {0.0193339, 0.1191920, 0.9503041}};
    static const double white[3] = {0.95047, 1, 1.08883};
    double rgb[3], seen[3], f[3];
    to_linear(colour, rgb);
    for (int i = 0; i < 3; i++) {
        const double *m = visions[vision][i];
        seen[i] = fmin(1, fmax(0, m[0] * rgb[0] + m[1] * rgb[1] + m[2] * rgb[2]));
    }
    for (int i = 0; i < 3; i++)
        f[i] =
            lab_curve((xyz[i][0] * seen[0] + xyz[i][1] * seen[1] + xyz[i][2] * seen[2]) / white[i]);
    return (struct lab){116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])};
}

static double degrees(double b, double a)
{
    double angle = a == 0 && b == 0 ? 0 : atan2(b, a) * 180 / PI;
    return angle < 0 ? angle + 360 : angle;
}

static double cosine(double angle)
{
    return cos(angle * PI / 180);
}

/* Difference and mean of two hues in degrees; a colour without chroma has none. */
static void hues(double h1, double h2, bool grey, double *difference, double *mean)
{
    *difference = grey ? 0 : h2 - h1;
    *mean = grey ? h1 + h2 : (h1 + h2) / 2;
    if (!grey && fabs(h1 - h2) > 180) {
        *difference += h2 > h1 ? -360 : 360;
        *mean += h1 + h2 < 360 ? 180 : -180;
    }
}

static double ciede2000(struct lab one, struct lab two)
{
    double c7 = pow((hypot(one.a, one.b) + hypot(two.a, two.b)) / 2, 7);
    double g = 0.5 * (1 - sqrt(c7 / (c7 + pow(25, 7))));
    double a1 = (1 + g) * one.a;
    double a2 = (1 + g) * two.a;
    double c1 = hypot(a1, one.b);
    double c2 = hypot(a2, two.b);
    double dh, h;
    hues(degrees(one.b, a1), degrees(two.b, a2), c1 * c2 == 0, &dh, &h);
    double dl = two.l - one.l;
    double dc = c2 - c1;
    double dbig = 2 * sqrt(c1 * c2) * sin(dh / 2 * PI / 180);
    double l50 = pow((one.l + two.l) / 2 - 50, 2);
    double c = (c1 + c2) / 2;
    double t = 1 - 0.17 * cosine(h - 30) + 0.24 * cosine(2 * h) + 0.32 * cosine(3 * h + 6) -
               0.20 * cosine(4 * h - 63);
    double sl = 1 + 0.015 * l50 / sqrt(20 + l50);
    double sc = 1 + 0.045 * c;
    double sh = 1 + 0.015 * c * t;
    c7 = pow(c, 7);
    double turn = 30 * exp(-pow((h - 275) / 25, 2));
    double rt = -2 * sqrt(c7 / (c7 + pow(25, 7))) * sin(2 * turn * PI / 180);
    double x = dl / sl, y = dc / sc, z = dbig / sh;
    return sqrt(x * x + y * y + z * z + rt * y * z);
}

/* Pairs of the paper's table 1: each part of the formula is at work in one of them. */
static void test_ciede2000(void **state)
{
    (void)state;
    static const struct {
        struct lab one, two;
        double distance;
    } known[] = {
        {{50, 2.6772, -79.7751}, {50, 0, -82.7485}, 2.0425},
        {{50, -1.3802, -84.2814}, {50, 0, -82.7485}, 1.0000},
        {{50, 0, 0}, {50, -1, 2}, 2.3669},
        {{50, 2.49, -0.001}, {50, -2.49, 0.0011}, 7.2195},
        {{50, 2.5, 0}, {73, 25, -18}, 27.1492},
        {{50, 2.5, 0}, {58, 24, 15}, 19.4535},
        {{2.0776, 0.0795, -1.135}, {0.9033, -0.0636, -0.5514}, 0.9082},
        {{60.2574, -34.0099, 36.2677}, {60.4626, -34.1751, 39.4387}, 1.2644},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        assert_float_equal(ciede2000(known[i].one, known[i].two), known[i].distance, 6e-5);
}

static double contrast(uint32_t one, uint32_t two)
{
    double rgb[3], light[2];
    const uint32_t colours[2] = {one, two};
    for (int i = 0; i < 2; i++) {
        to_linear(colours[i], rgb);
        light[i] = 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2] + 0.05;
    }
    return light[0] > light[1] ? light[0] / light[1] : light[1] / light[0];
}

/* Smallest distance between two of the colours that are not the same colour. */
static double smallest(const char *what, const uint32_t *colours, size_t count)
{
    double least = 1000;
    size_t pair[2] = {0, 0};
    int seen_by = 0;
    for (int vision = 0; vision < VISIONS; vision++)
        for (size_t i = 0; i < count; i++)
            for (size_t k = 0; k < i; k++) {
                double distance = ciede2000(lab_of(colours[i], vision), lab_of(colours[k], vision));
                if (colours[i] == colours[k] || distance >= least)
                    continue;
                least = distance;
                pair[0] = k;
                pair[1] = i;
                seen_by = vision;
            }
    print_message("%s: %.1f between %zu and %zu, %s vision\n", what, least, pair[0], pair[1],
                  vision_names[seen_by]);
    return least;
}

static void test_states_differ(void **state)
{
    (void)state;
    static const enum theme_id coloured[] = {THEME_DARK, THEME_LIGHT, THEME_CONTRAST};
    for (size_t t = 0; t < 3; t++) {
        const struct theme *theme = theme_of(coloured[t]);
        uint32_t colours[SIMSM_STATE_COUNT];
        for (uint32_t i = 0; i < SIMSM_STATE_COUNT; i++)
            colours[i] = theme->states[i].colour;
        assert_true(smallest(theme->name, colours, SIMSM_STATE_COUNT) >= 10);
    }
}

/* States that look the same in a small picture belong to one family, and are no more than three. */
static void test_states_that_share_a_colour(void **state)
{
    (void)state;
    const struct theme *theme = theme_of(THEME_DARK);
    for (uint32_t i = 0; i < SIMSM_STATE_COUNT; i++) {
        uint32_t same = 0;
        for (uint32_t k = 0; k < SIMSM_STATE_COUNT; k++)
            if (theme->states[i].colour == theme->states[k].colour) {
                assert_int_equal(state_family_of((enum simsm_warp_state)i),
                                 state_family_of((enum simsm_warp_state)k));
                same++;
            }
        assert_in_range(same, 1, 3);
    }
}

/* Degrees between two hues. */
static double hue_gap(double one, double two)
{
    const double gap = fabs(one - two);
    return gap > 180 ? 360 - gap : gap;
}

/*
 * A family has a hue: its states are nearer to the mean of its hues than to that of any other
 * family. An issue is the brightest state on dark ground, and the strongest colour of its family on
 * light ground; the wait for memory is darker than the issue by half the range, and not red.
 */
static void test_families_have_hues(void **state)
{
    (void)state;
    static const double hues_of[FAMILY_COUNT] = {
        [FAMILY_WORKS] = 125, [FAMILY_MEMORY] = 260, [FAMILY_OTHERS] = 330, [FAMILY_ROOM] = 75};
    for (uint32_t t = THEME_DARK; t <= THEME_CONTRAST; t++) {
        const struct theme *theme = theme_of((enum theme_id)t);
        const struct lab issued = lab_of(theme->states[SIMSM_STATE_ISSUED].colour, 0);
        for (uint32_t i = 0; i < SIMSM_STATE_COUNT; i++) {
            const enum state_family family = state_family_of((enum simsm_warp_state)i);
            const struct lab colour = lab_of(theme->states[i].colour, 0);
            const double hue = degrees(colour.b, colour.a);
            if (family == FAMILY_EMPTY)
                continue;
            for (uint32_t f = FAMILY_WORKS; f < FAMILY_COUNT; f++)
                if (f != family && hue_gap(hue, hues_of[f]) <= hue_gap(hue, hues_of[family]))
                    fail_msg("%s theme: %s has the hue of another family: %u", theme->name,
                             simsm_states[i].name, f);
            if (t != THEME_LIGHT && i != SIMSM_STATE_ISSUED)
                assert_true(colour.l < issued.l);
        }
        assert_int_equal(theme->states[SIMSM_STATE_ISSUED].colour, theme->issue);
        const struct lab wait = lab_of(theme->states[SIMSM_STATE_LONG_SCOREBOARD].colour, 0);
        assert_true(fabs(wait.l - issued.l) > 30);
    }
}

/* Without colours the letter tells: issued and empty at least are unlike everything. */
static void test_mono(void **state)
{
    (void)state;
    const struct theme *theme = theme_of(THEME_MONO);
    for (uint32_t i = 0; i < SIMSM_STATE_COUNT; i++) {
        uint32_t colour = theme->states[i].colour;
        assert_int_equal(colour >> 16, colour & 255);
        assert_int_equal(colour >> 8 & 255, colour & 255);
        if (i != SIMSM_STATE_ISSUED)
            assert_true(ciede2000(lab_of(colour, 0),
                                  lab_of(theme->states[SIMSM_STATE_ISSUED].colour, 0)) > 25);
    }
}

static void test_series_differ(void **state)
{
    (void)state;
    for (uint32_t t = 0; t < THEME_COUNT; t++) {
        const struct theme *theme = theme_of((enum theme_id)t);
        double least = t == THEME_MONO ? 8 : 10; /* eight greys cannot be farther apart */
        assert_true(smallest(theme->name, theme->series, SERIES) >= least);
        for (uint32_t i = 0; i < SERIES; i++) {
            if (contrast(theme->series[i], theme->panel) < (t == THEME_MONO ? 1.6 : 3))
                fail_msg("%s: series %u is hard to see on its panel: %.2f", theme->name, i,
                         contrast(theme->series[i], theme->panel));
        }
    }
}

static void expect_readable(const struct theme *theme, const char *what, uint32_t ink,
                            uint32_t ground)
{
    if (contrast(ink, ground) < 4.5)
        fail_msg("%s theme: %s #%06x on #%06x has a contrast of only %.2f", theme->name, what,
                 (unsigned)ink, (unsigned)ground, contrast(ink, ground));
}

static void test_text_is_readable(void **state)
{
    (void)state;
    for (uint32_t t = 0; t < THEME_COUNT; t++) {
        const struct theme *theme = theme_of((enum theme_id)t);
        const uint32_t grounds[2] = {theme->ground, theme->panel};
        for (uint32_t i = 0; i < SIMSM_STATE_COUNT; i++)
            expect_readable(theme, simsm_states[i].name, theme->states[i].ink,
                            theme->states[i].colour);
        for (int g = 0; g < 2; g++) {
            expect_readable(theme, "text", theme->text, grounds[g]);
            expect_readable(theme, "quiet text", theme->quiet, grounds[g]);
            expect_readable(theme, "accent", theme->accent, grounds[g]);
            expect_readable(theme, "warning", theme->warning, grounds[g]);
            expect_readable(theme, "issues", theme->issue, grounds[g]);
        }
    }
}

/* Text on a colour is black or white, whichever has the larger contrast. */
static void test_colour_on(void **state)
{
    (void)state;
    srand(1);
    for (int i = 0; i < 20000; i++) {
        uint32_t ground = (uint32_t)rand() & 0xffffff;
        uint32_t ink = colour_on(ground);
        assert_true(ink == 0 || ink == 0xffffff);
        if (contrast(ink, ground) < 4.5)
            fail_msg("#%06x on #%06x: %.2f", (unsigned)ink, (unsigned)ground,
                     contrast(ink, ground));
    }
}

static void test_names(void **state)
{
    (void)state;
    for (uint32_t t = 0; t < THEME_COUNT; t++)
        assert_int_equal(theme_find(theme_of((enum theme_id)t)->name), t);
    assert_int_equal(theme_find("pink"), THEME_COUNT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ciede2000),
        cmocka_unit_test(test_states_differ),
        cmocka_unit_test(test_states_that_share_a_colour),
        cmocka_unit_test(test_families_have_hues),
        cmocka_unit_test(test_mono),
        cmocka_unit_test(test_series_differ),
        cmocka_unit_test(test_text_is_readable),
        cmocka_unit_test(test_colour_on),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
