/* WARPGROUP: the warps of a warp group wait for each other, and for no others. */
#include "exec_rig.h"

static void warps_of_a_group_meet(void **state)
{
    enum { THREADS = 256, GROUP = 128, LANES = 32 };
    struct rig rig;
    int *out;
    (void)state;
    rig_open_code(&rig, "warp_groups", 90);
    const uint64_t arguments[] = {rig_buffer(&rig, "out", THREADS * sizeof *out, &out)};
    rig_must(&rig, "hand_on", 1, THREADS, arguments);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(out[i], 1000 + i / GROUP * GROUP + (i + LANES) % GROUP);
    rig_close(&rig);
}

/* Without meeting at WARPGROUP.ARRIVE, a warp that is a turn behind waits for ever. */
static void groups_share_a_barrier(void **state)
{
    enum { THREADS = 256, SUM = 3 };
    struct rig rig;
    int *out;
    (void)state;
    rig_open_code(&rig, "group_bar", 90);
    const uint64_t arguments[] = {rig_buffer(&rig, "out", THREADS * sizeof *out, &out)};
    rig_must(&rig, "share", 1, THREADS, arguments);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(out[i], SUM);
    rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(warps_of_a_group_meet),
                                       cmocka_unit_test(groups_share_a_barrier)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
