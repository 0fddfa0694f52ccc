/* Reads one instruction: guard, opcode, operands, control bits. */
#include "trace/trace_instruction.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/op.h"
#include "trace/access.h"
#include "trace/address_set.h"
#include "trace/emit.h"

bool guard_parse(struct parser *parser, struct guard *guard)
{
    *guard = (struct guard){.none = true};
    if (!parser_accept(parser, '@'))
        return true;
    guard->given = true;
    guard->first = parser->token;
    (void)parser_accept(parser, '!');
    struct operand predicate = {0};
    guard->last = parser->token;
    if (operand_register(parser, &parser->token, &predicate)) {
        if (predicate.kind != OPERAND_PREDICATE)
            return parser_fail(parser, "a guard is a predicate, P0 to P6");
        guard->none = predicate.none;
        guard->predicate = predicate.number;
        parser_next(parser);
        return true;
    }
    char found[64];
    return parser_fail(parser, "expected a predicate such as P0 after \"@\", found %s",
                       token_show(&parser->token, found, sizeof found));
}

void guard_apply(const struct guard *guard, struct inst *inst)
{
    if (guard->none)
        return;
    inst->source[inst->n_sources++] = (struct reg_range){.first = guard->predicate, .count = 1};
    inst->guarded = true;
}

/* Reads a guard and the lanes for which it holds: @P0{0-15} or @P0(condition). */
static bool guarded_lanes(struct parser *parser, struct guard *guard, uint32_t *condition)
{
    bool varying;
    if (!guard_parse(parser, guard))
        return false;
    if (!guard->given)
        return true;
    if (token_is_sign(&parser->token, '('))
        return set_parse(parser, SET_LANES, condition, &varying);
    return !parser_accept(parser, '{') ||
           (set_parse(parser, SET_LANES, condition, &varying) &&
            parser_expect(parser, '}', "at the end of the lanes of a guard"));
}

/* Refuses instructions that a trace cannot contain because simsm generates them. */
static bool reserved_instruction(struct parser *parser, const char *name)
{
    static const char *const generated[] = {"BRA", "BRX",  "JMP",  "BSSY", "BSYNC", "BREAK",
                                            "SSY", "SYNC", "CALL", "RET",  "PBK",   "BRK"};
    for (size_t i = 0; i < sizeof generated / sizeof *generated; i++) {
        if (strcmp(generated[i], name) == 0)
            return parser_fail(parser,
                               "%s is written by simsm itself: use lanes, if and loop for "
                               "branches and reconvergence",
                               name);
    }
    return true;
}

