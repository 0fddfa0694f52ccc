/* The file of results: what is written is read, one writer at a time, and damage is found. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "results/results.h"
#include "sweep/store.h"

static char path[64];

static void remove_files(void)
{
    static const char *const ends[] = {"", "-wal", "-shm", ".lock"};
    char name[80];
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        (void)snprintf(name, sizeof name, "%s%s", path, ends[i]);
        (void)unlink(name);
    }
}

static struct store *opened(void)
{
    struct store *store;
    struct simsm_error error = {.message = ""};
    if (store_open(&store, path, &error) != SIMSM_OK)
        fail_msg("%s", error.message);
    return store;
}

/* A byte of the file; 18 of the header says how it is written: 2 is a write-ahead log. */
static int file_byte(long at)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    (void)fseek(file, at, SEEK_SET);
    const int byte = fgetc(file);
    (void)fclose(file);
    return byte;
}

#define DONE(call) assert_int_equal(call, SIMSM_OK)

/* A sweep with two points, the first of them done. */
static void write_two(struct store *store, struct sweep_outcome *outcome)
{
    struct simsm_error error;
    struct texts varied = {0}, set = {0};
    int64_t config, sweep, point[2];
    enum store_state state;
    const struct store_input input = {"trace", "/a.trace", "h", 5};
    assert_true(texts_add(&varied, "sm.scheduler=gto", 0, 0));
    assert_true(texts_add(&set, "gpu.sms=2", 0, 0));
    DONE(store_begin(store, &error));
    DONE(store_config(store, "hash", "text", &config, &error));
    DONE(store_sweep(store, "s", "/s.yaml", "configs: t4", &sweep, &error));
    for (int i = 0; i < 2; i++) {
        const struct store_point row = {.identity = i ? "b" : "a",
                                        .version = "v",
                                        .kind = "trace",
                                        .config = config,
                                        .launch = 3,
                                        .arguments = "",
                                        .input = &input,
                                        .inputs = 1};
        DONE(store_point(store, &row, &point[i], &state, &error));
        assert_int_equal(state, STORE_WAITING);
        const struct store_member member = {sweep, point[i], "t4", "k", &varied, &set};
        DONE(store_member(store, &member, &error));
    }
    *outcome = (struct sweep_outcome){.kernel = "scan", .grid = {1, 2, 3}, .wall_seconds = 1.5};
    outcome->counter[0] = UINT64_C(9007199254740993); /* no double has it */
    outcome->metric[METRIC_CYCLES_ELAPSED] = 77;
    outcome->metric[METRIC_IPC_ACTIVE] = (double)NAN;
    DONE(store_outcome(store, point[0], outcome, NULL, &error));
    DONE(store_commit(store, &error));
    texts_free(&varied);
    texts_free(&set);
}

static void test_round(void **state)
{
    (void)state;
    struct simsm_error error;
    struct sweep_outcome outcome;
    struct store *store = opened();
    write_two(store, &outcome);
    DONE(store_check(store, &error));
    char beside[80];
    (void)snprintf(beside, sizeof beside, "%s-wal", path);
    assert_int_equal(access(beside, F_OK), 0);
    store_close(store);
    assert_int_not_equal(access(beside, F_OK), 0);
    assert_int_equal(file_byte(18), 1); /* neither is one needed to read it: no write-ahead log */
    struct texts names = {0};
    struct results results;
    assert_true(texts_add(&names, "sm__cycles_elapsed.max", 0, 0) &&
                texts_add(&names, "sm__inst_executed.avg.per_cycle_active", 0, 0) &&
                texts_add(&names, simsm_counters[0].name, 0, 0));
    DONE(results_open(&results, path, NULL, &names, &error));
    assert_int_equal(results.rows, 2);
    const struct results_row *row = &results.row[0];
    assert_string_equal(row->state, "done");
    assert_string_equal(row->function, "scan");
    assert_true(row->value[0] == 77 && row->value[1] != row->value[1]);
    assert_string_equal(results_field(&results, row, "sm.scheduler"), "gto");
    assert_string_equal(results_field(&results, row, "gpu.sms"), "2");
    assert_string_equal(results_field(&results, row, "launch"), "3");
    assert_int_equal(results.varied.count, 1);
    assert_string_equal(results.row[1].state, "waiting");
    DONE(results_where(&results, "state=waiting,failed", &error));
    assert_int_equal(results.rows, 1);
    assert_int_equal(results_where(&results, "nothing=1", &error), SIMSM_BAD_INPUT);
    results_close(&results);
    texts_free(&names);
    remove_files();
}

