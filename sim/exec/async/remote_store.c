/*
 * MODEL: asynchronous stores to shared memory of a block of the cluster (st.async), counted by a
 * barrier of that block. SOURCE: the PTX ISA. LEFT OUT: without time, a store is
 * complete when it has issued.
 */
#include "exec/async/remote_store.h"

#include <string.h>

#include "exec/async/mbarrier.h"
#include "exec/control/cluster.h"
#include "exec/control/fault.h"
#include "exec/memory/load_store.h"
#include "exec/memory/watched_access.h"

/* Values of SASS_MOD_SIZE. */
enum { SIZE_64 = 5, SIZE_128 };

/* A: the address, and behind it the barrier's. */
static void remote_store(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    const uint32_t a = inst->sass->operand[SASS_A].index, bytes = inst->mod[ACCESS_BYTES];
    uint64_t address[EXEC_LANES];
    uint8_t *place[EXEC_LANES];
    for (unsigned lane = 0; lane < EXEC_LANES; lane++)
        address[lane] = exec_row(warp, a)[lane] + inst->mod[ACCESS_OFFSET];
    if (warp->block->watched)
        watch_bulk_begin(warp, inst, exec_row(warp, a + 1)[__builtin_ctz(lanes)]);
    if (!cluster_find(warp, inst, lanes, address, true, place))
        return;
    exec_store(warp, inst->mod[ACCESS_DATA], lanes, place, 4, bytes / 4);
    warp->block->grid->changes++;
    for (; lanes; lanes &= lanes - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(lanes);
        if (!exec_mbarrier_complete(warp, inst, exec_row(warp, a + 1)[lane], bytes))
            return;
    }
}

bool exec_prepare_remote_store(struct exec_step *step, const struct sass_inst *sass, uint32_t steps)
{
    struct exec_inst *inst = &step->inst;
    const uint32_t size = sass_mod(sass, SASS_MOD_SIZE);
    (void)steps;
    step->kind = EXEC_MESSAGE;
    exec_access_fill(inst);
    inst->run = remote_store;
    inst->mod[ACCESS_BYTES] = size == SIZE_128 ? 16 : size == SIZE_64 ? 8 : 4;
    inst->mod[ACCESS_WRITES] = 1;
    return sass->operand[SASS_A].kind == SASS_REGISTER && size >= SIZE_64 - 1;
}
