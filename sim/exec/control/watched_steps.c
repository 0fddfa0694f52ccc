/*
 * MODEL: which instructions order accesses. nvcc leaves a NOP where __syncwarp() was and the lanes
 * of the warp are together. CCTL.IVALL ends an acquire at device scope; acquires at block scope are
 * the strong load alone.
 * SOURCE: nvcc 13.0's code for sm_90.
 * LEFT OUT: fences for copies beside the warps (FENCE.VIEW.ASYNC).
 */
#include "exec/control/watched_steps.h"

#include <stdio.h>
#include <string.h>

#include "exec/control/cluster.h"
#include "exec/control/split.h"
#include "exec/memory/module_load.h"
#include "exec/memory/watched_access.h"

static struct sanitizer_warp *warp_of(const struct exec_warp *warp)
{
    return &warp->block->watched->warp[warp->index];
}

static void watch_nop(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    (void)inst;
    sanitizer_lanes_met(warp_of(warp), lanes, warp->live);
}

static void watch_fence(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    const struct inst *lowered = &warp->block->grid->lowered[inst->sass->pc / 16];
    (void)lanes;
    sanitizer_fence(warp_of(warp), (uint8_t)(lowered->scope + 1));
}

static void watch_invalidation(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    (void)inst;
    (void)lanes;
    sanitizer_acquire_reads(warp_of(warp));
}

static void watch_group_end(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    (void)inst;
    (void)lanes;
    sanitizer_group_close(warp_of(warp));
}

static void watch_group_wait(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    const struct inst *lowered = &warp->block->grid->lowered[inst->sass->pc / 16];
    (void)lanes;
    if (lowered->depbar_index == DEPBAR_GROUPS)
        sanitizer_group_wait(warp_of(warp), lowered->depbar_count);
}

void watch_steps(struct exec_grid *grid)
{
    static const struct {
        uint16_t op;
        exec_fn *run;
    } watched[] = {{SASS_OP_NOP, watch_nop},
                   {SASS_OP_MEMBAR, watch_fence},
                   {SASS_OP_CCTL, watch_invalidation},
                   {SASS_OP_LDGDEPBAR, watch_group_end},
                   {SASS_OP_DEPBAR, watch_group_wait}};
    for (uint32_t i = 0; i < grid->steps; i++)
        for (size_t k = 0; k < sizeof watched / sizeof watched[0]; k++)
            if (grid->decoded[i].op == watched[k].op)
                grid->step[i].inst.run = watched[k].run;
}

void watch_meeting(struct exec_slot *slot, uint32_t lanes)
{
    sanitizer_lanes_met(warp_of(slot->warp), lanes, slot->warp->live);
}

/* Objects of a block: addresses of words below, then mbarriers, then barriers. */
static uint64_t mbarrier_object(uint64_t address)
{
    return address | UINT64_C(1) << 40;
}

static uint64_t barrier_object(uint32_t number)
{
    return number | UINT64_C(1) << 41;
}

void watch_bar(struct exec_slot *slot, const struct exec_inst *inst, uint32_t number,
               uint32_t lanes, bool waits)
{
    struct exec_warp *warp = slot->warp;
    sanitizer_release(warp_of(warp), barrier_object(number));
    const uint32_t missing = warp->live & ~lanes;
    if (waits && missing)
        watch_report(warp, inst, (uint32_t)__builtin_ctz(lanes), FINDING_BARRIER,
                     "Barrier %u in divergent code: lanes 0x%08x of the warp execute it without "
                     "lanes 0x%08x",
                     number, lanes, missing);
}

/* Returns the warps (bit w: warp w) that have lanes which have not exited. */
static uint32_t live_warps(const struct exec_block *block)
{
    uint32_t live = 0;
    for (uint32_t i = 0; i < block->warps; i++)
        live |= block->slot[i].warp->live ? UINT32_C(1) << i : 0;
    return live;
}

void watch_barrier_opens(struct exec_block *block, uint32_t number, uint32_t waiting)
{
    const bool all = !(live_warps(block) & ~waiting);
    for (uint32_t left = waiting; left; left &= left - 1) {
        struct sanitizer_warp *warp = &block->watched->warp[__builtin_ctz(left)];
        sanitizer_acquire_reads(warp);
        if (!all)
            sanitizer_acquire(warp, barrier_object(number));
    }
    if (all)
        sanitizer_all_met(block->watched);
}

