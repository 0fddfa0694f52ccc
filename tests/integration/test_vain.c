/* Loops that poll memory in vain are found, with and without time; loops that work are not taken
 * for such. */
#include "timed_rig.h"

enum { WAYS = 2 }; /* without time, in time */

static void begin(struct rig *rig)
{
    rig_open_code(rig, "vain", 90);
    rig->config.gpu_sms = 2;
    rig->options.max_instructions = 200000000;
}

static enum simsm_status run(struct rig *rig, int way, const char *kernel, uint32_t block,
                             const uint64_t *arguments)
{
    return way ? rig_time(rig, kernel, 2, block, arguments)
               : rig_run(rig, kernel, 2, block, 0, arguments);
}

/* Runs a kernel that polls in vain. The third argument is `last`. */
static void must_find(const char *kernel, uint32_t block, uint64_t last)
{
    for (int way = 0; way < WAYS; way++) {
        struct rig rig;
        int *flag, *out;
        char expected[128];
        begin(&rig);
        const uint64_t at_flag = rig_buffer(&rig, "flag", 4096, &flag);
        const uint64_t at_out = rig_buffer(&rig, "out", 4096, &out);
        const uint64_t both[] = {at_flag, at_out, last}, one[] = {at_out};
        (void)snprintf(expected, sizeof expected, "spins on memory that nobody changes at %s+0x",
                       kernel);
        const enum simsm_status status =
            run(&rig, way, kernel, block, strstr(kernel, "shared") ? one : both);
        if (status != SIMSM_FAILED || !strstr(rig.error.message, expected))
            fail_msg("%s, %s: status %d: %s", kernel, way ? "in time" : "without time", (int)status,
                     rig.error.message);
        rig_close(&rig);
    }
}

static void polls_of_many_words_are_found(void **state)
{
    (void)state;
    must_find("polls_many_words", 32, 0);
    must_find("polls_all_words", 32, 200);
    must_find("polls_and_counts", 32, 0);
}

static void a_counter_in_local_memory_hides_nothing(void **state)
{
    (void)state;
    must_find("polls_and_spills", 32, 3);
}

static void polls_of_shared_memory_are_found(void **state)
{
    (void)state;
    must_find("polls_shared_memory", 64, 0);
}

/* Loops that read the same words for long and come to their end. */
static void loops_that_end_are_left_alone(void **state)
{
    (void)state;
    static const uint64_t turns[WAYS] = {300001, 100001};
    for (int way = 0; way < WAYS; way++) {
        struct rig rig;
        int *out;
        begin(&rig);
        const uint64_t arguments[] = {rig_buffer(&rig, "out", 4096, &out), turns[way], 5};
        if (run(&rig, way, "walks", 32, arguments) != SIMSM_OK)
            fail_msg("walks, way %d: %s", way, rig.error.message);
        assert_int_equal(out[31], 1);
        if (run(&rig, way, "walks_and_spills", 32, arguments) != SIMSM_OK)
            fail_msg("walks_and_spills, way %d: %s", way, rig.error.message);
        assert_int_equal(out[31], 0);
        if (run(&rig, way, "meets", 64, arguments) != SIMSM_OK)
            fail_msg("meets, way %d: %s", way, rig.error.message);
        assert_int_equal(out[31], turns[way]);
        assert_int_equal(out[63], turns[way]);
        rig_close(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(polls_of_many_words_are_found),
        cmocka_unit_test(a_counter_in_local_memory_hides_nothing),
        cmocka_unit_test(polls_of_shared_memory_are_found),
        cmocka_unit_test(loops_that_end_are_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
