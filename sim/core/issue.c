/*
 * MODEL: issue. At most one instruction per sub-partition and cycle issues, chosen by the
 * scheduling policy among the ready warps whose unit is free. Branches redirect the fetch of their
 * warp; BSYNC and other control instructions act on the warp itself.
 * SOURCE: H200, cuda/calib/branch, converge, jumps, redirect, pipes (at the functions below);
 * docs/model.md, sections "Issue" and "Branches and divergence".
 * LEFT OUT: nothing known.
 */
#include "base/bits.h"
#include "core/gmma.h"
#include "core/sm_state.h"
#include "model/op.h"

static bool unit_is_free(const struct sm *sm, const struct sub *sub, unsigned unit)
{
    if (unit < UNIT_LG)
        return pipe_free_at(sub, unit) <= sm->now &&
               (sm->flight_free != NO_FLIGHT || !(sm->op.tracked_pipes >> unit & 1u));
    if (sm->queue_bypass)
        return sm->flight_free != NO_FLIGHT;
    return sub->queue_count < sm->config->mio_queue_entries && sm->flight_free != NO_FLIGHT;
}

/* Returns the ready slots whose unit is free: the slots that could issue if the dispatch port is
 * free. */
static uint64_t eligible_slots(const struct sm *sm, const struct sub *sub)
{
    uint64_t eligible = 0;
    for (uint32_t units = sub->units; units; units &= units - 1) {
        unsigned unit = (unsigned)__builtin_ctz(units);
        if (unit_is_free(sm, sub, unit))
            eligible |= sub->need[unit];
    }
    return eligible;
}

/*
 * Makes the warp issue again `cycles` after `at`, and fetch its next instruction `resolve` cycles
 * after `at`. The first cycle of that fetch counts as resolving (H200, cuda/calib/redirect: 4
 * cycles of stall count, 2 of resolving, 3 without an instruction).
 */
static void redirect_fetch(const struct sm *sm, struct warp *warp, uint64_t at, uint32_t resolve,
                           uint32_t cycles)
{
    uint32_t resolving = resolve + (sm->config->fetch_ideal ? 0 : 1);
    fetch_redirect(warp, at + (resolve ? resolve : 1));
    warp->branch_until = at + (resolving > cycles ? resolving : cycles);
}

/*
 * Returns the cycles until the next fetch after a branch through a register, or after WARPSYNC at
 * which lanes stay. An SM takes branches through a register one after another. SOURCE: H200,
 * cuda/calib/jumps: chain 38 where BRA takes 10, 4 an SM; meet.
 */
static uint32_t cycles_to_resolve(struct sm *sm, uint8_t op, uint32_t least)
{
    const struct op_exec *exec = &sm->op.op[op == SIMSM_OP_CONVERGE ? SIMSM_OP_WARPSYNC : op];
    uint32_t fetch = sm->config->fetch_latency, wait = 0;
    uint32_t cycles = exec->latency > fetch ? exec->latency - fetch : 0;
    if (op == SIMSM_OP_BRANCH_REGISTER) {
        uint64_t *unit_free = &sm->unit_free[SIMSM_PIPE_CBU];
        uint64_t at = *unit_free > sm->now ? *unit_free : sm->now;
        *unit_free = at + exec->interval;
        wait = (uint32_t)(at - sm->now);
    }
    return wait + (cycles > least ? cycles : least);
}

/*
 * Issues a branch. A taken branch costs a new fetch, any other only its stall count. SOURCE: H200,
 * cuda/calib/branch and converge: 5 (the stall count), 10 taken, 7 if the lanes that fall through
 * go first and other lanes come later.
 */
static void issue_branch(struct sm *sm, struct sub *sub, unsigned slot,
                         const struct warp_inst *dynamic)
{
    struct warp *warp = &sub->warp[slot];
    uint8_t op = warp->code[dynamic->index].op;
    uint32_t cycles = warp->grid->use_control_bits ? 0 : sm->op.op[op].latency;
    if (warp_inst_is_taken(dynamic, op)) {
        uint32_t resolve = sm->config->issue_branch_resolve;
        if (op != SIMSM_OP_BRANCH)
            resolve = cycles_to_resolve(sm, op, resolve);
        redirect_fetch(sm, warp, sm->now, resolve, cycles);
        return;
    }
    if ((dynamic->flags & WARP_INST_DIVERGENT) && sm->config->issue_diverge > cycles)
        cycles = sm->config->issue_diverge;
    warp->branch_until = sm->now + cycles;
}