void watch_arrival(struct exec_warp *warp, const struct exec_block *owner, uint64_t address)
{
    struct sanitizer_warp *by = warp_of(warp);
    if (owner == warp->block) {
        sanitizer_release(by, mbarrier_object(address));
        return;
    }
    struct sanitizer *sanitizer = by->block->sanitizer;
    const struct grid_event event = {.time = ++sanitizer->time,
                                     .object = (uintptr_t)owner ^ mbarrier_object(address) << 1,
                                     .block = by->block->index,
                                     .warp = by->index,
                                     .own = sanitizer->time,
                                     .shared = by->synced};
    grid_order_release(&sanitizer->order, &event);
    by->interval++;
}

void watch_phase_end(struct exec_warp *warp, uint64_t address)
{
    struct sanitizer_warp *by = warp_of(warp);
    sanitizer_acquire(by, mbarrier_object(address));
    if (!warp->block->cluster)
        return;
    struct sanitizer *sanitizer = by->block->sanitizer;
    const struct grid_event event = {.time = ++sanitizer->time,
                                     .object = (uintptr_t)warp->block ^ mbarrier_object(address)
                                                                            << 1,
                                     .block = by->block->index,
                                     .warp = by->index,
                                     .own = sanitizer->time};
    grid_order_acquire(&sanitizer->order, &event);
}

void watch_cluster(struct exec_cluster *cluster)
{
    struct sanitizer_block *block[CLUSTER_BLOCKS];
    uint32_t blocks = 0;
    for (uint32_t rank = 0; rank < CLUSTER_BLOCKS; rank++)
        if (cluster->block[rank])
            block[blocks++] = cluster->block[rank]->watched;
    if (blocks)
        sanitizer_cluster_met(block, blocks);
}

static struct sass_inst decode(const struct exec_module *loaded, const struct sass_kernel *kernel,
                               uint32_t at)
{
    const uint8_t *words = loaded->code + (kernel->code - loaded->module->code);
    struct sass_inst sass;
    uint64_t word[2];
    memcpy(word, words + at * sizeof word, sizeof word);
    sass_decode(&sass, word, at * 16, loaded->module->sm);
    return sass;
}

void watch_place(const void *module, const void *kernel, uint32_t at, struct finding_place *place)
{
    const struct exec_module *loaded = module;
    const struct sass_kernel *code = kernel;
    const char *file = NULL;
    sass_plain_name(code->name, place->kernel, sizeof place->kernel);
    if (at >= code->code_bytes / 16)
        return;
    const struct sass_inst sass = decode(loaded, code, at);
    (void)sass_text(&sass, place->code, sizeof place->code);
    place->offset = at * 16;
    place->line = sass_kernel_line(loaded->module, code, at * 16, &file);
    (void)snprintf(place->file, sizeof place->file, "%s", file ? file : "");
}

static bool has_register(const struct sass_operand *operand, uint32_t index)
{
    return operand->kind == SASS_REGISTER && operand->index != SASS_RZ && index >= operand->index &&
           index < operand->index + operand->words;
}

/* Returns whether the instruction computes with the register: to store it is no computation. */
static bool computes_with(const struct sass_inst *sass, uint32_t index)
{
    static const enum sass_role sources[] = {SASS_A, SASS_B, SASS_C, SASS_DATA, SASS_DATA2};
    const bool stores = sass->op == SASS_OP_STG || sass->op == SASS_OP_STS ||
                        sass->op == SASS_OP_STL || sass->op == SASS_OP_ST;
    for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++)
        if (has_register(&sass->operand[sources[i]], index) && !(stores && sources[i] == SASS_DATA))
            return true;
    return false;
}

bool watch_uses(const void *module, const void *kernel, uint32_t at, uint32_t word)
{
    const struct sass_kernel *code = kernel;
    const uint32_t steps = code->code_bytes / 16;
    const struct sass_inst load = decode(module, code, at);
    if (load.operand[SASS_D].kind != SASS_REGISTER)
        return true;
    const uint32_t index = load.operand[SASS_D].index + word;
    for (uint32_t i = 1; i < steps; i++) { /* behind the end: loops go on at the begin */
        const struct sass_inst sass = decode(module, code, (at + i) % steps);
        if (computes_with(&sass, index))
            return true;
        const bool always = sass.guard.index == SASS_PT && !sass.guard.negate;
        if (always && (has_register(&sass.operand[SASS_D], index) ||
                       has_register(&sass.operand[SASS_D2], index)))
            return false;
    }
    return false;
}
