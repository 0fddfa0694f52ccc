/* Groups of lanes of a warp: who goes on when, and who becomes one group. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "exec/control/split.h"

enum { LOOP = 10, BSYNC = 20, BARRIER = 3 };

static struct exec_warp *warp;
static struct exec_slot slot;

static void begin(void)
{
    warp = warp ? warp : exec_warp_create(2);
    assert_non_null(warp);
    warp->live = UINT32_MAX;
    static const struct divergence_rules rules = {.first = SIMSM_FEWER_divergence_first};
    slot = (struct exec_slot){.warp = warp, .rules = &rules};
    split_begin(&slot, UINT32_MAX, LOOP);
}

/* The running group waits at the convergence barrier. */
static void wait_here(void)
{
    const struct exec_group how = {.wait = EXEC_AT_CONVERGENCE, .barrier = BARRIER};
    split_wait(&slot, split_running(&slot)->lanes, &how);
    split_converge(&slot, BARRIER, false);
}

static void expect_next(uint32_t lanes, uint32_t at)
{
    assert_true(split_next(&slot));
    assert_int_equal(split_running(&slot)->lanes, lanes);
    assert_int_equal(split_running(&slot)->at, at);
}

/* A loop that most lanes leave at each turn: 20, 8, 3 of them, then the last. As an H200 counts,
 * the last and the three issue BSYNC by themselves; 20 and 8 have become one, and take these along.
 */
static void sides_put_away_meet(void **state)
{
    (void)state;
    begin();
    warp->breg[BARRIER] = UINT32_MAX;
    split_branch(&slot, 0xfff00000, LOOP);
    split_running(&slot)->at = LOOP;
    slot.group[1].at = BSYNC;
    split_leave(&slot, 0xf0000000, LOOP, BSYNC);
    split_leave(&slot, 0x80000000, LOOP, BSYNC);
    split_running(&slot)->at = BSYNC;
    assert_int_equal(split_running(&slot)->lanes, 0x80000000);
    wait_here();
    expect_next(0x70000000, BSYNC);
    wait_here();
    expect_next(UINT32_MAX, BSYNC);
    assert_int_equal(slot.groups, 1);
}

/* Lanes in calls of different depth stay apart, though they are at one instruction. */
static void frames_stay_apart(void **state)
{
    (void)state;
    begin();
    for (unsigned lane = 20; lane < 28; lane++)
        warp->r[1][lane] = 64;
    split_leave(&slot, 0xfff00000, LOOP, BSYNC);
    split_leave(&slot, 0xf0000000, LOOP, BSYNC);
    split_leave(&slot, 0x80000000, LOOP, BSYNC);
    split_exit(&slot, 0x80000000);
    expect_next(0x70000000, BSYNC);
    split_exit(&slot, 0x70000000);
    expect_next(0x0ff00000, BSYNC);
}

/* WARPSYNC.COLLECTIVE at two places: all carry out the one at which the last arrived. */
static void collective_joins_and_parts(void **state)
{
    (void)state;
    const struct exec_group how = {
        .wait = EXEC_AT_WARPSYNC, .mask = UINT32_MAX, .collective = true};
    begin();
    split_branch(&slot, 0x000000ff, 40);
    for (unsigned lane = 0; lane < EXEC_LANES; lane++)
        slot.resume[lane] = lane < 8 ? 45 : LOOP + 5;
    split_wait(&slot, 0x000000ff, &how);
    split_collect(&slot, UINT32_MAX, 40);
    expect_next(0xffffff00, LOOP + 1);
    split_wait(&slot, 0xffffff00, &how);
    split_collect(&slot, UINT32_MAX, LOOP + 1);
    expect_next(UINT32_MAX, LOOP + 1);
    split_running(&slot)->at = LOOP + 4; /* ENDCOLLECTIVE */
    split_scatter(&slot);
    assert_int_equal(split_running(&slot)->lanes, 0xffffff00);
    assert_int_equal(split_running(&slot)->at, LOOP + 5);
    split_exit(&slot, 0xffffff00);
    expect_next(0x000000ff, 45);
}

