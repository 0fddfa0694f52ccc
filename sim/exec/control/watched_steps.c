/*
 * MODEL: which instructions order accesses. nvcc leaves a NOP where __syncwarp() was and the lanes
 * of the warp are together. CCTL.IVALL ends an acquire at device scope; acquires at block scope are
 * the strong load alone.
 * SOURCE: nvcc 13.0's code for sm_90.
 * LEFT OUT: which of several parts of shared memory a fence for copies beside the warps covers: one
 * range is known for each warp.
 */
#include "exec/control/watched_steps.h"

#include <string.h>

#include "exec/alu/alu.h"
#include "exec/control/cluster.h"
#include "exec/control/watched_inner.h"
#include "exec/memory/load_store.h"
#include "exec/memory/module_load.h"
#include "exec/memory/watched_access.h"

/* Bits of an address in shared memory of a block of the cluster that are the place in the block. */
#define MBARRIER_ADDRESS ((UINT64_C(1) << CLUSTER_RANK_BIT) - 1)

/* Lanes that contradict the mask of a lane. */
struct mask_faults {
    uint32_t lane;      /* whose mask it is; EXEC_LANES: no mask is wrong */
    uint32_t unnamed;   /* execute the function with this mask, which does not name them */
    uint32_t absent;    /* are named and do not execute it */
    uint32_t differing; /* are named and have another mask */
};

/* Returns the faults of the first wrong mask. Groups of lanes with masks of their own may execute
 * one instruction together, such as the tiles of a cooperative group. */
static struct mask_faults faults_of(const uint32_t *mask, uint32_t lanes, uint32_t live)
{
    struct mask_faults faults = {.lane = EXEC_LANES};
    for (uint32_t left = lanes; left;) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left), named = mask[lane];
        uint32_t same = 0;
        for (uint32_t others = left; others; others &= others - 1)
            same |= mask[__builtin_ctz(others)] == named ? others & -others : 0;
        faults.unnamed = same & ~named;
        faults.absent = named & live & ~lanes;
        faults.differing = named & lanes & ~same;
        if (faults.unnamed | faults.absent | faults.differing) {
            faults.lane = faults.unnamed ? (uint32_t)__builtin_ctz(faults.unnamed) : lane;
            return faults;
        }
        left &= ~same;
    }
    return faults;
}

/* Looks whether the lanes that execute a function of the warp are those of their masks. The
 * compiler has left out the instruction that lets them meet, as they must be together. */
static void look_at_mask(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    const uint32_t number = inst->mod[MASK_REGISTER];
    if (!number)
        return;
    const uint32_t *mask = exec_row(warp, number - 1);
    const struct mask_faults faults = faults_of(mask, lanes, warp->live);
    if (faults.lane == EXEC_LANES)
        return;
    const uint32_t named = mask[faults.lane];
    if (faults.unnamed)
        watch_report(warp, inst, faults.lane, FINDING_MASK,
                     "Mask 0x%08x of a warp function does not name lanes 0x%08x, which execute it",
                     named, faults.unnamed);
    else if (faults.absent)
        watch_report(warp, inst, faults.lane, FINDING_MASK,
                     "Mask 0x%08x of a warp function names lanes 0x%08x, which do not execute it",
                     named, faults.absent);
    else
        watch_report(warp, inst, faults.lane, FINDING_MASK,
                     "Mask 0x%08x of a warp function names lanes 0x%08x, which have other masks",
                     named, faults.differing);
}

static void watch_nop(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    look_at_mask(warp, inst, lanes);
    sanitizer_lanes_met(watch_warp(warp), lanes, warp->live);
}

/* A vote, a match or a reduction, whose own function is in `body`. */
static void watch_warp_function(struct exec_warp *warp, const struct exec_inst *inst,
                                uint32_t lanes)
{
    look_at_mask(warp, inst, lanes);
    inst->body(warp, inst, lanes);
}

/* Returns whether a shuffle reads beyond the lanes of its mask, as the last steps of a reduction or
 * a scan do, which drop what they read there: __shfl_down_sync() behind the last lane,
 * __shfl_up_sync() in front of the first. */
static bool is_beyond(const struct exec_inst *inst, uint32_t from, uint32_t mask)
{
    const uint32_t mode = inst->mod[0];
    return (mode == ALU_SHFL_DOWN && mask >> from == 0) ||
           (mode == ALU_SHFL_UP && mask << (EXEC_LANES - 1 - from) == 0);
}

/* SHFL. */
static void watch_shuffle(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t from[EXEC_LANES];
    const uint32_t number = inst->mod[MASK_REGISTER];
    alu_shuffle_sources(warp, inst, from);
    for (uint32_t left = lanes; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        const uint32_t mask = number ? exec_row(warp, number - 1)[lane] : UINT32_MAX;
        if (!(lanes & mask & exec_lane_bit[from[lane]]) && !is_beyond(inst, from[lane], mask))
            watch_report(warp, inst, lane, FINDING_LANE,
                         "Shuffle reads lane %u, which does not execute it or is not in its mask "
                         "(lanes 0x%08x execute it)",
                         from[lane], lanes);
    }
    watch_warp_function(warp, inst, lanes);
}

