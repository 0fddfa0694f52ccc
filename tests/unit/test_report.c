/* The text report, from statistics made by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>

#include "draw/label.h"
#include "report/digest.h"
#include "report/quantity.h"
#include "report/report.h"
#include "unit/synthetic_stats.h"

static char *report_of(const struct synthetic *s, bool ascii)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    report_print(file, &s->run, &s->stats, ascii);
    assert_int_equal(fclose(file), 0);
    return text;
}

static void must_say(const char *text, const char *fragment)
{
    if (!strstr(text, fragment)) {
        print_error("the report does not say '%s':\n", fragment);
        (void)fputs(text, stderr); /* print_error cuts long texts */
        fail();
    }
}

static void sections_say_what_they_should(void **state)
{
    (void)state;
    static const char *const fragments[] = {
        "kernel on Made-up GPU: compute capability 7.5, 2 SMs at 1000 MHz",
        "configs/made-up.yaml, traces/made-up.trace",
        "5x2  10 blocks",
        "100 threads in 4 warps; the last warp has 4 of 32 lanes",
        "of the SM's 96 KiB are shared memory, 64 KiB are L1 cache",
        "16 of 32 warps per SM: 4 blocks, limited by registers",
        "34.7 %  11.1 warps per SM",
        "lost                     15.3 %",
        "within blocks           1.4 %",
        "across blocks           3.5 %",
        "few blocks              0.0 %",
        "partial last wave       6.9 %",
        "refill                  3.5 %",
        "1.25  1 full; the last one has 2 of 8 blocks",
        "4.00 k  cycles, mean of 10 blocks; shortest 3.00 k, longest 6.00 k",
        "tail                     25.0 %",
        "11000  of these 1000 (9.1 %) before the first block started",
        "11.0 us  at 1000 MHz",
        "20.0 k  560 k thread instructions",
        "1.11  per cycle of an active SM, at most 4; 0.91 over all cycles",
        "27.8 %  of the issue slots of active SMs",
        "3.12  resident; 0.50 of them could issue in a mean cycle",
        "w Wait",
        "Wait: waits out a fixed latency",
        "28.0  of 32 per instruction (87.5 %); 25.0 with the guard true",
        "50.0 %  of lanes, branches and convergence left out (10.0 k instructions)",
        "75.0 %  50 of 200 branches diverged",
        "16.0  sectors of 32 B per request; 4.00 if dense (1.00 k requests)",
        "SM - L1                  512 kB          -          -    25.0 %    18.2 %",
        "L2 - DRAM               96.0 kB    14.0 kB          -         -    10.0 %",
        "2.00  passes per request (500 requests); bank conflicts added 100",
        "50.0 %  1.00 k  28.0 16.0/0.00   0.0 %  L 99 #  1              9  LDG R1, [R4]",
        "25.0 %  19.0 k  28.0         -       -  w 62 # 38              7  FFMA R0, R1, R2, R3",
        "What limits this kernel",
    };
    struct synthetic s;
    synthetic_fill(&s);
    char *text = report_of(&s, true);
    for (size_t i = 0; i < sizeof fragments / sizeof fragments[0]; i++)
        must_say(text, fragments[i]);
    assert_null(strstr(text, "INCOMPLETE"));
    assert_null(strstr(text, "nan"));
    free(text);
}

/* Returns the short report, in a style of this width. */
static char *short_report_of(const struct synthetic *s, struct report_style *style)
{
    char *text = NULL;
    size_t size = 0;
    struct digest digest;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    digest_make(&digest, &s->run, &s->stats);
    digest_print(&digest, " on Made-up GPU", style, file);
    assert_int_equal(fclose(file), 0);
    return text;
}

static void the_short_report_says_what_matters(void **state)
{
    (void)state;
    static const char *const fragments[] = {
        "kernel: 10 blocks of 100 threads on Made-up GPU\n",
        "  time          11.0 us  11000 cycles at 1000 MHz; 9 % of them before the first block",
        "  occupancy     34.7 %   of an SM's 32 places for warps",
        "  IPC           1.11     instructions that an SM issues per cycle, of at most 4\n",
        "  warps mostly  30.0 %   Wait: waits out a fixed latency\n",
        "  worst line    50.0 %   of the warps' cycles: line 9: LDG R1, [R4]\n",
        "  limit         ",
        "  try           ",
    };
    struct synthetic s;
    struct report_style style = {.width = 96};
    synthetic_fill(&s);
    char *text = short_report_of(&s, &style);
    for (size_t i = 0; i < sizeof fragments / sizeof fragments[0]; i++)
        must_say(text, fragments[i]);
    assert_null(strchr(text, '\033'));
    free(text);
    text = short_report_of(&s, &style); /* the second one of the output explains nothing */
    must_say(text, "  occupancy     34.7 %   of 32 warps\n");
    must_say(text, "  warps mostly  30.0 %   Wait\n");
    free(text);
}

