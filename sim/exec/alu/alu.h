/*
 * What the operations on registers share. Each operation has two functions. Its prepare function
 * reads the modifiers once per launch and chooses a run function. The run function loops over the
 * lanes of a warp without further decisions.
 */
#ifndef SIM_EXEC_ALU_ALU_H
#define SIM_EXEC_ALU_ALU_H

#include <string.h>

#include "exec/control/exec_warp.h"

/*
 * Prepares *inst for an operation that works on registers alone: arithmetic, logic, conversions,
 * predicates, votes, shuffles, matrix products. exec_fill has filled the other members. Fills run,
 * body and mod, and may rewrite the sources a, b and c. Returns false if the operation is none of
 * these, or if a modifier is not supported; *why is then a static text that names the reason.
 */
bool exec_prepare_alu(struct exec_inst *inst, const char **why);

/* Prepare function of one operation or of a few operations: fills run, body and mod of *inst.
 * Returns false and sets *why to a static text if a modifier is not supported. */
typedef bool alu_prepare(struct exec_inst *inst, const char **why);

/* alu_add.c */
alu_prepare alu_iadd3, alu_viadd, alu_lea, alu_iabs, alu_vabsdiff, alu_vabsdiff4;
/* alu_multiply.c */
alu_prepare alu_imad, alu_imad_wide, alu_imad_hi, alu_idp;
/* alu_compare.c */
alu_prepare alu_isetp;
/* alu_minmax.c */
alu_prepare alu_imnmx, alu_vimnmx3, alu_viaddmnmx;
/* alu_logic.c */
alu_prepare alu_mov, alu_sel, alu_lop3, alu_plop3, alu_p2r, alu_r2p;
/* alu_bits.c */
alu_prepare alu_prmt, alu_shf, alu_sgxt, alu_bmsk, alu_flo, alu_brev, alu_popc;
/* alu_lanes.c */
alu_prepare alu_vote, alu_match, alu_shfl, alu_redux, alu_r2ur, alu_elect, alu_movm;
/* alu_f32.c */
alu_prepare alu_fadd, alu_fmul, alu_ffma;
/* alu_f32_compare.c */
alu_prepare alu_fmnmx, alu_fsel, alu_fset, alu_fsetp, alu_fchk;
/* alu_f64.c */
alu_prepare alu_dadd, alu_dmul, alu_dfma, alu_dsetp;
/* alu_half.c */
alu_prepare alu_hadd2, alu_hmul2, alu_hfma2;
/* alu_half_compare.c */
alu_prepare alu_hset2, alu_hsetp2, alu_hmnmx2;
/* alu_convert.c */
alu_prepare alu_f2f, alu_f2fp, alu_f2fp_tf32, alu_f2i, alu_f2ip, alu_i2f, alu_i2fp, alu_frnd,
    alu_i2i;
/* alu_fp8.c: prepares F2FP to and from 8-bit numbers; cannot fail */
void alu_f2fp_8(struct exec_inst *inst);
/* Returns the value of the E4M3 number (`e4m3`) or E5M2 number in the low 8 bits of `bits`. */
float alu_fp8_value(bool e4m3, uint32_t bits);
/* mufu.c */
alu_prepare alu_mufu;
/* matrix/matrix_float.c, matrix/matrix_int.c, matrix/warpgroup.c */
alu_prepare alu_hmma, alu_qmma, alu_dmma, alu_imma, alu_bmma;
alu_prepare alu_hgmma, alu_qgmma, alu_igmma, alu_bgmma;

static inline uint32_t alu_mod(const struct exec_inst *inst, enum sass_mod mod)
{
    return sass_mod(inst->sass, mod);
}

/* Puts the second operand of an operation with two operands into b. Some encodings have it in c. */
static inline void alu_second_operand(struct exec_inst *inst)
{
    if (inst->b.kind == SASS_NONE)
        inst->b = inst->c;
}

/* Widens an f64 immediate: the encoding holds the high word, and the low word is 0. */
static inline void alu_wide_immediate(struct exec_source *source)
{
    if (source->kind != SASS_IMMEDIATE)
        return;
    source->value[1] = source->value[0];
    source->value[0] = 0;
}

/* Expands a lane mask: one[i] is 1 where bit i of `mask` is set, else 0. */
static inline void alu_spread(uint32_t mask, uint32_t one[EXEC_LANES])
{
    for (unsigned i = 0; i < EXEC_LANES; i++)
        one[i] = (mask & exec_lane_bit[i]) != 0;
}

/* Returns the mask of the lanes whose value is not 0. */
static inline uint32_t alu_gather(const uint32_t value[EXEC_LANES])
{
    uint32_t mask = 0;
    for (unsigned i = 0; i < EXEC_LANES; i++)
        mask |= value[i] ? exec_lane_bit[i] : 0;
    return mask;
}

enum { ALU_AND, ALU_OR, ALU_XOR };

/* Combines a comparison's result with a predicate, as the modifier .AND, .OR or .XOR (`how`) of
 * ISETP, FSETP and the like says. */
static inline uint32_t alu_join(uint32_t how, uint32_t mask, uint32_t with)
{
    return how == ALU_AND ? mask & with : how == ALU_OR ? mask | with : mask ^ with;
}

/* Writes a comparison's result: Pu gets `mask` and Pv its complement, each combined with Pp as
 * mod[0] says. */
static inline void alu_write_comparison(struct exec_warp *warp, const struct exec_inst *inst,
                                        uint32_t lanes, uint32_t mask)
{
    const uint32_t with = exec_predicate(warp, &inst->pp);
    exec_write_predicate(warp, inst, inst->pu, lanes, alu_join(inst->mod[0], mask, with));
    exec_write_predicate(warp, inst, inst->pv, lanes, alu_join(inst->mod[0], ~mask, with));
}

static inline float alu_float(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint32_t alu_float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline double alu_double(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint64_t alu_double_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/*
 * Returns the bits of a result in double precision. If an operand is NaN the result is this NaN,
 * made quiet; of several NaN operands the last in the order A, B, C (measured on an H200). All
 * other NaN results are 0xfff8000000000000.
 */
static inline uint64_t alu_double_result(double result, double a, double b, double c)
{
    const uint64_t quiet = UINT64_C(1) << 51;
    if (result == result)
        return alu_double_bits(result);
    if (c != c)
        return alu_double_bits(c) | quiet;
    if (b != b)
        return alu_double_bits(b) | quiet;
    return a != a ? alu_double_bits(a) | quiet : UINT64_C(0xfff8000000000000);
}

/* Flushes to zero: returns a zero of the same sign for a denormal, and other bits unchanged. */
static inline uint32_t alu_flush(uint32_t bits)
{
    return bits & 0x7f800000u ? bits : bits & 0x80000000u;
}

static inline bool alu_is_nan(uint32_t bits)
{
    return (int32_t)(bits & 0x7fffffffu) > 0x7f800000;
}

/* mod[0] of a SHFL: which lane a lane reads. */
enum { ALU_SHFL_IDX, ALU_SHFL_UP, ALU_SHFL_DOWN, ALU_SHFL_BFLY };

/* Sets from[i] to the lane that lane i of a SHFL reads; i if its source is out of the segment. */
void alu_shuffle_sources(const struct exec_warp *warp, const struct exec_inst *inst,
                         uint32_t from[EXEC_LANES]);

#endif
