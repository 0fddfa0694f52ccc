/* Values of calibration: formulas in tables, what is taken of a buffer, several runs, known misses.
 */
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

#include "calibrate/expand.h"
#include "calibrate/known.h"
#include "calibrate/record.h"

static void near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-12 * fabs(expected)))
        fail_msg("%.12g is expected, found %.12g", expected, value);
}

static const struct expand_values values = {2, {"x", "name"}, {"4", "0x10"}};

static void formulas_are_calculated(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"$x $name$x", "4 0x104"},
        {"$(-(x) + 7 - 2*3)", "-3"},
        {"$(2 - 3 - 4)", "-5"},
        {"$(17 / x % 3)", "1"},
        {"$(17 % x)", "1"},
        {"$(20 / x)", "5"},
        {"$(name*(x - 1))", "48"},
        {"a: $x # of $nothing\nb: c#$x", "a: 4 # of $nothing\nb: c#4"},
        {"$(2147483647 * 100000)", "214748364700000"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct simsm_error error;
        char *text;
        size_t size;
        if (expand(rows[i][0], strlen(rows[i][0]), &values, "t", 1, &text, &size, &error) !=
            SIMSM_OK)
            fail_msg("%s: %s", rows[i][0], error.message);
        assert_string_equal(text, rows[i][1]);
        assert_int_equal(size, strlen(text));
        free(text);
    }
}

static void formulas_are_checked(void **state)
{
    (void)state;
    char deep[200] = "$";
    const struct {
        const char *text, *words;
    } rows[] = {
        {"\n\n$(1/0)", "divides by 0"},
        {"\n\n$(x % (x - 4))", "divides by 0"},
        {"\n\n$(3000000000)", "too large a one"},
        {"\n\n$(2000000000*2000000000)", "too large"},
        {"\n\n$(2000000000*100000 + 2000000000*100000)", "too large"},
        {"\n\n$(x", "a ')' is missing"},
        {"\n\n$(y)", "not in `each`"},
        {"\n\n$(1.5)", "')' is missing"},
        {"\n\n$y", "there is no 'y' in this point's `each`, which has x, name"},
        {deep, "nested too deeply"},
    };
    (void)snprintf(deep, sizeof deep, "\n\n$%040d%040d", 0, 0);
    for (char *c = deep + 3; *c; c++)
        *c = (size_t)(c - deep) < 43 ? '(' : ')';
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct simsm_error error;
        char *text;
        size_t size;
        assert_int_equal(
            expand(rows[i].text, strlen(rows[i].text), &values, "t", 5, &text, &size, &error),
            SIMSM_BAD_INPUT);
        if (!strstr(error.message, rows[i].words))
            fail_msg("no '%s' in: %s", rows[i].words, error.message);
        assert_int_equal(error.line, 7);
        assert_null(text);
    }
}

static const char *taken(struct result result, enum plan_type type, const void *entries,
                         size_t bytes, double *value)
{
    static struct measured measured;
    struct launch_plan plan = {.buffers = 1,
                               .buffer = {{.name = "out", .type = type, .size = bytes}}};
    const char *why;
    (void)snprintf(result.of, sizeof result.of, "out");
    result.step = result.step ? result.step : 1;
    result.over = result.per == 0 && result.over == 0 ? 1 : result.over;
    (void)result_take(&result, &plan, entries, &measured, &why);
    *value = measured.value;
    return why;
}

/* The numbers computed from {5, 9, 2, 7}; as pairs, a start and an end. */
static void numbers_are_taken(void **state)
{
    (void)state;
    static const uint32_t entries[] = {5, 9, 2, 7};
    static const uint32_t turned[] = {2, 9, 5, 7};
    static const int32_t below[] = {3, -5, 4, -1};
    static const uint32_t wrapped[] = {UINT32_MAX - 15, 16};
    static const struct {
        struct result result;
        double value;
    } rows[] = {
        {{.take = TAKE_SPAN}, 7},
        {{.take = TAKE_PAIRS_MIN}, 4},
        {{.take = TAKE_PAIRS_MAX}, 5},
        {{.take = TAKE_PAIRS_MEDIAN}, 4.5},
        {{.take = TAKE_PAIRS_MEAN}, 4.5},
        {{.take = TAKE_RANGE}, 7},
        {{.take = TAKE_MEDIAN}, 6},
        {{.take = TAKE_MEAN, .offset = 0.75, .over = 2.5}, 2},
        {{.take = TAKE_SUM, .per = 46}, 2},
        {{.take = TAKE_LAST, .step = 2}, 2},
        {{.take = TAKE_SUM, .skip = 1, .count = 2}, 11},
        {{.take = TAKE_INDEX, .index = 1, .skip = 1}, 2},
    };
    double value;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_null(taken(rows[i].result, PLAN_U32, entries, sizeof entries, &value));
        near(value, rows[i].value);
    }
    assert_null(taken((struct result){.take = TAKE_SPAN}, PLAN_U32, turned, sizeof turned, &value));
    near(value, 7);
    assert_null(taken((struct result){.take = TAKE_MIN}, PLAN_I32, below, sizeof below, &value));
    near(value, -5);
    assert_null(
        taken((struct result){.take = TAKE_SPAN}, PLAN_U32, wrapped, sizeof wrapped, &value));
    near(value, 32); /* a clock of 32 bits */
}

