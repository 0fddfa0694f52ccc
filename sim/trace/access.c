/*
 * Turns the address of a memory instruction into a form that is cheap to evaluate while the trace
 * runs.
 *
 * MODEL: local memory as the hardware lays it out: the same word of all lanes lies together, so
 * that lanes that use one offset access one row.
 * SOURCE: CUDA C++ Programming Guide, Local Memory.
 * LEFT OUT: accesses of less than 32 bits lie side by side, not one in each word.
 */
#include "trace/access.h"
#include "model/op.h"

static bool linear_access(struct access *access, const struct linear *linear)
{
    access->form = ACCESS_LINEAR;
    access->constant = linear->constant;
    access->stride = linear->lane;
    for (uint32_t i = 0; i < VALUE_COUNT; i++) {
        if (linear->coefficient[i])
            access->as.term[access->terms++] =
                (struct access_term){.value = i, .coefficient = linear->coefficient[i]};
    }
    return true;
}

static bool list_access(struct parser *parser, struct access *access, const struct token *token,
                        uint32_t values)
{
    uint64_t product = 1;
    access->form = ACCESS_LIST;
    for (uint32_t i = 0; i < parser->loop_count; i++) {
        if (!(values >> (VALUE_COUNTER + i) & 1u))
            continue;
        if (__builtin_mul_overflow(product, parser->loops[i].radix, &product))
            return lexer_fail(&parser->lexer, token,
                              "this address differs from lane to lane in a way that depends on "
                              "loops of together more than 2^64 iterations; bound their trip "
                              "counts, say with min()");
        access->as.counter[access->terms++] =
            (struct access_counter){.value = VALUE_COUNTER + i, .radix = parser->loops[i].radix};
    }
    return true;
}

/* node <- local_base + (warp of the grid x bytes of a thread + offset) x 32 + lane x width, at
 * most 4 */
static bool local_address(struct parser *parser, uint32_t width, uint32_t *node)
{
    const struct trace_program *program = parser->program;
    uint32_t block, warp, warps, number, lane;
    return expression_value(parser, VALUE_BLOCK, &block) &&
           expression_number(parser, simsm_block_warps(&program->front.launch), &warps) &&
           expression_make(parser, FORMULA_MUL, 0, block, warps, NODE_NONE, &block) &&
           expression_value(parser, VALUE_WARP, &warp) &&
           expression_make(parser, FORMULA_ADD, 0, block, warp, NODE_NONE, &warp) &&
           expression_number(parser, program->local_bytes, &number) &&
           expression_make(parser, FORMULA_MUL, 0, warp, number, NODE_NONE, &warp) &&
           expression_make(parser, FORMULA_ADD, 0, warp, *node, NODE_NONE, node) &&
           expression_number(parser, SIMSM_WARP_LANES, &number) &&
           expression_make(parser, FORMULA_MUL, 0, *node, number, NODE_NONE, node) &&
           expression_number(parser, (int64_t)program->local_base, &number) &&
           expression_make(parser, FORMULA_ADD, 0, *node, number, NODE_NONE, node) &&
           expression_lane(parser, &lane) &&
           expression_number(parser, width < LOCAL_WORD ? width : LOCAL_WORD, &number) &&
           expression_make(parser, FORMULA_MUL, 0, lane, number, NODE_NONE, &lane) &&
           expression_make(parser, FORMULA_ADD, 0, *node, lane, NODE_NONE, node);
}

/* Refuses an address that is always wrong: every value that it can have lies outside the memory. */
static bool check_bounds(struct parser *parser, const struct operand *operand, const char *memory,
                         uint64_t bytes, uint32_t width)
{
    const struct node *node = node_at(&parser->nodes, operand->node);
    if (node->high >= 0 && (node->low < 0 || (uint64_t)node->low + width <= bytes))
        return true;
    return lexer_fail(&parser->lexer, &operand->token,
                      "this address lies outside the %llu bytes of %s memory that the header gives",
                      (unsigned long long)bytes, memory);
}

static bool chase_is_chain(struct parser *parser, const struct inst *inst,
                           const struct operand *operand)
{
    for (unsigned i = 0; i < operand->bases; i++) {
        if (inst->n_destinations && inst->destination[0].first == operand->base[i].first)
            return true;
    }
    return lexer_fail(&parser->lexer, &operand->token,
                      "a chase needs its destination as the register of its address, so that each "
                      "load waits for the one before: LDG R4, [R4 + chase(...)]");
}

static bool mentions_chase(const struct pool *nodes, uint32_t root)
{
    const struct node *node = node_at(nodes, root);
    if (node->op == FORMULA_CHASE)
        return true;
    for (int i = 0; i < 3 && node->child[i] != NODE_NONE; i++) {
        if (mentions_chase(nodes, node->child[i]))
            return true;
    }
    return false;
}

bool access_add(struct parser *parser, const struct inst *inst, const struct operand *operand,
                uint32_t *index)
{
    struct trace_program *program = parser->program;
    const struct simsm_launch *launch = &program->front.launch;
    struct access access = {0};
    uint32_t root = operand->node;
    struct linear linear;
    if (root == NODE_NONE)
        return lexer_fail(&parser->lexer, &operand->token,
                          "registers have no values in a trace: write the address behind them, as "
                          "in [R4 + 4*thread]");
    if (mentions_chase(&parser->nodes, root) && !chase_is_chain(parser, inst, operand))
        return false;
    bool shared = op_is_shared((enum simsm_op_class)inst->op);
    bool local = inst->op == SIMSM_OP_LD_LOCAL || inst->op == SIMSM_OP_ST_LOCAL;
    if (shared &&
        !check_bounds(parser, operand, "shared",
                      (uint64_t)launch->shared_static + launch->shared_dynamic, inst->width))
        return false;
    if (local && (!check_bounds(parser, operand, "local", program->local_bytes, inst->width) ||
                  !local_address(parser, inst->width, &root)))
        return false;
    bool made = true;
    if (node_linear(&parser->nodes, root, &linear)) {
        made = linear_access(&access, &linear);
    } else if (node_stride(&parser->nodes, root, &access.stride)) {
        access.form = ACCESS_UNIFORM;
        made = formula_compile_lane0(&access.formula, &program->formulas, &parser->nodes, root) ||
               lexer_no_memory(&parser->lexer);
    } else {
        made =
            list_access(parser, &access, &operand->token, node_at(&parser->nodes, root)->values) &&
            (formula_compile(&access.formula, &program->formulas, &parser->nodes, root) ||
             lexer_no_memory(&parser->lexer));
    }
    *index = (uint32_t)program->accesses.count;
    return made && (pool_add(&program->accesses, &access) || lexer_no_memory(&parser->lexer));
}
