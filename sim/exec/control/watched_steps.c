/*
 * MODEL: which instructions order accesses. nvcc leaves a NOP where __syncwarp() was and the lanes
 * of the warp are together. CCTL.IVALL ends an acquire at device scope; acquires at block scope are
 * the strong load alone.
 * SOURCE: nvcc 13.0's code for sm_90.
 * LEFT OUT: which of several parts of shared memory a fence for copies beside the warps covers: one
 * range is known for each warp.
 */
#include "exec/control/watched_steps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exec/alu/alu.h"
#include "exec/control/cluster.h"
#include "exec/control/split.h"
#include "exec/memory/load_store.h"
#include "exec/memory/module_load.h"
#include "exec/memory/watched_access.h"

/* Returns whether a predicate operand is true for all lanes. */
static bool is_always(const struct sass_operand *predicate)
{
    return predicate->kind == SASS_NONE || (predicate->index == SASS_PT && !predicate->negate);
}

/* Bits of an address in shared memory of a block of the cluster that are the place in the block. */
#define MBARRIER_ADDRESS ((UINT64_C(1) << CLUSTER_RANK_BIT) - 1)

/* Indices into mod[] of instructions with a mask: 1 if the mask is the program's and not one of the
 * compiler in front of a barrier; number of its register + 1, 0: all lanes. */
enum { NAMES_MASK = 6, MASK_REGISTER = 7 };

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

/* Notes that instruction `at` is reached. Returns whether that is new. */
static bool reach(uint8_t *reached, uint32_t steps, uint32_t at)
{
    const bool is_new = at < steps && !reached[at];
    if (is_new)
        reached[at] = 1;
    return is_new;
}

/* Returns whether control can come from instruction `from` to instruction `to`. Jumps to addresses
 * in registers lead nowhere. */
static bool leads_to(const struct exec_grid *grid, uint32_t from, uint32_t to)
{
    uint8_t *reached = calloc(grid->steps + 1, 1);
    bool more = reached && reach(reached, grid->steps, from);
    while (more) {
        more = false;
        for (uint32_t at = 0; at < grid->steps; at++) {
            const struct sass_inst *sass = &grid->decoded[at];
            const bool jumps = sass->op == SASS_OP_BRA, ends = sass->op == SASS_OP_EXIT;
            const bool always = is_always(&sass->guard) && is_always(&sass->operand[SASS_PP]);
            if (reached[at] != 1)
                continue;
            reached[at] = 2; /* its successors are noted */
            if (jumps)
                more |= reach(reached, grid->steps, (uint32_t)(sass->target / 16));
            if (!((jumps || ends) && always))
                more |= reach(reached, grid->steps, at + 1);
        }
    }
    const bool leads = reached && to < grid->steps && reached[to];
    free(reached);
    return leads;
}

/* Returns whether a warp that has ended had gone past instruction `at`: it has ended where control
 * comes from there. Threads that end elsewhere, by an early return, count as arrived on all GPUs
 * since Volta. */
static bool has_gone_past(const struct exec_block *block, uint32_t warp, uint32_t at)
{
    const struct exec_grid *grid = block->grid;
    const uint32_t ended_at = block->watched->warp[warp].ended_at;
    uint64_t *known = key_map_put(&block->watched->sanitizer->used, (uintptr_t)grid->kernel + 1,
                                  (uint64_t)at << 32 | ended_at);
    if (!known)
        return false;
    if (!*known)
        *known = 1 + leads_to(grid, at, ended_at);
    return *known == 2;
}

void watch_masks(struct exec_slot *slot, const struct exec_inst *inst,
                 const uint32_t mask[EXEC_LANES], uint32_t waiting)
{
    for (uint32_t left = waiting; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        const struct sanitizer_warp *warp = watch_warp(slot->warp);
        if (inst->mod[NAMES_MASK] && mask[lane] & warp->ended &&
            has_gone_past(slot->warp->block, slot->warp->index, inst->sass->pc / 16))
            watch_report(
                slot->warp, inst, lane, FINDING_MASK,
                "Mask 0x%08x of a warp function names lanes 0x%08x, which have gone past it",
                mask[lane], mask[lane] & warp->ended);
        if (!(mask[lane] >> lane & 1))
            watch_report(slot->warp, inst, lane, FINDING_MASK,
                         "Mask 0x%08x of a warp function that lane %u executes does not name it",
                         mask[lane], lane);
        for (uint32_t others = mask[lane] & waiting; others; others &= others - 1)
            if (mask[__builtin_ctz(others)] != mask[lane])
                watch_report(slot->warp, inst, lane, FINDING_MASK,
                             "Lanes %u and %u execute a warp function together with different "
                             "masks, 0x%08x and 0x%08x",
                             lane, (uint32_t)__builtin_ctz(others), mask[lane],
                             mask[__builtin_ctz(others)]);
    }
}

