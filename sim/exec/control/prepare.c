/*
 * MODEL: which instructions are executed, which are refused, and how long NANOSLEEP sleeps.
 * SOURCE: NANOSLEEP: measured on an H200 (cuda/calib/signal.yaml, sleep).
 * LEFT OUT: the instructions of the table `refused`.
 */
#include "exec/control/prepare.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/err.h"
#include "exec/alu/alu.h"
#include "exec/control/control_flow.h"
#include "exec/control/exec_code.h"
#include "exec/memory/load_store.h"
#include "exec/memory/module_load.h"

enum { INSTRUCTION = 16 }; /* bytes */

/* Returns whether an operand has registers beyond R254 or UR62. */
static bool beyond_registers(const struct sass_operand *operand)
{
    if (operand->kind == SASS_REGISTER)
        return operand->index != SASS_RZ && operand->index + operand->words > SASS_RZ;
    if (operand->kind == SASS_UNIFORM)
        return operand->index > SASS_URZ ||
               (operand->index != SASS_URZ && operand->index + operand->words > SASS_URZ);
    return false;
}

/* Instructions that are decoded but not executed: why, and what to do instead. */
static const struct refused_row {
    uint16_t first, last; /* enum sass_op */
    const char *why;
} refused[] = {
    {SASS_OP_SUATOM, SASS_OP_SURED, "atomics on surfaces are not simulated: use global memory"},
    {SASS_OP_UCGABAR_GET, SASS_OP_UCGABAR_SET,
     "the state of a cluster's barrier cannot be read or written"},
    {SASS_OP_LDGMC, SASS_OP_LDGMC, "multicast memory of several GPUs is not simulated"},
};

static const char *refusal(uint16_t op)
{
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        if (op >= refused[i].first && op <= refused[i].last)
            return refused[i].why;
    return NULL;
}

static const char *not_executable(const struct sass_inst *sass)
{
    if (sass->op == SASS_OP_UNKNOWN)
        return "its opcode is unknown";
    if (sass->unread[0] || sass->unread[1])
        return "it has unknown bits set";
    for (unsigned role = 0; role < SASS_ROLES; role++)
        if (beyond_registers(&sass->operand[role]))
            return "it has a register beyond the last one";
    return refusal(sass->op);
}

void exec_prepare_step(struct exec_step *step, const struct sass_inst *sass, uint32_t steps,
                       const struct exec_bank bank[EXEC_BANKS])
{
    const char *why = not_executable(sass);
    exec_fill(&step->inst, sass, bank);
    if (why) {
        step->kind = EXEC_UNSUPPORTED;
    } else if (exec_prepare_special(&step->inst, &why)) {
        step->kind = EXEC_REGISTERS;
    } else if (!why && exec_prepare_access(&step->inst, &why)) {
        step->kind = EXEC_MEMORY;
    } else if (!why && exec_prepare_control(step, sass, steps, &why)) {
        why = NULL; /* exec_prepare_control has set the kind */
    } else if (!why && exec_prepare_alu(&step->inst, &why)) {
        step->kind = EXEC_REGISTERS;
    } else {
        step->kind = EXEC_UNSUPPORTED;
    }
    step->why = why;
    SIMSM_CHECK(step->kind == EXEC_UNSUPPORTED || step->kind == EXEC_BRANCH ||
                    (step->kind == EXEC_CONTROL ? step->control != NULL : step->inst.run != NULL),
                "operation %u at 0x%x, of kind %u, has no function", sass->op, sass->pc,
                step->kind);
}

/* An H200 rounds nanoseconds up to a power of two, at least 32 (cuda/calib/signal.yaml, sleep). */
uint32_t exec_sleep_period(uint32_t nanoseconds)
{
    enum { LEAST = 32, MOST = 1 << 20 };
    uint32_t rounded = LEAST;
    while (rounded < nanoseconds && rounded < MOST)
        rounded *= 2;
    return nanoseconds == 0 ? 0 : rounded;
}

uint32_t exec_sleep_cycles(const struct exec_grid *grid, uint32_t nanoseconds)
{
    return (uint32_t)(exec_sleep_period(nanoseconds) * grid->clock_mhz / 1000);
}

static bool loads(const struct sass_inst *sass)
{
    return sass->op == SASS_OP_LDG || sass->op == SASS_OP_LD;
}

/* Returns whether the instruction sees what other SMs write: a strong load, or an atomic operation
 * whose result is used. */
static bool races(const struct sass_inst *sass, const struct inst *inst)
{
    const struct sass_operand *result = &sass->operand[SASS_D];
    if (sass->op == SASS_OP_ATOM || sass->op == SASS_OP_ATOMG)
        return result->kind == SASS_REGISTER && result->index != SASS_RZ;
    return loads(sass) && inst->past_l1;
}

/* Finds the uniform registers that an instruction reads. */
static void find_uniforms(struct exec_step *step, const struct sass_inst *sass)
{
    uint32_t first = SASS_URZ, end = 0;
    for (unsigned i = 0; i < SASS_ROLES; i++) {
        const struct sass_operand *operand = &sass->operand[i];
        const bool reads = operand->kind == SASS_UNIFORM || operand->kind == SASS_CONSTANT_UNIFORM;
        if (!reads || operand->index == SASS_URZ)
            continue;
        const uint32_t words = operand->words > 2 ? operand->words : 2; /* addresses take a pair */
        first = operand->index < first ? operand->index : first;
        end = operand->index + words > end ? operand->index + words : end;
    }
    step->uniform = (uint8_t)(end ? first : 0);
    step->uniforms = (uint8_t)(end ? (end < SASS_URZ ? end : SASS_URZ) - first : 0);
}