static void the_short_report_fits_its_width(void **state)
{
    (void)state;
    for (uint32_t width = 60; width <= 120; width += 10) {
        struct synthetic s;
        struct report_style style = {.width = width};
        synthetic_fill(&s);
        char *text = short_report_of(&s, &style);
        for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
            if (label_width(line) > width)
                fail_msg("%u columns of %u: %s", label_width(line), width, line);
        free(text);
    }
}

static void colours_end_where_they_begin(void **state)
{
    (void)state;
    struct synthetic s;
    struct report_style style = {.width = 96, .colour = true};
    synthetic_fill(&s);
    char *text = short_report_of(&s, &style);
    unsigned coloured = 0;
    for (const char *at = strchr(text, '\033'); at; at = strchr(at + 1, '\033')) {
        const bool ends = strncmp(at, "\033[0m", 4) == 0;
        assert_int_equal(ends, coloured % 2);
        coloured++;
    }
    assert_true(coloured >= 6); /* title, limit, advice */
    assert_int_equal(coloured % 2, 0);
    free(text);
}

static void a_shared_launch_is_not_judged(void **state)
{
    (void)state;
    struct synthetic s;
    struct report_style style = {.width = 96};
    synthetic_fill(&s);
    s.run.shared = true;
    char *text = short_report_of(&s, &style);
    must_say(text, "  limit         not judged: other launches shared the GPU");
    assert_null(strstr(text, "  try "));
    free(text);
}

static void lines_fit_a_terminal(void **state)
{
    (void)state;
    for (int ascii = 0; ascii < 2; ascii++) {
        struct synthetic s;
        synthetic_fill(&s);
        char *text = report_of(&s, ascii);
        for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
            if (label_width(line) > 100)
                fail_msg("%u columns: %s", label_width(line), line);
            assert_true(line[0] != '\0' && line[strlen(line) - 1] != ' ');
            for (const char *c = line; ascii && *c; c++)
                assert_true((unsigned char)*c < 128);
        }
        free(text);
    }
}

static void a_long_instruction_is_cut_visibly(void **state)
{
    (void)state;
    struct synthetic s;
    synthetic_fill(&s);
    s.info[0].text = "FFMA R0, R1, R2, and so on, far beyond the end of the line";
    char *text = report_of(&s, true);
    must_say(text, "  FFMA R0, R1, R2, and so on, f...\n");
    free(text);
}

static void long_commands_continue_behind_backslashes(void **state)
{
    (void)state;
    static const struct next_step steps[] = {
        {"simsm run h200 --launches 1:2 --timeline run.smtl -- './a b' 1 2 3", ""}, {NULL, NULL}};
    struct report_style style = {.width = 60};
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    digest_print_next(steps, &style, file);
    assert_int_equal(fclose(file), 0);
    assert_string_equal(text, "  next          simsm run h200 --launches 1:2 --timeline \\\n"
                              "                  run.smtl -- './a b' 1 2 3\n");
    free(text);
}

static void a_stopped_run_says_so_first(void **state)
{
    (void)state;
    struct synthetic s;
    synthetic_fill(&s);
    s.stats.complete = false;
    s.stats.blocks_done = 3;
    s.run.stopped_by = "--max-cycles 11000";
    char *text = report_of(&s, true);
    assert_int_equal(strncmp(text,
                             "INCOMPLETE: stopped by --max-cycles 11000 after 11000 cycles, when "
                             "3 of 10 blocks had ended.",
                             90),
                     0);
    free(text);
}

