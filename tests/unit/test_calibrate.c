/* Fitting keys to points, and writing them into a configuration's file. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/infile.h"
#include "calibrate/fit_write.h"
#include "calibrate/simulate.h"
#include "simsm/simsm.h"

/* A table of its own: a chain of FFMA, and a load from memory. */
static const char table_text[] =
    "kernels: clocks.cu\n"
    "defaults: {shows: x, unit: cycles, kind: latency, grid: 1, block: 32}\n"
    "points:\n"
    "  - name: chain\n"
    "    kernel: chain\n"
    "    buffers: {out: {count: 2, type: u64}, sink: {count: 32, type: f32}}\n"
    "    arguments: [buffer: out, buffer: sink, f32: 0.5]\n"
    "    result: {of: out, take: span, over: 64}\n"
    "  - name: load\n"
    "    kernel: kinds\n"
    "    buffers: {out: {count: 5, type: u64}, n: {count: 1}, in: {count: 32}}\n"
    "    arguments: [buffer: out, buffer: n, buffer: in]\n"
    "    result: {metric: sm__cycles_elapsed.max}\n";

struct fixture {
    char folder[64];
    struct tables tables;
    struct fact fact[2];
    struct facts facts;
    struct simsm_config config;
};

static void write_text(const char *folder, const char *name, const char *text)
{
    char path[200];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    (void)fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void copy_cubin(const char *folder)
{
    char path[200], *bytes = NULL;
    size_t size = 0;
    struct simsm_error error;
    (void)snprintf(path, sizeof path, "%s/sm_75", folder);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(infile_read("tests/data/sass/execute/clocks.sm_75.cubin", "cubin", 1 << 20,
                                 &bytes, &size, &error),
                     SIMSM_OK);
    (void)snprintf(path, sizeof path, "%s/sm_75/clocks.cubin", folder);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    free(bytes);
}

static int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    struct simsm_error error;
    assert_non_null(f);
    (void)snprintf(f->folder, sizeof f->folder, "/tmp/simsm-calibrate-XXXXXX");
    assert_non_null(mkdtemp(f->folder));
    write_text(f->folder, "clocks.yaml", table_text);
    copy_cubin(f->folder);
    assert_int_equal(tables_open(&f->tables, f->folder, NULL, 0, &error), SIMSM_OK);
    assert_int_equal(simsm_config_load(&f->config, "configs/t4.yaml", &error), SIMSM_OK);
    f->fact[0] = (struct fact){.file = "clocks",
                               .point = "chain",
                               .value = 4.06,
                               .min = 4.0,
                               .max = 4.1,
                               .trust = "measured"};
    f->fact[1] = (struct fact){.file = "clocks",
                               .point = "load",
                               .value = 500,
                               .min = 500,
                               .max = 510,
                               .trust = "measured"};
    f->facts = (struct facts){f->fact, 2};
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    char command[200];
    tables_close(&f->tables);
    (void)snprintf(command, sizeof command, "rm -r %s", f->folder);
    assert_int_equal(system(command), 0);
    free(f);
    return 0;
}

static enum simsm_status run(struct fixture *f, const struct fit_rule *rules, struct fit *fit,
                             struct simsm_error *error)
{
    const struct fit_task task = {.rules = rules, .tables = &f->tables, .facts = &f->facts};
    return fit_run(fit, &task, &f->config, error);
}

/* Returns the cycles of the kernel with the load in the simulator. */
static double load_cycles(struct fixture *f, const char *setting)
{
    struct simsm_config config = f->config;
    struct simsm_error error;
    struct point *point = malloc(sizeof *point);
    struct measured *measured = malloc(sizeof *measured);
    char cubin[PLAN_PATH];
    assert_non_null(point);
    assert_non_null(measured);
    assert_int_equal(simsm_config_set(&config, setting, &error), SIMSM_OK);
    tables_cubin(&f->tables, &f->tables.table[0], 75, cubin);
    assert_int_equal(table_point(&f->tables.table[0], 1, point, &error), SIMSM_OK);
    assert_int_equal(simulate(point, cubin, &config, NULL, measured, &error), SIMSM_OK);
    double value = measured->value;
    point_free(point);
    free(point);
    free(measured);
    return value;
}

/* Code of a lower minor version serves, that of another generation does not. */
static void test_cubin_of_a_generation(void **state)
{
    struct fixture *f = *state;
    const struct table *table = &f->tables.table[0];
    char exact[PLAN_PATH], later[PLAN_PATH], other[PLAN_PATH];
    tables_cubin(&f->tables, table, 75, exact);
    tables_cubin(&f->tables, table, 79, later);
    tables_cubin(&f->tables, table, 80, other);
    assert_non_null(strstr(exact, "/sm_75/"));
    assert_string_equal(later, exact);
    assert_non_null(strstr(other, "/sm_80/"));
}

