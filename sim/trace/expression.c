/* Reads expressions of a trace: from tokens to trees. */
#include <stdio.h>
#include <string.h>

#include "trace/arithmetic.h"
#include "trace/nearest.h"
#include "trace/parser.h"

static bool too_large(struct parser *parser)
{
    return parser_fail(parser,
                       "this expression is too large: at most %d operations in %d levels are "
                       "possible",
                       FORMULA_SIZE, FORMULA_DEPTH);
}

bool expression_make(struct parser *parser, enum formula_op op, int64_t value, uint32_t a,
                     uint32_t b, uint32_t c, uint32_t *node)
{
    *node = node_make(&parser->nodes, op, value, a, b, c);
    return *node != NODE_NONE || too_large(parser);
}

bool expression_number(struct parser *parser, int64_t value, uint32_t *node)
{
    *node = node_const(&parser->nodes, value);
    return *node != NODE_NONE || too_large(parser);
}

bool expression_lane(struct parser *parser, uint32_t *node)
{
    *node = node_lane(&parser->nodes);
    return *node != NODE_NONE || too_large(parser);
}

bool expression_value(struct parser *parser, enum formula_value which, uint32_t *node)
{
    const struct simsm_launch *launch = &parser->program->front.launch;
    int64_t high = 0;
    if (which == VALUE_WARP)
        high = (int64_t)simsm_block_warps(launch) - 1;
    else if (which == VALUE_BLOCK)
        high = (int64_t)simsm_grid_blocks(launch) - 1;
    else if (which < VALUE_COUNTER)
        high = (int64_t)launch->grid[which - VALUE_BLOCK_X] - 1;
    else
        high = (int64_t)(parser->loops[which - VALUE_COUNTER].radix - 1);
    *node = node_value(&parser->nodes, which, 0, high);
    return *node != NODE_NONE || too_large(parser);
}

bool expression_thread(struct parser *parser, uint32_t *node)
{
    uint32_t warp, lane, width;
    return expression_value(parser, VALUE_WARP, &warp) &&
           expression_number(parser, SIMSM_WARP_LANES, &width) &&
           expression_make(parser, FORMULA_MUL, 0, warp, width, NODE_NONE, &warp) &&
           expression_lane(parser, &lane) &&
           expression_make(parser, FORMULA_ADD, 0, warp, lane, NODE_NONE, node);
}

/* The thread's number in the grid: block x threads of a block + thread. */
static bool global_thread(struct parser *parser, uint32_t *node)
{
    uint32_t block, thread, threads;
    return expression_value(parser, VALUE_BLOCK, &block) &&
           expression_number(parser, simsm_block_threads(&parser->program->front.launch),
                             &threads) &&
           expression_make(parser, FORMULA_MUL, 0, block, threads, NODE_NONE, &block) &&
           expression_thread(parser, &thread) &&
           expression_make(parser, FORMULA_ADD, 0, block, thread, NODE_NONE, node);
}

/*
 * node <- (of / divisor) mod extent. If rows are a multiple of 32 threads, a warp lies in one row,
 * and the warp's first thread stands for all lanes.
 */
static bool coordinate(struct parser *parser, uint32_t of, uint32_t divisor, uint32_t extent,
                       uint32_t *node)
{
    uint32_t d, e;
    return expression_number(parser, divisor, &d) && expression_number(parser, extent, &e) &&
           expression_make(parser, FORMULA_DIV, 0, of, d, NODE_NONE, node) &&
           expression_make(parser, FORMULA_MOD, 0, *node, e, NODE_NONE, node);
}

static bool thread_index(struct parser *parser, int axis, uint32_t *node)
{
    const uint32_t *block = parser->program->front.launch.block;
    uint32_t of, lane, width;
    if (block[0] == simsm_block_threads(&parser->program->front.launch))
        return axis == 0 ? expression_thread(parser, node) : expression_number(parser, 0, node);
    bool rows = block[0] % SIMSM_WARP_LANES == 0;
    if (rows) {
        if (!expression_value(parser, VALUE_WARP, &of) ||
            !expression_number(parser, SIMSM_WARP_LANES, &width) ||
            !expression_make(parser, FORMULA_MUL, 0, of, width, NODE_NONE, &of))
            return false;
    } else if (!expression_thread(parser, &of)) {
        return false;
    }
    if (!coordinate(parser, of,
                    axis == 0   ? 1
                    : axis == 1 ? block[0]
                                : block[0] * block[1],
                    block[axis], node))
        return false;
    if (axis != 0 || !rows)
        return true;
    return expression_lane(parser, &lane) &&
           expression_make(parser, FORMULA_ADD, 0, *node, lane, NODE_NONE, node);
}

