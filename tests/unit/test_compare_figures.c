/* Figures of matched launches: errors, agreements, several runs of the same launch. */
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
#include "compare/repeat.h"

static const char cycles[] = "sm__cycles_elapsed.max";

static void near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-9 * fabs(expected) + 1e-12))
        fail_msg("%.12g is expected, found %.12g", expected, value);
}

/* The two sides of a comparison, launch by launch. */
struct sides {
    struct launches simulated, measured;
    struct match match;
};

static struct launch_row *add(struct launches *launches, const char *program, const char *kernel,
                              uint32_t blocks, uint32_t threads)
{
    struct launch_row *row = launches_add(launches, program, kernel);
    assert_non_null(row);
    row->grid[0] = blocks;
    row->block[0] = threads;
    row->grid[1] = row->grid[2] = row->block[1] = row->block[2] = 1;
    return row;
}

static void set(struct launches *launches, size_t row, const char *metric, double value)
{
    assert_true(launches_set(&launches->row[row], launches_metric(launches, metric), value));
}

/* `count` launches of one kernel each, which match in their order. */
static void open_sides(struct sides *s, uint32_t count)
{
    struct simsm_error error;
    memset(s, 0, sizeof *s);
    for (uint32_t i = 0; i < count; i++) {
        (void)add(&s->simulated, "p", "kernel", 10 + i, 32);
        (void)add(&s->measured, "p", "kernel(int)", 10 + i, 32);
    }
    assert_int_equal(match_launches(&s->match, &s->simulated, &s->measured, &error), SIMSM_OK);
    assert_int_equal(s->match.pairs, count);
}

static void close_sides(struct sides *s)
{
    match_free(&s->match);
    launches_free(&s->simulated);
    launches_free(&s->measured);
}

static void set_both(struct sides *s, size_t row, const char *metric, double simulated,
                     double measured)
{
    set(&s->simulated, row, metric, simulated);
    set(&s->measured, row, metric, measured);
}

/* Returns the number of launches that agree in the quantity whose name begins with `what`; fails
 * if some launch lacks it. */
static size_t agreeing(const struct sides *s, const char *what, size_t launches)
{
    struct agreement rows[AGREE_MOST];
    const size_t count = agree_count(&s->match, rows);
    for (size_t i = 0; i < count; i++) {
        if (strncmp(rows[i].what, what, strlen(what)) != 0)
            continue;
        assert_int_equal(rows[i].launches, launches);
        return rows[i].agree;
    }
    fail_msg("nothing is said of %s", what);
    return 0;
}

/* Sums of reads and writes, each side of its tolerance. */
static void sums_agree_within(void **state)
{
    (void)state;
    static const struct {
        const char *what, *read, *write;
        double percent;
    } rows[] = {{"L1 sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
                 "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", 3},
                {"L2 sectors", "lts__t_sectors_srcunit_tex_op_read.sum",
                 "lts__t_sectors_srcunit_tex_op_write.sum", 3},
                {"DRAM bytes", "dram__bytes_read.sum", "dram__bytes_write.sum", 10}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sides s;
        const double least = 1000 - 10 * rows[i].percent, most = 1000 + 10 * rows[i].percent;
        const double simulated[] = {least, most, least - 1, most + 1};
        open_sides(&s, 5);
        for (size_t k = 0; k < 4; k++) { /* 700 + 300 are measured */
            set_both(&s, k, rows[i].read, 700, 700);
            set_both(&s, k, rows[i].write, simulated[k] - 700, 300);
        }
        set_both(&s, 4, rows[i].read, 700, 700); /* without the other, there is no sum */
        assert_int_equal(agreeing(&s, rows[i].what, 4), 2);
        close_sides(&s);
    }
}

/* The main stall reason; warps that issue do not wait. */
static void reasons_agree(void **state)
{
    (void)state;
#define STALL(reason) "smsp__average_warps_issue_stalled_" reason "_per_issue_active.ratio"
    struct sides s;
    char text[FIGURES_STALL];
    open_sides(&s, 4);
    for (size_t i = 0; i < 3; i++) {
        set_both(&s, i, STALL("wait"), 2, 2);
        set_both(&s, i, STALL("barrier"), 1, i == 1 ? 3 : 1);
        set_both(&s, i, STALL("selected"), 9, 8);
    }
    assert_int_equal(agreeing(&s, "what warps wait for most", 3), 2);
    assert_string_equal(figures_main_stall(&s.measured, &s.measured.row[0], text), "wait");
    assert_string_equal(figures_main_stall(&s.measured, &s.measured.row[1], text), "barrier");
    assert_string_equal(figures_main_stall(&s.measured, &s.measured.row[3], text), "");
    close_sides(&s);
}

