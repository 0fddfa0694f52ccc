/* Kernels whose blocks race: all that the GPU holds go on together, others block by block. */
#include "exec_rig.h"

enum { BLOCKS = 8, TURNS = 4 };

static int *run(struct rig *rig, const char *kernel, uint32_t sm, uint32_t blocks, uint32_t turns)
{
    int *counter, *out;
    rig_open_code(rig, "race", sm);
    const uint64_t arguments[] = {rig_buffer(rig, "counter", 4, &counter),
                                  rig_buffer(rig, "out", (size_t)blocks * turns * 4, &out), turns};
    rig_must(rig, kernel, blocks, 32, arguments);
    return out;
}

/* Each block has its turn between two of another. */
static void atomics_take_turns(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rig_sms / sizeof rig_sms[0]; i++) {
        struct rig rig;
        const int *out = run(&rig, "take", rig_sms[i], BLOCKS, TURNS);
        for (int b = 0; b < BLOCKS; b++)
            for (int t = 0; t < TURNS; t++)
                assert_int_equal(out[b * TURNS + t], t * BLOCKS + b);
        rig_close(&rig);
    }
}

/* All have loaded before the first one stores. */
static void answers_come_late(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rig_sms / sizeof rig_sms[0]; i++) {
        struct rig rig;
        const int *out = run(&rig, "lose", rig_sms[i], BLOCKS, 1);
        for (int b = 0; b < BLOCKS; b++)
            assert_int_equal(out[b], 0);
        rig_close(&rig);
    }
}

static void who_does_not_race_is_executed_in_order(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rig_sms / sizeof rig_sms[0]; i++) {
        struct rig rig;
        const int *out = run(&rig, "plain", rig_sms[i], BLOCKS, TURNS);
        for (int b = 0; b < BLOCKS * TURNS; b++)
            assert_int_equal(out[b], b);
        rig_close(&rig);
    }
}

/* More blocks than can be resident: those that are first have all first numbers; when one ends, the
 * next begins. */
static void others_begin_when_one_ends(void **state)
{
    (void)state;
    enum { RESIDENT = 40 * 16, MANY = 3 * RESIDENT };
    struct rig rig;
    const int *out = run(&rig, "take", 75, MANY, 2);
    for (int b = 0; b < RESIDENT; b++)
        assert_int_equal(out[2 * b], b);
    for (int b = RESIDENT; b < MANY; b++)
        assert_true(out[2 * b] >= 2 * RESIDENT * (b / RESIDENT));
    rig_close(&rig);
}

/* Blocks wait for one that cannot begin while they do: it is said, however many rounds they go. */
static void waiting_for_ever_is_found(void **state)
{
    (void)state;
    for (uint32_t blocks = 40 * 16; blocks <= 40 * 16 + 1; blocks++) {
        struct rig rig;
        int *flag, *ended, *out;
        rig_open_code(&rig, "race", 75);
        const uint64_t arguments[] = {rig_buffer(&rig, "flag", 4, &flag),
                                      rig_buffer(&rig, "ended", 4, &ended),
                                      rig_buffer(&rig, "out", (size_t)blocks * 4, &out)};
        enum simsm_status status = rig_run(&rig, "await", blocks, 32, 0, arguments);
        assert_int_equal(status, blocks == 40 * 16 ? SIMSM_OK : SIMSM_FAILED);
        if (status == SIMSM_OK)
            assert_int_equal(*ended, blocks);
        else if (!strstr(rig.error.message, "639 other blocks wait, 1 cannot start"))
            fail_msg("%s", rig.error.message);
        rig_close(&rig);
    }
}

/* A block that waits for its own loads alone changes nothing for many rounds; it is not stuck. */
static void own_loads_end_however_many_they_are(void **state)
{
    (void)state;
    enum { ENTRIES = 7, ROUNDS = 5000 };
    for (size_t i = 0; i < sizeof rig_sms / sizeof rig_sms[0]; i++) {
        struct rig rig;
        int *counter, *next, *out;
        rig_open_code(&rig, "race", rig_sms[i]);
        const uint64_t arguments[] = {rig_buffer(&rig, "counter", 4, &counter),
                                      rig_buffer(&rig, "next", 4 * ENTRIES, &next),
                                      rig_buffer(&rig, "out", 4 * 4, &out), ROUNDS};
        for (int e = 0; e < ENTRIES; e++)
            next[e] = (e + 3) % ENTRIES;
        rig_must(&rig, "follow", 2, 32, arguments);
        assert_int_equal(out[0], 3 * ROUNDS % ENTRIES);
        assert_int_equal(out[1], 1); /* the other block has gone on meanwhile */
        assert_int_equal(out[3], 0);
        rig_close(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(atomics_take_turns),
        cmocka_unit_test(answers_come_late),
        cmocka_unit_test(who_does_not_race_is_executed_in_order),
        cmocka_unit_test(others_begin_when_one_ends),
        cmocka_unit_test(waiting_for_ever_is_found),
        cmocka_unit_test(own_loads_end_however_many_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
