/*
 * MODEL: the memory-I/O queue of a sub-partition and the SM-wide units behind it. Instructions
 * leave in order. The first one leaves mio.queue_latency cycles after its issue, not earlier than
 * its sub-partition's way out is free, and when the SM-wide unit that it needs takes it: the
 * load/store stage (memory, shuffles, special registers), the texture unit, or a pipe that the SM
 * has once (FP64 on consumer GPUs). Sub-partitions take turns. With mio.memory_entries a store that
 * L1 cannot take leaves its queue and waits, with all accesses to L1 after it, in a further queue
 * of the SM, in order.
 * SOURCE: Huerta et al., MICRO 2025: five loads issue back to back, the sixth 11 cycles after the
 * first, or 11, 13, 15 and 17 with four sub-partitions active; then one per 4 cycles, or per 2 x
 * active sub-partitions where the shared stage is the limit. H200, cuda/calib/lsu_queue, stores.
 * LEFT OUT: separate queues for units other than load/store; reads of the register file.
 */
#include "base/check.h"
#include "core/copy_engine.h"
#include "core/gmma.h"
#include "core/sm_state.h"
#include "core/turn.h"
#include "model/op.h"

static void read_later(struct sm *sm, const struct sub *sub, unsigned slot, uint32_t index,
                       uint32_t cycles)
{
    due_add_read(sm, sm->now + cycles, sub, slot, index);
}

/*
 * Returns whether the load/store stage is free. If not, no queue asks before the stage can be free.
 * The cycle is only a bound and may depend on the length of windows; the cycle in which an
 * instruction is accepted does not.
 */
static bool stage_is_free(struct sm *sm, uint64_t *unit_free)
{
    uint64_t free_at = mem_sm_stage_free(sm->memory, sm->now);
    if (free_at > sm->now)
        *unit_free = free_at;
    return free_at <= sm->now;
}

/* Returns what a generic access has turned out to reach. */
static uint32_t reach_of(const struct warp *warp, const struct warp_inst *inst)
{
    return warp->grid->ops->copy
               ? inst->flags & (WARP_INST_SHARED | WARP_INST_REMOTE | WARP_INST_MESSAGE)
               : 0;
}

/* Offers a memory instruction to the memory system. */
static struct mem_outcome access_memory(struct sm *sm, const struct sub *sub,
                                        const struct queued *queued)
{
    const struct inst *inst = inst_of(sub, queued);
    const uint32_t reach = reach_of(&sub->warp[queued->slot], &queued->inst);
    struct mem_request request = {
        .op = reach & WARP_INST_SHARED ? op_of_shared(inst->op) : inst->op,
        .remote = (reach & WARP_INST_REMOTE) != 0,
        .own_sm = (uint16_t)sm->index,
        .width = inst->width,
        .lanes = queued->inst.exec,
        .tag = queued->tag,
        .line = queued->inst.index,
        .line_stats = &sub->warp[queued->slot].lines[queued->inst.index],
        .atomic = inst->atomic,
        .past_l1 = inst->past_l1,
        .of_system = inst->past_l1 && inst->scope == SCOPE_SYSTEM,
        .warp = sm_slot(sm, sub, queued->slot),
        .addresses = &sm->addresses[queued->place],
    };
    struct mem_outcome outcome = mem_sm_access(sm->memory, sm->now, &request);
    uint32_t excess = sm->setup->l1_policy ? mem_sm_excess_prefetches(sm->memory) : 0;
    if (excess && sm->fault.kind == FAULT_NONE)
        sm->fault = (struct fault){
            .kind = FAULT_PREFETCH, .cycle = sm->now, .answer = excess, .sub = sub->index};
    if (outcome.accepted) {
        bus_emit(sm->bus, SIMSM_EVENT_MEM_START, sm->now, sm_slot(sm, sub, queued->slot), inst->op,
                 queued->inst.index);
        sm->address_free[sm->address_frees++] = queued->place;
        if (reach & WARP_INST_MESSAGE)
            copy_engine_send_message(sm, sm->flight[queued->tag].copy);
    }
    return outcome;
}