/* Five runs each of four launches: cycles between the least and the most agree. */
static void ranges_of_runs(void **state)
{
    (void)state;
    static const double runs[] = {1000, 1040, 1010, 1030, 1005, 1020};
    static const double simulated[] = {1000, 1040, 999, 1041};
    struct sides s = {.match = {.pairs = 0}};
    struct simsm_error error;
    struct launch_range range;
    for (uint32_t run = 0; run < 6; run++)
        for (uint32_t i = 0; i < 4; i++) {
            const size_t row = s.measured.rows;
            add(&s.measured, "p", "kernel(int)", 10 + i, 32)->number = i + 1;
            set(&s.measured, row, cycles, runs[run]);
            add(&s.measured, "p", "kernel(int)", 10 + i, 32)->number = i + 1;
            s.measured.row[row + 1].warm = true;
            set(&s.measured, row + 1, cycles, 7);
        }
    for (uint32_t i = 0; i < 4; i++) {
        (void)add(&s.simulated, "p", "kernel", 10 + i, 32);
        set(&s.simulated, i, cycles, simulated[i]);
    }
    assert_true(repeat_merge(&s.measured, false));
    assert_int_equal(s.measured.rows, 4);
    near(launches_get(&s.measured.row[2], 0), 1015); /* the median of six */
    assert_true(launches_range(&s.measured.row[2], 0, &range));
    assert_true(range.low == 1000 && range.high == 1040);
    assert_int_equal(match_launches(&s.match, &s.simulated, &s.measured, &error), SIMSM_OK);
    assert_int_equal(agreeing(&s, "elapsed cycles", 4), 2);
    close_sides(&s);
}

/* Runs of a launch beside one another: each pair once. Another grid or number is another launch. */
static void pairs_of_runs(void **state)
{
    (void)state;
    struct launches all = {0}, first = {0}, second = {0};
    for (uint32_t run = 0; run < 3; run++) {
        for (uint32_t i = 0; i < 3; i++) {
            add(&all, "p", "k", i == 1 ? 20 : 10, 32)->number = i == 2 ? 2 : 1;
            set(&all, all.rows - 1, cycles, 100 * (i + 1) + run);
        }
    }
    assert_true(repeat_pairs(&all, false, &first, &second));
    assert_int_equal(first.rows, 9);
    assert_int_equal(second.rows, 9);
    for (size_t i = 0; i < 9; i++) {
        const double a = launches_get(&first.row[i], 0), b = launches_get(&second.row[i], 0);
        assert_true(a < b && b - a < 3);
        assert_int_equal(first.row[i].grid[0], second.row[i].grid[0]);
    }
    launches_free(&all);
    launches_free(&first);
    launches_free(&second);
}

/* Metrics under another name; launches without an error; the mean of the two in the middle. */
static void errors_of_launches(void **state)
{
    (void)state;
    struct sides s;
    struct figures figures;
    struct simsm_error error;
    open_sides(&s, 4);
    for (size_t i = 0; i < 4; i++) {
        set(&s.simulated, i, cycles, 1000 + 100 * (double)i);
        set(&s.measured, i, "gpc__cycles_elapsed.max", 1000);
        set(&s.simulated, i, "smsp__inst_executed.sum", 50);
        set(&s.measured, i, "sm__inst_executed.sum", 100);
        set_both(&s, i, "dram__bytes_read.sum", 0, 0);
        set_both(&s, i, "dram__bytes_write.sum", i == 3 ? 5 : 0, 0);
    }
    assert_int_equal(figures_find(&figures, &s.match, &error), SIMSM_OK);
    const struct figure *f = figures_named(&figures, "gpc__cycles_elapsed.max");
    assert_ptr_equal(f, &figures.figure[figures.headline]); /* 0, 10, 20, 30 % */
    near(f->median, 15);
    near(f->p90, 30);
    assert_false(f->zero);
    near(figures_named(&figures, "sm__inst_executed.sum")->mean, 50);
    const struct figure *zeros = figures_named(&figures, "dram__bytes_read.sum");
    assert_true(zeros->launches == 4 && zeros->zero);
    near(zeros->mean, 0);
    const struct figure *some = figures_named(&figures, "dram__bytes_write.sum");
    assert_int_equal(some->launches, 3); /* above 0 in place of 0 has no size */
    assert_false(some->zero && isnan(some->mean));
    struct figure of = *f;
    const struct figure by = {.measured = launches_find(&s.measured, "dram__bytes_write.sum")};
    set(&s.measured, 1, "dram__bytes_write.sum", 9);
    assert_int_equal(figure_compute(&of, &s.match, &by, 5, &error), SIMSM_OK);
    assert_int_equal(of.launches, 1);
    near(of.mean, 10);
    figures_free(&figures);
    close_sides(&s);
}

