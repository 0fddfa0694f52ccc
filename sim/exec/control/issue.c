/*
 * MODEL: one instruction of a warp at a time. A whole warp goes past a barrier at once: the timing
 * model holds it there, as arithmetic behind BAR issues before the barrier opens. A group of lanes
 * runs until it waits for others, yields or ends, however long that takes.
 * SOURCE: H200, cuda/calib/barrier. Groups: measured on an H200: in loops of arithmetic, loads or
 * fences without YIELD, lanes of the other side of a branch waited for 34 million cycles
 * (cuda/probe/parted_loops.cu).
 *
 * LEFT OUT: nothing known.
 */
#include "exec/control/issue.h"

#include "base/bits.h"
#include "base/check.h"
#include "exec/async/arrivals.h"
#include "exec/async/copy_parts.h"
#include "exec/async/mbarrier.h"
#include "exec/control/cluster.h"
#include "exec/control/control_flow.h"
#include "exec/control/fault.h"
#include "exec/control/prepare.h"
#include "exec/control/register_pool.h"
#include "exec/control/split.h"
#include "exec/control/vain.h"
#include "exec/memory/load_store.h"
#include "exec/memory/pending.h"
#include "model/op.h"

bool issue_next(struct exec_slot *slot, uint32_t *at, uint32_t *lanes)
{
    if (slot->holding || !slot->groups)
        return false;
    if (slot->now == EXEC_NOBODY && !split_next(slot))
        return false;
    *at = split_running(slot)->at;
    *lanes = split_running(slot)->lanes;
    return true;
}

/* Lets a warp that waits at a BAR with all its lanes go on. */
static void pass_barrier(struct exec_slot *slot)
{
    struct exec_group *group = &slot->group[0];
    if (slot->now != EXEC_NOBODY || slot->groups != 1 || group->wait != EXEC_AT_BARRIER)
        return;
    slot->barred = group->barrier + 1u;
    slot->barred_at = group->at;
    group->wait = EXEC_READY;
    group->at++;
}

bool issue_only_waits(const struct exec_slot *slot, bool *polls)
{
    const bool for_ever = vain_for_ever(slot);
    *polls |= slot->groups && for_ever;
    return !slot->groups || slot->barred || slot->clustered || for_ever ||
           (slot->now == EXEC_NOBODY && !split_others_ready(slot));
}

/* Shows that a group comes back to the same state again and again. */
static void show_spinning(const struct exec_slot *slot, struct exec_group *group)
{
    const struct exec_step *step = slot->lap.step;
    group->wait = EXEC_SPINNING;
    if (step && step->control == register_pool_change) {
        group->wait = EXEC_AT_REGISTERS;
        group->at = (uint32_t)(step - slot->warp->block->grid->step);
    }
}

void issue_show_waits(struct exec_block *block)
{
    for (uint32_t i = 0; i < block->warps; i++) {
        struct exec_slot *slot = &block->slot[i];
        if (slot->barred && slot->groups == 1) {
            slot->group[0].wait = EXEC_AT_BARRIER;
            slot->group[0].barrier = (uint8_t)(slot->barred - 1);
            slot->group[0].at = slot->barred_at;
        }
        if (slot->clustered && slot->groups == 1) {
            slot->group[0].wait = EXEC_AT_CLUSTER;
            slot->group[0].at = slot->clustered - 1;
        }
        bool polls = slot->asleep || vain_for_ever(slot);
        for (uint32_t g = 0; polls && g < slot->groups; g++)
            if (slot->group[g].wait == EXEC_READY)
                show_spinning(slot, &slot->group[g]);
        if (slot->phase_waited && slot->groups == 1 && slot->group[0].wait == EXEC_READY) {
            slot->group[0].wait = EXEC_AT_PHASE;
            slot->group[0].at = (uint32_t)(slot->phase_waited - block->grid->step);
        }
    }
}

/* Looks at the state of a warp that may be polling in vain. */
static inline void watch(struct exec_slot *slot, const struct exec_step *step)
{
    if (!slot->watched)
        return;
    if (!step->loads && !step->polls && step->control != register_pool_change)
        return;
    slot->watched--;
    (void)vain_returns(slot, step);
}