static void count_outstanding(struct sm *sm, struct warp *warp, const struct inst *inst)
{
    const struct op_exec *exec = &sm->op.op[inst->op];
    if (op_is_copy(inst->op) && inst->op != SIMSM_OP_TMA_LOAD)
        warp->copy_group[warp->copy_group_open]++;
    if (exec->path != PATH_MEMORY)
        return;
    if (exec->is_store)
        warp->stores_out++;
    else
        warp->loads_out++;
    if (inst->op == SIMSM_OP_COPY_ASYNC) {
        warp->copy_group[warp->copy_group_open]++;
        warp->copies_issued++;
    }
}

/* An LDC on its way through its lines. */
struct walk {
    uint64_t reached; /* cycle at which it has passed the lines so far, if L1 answers misses */
    uint32_t order, misses, lines;
    struct {
        uint64_t there; /* cycle at which a line comes that was not there; may be pending */
        uint64_t due;   /* the cycle at which it was expected */
    } line[INST_STEPS];
};

/* Looks up a line of constants for an LDC, and notes it if it is not there. */
static void look_up_line(struct sm *sm, struct walk *walk, uint32_t address)
{
    struct icache *cache = &sm->indexed;
    const uint32_t miss = sm->config->constant_l1_latency + sm->config->constant_indexed_latency;
    const uint64_t misses = cache->misses;
    const uint64_t there = icache_access(cache, sm->now, address);
    uint64_t *due = &sm->indexed_due[cache->last - cache->lines.line];
    cache->last->used_at = (sm->now + 1) << INST_VALUE_BITS | walk->order++;
    if (cache->misses != misses) { /* behind another miss it is looked up once more */
        *due = walk->reached + miss;
        *due += walk->misses != 0 ? sm->op.op[SIMSM_OP_LD_CONST].interval : 0;
        walk->misses++;
    }
    if (there == sm->now)
        return;
    walk->reached = later(walk->reached, *due);
    walk->line[walk->lines].there = there;
    walk->line[walk->lines++].due = *due;
}

/* Looks up the lines `first` + step x 2^`shift` of a bank, for all `steps`. */
static void look_up_steps(struct sm *sm, struct walk *walk, uint32_t bank, uint64_t token,
                          uint64_t steps)
{
    const uint32_t first = inst_token_line(token), shift = inst_token_step(token);
    for (; steps != 0; steps &= steps - 1) {
        const uint32_t line = first + ((uint32_t)__builtin_ctzll(steps) << shift);
        look_up_line(sm, walk, bank + line * INST_LINE_BYTES);
    }
}

/* Returns the cycles that an LDC waits for the misses of other warps. */
static uint64_t miss_turn(struct sm *sm, uint32_t misses)
{
    const double time = misses * sm->config->constant_indexed_interval;
    return misses != 0 ? turn_take(&sm->indexed_free, sm->now, time) - sm->now : 0;
}

/* Returns the `steps` that a warp looks up last. Which lanes come first differs from warp to warp,
 * so each begins at another line: 0, 1/2, 1/4, 3/4, 1/8 ... of the way through them. */
static uint64_t last_steps(uint64_t steps, uint32_t warp)
{
    enum { BITS = 6 };
    uint32_t part = 0;
    for (unsigned bit = 0; bit < BITS; bit++)
        part = part << 1 | (warp >> bit & 1u);
    uint64_t before = steps;
    for (uint32_t first = part * (uint32_t)__builtin_popcountll(steps) >> BITS; first != 0; first--)
        before &= before - 1;
    return steps & ~before;
}

/*
 * Looks up the lines of an LDC. It asks for a line when the line before is there (H100,
 * cuda/calib/constant spread: 8, 16 and 32 lines that miss take 70 cycles each). What other warps
 * have brought meanwhile is there (tables). Misses of several warps overlap, up to a line per
 * constant.indexed_interval (spread_own).
 */
static void look_up_constants(struct sm *sm, const struct sub *sub, const struct queued *queued,
                              const struct inst *inst, struct walk *walk)
{
    enum { BANK = 0x10000 };
    const uint32_t at = sub->warp[queued->slot].grid->constants_at + inst->constant - 1;
    const uint64_t token = queued->inst.token, steps = inst_token_steps(token);
    *walk = (struct walk){.reached = sm->now};
    if (steps == 0) { /* no register, or a front that does not know it */
        look_up_line(sm, walk, at);
        return;
    }
    const uint32_t bank = at - (inst->constant - 1) % BANK;
    const uint64_t last = last_steps(steps, sm_slot(sm, sub, queued->slot));
    look_up_steps(sm, walk, bank, token, steps & ~last);
    look_up_steps(sm, walk, bank, token, last);
}

