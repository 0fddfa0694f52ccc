/*
 * MODEL: branches, calls, convergence barriers (BSSY, BSYNC, BREAK, BMOV), EXIT, YIELD, traps.
 * Fences, cache control and scoreboard waits have no effect on values.
 * SOURCE: executed instructions agree with an H200's for jump tables, calls through pointers and
 * recursive functions (cuda/probe/control_flow; docs/machine-code.md, Divergence). BRA.DIV and
 * BRA.CONV: nvcc's code.
 * LEFT OUT: see split.c. Priorities between yielding groups are the simulator's own choice.
 */
#include "exec/control/control_flow.h"
#include "exec/async/bulk_copy.h"
#include "exec/async/remote_store.h"
#include "exec/async/tensor_copy.h"
#include "exec/control/cluster.h"

#include <string.h>

#include "exec/async/mbarrier.h"
#include "exec/control/externs.h"
#include "exec/control/fault.h"
#include "exec/control/register_pool.h"
#include "exec/control/split.h"
#include "exec/control/watched_steps.h"
#include "exec/memory/constant_bank.h"
#include "exec/memory/pending.h"
#include "model/op.h"

enum { KIND_PLAIN, KIND_UNIFORM, KIND_DIVERGED, KIND_CONVERGED }; /* SASS_MOD_BRANCH */
/* Indices into mod[]: of BRA.DIV and BRA.CONV; of branches through registers, for the address that
 * the instruction adds. */
enum { MASK_REGISTER, MASK_INVERTED };
enum { ADDED_LOW, ADDED_HIGH };

/* Returns the lanes of `lanes` for which the predicate operands hold. */
static uint32_t predicated_lanes(const struct exec_slot *slot, const struct exec_step *step,
                                 uint32_t lanes)
{
    return lanes & exec_predicate(slot->warp, &step->inst.pp) &
           exec_predicate(slot->warp, &step->inst.pq);
}

/* BRA.ANY: the whole group branches if the predicate holds in any lane. */
static void branch_any(struct exec_block *block, struct exec_slot *slot,
                       const struct exec_step *step, uint32_t lanes)
{
    (void)block;
    bool any = predicated_lanes(slot, step, lanes) != 0;
    split_branch(slot, any ? split_running(slot)->lanes : 0, step->target);
}

/*
 * BRA.DIV is taken unless the guard holds for all live lanes of the mask; BRA.CONV is taken if it
 * does. All lanes of the group go the same way. nvcc's code for __ballot_sync() with different
 * masks shows this: its guard is false for lanes whose mask differs from the mask of the lowest
 * lane (R2UR P0), and all lanes have to go where each mask is handled alone.
 */
static void branch_diverged(struct exec_block *block, struct exec_slot *slot,
                            const struct exec_step *step, uint32_t lanes)
{
    (void)block;
    const struct exec_warp *warp = slot->warp;
    const struct exec_inst *inst = &step->inst;
    uint32_t here = predicated_lanes(slot, step, lanes);
    uint32_t mask = inst->mod[MASK_REGISTER] == SASS_URZ ? 0 : warp->ur[inst->mod[MASK_REGISTER]];
    if (inst->mod[MASK_INVERTED])
        mask = ~mask;
    bool apart = (mask & warp->live & ~here) != 0;
    bool wanted = sass_mod(inst->sass, SASS_MOD_BRANCH) == KIND_DIVERGED;
    bool taken = here && apart == wanted;
    split_branch(slot, taken ? split_running(slot)->lanes : 0, step->target);
}

/* Returns where `lane` goes to, in bytes: the register pair A plus the address that the instruction
 * adds. */
static uint64_t computed_target(const struct exec_slot *slot, const struct exec_step *step,
                                uint32_t lane)
{
    const struct exec_inst *inst = &step->inst;
    uint64_t value[EXEC_LANES];
    exec_read_wide(slot->warp, &inst->a, value);
    return value[lane] + (inst->mod[ADDED_LOW] | (uint64_t)inst->mod[ADDED_HIGH] << 32);
}