/* SYNCS.CCTL.IV: mbarrier.inval. */
static void watch_inval(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint64_t address[EXEC_LANES];
    struct exec_inst access = *inst;
    exec_access_fill(&access);
    if (inst->sass->operand[SASS_A].kind == SASS_UNIFORM)
        access.mod[ACCESS_UR] = inst->sass->operand[SASS_A].index;
    exec_address_shared(warp, &access, address);
    uint64_t *state = key_map_put(&warp->block->watched->mbarriers,
                                  address[__builtin_ctz(lanes)] & MBARRIER_ADDRESS, 0);
    if (state)
        *state = MBARRIER_ENDED;
}

static void watch_fence(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    const struct inst *lowered = &warp->block->grid->lowered[inst->sass->pc / 16];
    (void)lanes;
    sanitizer_fence(watch_warp(warp), (uint8_t)(lowered->scope + 1));
}

/* FENCE.VIEW.ASYNC: what the warp has written, copies beside the warps may read; and what others
 * had written before they met it at a barrier. */
static void watch_proxy_fence(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    struct sanitizer_block *block = warp->block->watched;
    (void)inst;
    (void)lanes;
    for (uint32_t i = 0; i < block->warps; i++) {
        struct sanitizer_warp *other = &block->warp[i];
        if (i == warp->index || other->unfenced_since < block->warp[warp->index].synced)
            other->unfenced_first = other->unfenced_end = 0;
    }
}

/* LDC with an address in a register. */
static void watch_constant(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    enum { BANK_BYTES = 1 << 16 };
    uint32_t room[EXEC_LANES];
    const uint32_t *index = exec_read(warp, &inst->a, 0, room);
    for (uint32_t left = inst->a.kind == SASS_REGISTER ? lanes : 0; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        const uint32_t at = index[lane] + inst->mod[ACCESS_OFFSET];
        if (at >= BANK_BYTES)
            watch_report(warp, inst, lane, FINDING_ACCESS,
                         "Invalid __constant__ read: byte %u of a bank of 65536 bytes", at);
    }
    inst->body(warp, inst, lanes);
}

static void watch_invalidation(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    (void)inst;
    (void)lanes;
    sanitizer_acquire_reads(watch_warp(warp));
}

/* ACQBULK: griddepcontrol.wait. */
static void watch_dependency(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    (void)inst;
    (void)lanes;
    warp->block->watched->waited = true;
}

static void watch_group_end(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    (void)inst;
    (void)lanes;
    sanitizer_group_close(watch_warp(warp));
}

static void watch_group_wait(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    const struct inst *lowered = &warp->block->grid->lowered[inst->sass->pc / 16];
    (void)lanes;
    if (lowered->depbar_index == DEPBAR_GROUPS)
        sanitizer_group_wait(watch_warp(warp), lowered->depbar_count);
}

/* Tells the functions of the warp where their masks are. Those without one take any lanes. */
static void find_masks(struct exec_grid *grid)
{
    enum { NEAR = 8 }; /* instructions between a WARPSYNC of the compiler and its BAR */
    const struct sass_kernel *kernel = grid->kernel;
    for (uint32_t i = 0; i < grid->steps; i++) {
        bool bar = grid->decoded[i].op != SASS_OP_WARPSYNC;
        for (uint32_t k = i + 1; k < grid->steps && k <= i + NEAR && !bar; k++)
            bar = grid->decoded[k].op == SASS_OP_BAR;
        if (!bar)
            grid->step[i].inst.mod[NAMES_MASK] = 1;
    }
    for (uint32_t i = 0; i < kernel->warp_functions && i < kernel->warp_masks; i++) {
        const uint32_t at = kernel->warp_function[i] / 16, mask = kernel->warp_mask[i];
        const uint32_t number = mask - SASS_WARP_MASK_REGISTER;
        if (at < grid->steps && number < grid->rows && grid->decoded[at].op != SASS_OP_WARPSYNC)
            grid->step[at].inst.mod[MASK_REGISTER] = number + 1;
    }
}

void watch_steps(struct exec_grid *grid)
{
    static const struct {
        uint16_t op;
        exec_fn *run;
    } watched[] = {{SASS_OP_NOP, watch_nop},
                   {SASS_OP_SHFL, watch_shuffle},
                   {SASS_OP_VOTE, watch_warp_function},
                   {SASS_OP_MATCH, watch_warp_function},
                   {SASS_OP_REDUX, watch_warp_function},
                   {SASS_OP_SYNCS_CCTL, watch_inval},
                   {SASS_OP_LDC, watch_constant},
                   {SASS_OP_FENCE, watch_proxy_fence},
                   {SASS_OP_MEMBAR, watch_fence},
                   {SASS_OP_CCTL, watch_invalidation},
                   {SASS_OP_ACQBULK, watch_dependency},
                   {SASS_OP_LDGDEPBAR, watch_group_end},
                   {SASS_OP_DEPBAR, watch_group_wait}};
    for (uint32_t i = 0; i < grid->steps; i++)
        for (size_t k = 0; k < sizeof watched / sizeof watched[0]; k++)
            if (grid->decoded[i].op == watched[k].op) {
                grid->step[i].inst.body = grid->step[i].inst.run;
                grid->step[i].inst.run = watched[k].run;
            }
    find_masks(grid);
}