/* Finds what may be a poll, and in kernels that race, where a warp needs answers from memory. */
static void find_races(struct exec_code *code)
{
    const uint8_t fence = 1 << 6; /* a scoreboard of no instruction: a fence that has to end */
    for (uint32_t i = 0; i < code->steps; i++) {
        const struct sass_inst *sass = &code->decoded[i];
        struct exec_step *step = &code->step[i];
        bool race = races(sass, &code->lowered[i]);
        step->polls = race || sass->op == SASS_OP_SYNCS_PHASECHK;
        step->loads = race || loads(sass) || sass->op == SASS_OP_LDS || sass->op == SASS_OP_ATOMS;
        code->races |= race;
    }
    for (uint32_t i = 0; i < code->steps && code->races; i++) {
        const struct sass_inst *sass = &code->decoded[i];
        struct exec_step *step = &code->step[i];
        step->awaits |= sass->control.wait_mask;
        if ((loads(sass) || step->polls) && sass->control.write_barrier < 6)
            step->asks = (uint8_t)(1u << sass->control.write_barrier);
        if (sass->op != SASS_OP_MEMBAR || !code->lowered[i].scope)
            continue;
        step->asks = fence;
        code->step[i + 1].awaits |= fence;
    }
}

/*
 * Returns how many registers the instructions name. Functions of the device runtime find their
 * arguments and return addresses in the first registers, without naming them.
 */
static uint32_t count_rows(const struct exec_code *code)
{
    enum { CALLED = 24 };
    uint32_t rows = CALLED;
    for (uint32_t i = 0; i < code->steps; i++)
        for (unsigned k = 0; k < SASS_ROLES; k++) {
            const struct sass_operand *operand = &code->decoded[i].operand[k];
            const uint32_t end = (uint32_t)operand->index + operand->words;
            if (operand->kind == SASS_REGISTER && operand->index != SASS_RZ && end > rows)
                rows = end;
        }
    return rows < SASS_RZ ? rows : SASS_RZ;
}

static bool has_constants(const struct sass_inst *sass)
{
    return sass->operand[SASS_A].kind == SASS_CONSTANT ||
           sass->operand[SASS_B].kind == SASS_CONSTANT ||
           sass->operand[SASS_C].kind == SASS_CONSTANT;
}

static bool allocate(struct exec_code *code)
{
    const size_t steps = code->steps;
    code->decoded = calloc(steps, sizeof *code->decoded);
    code->lowered = calloc(steps, sizeof *code->lowered);
    code->source = calloc(steps, sizeof *code->source);
    code->text = calloc(steps, sizeof *code->text);
    code->step = calloc(steps + 1, sizeof *code->step);
    code->constant = calloc(steps, sizeof *code->constant);
    return code->decoded && code->lowered && code->source && code->text && code->step &&
           code->constant;
}

static bool prepare(struct exec_code *code, const struct exec_grid *grid, uint32_t i)
{
    const struct exec_module *loaded = grid->module;
    const struct sass_kernel *kernel = grid->kernel;
    const uint8_t *words = loaded->code + (kernel->code - loaded->module->code);
    struct sass_inst *sass = &code->decoded[i];
    struct inst *lowered = &code->lowered[i];
    uint64_t word[2];
    char text[256];
    memcpy(word, words + (size_t)INSTRUCTION * i, sizeof word);
    sass_decode(sass, word, i * INSTRUCTION, grid->sm);
    sass_lower(sass, lowered);
    lowered->line = sass_kernel_line(loaded->module, kernel, i * INSTRUCTION, &code->source[i]);
    lowered->sleep = exec_sleep_cycles(grid, lowered->sleep);
    exec_prepare_step(&code->step[i], sass, code->steps, grid->bank);
    find_uniforms(&code->step[i], sass);
    if (has_constants(sass))
        code->constant[code->constants++] = i;
    (void)sass_text(sass, text, sizeof text);
    code->text[i] = strdup(text);
    return code->text[i] != NULL;
}

enum simsm_status exec_prepare(struct exec_code **code, const struct exec_grid *grid,
                               struct simsm_error *error)
{
    const struct sass_kernel *kernel = grid->kernel;
    const uint32_t steps = kernel->code_bytes / INSTRUCTION;
    *code = NULL;
    if (!steps || kernel->entry % INSTRUCTION || kernel->entry / INSTRUCTION >= steps)
        return err_set(error, SIMSM_BAD_INPUT, "%s: has no code at its entry, 0x%x", kernel->name,
                       kernel->entry);
    struct exec_code *made = calloc(1, sizeof *made);
    if (!made)
        return err_no_memory(error);
    made->kernel = kernel;
    made->clock_mhz = grid->clock_mhz;
    made->steps = steps;
    bool whole = allocate(made);
    for (uint32_t i = 0; whole && i < steps; i++)
        whole = prepare(made, grid, i);
    if (!whole) {
        exec_code_free(made);
        return err_no_memory(error);
    }
    made->step[steps] = (struct exec_step){.kind = EXEC_UNSUPPORTED, .inst = {.guard = SASS_PT}};
    find_races(made);
    made->rows = count_rows(made);
    *code = made;
    return SIMSM_OK;
}