/*
 * Issues BSYNC: either all lanes have met and the warp goes on, or they stay and the warp goes on
 * with other lanes. One side of a branch is kept ready. Further sides are put away and take longer
 * to come back, and so does a meeting at a barrier that BMOV has written. SOURCE: H200,
 * cuda/calib/converge: 13 and 16 cycles, and a unit of the SM for 2 of these; tree halves; jumps
 * saved.
 */
static void issue_bsync(struct sm *sm, struct sub *sub, unsigned slot,
                        const struct warp_inst *dynamic)
{
    struct warp *warp = &sub->warp[slot];
    const struct op_exec *exec = &sm->op.op[SIMSM_OP_BSYNC];
    uint64_t at = sm_unit_take(sm, exec);
    if (dynamic->flags & WARP_INST_TAKEN) {
        uint32_t cycles = sm->config->issue_switch, fetch = sm->config->fetch_latency;
        if (dynamic->flags & WARP_INST_DIVERGENT)
            cycles += sm->config->issue_put_away;
        redirect_fetch(sm, warp, at, cycles > fetch ? cycles - fetch : 0, cycles);
    } else {
        bool restored = dynamic->flags & WARP_INST_DIVERGENT;
        warp->branch_until = at + exec->latency + (restored ? sm->config->issue_restored : 0);
    }
}

static uint32_t fence_cycles(const struct sm *sm, const struct inst *inst)
{
    const uint32_t scopes[] = {sm->op.op[inst->op].latency, sm->config->barrier_fence_device,
                               sm->config->barrier_fence_system};
    return scopes[inst->scope <= SCOPE_SYSTEM ? inst->scope : SCOPE_SYSTEM];
}

static void issue_control(struct sm *sm, struct sub *sub, unsigned slot,
                          const struct warp_inst *dynamic)
{
    struct warp *warp = &sub->warp[slot];
    const struct inst *inst = &warp->code[dynamic->index];
    pipe_take(sub, &sm->op.op[inst->op], sm->now);
    switch (inst->op) {
    case SIMSM_OP_BRANCH:
    case SIMSM_OP_BRANCH_REGISTER:
    case SIMSM_OP_CONVERGE:
        issue_branch(sm, sub, slot, dynamic);
        break;
    case SIMSM_OP_BREAK:
    case SIMSM_OP_WARPSYNC:
    case SIMSM_OP_YIELD:
        issue_branch(sm, sub, slot, dynamic);
        if (dynamic->exec && !warp_inst_is_taken(dynamic, inst->op))
            warp->branch_until = sm->now + sm->op.op[inst->op].latency;
        break;
    case SIMSM_OP_BSYNC:
        issue_bsync(sm, sub, slot, dynamic);
        break;
    case SIMSM_OP_BARRIER:
        if (dynamic->exec && !(dynamic->flags & WARP_INST_DIVERGENT)) /* the last lanes arrive */
            block_arrive(sm, sub, slot, dynamic);
        break;
    case SIMSM_OP_CLUSTER_ARRIVE:
        block_cluster_arrive(sm, warp);
        break;
    case SIMSM_OP_CLUSTER_WAIT:
        block_cluster_wait(sm, warp);
        break;
    case SIMSM_OP_REGISTER_POOL:
        warp->branch_until = sm->now + sm->op.op[inst->op].latency;
        break;
    case SIMSM_OP_GMMA_ARRIVE:
        gmma_arrive(sm, sub, slot);
        break;
    case SIMSM_OP_CLUSTER_FENCE:
        warp->held = true;
        warp->fence_until = sm_unit_take(sm, &sm->op.op[inst->op]) + sm->op.op[inst->op].latency;
        break;
    case SIMSM_OP_MEMBAR:
        warp->held = true;
        warp->fence_waiting =
            inst->scope != SCOPE_BLOCK; /* a fence of the block waits for no access */
        warp->fence_cycles = fence_cycles(sm, inst);
        warp->fence_until = sm->now + warp->fence_cycles;
        if (warp->fence_waiting && warp->loads_out + warp->stores_out == 0)
            warp->fence_until += mem_sm_fence(sm->memory);
        break;
    case SIMSM_OP_INVALIDATE:
        if (dynamic->exec)
            mem_sm_empty_l1(sm->memory, sm->now);
        break;
    case SIMSM_OP_SLEEP:
        /* What has arrived since the warp has looked at its barrier ends the sleep at once. */
        if (!dynamic->exec ||
            (inst->until_arrival && (int32_t)(sm->last_arrival - warp->wait_answered) >= 0))
            break;
        warp->sleep_until = sm->now + 1 + (dynamic->token ? dynamic->token : inst->sleep);
        warp->held = true;
        warp->sleeps_for_arrival = inst->until_arrival;
        sm->arrival_wakes |= inst->until_arrival;
        break;
    case SIMSM_OP_EXIT:
        if (dynamic->flags & WARP_INST_LAST)
            warp_exit(sm, sub, slot);
        else
            issue_branch(sm, sub, slot, dynamic);
        break;
    default:
        break;
    }
}

