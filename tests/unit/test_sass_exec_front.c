/* Blocks executed for the timing model: the streams are what was executed, in whatever order the
 * blocks are asked for. */
#include <stdlib.h>

#include "exec_rig.h"
#include "model/inst.h"

struct walked {
    uint64_t warps, threads, predicated, divergent;
    uint64_t stores[64]; /* addresses of global stores, one for each lane, of the first ones */
    uint32_t count;
};

static void note(struct walked *walked, const struct front *front, void *cursor,
                 const struct warp_inst *inst)
{
    struct lane_addresses addresses;
    walked->warps++;
    walked->threads += (uint64_t)__builtin_popcount(inst->active);
    walked->predicated += (uint64_t)__builtin_popcount(inst->exec);
    walked->divergent += (inst->flags & WARP_INST_DIVERGENT) != 0;
    if (front->code[inst->index].op != SIMSM_OP_ST_GLOBAL || !inst->exec)
        return;
    front->ops->addresses(front, cursor, inst, &addresses);
    for (uint32_t lane = 0; lane < 32 && walked->count < 64; lane++)
        if (inst->exec >> lane & 1)
            walked->stores[walked->count++] = lane_address(&addresses, lane);
}

static void walk_block(struct walked *walked, const struct front *front, uint64_t block)
{
    void *cursor = NULL;
    assert_int_equal(posix_memalign(&cursor, 16, front->cursor_size), 0);
    for (uint32_t warp = 0; warp < simsm_block_warps(&front->launch); warp++) {
        struct warp_inst inst = {0};
        front->ops->warp_begin(front, cursor, block, warp);
        for (bool last = false; !last;) {
            front->ops->warp_next(front, cursor, &inst);
            note(walked, front, cursor, &inst);
            last = inst.flags & WARP_INST_LAST;
        }
        front_warp_end(front, cursor);
    }
    free(cursor);
}

static struct front *open_front(struct rig *rig, const char *kernel, uint32_t grid, uint32_t block,
                                const uint64_t *arguments)
{
    struct exec_launch launch;
    struct front *front = NULL;
    uint8_t params[256] = {0};
    rig_prepare(rig, &launch, params, kernel, grid, block, arguments);
    if (exec_front_open(&front, &launch, &rig->error) != SIMSM_OK)
        fail_msg("%s", rig->error.message);
    memset(params, 0xff, sizeof params); /* they were read */
    return front;
}

static void streams_are_what_was_executed(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rig_sms / sizeof rig_sms[0]; i++) {
        struct rig rig;
        int *out;
        struct walked walked = {0};
        rig_open(&rig, rig_sms[i]);
        const uint64_t arguments[] = {rig_buffer(&rig, "out", 500 * 4, &out), 500};
        rig_must(&rig, "branches", 4, 128, arguments);
        struct front *front = open_front(&rig, "branches", 4, 128, arguments);
        assert_string_equal(front->launch.name, "branches");
        assert_true(front->launch.registers >= 4);
        for (uint64_t block = 4; block-- > 0;)
            walk_block(&walked, front, block);
        assert_int_equal(front_status(front, &rig.error), SIMSM_OK);
        assert_int_equal(walked.warps, rig.counts.warp_instructions);
        assert_int_equal(walked.threads, rig.counts.thread_instructions);
        assert_int_equal(walked.predicated, rig.counts.thread_instructions_pred_on);
        assert_true(walked.divergent > 0);
        front_close(front);
        rig_close(&rig);
    }
}

static void addresses_are_those_of_the_lanes(void **state)
{
    (void)state;
    struct rig rig;
    float *a;
    struct walked walked = {0};
    rig_open(&rig, 80);
    uint64_t at = rig_buffer(&rig, "a", 1024, &a);
    const uint64_t arguments[] = {at, at, at, 40};
    struct front *front = open_front(&rig, "vecadd", 1, 64, arguments);
    walk_block(&walked, front, 0);
    assert_int_equal(walked.count, 40);
    for (uint32_t i = 0; i < 40; i++)
        assert_int_equal(walked.stores[i], at + 4 * i);
    front_close(front);
    rig_close(&rig);
}

/* Waiting for other blocks is recorded with a bounded number of turns. */
static void spins_are_short(void **state)
{
    (void)state;
    enum { BLOCKS = 60 };
    for (size_t i = 0; i < sizeof rig_sms / sizeof rig_sms[0]; i++) {
        struct rig rig;
        int *in, *out, *flags, *sums;
        struct walked walked = {0};
        rig_open(&rig, rig_sms[i]);
        const uint64_t arguments[] = {rig_buffer(&rig, "in", BLOCKS * 4, &in),
                                      rig_buffer(&rig, "out", BLOCKS * 128, &out),
                                      rig_buffer(&rig, "flags", BLOCKS * 4, &flags),
                                      rig_buffer(&rig, "sums", BLOCKS * 4, &sums)};
        struct front *front = open_front(&rig, "look_back", BLOCKS, 32, arguments);
        for (uint64_t block = 0; block < BLOCKS; block++)
            walk_block(&walked, front, block);
        assert_int_equal(front_status(front, &rig.error), SIMSM_OK);
        assert_int_equal(flags[BLOCKS - 1], 1);
        assert_true(walked.warps < BLOCKS * 1000);
        front_close(front);
        rig_close(&rig);
    }
}

static void failures_reach_the_reader(void **state)
{
    (void)state;
    struct rig rig;
    int *data;
    struct walked walked = {0};
    rig_open(&rig, 90);
    const uint64_t arguments[] = {rig_buffer(&rig, "data", 400, &data), 96};
    struct front *front = open_front(&rig, "wrong_address", 2, 32, arguments);
    walk_block(&walked, front, 0);
    assert_int_equal(front_status(front, &rig.error), SIMSM_FAILED);
    assert_non_null(strstr(rig.error.message, "Invalid __global__ write"));
    front_close(front);
    rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_are_what_was_executed),
        cmocka_unit_test(addresses_are_those_of_the_lanes),
        cmocka_unit_test(spins_are_short),
        cmocka_unit_test(failures_reach_the_reader),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
