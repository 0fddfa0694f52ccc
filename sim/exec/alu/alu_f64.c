/*
 * MODEL: double-precision arithmetic and comparisons: DADD, DMUL, DFMA, DSETP.
 * SOURCE: measured on an H200: tests/unit/test_sass_alu_measured.c compares results bit for bit.
 * That DSETP.MIN and .MAX set Pu and Pv as here is inferred from the code that compilers write
 * around them.
 * LEFT OUT: nothing known.
 */
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "exec/alu/alu.h"
#include "exec/alu/float_compare.h"
#include "exec/alu/rounding.h"

/* Reads a source, with its absolute value and sign applied. */
static void read_double(const struct exec_warp *warp, const struct exec_source *source,
                        double value[EXEC_LANES])
{
    uint64_t bits[EXEC_LANES];
    exec_read_wide(warp, source, bits);
    const uint64_t keep = source->absolute ? UINT64_MAX >> 1 : UINT64_MAX;
    const uint64_t flip = source->negate ? UINT64_C(1) << 63 : 0;
    for (unsigned i = 0; i < EXEC_LANES; i++)
        value[i] = alu_double((bits[i] & keep) ^ flip);
}

/* Writes `result` of the operands x, y and z, from which a NaN result comes. Callers with two
 * operands pass y for z. */
static void write_double(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes,
                         const double *result, const double *x, const double *y, const double *z)
{
    uint64_t bits[EXEC_LANES];
    for (unsigned i = 0; i < EXEC_LANES; i++)
        bits[i] = alu_double_result(result[i], x[i], y[i], z[i]);
    exec_write_wide(warp, inst, lanes, bits);
}

static void dadd(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    double x[EXEC_LANES], y[EXEC_LANES], result[EXEC_LANES];
    read_double(warp, &inst->a, x);
    read_double(warp, &inst->b, y);
    for (unsigned i = 0; i < EXEC_LANES; i++)
        result[i] = x[i] + y[i];
    write_double(warp, inst, lanes, result, x, y, y);
}

static void dmul(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    double x[EXEC_LANES], y[EXEC_LANES], result[EXEC_LANES];
    read_double(warp, &inst->a, x);
    read_double(warp, &inst->b, y);
    for (unsigned i = 0; i < EXEC_LANES; i++)
        result[i] = x[i] * y[i];
    write_double(warp, inst, lanes, result, x, y, y);
}

/* Body of a run function of DFMA. `fuse` sets result to the fused x y + z. */
#define LANES_OF_FMA(fuse)                                                                         \
    double x[EXEC_LANES], y[EXEC_LANES], z[EXEC_LANES], result[EXEC_LANES];                        \
    read_double(warp, &inst->a, x);                                                                \
    read_double(warp, &inst->b, y);                                                                \
    read_double(warp, &inst->c, z);                                                                \
    fuse(x, y, z, result);                                                                         \
    write_double(warp, inst, lanes, result, x, y, z);

static void fuse_each(const double *x, const double *y, const double *z, double *result)
{
    for (unsigned i = 0; i < EXEC_LANES; i++)
        result[i] = __builtin_fma(x[i], y[i], z[i]);
}

static void dfma(struct exec_warp *warp, const struct exec_inst *inst,
                 uint32_t lanes){LANES_OF_FMA(fuse_each)}

/* A variant with the host's fused multiply-add instruction: see alu_f32.c. */
#if defined(__x86_64__)
#define FUSED __attribute__((target("avx2,fma")))

FUSED
    static inline void fuse_four(const double *x, const double *y, const double *z, double *result)
{
    for (unsigned i = 0; i < EXEC_LANES; i += 4)
        _mm256_storeu_pd(result + i, _mm256_fmadd_pd(_mm256_loadu_pd(x + i), _mm256_loadu_pd(y + i),
                                                     _mm256_loadu_pd(z + i)));
}

FUSED static void dfma_host(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    LANES_OF_FMA(fuse_four)
}

static exec_fn *choose_dfma(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? dfma_host : dfma;
}
#else
static exec_fn *choose_dfma(void)
{
    return dfma;
}
#endif

