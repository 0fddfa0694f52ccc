/* What all parts of the parser share: tokens, names, conditions. */
#include "trace/parser.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "trace/operand.h"

void parser_next(struct parser *parser)
{
    parser->last_end = parser->token.text + parser->token.length;
    parser->token = lexer_next(&parser->lexer);
}

bool parser_fail(struct parser *parser, const char *format, ...)
{
    char message[768];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(message, sizeof message, format, list);
    va_end(list);
    return lexer_fail(&parser->lexer, &parser->token, "%s", message);
}

bool parser_accept(struct parser *parser, int sign)
{
    if (!token_is_sign(&parser->token, sign))
        return false;
    parser_next(parser);
    return true;
}

bool parser_expect(struct parser *parser, int sign, const char *where)
{
    char found[64];
    if (parser_accept(parser, sign))
        return true;
    return parser_fail(parser, "expected \"%c\" %s; found %s", sign, where,
                       token_show(&parser->token, found, sizeof found));
}

static bool name_is_used(const struct parser *parser, const char *name)
{
    for (unsigned i = 0; i < parser->name_count; i++) {
        if (strcmp(parser->names[i].name, name) == 0)
            return true;
    }
    for (unsigned i = 0; i < parser->loop_count; i++) {
        if (strcmp(parser->loops[i].name, name) == 0)
            return true;
    }
    return false;
}

bool parser_new_name(struct parser *parser, const char *what, char *name)
{
    char found[64];
    const struct token *token = &parser->token;
    if (token->kind != TOKEN_WORD || memchr(token->text, '.', token->length))
        return parser_fail(parser, "expected the name of %s, found %s", what,
                           token_show(token, found, sizeof found));
    if (token->length >= 32)
        return parser_fail(parser, "a name has at most 31 letters");
    (void)snprintf(name, 32, "%.*s", (int)token->length, token->text);
    if (operand_reserved(token) || expression_reserved(name))
        return parser_fail(parser, "\"%s\" has a meaning already; choose another name", name);
    if (name_is_used(parser, name))
        return parser_fail(parser, "there is a \"%s\" already", name);
    parser_next(parser);
    return true;
}

static bool add_condition(struct parser *parser, const struct trace_condition *condition,
                          uint32_t *index)
{
    *index = (uint32_t)parser->program->conditions.count;
    return pool_add(&parser->program->conditions, condition) || lexer_no_memory(&parser->lexer);
}

bool condition_add_mask(struct parser *parser, uint32_t mask, bool warps, uint32_t *index)
{
    return add_condition(
        parser, &(struct trace_condition){.constant = true, .warps = warps, .mask = mask}, index);
}

bool condition_add(struct parser *parser, uint32_t root, uint32_t *index)
{
    struct trace_condition condition = {0};
    struct pool *code = &parser->program->formulas;
    const struct node *node = node_at(&parser->nodes, root);
    if (!formula_compile(&condition.formula, code, &parser->nodes, root))
        return lexer_no_memory(&parser->lexer);
    if (node->values == 0) { /* depends on the lane only: evaluated while reading */
        uint64_t values[VALUE_COUNT] = {0};
        int64_t lane[SIMSM_WARP_LANES];
        formula_lanes(&condition.formula, code->data, values, lane);
        for (unsigned l = 0; l < SIMSM_WARP_LANES; l++)
            condition.mask |= (uint32_t)(lane[l] != 0) << l;
        condition.constant = true;
        code->count = condition.formula.first;
    }
    return add_condition(parser, &condition, index);
}
