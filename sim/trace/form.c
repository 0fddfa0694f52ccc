/*
 * Compares operands with the forms of their instruction: finds the form that fits and the registers
 * that it means.
 */
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "trace/trace_instruction.h"

/* One operand of a form: its letter, and the letter or digit of its number of registers. */
struct form_slot {
    char kind, width;
};

static const struct {
    char kind;
    const char *meaning;
    unsigned accepts; /* one bit for each enum operand_kind */
} slot_kinds[] = {
    {'d', "a destination register", 1u << OPERAND_REGISTER},
    {'u', "a uniform destination register", 1u << OPERAND_UNIFORM},
    {'p', "a destination predicate", 1u << OPERAND_PREDICATE},
    {'q', "a predicate", 1u << OPERAND_PREDICATE},
    {'s', "a register, a number or a constant c[BANK][OFFSET]",
     1u << OPERAND_REGISTER | 1u << OPERAND_UNIFORM | 1u << OPERAND_NUMBER |
         1u << OPERAND_CONSTANT},
    {'v', "a uniform register, a number or a constant c[BANK][OFFSET]",
     1u << OPERAND_UNIFORM | 1u << OPERAND_NUMBER | 1u << OPERAND_CONSTANT},
    {'m', "an address in brackets", 1u << OPERAND_ADDRESS},
    {'c', "a constant c[BANK][OFFSET]", 1u << OPERAND_CONSTANT},
    {'i', "a constant number", 1u << OPERAND_NUMBER},
    {'b', "a scoreboard SB0 to SB5, or GROUPS", 1u << OPERAND_SCOREBOARD},
    {'r', "a special register such as SR_TID.X", 1u << OPERAND_SPECIAL},
};

static size_t kind_index(char kind)
{
    size_t i = 0;
    while (i < sizeof slot_kinds / sizeof *slot_kinds && slot_kinds[i].kind != kind)
        i++;
    SIMSM_CHECK(i < sizeof slot_kinds / sizeof *slot_kinds, "operand kind '%c'", kind);
    return i;
}

/* Parses the form at `form`. Returns the start of the next form, or NULL. */
static const char *next_form(const char *form, struct form_slot *slots, unsigned *count)
{
    *count = 0;
    while (*form && *form != '|') {
        if (*form == ' ') {
            form++;
            continue;
        }
        SIMSM_CHECK(*count < OPERAND_MAX, "%u operands of %d", *count, OPERAND_MAX);
        slots[*count] = (struct form_slot){.kind = *form++, .width = '1'};
        if (*form && *form != ' ' && *form != '|')
            slots[*count].width = *form++;
        (*count)++;
    }
    return *form == '|' ? form + 1 : NULL;
}

/* Returns the index of the first operand that does not fit, or `count` if all fit. */
static unsigned first_misfit(const struct form_slot *slots, const struct operand *operands,
                             unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        if (!(slot_kinds[kind_index(slots[i].kind)].accepts >> operands[i].kind & 1u))
            return i;
        if (slots[i].kind == 'i' && !operands[i].fixed)
            return i;
    }
    return count;
}

static bool wrong_count(struct parser *parser, const struct token *at,
                        const struct trace_opcode *opcode, unsigned count)
{
    char counts[64] = "";
    size_t length = 0;
    uint32_t seen = 0;
    for (const char *form = opcode->mnemonic->forms; form;) {
        struct form_slot slots[OPERAND_MAX];
        unsigned n;
        form = next_form(form, slots, &n);
        if (!(seen >> n & 1u) && length < sizeof counts)
            length += (size_t)snprintf(counts + length, sizeof counts - length, "%s%u",
                                       seen ? " or " : "", n);
        seen |= 1u << n;
    }
    return lexer_fail(&parser->lexer, at, "%s takes %s operand%s; %u found", opcode->mnemonic->name,
                      counts, strcmp(counts, "1") == 0 ? "" : "s", count);
}

static bool find_form(struct parser *parser, const struct token *at,
                      const struct trace_opcode *opcode, const struct operand *operands,
                      unsigned count, struct form_slot *slots)
{
    unsigned best = 0;
    struct form_slot nearest = {0};
    bool counted = false;
    for (const char *form = opcode->mnemonic->forms; form;) {
        unsigned n;
        form = next_form(form, slots, &n);
        if (n != count)
            continue;
        unsigned misfit = first_misfit(slots, operands, count);
        if (misfit == count)
            return true;
        if (!counted || misfit > best) {
            best = misfit;
            nearest = slots[misfit];
        }
        counted = true;
    }
    if (!counted)
        return wrong_count(parser, at, opcode, count);
    char found[64];
    return lexer_fail(&parser->lexer, &operands[best].token,
                      "operand %u of %s must be %s here; found %s", best + 1,
                      opcode->mnemonic->name, slot_kinds[kind_index(nearest.kind)].meaning,
                      token_show(&operands[best].token, found, sizeof found));
}