/* Counts the half of FMA that an instruction for either half takes: fmalite if it is free (H200,
 * cuda/calib/pipes). */
static void count_half(struct sm *sm, const struct sub *sub)
{
    bool lite = sub->pipe_free[SIMSM_PIPE_FMA] <= sm->now;
    TALLY(sm->tally, PIPE_FMALITE, lite);
    TALLY(sm->tally, PIPE_FMAHEAVY, !lite);
}

static void issue_pipe(struct sm *sm, struct sub *sub, unsigned slot, const struct inst *inst)
{
    const struct op_exec *exec = &sm->op.op[inst->op];
    if (exec->unit == SIMSM_PIPE_FMA)
        count_half(sm, sub);
    pipe_take(sub, exec, sm->now);
    if (inst->op == SIMSM_OP_GMMA) {
        gmma_issue(sm, sub, &sub->warp[slot], inst);
        return;
    }
    sub->dispatch_free = sm->now + 1 + exec->hold;
    const bool as_single = inst->op == SIMSM_OP_FP64 && sm->config->what_if_fp64_as_fp32;
    if (sm->config->issue_register_ports && !as_single) {
        uint32_t delay = regfile_read(sm, sub, slot, inst);
        sub->dispatch_free += delay;
        TALLY(sm->tally, REG_BANK_CONFLICTS, delay);
    }
}

static void issue_xu(struct sm *sm, struct sub *sub, unsigned slot, uint32_t index)
{
    const struct warp *warp = &sub->warp[slot];
    const struct op_exec *exec = &sm->op.op[warp->code[index].op];
    pipe_take(sub, exec, sm->now);
    uint32_t tag = flight_new(sm, sub, slot, index);
    due_add(sm, sm->now + exec->latency, tag);
    if (warp->grid->use_control_bits)
        due_add_read(sm, sm->now + sm->config->issue_read_window, sub, slot, index);
}

static void execute(struct sm *sm, struct sub *sub, unsigned slot, const struct warp_inst *dynamic)
{
    const struct inst *inst = &sub->warp[slot].code[dynamic->index];
    switch (sm->op.op[inst->op].path) {
    case PATH_PIPE:
        issue_pipe(sm, sub, slot, inst);
        break;
    case PATH_XU:
        issue_xu(sm, sub, slot, dynamic->index);
        break;
    case PATH_CONTROL:
        issue_control(sm, sub, slot, dynamic);
        break;
    default:
        queue_push(sm, sub, slot, dynamic);
        break;
    }
}

static uint32_t lanes_count(uint32_t lanes)
{
    return lanes == UINT32_MAX ? SIMSM_WARP_LANES : bits_count(lanes);
}

