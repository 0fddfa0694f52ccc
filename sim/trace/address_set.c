/* Reads sets of lanes, warps or blocks. */
#include "trace/address_set.h"

#include "trace/operand.h"

enum { SET_MAX = 32 };

static bool set_element(struct parser *parser, const char *what, int64_t last, int64_t *value)
{
    uint32_t root;
    struct token token = parser->token;
    if (token.kind == TOKEN_NUMBER) {
        *value = token.number;
        parser_next(parser);
    } else if (token.kind == TOKEN_WORD && !operand_reserved(&token)) {
        if (!expression_name(parser, &root))
            return false;
        const struct node *node = node_at(&parser->nodes, root);
        if (node->op != FORMULA_CONST)
            return lexer_fail(&parser->lexer, &token,
                              "a set is made of constants; put a condition into parentheses");
        *value = node->value;
    } else {
        char found[64];
        return parser_fail(parser,
                           "expected %s such as 0-15,20 or a condition in parentheses, found %s",
                           what, token_show(&token, found, sizeof found));
    }
    if (*value < 0 || *value > last)
        return lexer_fail(&parser->lexer, &token, "%s go from 0 to %lld here; this is %lld", what,
                          (long long)last, (long long)*value);
    return true;
}

/* root <- root || (low <= block && block <= high) */
static bool add_blocks(struct parser *parser, int64_t low, int64_t high, uint32_t *root)
{
    uint32_t block, number, above, below;
    return expression_value(parser, VALUE_BLOCK, &block) &&
           expression_number(parser, low, &number) &&
           expression_make(parser, FORMULA_LE, 0, number, block, NODE_NONE, &above) &&
           expression_number(parser, high, &number) &&
           expression_make(parser, FORMULA_LE, 0, block, number, NODE_NONE, &below) &&
           expression_make(parser, FORMULA_BOTH, 0, above, below, NODE_NONE, &above) &&
           expression_make(parser, FORMULA_EITHER, 0, *root, above, NODE_NONE, root);
}

static bool set_list(struct parser *parser, enum set_of of, uint32_t *condition)
{
    static const char *const names[] = {"lanes", "warps", "blocks"};
    const struct simsm_launch *launch = &parser->program->front.launch;
    int64_t last = of == SET_LANES   ? SIMSM_WARP_LANES - 1
                   : of == SET_WARPS ? (int64_t)simsm_block_warps(launch) - 1
                                     : (int64_t)simsm_grid_blocks(launch) - 1;
    uint32_t mask = 0, root;
    if (!expression_number(parser, 0, &root))
        return false;
    for (unsigned items = 0;; items++) {
        int64_t low, high;
        struct token token = parser->token;
        if (!set_element(parser, names[of], last, &low))
            return false;
        high = low;
        if (parser_accept(parser, '-') && !set_element(parser, names[of], last, &high))
            return false;
        if (high < low)
            return lexer_fail(&parser->lexer, &token, "this range ends before it begins");
        if (items == SET_MAX)
            return lexer_fail(&parser->lexer, &token,
                              "a set has at most %d parts; put a condition into parentheses",
                              SET_MAX);
        if (of == SET_BLOCKS) {
            if (!add_blocks(parser, low, high, &root))
                return false;
        } else {
            mask |= (uint32_t)((UINT64_C(2) << high) - (UINT64_C(1) << low));
        }
        if (!parser_accept(parser, ','))
            break;
    }
    if (of == SET_BLOCKS)
        return condition_add(parser, root, condition);
    return condition_add_mask(parser, mask, of == SET_WARPS, condition);
}

bool set_parse(struct parser *parser, enum set_of of, uint32_t *condition, bool *varying)
{
    uint32_t root;
    *varying = of == SET_LANES;
    if (!token_is_sign(&parser->token, '('))
        return set_list(parser, of, condition);
    if (of != SET_LANES) {
        if (!expression_of_warp(
                parser, of == SET_WARPS ? "a choice of warps" : "a choice of blocks", &root))
            return false;
    } else {
        parser_next(parser);
        if (!expression_parse(parser, &root) ||
            !parser_expect(parser, ')', "at the end of the condition"))
            return false;
        *varying = node_at(&parser->nodes, root)->varying;
    }
    return condition_add(parser, root, condition);
}
