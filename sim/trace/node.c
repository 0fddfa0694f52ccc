/* Builds the trees of formulas: constant folding, bounds, linear form. */
#include <string.h>

#include "simsm/names.h"
#include "trace/arithmetic.h"
#include "trace/formula.h"

static uint32_t add(struct pool *nodes, const struct node *node)
{
    if (node->height > FORMULA_DEPTH || node->size > FORMULA_SIZE || nodes->count >= NODE_NONE ||
        !pool_add(nodes, node))
        return NODE_NONE;
    return (uint32_t)nodes->count - 1;
}

uint32_t node_const(struct pool *nodes, int64_t value)
{
    return add(nodes, &(struct node){.op = FORMULA_CONST,
                                     .height = 1,
                                     .size = 1,
                                     .child = {NODE_NONE, NODE_NONE, NODE_NONE},
                                     .value = value,
                                     .low = value,
                                     .high = value});
}

uint32_t node_value(struct pool *nodes, enum formula_value which, int64_t low, int64_t high)
{
    if (low == high)
        return node_const(nodes, low);
    return add(nodes, &(struct node){.op = FORMULA_VALUE,
                                     .height = 1,
                                     .size = 1,
                                     .values = 1u << which,
                                     .child = {NODE_NONE, NODE_NONE, NODE_NONE},
                                     .value = (int64_t)which,
                                     .low = low,
                                     .high = high});
}

uint32_t node_lane(struct pool *nodes)
{
    return add(nodes, &(struct node){.op = FORMULA_LANE,
                                     .varying = true,
                                     .height = 1,
                                     .size = 1,
                                     .child = {NODE_NONE, NODE_NONE, NODE_NONE},
                                     .low = 0,
                                     .high = SIMSM_WARP_LANES - 1});
}

/*
 * Sets the bounds of a sum, difference or product from its corners. The bounds stay unlimited if a
 * corner overflows.
 */
static void corners(struct node *node, const struct node *a, const struct node *b)
{
    const int64_t x[4] = {a->low, a->low, a->high, a->high};
    const int64_t y[4] = {b->low, b->high, b->low, b->high};
    int64_t low = INT64_MAX, high = INT64_MIN;
    for (int i = 0; i < 4; i++) {
        int64_t r = 0;
        bool overflow = node->op == FORMULA_ADD   ? __builtin_add_overflow(x[i], y[i], &r)
                        : node->op == FORMULA_SUB ? __builtin_sub_overflow(x[i], y[i], &r)
                                                  : __builtin_mul_overflow(x[i], y[i], &r);
        if (overflow)
            return;
        low = r < low ? r : low;
        high = r > high ? r : high;
    }
    node->low = low;
    node->high = high;
}