/* Calls the function of the device runtime at *target for `lanes`, if there is one; *target is then
 * where it returns to. Returns false if the launch has failed. */
static bool call_extern(struct exec_slot *slot, const struct exec_step *step, uint32_t lanes,
                        uint64_t *target)
{
    const char *name = exec_module_extern(slot->warp->block->grid->module, *target);
    struct pending *pending = slot->warp->block->grid->pending;
    if (name && pending && !pending->hidden &&
        (strcmp(name, "malloc") == 0 || strcmp(name, "free") == 0 || exec_is_device_call(name))) {
        pending->called = true;
        return false;
    }
    for (; name && lanes; lanes &= lanes - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(lanes);
        if (!exec_call_extern(slot->warp, &step->inst, lane, name, target))
            return false;
    }
    return true;
}

/*
 * BRX, CALL and RET through registers. One issue takes the lanes that go where the lowest lane
 * goes. The other lanes stay and issue the instruction again. Executed instructions then agree with
 * an H200's (a jump table with eight targets; calls through pointers).
 */
static void branch_computed(struct exec_block *block, struct exec_slot *slot,
                            const struct exec_step *step, uint32_t lanes)
{
    const struct exec_group *group = split_running(slot);
    uint32_t taken = predicated_lanes(slot, step, lanes), same = 0, at = group->at;
    uint64_t target = 0;
    for (uint32_t left = taken; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        uint64_t to = computed_target(slot, step, lane);
        target = left == taken ? to : target;
        same |= to == target ? UINT32_C(1) << lane : 0;
    }
    if (same && !call_extern(slot, step, same, &target))
        return;
    if (same && (target % 16 || target / 16 >= block->grid->steps)) {
        exec_fault(slot->warp, &step->inst, (uint32_t)__builtin_ctz(same), EXEC_FAILURE_JUMP,
                   "Jump to 0x%llx, an address without code", (unsigned long long)target);
        return;
    }
    split_leave(slot, same, (uint32_t)(target / 16), same == taken ? at + 1 : at);
}

/* BSSY: writes the lanes that take part into the barrier register. */
static void begin_convergence(struct exec_block *block, struct exec_slot *slot,
                              const struct exec_step *step, uint32_t lanes)
{
    (void)block;
    uint32_t taking = predicated_lanes(slot, step, lanes);
    uint32_t barrier = step->inst.sass->operand[SASS_BREG].index & 15u;
    if (taking) {
        slot->warp->breg[barrier] = taking;
        slot->restored &= ~(UINT32_C(1) << barrier);
    }
    split_running(slot)->at++;
}

/* BSYNC. At a barrier register that BMOV has written, the complete lanes issue the BSYNC once more,
 * even if all have come together. An H200 counts so in recursive functions. */
static void converge(struct exec_block *block, struct exec_slot *slot, const struct exec_step *step,
                     uint32_t lanes)
{
    (void)block;
    struct exec_warp *warp = slot->warp;
    struct exec_group *group = split_running(slot);
    uint32_t barrier = step->inst.sass->operand[SASS_BREG].index & 15u;
    uint32_t needed = warp->breg[barrier] & warp->live & ~split_yielded(slot);
    /* Lanes that are not in `needed` have left the barrier (BREAK). */
    uint32_t waiting = predicated_lanes(slot, step, lanes) & needed;
    bool again = slot->restored >> barrier & 1;
    slot->met_again = group->again;
    group->again = false;
    if (!waiting) {
        group->at++;
    } else if (waiting == needed) {
        warp->breg[barrier] &= ~waiting;
        slot->restored &= ~(UINT32_C(1) << barrier);
        group->again = again;
        group->at += again ? 0 : 1;
    } else {
        const struct exec_group how = {.wait = EXEC_AT_CONVERGENCE, .barrier = (uint8_t)barrier};
        split_wait(slot, waiting, &how);
        split_converge(slot, barrier, again);
        struct exec_group *met = &slot->group[slot->groups - 1];
        met->again = again && met->wait == EXEC_READY && met->lanes & waiting;
    }
}

