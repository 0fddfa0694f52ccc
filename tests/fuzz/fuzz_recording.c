/*
 * A recording: opened, the streams of its first blocks read with all addresses, and some cycles of
 * it simulated.
 */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>

#include "api/simsm_front.h"
#include "model/op.h"
#include "record/recording_front.h"

enum { MOST_BLOCKS = 64, MOST_STEPS = 1 << 16, MOST_CYCLES = 4000 };

static void check(int holds, const char *what)
{
    if (holds)
        return;
    (void)fprintf(stderr, "%s\n", what);
    abort();
}

/* Checks what a front guarantees of its instructions. */
static uint64_t check_inst(const struct front *front, const void *cursor,
                           const struct warp_inst *inst)
{
    struct lane_addresses addresses;
    uint64_t sum = 0;
    check(inst->index < front->code_size, "an instruction that does not exist");
    check(inst->active != 0, "no active lane");
    check((inst->exec & ~inst->active) == 0, "a lane executes that is not active");
    if (!inst->exec || !op_is_memory((enum simsm_op_class)front->code[inst->index].op))
        return 0;
    front->ops->addresses(front, cursor, inst, &addresses);
    for (unsigned lane = 0; lane < SIMSM_WARP_LANES; lane++)
        sum += lane_address(&addresses, lane);
    return sum;
}

static void read_block(const struct front *front, void *cursor, uint64_t block)
{
    for (uint32_t w = 0; w < simsm_block_warps(&front->launch); w++) {
        struct warp_inst inst = {0};
        front->ops->warp_begin(front, cursor, block, w);
        for (int i = 0; i < MOST_STEPS && !(inst.flags & WARP_INST_LAST); i++) {
            front->ops->warp_next(front, cursor, &inst);
            (void)check_inst(front, cursor, &inst);
        }
        front_warp_end(front, cursor);
    }
}

/* The core takes whatever a recording holds: it may end, wait forever, or fail with a reason. */
static void simulate(struct front *front)
{
    static struct simsm_config config;
    struct simsm_error error = {.status = SIMSM_OK};
    struct simsm *simulation = NULL;
    if (!config.gpu_sms) {
        check(simsm_config_load(&config, "configs/teaching.yaml", &error) == SIMSM_OK,
              "run it where configs/ is");
        config.gpu_sms = 2;
    }
    enum simsm_status status = simsm_open_front(&simulation, &config, front, NULL, &error);
    if (status == SIMSM_OK)
        status = simsm_run(simulation, MOST_CYCLES, &error);
    check(status == SIMSM_OK || status == SIMSM_LIMIT || error.message[0] != '\0',
          "failed without a reason");
    simsm_close(simulation);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct front *front = NULL;
    struct simsm_error error = {.status = SIMSM_OK};
    FILE *file = size ? fmemopen((void *)(uintptr_t)data, size, "rb") : NULL;
    if (!file)
        return 0;
    enum simsm_status status = recording_open_file(&front, file, "input", NULL, NULL, &error);
    if (status != SIMSM_OK) {
        check(error.status == status && error.message[0] != '\0', "refused without a reason");
        return 0;
    }
    void *cursor = aligned_alloc(16, (front->cursor_size + 15) / 16 * 16);
    check(cursor != NULL, "no memory");
    uint64_t blocks = simsm_grid_blocks(&front->launch);
    for (uint64_t b = 0; b < blocks && b < MOST_BLOCKS; b++)
        read_block(front, cursor, b);
    free(cursor);
    simulate(front);
    return 0;
}
