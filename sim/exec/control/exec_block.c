/*
 * MODEL: how the warps of a block take turns. Each warp runs for up to 32768 warp instructions, or
 * until its groups wait. Waits that cannot end without another block end the block's turn.
 * SOURCE: own choice; results depend on the order of turns only where they depend on chance on a
 * GPU. SYNCS.PHASECHK.TRYWAIT waits 3.8 us on an H200 (cuda/probe/barrier_time.cu).
 * LEFT OUT: time. TRYWAIT gives up when nothing else can run, in place of after some time.
 */
#include "exec/control/exec_block.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "exec/async/mbarrier.h"
#include "exec/control/control_flow.h"
#include "exec/control/early_stop.h"
#include "exec/control/fault.h"
#include "exec/control/split.h"
#include "model/op.h"

/* Warp instructions of one turn of a warp. */
enum { SLICE = 1 << 15 };

/*
 * Warp instructions that a block may execute without changing memory. After them, other groups of
 * its warps and other blocks get a turn, as the block may wait for them in a loop that is not
 * recognised as a spin.
 */
enum { LONG_QUIET = 1 << 22 };

/* How many warp instructions a round counts as in which all ready groups only read a clock. */
enum { WATCHED_ROUND = LONG_QUIET / 1024 };

static bool create_slots(struct exec_block *block)
{
    /* Most kernels use few of the registers, so most of this is never touched. */
    struct exec_warp *warps =
        arena_take_pool(&block->registers, block->warps, sizeof(struct exec_warp));
    for (uint32_t i = 0; warps && i < block->warps; i++) {
        struct exec_warp *warp = &warps[i];
        block->slot[i].warp = warp;
        block->slot[i].rules = &block->grid->rules;
        warp->p[SASS_PT] = warp->up[SASS_PT] = UINT32_MAX;
        if (!block->grid->loops)
            continue;
        block->slot[i].visit = calloc(1, sizeof *block->slot[i].visit);
        if (!block->slot[i].visit)
            return false;
    }
    return warps != NULL;
}

struct exec_block *exec_block_create(struct exec_grid *grid)
{
    struct exec_block *block = calloc(1, sizeof *block);
    if (!block)
        return NULL;
    block->grid = grid;
    block->warps = simsm_block_warps(&grid->launch);
    block->slot = calloc(block->warps, sizeof *block->slot);
    block->shared = calloc(1, grid->shared_bytes + 1);
    block->local = calloc((size_t)block->warps * EXEC_LANES, grid->local_bytes + 1);
    if (grid->options.check_shared_init)
        block->written = calloc(1, grid->shared_bytes + 1);
    if (!block->slot || !block->shared || !block->local || !create_slots(block) ||
        (grid->options.check_shared_init && !block->written)) {
        exec_block_destroy(block);
        return NULL;
    }
    return block;
}

void exec_block_destroy(struct exec_block *block)
{
    if (!block)
        return;
    for (uint32_t i = 0; block->slot && i < block->warps; i++) {
        free(block->slot[i].visit);
        buffer_free(&block->slot[i].cursor);
    }
    arena_free(&block->registers);
    free(block->slot);
    free(block->shared);
    free(block->written);
    free(block->local);
    word_table_free(&block->words);
    free(block);
}

static void begin_slot(struct exec_block *block, uint32_t index, uint32_t threads)
{
    const struct exec_grid *grid = block->grid;
    struct exec_slot *slot = &block->slot[index];
    uint32_t left = threads - index * EXEC_LANES;
    uint32_t lanes = left >= EXEC_LANES ? UINT32_MAX : (UINT32_C(1) << left) - 1;
    struct exec_warp *warp = slot->warp;
    memset(warp->r, 0, grid->spin.rows * sizeof warp->r[0]);
    memset(warp->p, 0, SASS_PT * sizeof warp->p[0]);
    memset(warp->up, 0, SASS_PT * sizeof warp->up[0]);
    memset(warp->ur, 0, sizeof warp->ur);
    memset(warp->breg, 0, sizeof warp->breg);
    warp->live = lanes;
    warp->index = index;
    warp->block = block;
    slot->reduction = 0;
    slot->restored = 0;
    slot->deferred = 0;
    slot->asked = 0;
    slot->yields = 0;
    slot->barred = 0;
    slot->holding = false;
    slot->polls = 0;
    memset(slot->polled, 0, sizeof slot->polled);
    slot->phase = NULL;
    split_begin(slot, lanes, grid->kernel->entry / 16);
    if (grid->recording) {
        buffer_clear(&slot->cursor);
        packed_writer_begin(&slot->writer, grid->lowered, &slot->cursor);
    }
    if (slot->visit)
        slot->visit->loop = slot->visit->missed_polls = slot->visit->asleep = 0;
}