static uint8_t registers_of(char width, const struct opcode_widths *widths)
{
    static const char letters[] = "DABC";
    const char *letter = strchr(letters, width);
    if (letter)
        return widths->fragment[letter - letters];
    switch (width) {
    case 'w':
        return (uint8_t)(widths->access < 4 ? 1 : widths->access / 4);
    case 'W':
        return widths->wide;
    case 'x':
        return widths->to;
    case 'y':
        return widths->from;
    default:
        return (uint8_t)(width - '0');
    }
}

/* Refuses registers beyond those that the header gives, the most frequent mistake in a trace. */
static bool check_registers_exist(struct parser *parser, const struct token *token,
                                  struct reg_range range)
{
    uint32_t last = range.first + range.count - 1u;
    uint32_t registers = parser->program->front.launch.registers;
    if (range.first < REG_P0 && last >= registers)
        return lexer_fail(&parser->lexer, token,
                          "R%u is beyond the %u registers that the header gives (R0 to R%u)%s",
                          last, registers, registers - 1,
                          range.count > 1 ? "; this operand takes more than one register" : "");
    if (range.first >= REG_UR0 && range.first < REG_UP0 && last >= REG_UP0)
        return lexer_fail(&parser->lexer, token, "this operand goes beyond UR62");
    return true;
}

static bool add_range(struct parser *parser, const struct token *token, bool destination,
                      struct reg_range range, struct inst *inst)
{
    if (!check_registers_exist(parser, token, range))
        return false;
    SIMSM_CHECK(destination ? inst->n_destinations < INST_MAX_DESTINATIONS
                            : inst->n_sources < INST_MAX_SOURCES,
                "%u destinations, %u sources", inst->n_destinations, inst->n_sources);
    if (destination)
        inst->destination[inst->n_destinations++] = range;
    else
        inst->source[inst->n_sources++] = range;
    return true;
}

static bool apply_operand(struct parser *parser, struct form_slot slot,
                          const struct operand *operand, const struct opcode_widths *widths,
                          struct inst *inst)
{
    if (operand->kind == OPERAND_ADDRESS) {
        for (unsigned i = 0; i < operand->bases; i++) {
            if (!add_range(parser, &operand->token, false, operand->base[i], inst))
                return false;
        }
        return true;
    }
    if (operand->none || operand->kind > OPERAND_PREDICATE)
        return true;
    bool destination = slot.kind == 'd' || slot.kind == 'u' || slot.kind == 'p';
    uint8_t count = registers_of(slot.width, widths);
    if (operand->kind == OPERAND_PREDICATE)
        count = 1;
    if (operand->kind == OPERAND_REGISTER && count > 1 && count <= 4 && operand->number % count)
        return lexer_fail(&parser->lexer, &operand->token,
                          "this operand takes %u registers, so it must begin at a multiple of %u",
                          count, count);
    return add_range(
        parser, &operand->token, destination,
        (struct reg_range){.first = operand->number, .count = count, .reuse = operand->reuse},
        inst);
}

bool form_apply(struct parser *parser, const struct token *at, const struct trace_opcode *opcode,
                struct operand *operands, unsigned count, struct inst *inst,
                const struct operand **memory)
{
    struct form_slot slots[OPERAND_MAX];
    if (!find_form(parser, at, opcode, operands, count, slots))
        return false;
    struct opcode_widths widths = opcode_widths(opcode);
    if (widths.missing_shape)
        return lexer_fail(&parser->lexer, at, "%s needs a shape as suffix: %s",
                          opcode->mnemonic->name, widths.missing_shape);
    inst->op = (uint8_t)opcode_class(opcode);
    *memory = NULL;
    for (unsigned i = 0; i < count; i++) {
        if (!apply_operand(parser, slots[i], &operands[i], &widths, inst))
            return false;
        if (slots[i].kind == 'm')
            *memory = &operands[i];
        if (operands[i].kind == OPERAND_CONSTANT)
            inst->constant = (uint32_t)operands[i].value + 1;
    }
    if (inst->op == SIMSM_OP_LD_CONST)
        *memory = NULL; /* the constant cache answers, whatever the address */
    if (*memory)
        inst->width = widths.access;
    return true;
}