enum trace_variable {
    LANE,
    THREAD,
    GLOBAL_THREAD,
    TID_X,
    TID_Y,
    TID_Z,
    WARP,
    BLOCK,
    CTAID_X,
    CTAID_Y,
    CTAID_Z,
    THREADS,
    WARPS,
    BLOCKS,
    NTID_X,
    NTID_Y,
    NTID_Z,
    NCTAID_X,
    NCTAID_Y,
    NCTAID_Z,
    VARIABLE_COUNT
};

static const char *const variables[VARIABLE_COUNT + 1] = {
    [LANE] = "lane",         [THREAD] = "thread",     [GLOBAL_THREAD] = "global_thread",
    [TID_X] = "tid.x",       [TID_Y] = "tid.y",       [TID_Z] = "tid.z",
    [WARP] = "warp",         [BLOCK] = "block",       [CTAID_X] = "ctaid.x",
    [CTAID_Y] = "ctaid.y",   [CTAID_Z] = "ctaid.z",   [THREADS] = "threads",
    [WARPS] = "warps",       [BLOCKS] = "blocks",     [NTID_X] = "ntid.x",
    [NTID_Y] = "ntid.y",     [NTID_Z] = "ntid.z",     [NCTAID_X] = "nctaid.x",
    [NCTAID_Y] = "nctaid.y", [NCTAID_Z] = "nctaid.z",
};

bool expression_reserved(const char *name)
{
    static const char *const words[] = {"random", "chase", "min",    "max",  "c",     "GROUPS",
                                        "lanes",  "warps", "blocks", "if",   "else",  "loop",
                                        "repeat", "as",    "kernel", "grid", "block", "param"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(words[i], name) == 0)
            return true;
    }
    for (int i = 0; i < VARIABLE_COUNT; i++) {
        if (strcmp(variables[i], name) == 0)
            return true;
    }
    return strncmp(name, "SR_", 3) == 0 ||
           (strncmp(name, "SB", 2) == 0 && name[2] >= '0' && name[2] <= '9');
}

static bool variable_node(struct parser *parser, enum trace_variable which, uint32_t *node)
{
    const struct simsm_launch *launch = &parser->program->front.launch;
    switch (which) {
    case LANE:
        return expression_lane(parser, node);
    case THREAD:
        return expression_thread(parser, node);
    case GLOBAL_THREAD:
        return global_thread(parser, node);
    case TID_X:
    case TID_Y:
    case TID_Z:
        return thread_index(parser, (int)which - TID_X, node);
    case WARP:
        return expression_value(parser, VALUE_WARP, node);
    case BLOCK:
        return expression_value(parser, VALUE_BLOCK, node);
    case CTAID_X:
    case CTAID_Y:
    case CTAID_Z:
        return expression_value(parser, (enum formula_value)(VALUE_BLOCK_X + which - CTAID_X),
                                node);
    case THREADS:
        return expression_number(parser, simsm_block_threads(launch), node);
    case WARPS:
        return expression_number(parser, simsm_block_warps(launch), node);
    case BLOCKS:
        return expression_number(parser, (int64_t)simsm_grid_blocks(launch), node);
    case NTID_X:
    case NTID_Y:
    case NTID_Z:
        return expression_number(parser, launch->block[which - NTID_X], node);
    case NCTAID_X:
    case NCTAID_Y:
    case NCTAID_Z:
        return expression_number(parser, launch->grid[which - NCTAID_X], node);
    case VARIABLE_COUNT:
        break;
    }
    return false;
}

/* Reports an unknown name, with the nearest of all names that are allowed here. */
static bool unknown_name(struct parser *parser)
{
    char name[48];
    (void)snprintf(name, sizeof name, "%.*s", (int)parser->token.length, parser->token.text);
    struct nearest_name nearest;
    nearest_start(&nearest, name);
    for (int i = 0; i < VARIABLE_COUNT; i++)
        nearest_offer(&nearest, variables[i]);
    for (unsigned i = 0; i < parser->name_count; i++)
        nearest_offer(&nearest, parser->names[i].name);
    for (unsigned i = 0; i < parser->loop_count; i++)
        nearest_offer(&nearest, parser->loops[i].name);
    nearest_offer(&nearest, "random");
    nearest_offer(&nearest, "chase");
    if (nearest.best)
        return parser_fail(parser, "unknown name \"%s\"; did you mean \"%s\"?", name, nearest.best);
    return parser_fail(parser,
                       "unknown name \"%s\"; names are those of param, let and buffer lines, "
                       "counters of enclosing loops, and lane, thread, warp, block, tid.x, "
                       "ctaid.x and the like",
                       name);
}