static void test_values(void **state)
{
    struct fixture *f = *state;
    static const struct fit_rule rules[] = {
        {"ops.fp32.latency", "clocks", "chain", FIT_BY_VALUE, 1, NULL, 0, 0},
        {"dram.bandwidth_gbs", "clocks", "load", FIT_BY_VALUE, 0.5, NULL, 0, 0},
        {"l2.latency", "clocks", "load", FIT_BY_LESS, 1, "ops.fp32.latency", 0, 0},
        {"l1.latency", "clocks", "missing", FIT_BY_VALUE, 1, NULL, 0, 0},
        {"ops.int.latency", "clocks", "load", FIT_BY_DIFFERENCE, 0.1, "chain", 0, 0},
        {"l1.latency", "clocks", "load", FIT_BY_DIFFERENCE, 1, "missing", 0, 0},
        {.key = NULL}};
    struct fit fit;
    struct simsm_error error;
    const uint32_t l1 = f->config.l1_latency;
    f->config.ops[SIMSM_OP_FP32].latency = 9;
    f->config.dram_latency = 600; /* more than that of L2 */
    assert_int_equal(run(f, rules, &fit, &error), SIMSM_OK);
    assert_int_equal(f->config.ops[SIMSM_OP_FP32].latency, 4);
    assert_true(f->config.dram_bandwidth_gbs == 250.0);
    assert_int_equal(f->config.l2_latency, 496);
    assert_int_equal(f->config.l1_latency, l1);
    assert_string_equal(fit.row[0].before, "9");
    assert_string_equal(fit.row[0].after, "4");
    assert_null(fit.row[3].fact);
    assert_int_equal(f->config.ops[SIMSM_OP_INT].latency, 50); /* (500 - 4.06) / 10 */
    assert_null(fit.row[5].fact);
    fit_free(&fit);
    /* Published values are for comparison only. */
    (void)snprintf(f->fact[1].source, sizeof f->fact[1].source, "Somebody, 2019");
    f->fact[1].value = 900;
    assert_int_equal(run(f, rules, &fit, &error), SIMSM_OK);
    assert_null(fit.row[1].fact);
    assert_true(f->config.dram_bandwidth_gbs == 250.0);
    fit_free(&fit);
}

static void test_solve(void **state)
{
    struct fixture *f = *state;
    static const struct fit_rule rules[] = {
        {"dram.latency", "clocks", "load", FIT_BY_SOLVE, 1, NULL, 400, 1200}, {.key = NULL}};
    struct fit fit;
    struct simsm_error error;
    f->fact[1].value = load_cycles(f, "dram.latency=777");
    assert_true(f->fact[1].value > load_cycles(f, "dram.latency=770"));
    assert_int_equal(run(f, rules, &fit, &error), SIMSM_OK);
    assert_int_equal(f->config.dram_latency, 777);
    assert_true(fit.row[0].simulated == f->fact[1].value);
    assert_false(fit.row[0].out_of_range);
    fit_free(&fit);
    f->fact[1].value = 9000; /* no value gives it: the nearest */
    assert_int_equal(run(f, rules, &fit, &error), SIMSM_OK);
    assert_int_equal(f->config.dram_latency, 1200);
    assert_true(fit.row[0].out_of_range);
    fit_free(&fit);
}

/* A bound that other keys forbid is moved: DRAM cannot be nearer than L2, nor L2 farther. */
static void test_solve_within_other_keys(void **state)
{
    struct fixture *f = *state;
    static const struct fit_rule dram[] = {
        {"dram.latency", "clocks", "load", FIT_BY_SOLVE, 1, NULL, 50, 1200}, {.key = NULL}};
    static const struct fit_rule l2[] = {
        {"l2.latency", "clocks", "load", FIT_BY_SOLVE, 1, NULL, 50, 1200}, {.key = NULL}};
    struct fit fit;
    struct simsm_error error;
    f->fact[1].value = load_cycles(f, "dram.latency=450");
    assert_int_equal(run(f, dram, &fit, &error), SIMSM_OK);
    assert_int_equal(f->config.dram_latency, 450);
    assert_false(fit.row[0].out_of_range);
    fit_free(&fit);
    f->fact[1].value = 9000;
    assert_int_equal(run(f, l2, &fit, &error), SIMSM_OK);
    assert_true(f->config.l2_latency < 450);
    assert_true(fit.row[0].out_of_range);
    fit_free(&fit);
    f->fact[1].value = 1;
    assert_int_equal(run(f, dram, &fit, &error), SIMSM_OK);
    assert_int_equal(f->config.dram_latency, f->config.l2_latency + 1);
    assert_true(fit.row[0].out_of_range);
    fit_free(&fit);
}

static void test_bad_rules(void **state)
{
    struct fixture *f = *state;
    static const struct fit_rule rules[][2] = {
        {{"l1.latenzy", "clocks", "load", FIT_BY_VALUE, 1, NULL, 0, 0}, {.key = NULL}},
        {{"sm.scheduler", "clocks", "load", FIT_BY_VALUE, 1, NULL, 0, 0}, {.key = NULL}},
        {{"l1.latency", "clocks", "load", FIT_BY_LESS, 1, "l1.nothing", 0, 0}, {.key = NULL}},
        {{"gpu.sms", "clocks", "load", FIT_BY_VALUE, -1, NULL, 0, 0}, {.key = NULL}}};
    struct fit fit;
    struct simsm_error error;
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        assert_int_equal(run(f, rules[i], &fit, &error), SIMSM_FAILED);
        fit_free(&fit);
    }
}

