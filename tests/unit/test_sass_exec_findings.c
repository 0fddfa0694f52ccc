/* Mistakes of programs, and their messages. */
#include "exec_rig.h"

/* Runs a kernel that must fail, on each SM; each text must be in the message. */
static void must_find(const char *kernel, uint32_t block, uint64_t second,
                      const struct exec_options *options, const char *const *texts)
{
    for (size_t i = 0; i < sizeof rig_sms / sizeof rig_sms[0]; i++) {
        struct rig rig;
        int *data;
        rig_open(&rig, rig_sms[i]);
        const uint64_t arguments[] = {rig_buffer(&rig, "data", 400, &data), second};
        if (options)
            rig.options = *options;
        assert_int_equal(rig_run(&rig, kernel, 1, block, 0, arguments), SIMSM_FAILED);
        for (const char *const *text = texts; *text; text++)
            if (!strstr(rig.error.message, *text))
                fail_msg("sm_%u: \"%s\" is not in: %s", rig.sm, *text, rig.error.message);
        rig_close(&rig);
    }
}

static void behind_the_end(void **state)
{
    (void)state;
    /* 400 bytes are 100 elements: lane 4 of the warp that begins at 96 is the first outside */
    must_find("wrong_address", 32, 96, NULL,
              (const char *[]){"Invalid __global__ write of size 4 bytes",
                               "is 1 bytes after the nearest allocation \"data\" of 400 bytes",
                               "at wrong_address+0x", "by thread (4,0,0) in block (0,0,0)", NULL});
}

static void before_the_begin(void **state)
{
    (void)state;
    must_find("wrong_address", 32, (uint64_t)-3, NULL,
              (const char *[]){"Invalid __global__ write of size 4 bytes", "is 12 bytes before",
                               "thread (0,0,0)", NULL});
}

static void after_free(void **state)
{
    (void)state;
    struct rig rig;
    int *data;
    rig_open(&rig, 80);
    const uint64_t arguments[] = {rig_buffer(&rig, "gone", 400, &data), 0};
    rig_must(&rig, "wrong_address", 1, 32, arguments);
    assert_true(device_free(rig.memory, arguments[0]));
    assert_int_equal(rig_run(&rig, "wrong_address", 1, 32, 0, arguments), SIMSM_FAILED);
    assert_non_null(strstr(rig.error.message, "use after free, 0 bytes into the freed \"gone\""));
    rig_close(&rig);
}

static void alignment(void **state)
{
    (void)state;
    must_find("wrong_alignment", 32, 0, NULL,
              (const char *[]){"Invalid __global__ write of size 4 bytes", "is misaligned",
                               "thread (0,0,0)", NULL});
}

static void shared_bounds(void **state)
{
    (void)state;
    must_find("wrong_shared", 32, 4, NULL,
              (const char *[]){"Invalid __shared__ read of size 4 bytes", "is out of bounds",
                               "thread (28,0,0)", NULL});
}

static void traps(void **state)
{
    (void)state;
    must_find("trap", 32, 0, NULL, (const char *[]){"Trap, at trap+0x", "(BPT.TRAP 0x1)", NULL});
}

static void barriers_that_never_open(void **state)
{
    (void)state;
    must_find("apart", 64, 0, NULL,
              (const char *[]){
                  "deadlock:\n  block (0,0,0) warp 0 lanes 0xffffffff waits for the block at",
                  "warp 1", "BAR.SYNC", NULL});
}

/* One BAR to which the lanes of a warp bring different numbers is an illegal instruction. */
static void barrier_numbers_that_differ(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rig_sms / sizeof rig_sms[0]; i++) {
        struct rig rig;
        int *out;
        enum exec_failure failure = EXEC_FAILURE_OTHER;
        rig_open_code(&rig, "barriers", rig_sms[i]);
        rig.options.failure = &failure;
        const uint64_t buffer = rig_buffer(&rig, "out", 64 * sizeof *out, &out);
        rig_must(&rig, "numbered_barrier", 1, 64, (const uint64_t[]){buffer, 1});
        assert_int_equal(out[63], 1);
        assert_int_equal(rig_run(&rig, "numbered_barrier", 1, 64, 0, (const uint64_t[]){buffer, 3}),
                         SIMSM_FAILED);
        assert_int_equal(failure, EXEC_FAILURE_ILLEGAL);
        if (!strstr(rig.error.message,
                    "Illegal instruction: lanes of a warp bring different barrier numbers to one "
                    "BAR, 1 and 2, at numbered_barrier+0x") ||
            !strstr(rig.error.message, "by thread (1,0,0) in block (0,0,0)"))
            fail_msg("sm_%u: %s", rig.sm, rig.error.message);
        rig_close(&rig);
    }
}