/* Executes a control instruction of the running group. Returns flags of the instruction. */
static uint32_t control(struct exec_block *block, struct exec_slot *slot,
                        const struct exec_step *step, uint32_t active, uint32_t lanes)
{
    struct exec_grid *grid = block->grid;
    const uint8_t op = grid->lowered[split_running(slot)->at].op;
    watch(slot, step);
    bool split = exec_control(block, slot, step, active, lanes);
    if (grid->pending->called) {
        grid->pending->called = false;
        slot->holding = true;
        pending_call(slot, step, lanes);
        return 0;
    }
    if (op == SIMSM_OP_BARRIER || op == SIMSM_OP_GMMA_ARRIVE)
        pass_barrier(slot);
    return split ? WARP_INST_DIVERGENT : 0;
}

/* Returns whether the access is executed at the exchange: operations at L2. */
static bool is_late(const struct exec_grid *grid, const struct exec_step *step)
{
    const struct inst *inst = &grid->lowered[step - grid->step];
    switch (step->inst.sass->op) {
    case SASS_OP_ATOMG:
    case SASS_OP_ATOM:
    case SASS_OP_RED:
        return true;
    case SASS_OP_LDG:
    case SASS_OP_LD:
        return inst->past_l1;
    default:
        return false;
    }
}

static bool loads_global(const struct exec_step *step)
{
    const uint16_t op = step->inst.sass->op;
    return op == SASS_OP_LDG || op == SASS_OP_LD || op == SASS_OP_LDGSTS;
}

/*
 * Notes an access for the exchange. Pu of an atomic, which says for which lanes the operation is
 * done, is known by the address: nvcc waits for it until the operands have been read only.
 */
static void access_in_exchange(struct exec_slot *slot, const struct exec_step *step, uint32_t lanes,
                               bool holds)
{
    const struct exec_inst *inst = &step->inst;
    (void)pending_access(slot, step, lanes, holds);
    if (inst->pu != SASS_PT && (inst->sass->op == SASS_OP_ATOM || inst->sass->op == SASS_OP_ATOMG))
        exec_write_predicate(slot->warp, inst, inst->pu, lanes, UINT32_MAX);
}

/* Notes what the exchange executes of an access: operations at L2, and loads behind such operations
 * of their SM on the same bytes, for which the warp waits. Returns the lanes that are left. */
static uint32_t access_later(struct exec_slot *slot, const struct exec_step *step, uint32_t lanes)
{
    struct exec_grid *grid = slot->warp->block->grid;
    const uint16_t op = step->inst.sass->op;
    const bool late = is_late(grid, step);
    uint32_t own = 0; /* lanes that access shared or local memory */
    if (!late && !(grid->pending->late && loads_global(step)))
        return lanes;
    uint64_t *address = grid->addresses.lane;
    exec_address_wide(slot->warp, &step->inst, address);
    if (op == SASS_OP_ATOM || op == SASS_OP_LD)
        own = exec_lanes_in_window(address, lanes, EXEC_SHARED_WINDOW) |
              exec_lanes_in_window(address, lanes, EXEC_LOCAL_WINDOW);
    if (!late && !pending_is_behind(grid, step, lanes & ~own))
        return lanes;
    if (step->polls)
        vain_read(slot, address[__builtin_ctz(lanes)]);
    if (lanes & ~own)
        access_in_exchange(slot, step, lanes & ~own, !late);
    slot->holding = !late;
    return own;
}

/* Returns the ranks of the blocks whose shared memory `lanes` access at these addresses. */
static uint32_t ranks_of(const uint64_t address[EXEC_LANES], uint32_t lanes)
{
    uint32_t ranks = 0;
    for (; lanes; lanes &= lanes - 1)
        ranks |=
            1u << ((uint32_t)address[__builtin_ctz(lanes)] >> CLUSTER_RANK_BIT) % CLUSTER_BLOCKS;
    return ranks;
}

