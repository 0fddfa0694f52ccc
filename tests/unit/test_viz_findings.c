/* The screen Overview, and the text "Why?" before a cell is selected: of a real run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/app.h"
#include "report/advice.h"
#include "report/costly.h"
#include "view/timeline_parts.h"
#include "view/view_overview.h"
#include "view/view_source.h"
#include "viz_fixture.h"

static const char path[] = "test_viz_findings.tmp.smtl";
static struct app app;
static struct run *run;
static struct canvas *canvas;
static struct overview_page page;

static int open_all(void **state)
{
    (void)state;
    viz_simulate(path, "configs/t4.yaml", "traces/divergent.trace", "gpu.sms=2");
    run = viz_open(path);
    canvas = canvas_create(1280, 720, 100);
    return unlink(path);
}

static int close_all(void **state)
{
    (void)state;
    canvas_destroy(canvas);
    run_close(run);
    return 0;
}

static void start(enum screen_id screen)
{
    app_init(&app, run, NULL, 1280, 720, 100);
    app.view.patient = true;
    app.view.place.screen = screen;
    app_draw(&app, canvas);
    assert_string_equal(app.view.problem, "");
}

static void press(const char *key)
{
    assert_true(app_key(&app, key));
    app_draw(&app, canvas);
}

static uint32_t rows_of(enum overview_panel panel, double *sum)
{
    uint32_t count = 0;
    *sum = 0;
    for (uint32_t i = 0; i < page.count; i++)
        if (page.rows[i].panel == panel) {
            count++;
            *sum += page.rows[i].percent;
        }
    return count;
}

/* The rows say what the reports say. */
static void test_rows(void **state)
{
    (void)state;
    start(SCREEN_OVERVIEW);
    assert_true(overview_fill(&app.view, &page));
    double sum;
    struct simsm_error error;
    struct simsm_metric metrics[METRIC_COUNT];
    struct advice advice[ADVICE_COUNT];
    const struct simsm_stats *stats = run_info(run)->stats;
    metrics_compute(run_config(run, &error), stats, metrics);
    assert_true(advice_find(run_config(run, &error), stats, metrics, advice) > 0);
    assert_string_equal(page.rows[0].name, advice_rows[advice[0].id].title);
    assert_true(fabs(page.rows[0].percent - 100 * advice[0].share) < 1e-9);
    assert_true(rows_of(OVERVIEW_ADVICE, &sum) > 1);
    assert_true(rows_of(OVERVIEW_STATES, &sum) > 3);
    assert_true(sum > 95 && sum <= 100.001); /* the states that are left out are rare */
    assert_int_equal(rows_of(OVERVIEW_ROOFS, &sum), 4);
    assert_true(rows_of(OVERVIEW_LOST, &sum) > 1);
    assert_true(fabs(sum - 100) < 0.11); /* filled and lost; rounded to tenths */
    assert_int_equal(rows_of(OVERVIEW_LINES, &sum), 5);
    assert_true(strlen(page.verdict) > 20 && page.hint[0]);
}

/* Every row leads to its screen, by keys and by a click, and selects its instruction. */
static void test_ways(void **state)
{
    (void)state;
    start(SCREEN_OVERVIEW);
    assert_true(overview_fill(&app.view, &page));
    for (uint32_t i = 0; i < page.count; i++) {
        start(SCREEN_OVERVIEW);
        for (uint32_t k = 0; k <= i; k++)
            press("down");
        assert_int_equal(app.view.options.way, i);
        assert_non_null(strstr(app.view.status, page.rows[i].name));
        press("return");
        assert_int_equal(app.view.place.screen, page.rows[i].screen);
        assert_int_equal(app.view.place.line, page.rows[i].line);
        press("backspace");
        assert_int_equal(app.view.place.screen, SCREEN_OVERVIEW);
    }
    uint32_t clicked = 0;
    start(SCREEN_OVERVIEW);
    for (int y = 100; y < 700; y += 4)
        for (int x = 20; x < 1280; x += 420) {
            app_move(&app, x, y);
            app_draw(&app, canvas);
            if (app.view.target.kind != TARGET_WAY)
                continue;
            const struct overview_row *row = &page.rows[app.view.target.field];
            app_press(&app, x, y, false);
            app_release(&app, x, y);
            assert_int_equal(app.view.place.screen, row->screen);
            clicked |= 1u << row->panel;
            start(SCREEN_OVERVIEW);
        }
    assert_int_equal(clicked, (1u << OVERVIEW_PANELS) - 1); /* rows of every panel were seen */
}