static bool unknown_instruction(struct parser *parser, const char *name)
{
    char upper[40];
    size_t length = 0;
    for (; length < sizeof upper - 1 && name[length]; length++) {
        char c = name[length];
        upper[length] = (char)(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    }
    upper[length] = '\0';
    const char *nearest = mnemonic_find(upper, length) ? upper : mnemonic_nearest(upper);
    if (nearest)
        return parser_fail(parser, "unknown instruction \"%s\"; did you mean \"%s\"?", name,
                           nearest);
    return parser_fail(
        parser, "unknown instruction \"%s\"; docs/trace-format.md lists those that are known",
        name);
}

/* Reads an opcode: LDG.E.64 becomes LDG with the suffixes E and 64. */
static bool opcode_parse(struct parser *parser, struct trace_opcode *opcode)
{
    char word[128];
    char found[64];
    if (parser->token.kind != TOKEN_WORD)
        return parser_fail(parser, "expected an instruction, found %s",
                           token_show(&parser->token, found, sizeof found));
    if (parser->token.length >= sizeof word)
        return parser_fail(parser, "no instruction has a name of %u letters",
                           (unsigned)parser->token.length);
    memcpy(word, parser->token.text, parser->token.length);
    word[parser->token.length] = '\0';
    opcode->modifiers = 0;
    char *rest = NULL, *stem = strtok_r(word, ".", &rest);
    opcode->mnemonic = mnemonic_find(stem, strlen(stem));
    if (!opcode->mnemonic)
        return reserved_instruction(parser, stem) && unknown_instruction(parser, stem);
    for (char *part; (part = strtok_r(NULL, ".", &rest));) {
        const char *nearest;
        if (!modifier_known(part, &nearest))
            return parser_fail(parser, "\"%s\" is not a suffix of an instruction%s%s%s", part,
                               nearest ? "; did you mean \"" : "", nearest ? nearest : "",
                               nearest ? "\"?" : "");
        if (opcode->modifiers == MNEMONIC_MAX_MODIFIERS)
            return parser_fail(parser, "an instruction has at most %d suffixes",
                               MNEMONIC_MAX_MODIFIERS);
        (void)snprintf(opcode->modifier[opcode->modifiers++], sizeof opcode->modifier[0], "%s",
                       part);
    }
    parser_next(parser);
    return true;
}

static bool at_end_of_line(const struct parser *parser)
{
    return parser->token.kind == TOKEN_NEWLINE || parser->token.kind == TOKEN_END ||
           token_is_sign(&parser->token, ';') || token_is_sign(&parser->token, '}');
}

static bool operands_parse(struct parser *parser, struct operand *operands, unsigned *count)
{
    *count = 0;
    if (at_end_of_line(parser))
        return parser->lexer.status == SIMSM_OK;
    do {
        if (*count == OPERAND_MAX)
            return parser_fail(parser, "no instruction has more than %d operands", OPERAND_MAX);
        if (!operand_parse(parser, &operands[(*count)++]))
            return false;
    } while (parser_accept(parser, ','));
    if (at_end_of_line(parser))
        return parser->lexer.status == SIMSM_OK;
    char found[64];
    return parser_fail(parser, "expected \",\", \";\" or the end of the line, found %s",
                       token_show(&parser->token, found, sizeof found));
}

static bool bar(struct parser *parser, const struct token *at, const struct trace_opcode *opcode,
                const struct operand *operands, unsigned count, struct inst *inst)
{
    uint32_t block = simsm_block_warps(&parser->program->front.launch) * SIMSM_WARP_LANES;
    uint32_t barriers = parser->config ? parser->config->barrier_count : 16;
    inst->barrier_arrive = opcode_has(opcode, "ARV");
    if (!inst->barrier_arrive && !opcode_has(opcode, "SYNC") && !opcode_has(opcode, "RED"))
        return lexer_fail(&parser->lexer, at, "write BAR.SYNC, BAR.ARV or BAR.RED");
    if (operands[0].value < 0 || operands[0].value >= barriers)
        return lexer_fail(&parser->lexer, &operands[0].token,
                          "a block has barriers 0 to %u; this is %lld", barriers - 1,
                          (long long)operands[0].value);
    inst->barrier = (uint8_t)operands[0].value;
    if (count == 1 && inst->barrier_arrive)
        return lexer_fail(&parser->lexer, at,
                          "BAR.ARV needs the number of threads that take part: BAR.ARV 1, 64");
    if (count == 1)
        return true;
    int64_t threads = operands[1].value;
    if (threads < 32 || threads % 32 || threads > block)
        return lexer_fail(&parser->lexer, &operands[1].token,
                          "the threads of a barrier are a multiple of 32 from 32 to the %u of a "
                          "block; this is %lld",
                          block, (long long)threads);
    inst->barrier_threads = (uint16_t)threads;
    return true;
}

static bool membar(struct parser *parser, const struct token *at, const struct trace_opcode *opcode,
                   struct inst *inst)
{
    static const char *const scopes[] = {"CTA", "GPU", "SYS"};
    for (uint8_t i = 0; i < 3; i++) {
        if (opcode_has(opcode, scopes[i])) {
            inst->scope = i;
            return true;
        }
    }
    return lexer_fail(&parser->lexer, at, "write MEMBAR.CTA, MEMBAR.GPU or MEMBAR.SYS");
}

static bool nanosleep_cycles(struct parser *parser, const struct operand *operand,
                             struct inst *inst)
{
    double mhz = parser->config ? parser->config->gpu_clock_mhz : 1000;
    if (operand->value < 0 || operand->value > 1000000)
        return lexer_fail(&parser->lexer, &operand->token,
                          "a warp sleeps for 0 to 1000000 nanoseconds; this is %lld",
                          (long long)operand->value);
    inst->sleep = (uint32_t)ceil((double)operand->value * mhz / 1000);
    return true;
}

static uint8_t atomic_kind(const struct trace_opcode *opcode)
{
#define KIND(suffix, kind)                                                                         \
    if (opcode_has(opcode, suffix))                                                                \
        return kind;
    OP_ATOMIC_SUFFIXES(KIND)
#undef KIND
    return ATOMIC_INTEGER;
}

/* Reads what single instructions say besides registers and addresses. */
static bool particulars(struct parser *parser, const struct token *at,
                        const struct trace_opcode *opcode, const struct operand *operands,
                        unsigned count, struct inst *inst)
{
    switch (inst->op) {
    case SIMSM_OP_BARRIER:
        return bar(parser, at, opcode, operands, count, inst);
    case SIMSM_OP_MEMBAR:
        return membar(parser, at, opcode, inst);
    case SIMSM_OP_SLEEP:
        return nanosleep_cycles(parser, &operands[0], inst);
    case SIMSM_OP_INVALIDATE:
        if (!opcode_has(opcode, "IVALL"))
            inst->op = SIMSM_OP_NOP;
        return true;
    case SIMSM_OP_ATOM_GLOBAL:
    case SIMSM_OP_RED_GLOBAL:
    case SIMSM_OP_ATOM_SHARED:
        inst->atomic = atomic_kind(opcode);
        return true;
    case SIMSM_OP_COPY_GROUP:
        inst->depbar_index = DEPBAR_COMMIT;
        return true;
    case SIMSM_OP_DEPBAR:
        inst->depbar_index = (uint8_t)operands[0].number;
        if (operands[1].value < 0 || operands[1].value > 63)
            return lexer_fail(&parser->lexer, &operands[1].token,
                              "DEPBAR waits until at most 0 to 63 are outstanding; this is %lld",
                              (long long)operands[1].value);
        inst->depbar_count = (uint8_t)operands[1].value;
        return true;
    default:
        return true;
    }
}

/* Reads "0,1" after "wait=" as a mask with one bit for each scoreboard. */
static bool wait_mask(struct parser *parser, uint8_t *mask)
{
    do {
        if (parser->token.kind != TOKEN_NUMBER || parser->token.number > 5)
            return parser_fail(parser, "a scoreboard barrier is 0 to 5");
        *mask |= (uint8_t)(1u << parser->token.number);
        parser_next(parser);
    } while (parser_accept(parser, ','));
    return true;
}

static bool control_number(struct parser *parser, const char *what, int64_t high, uint8_t *value)
{
    if (parser->token.kind != TOKEN_NUMBER || parser->token.number > high)
        return parser_fail(parser, "%s is 0 to %lld", what, (long long)high);
    *value = (uint8_t)parser->token.number;
    parser_next(parser);
    return true;
}

/* Reads one of: stall=N yield write=N read=N wait=N,N */
static bool control_field(struct parser *parser, struct control_bits *control)
{
    struct token key = parser->token;
    if (token_is(&key, "yield")) {
        control->yield = true;
        parser_next(parser);
        return true;
    }
    bool known = token_is(&key, "stall") || token_is(&key, "write") || token_is(&key, "read") ||
                 token_is(&key, "wait");
    char found[64];
    if (!known)
        return parser_fail(parser,
                           "expected stall=, yield, write=, read= or wait= after \";\", found %s",
                           token_show(&key, found, sizeof found));
    parser_next(parser);
    if (!parser_expect(parser, '=', "after the name of a control field"))
        return false;
    if (token_is(&key, "stall"))
        return control_number(parser, "a stall count", 15, &control->stall);
    if (token_is(&key, "write"))
        return control_number(parser, "a scoreboard barrier", 5, &control->write_barrier);
    if (token_is(&key, "read"))
        return control_number(parser, "a scoreboard barrier", 5, &control->read_barrier);
    return wait_mask(parser, &control->wait_mask);
}

static bool control_parse(struct parser *parser, struct control_bits *control)
{
    *control = (struct control_bits){.stall = 1, .write_barrier = 7, .read_barrier = 7};
    if (!parser_accept(parser, ';'))
        return true;
    parser->controlled = true;
    do {
        if (!control_field(parser, control))
            return false;
    } while (!at_end_of_line(parser));
    return true;
}

bool instruction_parse(struct parser *parser)
{
    struct inst inst = {.line = parser->token.line};
    struct step step = {.kind = STEP_INST, .condition = PROGRAM_ALWAYS, .access = UINT32_MAX};
    struct guard guard;
    struct trace_opcode opcode;
    struct operand operands[OPERAND_MAX] = {0};
    unsigned count;
    const char *begin = parser->token.text;
    if (!guarded_lanes(parser, &guard, &step.condition))
        return false;
    struct token at = parser->token;
    if (!opcode_parse(parser, &opcode) || !operands_parse(parser, operands, &count))
        return false;
    size_t length = (size_t)(parser->last_end - begin);
    const struct operand *memory;
    if (!form_apply(parser, &at, &opcode, operands, count, &inst, &memory) ||
        !particulars(parser, &at, &opcode, operands, count, &inst))
        return false;
    if (memory && !access_add(parser, &inst, memory, &step.access))
        return false;
    guard_apply(&guard, &inst);
    if (inst.op == SIMSM_OP_EXIT)
        step.kind = STEP_EXIT;
    return control_parse(parser, &inst.control) && program_add(parser, &inst, step, begin, length);
}