/* Schedules the completion of an LDC `cycles` after it has passed its lines. A line that comes
 * later than expected delays the lines behind it. */
static void complete_constants(struct sm *sm, const struct sub *sub, const struct queued *queued,
                               const struct inst *inst, uint64_t cycles)
{
    struct walk walk;
    look_up_constants(sm, sub, queued, inst, &walk);
    TALLY(sm->tally, PIPE_ADU, walk.lines != 0); /* counts once more (H200, cuda/calib/pipes) */
    uint64_t ready_at = walk.reached;
    uint32_t open = 0;
    for (uint32_t i = 0; i < walk.lines; i++) {
        if (icache_is_pending(walk.line[i].there))
            open++;
        else
            ready_at = later(ready_at, walk.line[i].there + walk.reached - walk.line[i].due);
    }
    cycles += miss_turn(sm, walk.misses);
    if (open == 0) {
        due_add(sm, ready_at + cycles, queued->tag);
        return;
    }
    const uint64_t order = due_reserve(sm);
    for (uint32_t i = 0; i < walk.lines; i++) {
        const struct line_wait wait = {.pending = walk.line[i].there,
                                       .rest = walk.reached - walk.line[i].due + cycles,
                                       .least = ready_at + cycles,
                                       .order = order,
                                       .tag = queued->tag};
        if (icache_is_pending(wait.pending) && !pool_add(&sm->line_waits, &wait))
            sm->no_memory = true;
    }
}

/* Schedules the completion of an instruction `cycles` after now. LDC waits for its lines of
 * constants, too. */
static void complete_after(struct sm *sm, const struct sub *sub, const struct queued *queued,
                           const struct inst *inst, uint64_t cycles)
{
    if (inst->op == SIMSM_OP_LD_CONST && inst->constant && !sm->config->constant_ideal)
        complete_constants(sm, sub, queued, inst, cycles);
    else
        due_add(sm, sm->now + cycles, queued->tag);
}

/* Executes a queued instruction at once, under ideal and fixed memory, where nothing queues. Only a
 * pipe that the SM has once keeps its interval. */
static void bypass(struct sm *sm, struct sub *sub, const struct queued *queued)
{
    const struct op_exec *exec = &sm->op.op[inst_of(sub, queued)->op];
    const struct sm_grid *grid = sub->warp[queued->slot].grid;
    uint64_t start = sm->now;
    if (exec->path == PATH_MEMORY) {
        SIMSM_CHECK(access_memory(sm, sub, queued).accepted, "access of slot %u refused",
                    queued->slot);
    } else {
        if (exec->stage < SIMSM_PIPE_LSU) { /* an arithmetic pipe */
            start = later(start, sm->unit_free[exec->stage]);
            sm->unit_free[exec->stage] = start + exec->interval;
        }
        complete_after(sm, sub, queued, inst_of(sub, queued), start + exec->latency - sm->now);
        if (op_is_copy(inst_of(sub, queued)->op))
            copy_engine_take(sm, sm->flight[queued->tag].copy);
    }
    if (grid->use_control_bits)
        read_later(sm, sub, queued->slot, queued->inst.index, 1);
}

static const struct op_exec *exec_of(const struct sm *sm, const struct sub *sub,
                                     const struct queued *queued)
{
    return &sm->op.op[inst_of(sub, queued)->op];
}

/* Returns whether an instruction waits behind stores, or is a store for which others would wait. */
static bool can_wait_behind(const struct sm *sm, const struct op_exec *exec)
{
    return sm->behind_limit != 0 && exec->unit == UNIT_LG &&
           (exec->is_posted || sm->behind_count != 0);
}

/* Returns whether the load/store stage takes an instruction that need not wait for stores. */
static bool stage_takes(struct sm *sm, const struct op_exec *exec)
{
    uint64_t *unit_free = &sm->unit_free[exec->stage];
    if (sm->behind_limit == 0)
        return stage_is_free(sm, unit_free);
    if (exec->unit == UNIT_LG)
        return stage_is_free(sm, &sm->memory_free);
    uint64_t free_at = mem_sm_shared_free(sm->memory, sm->now);
    if (free_at > sm->now)
        *unit_free = free_at;
    return free_at <= sm->now;
}

