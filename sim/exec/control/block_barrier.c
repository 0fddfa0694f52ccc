/*
 * MODEL: the 16 named barriers of a block: BAR (.SYNC, .ARV, .RED) and B2R; the barriers of warp
 * groups (WARPGROUP). A barrier opens when as many threads have arrived as BAR names, or all
 * live threads of the block. Lanes of one BAR must bring the same barrier number.
 * SOURCE: measured on an H200 (driver 580.159.04): different numbers in one BAR are an illegal
 * instruction, and so are 2048 threads, but not 1056; a guard on BAR.SYNC does not part the lanes
 * of a group. PTX ISA, barrier.
 * LEFT OUT: lanes that bring different thread counts: the count of the lowest lane is taken. When a
 * warp waits whose lanes come to different BAR.SYNC under guards was not measured.
 */
#include "exec/control/control_flow.h"
#include "exec/control/fault.h"
#include "exec/control/split.h"
#include "exec/control/watched_steps.h"

enum { SYNC, ARRIVE, REDUCE };             /* SASS_MOD_BAR */
enum { MOST_THREADS = 2047 };              /* that BAR can name */
enum { POPC, AND, OR };                    /* SASS_MOD_BAR_RED */
enum { MODE, REDUCTION, PACKED_REGISTER }; /* indices into mod[] */

bool exec_prepare_bar(struct exec_step *step, const char **why)
{
    const struct sass_inst *sass = step->inst.sass;
    step->inst.mod[MODE] = sass_mod(sass, SASS_MOD_BAR);
    step->inst.mod[REDUCTION] = sass_mod(sass, SASS_MOD_BAR_RED);
    /* The opcode 0x31d has barrier and thread count in one register: barrier in bits 3:0, threads
     * in bits 31:16. */
    step->inst.mod[PACKED_REGISTER] = (sass->word[0] & 0xfff) == 0x31d;
    if (step->inst.mod[MODE] <= REDUCE && step->inst.mod[REDUCTION] <= OR)
        return true;
    *why = "only BAR.SYNC, BAR.ARV and BAR.RED are supported";
    return false;
}

static uint32_t value_of(const struct exec_warp *warp, const struct exec_source *source,
                         uint32_t lane)
{
    uint32_t room[EXEC_LANES];
    return source->kind == SASS_NONE ? 0 : exec_read(warp, source, 0, room)[lane];
}

/* Opens a barrier: the groups that wait there go on, the result of BAR.RED is set, and the barrier
 * begins anew. */
static void open_barrier(struct exec_block *block, uint32_t number)
{
    struct exec_barrier *barrier = &block->barrier[number];
    uint32_t result = barrier->count;
    if (barrier->reduction == AND)
        result = barrier->count == barrier->reducing;
    else if (barrier->reduction == OR)
        result = barrier->count != 0;
    uint32_t waiting = 0, at = 0;
    for (uint32_t i = 0; i < block->warps; i++) {
        struct exec_slot *slot = &block->slot[i];
        bool waits = slot->barred == number + 1;
        slot->barred = waits ? 0 : slot->barred;
        for (uint32_t g = 0; g < slot->groups; g++) {
            const struct exec_group *group = &slot->group[g];
            const bool here = group->wait == EXEC_AT_BARRIER && group->barrier == number;
            waits |= here;
            at = here ? group->at : at;
        }
        if (!waits)
            continue;
        waiting |= UINT32_C(1) << i;
        slot->reduction = barrier->reducing ? result : slot->reduction;
        split_release(slot, number);
    }
    if (block->watched && !barrier->only_meets)
        watch_barrier_opens(block, number, waiting, at);
    *barrier = (struct exec_barrier){0};
}

/* Opens a barrier if all expected threads have arrived. */
static void open_if_complete(struct exec_block *block, uint32_t number)
{
    const struct exec_barrier *barrier = &block->barrier[number];
    uint32_t expected = barrier->expected ? barrier->expected : block->live;
    if (barrier->arrived && barrier->arrived >= expected)
        open_barrier(block, number);
}

void exec_barriers_check(struct exec_block *block)
{
    for (uint32_t number = 0; number < EXEC_BARRIERS; number++)
        open_if_complete(block, number);
}

/*
 * Returns how many threads arrive with `lanes`. If the barrier expects a number of threads
 * (`counted`), hardware counts whole warps: lanes that do not exist or have exited count with the
 * lowest live lane.
 */
static uint32_t arriving(const struct exec_warp *warp, uint32_t lanes, bool counted)
{
    uint32_t threads = (uint32_t)__builtin_popcount(lanes);
    if (counted && lanes & warp->live & (0u - warp->live))
        threads += (uint32_t)__builtin_popcount(~warp->live);
    return threads;
}

/*
 * Makes `lanes` of the running group wait. With `may_defer`, lanes that the guard keeps back do not
 * part the group: no lane waits before the last lane of the group has arrived, at this BAR or at
 * another BAR. Compilers rely on this for predicated BAR.SYNC, and an H200 does it.
 */
