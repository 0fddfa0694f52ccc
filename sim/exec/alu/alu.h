/*
 * What the operations on registers have in common. Each is split in two: a prepare function, which
 * looks at the modifiers once, and the run function that it chooses, whose loops over the lanes
 * are free of decisions.
 */
#ifndef SIM_EXEC_ALU_ALU_H
#define SIM_EXEC_ALU_ALU_H

#include <string.h>

#include "exec/control/exec_warp.h"

/*
 * Fills run, body and mod of *inst, whose other members exec_fill has filled, for an operation that
 * works on registers alone (arithmetic, logic, conversions, predicates, votes, shuffles, matrix
 * products). It may rewrite sources (a, b, c). False: it is none of these, or a modifier of it is
 * not supported (*why says which, static text).
 */
bool exec_prepare_alu(struct exec_inst *inst, const char **why);

/* Fills run, body and mod of *inst. False: *why says what is not supported. */
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
alu_prepare alu_f2f, alu_f2fp, alu_f2i, alu_f2ip, alu_i2f, alu_i2fp, alu_frnd, alu_i2i;
/* alu_fp8.c: F2FP to and from 8 bits; cannot fail */
void alu_f2fp_8(struct exec_inst *inst);
/* The value of the number in the low 8 bits: E4M3, or E5M2. */
float alu_fp8_value(bool e4m3, uint32_t bits);
/* mufu.c */
alu_prepare alu_mufu;
/* alu_matrix.c, alu_matrix_int.c */
alu_prepare alu_hmma, alu_qmma, alu_dmma, alu_imma, alu_bmma;

static inline uint32_t alu_mod(const struct exec_inst *inst, enum sass_mod mod)
{
    return sass_mod(inst->sass, mod);
}

/* The second operand of an operation of two, wherever the encoding has it. */
static inline void alu_second_operand(struct exec_inst *inst)
{
    if (inst->b.kind == SASS_NONE)
        inst->b = inst->c;
}

/* An f64 immediate is the high word. */
static inline void alu_wide_immediate(struct exec_source *source)
{
    if (source->kind != SASS_IMMEDIATE)
        return;
    source->value[1] = source->value[0];
    source->value[0] = 0;
}

/* A lane mask as one value for each lane: 1 where the bit is set, else 0. */
static inline void alu_spread(uint32_t mask, uint32_t one[EXEC_LANES])
{
    for (unsigned i = 0; i < EXEC_LANES; i++)
        one[i] = (mask & exec_lane_bit[i]) != 0;
}

/* The lanes whose value is not 0. */
static inline uint32_t alu_gather(const uint32_t value[EXEC_LANES])
{
    uint32_t mask = 0;
    for (unsigned i = 0; i < EXEC_LANES; i++)
        mask |= value[i] ? exec_lane_bit[i] : 0;
    return mask;
}

enum { ALU_AND, ALU_OR, ALU_XOR };

/* How ISETP and its kin join what they found with a predicate. */
static inline uint32_t alu_join(uint32_t how, uint32_t mask, uint32_t with)
{
    return how == ALU_AND ? mask & with : how == ALU_OR ? mask | with : mask ^ with;
}

/* Sets Pu to the mask and Pv to its complement, each joined with Pp; mod[0] says how. */
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
 * The bits of a result in double precision. A NaN operand becomes the result, made quiet; of
 * several the last one (measured on an H200: B before A, C before A). Other NaN results are
 * 0xfff8000000000000.
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

/* Denormals become zeros of their sign. */
static inline uint32_t alu_flush(uint32_t bits)
{
    return bits & 0x7f800000u ? bits : bits & 0x80000000u;
}

static inline bool alu_is_nan(uint32_t bits)
{
    return (int32_t)(bits & 0x7fffffffu) > 0x7f800000;
}

#endif