static void set_bounds(struct node *node, int64_t low, int64_t high)
{
    node->low = low;
    node->high = high;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/*
 * Sets the bounds of an operation on two operands that are at least 0. A quotient or remainder by 0
 * is 0.
 */
static void bounds_of_naturals(struct node *node, const struct node *a, const struct node *b)
{
    switch (node->op) {
    case FORMULA_DIV:
        set_bounds(node, b->low > 0 ? a->low / b->high : 0,
                   b->low > 0 ? a->high / b->low : a->high);
        break;
    case FORMULA_MOD:
        set_bounds(node, 0, smaller(a->high, b->high > 0 ? b->high - 1 : 0));
        break;
    case FORMULA_AND:
        set_bounds(node, 0, smaller(a->high, b->high));
        break;
    case FORMULA_OR:
    case FORMULA_XOR: {
        int64_t top = a->high | b->high;
        for (int s = 1; s < 64; s *= 2)
            top |= top >> s;
        set_bounds(node, 0, top);
        break;
    }
    case FORMULA_SHR:
        set_bounds(node, 0,
                   b->low < 64 && b->low == b->high ? (int64_t)((uint64_t)a->high >> b->low)
                                                    : a->high);
        break;
    default:
        break;
    }
}

static void bound(struct node *node, const struct node *a, const struct node *b,
                  const struct node *c)
{
    set_bounds(node, INT64_MIN, INT64_MAX);
    if (b && a->low >= 0 && b->low >= 0)
        bounds_of_naturals(node, a, b);
    switch (node->op) {
    case FORMULA_NEGATE:
        if (a->low > INT64_MIN)
            set_bounds(node, -a->high, -a->low);
        break;
    case FORMULA_ADD:
    case FORMULA_SUB:
    case FORMULA_MUL:
        corners(node, a, b);
        break;
    case FORMULA_NOT:
    case FORMULA_EQ:
    case FORMULA_NE:
    case FORMULA_LT:
    case FORMULA_LE:
    case FORMULA_BOTH:
    case FORMULA_EITHER:
        set_bounds(node, 0, 1);
        break;
    case FORMULA_MIN:
        set_bounds(node, smaller(a->low, b->low), smaller(a->high, b->high));
        break;
    case FORMULA_MAX:
        set_bounds(node, larger(a->low, b->low), larger(a->high, b->high));
        break;
    case FORMULA_SCALE:
        set_bounds(node, 0, larger(1, smaller(b->high, INT64_C(1) << 32)) - 1);
        break;
    case FORMULA_CHASE:
        set_bounds(node, 0, (INT64_C(1) << node->value) - 1);
        break;
    case FORMULA_SELECT:
        /* SELECT has three operands. NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
        set_bounds(node, smaller(b->low, c->low), larger(b->high, c->high));
        break;
    default:
        break;
    }
}

/*
 * Replaces a division or remainder of a number that is at least 0 by a power of two, frequent in
 * addresses, by a shift or a mask.
 */
static void strengthen(struct node *node, struct pool *nodes)
{
    bool candidate = node->op == FORMULA_DIV || node->op == FORMULA_MOD;
    if (!candidate || node_at(nodes, node->child[0])->low < 0)
        return;
    const struct node *b = node_at(nodes, node->child[1]);
    if (b->op != FORMULA_CONST || b->value <= 0 || (b->value & (b->value - 1)))
        return;
    int64_t operand = node->op == FORMULA_DIV ? __builtin_ctzll((uint64_t)b->value) : b->value - 1;
    uint32_t other = node_const(nodes, operand);
    if (other == NODE_NONE)
        return;
    node->op = node->op == FORMULA_DIV ? FORMULA_SHR : FORMULA_AND;
    node->child[1] = other;
}

uint32_t node_make(struct pool *nodes, enum formula_op op, int64_t value, uint32_t a, uint32_t b,
                   uint32_t c)
{
    uint32_t child[3] = {a, b, c};
    unsigned n = op == FORMULA_SELECT ? 3 : op >= FORMULA_ADD ? 2 : 1;
    struct node node = {.op = (uint8_t)op, .size = 1, .value = value};
    const struct node *of[3] = {NULL, NULL, NULL};
    bool constant = true;
    for (unsigned i = 0; i < 3; i++) {
        node.child[i] = i < n ? child[i] : NODE_NONE;
        if (i >= n)
            continue;
        if (child[i] == NODE_NONE)
            return NODE_NONE;
        of[i] = node_at(nodes, child[i]);
        constant &= of[i]->op == FORMULA_CONST;
        node.varying |= of[i]->varying;
        node.values |= of[i]->values;
        node.size += of[i]->size + 1;
        if (of[i]->height >= node.height)
            node.height = (uint8_t)(of[i]->height + 1);
    }
    if (constant)
        return node_const(nodes, arithmetic(op, of[0]->value, n > 1 ? of[1]->value : 0,
                                            n > 2 ? of[2]->value : 0, value));
    bound(&node, of[0], of[1], of[2]);
    strengthen(&node, nodes);
    return add(nodes, &node);
}

static void combine(struct linear *to, const struct linear *from, uint64_t factor)
{
    to->constant = (int64_t)((uint64_t)to->constant + (uint64_t)from->constant * factor);
    to->lane = (int64_t)((uint64_t)to->lane + (uint64_t)from->lane * factor);
    for (int i = 0; i < VALUE_COUNT; i++)
        to->coefficient[i] =
            (int64_t)((uint64_t)to->coefficient[i] + (uint64_t)from->coefficient[i] * factor);
}

/*
 * Returns in *factor the constant by which MUL or SHL multiplies the tree *other. Returns false if
 * there is no such constant.
 */
static bool factor_of(const struct pool *nodes, const struct node *node, uint64_t *factor,
                      uint32_t *other)
{
    const struct node *a = node_at(nodes, node->child[0]), *b = node_at(nodes, node->child[1]);
    *other = node->child[0];
    if (node->op == FORMULA_SHL && b->op == FORMULA_CONST) {
        *factor = UINT64_C(1) << ((uint64_t)b->value & 63);
        return true;
    }
    if (node->op != FORMULA_MUL)
        return false;
    if (b->op == FORMULA_CONST) {
        *factor = (uint64_t)b->value;
        return true;
    }
    *other = node->child[1];
    *factor = (uint64_t)a->value;
    return a->op == FORMULA_CONST;
}

static bool add_linear(const struct pool *nodes, uint32_t root, uint64_t times,
                       struct linear *linear)
{
    const struct node *node = node_at(nodes, root);
    uint64_t factor;
    uint32_t other;
    struct linear leaf = {0};
    switch (node->op) {
    case FORMULA_CONST:
        leaf.constant = node->value;
        break;
    case FORMULA_LANE:
        leaf.lane = 1;
        break;
    case FORMULA_VALUE:
        leaf.coefficient[node->value] = 1;
        break;
    case FORMULA_NEGATE:
        return add_linear(nodes, node->child[0], 0 - times, linear);
    case FORMULA_ADD:
    case FORMULA_SUB:
        return add_linear(nodes, node->child[0], times, linear) &&
               add_linear(nodes, node->child[1], node->op == FORMULA_ADD ? times : 0 - times,
                          linear);
    default:
        return node->child[1] != NODE_NONE && factor_of(nodes, node, &factor, &other) &&
               add_linear(nodes, other, times * factor, linear);
    }
    combine(linear, &leaf, times);
    return true;
}

bool node_linear(const struct pool *nodes, uint32_t root, struct linear *linear)
{
    *linear = (struct linear){0};
    return add_linear(nodes, root, 1, linear);
}

static bool add_stride(const struct pool *nodes, uint32_t root, uint64_t times, uint64_t *stride)
{
    const struct node *node = node_at(nodes, root);
    uint64_t factor;
    uint32_t other;
    if (!node->varying)
        return true;
    if (node->op == FORMULA_LANE) {
        *stride += times;
        return true;
    }
    if (node->op == FORMULA_NEGATE)
        return add_stride(nodes, node->child[0], 0 - times, stride);
    if (node->op == FORMULA_ADD || node->op == FORMULA_SUB)
        return add_stride(nodes, node->child[0], times, stride) &&
               add_stride(nodes, node->child[1], node->op == FORMULA_ADD ? times : 0 - times,
                          stride);
    return node->child[1] != NODE_NONE && factor_of(nodes, node, &factor, &other) &&
           add_stride(nodes, other, times * factor, stride);
}

bool node_stride(const struct pool *nodes, uint32_t root, int64_t *stride)
{
    uint64_t sum = 0;
    bool affine = add_stride(nodes, root, 1, &sum);
    *stride = (int64_t)sum;
    return affine;
}