/*
 * Checks that a slot waits for these cycles, and that no slot of the SM waits longer from a cycle
 * before `end` on.
 */
static void longest_is(struct track *track, uint64_t end, uint32_t slot, uint64_t from,
                       uint64_t cycles)
{
    const struct history *history = NULL;
    struct simsm_error error;
    assert_int_equal(track_history(track, 0, end, &history, &error), SIMSM_OK);
    const struct timeline_span *span = history_span_at(history, slot, from);
    assert_int_equal(span->from, from);
    assert_int_equal(span->to - span->from, cycles);
    for (uint32_t s = 0; s < run_info(run)->slots; s++)
        for (uint32_t i = 0; i < history->slot[s].span_count; i++) {
            span = &history->slot[s].spans[i];
            const enum state_family family = state_family_of(run_known_state(run, span->state));
            if (family != FAMILY_EMPTY && family != FAMILY_WORKS && span->from < end)
                assert_true(span->to - span->from <= cycles);
        }
}

/* Checks the sentence about the longest wait of the cycles before `end`. */
static void names_longest(struct track *track, uint64_t end, const char *text)
{
    unsigned long long cycles = 0, from = 0;
    unsigned warp, block, sub, slot;
    const char *wait = strstr(text, "The longest wait in view: ");
    assert_non_null(wait);
    char plain[400] = "";
    for (size_t used = 0; *wait && used + 1 < sizeof plain; wait++) /* without groups of digits */
        if (*wait != ',' || wait[1] == ' ')
            plain[used++] = *wait;
    assert_int_equal(sscanf(plain,
                            "The longest wait in view: %llu cycles of Long scoreboard from cycle "
                            "%llu, of warp %u of block %u, sub-partition %u slot %u",
                            &cycles, &from, &warp, &block, &sub, &slot),
                     6);
    longest_is(track, end, sub + 4 * slot, from, cycles);
}

/* Checks that the text of a selected cycle says of each scheduler whether it issues. */
static void names_issues(struct track *track, uint64_t cycle)
{
    struct simsm_error error;
    const struct history *piece = NULL;
    app.view.place.cursor = true;
    app.view.place.cycle = cycle;
    char *text = timeline_summary(&app.view, track);
    assert_int_equal(track_piece(track, cycle, &piece, &error), SIMSM_OK);
    for (uint32_t sub = 0; sub < run_info(run)->sub_partitions; sub++) {
        char begin[200];
        const struct timeline_issue *issue = history_issue_in(piece, sub, cycle);
        (void)snprintf(begin, sizeof begin, "- sub-partition %u issues %.60s", sub,
                       issue ? run_info(run)->lines[issue->pc].text : "nothing: ");
        assert_non_null(strstr(text, begin));
    }
    free(text);
}

/* Before a cell is selected, "Why?" names the state that most cycles go to, and its instruction. */
static void test_summary(void **state)
{
    (void)state;
    enum { SEARCHED = 100000 };
    start(SCREEN_TIMELINE);
    struct simsm_error error;
    struct track *track = run_track(run, app.view.place.sm, UINT32_MAX, &error);
    char *text = timeline_summary(&app.view, track);
    assert_non_null(strstr(text, "a scheduler of SM 0 issues in "));
    assert_non_null(strstr(text, "Long scoreboard: waits for data from global"));
    assert_non_null(
        strstr(text, "Most of the state Long scoreboard is at FMUL R8, R6, 2.0 (line 31)"));
    names_longest(track, run_end(run), text);
    free(text);
    app_show_cycles(&app, 1, (double)run_end(run));
    text = timeline_summary(&app.view, track);
    assert_null(strstr(text, "The longest wait")); /* too many cycles for a frame */
    free(text);
    app_show_cycles(&app, 0, SEARCHED);
    text = timeline_summary(&app.view, track);
    names_longest(track, SEARCHED, text);
    free(text);
    for (uint64_t cycle = 40000; cycle < 40100; cycle++)
        names_issues(track, cycle);
    app.view.place.cursor = false;
    app_show_cycles(&app, 0, 100); /* before the first block */
    text = timeline_summary(&app.view, track);
    assert_non_null(strstr(text, "0.0 % of the cycles. It has no warp."));
    free(text);
}

