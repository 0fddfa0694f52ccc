/*
 * MODEL: registers that warps give back (USETMAXREG.DEALLOC) are the block's. TRY_ALLOC takes as
 * many as the warp is short of, if there are so many, and says in a predicate whether. The code
 * tries again until then. Without time a warp waits in place of that.
 * SOURCE: PTX ISA, setmaxnreg; nvcc's code. H100, cuda/probe/setmaxnreg: executed instructions rise
 * by four for each 44 cycles of waiting.
 * LEFT OUT: registers that were given back and taken again keep their values here.
 */
#include "exec/control/register_pool.h"

#include "exec/control/fault.h"
#include "exec/control/split.h"

enum { VARIANT_BIT = 72 - 64, VARIANT_BITS = 15, TRY_ALLOC = 6 };

static uint32_t wanted_by(const struct exec_inst *inst)
{
    return inst->b.value[0];
}

/* Takes registers for the warp, if there are enough. */
static bool take(struct exec_block *block, struct exec_warp *warp, const struct exec_inst *inst)
{
    const uint32_t wanted = wanted_by(inst);
    const uint32_t more = wanted > warp->registers ? wanted - warp->registers : 0;
    if (more > block->free_registers)
        return false;
    block->free_registers -= more;
    warp->registers += more;
    return true;
}

static void answer(struct exec_warp *warp, const struct exec_inst *inst, bool taken)
{
    if (inst->pu != SASS_PT)
        warp->up[inst->pu] = taken ? UINT32_MAX : 0;
}

/* Lets warps go on that wait for registers, while there are enough. */
static void serve(struct exec_block *block)
{
    for (uint32_t i = 0; i < block->warps; i++) {
        struct exec_slot *slot = &block->slot[i];
        for (uint32_t g = 0; g < slot->groups; g++) {
            struct exec_group *group = &slot->group[g];
            if (group->wait != EXEC_AT_REGISTERS)
                continue;
            const struct exec_inst *inst = &block->grid->step[group->at].inst;
            if (!take(block, slot->warp, inst))
                continue;
            answer(slot->warp, inst, true);
            group->wait = EXEC_READY;
            group->at++;
        }
    }
}

static void give_back(struct exec_block *block, struct exec_warp *warp, uint32_t wanted)
{
    if (wanted < warp->registers) {
        block->free_registers += warp->registers - wanted;
        warp->registers = wanted;
    }
    serve(block);
}

void register_pool_change(struct exec_block *block, struct exec_slot *slot,
                          const struct exec_step *step, uint32_t lanes)
{
    const bool takes = (step->inst.sass->word[1] >> VARIANT_BIT & VARIANT_BITS) == TRY_ALLOC;
    const struct exec_group how = {.wait = EXEC_AT_REGISTERS};
    const bool taken = lanes && takes && take(block, slot->warp, &step->inst);
    if (lanes && takes && !taken && !block->grid->pending) {
        split_wait(slot, split_running(slot)->lanes, &how);
        return;
    }
    split_running(slot)->at++;
    if (lanes && takes)
        answer(slot->warp, &step->inst, taken);
    else if (lanes)
        give_back(block, slot->warp, wanted_by(&step->inst));
}
