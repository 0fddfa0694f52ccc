/* The architectural state of a warp while its instructions are executed, and how operations read
 * and write it. Registers are arrays over the lanes; predicates are lane masks. */
#ifndef SIM_EXEC_CONTROL_EXEC_WARP_H
#define SIM_EXEC_CONTROL_EXEC_WARP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sass/sass_inst.h"

/* exec_lane_bit[l] is the bit of lane l in a lane mask: lane l is in `lanes` if lanes &
 * exec_lane_bit[l] is not 0. Loops over the lanes vectorise with it. */
extern const uint32_t exec_lane_bit[32];

enum { EXEC_LANES = 32, EXEC_BREGS = 16, EXEC_BANKS = 32 };

struct exec_block; /* exec_block.h */

/*
 * Registers of a warp: exec_warp_bytes() of memory. ur[63] is always zero; p[7] and up[7] are all
 * ones. A uniform predicate is 0 or UINT32_MAX, so that every guard is a lane mask.
 */
struct exec_warp {
    _Alignas(64) struct exec_block *block;
    uint32_t live;      /* lanes that have not exited */
    uint32_t index;     /* number of the warp in its block */
    uint32_t registers; /* of a thread, that it holds (setmaxnreg) */
    uint32_t p[8];
    uint32_t up[8];
    uint32_t breg[EXEC_BREGS]; /* convergence barriers: lanes that take part */
    uint32_t ur[64];
    uint32_t rpc[2][EXEC_LANES];            /* the pair that RPCMOV moves: low and high word */
    _Alignas(64) uint32_t sink[EXEC_LANES]; /* what is written to RZ */
    _Alignas(64) uint32_t r[][EXEC_LANES];  /* rows 0 to exec_grid.rows - 1; there is none for RZ */
};

/* A row of zeros: what reads of RZ find. */
extern const uint32_t exec_zeros[EXEC_LANES];

/* Returns the row to read register `index` from. */
static inline const uint32_t *exec_row(const struct exec_warp *warp, uint32_t index)
{
    return index < SASS_RZ ? warp->r[index] : exec_zeros;
}

/* Returns the row to write register `index` to. */
static inline uint32_t *exec_row_to(struct exec_warp *warp, uint32_t index)
{
    return index < SASS_RZ ? warp->r[index] : warp->sink;
}

/* Returns the bytes of a warp with `rows` registers, a multiple of 64. */
static inline size_t exec_warp_bytes(uint32_t rows)
{
    return sizeof(struct exec_warp) + (size_t)rows * EXEC_LANES * sizeof(uint32_t);
}

/* A constant bank of a launch: its bytes do not change while the launch runs. */
struct exec_bank {
    const uint8_t *data; /* NULL: there is no such bank */
    uint32_t bytes;
};

/* A source operand of a prepared instruction. */
struct exec_source {
    uint8_t kind; /* enum sass_operand_kind */
    uint8_t index, bank, words, half;
    bool negate, absolute;
    uint32_t value[2]; /* value of an immediate or a constant (64 bits: low word first) */
    uint32_t offset;   /* of a constant in its bank, bytes */
};

struct exec_inst;
/* Executes an instruction for `lanes` of the warp, the active lanes whose guard is true; `lanes` is
 * not 0. */
typedef void exec_fn(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes);

/* An instruction, prepared for execution once per launch. */
struct exec_inst {
    exec_fn *run;
    exec_fn *body; /* what run calls in another rounding mode; NULL: not used */
    struct exec_source a, b, c;
    struct exec_source pp, pq,
        pr;    /* kind SASS_PREDICATE, SASS_UNIFORM_PREDICATE or SASS_NONE (true) */
    uint8_t d; /* the first destination register: in r, SASS_RZ for none; in ur if uniform */
    uint8_t d_words;
    uint8_t pu, pv; /* SASS_PT: none */
    bool uniform;   /* the destination is a uniform register */
    bool uniform_p; /* pu and pv are uniform predicates */
    uint8_t guard;
    bool guard_negate, guard_uniform;
    uint8_t rounding; /* rounding mode that run sets around body */
    uint32_t mod[8];  /* the modifiers, as the operation's prepare function encodes them */
    const struct sass_inst *sass;
};

/* Initialises a warp with `rows` registers that has executed nothing: all registers and predicates
 * are zero but p[7] and up[7]. */
void exec_warp_start(struct exec_warp *warp, uint32_t rows);

/* Returns memory for a warp with `rows` registers, initialised, or NULL. The caller frees it. */
struct exec_warp *exec_warp_create(uint32_t rows);

/*
 * Fills all members of *inst but run, body and mod from a decoded instruction, which must outlive
 * *inst. Constant operands get their values from bank[0..EXEC_BANKS-1]; bytes beyond a bank read as
 * zero. Sources of kind SASS_CONSTANT_UNIFORM keep no value: no function reads them.
 */
void exec_fill(struct exec_inst *inst, const struct sass_inst *sass,
               const struct exec_bank bank[EXEC_BANKS]);

/*
 * Returns one 32-bit word of a source for each lane, without negation. The result points into the
 * register file or to `room`. `word`: 0 for the low word, 1 for the high word of a pair, and so on.
 * RZ and URZ give 0 for all words; an immediate or constant gives value[0], value[1], then 0.
 */
const uint32_t *exec_read(const struct exec_warp *warp, const struct exec_source *source,
                          uint32_t word, uint32_t room[EXEC_LANES]);

/* As exec_read() of word 0, negated where the source says so. exec_read_int: as integers, in two's
 * complement. exec_read_float: as f32 bits, with absolute value and sign. */
const uint32_t *exec_read_int(const struct exec_warp *warp, const struct exec_source *source,
                              uint32_t room[EXEC_LANES]);
const uint32_t *exec_read_float(const struct exec_warp *warp, const struct exec_source *source,
                                uint32_t room[EXEC_LANES]);
/* Reads 64-bit values from words 0 and 1, without negation. Word 1 of a source of one register is
 * 0. */
void exec_read_wide(const struct exec_warp *warp, const struct exec_source *source,
                    uint64_t value[EXEC_LANES]);

/* Returns the lane mask of a predicate source, with its negation applied; SASS_NONE gives all
 * lanes. */
uint32_t exec_predicate(const struct exec_warp *warp, const struct exec_source *source);

/*
 * Writes word `word` of the destination for `lanes`. A uniform destination gets the value of the
 * lowest of the lanes. `value` must not lie in the register file. exec_write_wide writes words 0
 * and 1 from 64-bit values.
 */
void exec_write(struct exec_warp *warp, const struct exec_inst *inst, uint32_t word, uint32_t lanes,
                const uint32_t value[EXEC_LANES]);
void exec_write_wide(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes,
                     const uint64_t value[EXEC_LANES]);

/* Sets predicate `index` (pu or pv; SASS_PT: no effect) of `lanes` to their bits in `mask`. A
 * uniform predicate gets the bit of the lowest of the lanes. */
void exec_write_predicate(struct exec_warp *warp, const struct exec_inst *inst, uint8_t index,
                          uint32_t lanes, uint32_t mask);

#endif