/* Notes for the exchange what counts at barriers of other blocks of the cluster. */
static void send_message(struct exec_slot *slot, const struct exec_step *step, uint32_t lanes)
{
    struct exec_grid *grid = slot->warp->block->grid;
    uint64_t *address = grid->addresses.lane;
    if (step->kind == EXEC_MESSAGE)
        for (unsigned lane = 0; lane < EXEC_LANES; lane++)
            address[lane] = exec_row(slot->warp, step->inst.sass->operand[SASS_A].index)[lane];
    else
        exec_address_shared(slot->warp, &step->inst, address);
    grid->target_ranks = ranks_of(address, lanes);
    grid->between = grid->filled = 0;
    grid->parts.size = 0;
    grid->copy_number = pending_access(slot, step, lanes, false);
    grid->reach = WARP_INST_REMOTE | WARP_INST_MESSAGE;
}

/* Notes generic accesses to shared memory of other blocks for the exchange. Returns the lanes that
 * are left. */
static uint32_t reach_others(struct exec_slot *slot, const struct exec_step *step, uint32_t lanes)
{
    struct exec_grid *grid = slot->warp->block->grid;
    const struct exec_block *block = slot->warp->block;
    uint64_t *address = grid->addresses.lane;
    const uint16_t op = step->inst.sass->op;
    uint32_t others = 0;
    if (op != SASS_OP_LD && op != SASS_OP_ST && op != SASS_OP_ATOM)
        return lanes;
    exec_address_wide(slot->warp, &step->inst, address);
    const uint32_t shared = exec_lanes_in_window(address, lanes, EXEC_SHARED_WINDOW);
    if (shared != lanes)
        return lanes;
    grid->reach = WARP_INST_SHARED;
    for (uint32_t left = block->cluster ? lanes : 0; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        if ((uint32_t)address[lane] >> CLUSTER_RANK_BIT != block->rank)
            others |= 1u << lane;
    }
    if (!others)
        return lanes;
    grid->reach |= WARP_INST_REMOTE;
    access_in_exchange(slot, step, others, false);
    return lanes & ~others;
}

static void access_memory(struct exec_slot *slot, const struct exec_step *step, uint32_t lanes)
{
    const struct exec_inst *inst = &step->inst;
    watch(slot, step);
    if (exec_arrives_elsewhere(slot->warp, inst, lanes)) {
        send_message(slot, step, lanes);
        return;
    }
    lanes = reach_others(slot, step, lanes);
    if (!lanes)
        return;
    lanes = access_later(slot, step, lanes);
    if (lanes)
        inst->run(slot->warp, inst, lanes);
}

/* Notes a copy for the exchange, and what it accesses for the timing model. */
static void copy_later(struct exec_slot *slot, const struct exec_step *step, uint32_t lanes)
{
    struct exec_grid *grid = slot->warp->block->grid;
    copy_parts(slot->warp, &step->inst, &grid->parts);
    if (grid->status == SIMSM_OK)
        grid->copy_number = pending_copy(slot, step, lanes);
}

static void count(struct exec_grid *grid, uint32_t active, uint32_t exec)
{
    uint32_t threads = active == UINT32_MAX ? EXEC_LANES : bits_count(active);
    grid->counts.warp_instructions++;
    grid->counts.thread_instructions += threads;
    grid->counts.thread_instructions_pred_on += exec == active ? threads : bits_count(exec);
}

/*
 * Returns the cycles that a NANOSLEEP sleeps: until the clock in nanoseconds reaches the next
 * multiple of the time, rounded up to a power of two. SOURCE: H200: sleeps that begin at any time
 * end at multiples of 1024 ns of %globaltimer if 1000 ns are asked for (cuda/probe/sleep.cu).
 */
static uint64_t sleep_of(const struct exec_slot *slot, const struct exec_step *step, uint32_t lanes)
{
    const struct exec_grid *grid = slot->warp->block->grid;
    uint32_t room[EXEC_LANES];
    uint32_t time = exec_read(slot->warp, &step->inst.b, 0, room)[__builtin_ctz(lanes)];
    const double period = exec_sleep_period(time) * grid->clock_mhz / 1000;
    const uint64_t now = grid->options.start_cycle + grid->cycle;
    if (period < 1)
        return 0;
    const uint64_t end = (uint64_t)(((double)(uint64_t)((double)now / period) + 1) * period);
    return end > now ? end - now : 1;
}

/* Executes an instruction for `exec`, the lanes of the running group whose guard holds. Returns
 * flags of the instruction. */
