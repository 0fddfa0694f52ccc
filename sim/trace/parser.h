/*
 * Reading a trace: one pass from tokens to a program. The parts of the parser, from small to
 * large: expression.c, operand.c, instruction.c, header.c, body.c.
 *
 * Functions that return bool return false after an error, which the lexer has noted.
 */
#ifndef SIM_TRACE_PARSER_H
#define SIM_TRACE_PARSER_H

#include "trace/lexer.h"
#include "trace/mnemonic.h"
#include "trace/trace_program.h"

enum { PARSER_MAX_NAMES = 256 };

/* A param, a let or a buffer. */
struct parser_name {
    char name[32];
    bool is_param;
    uint32_t node;
};

/* An enclosing loop or repeat. */
struct parser_loop {
    char name[32];  /* of its counter, "" if it has none */
    uint64_t radix; /* the counter stays below it */
};

struct parser {
    struct lexer lexer;
    struct token token;   /* the current one */
    const char *last_end; /* where the one before it ended */
    struct trace_program *program;
    const struct simsm_config *config; /* NULL is allowed */
    const char *const *params;         /* "name=value", NULL ends; NULL is allowed */
    struct pool nodes;                 /* of lets, and of the statement that is being read */
    struct pool lines;                 /* struct emit_line, one for each instruction */
    struct parser_name names[PARSER_MAX_NAMES];
    unsigned name_count;
    size_t node_mark;    /* nodes of the header, which stay */
    uint32_t given;      /* bit per header key */
    uint64_t buffer_end; /* next free address of global memory */
    bool launched;       /* grid and block are known */
    bool in_let;
    bool controlled; /* some instruction has control bits */
    struct parser_loop loops[FORMULA_LOOPS];
    unsigned loop_count, barrier_count, nesting, depth;
    uint32_t sites; /* random() without a key so far */
    uint32_t seed;
};

/* Token by token. */
void parser_next(struct parser *parser);
bool parser_fail(struct parser *parser, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
bool parser_expect(struct parser *parser, int sign, const char *where);
bool parser_accept(struct parser *parser, int sign);

/* Reads a name that is not taken and is no register into `name` (32 bytes). */
bool parser_new_name(struct parser *parser, const char *what, char *name);

/* An expression of any kind. */
bool expression_parse(struct parser *parser, uint32_t *node);

/* True for words that mean something in expressions or operands. */
bool expression_reserved(const char *name);

/* The value of the name that stands here: a param, a let, a counter, a variable. */
bool expression_name(struct parser *parser, uint32_t *node);

/* One that is constant, within [low, high]; `what` names it in messages. */
bool expression_constant(struct parser *parser, const char *what, int64_t low, int64_t high,
                         int64_t *value);

/* One that does not depend on lanes nor on loop counters. */
bool expression_of_warp(struct parser *parser, const char *what, uint32_t *node);

/* Makes nodes; false with a message if the expression got too large. */
bool expression_make(struct parser *parser, enum formula_op op, int64_t value, uint32_t a,
                     uint32_t b, uint32_t c, uint32_t *node);

/* Nodes of: the lane, the thread in its block, a warp's or a block's number. */
bool expression_lane(struct parser *parser, uint32_t *node);
bool expression_thread(struct parser *parser, uint32_t *node);
bool expression_value(struct parser *parser, enum formula_value which, uint32_t *node);
bool expression_number(struct parser *parser, int64_t value, uint32_t *node);

/* A condition that is true where `root` is not 0. Returns its index in the program. */
bool condition_add(struct parser *parser, uint32_t root, uint32_t *index);
bool condition_add_mask(struct parser *parser, uint32_t mask, bool warps, uint32_t *index);

/* An operand list and everything else of one instruction, up to the end of its line. */
bool instruction_parse(struct parser *parser);

/* The header, up to the first line that does not belong to it. */
bool header_parse(struct parser *parser);

/* True for a word that begins a line of the header. */
bool header_key(const struct token *token);

/* All statements after the header. */
bool body_parse(struct parser *parser);

#endif
