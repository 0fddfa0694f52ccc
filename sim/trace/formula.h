/*
 * Formulas: the integer expressions of a trace, as trees while a trace is read and as postfix code
 * when streams run. Arithmetic is that of 64-bit two's complement; a division by 0 gives 0.
 *
 * A formula is *uniform* if all lanes of a warp have one value by construction, and *varying*
 * otherwise. Uniform parts are computed once, varying parts for 32 lanes side by side.
 */
#ifndef SIM_TRACE_FORMULA_H
#define SIM_TRACE_FORMULA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/pool.h"

enum {
    FORMULA_LOOPS = 8,  /* loops that can be nested: each has a counter */
    FORMULA_DEPTH = 48, /* height of a tree, and so entries of the stack */
    FORMULA_SIZE = 4096 /* operations of one formula */
};

/* What a formula can be made of besides constants and the lane: one number for each warp. */
enum formula_value {
    VALUE_WARP,  /* in its block */
    VALUE_BLOCK, /* linear */
    VALUE_BLOCK_X,
    VALUE_BLOCK_Y,
    VALUE_BLOCK_Z,
    VALUE_COUNTER, /* and the next FORMULA_LOOPS - 1, outermost first */
    VALUE_COUNT = VALUE_COUNTER + FORMULA_LOOPS
};

enum formula_op {
    FORMULA_CONST,
    FORMULA_VALUE,
    FORMULA_LANE,
    FORMULA_SPREAD, /* code only: gives all lanes the value of a uniform operand */
    FORMULA_NEGATE,
    FORMULA_COMPLEMENT,
    FORMULA_NOT,
    FORMULA_ADD,
    FORMULA_SUB,
    FORMULA_MUL,
    FORMULA_DIV,
    FORMULA_MOD,
    FORMULA_SHL,
    FORMULA_SHR,
    FORMULA_AND,
    FORMULA_OR,
    FORMULA_XOR,
    FORMULA_EQ,
    FORMULA_NE,
    FORMULA_LT,
    FORMULA_LE,
    FORMULA_BOTH,
    FORMULA_EITHER,
    FORMULA_MIN,
    FORMULA_MAX,
    FORMULA_FOLD,   /* hash a, key b -> hash */
    FORMULA_SCALE,  /* hash a -> 0 .. b - 1 */
    FORMULA_CHASE,  /* step a of the walk that starts at hash b over 2^value places */
    FORMULA_SELECT, /* a ? b : c */
    FORMULA_COUNT
};

#define NODE_NONE UINT32_MAX

/* A tree; nodes live in a pool and name one another by index. */
struct node {
    uint8_t op;
    bool varying;
    uint8_t height;
    uint32_t values; /* bit per enum formula_value that it mentions */
    uint32_t size;   /* operations */
    uint32_t child[3];
    int64_t value;     /* constant, enum formula_value, or 2's exponent of CHASE */
    int64_t low, high; /* bounds of its value */
};

/* Code of one formula: code[first .. first + count) of the program. */
struct formula {
    uint32_t first, count;
    bool varying;
};

struct formula_code {
    uint8_t op;
    bool varying; /* computes 32 lanes, not one */
    uint32_t which;
    int64_t value;
};

/*
 * Each adds a node (folding constants) and returns its index, or NODE_NONE if memory runs out, the
 * tree gets too high or too large, or a child is NODE_NONE.
 */
uint32_t node_const(struct pool *nodes, int64_t value);
uint32_t node_value(struct pool *nodes, enum formula_value which, int64_t low, int64_t high);
uint32_t node_lane(struct pool *nodes);
uint32_t node_make(struct pool *nodes, enum formula_op op, int64_t value, uint32_t a, uint32_t b,
                   uint32_t c);

static inline const struct node *node_at(const struct pool *nodes, uint32_t index)
{
    return (const struct node *)nodes->data + index;
}

/* Appends the code of a tree to `code`. false: memory has run out. */
bool formula_compile(struct formula *formula, struct pool *code, const struct pool *nodes,
                     uint32_t root);

/* As formula_compile, with lane 0 in place of the lane: always uniform. */
bool formula_compile_lane0(struct formula *formula, struct pool *code, const struct pool *nodes,
                           uint32_t root);

/* The value of a uniform formula; `code` is the whole program's, `values` [VALUE_COUNT]. */
int64_t formula_scalar(const struct formula *formula, const struct formula_code *code,
                       const uint64_t *values);

/* The values of all 32 lanes of any formula. */
void formula_lanes(const struct formula *formula, const struct formula_code *code,
                   const uint64_t *values, int64_t *lane);

/*
 * constant + lane x (its coefficient) + values x (theirs): `coefficient` [VALUE_COUNT]. false if
 * the tree is not such a sum.
 */
struct linear {
    int64_t constant, lane;
    int64_t coefficient[VALUE_COUNT];
};
bool node_linear(const struct pool *nodes, uint32_t root, struct linear *linear);

/* The coefficient of the lane, where everything else may be any uniform formula; false if none. */
bool node_stride(const struct pool *nodes, uint32_t root, int64_t *stride);

#endif