void exec_block_begin(struct exec_block *block, uint64_t index)
{
    const struct exec_grid *grid = block->grid;
    const uint32_t *size = grid->launch.grid;
    uint32_t threads = simsm_block_threads(&grid->launch);
    block->index = index;
    block->serial++;
    block->ended = 0;
    block->id[0] = (uint32_t)(index % size[0]);
    block->id[1] = (uint32_t)(index / size[0] % size[1]);
    block->id[2] = (uint32_t)(index / size[0] / size[1]);
    block->live = threads;
    block->quiet = 0;
    block->patience = 1;
    block->given_up = 0;
    memset(block->barrier, 0, sizeof block->barrier);
    memset(block->shared, 0, grid->shared_bytes);
    word_table_clear(&block->words);
    memset(block->local, 0, (size_t)block->warps * EXEC_LANES * grid->local_bytes);
    if (block->written)
        memset(block->written, 0, grid->shared_bytes);
    for (uint32_t i = 0; i < block->warps; i++)
        begin_slot(block, i, threads);
}

void exec_record(struct exec_grid *grid, struct exec_slot *slot, uint32_t at, uint32_t active,
                 uint32_t lanes, uint32_t flags)
{
    struct warp_inst inst = {.index = at, .active = active, .exec = lanes, .flags = flags};
    SIMSM_CHECK(at < grid->steps, "instruction %u of %u", at, grid->steps);
    inst.token = grid->values;
    grid->values = 0;
    inst.flags |= grid->wrote ? WARP_INST_WRITES : 0;
    grid->wrote = false;
    if (grid->loops) {
        if (exec_visit_keep(grid, slot, &inst)) {
            if (grid->step[at].kind == EXEC_BRANCH)
                exec_visit_branch(grid, slot, &grid->step[at], &inst);
            return;
        }
    }
    if (grid->recording)
        packed_put(&slot->writer, &inst, &grid->addresses);
}

/*
 * Ends the warp's turn if the running group is in a loop that reads a clock again and again;
 * returns whether it did. Such a loop may wait for others, as loops of cuda::barrier do, and is not
 * recognised as a spin because its registers change.
 */
static bool watch_clock(const struct exec_grid *grid, struct exec_slot *slot)
{
    enum { OFTEN = 16 };
    struct exec_group *group = split_running(slot);
    if (grid->spin.timed < OFTEN)
        return false;
    group->watches = true;
    group->yields = grid->spin.yields;
    slot->resting = true;
    split_pause(slot);
    split_rotate(slot);
    return true;
}

/* Executes a BRA to a fixed target. Returns true if the group no longer runs. */
static bool branch(struct exec_grid *grid, struct exec_slot *slot, const struct exec_step *step,
                   uint32_t lanes)
{
    struct exec_group *group = split_running(slot);
    uint32_t at = group->at;
    uint32_t taken = lanes & exec_predicate(slot->warp, &step->inst.pp) &
                     exec_predicate(slot->warp, &step->inst.pq);
    split_branch(slot, taken, step->target);
    if (!taken || step->target > at)
        return false;
    group = split_running(slot);
    if (group->at != step->target)
        return false;
    if (!exec_spin_turn(grid, slot->warp, group->at))
        return watch_clock(grid, slot);
    group->wait = EXEC_SPINNING;
    group->suspect = true;
    group->seen = grid->changes;
    group->yields = grid->spin.yields;
    slot->now = EXEC_NOBODY;
    return true;
}

/* Executes and records a control instruction of the running group. Returns true if the group no
 * longer runs. */
static bool control(struct exec_block *block, struct exec_slot *slot, const struct exec_step *step,
                    uint32_t active, uint32_t lanes)
{
    struct exec_grid *grid = block->grid;
    uint32_t at = split_running(slot)->at, groups = slot->groups;
    bool stop = false;
    if (step->kind == EXEC_BRANCH)
        stop = branch(grid, slot, step, lanes);
    else if (step->kind == EXEC_CONTROL)
        step->control(block, slot, step, lanes);
    if (grid->keeps && step->control != exec_phase_check) {
        bool split = slot->groups > groups && op_is_branch(grid->lowered[at].op);
        if (grid->lowered[at].op == SIMSM_OP_BARRIER)
            split = split_waits_in_part(slot, at) ||
                    (lanes && lanes != active && slot->now != EXEC_NOBODY);
        else if (grid->lowered[at].op == SIMSM_OP_BSYNC)
            split = slot->now == EXEC_NOBODY ? split_next_was_put_away(slot) : slot->met_again;
        exec_record(grid, slot, at, active, lanes, split ? WARP_INST_DIVERGENT : 0);
        if (!slot->warp->live && grid->recording)
            packed_writer_end(&slot->writer);
    }
    return stop || slot->now == EXEC_NOBODY || grid->status != SIMSM_OK;
}

