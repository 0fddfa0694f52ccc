/* Launches of Nsight Compute and of simsm: read, matched, and how far they are apart. */
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

#include "compare/agree.h"
#include "compare/ncu.h"
#include "compare/runs.h"

static void near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-9 * fabs(expected) + 1e-12))
        fail_msg("%.12g is expected, found %.12g", expected, value);
}

static void test_names(void **state)
{
    static const char *const names[][2] = {
        {"saxpy(float, const float *, float *, int)", "saxpy"},
        {"void math::scale<float>(float *, int)", "scale"},
        {"_Z5saxpyfPKfPfi", "saxpy"},
        {"_ZN4math5scaleIfEEvPfi", "scale"},
        {"_ZN12_GLOBAL__N_14fillEPi", "fill"},
        {"void (anonymous namespace)::fill(int *)", "fill"},
        {"(anonymous namespace)::fill(int *)", "fill"},
        {"plain", "plain"},
        {"_Z99cut", "_Z99cut"},
        {"", ""},
    };
    char text[KERNEL_NAME];
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_string_equal(kernel_function(names[i][0], text), names[i][1]);
}

static void test_numbers(void **state)
{
    double value;
    (void)state;
    assert_true(ncu_number("1,234,567.5", &value));
    near(value, 1234567.5);
    assert_true(ncu_number("12 (3; 4; 5)", &value));
    near(value, 12);
    assert_true(ncu_number("-0.5", &value));
    near(value, -0.5);
    for (int i = 0; i < 4; i++) {
        static const char *const none[] = {"n/a", "", "CachePreferNone", "-nan"};
        assert_true(ncu_number(none[i], &value));
        assert_true(isnan(value));
    }
    assert_false(ncu_number("1.234,5", &value)); /* a decimal comma */
    assert_false(ncu_number("12,34", &value));
    assert_false(ncu_number("12x", &value));
    assert_false(ncu_number("1e999", &value));
    near(ncu_unit("usecond"), 1e3);
    near(ncu_unit("ms"), 1e6);
    near(ncu_unit("Kbyte"), 1e3);
    near(ncu_unit("Gbyte/second"), 1);
    near(ncu_unit("byte/s"), 1e-9);
    near(ncu_unit("%"), 1);
    assert_string_equal(ncu_label("Occupancy", "Achieved Occupancy"),
                        "sm__warps_active.avg.pct_of_peak_sustained_active");
    assert_string_equal(ncu_label("GPU Speed Of Light Throughput", "Memory Throughput"),
                        "Memory Throughput"); /* a share there, a rate elsewhere */
}

static double value_of(const struct launches *launches, size_t row, const char *metric)
{
    return launches_get(&launches->row[row], launches_find(launches, metric));
}

static void read_measured(struct launches *launches, const char *name)
{
    struct simsm_error error;
    if (ncu_read(launches, name, &error) != SIMSM_OK)
        fail_msg("%s: %s", name, error.message);
}

static void test_raw(void **state)
{
    struct launches l = {0};
    (void)state;
    read_measured(&l, "tests/data/compare/raw.csv");
    assert_int_equal(l.rows, 3);
    assert_string_equal(l.row[0].program, "app");
    assert_int_equal(l.row[1].block[0], 256);
    assert_int_equal(l.row[2].number, 3);
    near(value_of(&l, 0, "dram__bytes_read.sum"), 1500);
    near(value_of(&l, 1, "gpu__time_duration.sum"), 5500);
    near(value_of(&l, 2, "sm__cycles_elapsed.max"), 40000);
    assert_true(isnan(value_of(&l, 1, "dram__bytes_read.sum")));
    launches_free(&l);
}

static void test_details(void **state)
{
    struct launches l = {0};
    (void)state;
    read_measured(&l, "tests/data/compare/details.csv");
    assert_int_equal(l.rows, 2);
    near(value_of(&l, 0, "gpc__cycles_elapsed.max"), 4000);
    near(value_of(&l, 0, "gpu__time_duration.sum"), 2000);
    near(value_of(&l, 0, "dram__bytes.sum.per_second"), 320.5);
    near(value_of(&l, 1, "gpc__cycles_elapsed.max"), 10000);
    assert_true(isnan(value_of(&l, 1, "gpu__time_duration.sum")));
    launches_free(&l);
}