static bool named(struct parser *parser, uint32_t *node)
{
    for (unsigned i = parser->loop_count; i-- > 0;) {
        if (parser->loops[i].name[0] && token_is(&parser->token, parser->loops[i].name))
            return expression_value(parser, (enum formula_value)(VALUE_COUNTER + i), node);
    }
    for (unsigned i = 0; i < parser->name_count; i++) {
        if (token_is(&parser->token, parser->names[i].name)) {
            *node = parser->names[i].node;
            return true;
        }
    }
    for (int i = 0; i < VARIABLE_COUNT; i++) {
        if (!token_is(&parser->token, variables[i]))
            continue;
        if (!parser->launched)
            return parser_fail(parser, "\"%s\" is known only after grid and block are given",
                               variables[i]);
        return variable_node(parser, (enum trace_variable)i, node);
    }
    return unknown_name(parser);
}

/* hash <- fold(hash, key) */
static bool fold(struct parser *parser, uint32_t key, uint32_t *hash)
{
    return expression_make(parser, FORMULA_FOLD, 0, *hash, key, NODE_NONE, hash);
}

static bool fold_value(struct parser *parser, enum formula_value which, uint32_t *hash)
{
    uint32_t key;
    return expression_value(parser, which, &key) && fold(parser, key, hash);
}

/* Makes a hash that differs for each place in the trace, block, thread and iteration. */
static bool hash_of_instance(struct parser *parser, uint32_t *hash)
{
    uint32_t thread;
    if (parser->in_let)
        return parser_fail(parser, "random() in a let needs a key: random(N, KEY)");
    if (!parser->launched)
        return parser_fail(parser, "random(N) is possible only after grid and block are given");
    int64_t start = arithmetic_fold(arithmetic_fold(1, parser->seed), ++parser->sites);
    if (!expression_number(parser, start, hash) || !fold_value(parser, VALUE_BLOCK, hash))
        return false;
    for (unsigned i = 0; i < parser->loop_count; i++) {
        if (!fold_value(parser, (enum formula_value)(VALUE_COUNTER + i), hash))
            return false;
    }
    return expression_thread(parser, &thread) && fold(parser, thread, hash);
}

/* Reads random(N) or random(N, KEY...) after its "(". */
static bool random_call(struct parser *parser, uint32_t *node)
{
    uint32_t limit, hash, key;
    struct token start = parser->token;
    if (!expression_parse(parser, &limit))
        return false;
    const struct node *n = node_at(&parser->nodes, limit);
    if (n->high < 1 || n->low > INT64_C(1) << 32 ||
        (n->low == n->high && n->high > INT64_C(1) << 32))
        return lexer_fail(&parser->lexer, &start,
                          "random(N) gives 0 to N - 1: N must be from 1 to 2^32");
    if (!token_is_sign(&parser->token, ',')) {
        if (!hash_of_instance(parser, &hash))
            return false;
    } else if (!expression_number(parser, arithmetic_fold(2, parser->seed), &hash)) {
        return false;
    }
    while (parser_accept(parser, ',')) {
        if (!expression_parse(parser, &key) || !fold(parser, key, &hash))
            return false;
    }
    return parser_expect(parser, ')', "after the arguments of random") &&
           expression_make(parser, FORMULA_SCALE, 0, hash, limit, NODE_NONE, node);
}

/*
 * Makes the number of the current iteration: the counters of all enclosing loops as one number, the
 * innermost running fastest.
 */
static bool iteration(struct parser *parser, uint32_t *node)
{
    uint32_t counter, radix;
    if (!expression_number(parser, 0, node))
        return false;
    for (unsigned i = 0; i < parser->loop_count; i++) {
        if (!expression_number(parser, (int64_t)parser->loops[i].radix, &radix) ||
            !expression_value(parser, (enum formula_value)(VALUE_COUNTER + i), &counter) ||
            !expression_make(parser, FORMULA_MUL, 0, *node, radix, NODE_NONE, node) ||
            !expression_make(parser, FORMULA_ADD, 0, *node, counter, NODE_NONE, node))
            return false;
    }
    return true;
}