bool exec_refuse(struct exec_block *block, struct exec_slot *slot, const struct exec_step *step)
{
    struct exec_grid *grid = block->grid;
    const struct sass_inst *sass = step->inst.sass;
    if (!sass)
        exec_stop(grid, SIMSM_FAILED, "code runs past its end, in block (%u,%u,%u)", block->id[0],
                  block->id[1], block->id[2]);
    else if (!grid->options.skip_unsupported)
        exec_fault(slot->warp, &step->inst, (uint32_t)__builtin_ctz(split_running(slot)->lanes),
                   EXEC_FAILURE_UNSUPPORTED,
                   "Unsupported instruction (%s; words 0x%016llx 0x%016llx)", step->why,
                   (unsigned long long)sass->word[0], (unsigned long long)sass->word[1]);
    return grid->status != SIMSM_OK;
}

static uint32_t lanes_in(uint32_t mask)
{
    return mask == UINT32_MAX ? EXEC_LANES : (uint32_t)__builtin_popcount(mask);
}

static void count_instruction(struct exec_grid *grid, uint32_t active, uint32_t lanes)
{
    uint32_t threads = lanes_in(active);
    grid->counts.warp_instructions++;
    grid->counts.thread_instructions += threads;
    grid->counts.thread_instructions_pred_on += lanes == active ? threads : lanes_in(lanes);
}

/* Ends the turn of a warp of a kernel that races: it needs an answer from memory, and other warps
 * run meanwhile. */
static void end_turn(struct exec_slot *slot)
{
    slot->asked = 0;
    slot->resting = true;
    split_pause(slot);
}

/* Runs the slot's group until it waits, ends or has executed `budget` instructions. Returns how
 * many it has executed. */
static uint64_t run_group(struct exec_block *block, struct exec_slot *slot, uint64_t budget)
{
    struct exec_grid *grid = block->grid;
    struct exec_warp *warp = slot->warp;
    struct exec_group *group = split_running(slot);
    exec_spin_begin(&grid->spin, group->suspect);
    group->watches = false;
    for (uint64_t done = 0; done < budget;) {
        const struct exec_step *step = &grid->step[group->at];
        if (slot->asked & step->awaits) {
            end_turn(slot);
            return done;
        }
        const struct exec_inst *inst = &step->inst;
        uint32_t active = group->lanes, lanes = exec_guarded(warp, inst, active);
        if (step->kind == EXEC_UNSUPPORTED && exec_refuse(block, slot, step))
            return done;
        done++;
        count_instruction(grid, active, lanes);
        if (step->kind >= EXEC_BRANCH && step->kind != EXEC_UNSUPPORTED) {
            if (control(block, slot, step, active, lanes))
                return done;
            group = split_running(slot);
            continue;
        }
        if (lanes && step->kind != EXEC_UNSUPPORTED) {
            inst->run(warp, inst, lanes);
            slot->asked |= step->asks;
        }
        if (grid->keeps)
            exec_record(grid, slot, group->at, active, lanes, 0);
        group->at++;
        if (step->kind == EXEC_MEMORY && grid->status != SIMSM_OK)
            return done;
    }
    split_pause(slot);
    return budget;
}

/* Returns whether a spinning group may be tried again: memory has changed, or the words that it
 * polls. */
static bool may_go_on(const struct exec_grid *grid, const struct exec_slot *slot,
                      struct exec_group *group)
{
    if (group->polls && slot->visit->asleep == group->lanes && !exec_visit_changed(slot))
        return false;
    bool polls = group->polls;
    group->polls = false;
    return polls || group->seen != grid->changes;
}

/* Makes spinning groups ready if memory has changed since they were found to spin, and groups at a
 * barrier in shared memory if a phase has ended. Returns whether a group of the warp is ready. */
static bool wake(const struct exec_grid *grid, struct exec_slot *slot)
{
    bool ready = false;
    for (uint32_t i = 0; i < slot->groups; i++) {
        struct exec_group *group = &slot->group[i];
        if (group->wait == EXEC_SPINNING && may_go_on(grid, slot, group))
            group->wait = EXEC_READY;
        else if (group->wait == EXEC_AT_PHASE)
            (void)exec_phase_wake(slot, group, false);
        ready |= group->wait == EXEC_READY;
    }
    return ready;
}