/* Lanes of other masks stay at the WARPSYNC, and do not become one with those that are complete. */
static void masks_go_on_one_after_the_other(void **state)
{
    (void)state;
    begin();
    split_advance(&slot, 0xff);
    assert_int_equal(split_running(&slot)->lanes, 0xff);
    assert_int_equal(split_running(&slot)->at, LOOP + 1);
    split_exit(&slot, 0xff);
    expect_next(0xffffff00, LOOP);
    split_advance(&slot, 0xffffff00);
    expect_next(0xffffff00, LOOP + 1);
    assert_int_equal(slot.groups, 1);
}

/* Lanes that come to a WARPSYNC.COLLECTIVE where others are complete already stay by themselves. */
static void complete_lanes_take_no_others(void **state)
{
    (void)state;
    const struct exec_group how = {.wait = EXEC_AT_WARPSYNC, .mask = 0xff, .collective = true};
    begin();
    split_branch(&slot, 0xff, LOOP);
    split_wait(&slot, 0xff, &how);
    split_collect(&slot, 0xff, LOOP);
    slot.group[0] = (struct exec_group){.lanes = 0xffffff00, .at = LOOP};
    slot.now = 0;
    split_advance(&slot, 0xf00);
    split_branch(&slot, 0x100, 50); /* puts those away that stayed */
    assert_int_equal(slot.groups, 4);
    for (uint32_t i = 0; i < slot.groups; i++)
        assert_int_equal(slot.group[i].lanes & 0xff, slot.group[i].collective ? 0xff : 0);
}

/* A warp has arrived at BAR only when none of its lanes has yet to go on. */
static void arrival_in_part(void **state)
{
    (void)state;
    const struct exec_group how = {.wait = EXEC_AT_BARRIER, .barrier = 0};
    begin();
    split_branch(&slot, 0x000000ff, 40);
    split_wait(&slot, 0x000000ff, &how);
    assert_true(split_waits_in_part(&slot, 40));
    expect_next(0xffffff00, LOOP + 1);
    split_wait(&slot, 0xffffff00, &how);
    assert_false(split_waits_in_part(&slot, LOOP + 1));
}

/* Lanes that wait at a convergence barrier for others go on when these yield, which go on behind
 * them; so an H200 does (calib/split). */
static void waiting_lanes_go_on_when_others_yield(void **state)
{
    (void)state;
    begin();
    warp->breg[BARRIER] = UINT32_MAX;
    split_branch(&slot, 0xff, BSYNC);
    wait_here();
    expect_next(0xffffff00, LOOP + 1);
    split_yield(&slot);
    expect_next(0xff, BSYNC + 1);
    assert_int_equal(warp->breg[BARRIER], 0xffffff00);
    split_exit(&slot, 0xff);
    expect_next(0xffffff00, LOOP + 2);
    split_yield(&slot); /* there is nobody else */
    assert_int_equal(split_running(&slot)->at, LOOP + 3);
}

/* A group that yields becomes one with another that is where it goes on. */
static void yielding_groups_catch_up(void **state)
{
    (void)state;
    begin();
    split_branch(&slot, 0xff, LOOP);
    split_yield(&slot); /* to where the others have stayed */
    expect_next(UINT32_MAX, LOOP + 1);
    assert_int_equal(slot.groups, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waiting_lanes_go_on_when_others_yield),
        cmocka_unit_test(yielding_groups_catch_up),
        cmocka_unit_test(sides_put_away_meet),
        cmocka_unit_test(frames_stay_apart),
        cmocka_unit_test(collective_joins_and_parts),
        cmocka_unit_test(masks_go_on_one_after_the_other),
        cmocka_unit_test(complete_lanes_take_no_others),
        cmocka_unit_test(arrival_in_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
