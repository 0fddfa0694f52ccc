/*
 * MODEL: dependences: when the operands of a warp's next instruction are ready. A whole kernel uses
 * one of two ways. Control bits: the compiler's stall counts and six counters per warp, as hardware
 * does since Maxwell. Scoreboard: a time for each register, from the latency table, for kernels
 * without control bits.
 * SOURCE: Huerta et al., MICRO 2025: the control bits, and that a scoreboard is nearly as good
 * (14.7 against 13.5 % error). H200, cuda/calib/control, latency.
 * LEFT OUT: the one cycle between issue and the increment of a counter. Loads may return out of
 * order, so DEPBAR with a count above 0 counts completions in any order.
 */
#include <string.h>

#include "base/check.h"
#include "core/gmma.h"
#include "core/sm_state.h"

/* Registers other than R0, R1, ..., which every kernel has. They come first in a row because few
 * kernels use all of R0, R1, ... */
enum { OTHERS = REG_COUNT - REG_P0 };

/* Returns the index of the first register of `range` in a warp's row. */
static uint32_t place_of(struct reg_range range)
{
    return range.first >= REG_P0 ? range.first - (uint32_t)REG_P0 : range.first + (uint32_t)OTHERS;
}

static uint32_t longer(uint32_t row, const struct reg_range *range, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        uint32_t end = place_of(range[i]) + range[i].count;
        row = end > row ? end : row;
    }
    return row;
}

uint32_t depend_row(const struct sm_grid *grid)
{
    uint32_t row = OTHERS;
    for (uint32_t i = 0; !grid->use_control_bits && i < grid->front->code_size; i++) {
        row = longer(row, grid->code[i].source, grid->code[i].n_sources);
        row = longer(row, grid->code[i].destination, grid->code[i].n_destinations);
    }
    return grid->use_control_bits ? 0 : (row + 7) / 8 * 8;
}

/*
 * Returns the cycles added to the time of a fixed-latency result that `inst` reads as source `i`.
 * Predicates that guard
 * an instruction are needed before it enters its pipe, whichever pipe that is. SOURCE: the
 * distances that NVIDIA's compiler leaves (docs/model.md, section "Dependences").
 */
static uint32_t extra_latency(const struct sm *sm, const struct inst *inst, unsigned i)
{
    uint32_t reg = inst->source[i].first;
    uint8_t path = sm->op.op[inst->op].path;
    if (reg >= REG_P0 && reg < REG_UR0) {
        bool guard = inst->guarded && i + 1u == inst->n_sources;
        bool early = guard || path != PATH_PIPE || inst->op == SIMSM_OP_VOTE;
        return early ? sm->config->issue_predicate_to_control : 0;
    }
    return path == PATH_PIPE || path == PATH_CONTROL ? 0 : sm->config->issue_writeback_to_queue;
}

static void need_sources(struct sm *sm, struct warp *warp, const uint64_t *ready,
                         const struct inst *inst)
{
    for (unsigned i = 0; i < inst->n_sources; i++) {
        struct reg_range range = inst->source[i];
        uint32_t extra = extra_latency(sm, inst, i);
        for (uint32_t reg = place_of(range), end = reg + range.count; reg < end; reg++) {
            uint64_t at = ready[reg];
            if (at >= REG_PENDING)
                warp->needs_pending |= (uint8_t)(1u << (at & 3));
            else if (at)
                warp->needs_until = later(warp->needs_until, (at >> 2) + extra);
        }
    }
}

/* Adds write-after-write and write-after-read dependences. */
static void need_destinations(struct sm *sm, struct warp *warp, const uint64_t *ready,
                              const uint16_t *readers, const struct inst *inst)
{
    uint32_t latency = sm->op.op[inst->op].latency;
    for (unsigned i = 0; i < inst->n_destinations; i++) {
        struct reg_range range = inst->destination[i];
        for (uint32_t reg = place_of(range), end = reg + range.count; reg < end; reg++) {
            uint64_t at = ready[reg];
            if (at >= REG_PENDING)
                warp->needs_pending |= (uint8_t)(1u << (at & 3));
            else if ((at >> 2) > latency)
                warp->needs_until = later(warp->needs_until, (at >> 2) - latency);
            if (readers[reg])
                warp->needs_pending |= 1u << (readers[reg] & READER_LONG ? WAIT_LONG : WAIT_SHORT);
        }
    }
}