/* The rules of the program: keys that are there. */
static void test_rules(void **state)
{
    struct fixture *f = *state;
    struct fit fit;
    struct simsm_error error;
    f->facts.facts = 0;
    assert_int_equal(run(f, fit_rules, &fit, &error), SIMSM_OK);
    fit_free(&fit);
}

static const struct fit_rule write_rules[] = {
    {"ops.fp32.latency", "clocks", "chain", FIT_BY_VALUE, 1, NULL, 0, 0},
    {"ops.fp32.interval", "clocks", "chain", FIT_BY_VALUE, 0.25, NULL, 0, 0},
    {"ops.int.latency", "clocks", "chain", FIT_BY_VALUE, 1, NULL, 0, 0},
    {"l1.latency", "clocks", "chain", FIT_BY_VALUE, 10, NULL, 0, 0},
    {"l1.mshrs", "clocks", "load", FIT_BY_DIFFERENCE, 1, "chain", 0, 0},
    {"dram.latency", "clocks", "load", FIT_BY_VALUE, 1, NULL, 0, 0},
    {.key = NULL}};

static void check_written(struct fixture *f, const char *name, const char *expected)
{
    struct fit fit;
    struct simsm_error error;
    char path[200], *text = NULL;
    size_t size = 0;
    assert_int_equal(run(f, write_rules, &fit, &error), SIMSM_OK);
    (void)snprintf(path, sizeof path, "%s/%s", f->folder, name);
    assert_int_equal(fit_write(&fit, path, "T4 2026-11-21", &text, &size, &error), SIMSM_OK);
    assert_string_equal(text, expected);
    assert_int_equal(size, strlen(text));
    fit_free(&fit);
    free(text);
}

/* A file of its own lines, one that only builds on another, and what was written once again. */
static void test_write(void **state)
{
    struct fixture *f = *state;
    static const char before[] =
        "base: t4.yaml # what a T4 is\n"
        "dram:\n"
        "  latency: 7 # [estimate] a guess\n"
        "ops:\n"
        "  fp32: {latency: 9}                # [paper] Somebody: 9; lanes\n"
        "  int: {latency: 9, interval: 2}    # [paper] Somebody: 9; 16 lanes\n"
        "sm:\n"
        "  scheduler: lrr";
    static const char after[] =
        "base: t4.yaml # what a T4 is\n"
        "dram:\n"
        "  latency: 500 # [measured] calib/clocks load: 500 (500 to 510), T4 2026-11-21\n"
        "ops:\n"
        "  fp32: {latency: 4, interval: 1}   # [derived] calib/clocks chain: 4.06 (4 to 4.1), "
        "chain: 4.06 (4 to 4.1), T4 2026-11-21\n"
        "  int: {latency: 4, interval: 2}    # [paper] calib/clocks chain: 4.06 (4 to 4.1), "
        "T4 2026-11-21; Somebody: 9; 16 lanes\n"
        "sm:\n"
        "  scheduler: lrr\n"
        "\n"
        "l1:\n"
        "  latency: 41                     # [derived] calib/clocks chain: 4.06 (4 to 4.1), "
        "T4 2026-11-21\n"
        "  mshrs: 496                      # [derived] calib/clocks load: 500 (500 to 510) "
        "less chain: 4.06 (4 to 4.1), T4 2026-11-21\n";
    char command[300];
    (void)snprintf(command, sizeof command, "cp configs/t4.yaml %s/t4.yaml", f->folder);
    assert_int_equal(system(command), 0);
    write_text(f->folder, "new.yaml", before);
    check_written(f, "new.yaml", after);
    write_text(f->folder, "again.yaml", after);
    check_written(f, "again.yaml", after);
}

static void test_percentile(void **state)
{
    (void)state;
    static const uint32_t entries[] = {50, 20, 40, 10, 30};
    static const struct {
        uint32_t percent;
        double value;
    } rows[] = {{1, 10}, {20, 10}, {21, 20}, {50, 30}, {80, 40}, {81, 50}, {100, 50}};
    static const struct launch_plan plan = {
        .buffers = 1, .buffer = {{.name = "out", .type = PLAN_U32, .size = sizeof entries}}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct result result = {.of = "out", .take = TAKE_PERCENTILE, .step = 1, .over = 1.0};
        static struct measured measured;
        const char *why = NULL;
        result.percent = rows[i].percent;
        assert_true(result_take(&result, &plan, (const uint8_t *)entries, &measured, &why));
        assert_float_equal(measured.value, rows[i].value, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_percentile),
        cmocka_unit_test_setup_teardown(test_cubin_of_a_generation, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_values, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_solve, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_solve_within_other_keys, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bad_rules, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_rules, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_write, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
