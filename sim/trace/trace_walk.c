/*
 * Moves a cursor: one warp's way through a program, step by step. Nothing is unrolled or allocated;
 * the state is that of the divergence machine, one counter for each loop, and a step.
 *
 * A cursor always stands at an instruction. The choices after an instruction are followed at once,
 * so that each instruction can say whether the next one follows it in memory.
 */
#include <stddef.h>

#include "trace/trace_program.h"

static const struct step *steps_of(const struct trace_program *program)
{
    return program->steps.data;
}

static const struct formula_code *code_of(const struct trace_program *program)
{
    return program->formulas.data;
}

static uint32_t lanes_where(const struct trace_program *program, const struct formula *formula,
                            const uint64_t *values)
{
    if (!formula->varying)
        return formula_scalar(formula, code_of(program), values) ? UINT32_MAX : 0;
    int64_t lane[SIMSM_WARP_LANES];
    formula_lanes(formula, code_of(program), values, lane);
    uint32_t mask = 0;
    for (unsigned l = 0; l < SIMSM_WARP_LANES; l++)
        mask |= (uint32_t)(lane[l] != 0) << l;
    return mask;
}

static uint32_t condition_lanes(const struct trace_program *program, uint32_t index,
                                const uint64_t *values)
{
    const struct trace_condition *condition =
        (const struct trace_condition *)program->conditions.data + index;
    if (condition->constant)
        return condition->mask;
    return lanes_where(program, &condition->formula, values);
}

static bool condition_of_warp(const struct trace_program *program, uint32_t index,
                              const uint64_t *values)
{
    const struct trace_condition *condition =
        (const struct trace_condition *)program->conditions.data + index;
    if (condition->constant)
        return condition->mask >> (condition->warps ? values[VALUE_WARP] & 31 : 0) & 1u;
    return formula_scalar(&condition->formula, code_of(program), values) != 0;
}

static const struct formula *trips_of(const struct trace_program *program, const struct step *step)
{
    return (const struct formula *)program->trips.data + step->condition;
}

static uint32_t clamp_trips(int64_t trips)
{
    return trips < 0 ? 0 : trips > (int64_t)UINT32_MAX ? UINT32_MAX : (uint32_t)trips;
}

/*
 * Returns the active lanes that run the loop more than `done` times. Sets cursor->limit to the
 * least trip count among them: below this count no lane leaves the loop and the formula need not be
 * evaluated.
 */
static uint32_t lanes_staying(const struct trace_program *program, struct trace_cursor *cursor,
                              const struct step *step, uint64_t done)
{
    if (done < cursor->limit[step->slot])
        return cursor->paths.active;
    const struct formula *trips = trips_of(program, step);
    if (!trips->varying)
        return 0; /* cursor->limit is the trip count itself */
    int64_t lane[SIMSM_WARP_LANES];
    formula_lanes(trips, code_of(program), cursor->values, lane);
    uint32_t mask = 0, least = UINT32_MAX;
    for (uint32_t rest = cursor->paths.active; rest; rest &= rest - 1) {
        unsigned l = (unsigned)__builtin_ctz(rest);
        uint32_t count = clamp_trips(lane[l]);
        if (count <= done)
            continue;
        mask |= 1u << l;
        least = count < least ? count : least;
    }
    cursor->limit[step->slot] = least;
    return mask;
}

static void begin_loop(const struct trace_program *program, struct trace_cursor *cursor,
                       const struct step *step)
{
    const struct formula *trips = trips_of(program, step);
    cursor->values[VALUE_COUNTER + step->slot] = 0;
    cursor->limit[step->slot] =
        trips->varying ? 0 : clamp_trips(formula_scalar(trips, code_of(program), cursor->values));
}

/* Follows choices from step `at`. Returns the next step that is an instruction. */
static uint32_t settle(const struct trace_program *program, struct trace_cursor *cursor,
                       uint32_t at)
{
    uint32_t begun = 0; /* one bit for each repeat whose iteration began in this call, and so has
                           yielded no instruction yet */
    for (;;) {
        const struct step *step = &steps_of(program)[at];
        switch ((enum step_kind)step->kind) {
        case STEP_LOOP_BEGIN:
            begin_loop(program, cursor, step);
            at++;
            break;
        case STEP_REPEAT_BEGIN:
            begin_loop(program, cursor, step);
            begun |= 1u << step->slot;
            at = cursor->limit[step->slot] ? at + 1 : step->target;
            break;
        case STEP_REPEAT_END:
            /*
             * The instructions of a repeat do not depend on the iteration: an empty iteration stays
             * empty.
             */
            if (begun >> step->slot & 1u ||
                ++cursor->values[VALUE_COUNTER + step->slot] >= cursor->limit[step->slot]) {
                at++;
                break;
            }
            begun |= 1u << step->slot;
            at = step->target;
            break;
        case STEP_SELECT:
            at =
                condition_of_warp(program, step->condition, cursor->values) ? at + 1 : step->target;
            break;
        case STEP_JUMP:
            at = step->target;
            break;
        case STEP_PLAIN:
        case STEP_INST:
        case STEP_ENTER:
        case STEP_IF:
        case STEP_OVER:
        case STEP_SYNC:
        case STEP_LOOP_GUARD:
        case STEP_LOOP_BACK:
        case STEP_EXIT:
            return at;
        }
    }
}