/* Makes the warp wait for a counter that an instruction counts up `times`, if there is no room. */
static void need_room(struct warp *warp, unsigned scoreboard, unsigned times)
{
    if (scoreboard < SCOREBOARDS && warp->scoreboard[scoreboard] + times > SCOREBOARD_MOST)
        warp->needs_pending |= (uint8_t)(1u << warp->scoreboard_kind[scoreboard]);
}

/* Adds the counters that the control bits name. A counter has six bits (Huerta et al.): an
 * instruction that would overflow its counter waits, too. */
static void need_control(struct warp *warp, const struct inst *inst)
{
    const struct control_bits *bits = &inst->control;
    const unsigned times = bits->write_barrier == bits->read_barrier ? 2 : 1;
    for (uint32_t left = bits->wait_mask & warp->counting; left; left &= left - 1)
        warp->needs_pending |= (uint8_t)(1u << warp->scoreboard_kind[__builtin_ctz(left)]);
    need_room(warp, bits->write_barrier, times);
    need_room(warp, bits->read_barrier, times);
}

/* Adds what DEPBAR waits for: a counter, or the groups of asynchronous copies, must have come down
 * to a number. */
static void need_depbar(struct warp *warp, const struct inst *inst)
{
    if (inst->depbar_index < SCOREBOARDS) {
        if (warp->scoreboard[inst->depbar_index] > inst->depbar_count)
            warp->needs_pending |= (uint8_t)(1u << warp->scoreboard_kind[inst->depbar_index]);
    } else if (inst->depbar_index == DEPBAR_PRODUCTS) {
        warp->products_until = gmma_group_done(warp, inst->depbar_count);
    } else if (inst->depbar_index == DEPBAR_GROUPS) {
        unsigned closed = 0;
        for (unsigned i = 0; i < COPY_GROUPS; i++)
            closed += i != warp->copy_group_open && warp->copy_group[i] > 0;
        if (closed > inst->depbar_count)
            warp->needs_pending |= 1u << WAIT_LONG;
    } else if (warp->copy_group[(warp->copy_group_open + 1) % COPY_GROUPS]) {
        warp->needs_pending |= 1u << WAIT_LONG; /* all groups are in use: wait for the oldest */
    }
}

void depend_evaluate(struct sm *sm, struct sub *sub, unsigned slot)
{
    struct warp *warp = &sub->warp[slot];
    const struct inst *inst = &warp->code[warp->next.index];
    warp->needs_until = 0;
    warp->needs_pending = 0;
    warp->constant_until = 0;
    warp->products_until = 0;
    warp->deps_known = true;
    /* LDC has a cache and a latency of its own. */
    if (inst->constant && inst->op != SIMSM_OP_LD_CONST && !sm->config->constant_ideal)
        warp->constant_until =
            icache_access(&sub->constants, sm->now, warp->grid->constants_at + inst->constant - 1);
    if (icache_is_pending(warp->constant_until))
        sub->awaiting |= bit64(slot);
    if (inst->op == SIMSM_OP_DEPBAR || op_closes_group(inst->op))
        need_depbar(warp, inst);
    if (warp->grid->use_control_bits) {
        need_control(warp, inst);
        return;
    }
    const uint64_t *ready = sub->reg_ready + (size_t)slot * sub->reg_row;
    need_sources(sm, warp, ready, inst);
    need_destinations(sm, warp, ready, sub->reg_readers + (size_t)slot * sub->reg_row, inst);
}

static void count_up(struct warp *warp, unsigned scoreboard, uint8_t kind)
{
    if (scoreboard >= SCOREBOARDS)
        return;
    warp->scoreboard[scoreboard]++;
    warp->scoreboard_kind[scoreboard] = kind;
    warp->counting |= (uint8_t)(1u << scoreboard);
}

static void issue_control_bits(struct sm *sm, struct warp *warp, const struct inst *inst)
{
    const struct control_bits *bits = &inst->control;
    const struct op_exec *exec = &sm->op.op[inst->op];
    uint32_t stall = bits->stall > 1 ? bits->stall : bits->yield ? 2 : 1;
    warp->stall_until = sm->now + stall + exec->hold;
    if (exec->path == PATH_PIPE || exec->path == PATH_CONTROL)
        return;
    if (!depend_ignores(sm, inst->op))
        count_up(warp, bits->write_barrier, exec->wait);
    count_up(warp, bits->read_barrier, exec->wait);
}

/*
 * Notes a further queued instruction that has not read its sources; `wait`: the kind of its result.
 */