/* BREAK: takes lanes out of the barrier register; the remaining lanes may then be complete. */
static void leave_convergence(struct exec_block *block, struct exec_slot *slot,
                              const struct exec_step *step, uint32_t lanes)
{
    (void)block;
    uint32_t barrier = step->inst.sass->operand[SASS_BREG].index & 15u;
    slot->warp->breg[barrier] &= ~predicated_lanes(slot, step, lanes);
    split_running(slot)->at++;
    if (slot->warp->breg[barrier])
        split_converge(slot, barrier, true);
}

static void end_collective(struct exec_block *block, struct exec_slot *slot,
                           const struct exec_step *step, uint32_t lanes)
{
    (void)block;
    (void)step;
    (void)lanes;
    split_scatter(slot);
}

/* EXIT and KILL. */
static void exit_lanes(struct exec_block *block, struct exec_slot *slot,
                       const struct exec_step *step, uint32_t lanes)
{
    uint32_t ending = predicated_lanes(slot, step, lanes);
    if (!ending) {
        split_running(slot)->at++;
        return;
    }
    block->live -= (uint32_t)__builtin_popcount(ending);
    if (block->watched)
        watch_exit(slot, ending);
    split_exit(slot, ending);
    exec_barriers_check(block);
    cluster_check(block);
}

/* Returns whether a trap belongs to a barrier of the grid: cooperative groups test in front of it
 * whether there is a workspace. */
static bool is_of_grid_barrier(const struct exec_grid *grid, uint32_t at)
{
    enum { NEAR = 24 };
    if (grid->options.cooperative)
        return false;
    for (uint32_t i = at > NEAR ? at - NEAR : 0; i < at; i++)
        if (exec_reads_workspace(grid, &grid->decoded[i]))
            return true;
    return false;
}

static void trap(struct exec_block *block, struct exec_slot *slot, const struct exec_step *step,
                 uint32_t lanes)
{
    if (lanes && is_of_grid_barrier(block->grid, step->inst.sass->pc / 16))
        exec_fault(slot->warp, &step->inst, (uint32_t)__builtin_ctz(lanes), EXEC_FAILURE_GRID,
                   "Barrier of the grid in a launch that is not cooperative");
    else if (lanes)
        exec_fault(slot->warp, &step->inst, (uint32_t)__builtin_ctz(lanes), EXEC_FAILURE_OTHER,
                   "Trap");
    else
        split_running(slot)->at++;
}

/* Run function of operations without an effect on values. */
static void no_effect(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    (void)warp;
    (void)inst;
    (void)lanes;
}

static void yield(struct exec_block *block, struct exec_slot *slot, const struct exec_step *step,
                  uint32_t lanes)
{
    (void)block;
    (void)step;
    (void)lanes;
    if (slot->groups > 1)
        split_yield(slot);
    else
        split_running(slot)->at++;
}

/* BMOV from a barrier register, which .CLEAR sets to 0. */
static void read_convergence(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t value[EXEC_LANES], barrier = inst->sass->operand[SASS_BREG].index & 15u;
    for (unsigned lane = 0; lane < EXEC_LANES; lane++)
        value[lane] = warp->breg[barrier];
    exec_write(warp, inst, 0, lanes, value);
    if (sass_mod(inst->sass, SASS_MOD_CLEAR))
        warp->breg[barrier] = 0;
}

/* BMOV to a barrier register, from the lowest lane's value. */
static void write_convergence(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t room[EXEC_LANES];
    uint32_t mask = exec_read(warp, &inst->a, 0, room)[__builtin_ctz(lanes)];
    uint32_t barrier = inst->sass->operand[SASS_BREG].index & 15u;
    warp->breg[barrier] = mask & warp->live;
    warp->block->slot[warp->index].restored |= UINT32_C(1) << barrier;
}

static bool has(const struct sass_inst *sass, enum sass_role role)
{
    return sass->operand[role].kind != SASS_NONE;
}