/* Returns the cycle before which L1 takes nothing. */
static uint64_t memory_due(const struct sm *sm)
{
    return later(sm->unit_free[SIMSM_PIPE_LSU], sm->memory_free);
}

/* Returns the cycle before which the first instruction of a queue cannot leave. */
static uint64_t due_at(const struct sm *sm, const struct sub *sub)
{
    const struct queued *first = &sub->queue[sub->queue_head];
    const struct op_exec *exec = exec_of(sm, sub, first);
    uint64_t at = later(first->leave_at, later(sub->address_free, sub->address_retry));
    if (!can_wait_behind(sm, exec))
        return later(at, exec->unit == UNIT_LG ? memory_due(sm) : sm->unit_free[exec->stage]);
    bool full = sm->behind_count >= sm->behind_limit;
    return later(at, full ? memory_due(sm) : sm->behind_from);
}

/* Closes the open group of asynchronous copies. LDGDEPBAR follows the copies through the queue and
 * belongs to their group. SOURCE: H200, cuda/calib/ldgsts wait: 42 cycles with no copy at all. */
static void end_group(struct warp *warp)
{
    warp->copy_group[warp->copy_group_open]++;
    warp->copy_group_open = (uint8_t)((warp->copy_group_open + 1u) % COPY_GROUPS);
}

/* Keeps the addresses of an access until the load/store stage has taken it. */
static void keep_addresses(struct sm *sm, const struct sub *sub, struct queued *queued)
{
    SIMSM_CHECK(sm->address_frees != 0, "%u accesses are in queues", sm->address_places);
    queued->place = sm->address_free[--sm->address_frees];
    const struct sm_grid *grid = sub->warp[queued->slot].grid;
    grid->ops->addresses(grid->front, slot_cursor(sm, sub, queued->slot), &queued->inst,
                         &sm->addresses[queued->place]);
}

void queue_push(struct sm *sm, struct sub *sub, unsigned slot, const struct warp_inst *inst)
{
    SIMSM_CHECK(sub->queue_count <= sm->queue_mask, "%u instructions in the queue",
                sub->queue_count);
    struct queued *queued = &sub->queue[(sub->queue_head + sub->queue_count) & sm->queue_mask];
    struct warp *warp = &sub->warp[slot];
    const struct inst *what = &warp->code[inst->index];
    queued->leave_at = sm->now + sm->config->mio_queue_latency;
    queued->inst = *inst;
    queued->tag = flight_new(sm, sub, slot, inst->index);
    queued->slot = (uint8_t)slot;
    if (exec_of(sm, sub, queued)->path == PATH_MEMORY)
        keep_addresses(sm, sub, queued);
    const uint32_t reach = reach_of(warp, inst);
    if (op_is_copy(what->op) || reach & WARP_INST_MESSAGE)
        sm->flight[queued->tag].copy = (uint16_t)copy_engine_note(sm, sub, slot, inst);
    count_outstanding(sm, warp, what);
    if (op_closes_group(what->op))
        end_group(warp);
    if (warp->grid->ops->issue && inst->exec &&
        (reach & WARP_INST_SHARED ? (reach & WARP_INST_REMOTE) != 0 : inst_sees_others(what)))
        flight_waits_for_exchange(sm, queued->tag);
    if (inst->flags & (WARP_INST_WRITES | WARP_INST_WAITS) && op_is_mbarrier(what->op) &&
        !(reach & WARP_INST_MESSAGE))
        phase_issue(sm, sub, queued);
    if (sm->queue_bypass)
        bypass(sm, sub, queued);
    else if (++sub->queue_count == 1)
        sm->queue_next = least(sm->queue_next, due_at(sm, sub));
}

/* Returns the number of registers that an instruction reads. */
static uint32_t registers_of(const struct inst *inst)
{
    uint32_t registers = 0;
    for (unsigned i = 0; i < inst->n_sources; i++)
        registers += inst->source[i].first < REG_P0 ? inst->source[i].count : 0;
    return registers;
}

