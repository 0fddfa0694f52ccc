/* Reads the operands of an instruction. */
#include "trace/operand.h"

#include <stdio.h>
#include <string.h>

#include "trace/mnemonic.h"

/*
 * Register files: prefix, the constant register (RZ and the like), number of registers, place in
 * the number space.
 */
static const struct {
    const char *prefix, *none;
    enum operand_kind kind;
    uint16_t count, first;
} files[] = {
    {"UR", "URZ", OPERAND_UNIFORM, 63, REG_UR0},
    {"UP", "UPT", OPERAND_PREDICATE, 7, REG_UP0},
    {"R", "RZ", OPERAND_REGISTER, 255, REG_R0},
    {"P", "PT", OPERAND_PREDICATE, 7, REG_P0},
};

/* Returns the number of letters before the first dot. */
static uint32_t stem_length(const struct token *token)
{
    const char *dot = memchr(token->text, '.', token->length);
    return dot ? (uint32_t)(dot - token->text) : token->length;
}

/*
 * Returns the index of the word's register file in `files`, or -1. *number is UINT32_MAX for the
 * constant register.
 */
static int file_of(const struct token *token, uint32_t *number)
{
    uint32_t length = stem_length(token);
    if (token->kind != TOKEN_WORD)
        return -1;
    for (int i = 0; i < (int)(sizeof files / sizeof *files); i++) {
        uint32_t prefix = (uint32_t)strlen(files[i].prefix), value = 0, n = prefix;
        if (length == strlen(files[i].none) && memcmp(token->text, files[i].none, length) == 0) {
            *number = UINT32_MAX;
            return i;
        }
        if (length <= prefix || memcmp(token->text, files[i].prefix, prefix) != 0)
            continue;
        for (; n < length && token->text[n] >= '0' && token->text[n] <= '9'; n++)
            value = value > 9999 ? value : value * 10 + (uint32_t)(token->text[n] - '0');
        if (n == length) {
            *number = value;
            return i;
        }
    }
    return -1;
}

bool operand_reserved(const struct token *token)
{
    uint32_t number;
    return file_of(token, &number) >= 0;
}

static bool suffixes(struct parser *parser, const struct token *token, struct operand *operand)
{
    static const char *const known[] = {"reuse", "64",    "U32", "S32", "X2", "X4",    "X8", "X16",
                                        "H0_H0", "H1_H1", "F32", "H0",  "H1", "H1_H0", "B0", "B1",
                                        "B2",    "B3",    "ROW", "COL", "UX", "U16",   "S16"};
    uint32_t at = stem_length(token);
    while (at < token->length) {
        const char *text = token->text + at + 1;
        uint32_t length = 0;
        while (at + 1 + length < token->length && text[length] != '.')
            length++;
        bool found = false;
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            found |= strlen(known[i]) == length && memcmp(known[i], text, length) == 0;
        if (!found)
            return lexer_fail(
                &parser->lexer, token,
                "\".%.*s\" is not a suffix of a register; .reuse, .64, .X4, .H0_H0 and "
                "the like are",
                (int)length, text);
        operand->reuse |= length == 5 && memcmp(text, "reuse", 5) == 0;
        at += 1 + length;
    }
    return true;
}

bool operand_register(struct parser *parser, const struct token *token, struct operand *operand)
{
    uint32_t number = 0;
    int file = file_of(token, &number);
    if (file < 0)
        return false;
    operand->kind = files[file].kind;
    operand->none = number == UINT32_MAX;
    if (!operand->none && number >= files[file].count)
        return lexer_fail(&parser->lexer, token, "there is no register %.*s; %s0 to %s%u exist",
                          (int)stem_length(token), token->text, files[file].prefix,
                          files[file].prefix, files[file].count - 1u);
    operand->number = (uint16_t)(files[file].first + (operand->none ? 0 : number));
    return suffixes(parser, token, operand);
}

static bool next_is_register(const struct parser *parser)
{
    struct lexer ahead = parser->lexer;
    uint32_t number;
    ahead.error = NULL;
    struct token token = lexer_next(&ahead);
    return token_is_sign(&token, '|') || token_is(&token, "c") || file_of(&token, &number) >= 0;
}

static bool next_is_real(const struct parser *parser)
{
    struct lexer ahead = parser->lexer;
    ahead.error = NULL;
    return lexer_next(&ahead).kind == TOKEN_REAL;
}

/* Reads an address: [R4.64 + UR2 + expression], the registers first. */
static bool address(struct parser *parser, struct operand *operand)
{
    operand->kind = OPERAND_ADDRESS;
    operand->node = NODE_NONE;
    parser_next(parser);
    struct operand base = {0};
    while (operand_register(parser, &parser->token, &base)) {
        if (base.kind == OPERAND_PREDICATE)
            return parser_fail(parser, "a predicate cannot be part of an address");
        if (operand->bases == ADDRESS_REGISTERS)
            return parser_fail(parser, "an address has at most %d registers", ADDRESS_REGISTERS);
        const char *text = parser->token.text;
        uint32_t length = parser->token.length;
        bool wide = length > 3 && memcmp(text + length - 3, ".64", 3) == 0;
        if (!base.none)
            operand->base[operand->bases++] = (struct reg_range){
                .first = base.number, .count = wide ? 2 : 1, .reuse = base.reuse};
        parser_next(parser);
        base = (struct operand){0};
        if (token_is_sign(&parser->token, ']'))
            return parser_expect(parser, ']', "");
        if (!token_is_sign(&parser->token, '-') &&
            !parser_expect(parser, '+', "or \"]\" after a register of an address"))
            return false;
    }
    return expression_parse(parser, &operand->node) &&
           parser_expect(parser, ']', "at the end of the address");
}