/* Gives a warp one turn. Returns false if the launch has ended. */
static bool run_slot(struct exec_block *block, struct exec_slot *slot)
{
    struct exec_grid *grid = block->grid;
    uint64_t limit = grid->options.max_instructions, left = SLICE;
    if (limit && limit - grid->counts.warp_instructions < left)
        left = limit - grid->counts.warp_instructions;
    slot->resting = false;
    while (left && grid->status == SIMSM_OK && !slot->resting && split_next(slot))
        left -= run_group(block, slot, left);
    if (grid->status == SIMSM_OK && slot->cursor.failed)
        exec_stop(grid, SIMSM_FAILED,
                  "the instructions of a warp do not fit into memory (block %llu, warp %u)",
                  (unsigned long long)block->index, slot->warp->index);
    return !exec_ends_early(block, slot);
}

/* Gives each warp that can run one turn. Returns false if no warp could run, or if the launch has
 * failed. */
static bool run_round(struct exec_block *block)
{
    struct exec_grid *grid = block->grid;
    bool ran = false;
    for (uint32_t i = 0; i < block->warps; i++) {
        struct exec_slot *slot = &block->slot[i];
        if (!slot->groups || !wake(grid, slot))
            continue;
        ran = true;
        if (!run_slot(block, slot))
            return false;
    }
    return ran;
}

/*
 * Ends the waits for phases without success. SYNCS.PHASECHK.TRYWAIT gives up after some time (3.8
 * us on an H200), and the code may then do something else. Here it gives up when no other group can
 * run. After USELESS times without a change of memory the wait is a deadlock. Returns whether a
 * group goes on.
 */
static bool give_up_phases(struct exec_block *block)
{
    enum { USELESS = 16 };
    bool any = false;
    if (block->seen_giving_up != block->grid->changes)
        block->given_up = 0;
    block->seen_giving_up = block->grid->changes;
    if (block->given_up++ == USELESS)
        return false;
    for (uint32_t i = 0; i < block->warps; i++) {
        struct exec_slot *slot = &block->slot[i];
        for (uint32_t g = 0; g < slot->groups; g++)
            if (slot->group[g].wait == EXEC_AT_PHASE)
                any |= exec_phase_wake(slot, &slot->group[g], true);
    }
    return any;
}

/* Returns whether a group of the block spins. */
static bool any_group_spins(const struct exec_block *block)
{
    for (uint32_t i = 0; i < block->warps; i++) {
        const struct exec_slot *slot = &block->slot[i];
        for (uint32_t g = 0; g < slot->groups; g++)
            if (slot->group[g].wait == EXEC_SPINNING)
                return true;
    }
    return false;
}

/* Returns whether all ready groups are in loops that read a clock. */
static bool all_groups_watch_clock(const struct exec_block *block)
{
    for (uint32_t i = 0; i < block->warps; i++) {
        const struct exec_slot *slot = &block->slot[i];
        for (uint32_t g = 0; g < slot->groups; g++)
            if (slot->group[g].wait == EXEC_READY && !slot->group[g].watches)
                return false;
    }
    return true;
}

enum exec_outcome exec_block_run(struct exec_block *block)
{
    struct exec_grid *grid = block->grid;
    block->quiet = 0;
    for (;;) {
        uint64_t before = grid->counts.warp_instructions, changes = grid->changes;
        bool ran = run_round(block);
        block->seen = grid->changes;
        if (grid->status != SIMSM_OK)
            return EXEC_FAULTED;
        if (!block->live)
            return EXEC_ENDED;
        if (!ran && !exec_block_overtake(block, false)) {
            if (any_group_spins(block))
                return EXEC_SUSPENDED;
            if (!give_up_phases(block))
                return EXEC_STUCK;
        }
        block->quiet += grid->counts.warp_instructions - before;
        if (grid->changes != changes)
            block->quiet = 0;
        else if (ran && all_groups_watch_clock(block) && !exec_block_overtake(block, false))
            block->quiet += WATCHED_ROUND;
        if (block->quiet <= LONG_QUIET)
            continue;
        for (uint32_t i = 0; i < block->warps; i++)
            split_rotate(&block->slot[i]);
        return EXEC_SUSPENDED;
    }
}

enum exec_outcome exec_block_step(struct exec_block *block)
{
    struct exec_grid *grid = block->grid;
    bool ran = run_round(block);
    block->seen = grid->changes;
    block->quiet = ran ? LONG_QUIET + 1 : 0; /* the block can go on without others */
    if (grid->status != SIMSM_OK)
        return EXEC_FAULTED;
    if (!block->live)
        return EXEC_ENDED;
    if (ran || exec_block_overtake(block, false) || any_group_spins(block) || give_up_phases(block))
        return EXEC_SUSPENDED;
    return EXEC_STUCK;
}

bool exec_block_runnable(const struct exec_block *block)
{
    return block->quiet > LONG_QUIET || block->seen != block->grid->changes;
}