/*
 * Returns the cycles for which an instruction holds its sub-partition's way out. On an H200 each
 * source register takes two (cuda/calib/lsu_queue): 2 for LDS and SHFL, 4 for LDG and STS, 6 for
 * STG and RED.
 */
static uint32_t way_out_interval(const struct sm *sm, const struct inst *inst)
{
    if (sm->config->mio_operand_interval == 0)
        return sm->config->mio_address_interval;
    uint32_t registers = registers_of(inst);
    return (registers != 0 ? registers : 1) * sm->config->mio_operand_interval;
}

/*
 * Returns the values or addresses of an instruction beyond the first. Each takes its unit's
 * interval (H200: MATCH.ANY, cuda/calib/shared match: 2.2 to 64.3; LDC, cuda/calib/constant
 * spread_row: 2 to 64).
 */
static uint32_t more_values(const struct inst *inst, const struct queued *queued)
{
    const uint32_t values = inst_token_values(queued->inst.token);
    return op_counts_values(inst->op) && values != 0 ? values - 1 : 0;
}

/* Returns the cycles that LDC takes longer for a register in its address, and for addresses beyond
 * the first. These follow one another more slowly than the addresses of different LDCs. */
static uint32_t constant_latency(const struct sm *sm, const struct inst *inst, uint32_t more)
{
    uint32_t index = registers_of(inst) ? sm->config->constant_index_latency : 0;
    return index + more * sm->config->constant_word_latency;
}

/* The stage that has just taken an access to shared memory, or a shuffle, which goes the same way,
 * takes longer for it beside products of warp groups. */
static void share_stage(struct sm *sm, unsigned stage)
{
    const uint32_t cycles = (uint32_t)(sm->unit_free[stage] - sm->now);
    if (sm->claim.until > sm->now)
        sm->unit_free[stage] = sm->now + gmma_leaves_shared(sm, cycles);
}

/* Hands an access to L1 or to shared memory. If it is refused, *retry is the cycle at which to try
 * again. An access that does not go through L1 does not wait for a store that L1 has taken. */
static bool start_access(struct sm *sm, struct sub *sub, const struct queued *queued,
                         uint64_t *retry)
{
    const struct op_exec *exec = exec_of(sm, sub, queued);
    struct mem_outcome outcome = access_memory(sm, sub, queued);
    if (!outcome.accepted) {
        *retry = outcome.free_at;
        return false;
    }
    uint64_t taken = sm->now + exec->interval;
    bool apart = sm->behind_limit != 0 && exec->is_posted;
    if (apart)
        sm->memory_free = outcome.free_at;
    sm->unit_free[exec->stage] = apart ? taken : later(outcome.free_at, taken);
    if (exec->unit != UNIT_LG && exec->unit != UNIT_TEX)
        share_stage(sm, exec->stage);
    sub->address_free = later(sub->address_free, sm->now + outcome.held);
    if (exec->is_posted)
        flight_sent(sm, queued->tag);
    return true;
}

/*
 * Hands an access to L1, or puts it into the queue behind stores; it then needs its registers no
 * longer. Returns false if neither has room. SOURCE: H200, cuda/calib/stores: a warp has the
 * operands of 16 stores of 32 lines read in 104 cycles while L1 takes two [burst]; loads that hit
 * L1 wait for all of them, loads from shared memory do not [behind].
 */
static bool enter_store_queue(struct sm *sm, struct sub *sub, const struct queued *queued)
{
    uint64_t from = sm->now + exec_of(sm, sub, queued)->interval;
    if (sm->behind_count == 0 && memory_due(sm) <= sm->now && stage_is_free(sm, &sm->memory_free) &&
        start_access(sm, sub, queued, &sm->memory_free)) {
        sm->behind_from = from;
        return true;
    }
    if (sm->behind_count >= sm->behind_limit || sm->behind_from > sm->now)
        return false;
    struct queued *last = &sm->behind[(sm->behind_head + sm->behind_count++) % BEHIND_ENTRIES];
    *last = *queued;
    last->sub = (uint8_t)sub->index;
    sm->behind_from = from;
    return true;
}