static void spins_for_ever(void **state)
{
    (void)state;
    must_find("waits_for_ever", 32, 0, NULL,
              (const char *[]){"deadlock:\n  block (0,0,0) warp 0 lanes 0xffffffff",
                               "spins on memory that nobody changes", NULL});
}

static void source_lines_are_named(void **state)
{
    (void)state;
    struct rig rig;
    int *data;
    rig_open(&rig, 90);
    const uint64_t arguments[] = {rig_buffer(&rig, "data", 400, &data), 1000};
    assert_int_equal(rig_run(&rig, "wrong_address", 1, 32, 0, arguments), SIMSM_FAILED);
    assert_non_null(strstr(rig.error.message, "kernels.cu:"));
    rig_close(&rig);
}

static void limits_hold(void **state)
{
    (void)state;
    struct rig rig;
    int *data;
    rig_open(&rig, 75);
    const uint64_t arguments[] = {rig_buffer(&rig, "data", 400, &data)};
    rig.options.max_instructions = 100000;
    assert_int_equal(rig_run(&rig, "endless", 1, 64, 0, arguments), SIMSM_LIMIT);
    assert_int_equal(rig.counts.warp_instructions, 100000);
    assert_non_null(strstr(rig.error.message, "stopped by max_instructions after 100000 warp "
                                              "instructions, in block (0,0,0) at endless+0x"));
    rig_close(&rig);
}

static bool goes_on_for_a_while(void *context, const struct exec_counts *counts)
{
    uint64_t *asked = context;
    ++*asked;
    return counts->warp_instructions < 50000;
}

static void watches_end_launches(void **state)
{
    (void)state;
    struct rig rig;
    int *data;
    uint64_t asked = 0;
    const struct exec_watch watch = {goes_on_for_a_while, &asked};
    rig_open(&rig, 75);
    const uint64_t arguments[] = {rig_buffer(&rig, "data", 400, &data)};
    rig.options.watch = &watch;
    assert_int_equal(rig_run(&rig, "endless", 1, 64, 0, arguments), SIMSM_INTERRUPTED);
    assert_true(asked > 1 && rig.counts.warp_instructions < 200000);
    assert_non_null(strstr(rig.error.message, "interrupted after "));
    assert_non_null(strstr(rig.error.message, " at endless+0x"));
    rig_close(&rig);
}

/* A message names what is not simulated, and what to do instead. */
static void refusals_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *kernel;
        enum simsm_status status;
        const char *words;
    } refused[] = {{"texture_fetch", SIMSM_FAILED, "0x0 is no texture object"},
                   {"surface_read", SIMSM_FAILED, "0x0 is no surface object"},
                   {"cluster_barrier", SIMSM_BAD_INPUT, "in clusters of (2,1,1)"}};
    struct rig rig;
    float *data;
    rig_open_code(&rig, "refused", 90);
    const uint64_t arguments[] = {rig_buffer(&rig, "data", 4096, &data), 0};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        enum simsm_status status = rig_run(&rig, refused[i].kernel, 1, 128, 0, arguments);
        if (status != refused[i].status || !strstr(rig.error.message, refused[i].words))
            fail_msg("%s: %s", refused[i].kernel, rig.error.message);
    }
    rig_close(&rig);
}

static void launches_are_checked(void **state)
{
    (void)state;
    struct rig rig;
    int *data;
    rig_open(&rig, 75);
    const uint64_t arguments[] = {rig_buffer(&rig, "data", 400, &data), 0};
    assert_int_equal(rig_run(&rig, "trap", 1, 2048, 0, arguments), SIMSM_BAD_INPUT);
    assert_int_equal(rig_run(&rig, "trap", 0, 32, 0, arguments), SIMSM_BAD_INPUT);
    rig.options.cooperative = true;
    assert_int_equal(rig_run(&rig, "vecadd", 100000, 32, 0,
                             (const uint64_t[]){arguments[0], arguments[0], arguments[0], 0}),
                     SIMSM_BAD_INPUT);
    assert_non_null(strstr(rig.error.message, "can be resident"));
    rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(behind_the_end),
        cmocka_unit_test(before_the_begin),
        cmocka_unit_test(after_free),
        cmocka_unit_test(alignment),
        cmocka_unit_test(shared_bounds),
        cmocka_unit_test(traps),
        cmocka_unit_test(barriers_that_never_open),
        cmocka_unit_test(barrier_numbers_that_differ),
        cmocka_unit_test(spins_for_ever),
        cmocka_unit_test(source_lines_are_named),
        cmocka_unit_test(limits_hold),
        cmocka_unit_test(watches_end_launches),
        cmocka_unit_test(refusals_are_named),
        cmocka_unit_test(launches_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