static void add_reader(struct sub *sub, unsigned slot, const struct inst *inst, uint8_t wait)
{
    uint16_t *readers = sub->reg_readers + (size_t)slot * sub->reg_row;
    for (unsigned i = 0; i < inst->n_sources; i++) {
        struct reg_range range = inst->source[i];
        for (uint32_t reg = place_of(range), end = reg + range.count; reg < end; reg++)
            readers[reg] = (uint16_t)((readers[reg] + 1u) | (wait == WAIT_LONG ? READER_LONG : 0u));
    }
}

static void remove_reader(struct sub *sub, unsigned slot, const struct inst *inst)
{
    uint16_t *readers = sub->reg_readers + (size_t)slot * sub->reg_row;
    for (unsigned i = 0; i < inst->n_sources; i++) {
        struct reg_range range = inst->source[i];
        for (uint32_t reg = place_of(range), end = reg + range.count; reg < end; reg++) {
            readers[reg]--;
            if (readers[reg] == READER_LONG)
                readers[reg] = 0;
        }
    }
}

static void mark_results(struct sub *sub, unsigned slot, const struct inst *inst, uint64_t ready_at)
{
    uint64_t *ready = sub->reg_ready + (size_t)slot * sub->reg_row;
    for (unsigned i = 0; i < inst->n_destinations; i++) {
        struct reg_range range = inst->destination[i];
        for (uint32_t reg = place_of(range), end = reg + range.count; reg < end; reg++)
            ready[reg] = ready_at;
    }
}

void depend_issue(struct sm *sm, struct sub *sub, unsigned slot, const struct warp_inst *dynamic)
{
    struct warp *warp = &sub->warp[slot];
    const struct inst *inst = &warp->code[dynamic->index];
    const struct op_exec *exec = &sm->op.op[inst->op];
    if (warp->grid->use_control_bits) {
        issue_control_bits(sm, warp, inst);
        sub->yielded &= ~bit64(slot);
        sub->yielded |= (uint64_t)inst->control.yield << slot;
        return;
    }
    if (exec->path == PATH_CONTROL)
        return;
    if (exec->path == PATH_PIPE) {
        uint64_t start =
            later(sm->now + 1, sub->dispatch_free) - 1; /* the operand read may be late */
        mark_results(sub, slot, inst, (start + exec->latency) << 2 | WAIT_FIXED);
        return;
    }
    if (!depend_ignores(sm, inst->op))
        mark_results(sub, slot, inst, REG_PENDING | exec->wait);
    if (exec->path != PATH_XU && !sm->queue_bypass)
        add_reader(sub, slot, inst, exec->wait);
}

static void count_down(struct warp *warp, unsigned scoreboard)
{
    SIMSM_CHECK(warp->scoreboard[scoreboard] != 0, "scoreboard %u is 0", scoreboard);
    if (--warp->scoreboard[scoreboard] == 0)
        warp->counting &= (uint8_t) ~(1u << scoreboard);
}

void depend_read(struct sub *sub, unsigned slot, uint32_t index)
{
    struct warp *warp = &sub->warp[slot];
    const struct inst *inst = &warp->code[index];
    if (!warp->grid->use_control_bits)
        remove_reader(sub, slot, inst);
    else if (inst->control.read_barrier < SCOREBOARDS)
        count_down(warp, inst->control.read_barrier);
    warp->deps_known = false;
}

void depend_done(struct sub *sub, unsigned slot, uint32_t index)
{
    struct warp *warp = &sub->warp[slot];
    const struct inst *inst = &warp->code[index];
    if (!warp->grid->use_control_bits)
        mark_results(sub, slot, inst, 0);
    else if (inst->control.write_barrier < SCOREBOARDS)
        count_down(warp, inst->control.write_barrier);
    warp->deps_known = false;
}

void depend_clear(struct sub *sub, unsigned slot)
{
    struct warp *warp = &sub->warp[slot];
    for (unsigned i = 0; i < SCOREBOARDS; i++)
        warp->scoreboard[i] = 0;
    warp->counting = 0;
    for (unsigned i = 0; i < COPY_GROUPS; i++)
        warp->copy_group[i] = 0;
    warp->copy_group_open = 0;
    size_t first = (size_t)slot * sub->reg_row;
    memset(sub->reg_ready + first, 0, sub->reg_row * sizeof *sub->reg_ready);
    memset(sub->reg_readers + first, 0, sub->reg_row * sizeof *sub->reg_readers);
}