static void wait_at(struct exec_slot *slot, uint32_t number, uint32_t lanes, bool may_defer)
{
    const struct exec_group how = {.wait = EXEC_AT_BARRIER, .barrier = (uint8_t)number};
    uint32_t group = split_running(slot)->lanes, arrived = (slot->deferred & group) | lanes;
    if (may_defer && arrived != group) {
        slot->deferred |= lanes;
        split_running(slot)->at++;
        return;
    }
    slot->deferred &= ~group;
    split_wait(slot, may_defer ? group : lanes, &how);
}

/* Returns whether all of `lanes` bring the same barrier number. Fails the launch if not. */
static bool same_number(const struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    const uint32_t mask = inst->mod[PACKED_REGISTER] ? EXEC_NAMED_BARRIERS - 1 : UINT32_MAX;
    uint32_t room[EXEC_LANES];
    const uint32_t *value = exec_read(warp, &inst->b, 0, room);
    const uint32_t number = value[__builtin_ctz(lanes)] & mask;
    for (uint32_t left = lanes; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        if ((value[lane] & mask) == number)
            continue;
        exec_fault(warp, inst, lane, EXEC_FAILURE_ILLEGAL,
                   "Illegal instruction: lanes of a warp bring different barrier numbers to one "
                   "BAR, %u and %u",
                   number, value[lane] & mask);
        return false;
    }
    return true;
}

void exec_bar(struct exec_block *block, struct exec_slot *slot, const struct exec_step *step,
              uint32_t lanes)
{
    const struct exec_inst *inst = &step->inst;
    const struct exec_warp *warp = slot->warp;
    if (!lanes) {
        split_running(slot)->at++;
        return;
    }
    if (inst->b.kind == SASS_REGISTER && !same_number(warp, inst, lanes))
        return;
    uint32_t lane = (uint32_t)__builtin_ctz(lanes);
    uint32_t number = value_of(warp, &inst->b, lane), threads = value_of(warp, &inst->c, lane);
    if (inst->mod[PACKED_REGISTER]) {
        threads = number >> 16;
        number &= 15;
    }
    if (number >= EXEC_NAMED_BARRIERS) {
        exec_fault(warp, inst, lane, EXEC_FAILURE_BARRIER,
                   "Barrier number %u is out of range: a block has barriers 0 to 15", number);
        return;
    }
    if (threads > MOST_THREADS) {
        exec_fault(warp, inst, lane, EXEC_FAILURE_ILLEGAL,
                   "Illegal instruction: BAR names %u threads, at most %u can take part", threads,
                   MOST_THREADS);
        return;
    }
    if (inst->b.kind != SASS_IMMEDIATE ||
        (inst->c.kind != SASS_NONE && inst->c.kind != SASS_IMMEDIATE))
        block->grid->token = inst_bar_token(number, threads);
    struct exec_barrier *barrier = &block->barrier[number];
    if (block->watched)
        watch_bar(slot, inst, number, threads, lanes, inst->mod[MODE] != ARRIVE);
    slot->own_changes++; /* what others bring to the barrier may end a loop */
    barrier->expected = threads ? threads : barrier->expected;
    barrier->arrived += arriving(warp, lanes, barrier->expected != 0);
    if (inst->mod[MODE] == REDUCE) {
        barrier->reduction = (uint8_t)inst->mod[REDUCTION];
        barrier->reducing += (uint32_t)__builtin_popcount(lanes);
        barrier->count += (uint32_t)__builtin_popcount(lanes & exec_predicate(warp, &inst->pp));
    }
    if (inst->mod[MODE] == ARRIVE)
        split_running(slot)->at++;
    else
        wait_at(slot, number, lanes, inst->mod[MODE] == SYNC);
    open_if_complete(block, number);
}

/*
 * No warp issues a product before the others of its group are at WARPGROUP.ARRIVE. Kernels rely on
 * it: two groups of a kernel of cuBLASLt use one BAR for 128 threads, and the bar opens for warps
 * of both. WARPGROUP.WAIT orders accesses to shared memory, WARPGROUP.ARRIVE does not.
 */
void exec_warpgroup_meets(struct exec_block *block, struct exec_slot *slot,
                          const struct exec_step *step, uint32_t lanes)
{
    const uint32_t group = slot->warp->index / WARPGROUP_WARPS;
    const uint32_t left = block->warps - group * WARPGROUP_WARPS;
    const uint32_t warps = left < WARPGROUP_WARPS ? left : WARPGROUP_WARPS;
    const uint32_t number = EXEC_NAMED_BARRIERS + group;
    struct exec_barrier *barrier = &block->barrier[number];
    if (!lanes) {
        split_running(slot)->at++;
        return;
    }
    slot->own_changes++;
    barrier->expected = warps * SIMSM_WARP_LANES;
    barrier->only_meets = !sass_is_warpgroup_wait(step->inst.sass);
    barrier->arrived += arriving(slot->warp, lanes, true);
    if (block->watched && !barrier->only_meets)
        watch_bar(slot, &step->inst, number, barrier->expected, lanes, true);
    wait_at(slot, number, lanes, true);
    open_if_complete(block, number);
}

void exec_b2r(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t value[EXEC_LANES], result = warp->block->slot[warp->index].reduction;
    for (unsigned lane = 0; lane < EXEC_LANES; lane++)
        value[lane] = result;
    exec_write(warp, inst, 0, lanes, value);
    exec_write_predicate(warp, inst, inst->pu, lanes, result ? UINT32_MAX : 0);
}
