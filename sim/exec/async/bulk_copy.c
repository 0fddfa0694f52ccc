/*
 * MODEL: bulk copies (cp.async.bulk) and reductions (cp.reduce.async.bulk): multiples of 16 bytes
 * between global and shared memory. What arrives in shared memory is counted by a barrier
 * (mbarrier).
 * SOURCE: the PTX ISA; how ptxas hands over addresses, sizes and barriers in uniform registers.
 * Copies from shared to shared memory go to other blocks of the cluster; a multicast goes to the
 * same place in several blocks.
 * LEFT OUT: without time, a copy is complete when it has issued.
 */
#include "exec/async/bulk_copy.h"

#include <string.h>

#include "exec/async/copy_parts.h"
#include "exec/async/mbarrier.h"
#include "exec/control/cluster.h"
#include "exec/control/fault.h"
#include "exec/memory/atomic.h"
#include "exec/memory/load_store.h"
#include "exec/memory/watched_access.h"

enum { PIECE = 16 }; /* bytes of a lane's part */

static uint32_t uniform(const struct exec_warp *warp, const struct sass_operand *operand,
                        uint32_t word)
{
    const uint32_t index = operand->index + word;
    return operand->kind == SASS_UNIFORM && index < SASS_URZ ? warp->ur[index] : 0;
}

/* One end of a copy. */
struct end {
    uint64_t address;
    bool shared;
};

/* Reads an address: 64 bits of global memory, 32 of shared memory. */
static struct end end_of(const struct exec_warp *warp, const struct sass_operand *operand,
                         bool shared)
{
    const uint64_t high = shared ? 0 : uniform(warp, operand, 1);
    return (struct end){uniform(warp, operand, 0) | high << 32, shared};
}

/* Finds the bytes of `lanes`, 16 each from end->address + done on. Returns false if the launch has
 * failed. */
static bool find(struct exec_warp *warp, const struct exec_inst *inst, const struct end *end,
                 uint32_t done, uint32_t lanes, bool writes, uint8_t *place[EXEC_LANES])
{
    uint64_t address[EXEC_LANES];
    for (uint32_t i = 0; i < EXEC_LANES; i++)
        address[i] = end->address + done + i * PIECE;
    return end->shared ? cluster_find(warp, inst, lanes, address, writes, place)
                       : exec_find_global(warp, inst, lanes, address, place);
}

/* Returns false if the launch has failed. */
static bool copy(struct exec_warp *warp, const struct exec_inst *inst, const struct end *from,
                 const struct end *to, uint32_t bytes)
{
    uint8_t *source[EXEC_LANES], *target[EXEC_LANES];
    for (uint32_t done = 0; done < bytes; done += EXEC_LANES * PIECE) {
        const uint32_t pieces = (bytes - done) / PIECE;
        const uint32_t lanes = pieces >= EXEC_LANES ? UINT32_MAX : (UINT32_C(1) << pieces) - 1;
        if (!find(warp, inst, from, done, lanes, false, source) ||
            !find(warp, inst, to, done, lanes, true, target))
            return false;
        for (uint32_t left = lanes; left; left &= left - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctz(left);
            if (inst->sass->op == SASS_OP_UBLKRED)
                atomic_combine(sass_mod(inst->sass, SASS_MOD_ATOM_OP),
                               sass_mod(inst->sass, SASS_MOD_ATOM_TYPE), target[lane], source[lane],
                               PIECE);
            else
                memmove(target[lane], source[lane], PIECE);
        }
    }
    warp->block->grid->changes++;
    return true;
}

/* Copies to one place in shared or global memory, and counts the bytes at `barrier`. Returns false
 * if the launch has failed. */
static bool copy_and_count(struct exec_warp *warp, const struct exec_inst *inst,
                           const struct end *from, const struct end *to, uint32_t bytes,
                           uint32_t barrier)
{
    if (to->shared && warp->block->watched)
        watch_bulk_begin(warp, inst, barrier);
    return copy(warp, inst, from, to, bytes) &&
           (!to->shared || exec_mbarrier_complete(warp, inst, barrier, bytes));
}

void bulk_copy_parts(struct exec_warp *warp, const struct exec_inst *inst,
                     struct byte_buffer *parts)
{
    const struct sass_operand *operand = inst->sass->operand;
    const struct end from = end_of(warp, &operand[SASS_A], inst->mod[ACCESS_TYPE]);
    const struct end to = end_of(warp, &operand[SASS_B], inst->mod[ACCESS_WHAT]);
    const uint32_t size = uniform(warp, &operand[SASS_C], 0), bytes = (size & 0xffff) * PIECE;
    struct exec_grid *grid = warp->block->grid;
    if (!from.shared || !to.shared) {
        copy_parts_add(parts, from.shared ? to.address : from.address, bytes);
    } else {
        grid->between = bytes;
        grid->target_ranks = 1u << (to.address >> CLUSTER_RANK_BIT) % CLUSTER_BLOCKS;
    }
    if (sass_mod(inst->sass, SASS_MOD_MULTICAST))
        grid->target_ranks = size >> 16;
}

/*
 * A: from; B: to, and behind it the barrier of a copy to shared memory; C: units of 16 bytes, and
 * in its upper half the blocks of a multicast.
 */
static void bulk_copy(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    const struct sass_operand *operand = inst->sass->operand;
    const struct end from = end_of(warp, &operand[SASS_A], inst->mod[ACCESS_TYPE]);
    struct end to = end_of(warp, &operand[SASS_B], inst->mod[ACCESS_WHAT]);
    const uint32_t size = uniform(warp, &operand[SASS_C], 0), bytes = (size & 0xffff) * PIECE;
    const uint32_t barrier = uniform(warp, &operand[SASS_B], 1);
    (void)lanes; /* the warp copies once */
    if (!exec_unrecorded(warp, inst, "bulk copies (cp.async.bulk)"))
        return;
    if (from.shared && to.shared && !cluster_size(&warp->block->grid->launch)) {
        exec_fault(warp, inst, 0, EXEC_FAILURE_ILLEGAL,
                   "Invalid copy from shared to shared memory: the kernel was not launched in "
                   "clusters");
        return;
    }
    if (!sass_mod(inst->sass, SASS_MOD_MULTICAST)) {
        (void)copy_and_count(warp, inst, &from, &to, bytes, barrier);
        return;
    }
    for (uint32_t left = size >> 16; left; left &= left - 1) {
        const uint32_t rank = (uint32_t)__builtin_ctz(left);
        to.address = cluster_address(rank, (uint32_t)to.address);
        if (!copy_and_count(warp, inst, &from, &to, bytes, cluster_address(rank, barrier)))
            return;
    }
}

bool exec_prepare_bulk(struct exec_step *step, const struct sass_inst *sass, uint32_t steps)
{
    struct exec_inst *inst = &step->inst;
    (void)steps;
    step->kind = EXEC_COPY;
    inst->run = bulk_copy;
    inst->mod[ACCESS_BYTES] = PIECE;
    inst->mod[ACCESS_WHAT] = sass_mod(sass, SASS_MOD_BULK_TO);
    inst->mod[ACCESS_TYPE] = sass_mod(sass, SASS_MOD_BULK_FROM);
    inst->mod[ACCESS_WRITES] = !inst->mod[ACCESS_WHAT];
    return (sass->op != SASS_OP_UBLKRED ||
            atomic_has(sass_mod(sass, SASS_MOD_ATOM_OP), sass_mod(sass, SASS_MOD_ATOM_TYPE)));
}
