/*
 * Formulas: the integer expressions of a trace, as trees while a trace is read and as postfix code
 * while it runs. Arithmetic is that of 64-bit two's complement; a division by 0 gives 0.
 *
 * A formula is *uniform* if all lanes of a warp have the same value by construction, and *varying*
 * otherwise. Uniform parts are computed once, varying parts for 32 lanes side by side.
 */
#ifndef SIM_TRACE_FORMULA_H
#define SIM_TRACE_FORMULA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/pool.h"

enum {
    FORMULA_LOOPS = 8,  /* nested loops: each has a counter */
    FORMULA_DEPTH = 48, /* height of a tree, and so entries of the stack */
    FORMULA_SIZE = 4096 /* operations of one formula */
};

/* The inputs of a formula besides constants and the lane: one number for each warp. */
enum formula_value {
    VALUE_WARP,  /* index of the warp in its block */
    VALUE_BLOCK, /* linear index of the block */
    VALUE_BLOCK_X,
    VALUE_BLOCK_Y,
    VALUE_BLOCK_Z,
    VALUE_COUNTER, /* counter of the outermost loop; the counters of inner loops follow */
    VALUE_COUNT = VALUE_COUNTER + FORMULA_LOOPS
};

enum formula_op {
    FORMULA_CONST,
    FORMULA_VALUE,
    FORMULA_LANE,
    FORMULA_SPREAD, /* code only: copies a uniform operand to all lanes */
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

/* A node of a tree. Nodes lie in a pool and refer to each other by index. */
struct node {
    uint8_t op;
    bool varying;
    uint8_t height;
    uint32_t values; /* one bit for each enum formula_value in the tree */
    uint32_t size;   /* operations in the tree */
    uint32_t child[3];
    int64_t value;     /* a constant, an enum formula_value, or the exponent of CHASE */
    int64_t low, high; /* bounds of the node's value */
};

/* The code of one formula: entries first .. first + count - 1 of the program's formula code. */
struct formula {
    uint32_t first, count;
    bool varying;
};

struct formula_code {
    uint8_t op;
    bool varying; /* the operation computes 32 lanes */
    uint32_t which;
    int64_t value;
};

/*
 * Each adds a node, with constants folded, and returns its index. Each returns NODE_NONE if memory
 * runs out, the tree gets too high or too large, or a child is NODE_NONE.
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

/* Appends the code of a tree to `code`. Returns false if memory runs out. */
bool formula_compile(struct formula *formula, struct pool *code, const struct pool *nodes,
                     uint32_t root);

/* As formula_compile(), with lane 0 in place of the lane, so that the result is uniform. */
bool formula_compile_lane0(struct formula *formula, struct pool *code, const struct pool *nodes,
                           uint32_t root);

/*
 * Returns the value of a uniform formula. `code` is the formula code of the whole program, `values`
 * has VALUE_COUNT numbers.
 */
int64_t formula_scalar(const struct formula *formula, const struct formula_code *code,
                       const uint64_t *values);

/* Computes the values of all 32 lanes of any formula. */
void formula_lanes(const struct formula *formula, const struct formula_code *code,
                   const uint64_t *values, int64_t *lane);

/*
 * A sum constant + lane x (coefficient of the lane) + values x (coefficient[VALUE_COUNT]).
 * node_linear() returns false if the tree is not such a sum.
 */
struct linear {
    int64_t constant, lane;
    int64_t coefficient[VALUE_COUNT];
};
bool node_linear(const struct pool *nodes, uint32_t root, struct linear *linear);

/*
 * Returns the coefficient of the lane in *stride; all other terms may be any uniform formula.
 * Returns false if the tree is not of this form.
 */
bool node_stride(const struct pool *nodes, uint32_t root, int64_t *stride);

#endif
