/* A text trace: read, and the first instructions of a few warps produced. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/trace.h"

enum { WARPS = 4, INSTRUCTIONS = 2000 };

static void check(int holds, const char *what)
{
    if (holds)
        return;
    (void)fprintf(stderr, "%s\n", what);
    abort();
}

/* Checks what every instruction sequence guarantees to the core. */
static void run_warp(const struct front *front, void *cursor, uint64_t block, uint32_t warp)
{
    struct warp_inst inst = {0};
    struct lane_addresses addresses;
    memset(cursor, 0xA5, front->cursor_size);
    front->ops->warp_begin(front, cursor, block, warp);
    for (int i = 0; i < INSTRUCTIONS && !(inst.flags & WARP_INST_LAST); i++) {
        front->ops->warp_next(front, cursor, &inst);
        check(inst.index < front->code_size, "an instruction that does not exist");
        check(inst.active != 0, "no lane is active");
        check((inst.exec & ~inst.active) == 0, "a lane executes that is not active");
        if (front->code[inst.index].width)
            front->ops->addresses(front, cursor, &inst, &addresses);
    }
}

static void run(const struct front *front)
{
    uint64_t blocks = simsm_grid_blocks(&front->launch);
    uint32_t warps = simsm_block_warps(&front->launch);
    void *cursor = aligned_alloc(16, (front->cursor_size + 15) / 16 * 16);
    check(cursor != NULL, "out of memory");
    check(blocks > 0 && warps > 0 && warps <= 32, "an impossible launch");
    for (uint32_t i = 0; i < WARPS; i++)
        run_warp(front, cursor, i % 2 ? blocks - 1 : 0, i / 2 ? warps - 1 : 0);
    free(cursor);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct front *front = NULL;
    struct simsm_error error = {.status = SIMSM_OK};
    char *text = malloc(size + 1);
    check(text != NULL, "out of memory");
    if (size)
        memcpy(text, data, size);
    text[size] = '\0';
    enum simsm_status status = trace_open_text(&front, "input", text, size, NULL, NULL, &error);
    free(text);
    if (status == SIMSM_OK)
        run(front);
    else
        check(error.status == status && error.message[0] != '\0', "refused without a reason");
    if (status == SIMSM_OK)
        front_close(front);
    return 0;
}