static void nothing_run_is_a_report_too(void **state)
{
    (void)state;
    struct synthetic s;
    synthetic_fill(&s);
    memset(s.stats.counter, 0, sizeof s.stats.counter);
    memset(s.stats.states, 0, sizeof s.stats.states);
    memset(s.stats.lanes, 0, sizeof s.stats.lanes);
    memset(&s.stats.gap, 0, sizeof s.stats.gap);
    memset(s.lines, 0, sizeof s.lines);
    s.stats.cycles = s.stats.blocks_done = 0;
    s.stats.complete = false;
    char *text = report_of(&s, true);
    must_say(text, "no block has run");
    must_say(text, "No instruction was executed");
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
    free(text);
    struct report_style style = {.width = 96};
    text = short_report_of(&s, &style);
    must_say(text, "No instruction was executed");
    must_say(text, "  occupancy     -  ");
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "worst line"));
    free(text);
}

/* The percentage behind `label` at the start of a row, in tenths. */
static long tenths_of(const char *text, const char *label)
{
    const char *row = strstr(text, label);
    assert_non_null(row);
    return lround(10 * strtod(row + strlen(label), NULL));
}

static uint64_t random_below(uint64_t *seed, uint64_t limit)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (*seed >> 33) % limit;
}

static void shown_causes_add_up_to_the_gap(void **state)
{
    (void)state;
    static const char *const labels[] = {"\n    within blocks", "\n    across blocks",
                                         "\n    few blocks", "\n    partial last wave",
                                         "\n    refill"};
    uint64_t seed = 1;
    for (int round = 0; round < 500; round++) {
        struct synthetic s;
        synthetic_fill(&s);
        struct simsm_gap *gap = &s.stats.gap;
        s.stats.occupancy.warps = 1 + (uint32_t)random_below(&seed, 32);
        gap->alive = random_below(&seed, 1000);
        gap->within_blocks = random_below(&seed, 1000);
        gap->across_blocks = random_below(&seed, 3) ? random_below(&seed, 1000) : 0;
        gap->few_blocks = random_below(&seed, 10);
        gap->partial_wave = random_below(&seed, 100);
        gap->refill = 1 + random_below(&seed, 1000);
        gap->capacity = gap->alive + gap->within_blocks + gap->across_blocks + gap->few_blocks +
                        gap->partial_wave + gap->refill;
        char *text = report_of(&s, true);
        long sum = 0;
        for (int i = 0; i < 5; i++) {
            long shown = tenths_of(text, labels[i]);
            assert_true(shown >= 0);
            sum += shown;
        }
        long theoretical = tenths_of(text, "\n  theoretical");
        assert_int_equal(sum, tenths_of(text, "\n  lost"));
        assert_int_equal(theoretical - sum, tenths_of(text, "\n  achieved"));
        free(text);
    }
}

static void quantities_read_well(void **state)
{
    (void)state;
    assert_string_equal(quantity_count(0).text, "0");
    assert_string_equal(quantity_count(999).text, "999");
    assert_string_equal(quantity_count(1000).text, "1.00 k");
    assert_string_equal(quantity_count(9996).text, "10.0 k");
    assert_string_equal(quantity_count(999600).text, "1.00 M");
    assert_string_equal(quantity_count(12345678).text, "12.3 M");
    assert_string_equal(quantity_count(NAN).text, "-");
    assert_string_equal(quantity_of(1, "block").text, "1 block");
    assert_string_equal(quantity_of(1500, "block").text, "1.50 k blocks");
    assert_string_equal(quantity_ratio(0.5).text, "0.50");
    assert_string_equal(quantity_percent(99.96).text, "100.0 %");
    assert_string_equal(quantity_bytes(1536).text, "1.54 kB");
    assert_string_equal(quantity_kib(65536).text, "64 KiB");
    assert_string_equal(quantity_time(7770).text, "7.77 us");
    assert_string_equal(quantity_rate(320).text, "320 GB/s");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sections_say_what_they_should),
        cmocka_unit_test(the_short_report_says_what_matters),
        cmocka_unit_test(the_short_report_fits_its_width),
        cmocka_unit_test(colours_end_where_they_begin),
        cmocka_unit_test(a_shared_launch_is_not_judged),
        cmocka_unit_test(lines_fit_a_terminal),
        cmocka_unit_test(a_long_instruction_is_cut_visibly),
        cmocka_unit_test(long_commands_continue_behind_backslashes),
        cmocka_unit_test(a_stopped_run_says_so_first),
        cmocka_unit_test(nothing_run_is_a_report_too),
        cmocka_unit_test(shown_causes_add_up_to_the_gap),
        cmocka_unit_test(quantities_read_well),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
