/*
 * A text trace after reading: static code, and the steps that each warp takes through it. All of it
 * is constant while warps run.
 */
#ifndef SIM_TRACE_TRACE_PROGRAM_H
#define SIM_TRACE_TRACE_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "front/divergence.h"
#include "front/front.h"
#include "trace/formula.h"

enum {
    PROGRAM_MAX_CODE = 1 << 20, /* static instructions */
    PROGRAM_MAX_NESTING = 48,   /* nested { } */
    PROGRAM_ALWAYS = 0          /* condition 0 of every program: all lanes, all warps */
};

/*
 * The kinds of steps. Kinds up to STEP_EXIT are instructions, in the order of the static code; the
 * other kinds are choices, which cost no time and are not instructions.
 */
enum step_kind {
    STEP_PLAIN, /* instruction without guard and memory access, followed by another instruction */
    STEP_INST,  /* any other instruction that is not control flow */
    STEP_ENTER, /* BSSY: opens barrier `slot`, whose lanes continue at `target` */
    STEP_IF,    /* BRA: lanes for which the condition is false go to `target` */
    STEP_OVER,  /* BRA: all lanes go to `target` */
    STEP_SYNC,  /* BSYNC: closes barrier `slot` */
    STEP_LOOP_GUARD, /* BRA: lanes whose trip count is 0 go to `target` */
    STEP_LOOP_BACK,  /* BRA: lanes with trips left go to `target` */
    STEP_EXIT,
    STEP_LOOP_BEGIN,   /* counter `slot` = 0 */
    STEP_REPEAT_BEGIN, /* counter `slot` = 0; without trips: go to `target` */
    STEP_REPEAT_END,   /* with trips left: go to `target` */
    STEP_SELECT,       /* condition false for the warp: go to `target` */
    STEP_JUMP          /* go to `target` */
};

struct step {
    uint8_t kind;
    uint8_t slot;       /* index of the counter or barrier */
    uint32_t index;     /* index of the static instruction */
    uint32_t condition; /* guard; condition of a branch or choice; trip formula of a loop */
    uint32_t access;    /* index of the addresses of a memory instruction, else UINT32_MAX */
    uint32_t target;    /* index of a step */
};

/* The lanes or warps for which something holds. */
struct trace_condition {
    bool constant; /* `mask` is the answer: one bit for each lane, or for each warp in a choice of
                      warps */
    bool warps;
    uint32_t mask;
    struct formula formula; /* if not `constant`: holds where the formula is not 0 */
};

/* The forms of addresses: what warp_inst.token holds, and how the token becomes addresses. */
enum access_form {
    ACCESS_LINEAR,  /* token = constant + sum of coefficient x value; affine in the lane */
    ACCESS_UNIFORM, /* token = a uniform formula; affine in the lane */
    ACCESS_LIST     /* token = the loop counters as one number; a formula for each lane */
};

struct access_term {
    uint32_t value; /* enum formula_value */
    int64_t coefficient;
};

struct access_counter {
    uint32_t value; /* enum formula_value */
    uint64_t radix; /* the counter stays below this */
};

struct access {
    uint8_t form;
    uint8_t terms; /* terms of ACCESS_LINEAR, or counters of ACCESS_LIST */
    int64_t constant, stride;
    struct formula formula;
    union {
        struct access_term term[VALUE_COUNT];
        struct access_counter counter[FORMULA_LOOPS];
    } as;
};

struct trace_program {
    struct front front; /* must be the first member */
    struct divergence_rules rules;
    uint64_t local_base;  /* start address of the local memory of all threads; 0: none */
    uint32_t local_bytes; /* of a thread */
    struct pool steps, code, conditions, accesses, formulas, trips, buffers;
    struct pool access_of; /* uint32_t for each static instruction: its access */
    struct pool text;      /* characters of all lines of the listing */
    struct pool lines;     /* const char *, into `text` */
};

static inline const struct trace_program *program_of(const struct front *front)
{
    return (const struct trace_program *)(const void *)front;
}

/* A cursor: the place of one warp in its instruction sequence. */
struct trace_cursor {
    uint32_t at; /* index of the step: always an instruction, until the warp has ended */
    uint32_t limit[FORMULA_LOOPS]; /* by counter: below it all active lanes stay in the loop */
    uint64_t values[VALUE_COUNT];
    struct divergence paths;
};

void program_begin(const struct front *front, void *cursor, uint64_t block, uint32_t warp);
void program_next(const struct front *front, void *cursor, struct warp_inst *inst);
void program_addresses(const struct front *front, const void *cursor, const struct warp_inst *inst,
                       struct lane_addresses *addresses);

#endif