static uint64_t token_of(const struct trace_program *program, const struct trace_cursor *cursor,
                         uint32_t index)
{
    const struct access *access = (const struct access *)program->accesses.data + index;
    uint64_t token = 0;
    switch ((enum access_form)access->form) {
    case ACCESS_LINEAR:
        token = (uint64_t)access->constant;
        for (unsigned i = 0; i < access->terms; i++)
            token +=
                cursor->values[access->as.term[i].value] * (uint64_t)access->as.term[i].coefficient;
        break;
    case ACCESS_UNIFORM:
        token = (uint64_t)formula_scalar(&access->formula, code_of(program), cursor->values);
        break;
    case ACCESS_LIST:
        for (unsigned i = 0; i < access->terms; i++)
            token =
                token * access->as.counter[i].radix + cursor->values[access->as.counter[i].value];
        break;
    }
    return token;
}

void program_addresses(const struct front *front, const void *cursor_, const struct warp_inst *inst,
                       struct lane_addresses *addresses)
{
    const struct trace_program *program = program_of(front);
    const struct trace_cursor *cursor = cursor_;
    const uint32_t *access_of = program->access_of.data;
    const struct access *access =
        (const struct access *)program->accesses.data + access_of[inst->index];
    addresses->affine = access->form != ACCESS_LIST;
    addresses->base = inst->token;
    addresses->stride = access->stride;
    if (addresses->affine)
        return;
    uint64_t values[VALUE_COUNT], rest = inst->token;
    for (unsigned i = 0; i < VALUE_COUNT; i++)
        values[i] = cursor->values[i];
    for (unsigned i = access->terms; i-- > 0;) {
        values[access->as.counter[i].value] = rest % access->as.counter[i].radix;
        rest /= access->as.counter[i].radix;
    }
    int64_t lane[SIMSM_WARP_LANES];
    formula_lanes(&access->formula, code_of(program), values, lane);
    for (unsigned l = 0; l < SIMSM_WARP_LANES; l++)
        addresses->lane[l] = (uint64_t)lane[l];
}

/* Executes a conditional branch that the lanes in `taken` take. */
static uint32_t branch(const struct trace_program *program, struct trace_cursor *cursor,
                       const struct step *step, uint32_t taken, struct warp_inst *inst)
{
    taken &= inst->active;
    inst->exec = taken;
    if (taken && taken != inst->active)
        inst->flags |= WARP_INST_DIVERGENT;
    return divergence_branch(&cursor->paths, &program->rules, taken, step->target, cursor->at + 1);
}

/* Executes `step`. Returns the next step, before choices are followed. */
static uint32_t perform(const struct trace_program *program, struct trace_cursor *cursor,
                        const struct step *step, struct warp_inst *inst)
{
    uint64_t *values = cursor->values;
    uint32_t next = cursor->at + 1;
    switch ((enum step_kind)step->kind) {
    case STEP_INST:
        inst->exec &= condition_lanes(program, step->condition, values);
        if (step->access != UINT32_MAX)
            inst->token = token_of(program, cursor, step->access);
        return next;
    case STEP_ENTER:
        divergence_enter(&cursor->paths, &program->rules, step->slot, step->target);
        return next;
    case STEP_IF:
        return branch(program, cursor, step, ~condition_lanes(program, step->condition, values),
                      inst);
    case STEP_OVER:
        return step->target;
    case STEP_SYNC:
        return divergence_sync(&cursor->paths, &program->rules, step->slot, next);
    case STEP_LOOP_GUARD:
        return branch(program, cursor, step, ~lanes_staying(program, cursor, step, 0), inst);
    case STEP_LOOP_BACK: {
        uint64_t done = ++values[VALUE_COUNTER + step->slot];
        return branch(program, cursor, step, lanes_staying(program, cursor, step, done), inst);
    }
    case STEP_EXIT:
        inst->exec &= condition_lanes(program, step->condition, values);
        return divergence_exit(&cursor->paths, &program->rules, inst->exec, next);
    default:
        return next;
    }
}

void program_next(const struct front *front, void *cursor_, struct warp_inst *inst)
{
    const struct trace_program *program = program_of(front);
    struct trace_cursor *cursor = cursor_;
    const struct step *step = &steps_of(program)[cursor->at];
    inst->index = step->index;
    inst->active = cursor->paths.active;
    inst->exec = inst->active;
    inst->flags = 0;
    inst->token = 0;
    if (step->kind == STEP_PLAIN) {
        cursor->at++;
        return;
    }
    uint32_t next = perform(program, cursor, step, inst);
    if (next == DIVERGENCE_END) {
        inst->flags |= WARP_INST_LAST;
        return;
    }
    cursor->at = settle(program, cursor, next);
    if (steps_of(program)[cursor->at].index != step->index + 1)
        inst->flags |= WARP_INST_TAKEN;
}

void program_begin(const struct front *front, void *cursor_, uint64_t block, uint32_t warp)
{
    const struct trace_program *program = program_of(front);
    const struct simsm_launch *launch = &front->launch;
    struct trace_cursor *cursor = cursor_;
    uint32_t threads = simsm_block_threads(launch) - warp * SIMSM_WARP_LANES;
    for (unsigned i = 0; i < VALUE_COUNT; i++)
        cursor->values[i] = 0;
    cursor->values[VALUE_WARP] = warp;
    cursor->values[VALUE_BLOCK] = block;
    cursor->values[VALUE_BLOCK_X] = block % launch->grid[0];
    cursor->values[VALUE_BLOCK_Y] = block / launch->grid[0] % launch->grid[1];
    cursor->values[VALUE_BLOCK_Z] = block / launch->grid[0] / launch->grid[1];
    divergence_start(&cursor->paths, &program->rules,
                     threads >= SIMSM_WARP_LANES ? UINT32_MAX : (1u << threads) - 1);
    cursor->at = settle(program, cursor, 0);
}
