/*
 * The architectural state of a warp while its instructions are executed: registers as
 * structures of arrays over the lanes, predicates as lane masks, and what operations need to read
 * and write them.
 */
#ifndef SIM_EXEC_CONTROL_EXEC_WARP_H
#define SIM_EXEC_CONTROL_EXEC_WARP_H

#include <stdbool.h>
#include <stdint.h>

#include "sass/sass_inst.h"

/* Lane masks as vectors: lane l is taken where lanes & exec_lane_bit[l] is not 0. */
extern const uint32_t exec_lane_bit[32];

enum { EXEC_LANES = 32, EXEC_SINK = 256, EXEC_ROWS = 257, EXEC_BREGS = 16, EXEC_BANKS = 32 };

struct exec_block; /* block.h */

/*
 * Row SASS_RZ of r is always zero; what is written to RZ goes to row EXEC_SINK. Likewise ur[63] is
 * zero; p[7] and up[7] are all ones. A uniform predicate is 0 or UINT32_MAX, so that a guard is a
 * lane mask whatever its kind.
 */
struct exec_warp {
    _Alignas(64) uint32_t r[EXEC_ROWS][EXEC_LANES];
    uint32_t p[8];
    uint32_t ur[64];
    uint32_t up[8];
    uint32_t breg[EXEC_BREGS];   /* lanes that take part */
    uint32_t rpc[2][EXEC_LANES]; /* RPCMOV: low and high word */
    uint32_t live;               /* lanes that have not exited */
    uint32_t index;              /* in its block */
    struct exec_block *block;
};

/* A constant bank of a launch: its bytes do not change while the launch runs. */
struct exec_bank {
    const uint8_t *data; /* NULL: there is none */
    uint32_t bytes;
};

/* A source operand, ready to be read. */
struct exec_source {
    uint8_t kind; /* enum sass_operand_kind */
    uint8_t index, bank, words, half;
    bool negate, absolute;
    uint32_t value[2]; /* immediate, or what a constant holds (64 bits: low word first) */
    uint32_t offset;   /* bytes, of a constant in its bank */
};

struct exec_inst;
/* Carries out an instruction for `lanes` of the warp (active and guard true); never 0. */
typedef void exec_fn(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes);

/* An instruction, prepared for execution once per launch. */
struct exec_inst {
    exec_fn *run;
    exec_fn *body; /* what run calls where it does no more than prepare the ground */
    struct exec_source a, b, c;
    struct exec_source pp, pq,
        pr;     /* kind SASS_PREDICATE, SASS_UNIFORM_PREDICATE or SASS_NONE (true) */
    uint16_t d; /* row of the first destination register: EXEC_SINK for RZ; of ur if uniform */
    uint8_t d_words;
    uint8_t pu, pv; /* SASS_PT: none */
    bool uniform;   /* the destination is a uniform register */
    bool uniform_p; /* pu and pv are uniform predicates */
    uint8_t guard;
    bool guard_negate, guard_uniform;
    uint8_t rounding; /* mode that run sets around body */
    uint32_t mod[8];  /* what the operation's prepare function made of the modifiers */
    const struct sass_inst *sass;
};

/* A warp that has run nothing: all registers and predicates zero, but p[7] and up[7]. */
void exec_warp_start(struct exec_warp *warp);

/*
 * Fills all members of *inst but run, body and mod from a decoded instruction, which must outlive
 * it. Constant operands get their values from bank[0..EXEC_BANKS-1]; bytes beyond a bank read as
 * zero. Sources of kind SASS_CONSTANT_UNIFORM keep no value: nothing here reads them.
 */
void exec_fill(struct exec_inst *inst, const struct sass_inst *sass,
               const struct exec_bank bank[EXEC_BANKS]);

/* One 32-bit word for each lane, without negation; `room` is used where the register file does not
 * hold it. `word`: 0 low, 1 high of a pair, and so on; RZ and URZ give 0 for all words, an
 * immediate or constant value[0] and value[1], then 0. */
const uint32_t *exec_read(const struct exec_warp *warp, const struct exec_source *source,
                          uint32_t word, uint32_t room[EXEC_LANES]);

/* As integer (two's complement negation) or as f32 bits (sign bit, absolute value). */
const uint32_t *exec_read_int(const struct exec_warp *warp, const struct exec_source *source,
                              uint32_t room[EXEC_LANES]);
const uint32_t *exec_read_float(const struct exec_warp *warp, const struct exec_source *source,
                                uint32_t room[EXEC_LANES]);
/* 64 bits from words 0 and 1, negation not applied. */
void exec_read_wide(const struct exec_warp *warp, const struct exec_source *source,
                    uint64_t value[EXEC_LANES]);

/* Lane mask of a predicate source, with its negation; SASS_NONE: all lanes. */
uint32_t exec_predicate(const struct exec_warp *warp, const struct exec_source *source);

/* Writes word `word` of the destination for `lanes`; a uniform one takes the lowest of the lanes.
 * `value` may not lie in the register file. */
void exec_write(struct exec_warp *warp, const struct exec_inst *inst, uint32_t word, uint32_t lanes,
                const uint32_t value[EXEC_LANES]);
void exec_write_wide(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes,
                     const uint64_t value[EXEC_LANES]);

/* Sets predicate `index` (pu, pv; SASS_PT: nothing) of `lanes` to their bits in `mask`; a uniform
 * one to the bit of the lowest of the lanes. */
void exec_write_predicate(struct exec_warp *warp, const struct exec_inst *inst, uint8_t index,
                          uint32_t lanes, uint32_t mask);

#endif
