/* Tables of results: what goes where, means, baselines; and the bars that are drawn of them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "draw/bar_chart.h"
#include "results/figure.h"

static char path[64];

#define CYCLES "sm__cycles_elapsed.max"

#define DONE(call) assert_int_equal(call, SIMSM_OK)

/* Two kernels, two schedulers, two seeds; the last point has failed. */
static const struct {
    const char *kernel, *scheduler, *seed;
    double cycles; /* 0: failed */
} points[] = {
    {"a", "lrr", "1", 100}, {"a", "lrr", "2", 200}, {"a", "gto", "1", 50}, {"a", "gto", "2", 50},
    {"b", "lrr", "1", 10},  {"b", "lrr", "2", 10},  {"b", "gto", "1", 20}, {"b", "gto", "2", 0},
};

enum { POINTS = sizeof points / sizeof points[0] };

static void write_point(struct store *store, int64_t sweep, int64_t config, size_t i)
{
    struct simsm_error error;
    struct texts varied = {0};
    const struct texts set = {0};
    char text[64], identity[16];
    int64_t number;
    enum store_state state;
    (void)snprintf(identity, sizeof identity, "%zu", i);
    const struct store_point row = {
        .identity = identity, .version = "v", .kind = "trace", .config = config, .arguments = ""};
    DONE(store_point(store, &row, &number, &state, &error));
    (void)snprintf(text, sizeof text, "sm.scheduler=%s", points[i].scheduler);
    assert_true(texts_add(&varied, text, 0, 0));
    (void)snprintf(text, sizeof text, "run.seed=%s", points[i].seed);
    assert_true(texts_add(&varied, text, 0, 0));
    const struct store_member member = {sweep, number, "t4", points[i].kernel, &varied, &set};
    DONE(store_member(store, &member, &error));
    struct sweep_outcome outcome = {.kernel = "k"};
    outcome.metric[METRIC_CYCLES_ELAPSED] = points[i].cycles;
    outcome.metric[METRIC_STALL] = 1;
    outcome.metric[METRIC_STALL + 3] = 3;
    outcome.metric[METRIC_PIPE_BUSY] = points[i].scheduler[0] == 'l' ? 0 : 5;
    DONE(store_outcome(store, number, &outcome, points[i].cycles > 0 ? NULL : "failed", &error));
    texts_free(&varied);
}

static int write_results(void **state)
{
    struct store *store;
    struct simsm_error error;
    int64_t sweep, config;
    (void)state;
    DONE(store_open(&store, path, &error));
    DONE(store_begin(store, &error));
    DONE(store_config(store, "h", "", &config, &error));
    DONE(store_sweep(store, "s", "", "", &sweep, &error));
    for (size_t i = 0; i < POINTS; i++)
        write_point(store, sweep, config, i);
    DONE(store_commit(store, &error));
    store_close(store);
    return 0;
}

static int remove_results(void **state)
{
    (void)state;
    return unlink(path);
}

static void open_results(struct results *results)
{
    struct texts names = {0};
    struct simsm_error error = {.message = ""};
    assert_true(texts_add(&names, CYCLES, 0, 0));
    if (results_open(results, path, NULL, &names, &error) != SIMSM_OK)
        fail_msg("%s", error.message);
    texts_free(&names);
}

static struct pivot_request request_of(const char *baseline, bool inverse, enum pivot_reduce reduce)
{
    struct pivot_request request = {
        .metric = CYCLES, .baseline = baseline, .inverse = inverse, .reduce = reduce};
    assert_true(texts_add(&request.rows, "kernel", 0, 0));
    assert_true(texts_add(&request.columns, "sm.scheduler", 0, 0));
    return request;
}

static void free_request(struct pivot_request *request)
{
    texts_free(&request->rows);
    texts_free(&request->columns);
}

/* Rows a, b; columns lrr, gto. */
static void expect_cells(const char *baseline, bool inverse, enum pivot_reduce reduce,
                         const double cell[4])
{
    struct results results;
    struct pivot pivot;
    struct simsm_error error;
    struct pivot_request request = request_of(baseline, inverse, reduce);
    open_results(&results);
    DONE(pivot_make(&pivot, &results, &request, &error));
    assert_int_equal(pivot.row.count, 2);
    assert_int_equal(pivot.column.count, 2);
    assert_string_equal(pivot.row.item[1].text, "b");
    assert_string_equal(pivot.column.item[1].text, "gto");
    assert_int_equal(pivot.left_out, 1);
    assert_int_equal(pivot.most, 2);
    for (int i = 0; i < 4; i++) {
        if (fabs(pivot.cell[i] - cell[i]) > 1e-12 * cell[i])
            fail_msg("cell %d: %g, not %g", i, pivot.cell[i], cell[i]);
    }
    for (int c = 0; c < 2 && baseline; c++)
        assert_true(fabs(pivot.mean[c] - sqrt(cell[c] * cell[2 + c])) < 1e-12);
    assert_true(baseline || isnan(pivot.mean[0]));
    pivot_free(&pivot);
    free_request(&request);
    results_close(&results);
}

static void test_reduce(void **state)
{
    (void)state;
    expect_cells(NULL, false, PIVOT_MEAN, (const double[]){150, 50, 10, 20});
    expect_cells(NULL, false, PIVOT_SUM, (const double[]){300, 100, 20, 20});
    expect_cells(NULL, false, PIVOT_MIN, (const double[]){100, 50, 10, 20});
    expect_cells(NULL, false, PIVOT_MAX, (const double[]){200, 50, 10, 20});
    expect_cells(NULL, false, PIVOT_GEOMEAN, (const double[]){sqrt(20000), 50, 10, 20});
}

