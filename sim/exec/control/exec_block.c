/*
 * MODEL: how the warps of a block take turns. Each warp runs for up to 32768 warp instructions,
 * until its groups wait, until it polls in vain, or, in kernels that race, until it needs an answer
 * from memory: then other blocks run.
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
#include "exec/control/cluster.h"
#include "exec/control/control_flow.h"
#include "exec/control/early_stop.h"
#include "exec/control/fault.h"
#include "exec/control/heard.h"
#include "exec/control/split.h"
#include "exec/control/vain.h"
#include "model/op.h"
#include "sanitize/sanitizer.h"

/*
 * Warp instructions of one turn of a warp. Few, so that warps go on side by side as on hardware:
 * programs whose warps race, and that come out the same on every run of a GPU, do so here (llm.c
 * writes a sum to shared memory again when all warps but the writer are about to read it). More do
 * not make it faster.
 */
enum { SLICE = 32 };

/* Warp instructions that a block may execute without changing memory. After them, other blocks get
 * a turn, as the block may wait for them in a way that is not recognised. */
enum { LONG_QUIET = 1 << 22 };

static bool create_slots(struct exec_block *block)
{
    const size_t bytes = exec_warp_bytes(block->grid->rows);
    uint8_t *warps = arena_take(block->grid->registers, block->warps, bytes);
    for (uint32_t i = 0; warps && i < block->warps; i++) {
        struct exec_warp *warp = (struct exec_warp *)(void *)(warps + i * bytes);
        block->slot[i].warp = warp;
        block->slot[i].rules = &block->grid->rules;
        warp->p[SASS_PT] = warp->up[SASS_PT] = UINT32_MAX;
        if (!block->grid->recording)
            continue;
        block->slot[i].heard = heard_create();
        if (!block->slot[i].heard)
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
    const size_t local = (size_t)block->warps * EXEC_LANES * grid->local_bytes;
    struct sanitizer *sanitizer = grid->options.sanitizer;
    if (sanitizer) {
        block->watched = sanitizer_block_create(sanitizer, block->warps, grid->shared_bytes);
        block->local_written = calloc(1, local + 1);
    }
    if (!block->slot || !block->shared || !block->local || !create_slots(block) ||
        (sanitizer && (!block->watched || !block->local_written))) {
        exec_block_destroy(block);
        return NULL;
    }
    return block;
}

void exec_block_destroy(struct exec_block *block)
{
    if (!block)
        return;
    cluster_leave(block);
    for (uint32_t i = 0; block->slot && i < block->warps; i++)
        heard_destroy(block->slot[i].heard);
    free(block->slot);
    free(block->shared);
    sanitizer_block_destroy(block->watched);
    free(block->local_written);
    free(block->local);
    word_table_free(&block->words);
    buffer_free(&block->arrivals);
    free(block);
}

static void begin_slot(struct exec_block *block, uint32_t index, uint32_t threads)
{
    const struct exec_grid *grid = block->grid;
    struct exec_slot *slot = &block->slot[index];
    uint32_t left = threads - index * EXEC_LANES;
    uint32_t lanes = left >= EXEC_LANES ? UINT32_MAX : (UINT32_C(1) << left) - 1;
    struct exec_warp *warp = slot->warp;
    memset(warp->r, 0, grid->rows * sizeof warp->r[0]);
    memset(warp->p, 0, SASS_PT * sizeof warp->p[0]);
    memset(warp->up, 0, SASS_PT * sizeof warp->up[0]);
    memset(warp->ur, 0, sizeof warp->ur);
    memset(warp->breg, 0, sizeof warp->breg);
    warp->live = lanes;
    warp->index = index;
    warp->registers = grid->launch.registers;
    warp->block = block;
    slot->reduction = 0;
    slot->restored = 0;
    slot->deferred = 0;
    slot->asked = 0;
    slot->asleep = slot->hopeless = false;
    slot->barred = slot->clustered = slot->cluster_arrivals = 0;
    slot->holding = false;
    slot->own_changes = 0;
    vain_forget(slot);
    slot->phase = slot->phase_waited = NULL;
    split_begin(slot, lanes, grid->kernel->entry / 16);
    if (slot->heard)
        heard_begin(slot->heard, grid);
}

void exec_block_begin(struct exec_block *block, uint64_t index)
{
    const struct exec_grid *grid = block->grid;
    const uint32_t *size = grid->launch.grid;
    uint32_t threads = simsm_block_threads(&grid->launch);
    block->index = index;
    block->rank = 0;
    block->serial++;
    block->ended = 0;
    block->id[0] = (uint32_t)(index % size[0]);
    block->id[1] = (uint32_t)(index / size[0] % size[1]);
    block->id[2] = (uint32_t)(index / size[0] / size[1]);
    block->live = threads;
    block->given_up = 0;
    block->free_registers = 0;
    memset(block->barrier, 0, sizeof block->barrier);
    memset(block->shared, 0, grid->shared_bytes);
    word_table_clear(&block->words);
    buffer_clear(&block->arrivals);
    memset(block->local, 0, (size_t)block->warps * EXEC_LANES * grid->local_bytes);
    if (block->watched) {
        sanitizer_block_begin(block->watched, index);
        memset(block->local_written, 0, (size_t)block->warps * EXEC_LANES * grid->local_bytes);
    }
    for (uint32_t i = 0; i < block->warps; i++)
        begin_slot(block, i, threads);
}

/* Executes and records a control instruction of the running group. Returns true if the group no
 * longer runs. */
static bool control(struct exec_block *block, struct exec_slot *slot, const struct exec_step *step,
                    uint32_t active, uint32_t lanes)
{
    struct exec_grid *grid = block->grid;
    const uint32_t at = split_running(slot)->at;
    bool split = exec_control(block, slot, step, active, lanes);
    if (slot->heard && step->control != exec_phase_check) {
        const struct warp_inst inst = {
            .index = at, .active = active, .exec = lanes, .flags = split ? WARP_INST_DIVERGENT : 0};
        heard_put(grid, slot, inst, false, NULL);
        if (!slot->warp->live)
            packed_writer_end(&slot->heard->writer);
    }
    return slot->now == EXEC_NOBODY || grid->status != SIMSM_OK;
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

/* Ends the turn of a warp: it needs an answer from memory, or sleeps, and others run meanwhile. */
static void end_turn(struct exec_slot *slot)
{
    slot->asked = 0;
    slot->resting = true;
    split_pause(slot);
}

/* Executes and records an instruction that accesses memory. Returns whether the warp's turn is
 * over.
 */
static bool access_memory(struct exec_slot *slot, const struct exec_step *step, uint32_t active,
                          uint32_t lanes)
{
    struct exec_grid *grid = slot->warp->block->grid;
    const uint64_t changes = grid->changes;
    if (lanes) {
        step->inst.run(slot->warp, &step->inst, lanes);
        slot->asked |= step->asks;
    }
    if (slot->heard && grid->status == SIMSM_OK)
        heard_put(
            grid, slot,
            (struct warp_inst){.index = split_running(slot)->at, .active = active, .exec = lanes},
            grid->changes != changes, NULL);
    split_running(slot)->at++;
    if (grid->status != SIMSM_OK)
        return true;
    if (!lanes || !step->loads || !vain_poll(grid, slot, step, lanes))
        return false;
    end_turn(slot);
    return true;
}

/* Runs the slot's group until it waits, ends or has executed `budget` instructions. Returns how
 * many it has executed. */
static uint64_t run_group(struct exec_block *block, struct exec_slot *slot, uint64_t budget)
{
    struct exec_grid *grid = block->grid;
    struct exec_warp *warp = slot->warp;
    struct exec_group *group = split_running(slot);
    for (uint64_t done = 0; done < budget;) {
        const struct exec_step *step = &grid->step[group->at];
        if (slot->asked & step->awaits) {
            block->asked = true;
            end_turn(slot);
            return done;
        }
        const struct exec_inst *inst = &step->inst;
        uint32_t active = group->lanes, lanes = exec_guarded(warp, inst, active);
        if (step->kind == EXEC_UNSUPPORTED && exec_refuse(block, slot, step))
            return done;
        done++;
        count_instruction(grid, active, lanes);
        if (step->kind == EXEC_MEMORY) {
            if (access_memory(slot, step, active, lanes))
                return done;
            continue;
        }
        if (step->kind == EXEC_BRANCH || step->kind == EXEC_CONTROL) {
            if (control(block, slot, step, active, lanes))
                return done;
            group = split_running(slot);
            continue;
        }
        if (lanes && step->kind != EXEC_UNSUPPORTED) {
            inst->run(warp, inst, lanes);
            slot->asked |= step->asks;
        }
        if (slot->heard)
            heard_put(grid, slot,
                      (struct warp_inst){.index = group->at, .active = active, .exec = lanes},
                      false, NULL);
        group->at++;
    }
    split_pause(slot);
    return budget;
}

/* Makes groups ready that wait at a barrier in shared memory if a phase has ended. Returns whether
 * a group of the warp is ready. */
static bool wake(struct exec_slot *slot)
{
    bool ready = false;
    for (uint32_t i = 0; i < slot->groups; i++) {
        struct exec_group *group = &slot->group[i];
        if (group->wait == EXEC_AT_PHASE)
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
    if (grid->random) { /* some instructions, or some hundred */
        const uint64_t most = exec_random(grid) & 1 ? 16 : 512;
        left = 1 + exec_random(grid) % most;
    }
    if (limit && limit - grid->counts.warp_instructions < left)
        left = limit - grid->counts.warp_instructions;
    slot->resting = false;
    while (left && grid->status == SIMSM_OK && !slot->resting && split_next(slot))
        left -= run_group(block, slot, left);
    if (grid->status == SIMSM_OK && slot->heard && slot->heard->bytes.failed)
        exec_stop(grid, SIMSM_FAILED,
                  "the instructions of a warp do not fit into memory (block %llu, warp %u)",
                  (unsigned long long)block->index, slot->warp->index);
    return !exec_ends_early(block->grid, slot);
}

/* Gives each warp that can run one turn. Returns false if no warp could run, or if the launch has
 * failed. */
static bool run_round(struct exec_block *block)
{
    struct exec_grid *grid = block->grid;
    bool ran = false;
    const uint32_t first = grid->random ? (uint32_t)(exec_random(grid) % block->warps) : 0;
    for (uint32_t i = 0; i < block->warps; i++) {
        struct exec_slot *slot = &block->slot[(first + i) % block->warps];
        if (!slot->groups || slot->barred || vain_asleep(grid, slot) || !wake(slot))
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
    if (block->given_up == USELESS)
        return false;
    block->given_up++;
    for (uint32_t i = 0; i < block->warps; i++) {
        struct exec_slot *slot = &block->slot[i];
        for (uint32_t g = 0; g < slot->groups; g++)
            if (slot->group[g].wait == EXEC_AT_PHASE)
                any |= exec_phase_wake(slot, &slot->group[g], true);
    }
    return any;
}

static bool any_sleeps(const struct exec_block *block)
{
    for (uint32_t i = 0; i < block->warps; i++)
        if (block->slot[i].groups && vain_asleep(block->grid, &block->slot[i]))
            return true;
    return false;
}

/* Of a block whose warps all wait: the other blocks of its cluster may help. `ran`: it could run in
 * this turn. */
static enum exec_outcome stuck(const struct exec_block *block, bool ran)
{
    if (!block->cluster || block->cluster->blocks == 1)
        return EXEC_STUCK;
    return ran ? EXEC_SUSPENDED : EXEC_ASLEEP;
}

enum exec_outcome exec_block_turn(struct exec_block *block)
{
    struct exec_grid *grid = block->grid;
    uint64_t quiet = 0;
    bool ever = false;
    block->asked = false;
    while (!block->asked && quiet <= LONG_QUIET && !(ever && grid->random)) {
        const uint64_t before = grid->counts.warp_instructions, changes = grid->changes;
        const bool ran = run_round(block);
        ever |= ran;
        if (grid->status != SIMSM_OK)
            return EXEC_FAULTED;
        if (!block->live)
            return EXEC_ENDED;
        if (!ran && any_sleeps(block))
            return EXEC_ASLEEP;
        if (!ran && !give_up_phases(block))
            return stuck(block, ever);
        quiet = changes == grid->changes ? quiet + grid->counts.warp_instructions - before : 0;
    }
    return EXEC_SUSPENDED;
}

bool exec_block_insist(struct exec_block *block)
{
    struct exec_grid *grid = block->grid;
    for (uint32_t i = 0; i < block->warps; i++) {
        struct exec_slot *slot = &block->slot[i];
        if (!slot->groups || !vain_asleep(grid, slot) || !vain_insist(grid, slot))
            continue;
        (void)run_slot(block, slot);
        vain_relent(grid);
        return true;
    }
    return false;
}