bool alu_dadd(struct exec_inst *inst, const char **why)
{
    (void)why;
    alu_second_operand(inst);
    alu_wide_immediate(&inst->b);
    rounding_choose(inst, dadd);
    return true;
}

bool alu_dmul(struct exec_inst *inst, const char **why)
{
    (void)why;
    alu_second_operand(inst);
    alu_wide_immediate(&inst->b);
    rounding_choose(inst, dmul);
    return true;
}

bool alu_dfma(struct exec_inst *inst, const char **why)
{
    (void)why;
    alu_wide_immediate(&inst->b);
    alu_wide_immediate(&inst->c);
    rounding_choose(inst, choose_dfma());
    return true;
}

static void relations(const struct exec_warp *warp, const struct exec_inst *inst,
                      struct float_relations *found)
{
    double x[EXEC_LANES], y[EXEC_LANES];
    read_double(warp, &inst->a, x);
    read_double(warp, &inst->b, y);
    *found = (struct float_relations){0};
    for (unsigned i = 0; i < EXEC_LANES; i++) {
        found->less |= x[i] < y[i] ? exec_lane_bit[i] : 0;
        found->equal |= x[i] == y[i] ? exec_lane_bit[i] : 0;
        found->greater |= x[i] > y[i] ? exec_lane_bit[i] : 0;
    }
}

static void dsetp(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    struct float_relations found;
    relations(warp, inst, &found);
    alu_write_comparison(warp, inst, lanes, float_compare(inst->mod[1], &found));
}

/* Sets *nan to the lanes whose source is NaN and *negative to the lanes whose source has its sign
 * bit set. */
static void classify(const struct exec_warp *warp, const struct exec_source *source, uint32_t *nan,
                     uint32_t *negative)
{
    double x[EXEC_LANES];
    read_double(warp, source, x);
    *nan = *negative = 0;
    for (unsigned i = 0; i < EXEC_LANES; i++) {
        *nan |= x[i] != x[i] ? exec_lane_bit[i] : 0;
        *negative |= alu_double_bits(x[i]) >> 63 ? exec_lane_bit[i] : 0;
    }
}

/*
 * DSETP.MIN and DSETP.MAX (mod[2]), from which compilers make fmin and fmax: Pu is set where A is
 * the result, Pv where A and B are both NaN. Inferred from compiled code, which selects A or B by
 * Pu and makes a quiet NaN of B where Pv is set. -0 is below +0. The results agree with an H200.
 */
static void dsetp_choose(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    struct float_relations found;
    uint32_t nan[2], negative[2];
    relations(warp, inst, &found);
    classify(warp, &inst->a, &nan[0], &negative[0]);
    classify(warp, &inst->b, &nan[1], &negative[1]);
    const uint32_t better = inst->mod[2] ? found.greater : found.less;
    const uint32_t signs = inst->mod[2] ? negative[1] & ~negative[0] : negative[0] & ~negative[1];
    const uint32_t first = better | (found.equal & signs) | (nan[1] & ~nan[0]);
    const uint32_t with = exec_predicate(warp, &inst->pp);
    exec_write_predicate(warp, inst, inst->pu, lanes, alu_join(inst->mod[0], first, with));
    exec_write_predicate(warp, inst, inst->pv, lanes,
                         alu_join(inst->mod[0], nan[0] & nan[1], with));
}

bool alu_dsetp(struct exec_inst *inst, const char **why)
{
    enum { MIN = 0, MAX = 15 };
    alu_second_operand(inst);
    alu_wide_immediate(&inst->b);
    inst->mod[0] = alu_mod(inst, SASS_MOD_BOP);
    inst->mod[1] = alu_mod(inst, SASS_MOD_CMP) & 15;
    inst->mod[2] = inst->mod[1] == MAX;
    inst->run = inst->mod[1] == MIN || inst->mod[1] == MAX ? dsetp_choose : dsetp;
    if (inst->mod[0] <= ALU_XOR)
        return true;
    *why = "an unknown way to combine predicates";
    return false;
}
