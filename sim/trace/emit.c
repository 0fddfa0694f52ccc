/* Appends instructions and steps to a program, and finishes it: listing, addresses, plain steps. */
#include "trace/emit.h"

#include <stdio.h>
#include <string.h>

#include "base/check.h"

static uint32_t instruction_bytes(const struct parser *parser)
{
    return parser->config ? parser->config->fetch_instruction_bytes : 16;
}

/* Appends text, with each run of blanks replaced by one blank. */
static bool add_text(struct pool *text, const char *from, size_t length)
{
    if (!pool_reserve(text, length + 1))
        return false;
    char *to = (char *)text->data + text->count;
    size_t n = 0;
    for (size_t i = 0; i < length; i++) {
        bool blank = from[i] == ' ' || from[i] == '\t';
        bool before = n && to[n - 1] == ' ';
        if (!blank)
            to[n++] = from[i];
        else if (!before && n)
            to[n++] = ' ';
    }
    to[n] = '\0';
    text->count += n + 1;
    return true;
}

bool program_add(struct parser *parser, const struct inst *inst, struct step step, const char *text,
                 size_t length)
{
    struct trace_program *program = parser->program;
    if (program->code.count == PROGRAM_MAX_CODE)
        return parser_fail(parser, "a kernel has at most %d instructions; use repeat or loop",
                           PROGRAM_MAX_CODE);
    struct inst copy = *inst;
    step.index = (uint32_t)program->code.count;
    copy.pc = step.index * instruction_bytes(parser);
    struct emit_line line = {.text = text, .length = length};
    if (!pool_add(&program->code, &copy) || !pool_add(&program->steps, &step) ||
        !pool_add(&parser->lines, &line) || !pool_add(&program->access_of, &step.access))
        return lexer_no_memory(&parser->lexer);
    return true;
}

bool program_add_choice(struct parser *parser, struct step step)
{
    step.access = UINT32_MAX;
    return pool_add(&parser->program->steps, &step) || lexer_no_memory(&parser->lexer);
}

bool program_add_control(struct parser *parser, struct step step, const struct guard *guard,
                         uint32_t line, const char *label, size_t length)
{
    struct inst inst = {.line = line};
    struct control_bits *control = &inst.control;
    bool branch = step.kind == STEP_IF || step.kind == STEP_OVER || step.kind == STEP_LOOP_GUARD ||
                  step.kind == STEP_LOOP_BACK;
    *control = (struct control_bits){.stall = 5, .write_barrier = 7, .read_barrier = 7};
    if (step.kind == STEP_ENTER)
        control->stall = 1;
    inst.op = step.kind == STEP_EXIT   ? SIMSM_OP_EXIT
              : step.kind == STEP_SYNC ? SIMSM_OP_BSYNC
              : branch                 ? SIMSM_OP_BRANCH
                                       : SIMSM_OP_CONVERGE;
    inst.conditional = branch && step.kind != STEP_OVER;
    if (guard && inst.conditional)
        guard_apply(guard, &inst);
    step.access = UINT32_MAX;
    return program_add(parser, &inst, step, label, length);
}

static bool is_instruction(const struct step *step)
{
    return step->kind <= STEP_EXIT;
}

/* Returns the address of the first instruction at or after step `at`. */
static uint32_t address_of(const struct parser *parser, uint32_t at)
{
    const struct step *steps = parser->program->steps.data;
    const size_t count = parser->program->steps.count;
    while (at < count && !is_instruction(&steps[at]))
        at++;
    SIMSM_CHECK(at < count, "step %u of %zu", at, count);
    return steps[at].index * instruction_bytes(parser);
}