/* Reads chase(BASE, BYTES, UNIT) after its "(": base + unit x place of this iteration's step. */
static bool chase_call(struct parser *parser, uint32_t *node)
{
    uint32_t base, start, step, size;
    int64_t bytes, unit;
    struct token at = parser->token;
    if (parser->in_let || !parser->launched)
        return parser_fail(parser, "chase() belongs into the address of an instruction");
    if (!expression_parse(parser, &base) ||
        !parser_expect(parser, ',', "between the arguments of chase(BASE, BYTES, UNIT)") ||
        !expression_constant(parser, "the region of a chase in bytes", 1, INT64_C(1) << 46,
                             &bytes) ||
        !parser_expect(parser, ',', "between the arguments of chase(BASE, BYTES, UNIT)") ||
        !expression_constant(parser, "the unit of a chase in bytes", 1, INT64_C(1) << 46, &unit) ||
        !parser_expect(parser, ')', "after the arguments of chase"))
        return false;
    int64_t places = bytes / unit;
    if (bytes % unit || places & (places - 1))
        return lexer_fail(&parser->lexer, &at,
                          "a chase visits BYTES / UNIT places, which must be a power of two; "
                          "%lld / %lld is not",
                          (long long)bytes, (long long)unit);
    int64_t bits = __builtin_ctzll((uint64_t)places);
    return expression_number(parser, arithmetic_fold(3, parser->seed), &start) &&
           fold_value(parser, VALUE_BLOCK, &start) && expression_thread(parser, &step) &&
           fold(parser, step, &start) && iteration(parser, &step) &&
           expression_make(parser, FORMULA_CHASE, bits, step, start, NODE_NONE, node) &&
           expression_number(parser, unit, &size) &&
           expression_make(parser, FORMULA_MUL, 0, *node, size, NODE_NONE, node) &&
           expression_make(parser, FORMULA_ADD, 0, base, *node, NODE_NONE, node);
}

static bool extreme_call(struct parser *parser, enum formula_op op, uint32_t *node)
{
    uint32_t a, b;
    return expression_parse(parser, &a) &&
           parser_expect(parser, ',', "between the two arguments of min or max") &&
           expression_parse(parser, &b) &&
           parser_expect(parser, ')', "after the two arguments of min or max") &&
           expression_make(parser, op, 0, a, b, NODE_NONE, node);
}

bool expression_name(struct parser *parser, uint32_t *node)
{
    if (!named(parser, node))
        return false;
    parser_next(parser);
    return true;
}

static bool word_operand(struct parser *parser, uint32_t *node)
{
    bool is_random = token_is(&parser->token, "random");
    bool is_chase = token_is(&parser->token, "chase");
    bool is_min = token_is(&parser->token, "min"), is_max = token_is(&parser->token, "max");
    if (!is_random && !is_chase && !is_min && !is_max)
        return expression_name(parser, node);
    parser_next(parser);
    if (!parser_expect(parser, '(', "after the name of a function"))
        return false;
    if (is_random)
        return random_call(parser, node);
    if (is_chase)
        return chase_call(parser, node);
    return extreme_call(parser, is_min ? FORMULA_MIN : FORMULA_MAX, node);
}

static bool unary(struct parser *parser, uint32_t *node)
{
    static const struct {
        int sign;
        enum formula_op op;
    } prefixes[] = {{'-', FORMULA_NEGATE}, {'~', FORMULA_COMPLEMENT}, {'!', FORMULA_NOT}};
    if (parser->depth >= FORMULA_DEPTH)
        return too_large(parser);
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        if (!token_is_sign(&parser->token, prefixes[i].sign))
            continue;
        parser_next(parser);
        parser->depth++;
        bool good = unary(parser, node) &&
                    expression_make(parser, prefixes[i].op, 0, *node, NODE_NONE, NODE_NONE, node);
        parser->depth--;
        return good;
    }
    if (parser->token.kind == TOKEN_WORD)
        return word_operand(parser, node);
    if (parser->token.kind == TOKEN_NUMBER) {
        if (!expression_number(parser, parser->token.number, node))
            return false;
        parser_next(parser);
        return true;
    }
    if (parser_accept(parser, '('))
        return expression_parse(parser, node) &&
               parser_expect(parser, ')', "at the end of this part of the expression");
    char found[64];
    return parser_fail(parser, "expected a number, a name or \"(\", found %s",
                       token_show(&parser->token, found, sizeof found));
}

