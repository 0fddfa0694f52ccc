/*
 * MODEL: one instruction of a warp at a time. A whole warp goes past a BAR at once: the timing
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
#include "exec/control/control_flow.h"
#include "exec/control/fault.h"
#include "exec/control/prepare.h"
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
    group->wait = EXEC_READY;
    group->at++;
}

bool issue_only_waits(const struct exec_slot *slot, bool *polls)
{
    const bool for_ever = vain_for_ever(slot);
    *polls |= slot->groups && for_ever;
    return !slot->groups || slot->barred || for_ever ||
           (slot->now == EXEC_NOBODY && !split_others_ready(slot));
}

void issue_show_waits(struct exec_block *block)
{
    for (uint32_t i = 0; i < block->warps; i++) {
        struct exec_slot *slot = &block->slot[i];
        if (slot->barred && slot->groups == 1) {
            slot->group[0].wait = EXEC_AT_BARRIER;
            slot->group[0].barrier = (uint8_t)(slot->barred - 1);
            slot->group[0].at--;
        }
        bool polls = slot->asleep || vain_for_ever(slot);
        for (uint32_t g = 0; polls && g < slot->groups; g++)
            if (slot->group[g].wait == EXEC_READY)
                slot->group[g].wait = EXEC_SPINNING;
    }
}

/* Looks at the state of a warp that may be polling in vain. */
static inline void watch(struct exec_slot *slot, const struct exec_step *step)
{
    if (!slot->watched || !(step->loads || step->polls))
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
    if (op == SIMSM_OP_BARRIER)
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
        pending_access(slot, step, lanes & ~own, !late);
    slot->holding = !late;
    return own;
}

static void access_memory(struct exec_slot *slot, const struct exec_step *step, uint32_t lanes)
{
    const struct exec_inst *inst = &step->inst;
    watch(slot, step);
    lanes = access_later(slot, step, lanes);
    if (lanes)
        inst->run(slot->warp, inst, lanes);
}

static void count(struct exec_grid *grid, const struct warp_inst *inst)
{
    uint32_t threads = inst->active == UINT32_MAX ? EXEC_LANES : bits_count(inst->active);
    grid->counts.warp_instructions++;
    grid->counts.thread_instructions += threads;
    grid->counts.thread_instructions_pred_on +=
        inst->exec == inst->active ? threads : bits_count(inst->exec);
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

static void execute(struct exec_slot *slot, const struct exec_step *step, struct warp_inst *inst)
{
    struct exec_warp *warp = slot->warp;
    struct exec_block *block = warp->block;
    if (step->kind == EXEC_BRANCH || step->kind == EXEC_CONTROL) {
        inst->flags |= control(block, slot, step, inst->active, inst->exec);
        return;
    }
    if (step->kind == EXEC_UNSUPPORTED)
        (void)exec_refuse(block, slot, step);
    else if (inst->exec && step->kind == EXEC_MEMORY)
        access_memory(slot, step, inst->exec);
    else if (inst->exec)
        step->inst.run(warp, &step->inst, inst->exec);
    split_running(slot)->at++;
}

void issue_execute(struct exec_slot *slot, struct warp_inst *inst)
{
    const struct exec_warp *warp = slot->warp;
    struct exec_grid *grid = warp->block->grid;
    SIMSM_CHECK(slot->now < slot->groups, "group %u of %u issues", slot->now, slot->groups);
    const uint32_t at = split_running(slot)->at;
    const struct exec_step *step = &grid->step[at];
    *inst = (struct warp_inst){.index = at < grid->steps ? at : grid->steps - 1,
                               .active = split_running(slot)->lanes};
    if (grid->status == SIMSM_OK) {
        inst->exec = exec_guarded(warp, &step->inst, inst->active);
        count(grid, inst);
        execute(slot, step, inst);
    }
    if (grid->status != SIMSM_OK) {
        inst->exec = 0;
        inst->flags = WARP_INST_LAST;
        return;
    }
    if (grid->wrote) {
        inst->flags |= WARP_INST_WRITES;
        arrivals_note(slot, step, inst->exec);
    }
    inst->flags |= grid->waits ? WARP_INST_WAITS : 0;
    grid->wrote = grid->waits = false;
    inst->token = grid->values;
    grid->values = 0;
    if (grid->lowered[at].op == SIMSM_OP_SLEEP && inst->exec)
        inst->token = sleep_of(slot, step, inst->exec);
    uint32_t next, lanes;
    if (!warp->live)
        inst->flags |= WARP_INST_LAST;
    else if (issue_next(slot, &next, &lanes) && next != at + 1)
        inst->flags |= WARP_INST_TAKEN;
}