/* Each point beside the one of its own seed. */
static void test_baseline(void **state)
{
    (void)state;
    expect_cells("sm.scheduler=lrr", false, PIVOT_MEAN, (const double[]){1, 0.375, 1, 2});
    expect_cells("sm.scheduler=lrr", true, PIVOT_MEAN, (const double[]){1, 3, 1, 0.5});
    struct results results;
    struct pivot pivot;
    struct simsm_error error;
    static const char *const wrong[] = {"sm.scheduler=oldest", "sm.scheduler", "=lrr"};
    for (size_t i = 0; i < 3; i++) {
        struct pivot_request request = request_of(wrong[i], false, PIVOT_MEAN);
        open_results(&results);
        assert_int_equal(pivot_make(&pivot, &results, &request, &error), SIMSM_BAD_INPUT);
        pivot_free(&pivot);
        free_request(&request);
        results_close(&results);
    }
}

/* Ratios to 0 are undefined; such points are distinguished from points without a value. */
static void test_no_baseline(void **state)
{
    (void)state;
    struct results results;
    struct pivot pivot;
    struct simsm_error error;
    struct simsm_metric metrics[METRIC_COUNT];
    struct texts names = {0};
    metrics_describe(metrics);
    assert_true(texts_add(&names, metrics[METRIC_PIPE_BUSY].name, 0, 0));
    DONE(results_open(&results, path, NULL, &names, &error));
    struct pivot_request request = request_of("sm.scheduler=lrr", false, PIVOT_MEAN);
    request.metric = metrics[METRIC_PIPE_BUSY].name;
    DONE(pivot_make(&pivot, &results, &request, &error));
    for (int i = 0; i < 4; i++)
        assert_true(isnan(pivot.cell[i]));
    assert_int_equal(pivot.without, POINTS - 1);
    assert_int_equal(pivot.left_out, 1);
    pivot_free(&pivot);
    free_request(&request);
    texts_free(&names);
    results_close(&results);
}

static uint32_t count_of(const char *text, const char *word)
{
    uint32_t count = 0;
    for (; (text = strstr(text, word)); text++)
        count++;
    return count;
}

static void test_chart(void **state)
{
    (void)state;
    static const char *const group[] = {"one & two", "three"}, *const series[] = {"x", "y"};
    const double value[] = {1, 2, NAN, 4};
    struct bar_chart chart = {
        .group = group, .series = series, .groups = 2, .count = 2, .value = value, .guide = 1};
    for (int stacked = 0; stacked < 2; stacked++) {
        char *text = NULL;
        size_t size;
        FILE *file = open_memstream(&text, &size);
        chart.stacked = stacked != 0;
        bar_chart_svg(file, &chart, 400, 300);
        (void)fclose(file);
        assert_int_equal(count_of(text, "<rect"), 1 + 2 + 3); /* ground, legend, bars */
        assert_int_equal(count_of(text, "class=\"guide\""), 1);
        assert_non_null(strstr(text, "one &amp; two"));
        assert_null(strstr(text, "nan"));
        /* Bars are as high as their values: 2 and 4 of the second colour. */
        double height[2] = {0};
        const char *at = text;
        for (int i = 0; i < 3; i++)
            at = strstr(at + 1, "<rect"); /* past the ground and the legend */
        for (int i = 0, found = 0; i < 3; i++) {
            at = strstr(at + 1, "<rect");
            assert_non_null(at);
            const char *attribute = strstr(at, "height=\"");
            assert_non_null(attribute);
            const double h = strtod(attribute + strlen("height=\""), NULL);
            if (i)
                height[found++] = h;
        }
        assert_true(fabs(height[1] - 2 * height[0]) < 0.1);
        free(text);
    }
}

/* The shares of a bar are those of its points: a quarter and three. */
static void test_stack(void **state)
{
    (void)state;
    struct texts names = {0};
    struct results results;
    struct simsm_error error;
    struct pivot_request request = request_of(NULL, false, PIVOT_MEAN);
    char *text = NULL;
    size_t size;
    assert_true(figure_states(&names));
    DONE(results_open(&results, path, NULL, &names, &error));
    FILE *file = open_memstream(&text, &size);
    DONE(figure_stack(file, &results, &request, "title <1>", &error));
    (void)fclose(file);
    assert_int_equal(count_of(text, "<rect"), 1 + 3 + 4 * 2); /* two states and the others */
    assert_non_null(strstr(text, "title &lt;1&gt;"));
    free(text);
    texts_free(&names);
    free_request(&request);
    results_close(&results);
}

/* Curves go over numbers alone. */
static void test_curves(void **state)
{
    (void)state;
    struct results results;
    struct simsm_error error;
    const struct texts titles = {0};
    for (int numbers = 0; numbers < 2; numbers++) {
        struct pivot_request request = request_of(NULL, false, PIVOT_MEAN);
        char *text = NULL;
        size_t size;
        if (numbers) {
            texts_free(&request.rows);
            assert_true(texts_add(&request.rows, "run.seed", 0, 0));
        }
        open_results(&results);
        FILE *file = open_memstream(&text, &size);
        assert_int_equal(figure_curves(file, &results, &request, 1, &titles, &error),
                         numbers ? SIMSM_OK : SIMSM_BAD_INPUT);
        (void)fclose(file);
        assert_int_equal(count_of(text, "<circle"), numbers ? 4 : 0);
        free(text);
        free_request(&request);
        results_close(&results);
    }
}

int main(void)
{
    (void)snprintf(path, sizeof path, "/tmp/simsm-results-%ld.sqlite", (long)getpid());
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reduce), cmocka_unit_test(test_baseline),
        cmocka_unit_test(test_chart),  cmocka_unit_test(test_stack),
        cmocka_unit_test(test_curves), cmocka_unit_test(test_no_baseline),
    };
    return cmocka_run_group_tests(tests, write_results, remove_results);
}