struct infix {
    int sign, level;
    enum formula_op op;
    bool swap; /* operands change places: a > b is b < a */
};

static const struct infix *infix_of(const struct token *token)
{
    static const struct infix table[] = {
        {SIGN_OR, 1, FORMULA_EITHER, false}, {SIGN_AND, 2, FORMULA_BOTH, false},
        {'|', 3, FORMULA_OR, false},         {'^', 4, FORMULA_XOR, false},
        {'&', 5, FORMULA_AND, false},        {SIGN_EQ, 6, FORMULA_EQ, false},
        {SIGN_NE, 6, FORMULA_NE, false},     {'<', 7, FORMULA_LT, false},
        {SIGN_LE, 7, FORMULA_LE, false},     {'>', 7, FORMULA_LT, true},
        {SIGN_GE, 7, FORMULA_LE, true},      {SIGN_SHL, 8, FORMULA_SHL, false},
        {SIGN_SHR, 8, FORMULA_SHR, false},   {'+', 9, FORMULA_ADD, false},
        {'-', 9, FORMULA_SUB, false},        {'*', 10, FORMULA_MUL, false},
        {'/', 10, FORMULA_DIV, false},       {'%', 10, FORMULA_MOD, false},
    };
    if (token->kind != TOKEN_SIGN)
        return NULL;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (table[i].sign == token->sign)
            return &table[i];
    }
    return NULL;
}

static bool divisor_is_zero(struct parser *parser, const struct infix *infix, uint32_t b)
{
    const struct node *node = node_at(&parser->nodes, b);
    return (infix->op == FORMULA_DIV || infix->op == FORMULA_MOD) && node->op == FORMULA_CONST &&
           node->value == 0;
}

static bool binary(struct parser *parser, int level, uint32_t *node)
{
    if (!unary(parser, node))
        return false;
    for (;;) {
        const struct infix *infix = infix_of(&parser->token);
        if (!infix || infix->level < level)
            return true;
        struct token sign = parser->token;
        uint32_t b;
        parser_next(parser);
        if (!binary(parser, infix->level + 1, &b))
            return false;
        if (divisor_is_zero(parser, infix, b))
            return lexer_fail(&parser->lexer, &sign, "this divides by 0");
        if (!expression_make(parser, infix->op, 0, infix->swap ? b : *node, infix->swap ? *node : b,
                             NODE_NONE, node))
            return false;
    }
}

bool expression_parse(struct parser *parser, uint32_t *node)
{
    uint32_t yes, no;
    if (parser->depth >= FORMULA_DEPTH)
        return too_large(parser);
    parser->depth++;
    bool good = binary(parser, 1, node);
    if (good && parser_accept(parser, '?'))
        good = expression_parse(parser, &yes) &&
               parser_expect(parser, ':', "between the two values of \"?\"") &&
               expression_parse(parser, &no) &&
               expression_make(parser, FORMULA_SELECT, 0, *node, yes, no, node);
    parser->depth--;
    return good;
}

bool expression_constant(struct parser *parser, const char *what, int64_t low, int64_t high,
                         int64_t *value)
{
    uint32_t root;
    struct token start = parser->token;
    if (!expression_parse(parser, &root))
        return false;
    const struct node *node = node_at(&parser->nodes, root);
    if (node->op != FORMULA_CONST)
        return lexer_fail(&parser->lexer, &start,
                          "%s must be constant; this depends on the lane, warp, block or iteration",
                          what);
    if (node->value < low || node->value > high)
        return lexer_fail(&parser->lexer, &start, "%s must be from %lld to %lld; this is %lld",
                          what, (long long)low, (long long)high, (long long)node->value);
    *value = node->value;
    return true;
}

bool expression_of_warp(struct parser *parser, const char *what, uint32_t *node)
{
    struct token start = parser->token;
    if (!expression_parse(parser, node))
        return false;
    const struct node *root = node_at(&parser->nodes, *node);
    if (root->varying)
        return lexer_fail(&parser->lexer, &start,
                          "%s cannot differ between the lanes of a warp; use loop, lanes or if",
                          what);
    if (root->values >> VALUE_COUNTER)
        return lexer_fail(&parser->lexer, &start,
                          "%s cannot depend on a loop counter: it is settled before the warp "
                          "starts; use loop or if",
                          what);
    return true;
}