/* Hands the first access of the queue behind stores to L1, if L1 takes it. */
static void leave_store_queue(struct sm *sm)
{
    const struct queued *first = &sm->behind[sm->behind_head];
    if (memory_due(sm) > sm->now || !stage_is_free(sm, &sm->memory_free) ||
        !start_access(sm, &sm->sub[first->sub], first, &sm->memory_free))
        return;
    sm->behind_head = (sm->behind_head + 1) % BEHIND_ENTRIES;
    sm->behind_count--;
}

/* Hands an instruction to its unit. Returns false if the unit is busy. */
static bool hand_over(struct sm *sm, struct sub *sub, const struct queued *queued)
{
    const struct inst *inst = inst_of(sub, queued);
    const struct op_exec *exec = &sm->op.op[inst->op];
    uint64_t *unit_free = &sm->unit_free[exec->stage];
    uint32_t held = way_out_interval(sm, inst);
    if (can_wait_behind(sm, exec)) {
        if (!enter_store_queue(sm, sub, queued))
            return false;
        sub->address_free = later(sub->address_free, sm->now + held);
        return true;
    }
    bool at_stage = exec->path == PATH_MEMORY || exec->stage == SIMSM_PIPE_LSU;
    if (at_stage && !stage_takes(sm, exec))
        return false;
    if (exec->path == PATH_MEMORY) {
        if (!start_access(sm, sub, queued, &sub->address_retry))
            return false;
        sub->address_free = later(sub->address_free, sm->now + held);
        return true;
    }
    if (op_is_copy(inst->op)) {
        if (!copy_engine_has_room(sm)) {
            *unit_free = sm->now + 1;
            return false;
        }
        copy_engine_take(sm, sm->flight[queued->tag].copy);
    }
    sub->address_free = sm->now + held;
    uint32_t spent = sm->config->mio_queue_latency;
    uint32_t rest = exec->latency > spent ? exec->latency - spent : 1;
    uint32_t more = more_values(inst, queued), held_more = more * exec->interval;
    *unit_free = sm->now + exec->interval + held_more;
    if (inst->op == SIMSM_OP_SHUFFLE)
        share_stage(sm, exec->stage);
    rest += inst->op == SIMSM_OP_LD_CONST ? constant_latency(sm, inst, more) : held_more;
    TALLY(sm->tally, PIPE_ADU, more);
    complete_after(sm, sub, queued, inst, rest);
    return true;
}

/*
 * Gives a place in a full queue to another warp: among warps that wait to go to L1, the warp that
 * issued last has no precedence. SOURCE: H200, cuda/calib/stores burst_of[warps=8],
 * free[stride=16,warps=32].
 */
static void take_turns(const struct sm *sm, struct sub *sub)
{
    if (sm->behind_limit != 0 && sub->last_issued >= 0 &&
        sub->queue_count == sm->config->mio_queue_entries &&
        sub->need[UNIT_LG] >> sub->last_issued & 1)
        sub->last_issued = -1;
}

static void leave_queue(struct sm *sm, struct sub *sub)
{
    const struct queued *first = &sub->queue[sub->queue_head];
    if (due_at(sm, sub) > sm->now || !hand_over(sm, sub, first))
        return;
    read_later(sm, sub, first->slot, first->inst.index, sm->config->mio_read_release);
    take_turns(sm, sub);
    sub->queue_head = (sub->queue_head + 1) & sm->queue_mask;
    sub->queue_count--;
    sm->stage_turn = sub->index + 1 < sm->subs ? sub->index + 1 : 0;
    if (sub->units >> UNIT_LG && sub->next > sm->now + 1)
        sub->next = sm->now + 1; /* a warp waits for room in the queue */
}

void queue_cycle(struct sm *sm)
{
    uint32_t first = sm->stage_turn;
    if (sm->behind_count != 0)
        leave_store_queue(sm);
    for (uint32_t i = 0; i < sm->subs; i++) {
        const uint32_t turn = first + i;
        struct sub *sub = &sm->sub[turn < sm->subs ? turn : turn - sm->subs];
        if (sub->queue_count)
            leave_queue(sm, sub);
    }
    sm->queue_next = sm->behind_count != 0 ? memory_due(sm) : SM_NEVER;
    for (uint32_t i = 0; i < sm->subs; i++) {
        if (sm->sub[i].queue_count)
            sm->queue_next = least(sm->queue_next, due_at(sm, &sm->sub[i]));
    }
}
