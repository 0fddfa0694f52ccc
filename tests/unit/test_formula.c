/* Formulas on thousands of random trees: code against trees, bounds, and linear form. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "simsm/names.h"
#include "trace/arithmetic.h"
#include "trace/formula.h"

enum { TREES = 20000, DEPTH = 5 };

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static uint32_t leaf(struct pool *nodes, uint64_t *state)
{
    static const int64_t constants[] = {0,  1,   2,   3,    4,         5,         7,         8,
                                        32, 128, -1,  -3,   INT64_MAX, INT64_MIN, 63,        64,
                                        31, 255, 256, 1000, -1000,     1 << 20,   INT32_MAX, 16};
    uint64_t choice = next_random(state);
    switch (choice % 4) {
    case 0:
        return node_lane(nodes);
    case 1:
        return node_value(nodes, (enum formula_value)(choice / 4 % VALUE_COUNT), 0, 40);
    default:
        return node_const(nodes, constants[choice / 4 % (sizeof constants / sizeof *constants)]);
    }
}

static uint32_t tree(struct pool *nodes, uint64_t *state, int depth)
{
    if (depth == 0 || next_random(state) % 5 == 0)
        return leaf(nodes, state);
    enum formula_op op =
        (enum formula_op)(FORMULA_NEGATE + next_random(state) % (FORMULA_COUNT - FORMULA_NEGATE));
    if (next_random(state) % 2)
        op = (enum formula_op)(FORMULA_ADD +
                               next_random(state) % 5); /* what addresses are made of */
    uint32_t a = tree(nodes, state, depth - 1), b = tree(nodes, state, depth - 1);
    uint32_t c = op == FORMULA_SELECT ? tree(nodes, state, depth - 1) : NODE_NONE;
    return node_make(nodes, op, op == FORMULA_CHASE ? (int64_t)(next_random(state) % 20) : 0, a, b,
                     c);
}

/* The value of a tree for one lane, straight from its nodes. */
static int64_t walk(const struct pool *nodes, uint32_t root, const uint64_t *values, int64_t lane)
{
    const struct node *node = node_at(nodes, root);
    int64_t child[3] = {0, 0, 0};
    for (int i = 0; i < 3 && node->child[i] != NODE_NONE; i++)
        child[i] = walk(nodes, node->child[i], values, lane);
    if (node->op == FORMULA_LANE)
        return lane;
    if (node->op == FORMULA_CONST)
        return node->value;
    if (node->op == FORMULA_VALUE)
        return (int64_t)values[node->value];
    return arithmetic(node->op, child[0], child[1], child[2], node->value);
}

static void check_linear(const struct pool *nodes, uint32_t root, const uint64_t *values,
                         const int64_t *lane)
{
    struct linear linear;
    int64_t stride;
    if (node_stride(nodes, root, &stride)) {
        for (int64_t l = 0; l < SIMSM_WARP_LANES; l++)
            assert_int_equal((uint64_t)lane[l], (uint64_t)lane[0] + (uint64_t)l * (uint64_t)stride);
    }
    if (!node_linear(nodes, root, &linear))
        return;
    assert_true(node_stride(nodes, root, &stride));
    assert_int_equal(stride, linear.lane);
    uint64_t sum = (uint64_t)linear.constant;
    for (int i = 0; i < VALUE_COUNT; i++)
        sum += values[i] * (uint64_t)linear.coefficient[i];
    assert_int_equal(sum, (uint64_t)lane[0]);
}

static void random_trees(void **unused)
{
    (void)unused;
    uint64_t state = 20260101;
    unsigned varying = 0, bounded = 0, linear_trees = 0;
    for (int t = 0; t < TREES; t++) {
        struct pool nodes = {.size = sizeof(struct node)};
        struct pool code = {.size = sizeof(struct formula_code)};
        struct formula formula, lane0;
        struct linear linear;
        uint64_t values[VALUE_COUNT];
        int64_t lane[SIMSM_WARP_LANES];
        uint32_t root = tree(&nodes, &state, DEPTH);
        assert_int_not_equal(root, NODE_NONE);
        for (int i = 0; i < VALUE_COUNT; i++)
            values[i] = next_random(&state) % 41;
        assert_true(formula_compile(&formula, &code, &nodes, root));
        assert_true(formula_compile_lane0(&lane0, &code, &nodes, root));
        formula_lanes(&formula, code.data, values, lane);
        const struct node *node = node_at(&nodes, root);
        for (int64_t l = 0; l < SIMSM_WARP_LANES; l++) {
            assert_int_equal(lane[l], walk(&nodes, root, values, l));
            assert_true(node->low <= lane[l] && lane[l] <= node->high);
            assert_true(node->varying || lane[l] == lane[0]);
        }
        assert_int_equal(formula_scalar(&lane0, code.data, values), lane[0]);
        check_linear(&nodes, root, values, lane);
        varying += node->varying;
        bounded += node->low > INT64_MIN && node->high < INT64_MAX;
        linear_trees += node_linear(&nodes, root, &linear) && node->op != FORMULA_CONST;
        pool_free(&nodes);
        pool_free(&code);
    }
    /* the test looks at what it is for */
    assert_true(varying > TREES / 4 && bounded > TREES / 4 && linear_trees > TREES / 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_trees)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
