/* A program's activities: sums, the file written and read again, and files that are none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "timeline/activity.h"

static const char path[] = "test_activity.tmp.json";

/*
 * Kernels on two streams from 100 to 300 and from 200 to 500 ns, a copy from 250 to 400, a host
 * function, a call.
 */
static const struct activity some[] = {
    {.kind = ACTIVITY_CALL, .begin = 50, .end = 90, .name = "cudaLaunchKernel"},
    {.kind = ACTIVITY_KERNEL,
     .stream = 3,
     .begin = 100,
     .end = 300,
     .launch = 1,
     .grid = {16, 2, 1},
     .block = {256, 1, 1},
     .name = "add"},
    {.kind = ACTIVITY_TO_HOST,
     .stream = 3,
     .begin = 250,
     .end = 400,
     .bytes = 1 << 20,
     .name = "device to host"},
    {.kind = ACTIVITY_KERNEL,
     .stream = 1,
     .begin = 200,
     .end = 500,
     .launch = 2,
     .by_device = true,
     .kernel = 77,
     .grid = {1, 1, 1},
     .block = {32, 1, 1},
     .name = "add"},
    {.kind = ACTIVITY_FUNCTION, .stream = 1, .begin = 500, .end = 650, .name = "host \"function\""},
};
enum { SOME = sizeof some / sizeof *some };

static struct activity_log some_log(void)
{
    struct activity_log log = {.gpu = strdup("T4"), .command = strdup("simsm run t4 -- ./a b")};
    for (size_t i = 0; i < SOME; i++)
        activity_add(&log, &some[i]);
    assert_true(activity_finish(&log));
    return log;
}

static void lanes_and_shares(void **state)
{
    (void)state;
    struct activity_log log = some_log();
    static const uint32_t lanes[SOME] = {0, 1, 2, 3, 3};
    assert_int_equal(log.lane_count, 4); /* of stream 3, a kernel and a copy overlap */
    assert_true(log.lanes[1].stream == 3 && log.lanes[1].part == 0);
    assert_true(log.lanes[2].stream == 3 && log.lanes[2].part == 1);
    assert_true(log.lanes[3].stream == 1 && log.lanes[3].part == 0);
    assert_memory_equal(log.lane, lanes, sizeof lanes);
    assert_int_equal(log.name_count, 4);
    assert_int_equal(log.by_device, 1);
    assert_true(log.begin == 50 && log.end == 650);
    struct activity_shares all = activity_shares(&log, log.begin, log.end);
    assert_true(all.kernel == 400 && all.several == 100);
    assert_true(all.copy == 150 && all.beside == 150 && all.any == 400);
    struct activity_shares part = activity_shares(&log, 280, 420);
    assert_true(part.kernel == 140 && part.several == 20 && part.copy == 120 && part.any == 140);
    part = activity_shares(&log, 500, 650);
    assert_true(part.any == 0);
    activity_free(&log);
}

static void sums_by_name(void **state)
{
    (void)state;
    struct activity_log log = some_log();
    struct activity_sum *sums;
    assert_int_equal(activity_sums(&log, log.begin, log.end, &sums), 3);
    assert_string_equal(sums[0].name, "add");
    assert_true(sums[0].count == 2 && sums[0].ns == 500);
    assert_true(sums[1].kind == ACTIVITY_TO_HOST || sums[1].kind == ACTIVITY_FUNCTION);
    assert_true(sums[1].ns == 150 && sums[2].ns == 150);
    free(sums);
    assert_int_equal(activity_sums(&log, 450, 520, &sums), 2);
    assert_true(sums[0].ns == 50 && sums[1].ns == 20);
    free(sums);
    activity_free(&log);
}

static void comes_back(void **state)
{
    (void)state;
    struct activity_log log = some_log(), again;
    struct simsm_error error;
    assert_int_equal(activity_write(&log, path, &error), SIMSM_OK);
    assert_true(activity_is_file(path));
    assert_int_equal(activity_read(&again, path, &error), SIMSM_OK);
    assert_int_equal(again.entries.count, SOME);
    assert_string_equal(again.gpu, "T4");
    assert_string_equal(again.command, "simsm run t4 -- ./a b");
    for (size_t i = 0; i < SOME; i++) {
        const struct activity *a = &some[i], *b = &activities(&again)[i];
        assert_true(a->kind == b->kind && a->stream == b->stream && a->launch == b->launch &&
                    a->bytes == b->bytes && a->by_device == b->by_device && a->kernel == b->kernel);
        assert_true(fabs(a->begin - b->begin) < 1e-6 && fabs(a->end - b->end) < 1e-6);
        assert_string_equal(a->name, b->name);
        assert_memory_equal(a->grid, b->grid, sizeof a->grid);
        assert_memory_equal(a->block, b->block, sizeof a->block);
    }
    activity_free(&again);
    activity_free(&log);
    (void)unlink(path);
}