static void count(struct sm *sm, const struct warp *warp, const struct warp_inst *dynamic)
{
    const struct inst *inst = &warp->code[dynamic->index];
    struct tally *tally = sm->tally;
    uint32_t active = lanes_count(dynamic->active);
    TALLY(tally, INST_EXECUTED, 1);
    uint32_t off = dynamic->exec == dynamic->active ? 0 : active - lanes_count(dynamic->exec);
    TALLY(tally, THREAD_INST_EXECUTED, active);
    TALLY(tally, THREAD_INST_PRED_ON, active - off);
    if (!op_is_control_flow(inst->op)) {
        TALLY(tally, BODY_INST_EXECUTED, 1);
        TALLY(tally, BODY_THREAD_INST_EXECUTED, active);
    }
    if (op_is_branch(inst->op)) {
        TALLY(tally, BRANCHES, 1);
        TALLY(tally, BRANCHES_DIVERGENT,
              inst->conditional && (dynamic->flags & WARP_INST_DIVERGENT) != 0);
    }
    tally->lanes[active]++;
    warp->lines[dynamic->index].issues++;
    warp->lines[dynamic->index].threads += active;
    if (off)
        warp->lines[dynamic->index].threads_off += off;
}

static void take_from_buffer(struct warp *warp)
{
    warp->ibuf_turns &= (uint8_t) ~(1u << warp->ibuf_head);
    warp->ibuf_head = (uint8_t)((warp->ibuf_head + 1u) % IBUF_MAX);
    warp->ibuf_count--;
    warp->deps_known = false;
}

static void issue_slot(struct sm *sm, struct sub *sub, unsigned slot)
{
    struct warp *warp = &sub->warp[slot];
    struct warp_inst *dynamic = &warp->next;
    const struct sm_grid *grid = warp->grid;
    if (grid->ops->issue)
        grid->ops->issue(grid->front, slot_cursor(sm, sub, slot), sm->now, dynamic);
    const uint32_t index = dynamic->index;
    take_from_buffer(warp);
    classify_settle(sm, sub, slot, sm->now); /* another instruction was next until now */
    warp->last_inst = index;
    warp->issued++;
    sub->issued = (int)slot;
    sub->last_issued = (int)slot;
    sub->issued_at[slot] = sm->now;
    if (warp->mask != dynamic->active) {
        warp->mask = dynamic->active;
        sub->mask_changed = true;
    }
    sm->busy_at = sm->now;
    execute(sm, sub, slot, dynamic);
    depend_issue(sm, sub, slot, dynamic);
    count(sm, warp, dynamic);
    if ((dynamic->flags & WARP_INST_LAST) && !warp->draining) /* the front has failed */
        warp_exit(sm, sub, slot);
    fetch_issued(sm, sub, slot, index); /* *dynamic is the warp's next instruction now */
    slot_refresh(sm, sub, slot);
    uint8_t op = warp->code[index].op;
    if (op == SIMSM_OP_BARRIER || op == SIMSM_OP_EXIT)
        fetch_wake(sm, &sm->block[warp->place]);
}

/* Returns whether an instruction reads registers; products of warp groups do so later. */
static bool reads_registers(const struct inst *inst)
{
    bool reads = false;
    for (unsigned i = 0; i < inst->n_sources; i++)
        reads |= inst->source[i].first < REG_P0;
    return reads && inst->op != SIMSM_OP_GMMA;
}

/* Takes the slots out of the eligible ones that must leave the registers to a product. */
static void leave_registers(const struct sm *sm, struct sub *sub)
{
    const uint64_t leaves = gmma_leaves_dispatch(sub, sm->config, sm->now);
    if (leaves == sm->now)
        return;
    for (uint64_t left = sub->eligible; left; left &= left - 1) {
        const unsigned slot = (unsigned)__builtin_ctzll(left);
        const struct warp *warp = &sub->warp[slot];
        if (reads_registers(&warp->code[warp->next.index]))
            sub->dispatch_held |= bit64(slot);
    }
    sub->eligible &= ~sub->dispatch_held;
    if (sub->eligible)
        return;
    sub->dispatch_free = leaves;
    sub->dispatch_held = UINT64_MAX;
}

void issue_cycle(struct sm *sm, struct sub *sub)
{
    sub->dispatch_held = sub->dispatch_free > sm->now ? UINT64_MAX : 0;
    sub->eligible = sub->dispatch_held ? 0 : eligible_slots(sm, sub);
    if (sub->eligible && sub->sums_until > sm->now)
        leave_registers(sm, sub);
    if (!sub->eligible)
        return;
    TALLY(sm->tally, WARPS_ELIGIBLE, bits_count64(sub->eligible));
    int slot = choose_slot(sm, sub);
    if (slot >= 0)
        issue_slot(sm, sub, (unsigned)slot);
}