void watch_exit(struct exec_slot *slot, uint32_t lanes)
{
    struct sanitizer_warp *warp = watch_warp(slot->warp);
    const uint32_t at = split_running(slot)->at;
    warp->ended_at = at > warp->ended_at ? at : warp->ended_at;
    warp->ended |= lanes;
    for (uint32_t i = 0; i < slot->groups; i++) {
        const struct exec_group *group = &slot->group[i];
        if (group->wait != EXEC_AT_WARPSYNC || !(group->mask & lanes) ||
            !slot->warp->block->grid->step[group->at].inst.mod[NAMES_MASK])
            continue;
        if (has_gone_past(slot->warp->block, slot->warp->index, group->at))
            continue; /* watch_masks() tells when the lanes that wait go on */
        for (uint32_t left = group->lanes; left; left &= left - 1)
            watch_report(slot->warp, &slot->warp->block->grid->step[group->at].inst,
                         (uint32_t)__builtin_ctz(left), FINDING_MASK,
                         "Mask 0x%08x of a warp function names lanes 0x%08x, which end without it",
                         group->mask, group->mask & lanes);
    }
}

void watch_meeting(struct exec_slot *slot, uint32_t lanes)
{
    sanitizer_lanes_met(watch_warp(slot->warp), lanes, slot->warp->live);
}

/* How many phases of the mbarrier have ended. */
static uint64_t phases_of(const struct exec_block *owner, uint64_t address)
{
    const uint64_t *count = key_map_find(&owner->watched->mbarriers, address, 1);
    return count ? *count : 0;
}

void watch_phase(const struct exec_block *owner, uint64_t address)
{
    uint64_t *count = key_map_put(&owner->watched->mbarriers, address, 1);
    if (count)
        ++*count;
}

/* What is released into phase n differs from what is released into the next: a thread that has seen
 * one end may not have seen the other. */
static uint64_t phase_object(const struct exec_block *owner, uint64_t address, uint64_t phase)
{
    return watch_mbarrier_object(address) ^ (uintptr_t)owner << 16 ^ (phase + 1) << 50;
}

static uint64_t barrier_object(uint32_t number)
{
    return number | UINT64_C(1) << 62;
}

