/* Barriers of the block that lanes of a warp come to one after the other, as an H200 has them. */
#include "exec_rig.h"

/* Lanes part only in code of sm_90. Older code gathers the lanes before each of the two
 * barriers, and waits for ever. */
static void predicates_do_not_part_lanes(void **state)
{
    (void)state;
    struct rig rig;
    int *out;
    rig_open_code(&rig, "apart", 90);
    const uint64_t arguments[] = {rig_buffer(&rig, "out", 32 * 4, &out)};
    rig_must(&rig, "predicated", 1, 32, arguments);
    for (int t = 0; t < 32; t++)
        assert_int_equal(out[t], 3);
    rig_close(&rig);
}

static void divergent_barriers_are_named(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rig_sms / sizeof rig_sms[0]; i++) {
        struct rig rig;
        int *out, *turns;
        rig_open_code(&rig, "apart", rig_sms[i]);
        const uint64_t arguments[] = {rig_buffer(&rig, "out", 32 * 4, &out),
                                      rig_buffer(&rig, "turns", 8, &turns)};
        turns[0] = turns[1] = 3;
        assert_int_equal(rig_run(&rig, "branches", 1, 32, 0, arguments), SIMSM_FAILED);
        if (!strstr(rig.error.message, "deadlock at a divergent barrier") ||
            !strstr(rig.error.message, "warp 0 lanes 0xaaaaaaaa waits for lanes of its warp, "
                                       "0x55555555, at branches+0x"))
            fail_msg("sm_%u: %s", rig.sm, rig.error.message);
        rig_close(&rig);
    }
}

static void lanes_that_end_are_not_waited_for(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rig_sms / sizeof rig_sms[0]; i++) {
        struct rig rig;
        int *out;
        rig_open_code(&rig, "apart", rig_sms[i]);
        const uint64_t arguments[] = {rig_buffer(&rig, "out", 64 * 4, &out)};
        rig_must(&rig, "half_ends", 1, 64, arguments);
        for (int t = 0; t < 64; t++)
            assert_int_equal(out[t], t & 16 ? 0 : (t + 32) & 63);
        rig_close(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(predicates_do_not_part_lanes),
        cmocka_unit_test(divergent_barriers_are_named),
        cmocka_unit_test(lanes_that_end_are_not_waited_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