static bool prepare_jump(struct exec_step *step, const struct sass_inst *sass, uint32_t steps)
{
    uint64_t added = sass->target;
    step->inst.mod[ADDED_LOW] = (uint32_t)added;
    step->inst.mod[ADDED_HIGH] = (uint32_t)(added >> 32);
    bool inside = sass->target % 16 == 0 && sass->target / 16 < steps;
    step->kind = inside && !has(sass, SASS_A) ? EXEC_BRANCH : EXEC_CONTROL;
    step->control = branch_computed; /* reports a target that is no code */
    return true;
}

static bool prepare_bra(struct exec_step *step, const struct sass_inst *sass, uint32_t steps)
{
    uint32_t kind = sass_mod(sass, SASS_MOD_BRANCH);
    if (!prepare_jump(step, sass, steps) || step->kind == EXEC_CONTROL)
        return true;
    if (kind == KIND_DIVERGED || kind == KIND_CONVERGED) {
        step->kind = EXEC_CONTROL;
        step->control = branch_diverged;
        /* sm_75 has no mask operand: all lanes */
        step->inst.mod[MASK_REGISTER] =
            has(sass, SASS_UR) ? sass->operand[SASS_UR].index & 63u : SASS_URZ;
        step->inst.mod[MASK_INVERTED] = has(sass, SASS_UR) ? sass_mod(sass, SASS_MOD_INVERT) : 1;
    } else if (sass_mod(sass, SASS_MOD_ANY)) {
        step->kind = EXEC_CONTROL;
        step->control = branch_any;
    }
    return true;
}

static bool prepare_bmov(struct exec_step *step, const struct sass_inst *sass, uint32_t steps)
{
    (void)steps;
    step->kind = EXEC_REGISTERS;
    step->inst.run = has(sass, SASS_D) ? read_convergence : write_convergence;
    return true;
}

static bool prepare_phase_check(struct exec_step *step, const struct sass_inst *sass,
                                uint32_t steps)
{
    (void)sass;
    (void)steps;
    step->kind = EXEC_CONTROL;
    step->control = exec_phase_check;
    exec_prepare_phase_check(&step->inst);
    return true;
}

static bool prepare_warpgroup(struct exec_step *step, const struct sass_inst *sass, uint32_t steps)
{
    (void)steps;
    const bool meets = sass_meets_warpgroup(sass);
    step->kind = meets ? EXEC_CONTROL : EXEC_REGISTERS;
    step->control = meets ? exec_warpgroup_meets : NULL;
    step->inst.run = no_effect;
    return true;
}

struct control_row {
    uint16_t op;
    bool (*prepare)(struct exec_step *step, const struct sass_inst *sass, uint32_t steps);
    exec_control_fn *control;
    exec_fn *run;
};