void watch_bar(struct exec_slot *slot, const struct exec_inst *inst, uint32_t number,
               uint32_t threads, uint32_t lanes, bool waits)
{
    struct exec_warp *warp = slot->warp;
    sanitizer_release(watch_warp(warp), barrier_object(number));
    if (threads % EXEC_LANES)
        watch_report(warp, inst, (uint32_t)__builtin_ctz(lanes), FINDING_BARRIER,
                     "Barrier %u expects %u threads; the number must be a multiple of 32", number,
                     threads);
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

/* Reports warps that have ended without coming to the barrier, though they have gone past it. */
static void look_for_skips(struct exec_block *block, uint32_t waiting, uint32_t at)
{
    const struct exec_inst *inst = &block->grid->step[at].inst;
    for (uint32_t i = 0; i < block->warps && waiting; i++)
        if (!block->slot[i].warp->live && has_gone_past(block, i, at))
            watch_report(block->slot[__builtin_ctz(waiting)].warp, inst, 0, FINDING_BARRIER,
                         "Barrier that warp %u has gone past without waiting, while others wait",
                         i);
}

void watch_barrier_opens(struct exec_block *block, uint32_t number, uint32_t waiting, uint32_t at)
{
    if (!block->barrier[number].expected)
        look_for_skips(block, waiting, at);
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
    struct sanitizer_warp *by = watch_warp(warp);
    if (owner == warp->block) {
        sanitizer_release(by, phase_object(owner, address, phases_of(owner, address)));
        return;
    }
    struct sanitizer *sanitizer = by->block->sanitizer;
    const struct grid_event event = {.time = ++sanitizer->time,
                                     .object =
                                         phase_object(owner, address, phases_of(owner, address)),
                                     .block = by->block->index,
                                     .warp = by->index,
                                     .own = sanitizer->time,
                                     .shared = by->synced};
    grid_order_release(&sanitizer->order, &event);
    by->interval++;
}

void watch_phase_end(struct exec_warp *warp, uint64_t address)
{
    struct sanitizer_warp *by = watch_warp(warp);
    const uint64_t ended = phases_of(warp->block, address);
    const uint64_t object = phase_object(warp->block, address, ended ? ended - 1 : 0);
    sanitizer_acquire(by, watch_mbarrier_object(address));
    sanitizer_acquire(by, object);
    sanitizer_lanes_met(by, warp->live, warp->live); /* all that arrived, other lanes among them */
    if (!warp->block->cluster)
        return;
    struct sanitizer *sanitizer = by->block->sanitizer;
    const struct grid_event event = {.time = ++sanitizer->time,
                                     .object = object,
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
    for (uint32_t i = 0; i < PLACE_CALLS; i++) {
        const uint32_t line = sass_kernel_call(loaded->module, code, at * 16, i, &file);
        if (!line)
            break;
        (void)snprintf(place->inlined[i].file, sizeof place->inlined[i].file, "%s", file);
        place->inlined[i].line = line;
        place->inlined_count++;
    }
}

static bool has_register(const struct sass_operand *operand, uint32_t index)
{
    return operand->kind == SASS_REGISTER && operand->index != SASS_RZ && index >= operand->index &&
           index < operand->index + operand->words;
}

/* Returns what the instruction does with the register. */
static enum sanitizer_use use_by(const struct sass_inst *sass, uint32_t index)
{
    static const enum sass_role sources[] = {SASS_A, SASS_B, SASS_C, SASS_DATA, SASS_DATA2};
    static const uint16_t choices[] = {SASS_OP_FSETP, SASS_OP_ISETP, SASS_OP_DSETP, SASS_OP_FSEL,
                                       SASS_OP_SEL,   SASS_OP_FMNMX, SASS_OP_IMNMX, SASS_OP_HSETP2,
                                       SASS_OP_FSET,  SASS_OP_PLOP3};
    const bool stores = sass->op == SASS_OP_STG || sass->op == SASS_OP_STS ||
                        sass->op == SASS_OP_STL || sass->op == SASS_OP_ST;
    bool maybe = sass->guard.index != SASS_PT;
    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++)
        maybe |= sass->op == choices[i];
    for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++) {
        if (!has_register(&sass->operand[sources[i]], index))
            continue;
        return maybe ? USE_MAYBE : stores && sources[i] == SASS_DATA ? USE_COPIES : USE_COMPUTES;
    }
    return USE_NONE;
}

enum sanitizer_use watch_uses(const void *module, const void *kernel, uint32_t at, uint32_t word)
{
    const struct sass_kernel *code = kernel;
    const uint32_t steps = code->code_bytes / 16;
    const struct sass_inst load = decode(module, code, at);
    enum sanitizer_use use = USE_NONE;
    if (load.operand[SASS_D].kind != SASS_REGISTER || load.operand[SASS_D].index == SASS_RZ)
        return USE_COMPUTES; /* an atomic operation */
    const uint32_t index = load.operand[SASS_D].index + word;
    for (uint32_t i = 1, next = at + 1; i < steps && next < steps && use != USE_COMPUTES; i++) {
        const struct sass_inst sass = decode(module, code, next);
        const enum sanitizer_use here = use_by(&sass, index);
        const bool always = is_always(&sass.guard) && is_always(&sass.operand[SASS_PP]);
        use = here > use ? here : use;
        if (is_always(&sass.guard) && (has_register(&sass.operand[SASS_D], index) ||
                                       has_register(&sass.operand[SASS_D2], index)))
            return use;
        if (sass.op == SASS_OP_EXIT && always)
            return use;
        next = sass.op == SASS_OP_BRA && always ? (uint32_t)(sass.target / 16) : next + 1;
    }
    return use;
}