/* A point is recognised in every sweep; a sweep that is planned again has new members. */
static void test_again(void **state)
{
    (void)state;
    struct simsm_error error;
    struct sweep_outcome outcome;
    struct store *store = opened();
    int64_t number;
    enum store_state known;
    write_two(store, &outcome);
    const struct store_point row = {
        .identity = "a", .version = "v", .kind = "trace", .config = 1, .arguments = ""};
    DONE(store_begin(store, &error));
    DONE(store_point(store, &row, &number, &known, &error));
    assert_int_equal(known, STORE_DONE);
    DONE(store_sweep(store, "s", "/s.yaml", "", &number, &error));
    DONE(store_commit(store, &error));
    store_close(store);
    struct results results;
    const struct texts none = {0};
    DONE(results_open(&results, path, "s", &none, &error));
    assert_int_equal(results.rows, 0);
    results_close(&results);
    assert_int_equal(results_open(&results, path, "t", &none, &error), SIMSM_BAD_INPUT);
    results_close(&results);
    remove_files();
}

/* For a disk that other machines see: nothing that all readers would need in memory. A point can be
 * made to wait again. */
static void test_shared(void **state)
{
    (void)state;
    struct simsm_error error;
    struct sweep_outcome outcome;
    struct store *store, *none;
    int64_t number;
    enum store_state known;
    char beside[80];
    DONE(store_open_shared(&store, path, &error));
    write_two(store, &outcome);
    (void)snprintf(beside, sizeof beside, "%s-wal", path);
    assert_int_not_equal(access(beside, F_OK), 0);
    assert_int_equal(file_byte(18), 1);
    const struct store_point row = {
        .identity = "a", .version = "v", .kind = "trace", .config = 1, .arguments = ""};
    DONE(store_point(store, &row, &number, &known, &error));
    assert_int_equal(known, STORE_DONE);
    DONE(store_set_waiting(store, number, &error));
    DONE(store_point(store, &row, &number, &known, &error));
    assert_int_equal(known, STORE_WAITING);
    store_close(store);
    DONE(store_open_memory(&none, &error));
    write_two(none, &outcome);
    assert_int_not_equal(access(":memory:", F_OK), 0);
    assert_int_not_equal(access(":memory:.lock", F_OK), 0);
    store_close(none);
    remove_files();
}

/* Data that were not committed are absent. */
static void test_not_committed(void **state)
{
    (void)state;
    struct simsm_error error;
    struct store *store = opened();
    int64_t number;
    DONE(store_begin(store, &error));
    DONE(store_sweep(store, "s", "", "", &number, &error));
    store_close(store);
    struct results results;
    const struct texts none = {0};
    assert_int_equal(results_open(&results, path, NULL, &none, &error), SIMSM_BAD_INPUT);
    results_close(&results);
    remove_files();
}

/* A second writer is another process: locks are those of a process. */
static void test_one_writer(void **state)
{
    (void)state;
    struct store *store = opened(), *reader;
    struct simsm_error error;
    int ended;
    pid_t process = fork();
    if (process == 0) {
        struct store *second;
        const bool refused = store_open(&second, path, &error) == SIMSM_FAILED &&
                             strstr(error.message, "another sweep is writing") != NULL;
        _exit(refused ? 0 : 1);
    }
    assert_int_equal(waitpid(process, &ended, 0), process);
    assert_true(WIFEXITED(ended) && WEXITSTATUS(ended) == 0);
    DONE(store_read(&reader, path, &error));
    store_close(reader);
    store_close(store);
    store_close(opened());
    remove_files();
}

static void write_bytes(long at, const char *bytes, size_t size)
{
    FILE *file = fopen(path, at ? "r+" : "w");
    assert_non_null(file);
    (void)fseek(file, at, SEEK_SET);
    (void)fwrite(bytes, 1, size, file);
    (void)fclose(file);
}

static void test_foreign(void **state)
{
    (void)state;
    struct store *store;
    struct simsm_error error;
    struct sweep_outcome outcome;
    static char garbage[20000];
    memset(garbage, 'x', sizeof garbage);
    write_bytes(0, garbage, sizeof garbage);
    assert_int_not_equal(store_read(&store, path, &error), SIMSM_OK);
    assert_int_not_equal(store_open(&store, path, &error), SIMSM_OK);
    remove_files();
    assert_int_equal(store_read(&store, path, &error), SIMSM_BAD_INPUT);
    store = opened();
    write_two(store, &outcome);
    store_close(store);
    write_bytes(3 * 4096, garbage, 8192); /* two pages of tables */
    DONE(store_read(&store, path, &error));
    assert_int_equal(store_check(store, &error), SIMSM_FAILED);
    store_close(store);
    remove_files();
}

int main(void)
{
    (void)snprintf(path, sizeof path, "/tmp/simsm-store-%ld.sqlite", (long)getpid());
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round),         cmocka_unit_test(test_again),
        cmocka_unit_test(test_not_committed), cmocka_unit_test(test_one_writer),
        cmocka_unit_test(test_foreign),       cmocka_unit_test(test_shared),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    remove_files();
    return failed;
}