/* Always returns true, to end a chain of conditions. */
static bool constant_address(struct operand *operand, int64_t bank, int64_t offset)
{
    operand->value = bank << 16 | offset;
    return true;
}

static bool constant(struct parser *parser, struct operand *operand)
{
    int64_t bank, offset;
    operand->kind = OPERAND_CONSTANT;
    parser_next(parser);
    return parser_expect(parser, '[', "in a constant, written c[BANK][OFFSET],") &&
           expression_constant(parser, "the bank of a constant", 0, 31, &bank) &&
           parser_expect(parser, ']', "after the bank of a constant") &&
           parser_expect(parser, '[', "before the offset of a constant") &&
           expression_constant(parser, "the offset of a constant", 0, 65535, &offset) &&
           parser_expect(parser, ']', "after the offset of a constant") &&
           constant_address(operand, bank, offset);
}

static bool special(struct parser *parser, struct operand *operand)
{
    static const char *const names[] = {
        "SR_TID.X",         "SR_TID.Y",    "SR_TID.Z",   "SR_CTAID.X",     "SR_CTAID.Y",
        "SR_CTAID.Z",       "SR_NTID",     "SR_NCTAID",  "SR_LANEID",      "SR_WARPID",
        "SR_NWARPID",       "SR_SMID",     "SR_CLOCKLO", "SR_CLOCKHI",     "SR_GLOBALTIMERLO",
        "SR_GLOBALTIMERHI", "SR_EQMASK",   "SR_LTMASK",  "SR_LEMASK",      "SR_GTMASK",
        "SR_GEMASK",        "SR_CgaCtaId", "SR_SWINHI",  "SR_VIRTUALSMID", "SRZ"};
    operand->kind = OPERAND_SPECIAL;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!token_is(&parser->token, names[i]))
            continue;
        parser_next(parser);
        return true;
    }
    return parser_fail(parser,
                       "unknown special register \"%.*s\"; SR_TID.X, SR_CTAID.X, SR_LANEID, "
                       "SR_CLOCKLO and the like are known",
                       (int)parser->token.length, parser->token.text);
}

static bool scoreboard(struct parser *parser, struct operand *operand)
{
    const struct token *token = &parser->token;
    operand->kind = OPERAND_SCOREBOARD;
    if (token_is(token, "GROUPS"))
        operand->number = DEPBAR_GROUPS;
    else if (token->length == 3 && token->text[2] >= '0' && token->text[2] <= '5')
        operand->number = (uint16_t)(token->text[2] - '0');
    else
        return parser_fail(parser, "there is no scoreboard %.*s; SB0 to SB5 exist",
                           (int)token->length, token->text);
    parser_next(parser);
    return true;
}

static bool starts_with(const struct token *token, const char *prefix)
{
    return token->length > strlen(prefix) && memcmp(token->text, prefix, strlen(prefix)) == 0;
}

/* Reads a register, a constant, another word, or an immediate. */
static bool plain(struct parser *parser, struct operand *operand)
{
    if (parser->token.kind == TOKEN_WORD) {
        if (operand_register(parser, &parser->token, operand)) {
            parser_next(parser);
            return true;
        }
        if (parser->lexer.status != SIMSM_OK)
            return false;
        if (starts_with(&parser->token, "SR_") || token_is(&parser->token, "SRZ"))
            return special(parser, operand);
        if (token_is(&parser->token, "GROUPS") ||
            (starts_with(&parser->token, "SB") && parser->token.text[2] >= '0' &&
             parser->token.text[2] <= '9'))
            return scoreboard(parser, operand);
        if (token_is(&parser->token, "c"))
            return constant(parser, operand);
    }
    operand->kind = OPERAND_NUMBER;
    if (parser->token.kind == TOKEN_REAL) {
        parser_next(parser);
        return true;
    }
    uint32_t root;
    if (!expression_parse(parser, &root))
        return false;
    const struct node *node = node_at(&parser->nodes, root);
    operand->fixed = node->op == FORMULA_CONST;
    operand->value = node->value;
    return true;
}

bool operand_parse(struct parser *parser, struct operand *operand)
{
    *operand = (struct operand){.token = parser->token};
    if (token_is_sign(&parser->token, '['))
        return address(parser, operand);
    bool sign = token_is_sign(&parser->token, '-') || token_is_sign(&parser->token, '~') ||
                token_is_sign(&parser->token, '!');
    if (sign && (next_is_register(parser) || next_is_real(parser)))
        parser_next(parser);
    bool bars = token_is_sign(&parser->token, '|');
    if (bars)
        parser_next(parser);
    return plain(parser, operand) &&
           (!bars || parser_expect(parser, '|', "at the end of an absolute value"));
}