/* Writes "@P0 BRA 0x0040" or "@!(lanes 0-15) BRA 0x0040". */
static int conditional_text(const struct emit_line *line, bool inverted, uint32_t to, char *text,
                            size_t size)
{
    int length = line->length > 80 ? 80 : (int)line->length;
    bool inverse = line->text[0] == '!'; /* whether "!" precedes the register */
    bool bare = inverse || line->text[0] == '(' || line->text[0] == 'P' || line->text[0] == 'U';
    return snprintf(text, size, "@%s%s%.*s%s BRA 0x%04x", inverted != inverse ? "!" : "",
                    bare ? "" : "(", length - inverse, line->text + inverse, bare ? "" : ")", to);
}

/* Writes the text of a generated instruction, such as "BSSY B0, 0x0040". */
static int generated_text(const struct parser *parser, const struct step *step, char *text,
                          size_t size)
{
    const struct emit_line *line = (const struct emit_line *)parser->lines.data + step->index;
    bool stack = parser->program->rules.model == SIMSM_STACK_divergence_model;
    uint32_t to =
        step->kind == STEP_SYNC || step->kind == STEP_EXIT ? 0 : address_of(parser, step->target);
    switch ((enum step_kind)step->kind) {
    case STEP_ENTER:
        return stack ? snprintf(text, size, "SSY 0x%04x", to)
                     : snprintf(text, size, "BSSY B%u, 0x%04x", step->slot, to);
    case STEP_SYNC:
        return stack ? snprintf(text, size, "SYNC") : snprintf(text, size, "BSYNC B%u", step->slot);
    case STEP_OVER:
        return snprintf(text, size, "BRA 0x%04x", to);
    case STEP_IF:
    case STEP_LOOP_GUARD:
        return conditional_text(line, true, to, text, size);
    case STEP_LOOP_BACK:
        return conditional_text(line, false, to, text, size);
    default:
        return snprintf(text, size, "EXIT");
    }
}

static bool write_line(struct parser *parser, const struct step *step, size_t *offset)
{
    char generated[160];
    const struct emit_line *line = (const struct emit_line *)parser->lines.data + step->index;
    struct pool *text = &parser->program->text;
    *offset = text->count;
    bool written = step->kind <= STEP_INST || (step->kind == STEP_EXIT && line->length);
    if (written)
        return add_text(text, line->text, line->length);
    int length = generated_text(parser, step, generated, sizeof generated);
    return add_text(text, generated,
                    (size_t)length < sizeof generated ? (size_t)length : sizeof generated - 1);
}

/*
 * Writes the listing. The pool of characters moves while it grows, so the lines are kept as offsets
 * until it is complete.
 */
static bool write_lines(struct parser *parser)
{
    struct trace_program *program = parser->program;
    const struct step *steps = program->steps.data;
    struct pool offsets = {.size = sizeof(size_t)};
    bool good = pool_reserve(&program->lines, program->code.count);
    for (size_t i = 0; i < program->steps.count && good; i++) {
        size_t offset;
        if (is_instruction(&steps[i]))
            good = write_line(parser, &steps[i], &offset) && pool_add(&offsets, &offset);
    }
    for (size_t i = 0; i < offsets.count && good; i++) {
        const char *line = (const char *)program->text.data + ((const size_t *)offsets.data)[i];
        good = pool_add(&program->lines, &line);
    }
    pool_free(&offsets);
    return good || lexer_no_memory(&parser->lexer);
}

bool program_finish(struct parser *parser)
{
    struct trace_program *program = parser->program;
    struct step *steps = program->steps.data;
    struct inst *code = program->code.data;
    for (size_t i = 0; i + 1 < program->steps.count; i++) {
        bool nothing_else = steps[i].condition == PROGRAM_ALWAYS && steps[i].access == UINT32_MAX;
        if (steps[i].kind == STEP_INST && nothing_else && is_instruction(&steps[i + 1]))
            steps[i].kind = STEP_PLAIN;
    }
    for (size_t i = 0; i < program->code.count; i++)
        code[i].control.present = parser->controlled;
    if (!write_lines(parser))
        return false;
    program->front.code = code;
    program->front.code_size = (uint32_t)program->code.count;
    program->front.text = program->lines.data;
    return true;
}
