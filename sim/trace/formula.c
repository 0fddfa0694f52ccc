/* Compiles formulas to postfix code and evaluates them. */
#include "trace/formula.h"

#include "base/check.h"
#include "simsm/names.h"
#include "trace/arithmetic.h"

static bool emit_operation(struct pool *code, const struct node *node, bool lane0)
{
    struct formula_code op = {.op = node->op,
                              .varying = node->varying && !lane0,
                              .which = node->op == FORMULA_VALUE ? (uint32_t)node->value : 0,
                              .value = node->value};
    if (lane0 && node->op == FORMULA_LANE)
        op = (struct formula_code){.op = FORMULA_CONST};
    return pool_add(code, &op);
}

/* Emits the code of a tree. The recursion is at most FORMULA_DEPTH deep. */
static bool compile(struct pool *code, const struct pool *nodes, uint32_t root, bool lane0)
{
    const struct node *node = node_at(nodes, root);
    for (int i = 0; i < 3 && node->child[i] != NODE_NONE; i++) {
        if (!compile(code, nodes, node->child[i], lane0))
            return false;
        if (!lane0 && node->varying && !node_at(nodes, node->child[i])->varying) {
            struct formula_code spread = {.op = FORMULA_SPREAD, .varying = true};
            if (!pool_add(code, &spread))
                return false;
        }
    }
    return emit_operation(code, node, lane0);
}

static bool compile_into(struct formula *formula, struct pool *code, const struct pool *nodes,
                         uint32_t root, bool lane0)
{
    SIMSM_CHECK(node_at(nodes, root)->height <= FORMULA_DEPTH, "a tree of %u levels",
                node_at(nodes, root)->height);
    formula->first = (uint32_t)code->count;
    if (!compile(code, nodes, root, lane0))
        return false;
    formula->count = (uint32_t)code->count - formula->first;
    formula->varying = node_at(nodes, root)->varying && !lane0;
    return true;
}

bool formula_compile(struct formula *formula, struct pool *code, const struct pool *nodes,
                     uint32_t root)
{
    return compile_into(formula, code, nodes, root, false);
}

bool formula_compile_lane0(struct formula *formula, struct pool *code, const struct pool *nodes,
                           uint32_t root)
{
    return compile_into(formula, code, nodes, root, true);
}

static unsigned operands(uint8_t op)
{
    return op == FORMULA_SELECT ? 3 : op >= FORMULA_ADD ? 2 : op >= FORMULA_SPREAD ? 1 : 0;
}

static int64_t leaf(const struct formula_code *op, const uint64_t *values)
{
    return op->op == FORMULA_VALUE ? (int64_t)values[op->which] : op->value;
}

int64_t formula_scalar(const struct formula *formula, const struct formula_code *code,
                       const uint64_t *values)
{
    int64_t stack[FORMULA_DEPTH + 2];
    unsigned top = 0;
    for (uint32_t i = 0; i < formula->count; i++) {
        const struct formula_code *op = &code[formula->first + i];
        unsigned n = operands(op->op);
        top -= n;
        if (n == 0)
            stack[top] = leaf(op, values);
        else
            stack[top] = arithmetic(op->op, stack[top], n > 1 ? stack[top + 1] : 0,
                                    n > 2 ? stack[top + 2] : 0, op->value);
        top++;
    }
    return stack[0];
}

/*
 * Computes one operation for 32 lanes. The operations of common addresses and conditions have loops
 * of their own, which the compiler can vectorize.
 */
static void compute_lanes(const struct formula_code *op, int64_t (*stack)[SIMSM_WARP_LANES])
{
    int64_t *a = stack[0], *b = stack[1], *c = stack[2];
#define LANES(expression)                                                                          \
    for (unsigned l = 0; l < SIMSM_WARP_LANES; l++)                                                \
        a[l] = (expression);                                                                       \
    break
    switch (op->op) {
    case FORMULA_ADD:
        LANES((int64_t)((uint64_t)a[l] + (uint64_t)b[l]));
    case FORMULA_SUB:
        LANES((int64_t)((uint64_t)a[l] - (uint64_t)b[l]));
    case FORMULA_MUL:
        LANES((int64_t)((uint64_t)a[l] * (uint64_t)b[l]));
    case FORMULA_AND:
        LANES(a[l] & b[l]);
    case FORMULA_XOR:
        LANES(a[l] ^ b[l]);
    case FORMULA_LT:
        LANES(a[l] < b[l]);
    case FORMULA_FOLD:
        LANES(arithmetic_fold(a[l], b[l]));
    case FORMULA_SCALE:
        LANES(arithmetic_scale(a[l], b[l]));
    default:
        LANES(arithmetic(op->op, a[l], b[l], c[l], op->value));
    }
#undef LANES
}

void formula_lanes(const struct formula *formula, const struct formula_code *code,
                   const uint64_t *values, int64_t *lane)
{
    int64_t stack[FORMULA_DEPTH + 4][SIMSM_WARP_LANES];
    unsigned top = 0;
    for (uint32_t i = 0; i < formula->count; i++) {
        const struct formula_code *op = &code[formula->first + i];
        unsigned n = operands(op->op);
        top -= n;
        if (op->op == FORMULA_LANE) {
            for (unsigned l = 0; l < SIMSM_WARP_LANES; l++)
                stack[top][l] = (int64_t)l;
        } else if (op->op == FORMULA_SPREAD) {
            for (unsigned l = 1; l < SIMSM_WARP_LANES; l++)
                stack[top][l] = stack[top][0];
        } else if (n == 0) {
            stack[top][0] = leaf(op, values);
        } else if (op->varying) {
            compute_lanes(op, &stack[top]);
        } else {
            stack[top][0] = arithmetic(op->op, stack[top][0], n > 1 ? stack[top + 1][0] : 0,
                                       n > 2 ? stack[top + 2][0] : 0, op->value);
        }
        top++;
    }
    for (unsigned l = 0; l < SIMSM_WARP_LANES; l++)
        lane[l] = formula->varying ? stack[0][l] : stack[0][0];
}