/* Returns whether a click on one of the buttons or heads in a row of pixels did `kind`. */
static bool click_at(int y, enum view_target_kind kind, uint32_t value)
{
    for (int x = 0; x < 1280; x += 5) {
        app_move(&app, x, y);
        app_draw(&app, canvas);
        if (app.view.target.kind != kind || app.view.target.value != value)
            continue;
        assert_true(app.view.status[0]);
        app_press(&app, x, y, false);
        app_release(&app, x, y);
        app_move(&app, -1, -1);
        app_draw(&app, canvas);
        return true;
    }
    return false;
}

static void test_buttons(void **state)
{
    (void)state;
    start(SCREEN_TIMELINE);
    const double whole = app.view.place.to - app.view.place.from;
    assert_true(click_at(12, TARGET_ACTION, ACTION_ZOOM_IN));
    assert_true(app.view.place.to - app.view.place.from < whole);
    assert_true(click_at(12, TARGET_ACTION, ACTION_WHOLE));
    assert_true(app.view.place.to - app.view.place.from == whole);
    assert_true(click_at(12, TARGET_ACTION, ACTION_SM_NEXT));
    assert_int_equal(app.view.place.sm, 1);
    assert_true(click_at(12, TARGET_ACTION, ACTION_SEARCH));
    assert_true(app_asks(&app));
}

static void test_source_order(void **state)
{
    (void)state;
    start(SCREEN_SOURCE);
    bool sorted = false;
    for (int y = 80; y < 140 && !sorted; y += 4)
        sorted = click_at(y, TARGET_ORDER, SOURCE_INSTRUCTIONS);
    assert_true(sorted);
    assert_int_equal(app.view.options.source, SOURCE_INSTRUCTIONS);
}

/* Returns the value that an order compares, so that it falls from row to row; NAN: none. */
static double falls(enum source_order order, const struct track_line *sums,
                    const struct source_row *row)
{
    struct source_memory memory;
    const bool has = source_memory(&app.view, row->line, false, &memory);
    switch (order) {
    case SOURCE_INSTRUCTIONS:
        return (double)source_waiting(sums);
    case SOURCE_ISSUES:
        return (double)sums->issues;
    case SOURCE_LANES:
        return -(double)sums->threads / (double)sums->issues;
    case SOURCE_SECTORS:
        return has ? memory.sectors : NAN;
    case SOURCE_HITS:
        return has ? -memory.hits : NAN;
    default:
        return -(double)row->line;
    }
}

/* Every order, forward and backward: values fall or rise, rows without a value come last. */
static void test_source_orders(void **state)
{
    (void)state;
    static const enum source_order orders[] = {SOURCE_CODE,  SOURCE_INSTRUCTIONS, SOURCE_ISSUES,
                                               SOURCE_LANES, SOURCE_SECTORS,      SOURCE_HITS};
    start(SCREEN_SOURCE);
    struct simsm_error error;
    struct track *track = run_track(app.view.run, app.view.place.sm, UINT32_MAX, &error);
    const struct track_line *lines = track_lines(track);
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
        for (int backward = 0; backward < 2; backward++) {
            uint32_t count;
            int changes = 0;
            double last = INFINITY;
            app.view.options.source = orders[i];
            app.view.options.source_backward = backward;
            struct source_row *rows = source_rows(&app.view, lines, &count);
            assert_int_equal(count, run_info(app.view.run)->line_count);
            for (uint32_t k = 0; k < count; k++) {
                double value = falls(orders[i], &lines[rows[k].line], &rows[k]);
                value = isnan(value) ? -INFINITY : backward ? -value : value;
                assert_true(value <= last);
                changes += k > 0 && value < last;
                last = value;
            }
            free(rows);
            assert_true(changes > 0);
        }
    start(SCREEN_SOURCE);
    app_key(&app, "m");
    app_key(&app, "shift+m");
    assert_true(app.view.options.source_backward);
    app_key(&app, "m"); /* the next order begins forward */
    assert_int_equal(app.view.options.source, SOURCE_LINES);
    assert_false(app.view.options.source_backward);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),         cmocka_unit_test(test_ways),
        cmocka_unit_test(test_summary),      cmocka_unit_test(test_buttons),
        cmocka_unit_test(test_source_order), cmocka_unit_test(test_source_orders),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