/* Reads a file with this text; returns the message. */
static const char *refusal(const char *text)
{
    static struct simsm_error error;
    struct activity_log log;
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    (void)fputs(text, file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(activity_read(&log, path, &error), SIMSM_BAD_INPUT);
    (void)unlink(path);
    return error.message;
}

#define PROGRAM(events) "{\"otherData\":{\"simsm\":\"program\"},\"traceEvents\":[" events "]}"
#define EVENT(ts, dur, kind)                                                                       \
    "{\"ph\":\"X\",\"name\":\"a\",\"tid\":1,\"ts\":" ts ",\"dur\":" dur                            \
    ",\"args\":{\"stream\":1,\"kind\":\"" kind "\"}}"

static void other_files(void **state)
{
    (void)state;
    assert_non_null(strstr(refusal("{"), "no JSON"));
    assert_non_null(strstr(refusal("{\"traceEvents\":[]}"), "no program"));
    assert_non_null(strstr(refusal("{\"otherData\":{\"simsm\":\"program\"}}"), "no program"));
    assert_non_null(strstr(refusal(PROGRAM(EVENT("0", "1", "kernel") "," EVENT("0", "-1", "fill"))),
                           "event 2 "));
    assert_non_null(strstr(refusal(PROGRAM(EVENT("0", "1", "nothing"))), "event 1 "));
    assert_non_null(strstr(refusal(PROGRAM(EVENT("1e300", "1", "kernel"))), "event 1 "));
    assert_non_null(strstr(refusal(PROGRAM(EVENT("\"0\"", "1", "kernel"))), "event 1 "));
    assert_non_null(strstr(refusal(PROGRAM("7")), "event 1 "));
    assert_non_null(strstr(refusal(PROGRAM(EVENT("-5", "1", "kernel"))), "event 1 "));
}

/* Names that are no UTF-8 do not keep the file from being written; space before it is read. */
static void names_of_any_bytes(void **state)
{
    (void)state;
    struct activity_log log = {.command = strdup("run \xff\xfe")}, again;
    struct activity fill = {.kind = ACTIVITY_FILL, .stream = 1, .name = "caf\xc3"};
    struct simsm_error error;
    activity_add(&log, &fill);
    assert_true(activity_finish(&log));
    assert_int_equal(activity_write(&log, path, &error), SIMSM_OK);
    activity_free(&log);
    assert_int_equal(activity_read(&again, path, &error), SIMSM_OK);
    assert_string_equal(again.command, "run ??");
    assert_string_equal(activities(&again)->name, "caf?");
    activity_free(&again);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    (void)fputs("\n { }", file);
    assert_int_equal(fclose(file), 0);
    assert_true(activity_is_file(path));
    (void)unlink(path);
}

/* A program without work, and one whose work takes no time. */
static void nothing_to_do(void **state)
{
    (void)state;
    struct activity_log log = {0};
    struct activity_sum *sums;
    const struct activity fill = {.kind = ACTIVITY_FILL, .stream = 1, .name = "fill"};
    assert_true(activity_finish(&log));
    assert_true(activity_shares(&log, 0, 1).any == 0);
    assert_int_equal(activity_sums(&log, 0, 1, &sums), 0);
    free(sums);
    activity_free(&log);
    activity_add(&log, &fill);
    assert_true(activity_finish(&log));
    assert_true(activity_shares(&log, 0, 1).any == 0);
    assert_int_equal(activity_sums(&log, 0, 1, &sums), 1);
    free(sums);
    activity_free(&log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_and_shares), cmocka_unit_test(sums_by_name),
        cmocka_unit_test(comes_back),       cmocka_unit_test(other_files),
        cmocka_unit_test(nothing_to_do),    cmocka_unit_test(names_of_any_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