static const struct control_row rows[] = {
    {SASS_OP_BRA, prepare_bra, NULL, NULL},
    {SASS_OP_JMP, prepare_jump, NULL, NULL},
    {SASS_OP_CALL, prepare_jump, NULL, NULL},
    {SASS_OP_BRX, prepare_jump, NULL, NULL},
    {SASS_OP_BRXU, prepare_jump, NULL, NULL},
    {SASS_OP_JMX, prepare_jump, NULL, NULL},
    {SASS_OP_RET, prepare_jump, NULL, NULL},
    {SASS_OP_BSSY, NULL, begin_convergence, NULL},
    {SASS_OP_BSYNC, NULL, converge, NULL},
    {SASS_OP_BREAK, NULL, leave_convergence, NULL},
    {SASS_OP_WARPSYNC, NULL, exec_warpsync, NULL},
    {SASS_OP_EXIT, NULL, exit_lanes, NULL},
    {SASS_OP_KILL, NULL, exit_lanes, NULL},
    {SASS_OP_BPT, NULL, trap, NULL},
    {SASS_OP_BAR, NULL, exec_bar, NULL},
    {SASS_OP_B2R, NULL, NULL, exec_b2r},
    {SASS_OP_BMOV, prepare_bmov, NULL, NULL},
    {SASS_OP_SYNCS_PHASECHK, prepare_phase_check, NULL, NULL},
    {SASS_OP_UCGABAR_ARV, NULL, cluster_arrive, NULL},
    {SASS_OP_UCGABAR_WAIT, NULL, cluster_wait, NULL},
    {SASS_OP_YIELD, NULL, yield, NULL},
    {SASS_OP_NOP, NULL, NULL, no_effect},
    {SASS_OP_NANOSLEEP, NULL, NULL, no_effect},
    {SASS_OP_ENDCOLLECTIVE, NULL, end_collective, NULL},
    {SASS_OP_PMTRIG, NULL, NULL, no_effect},
    {SASS_OP_DEPBAR, NULL, NULL, no_effect},
    {SASS_OP_LDGDEPBAR, NULL, NULL, no_effect},
    {SASS_OP_MEMBAR, NULL, NULL, no_effect},
    {SASS_OP_FENCE, NULL, NULL, no_effect},
    {SASS_OP_ERRBAR, NULL, NULL, no_effect},
    {SASS_OP_CGAERRBAR, NULL, NULL, no_effect},
    {SASS_OP_CCTL, NULL, NULL, no_effect},
    {SASS_OP_CCTLL, NULL, NULL, no_effect},
    {SASS_OP_SYNCS_CCTL, NULL, NULL, no_effect},
    {SASS_OP_PREEXIT, NULL, NULL, no_effect},
    {SASS_OP_ACQBULK, NULL, NULL, no_effect},
    {SASS_OP_USETMAXREG, NULL, register_pool_change, NULL},
    {SASS_OP_WARPGROUP, prepare_warpgroup, NULL, NULL},
    {SASS_OP_STAS, exec_prepare_remote_store, NULL, NULL},
    {SASS_OP_UTMALDG, exec_prepare_tensor_copy, NULL, NULL},
    {SASS_OP_UTMASTG, exec_prepare_tensor_copy, NULL, NULL},
    {SASS_OP_UTMAREDG, exec_prepare_tensor_copy, NULL, NULL},
    {SASS_OP_UTMAPF, NULL, NULL, no_effect},
    {SASS_OP_UTMACCTL, NULL, NULL, no_effect},
    {SASS_OP_UBLKCP, exec_prepare_bulk, NULL, NULL},
    {SASS_OP_UBLKRED, exec_prepare_bulk, NULL, NULL},
    {SASS_OP_UBLKPF, NULL, NULL, no_effect},
    {SASS_OP_UTMACMDFLUSH, NULL, NULL, no_effect},
};

bool exec_prepare_control(struct exec_step *step, const struct sass_inst *sass, uint32_t steps,
                          const char **why)
{
    step->target = (uint32_t)(sass->target / 16);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct control_row *row = &rows[i];
        if (row->op != sass->op)
            continue;
        if (row->prepare)
            return row->prepare(step, sass, steps);
        step->kind = row->control ? EXEC_CONTROL : EXEC_REGISTERS;
        step->control = row->control;
        step->inst.run = row->run;
        return sass->op != SASS_OP_BAR || exec_prepare_bar(step, why);
    }
    return false;
}

/* Executes a BRA to a fixed target. */
static void branch(struct exec_slot *slot, const struct exec_step *step, uint32_t lanes)
{
    uint32_t taken = lanes & exec_predicate(slot->warp, &step->inst.pp) &
                     exec_predicate(slot->warp, &step->inst.pq);
    split_branch(slot, taken, step->target);
}

bool exec_control(struct exec_block *block, struct exec_slot *slot, const struct exec_step *step,
                  uint32_t active, uint32_t lanes)
{
    const uint32_t at = split_running(slot)->at, groups = slot->groups;
    const uint8_t op = block->grid->lowered[at].op;
    if (step->kind == EXEC_BRANCH)
        branch(slot, step, lanes);
    else
        step->control(block, slot, step, lanes);
    if (op == SIMSM_OP_BARRIER)
        return split_waits_in_part(slot, at) ||
               (lanes && lanes != active && slot->now != EXEC_NOBODY);
    if (op == SIMSM_OP_BSYNC)
        return slot->now == EXEC_NOBODY ? split_next_was_put_away(slot) : slot->met_again;
    return slot->groups > groups && op_is_branch(op);
}