static uint32_t execute(struct exec_slot *slot, const struct exec_step *step, uint32_t active,
                        uint32_t exec)
{
    struct exec_warp *warp = slot->warp;
    struct exec_block *block = warp->block;
    if (step->kind == EXEC_BRANCH || step->kind == EXEC_CONTROL)
        return control(block, slot, step, active, exec);
    if (step->kind == EXEC_UNSUPPORTED)
        (void)exec_refuse(block, slot, step);
    else if (exec && step->kind == EXEC_MEMORY)
        access_memory(slot, step, exec);
    else if (exec && step->kind == EXEC_COPY)
        copy_later(slot, step, exec);
    else if (exec && step->kind == EXEC_MESSAGE)
        send_message(slot, step, exec);
    else if (exec)
        step->inst.run(warp, &step->inst, exec);
    split_running(slot)->at++;
    return 0;
}

/* Returns the token of the instruction that has been executed. */
static uint64_t token_of(struct exec_grid *grid, const struct exec_slot *slot,
                         const struct exec_step *step, uint32_t exec)
{
    const uint64_t token = grid->token;
    grid->token = 0;
    if (grid->lowered[step - grid->step].op == SIMSM_OP_SLEEP && exec)
        return sleep_of(slot, step, exec);
    return token;
}

/* Returns the flags for what follows instruction `at` of the warp. */
static uint32_t flags_behind(struct exec_slot *slot, uint32_t at)
{
    uint32_t next, lanes;
    if (!slot->warp->live)
        return WARP_INST_LAST;
    return issue_next(slot, &next, &lanes) && next != at + 1 ? WARP_INST_TAKEN : 0;
}

static inline void prefetch_rows(const struct exec_warp *warp, uint32_t index, uint32_t words)
{
    for (uint32_t i = index; i < index + words && i < SASS_RZ; i++) {
        __builtin_prefetch(&warp->r[i][0], 1);
        __builtin_prefetch(&warp->r[i][16], 1);
    }
}

void issue_prefetch(const struct exec_grid *grid, const struct exec_slot *slot, uint32_t at)
{
    const struct exec_inst *inst = &grid->step[at].inst;
    if (inst->a.kind == SASS_REGISTER)
        prefetch_rows(slot->warp, inst->a.index, inst->a.words);
    if (inst->b.kind == SASS_REGISTER)
        prefetch_rows(slot->warp, inst->b.index, inst->b.words);
    if (inst->c.kind == SASS_REGISTER)
        prefetch_rows(slot->warp, inst->c.index, inst->c.words);
    if (!inst->uniform)
        prefetch_rows(slot->warp, inst->d, inst->d_words);
}

void issue_execute(struct exec_grid *grid, struct exec_slot *slot, struct warp_inst *inst)
{
    const struct exec_warp *warp = slot->warp;
    SIMSM_CHECK(slot->now < slot->groups, "group %u of %u issues", slot->now, slot->groups);
    const struct exec_group *group = split_running(slot);
    const uint32_t at = group->at, active = group->lanes;
    const struct exec_step *step = &grid->step[at];
    uint32_t exec = 0, flags = WARP_INST_LAST;
    uint64_t token = 0;
    if (slot->clustered)
        cluster_go_on(slot);
    if (grid->status == SIMSM_OK) {
        exec = exec_guarded(warp, &step->inst, active);
        count(grid, active, exec);
        grid->idle = 0; /* an exchange may have executed a copy, too */
        flags = execute(slot, step, active, exec);
    }
    if (grid->status != SIMSM_OK) {
        exec = 0;
        flags = WARP_INST_LAST;
    } else {
        if (grid->wrote)
            arrivals_note(slot, step, exec);
        flags |= (grid->wrote ? WARP_INST_WRITES : 0) | (grid->waits ? WARP_INST_WAITS : 0);
        flags |= grid->reach | flags_behind(slot, at);
        grid->wrote = grid->waits = false;
        grid->reach = 0;
        exec &= ~grid->idle;
        token = token_of(grid, slot, step, exec);
    }
    *inst = (struct warp_inst){.index = at < grid->steps ? at : grid->steps - 1,
                               .active = active,
                               .exec = exec,
                               .flags = flags,
                               .token = token};
}
