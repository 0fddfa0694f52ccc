/* Finds the loops of the code that can only wait for memory. */
#include <stdlib.h>

#include "base/err.h"
#include "exec/control/exec_grid.h"
#include "exec/memory/load_store.h"
#include "model/op.h"

/* What is known of the registers while the instructions of a loop are examined in order. */
struct flow {
    const struct exec_grid *grid;
    struct exec_loop loop;
    bool written[REG_COUNT]; /* somewhere in the body */
    bool fresh[REG_COUNT];   /* written in this turn before, whatever way it has taken */
    bool read[REG_COUNT];    /* depends on what has been read from memory in this turn */
    uint32_t skipped;        /* up to this instruction, a branch may have led past */
    uint32_t accesses;
    bool plain; /* see exec_loop */
};

static bool is_atomic(const struct sass_inst *inst)
{
    return inst->op == SASS_OP_ATOM || inst->op == SASS_OP_ATOMG || inst->op == SASS_OP_ATOMS;
}

static bool reads_memory(const struct sass_inst *inst)
{
    return inst->op == SASS_OP_LD || inst->op == SASS_OP_LDG || inst->op == SASS_OP_LDS ||
           is_atomic(inst);
}

/* Returns whether a polling loop may contain the instruction. A branch may lead forwards, or back
 * if it is the loop's last instruction. */
static bool may_contain(const struct flow *flow, uint32_t at)
{
    const struct exec_step *step = &flow->grid->step[at];
    const struct sass_inst *sass = &flow->grid->decoded[at];
    const struct inst *inst = &flow->grid->lowered[at];
    switch ((enum simsm_op_class)inst->op) {
    case SIMSM_OP_BRANCH:
        return step->kind != EXEC_BRANCH ? step->target > flow->loop.jump
                                         : step->target > at || at == flow->loop.jump;
    case SIMSM_OP_BRANCH_REGISTER:
    case SIMSM_OP_BARRIER:
    case SIMSM_OP_EXIT:
        return false;
    default:
        return step->kind != EXEC_UNSUPPORTED &&
               (!op_is_memory((enum simsm_op_class)inst->op) || reads_memory(sass));
    }
}

static bool any_source(const struct inst *inst, const bool set[REG_COUNT], const bool *unless)
{
    for (uint32_t i = 0; i < inst->n_sources; i++)
        for (uint32_t r = 0; r < inst->source[i].count; r++)
            if (set[inst->source[i].first + r] && (!unless || !unless[inst->source[i].first + r]))
                return true;
    return false;
}

static void write_destinations(struct flow *flow, const struct inst *inst, bool always, bool read)
{
    for (uint32_t i = 0; i < inst->n_destinations; i++) {
        for (uint32_t r = 0; r < inst->destination[i].count; r++) {
            uint32_t reg = inst->destination[i].first + r;
            flow->fresh[reg] |= always;
            flow->read[reg] = read || (flow->read[reg] && !always);
        }
    }
}

/* Examines one instruction of a loop pass. Returns false if the pass depends on an earlier pass, or
 * if it writes what it has read. */
static bool follow(struct flow *flow, uint32_t at)
{
    const struct exec_step *step = &flow->grid->step[at];
    const struct sass_inst *sass = &flow->grid->decoded[at];
    const struct inst *inst = &flow->grid->lowered[at];
    bool always = !inst->guarded && at >= flow->skipped;
    bool read = any_source(inst, flow->read, NULL);
    if (any_source(inst, flow->written, flow->fresh) || (read && is_atomic(sass)))
        return false;
    flow->accesses += reads_memory(sass);
    flow->plain &= !(reads_memory(sass) && (read || is_atomic(sass)));
    write_destinations(flow, inst, always, read || reads_memory(sass));
    if (inst->op == SIMSM_OP_BRANCH && step->target > flow->skipped &&
        step->target <= flow->loop.jump)
        flow->skipped = step->target;
    return true;
}

static bool only_polls(const struct exec_grid *grid, uint32_t head, uint32_t jump, bool *plain)
{
    struct flow flow = {.grid = grid, .loop = {.head = head, .jump = jump}, .plain = true};
    for (uint32_t at = head; at <= jump; at++) {
        const struct inst *inst = &grid->lowered[at];
        if (!may_contain(&flow, at))
            return false;
        for (uint32_t i = 0; i < inst->n_destinations; i++)
            for (uint32_t r = 0; r < inst->destination[i].count; r++)
                flow.written[inst->destination[i].first + r] = true;
    }
    for (uint32_t at = head; at <= jump; at++)
        if (!follow(&flow, at))
            return false;
    *plain = flow.plain;
    return flow.accesses > 0 && flow.accesses <= EXEC_LOOP_ACCESSES;
}

static bool same_access(const struct sass_inst *a, const struct sass_inst *b)
{
    return a->op == b->op && a->offset == b->offset &&
           a->operand[SASS_A].kind == b->operand[SASS_A].kind &&
           a->operand[SASS_A].index == b->operand[SASS_A].index;
}

/*
 * Returns where the loop's condition is tested for the first time, if a branch past the loop stands
 * right before it. Compilers turn `while (poll()) pause();` into `if (poll()) do pause(); while
 * (poll());`.
 */
static uint32_t find_peel(const struct exec_grid *grid, uint32_t head, uint32_t jump)
{
    enum { LOOK = 16 };
    if (!head || grid->step[head - 1].kind != EXEC_BRANCH || grid->step[head - 1].target <= jump)
        return head;
    for (uint32_t at = head - 1; at-- > 0 && at + LOOK > head;) {
        uint8_t op = grid->lowered[at].op;
        if (op_is_branch(op) || op == SIMSM_OP_EXIT)
            break;
        if (!op_is_memory((enum simsm_op_class)op))
            continue;
        for (uint32_t in = head; in < jump; in++)
            if (same_access(&grid->decoded[at], &grid->decoded[in]))
                return at;
        break;
    }
    return head;
}

static void add(struct exec_grid *grid, uint32_t head, uint32_t jump, bool plain)
{
    struct exec_loop *loop = &grid->loop[grid->loops++];
    *loop = (struct exec_loop){
        .head = head, .jump = jump, .peel = find_peel(grid, head, jump), .plain = plain};
    for (uint32_t at = loop->peel; at <= jump; at++)
        grid->step[at].loop = grid->loops;
}

static bool jumps_back(const struct exec_step *step, uint32_t at)
{
    return step->kind == EXEC_BRANCH && step->target <= at && at - step->target < EXEC_LOOP_MAX / 2;
}

enum simsm_status exec_loops_find(struct exec_grid *grid, struct simsm_error *error)
{
    uint32_t found = 0;
    bool plain;
    void *spare = NULL;
    for (uint32_t at = 0; (grid->recording || grid->races) && at < grid->steps; at++)
        found +=
            jumps_back(&grid->step[at], at) && only_polls(grid, grid->step[at].target, at, &plain);
    if (!found)
        return SIMSM_OK;
    grid->loop = calloc(found, sizeof *grid->loop);
    if (!grid->loop || posix_memalign(&spare, 64, sizeof *grid->spare) != 0)
        return err_no_memory(error);
    grid->spare = spare;
    for (uint32_t at = 0; at < grid->steps; at++)
        if (jumps_back(&grid->step[at], at) && only_polls(grid, grid->step[at].target, at, &plain))
            add(grid, grid->step[at].target, at, plain);
    return SIMSM_OK;
}