/* Launches of a program belong to that program, and of a shape to that shape. */
static void launches_find_their_own(void **state)
{
    (void)state;
    struct sides s = {.match = {.pairs = 0}};
    struct simsm_error error;
    for (uint32_t i = 0; i < 4; i++) { /* simulated in another order than measured */
        (void)add(&s.simulated, i < 2 ? "b" : "a", "k", 8, i % 2 ? 64 : 32);
        (void)add(&s.measured, i < 2 ? "a" : "b", "k", 8, i % 2 ? 32 : 64);
    }
    assert_int_equal(match_launches(&s.match, &s.simulated, &s.measured, &error), SIMSM_OK);
    assert_int_equal(s.match.pairs, 4);
    for (size_t i = 0; i < 4; i++) {
        const struct match_pair *pair = &s.match.pair[i];
        assert_string_equal(pair->simulated->program, pair->measured->program);
        assert_int_equal(pair->simulated->block[0], pair->measured->block[0]);
    }
    char text[KERNEL_NAME];
    assert_string_equal(kernel_function("_ZNK3foo3barEv", text), "bar");
    close_sides(&s);
}

/* Processes of several numbers have launches of the same; times, notes and stray lines. */
static void tables_of_a_profiler(void **state)
{
    (void)state;
    static const char table[] =
        "\"ID\",\"Process ID\",\"Process Name\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\","
        "\"Metric Value\"\n"
        "\"0\",\"7\",\"a\",\"k\",\"gpu__time_duration.sum\",\"msecond\",\"2\"\n"
        "==WARNING== of ncu\n"
        "\"0\",\"7\",\"a\",\"k\",\"sm__cycles_active.avg\",\"cycle\",\"(!) n/a\"\n"
        "\"0\",\"8\",\"a\",\"k\",\"gpu__time_duration.sum\",\"us\",\"3\"\n"
        "\"0\",\"8\",\"a\",\"k\",\"dram__cycles_elapsed.avg.per_second\",\"cycle/nsecond\",\"1\"\n";
    char path[] = "/tmp/simsm-test-XXXXXX";
    struct launches l = {0};
    struct simsm_error error;
    FILE *file = fdopen(mkstemp(path), "w");
    assert_non_null(file);
    (void)fputs(table, file);
    assert_int_equal(fclose(file), 0);
    if (ncu_read(&l, path, &error) != SIMSM_OK)
        fail_msg("%s", error.message);
    assert_int_equal(l.rows, 2);
    assert_int_equal(l.row[1].number, 2);
    near(launches_get(&l.row[0], 0), 2e6);
    near(launches_get(&l.row[1], 0), 3e3);
    near(launches_get(&l.row[1], launches_find(&l, "dram__cycles_elapsed.avg.per_second")), 1e9);
    assert_true(isnan(launches_get(&l.row[0], launches_find(&l, "sm__cycles_active.avg"))));
    assert_true(isnan(launches_get(&l.row[1], launches_find(&l, "sm__cycles_active.avg"))));
    launches_free(&l);
    (void)unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_agree_within),    cmocka_unit_test(reasons_agree),
        cmocka_unit_test(ranges_of_runs),       cmocka_unit_test(pairs_of_runs),
        cmocka_unit_test(errors_of_launches),   cmocka_unit_test(launches_find_their_own),
        cmocka_unit_test(tables_of_a_profiler),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