static void read_simulated(struct launches *launches)
{
    static const char file[] = "tests/data/compare/app.jsonl";
    struct simsm_error error;
    char gpu[RUNS_GPU];
    if (runs_read(launches, file, gpu, &error) != SIMSM_OK)
        fail_msg("%s: %s", file, error.message);
    runs_sort(launches);
    assert_string_equal(gpu, "Test GPU");
}

static void test_figures(void **state)
{
    struct launches simulated = {0}, measured = {0};
    struct match match;
    struct figures figures;
    struct agreement rows[AGREE_MOST];
    struct simsm_error error;
    (void)state;
    read_simulated(&simulated);
    assert_int_equal(simulated.row[2].number, 10); /* behind 2 */
    read_measured(&measured, "tests/data/compare/raw.csv");
    assert_int_equal(match_launches(&match, &simulated, &measured, &error), SIMSM_OK);
    assert_int_equal(match.pairs, 3);
    assert_ptr_equal(match.pair[2].simulated, &simulated.row[2]);
    assert_int_equal(figures_find(&figures, &match, &error), SIMSM_OK);
    const struct figure *f = &figures.figure[figures.headline];
    assert_string_equal(f->name, "sm__cycles_elapsed.max"); /* +10 %, -20 %, 0 */
    near(f->mean, 10);
    near(f->median, 10);
    near(f->p90, 20);
    near(f->worst, 20);
    assert_int_equal(f->worst_pair, 1);
    assert_true(f->correlation > 0.97 && f->correlation < 1);
    f = figures_named(&figures, "sm__warps_active.avg.pct_of_peak_sustained_active");
    assert_true(f && f->points); /* +2, -5, 0 points */
    near(f->mean, 7.0 / 3);
    f = figures_named(&figures, "dram__bytes_read.sum"); /* n/a in the second */
    assert_int_equal(f->launches, 2);
    near(f->worst, 10);
    assert_int_equal(agree_count(&match, rows), 2);
    assert_int_equal(rows[0].agree, 2); /* 1001 are not 1000 instructions */
    assert_int_equal(rows[1].agree, 3); /* 5 points are within 5 points */
    figures_free(&figures);
    match_free(&match);
    launches_free(&simulated);
    launches_free(&measured);
}

/* Launches that only one side has are left over; others keep their order. */
static void test_unmatched(void **state)
{
    struct launches simulated = {0}, measured = {0};
    struct match match;
    struct simsm_error error;
    (void)state;
    for (int i = 0; i < 3; i++)
        assert_non_null(launches_add(&simulated, "p", i == 1 ? "b" : "a"));
    for (int i = 0; i < 3; i++)
        assert_non_null(launches_add(&measured, "q", i == 0 ? "void c(int)" : "a(int)"));
    assert_int_equal(match_launches(&match, &simulated, &measured, &error), SIMSM_OK);
    assert_int_equal(match.pairs, 2);
    assert_ptr_equal(match.pair[0].simulated, &simulated.row[0]);
    assert_ptr_equal(match.pair[1].simulated, &simulated.row[2]);
    assert_int_equal(match.only_measured, 1);
    assert_ptr_equal(match.pair[2].measured, &measured.row[0]);
    assert_ptr_equal(match.pair[3].simulated, &simulated.row[1]);
    match_free(&match);
    launches_free(&simulated);
    launches_free(&measured);
}

static void refused(const char *text, const char *part)
{
    char path[] = "/tmp/simsm-test-XXXXXX";
    struct launches l = {0};
    struct simsm_error error;
    FILE *file = fdopen(mkstemp(path), "w");
    assert_non_null(file);
    (void)fputs(text, file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(ncu_read(&l, path, &error), SIMSM_BAD_INPUT);
    if (!strstr(error.message, part))
        fail_msg("'%s' is expected in: %s", part, error.message);
    launches_free(&l);
    (void)unlink(path);
}

static void test_refused(void **state)
{
    (void)state;
    refused("hello\n", "no line begins with");
    refused("\"ID\",\"x__y\"\n", "\"Kernel Name\" are expected");
    refused("ID,Kernel Name,Grid Size\n0,k,1\n", "no column is a metric");
    refused("ID,Kernel Name,x__y\n", "no launch");
    refused("ID,Kernel Name,x__y\n0,k\n", "3 cells are expected, found 2");
    refused("ID,Kernel Name,x__y\n0,k,\"1,2\"\n", "x__y: a number such as 1,234.5");
    refused("ID,Kernel Name,x__y\n0,\"k,1\n", "closing quote");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),   cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_raw),     cmocka_unit_test(test_details),
        cmocka_unit_test(test_figures), cmocka_unit_test(test_unmatched),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