static void what_cannot_be_taken(void **state)
{
    (void)state;
    static const uint32_t entries[] = {1, 1, 3};
    static const struct {
        struct result result;
        const char *words;
    } rows[] = {
        {{.take = TAKE_SPAN}, "an even number of entries"},
        {{.take = TAKE_INDEX, .index = 3}, "no such entry"},
        {{.take = TAKE_MIN, .skip = 3}, "no such entry"},
        {{.take = TAKE_MIN, .skip = 1, .count = 3}, "fewer entries than `count`"},
        {{.take = TAKE_MIN, .offset = 1, .per = 4}, "there is no rate"},
    };
    double value;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *why = taken(rows[i].result, PLAN_U32, entries, sizeof entries, &value);
        if (!why || !strstr(why, rows[i].words))
            fail_msg("'%s' is expected: %s", rows[i].words, why ? why : "it was taken");
    }
}

/* The median of an even number of runs; texts that differ; rows in place of others. */
static void runs_are_recorded(void **state)
{
    (void)state;
    static struct measured measured[4] = {{.value = 9}, {.value = 1}, {.value = 2}, {.value = 4}};
    static struct point point = {.name = "p", .unit = "cycles"};
    struct table table = {.name = "t"};
    struct record record = {.rows = 0}, again;
    struct record_row row;
    struct simsm_error error;
    char path[] = "/tmp/simsm-test-XXXXXX";
    record_fill(&row, &table, &point, measured, 4);
    assert_true(row.has_value && row.value == 3 && row.min == 1 && row.max == 9);
    assert_true(record_put(&record, &row));
    record_fill(&row, &table, &point, measured, 3);
    assert_true(row.value == 2);
    assert_true(record_put(&record, &row));
    assert_int_equal(record.rows, 1);
    (void)snprintf(point.name, sizeof point.name, "list");
    (void)snprintf(measured[0].text, sizeof measured[0].text, "3 2 1");
    (void)snprintf(measured[1].text, sizeof measured[1].text, "3 1 2");
    record_fill(&row, &table, &point, measured, 2);
    assert_true(row.is_list && strstr(row.note, "runs differ"));
    assert_true(record_put(&record, &row));
    assert_int_equal(close(mkstemp(path)), 0);
    assert_int_equal(record_write(&record, path, &error), SIMSM_OK);
    assert_int_equal(record_read(&again, path, &error), SIMSM_OK);
    assert_int_equal(again.rows, 2);
    assert_true(record_find(&again, "t", "p")->value == 2);
    assert_string_equal(record_find(&again, "t", "list")->list, "3 2 1");
    record_free(&again);
    record_free(&record);
    (void)unlink(path);
}

static void twice_is_refused(void **state)
{
    (void)state;
    char path[] = "/tmp/simsm-test-XXXXXX";
    struct record record;
    struct simsm_error error;
    FILE *file = fdopen(mkstemp(path), "w");
    assert_non_null(file);
    (void)fputs("file,point,unit,value,min,max,runs,note\nt,p,c,1,1,1,1,\nt,p,c,2,2,2,1,\n", file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(record_read(&record, path, &error), SIMSM_BAD_INPUT);
    assert_non_null(strstr(error.message, "a second row for t p"));
    assert_int_equal(error.line, 3);
    record_free(&record);
    (void)unlink(path);
}

/* A twentieth more and half a percent is no worse; to have no value any more is. */
static void worse_than_known(void **state)
{
    (void)state;
    const struct known_miss miss = {.error = -0.1}, none = {.error = NAN};
    assert_false(known_is_worse(&miss, 0.1095));
    assert_false(known_is_worse(&miss, -0.1095));
    assert_true(known_is_worse(&miss, 0.1105));
    assert_true(known_is_worse(&miss, NAN));
    assert_false(known_is_worse(&none, NAN));
    assert_false(known_is_worse(&none, 3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formulas_are_calculated), cmocka_unit_test(formulas_are_checked),
        cmocka_unit_test(numbers_are_taken),       cmocka_unit_test(what_cannot_be_taken),
        cmocka_unit_test(runs_are_recorded),       cmocka_unit_test(twice_is_refused),
        cmocka_unit_test(worse_than_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
