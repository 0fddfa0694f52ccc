/*
 * Reads a trace in one pass, from tokens to a program. The parts of the parser, from small to
 * large: expression.c, operand.c, form.c, trace_instruction.c, trace_header.c, body.c.
 *
 * Functions that return bool return false after an error; the lexer has recorded the error.
 */
#ifndef SIM_TRACE_PARSER_H
#define SIM_TRACE_PARSER_H

#include "trace/lexer.h"
#include "trace/mnemonic.h"
#include "trace/trace_program.h"

enum { PARSER_MAX_NAMES = 256 };

/* The name of a param, a let or a buffer. */
struct parser_name {
    char name[32];
    bool is_param;
    uint32_t node;
};

/* An enclosing loop or repeat. */
struct parser_loop {
    char name[32];  /* name of its counter; "": none */
    uint64_t radix; /* the counter stays below this */
};

struct parser {
    struct lexer lexer;
    struct token token;   /* current token */
    const char *last_end; /* end of the previous token */
    struct trace_program *program;
    const struct simsm_config *config; /* NULL is allowed */
    const char *const *params;         /* "name=value", ended by NULL; NULL is allowed */
    struct pool nodes;                 /* nodes of lets and of the current statement */
    struct pool lines;                 /* struct emit_line, one for each instruction */
    struct parser_name names[PARSER_MAX_NAMES];
    unsigned name_count;
    size_t node_mark;    /* number of nodes from the header, which stay */
    uint32_t given;      /* one bit for each header key */
    uint64_t buffer_end; /* next free address of global memory */
    bool launched;       /* grid and block are known */
    bool in_let;
    bool controlled; /* at least one instruction has control bits */
    struct parser_loop loops[FORMULA_LOOPS];
    unsigned loop_count, barrier_count, nesting, depth;
    uint32_t sites; /* calls of random() without a key so far */
    uint32_t seed;
};

/*
 * Token by token: parser_next() moves on, parser_fail() reports an error at the current token and
 * returns false. parser_accept() moves past `sign` if it is the current token; parser_expect()
 * reports an error if it is not (`where` completes "expected ... ").
 */
void parser_next(struct parser *parser);
bool parser_fail(struct parser *parser, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
bool parser_expect(struct parser *parser, int sign, const char *where);
bool parser_accept(struct parser *parser, int sign);

/*
 * Reads a name into `name` (32 bytes). Fails if the name is in use or has a meaning. `what` names
 * its purpose in messages.
 */
bool parser_new_name(struct parser *parser, const char *what, char *name);

/* Reads any expression. *node: its tree. */
bool expression_parse(struct parser *parser, uint32_t *node);

/* Returns whether the word means something in expressions or operands. */
bool expression_reserved(const char *name);

/* Reads a name: a param, a let, a counter or a variable. *node: its value. */
bool expression_name(struct parser *parser, uint32_t *node);

/* Reads a constant expression within [low, high]. `what` names it in messages. */
bool expression_constant(struct parser *parser, const char *what, int64_t low, int64_t high,
                         int64_t *value);

/* Reads an expression that depends neither on lanes nor on loop counters. */
bool expression_of_warp(struct parser *parser, const char *what, uint32_t *node);

/* Adds a node. Reports an error if the expression gets too large. */
bool expression_make(struct parser *parser, enum formula_op op, int64_t value, uint32_t a,
                     uint32_t b, uint32_t c, uint32_t *node);

/* Add nodes: the lane, the thread in its block, a value of the warp, a number. */
bool expression_lane(struct parser *parser, uint32_t *node);
bool expression_thread(struct parser *parser, uint32_t *node);
bool expression_value(struct parser *parser, enum formula_value which, uint32_t *node);
bool expression_number(struct parser *parser, int64_t value, uint32_t *node);

/*
 * Add a condition to the program and return its index in *index. condition_add(): true where `root`
 * is not 0. condition_add_mask(): true for the lanes (or, with `warps`, the warps) in `mask`.
 */
bool condition_add(struct parser *parser, uint32_t root, uint32_t *index);
bool condition_add_mask(struct parser *parser, uint32_t mask, bool warps, uint32_t *index);

/* Reads one instruction, up to the end of its line. */
bool instruction_parse(struct parser *parser);

/* Reads the header, up to the first line that does not belong to it. */
bool header_parse(struct parser *parser);

/* Returns whether the token begins a line of the header. */
bool header_key(const struct token *token);

/* Reads all statements after the header. */
bool body_parse(struct parser *parser);

#endif
