/*
 * MODEL: single-precision arithmetic: FADD, FMUL, FFMA. Every NaN result is 0x7fffffff. .FTZ takes
 * denormal operands for zeros and makes denormal results zeros, of their sign. .SAT clamps to [0,
 * 1] and makes NaN and -0 +0.
 * SOURCE: measured on an H200: tests/unit/test_sass_alu_measured.c compares results bit for bit;
 * CUDA programming guide, floating-point standard; PTX ISA.
 * LEFT OUT: for FADD and FFMA with .FTZ, whether a result counts as denormal before or after
 * rounding was not measured; here after.
 */
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "exec/alu/alu.h"
#include "exec/alu/rounding.h"

enum { FTZ = 1, SAT = 2 };

/*
 * The modifier that means no scale. FMUL's scales .D8 .D4 .D2, none, .M2 .M4 .M8 are 1 to 7. The
 * product is scaled before it is rounded (measured on an H200: patched into a cubin, 4096 products
 * around the edges).
 */
enum { NO_SCALE = 4 };

static inline uint32_t finish(float value, int flags)
{
    uint32_t bits = alu_float_bits(value);
    if (flags & FTZ)
        bits = alu_flush(bits);
    if (!(flags & SAT))
        return alu_is_nan(bits) ? 0x7fffffffu : bits;
    /* As signed integers, the bits of positive numbers are in the order of the numbers, and the
     * bits of negative numbers are below 0. */
    bits = (int32_t)bits < 0 || alu_is_nan(bits) ? 0 : bits;
    return (int32_t)bits > 0x3f800000 ? 0x3f800000u : bits;
}

static inline float input(uint32_t bits, int flags)
{
    return alu_float(flags & FTZ ? alu_flush(bits) : bits);
}

/* Body of a run function with two operands. `result` is an expression in x and y. */
#define LANES_OF_TWO(flags, result)                                                                \
    uint32_t room[2][EXEC_LANES], out[EXEC_LANES];                                                 \
    const uint32_t *a = exec_read_float(warp, &inst->a, room[0]);                                  \
    const uint32_t *b = exec_read_float(warp, &inst->b, room[1]);                                  \
    for (unsigned i = 0; i < EXEC_LANES; i++) {                                                    \
        const float x = input(a[i], flags), y = input(b[i], flags);                                \
        out[i] = finish(result, flags);                                                            \
    }                                                                                              \
    exec_write(warp, inst, 0, lanes, out);

/* Body of a run function with three operands. `fuse` sets z to the fused x y + z. */
#define LANES_OF_FMA(flags, fuse)                                                                  \
    uint32_t room[3][EXEC_LANES], out[EXEC_LANES];                                                 \
    float x[EXEC_LANES], y[EXEC_LANES], z[EXEC_LANES];                                             \
    const uint32_t *a = exec_read_float(warp, &inst->a, room[0]);                                  \
    const uint32_t *b = exec_read_float(warp, &inst->b, room[1]);                                  \
    const uint32_t *c = exec_read_float(warp, &inst->c, room[2]);                                  \
    for (unsigned i = 0; i < EXEC_LANES; i++) {                                                    \
        x[i] = input(a[i], flags);                                                                 \
        y[i] = input(b[i], flags);                                                                 \
        z[i] = input(c[i], flags);                                                                 \
    }                                                                                              \
    fuse(x, y, z);                                                                                 \
    for (unsigned i = 0; i < EXEC_LANES; i++)                                                      \
        out[i] = finish(z[i], flags);                                                              \
    exec_write(warp, inst, 0, lanes, out);

#define RUN(name, ...)                                                                             \
    static void name(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)         \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

RUN(fadd, LANES_OF_TWO(0, x + y))
RUN(fadd_ftz, LANES_OF_TWO(FTZ, x + y))
RUN(fadd_sat, LANES_OF_TWO(SAT, x + y))
RUN(fadd_ftz_sat, LANES_OF_TWO(FTZ | SAT, x + y))
/*
 * Rounds an exact product to single precision. Double precision holds the product of two singles
 * exactly, and this product times a power of two. With FTZ a product that is denormal before
 * rounding gives 0 (measured with the scale).
 */
static inline float rounded_product(double exact, int flags)
{
    if (flags & FTZ && __builtin_fabs(exact) < 0x1p-126)
        exact = __builtin_copysign(0.0, exact);
    return (float)exact;
}

#define PRODUCT_FTZ rounded_product((double)x *(double)y, FTZ)

RUN(fmul, LANES_OF_TWO(0, x *y))
RUN(fmul_ftz, LANES_OF_TWO(FTZ, PRODUCT_FTZ))
RUN(fmul_sat, LANES_OF_TWO(SAT, x *y))
RUN(fmul_ftz_sat, LANES_OF_TWO(FTZ | SAT, PRODUCT_FTZ))
#define LANES_OF_SCALED(flags)                                                                     \
    const double scale = inst->mod[0] < NO_SCALE ? 1.0 / (1u << (NO_SCALE - inst->mod[0]))         \
                                                 : 1u << (inst->mod[0] - NO_SCALE);                \
    LANES_OF_TWO(flags, rounded_product((double)x *(double)y *scale, flags))

RUN(fmul_scaled, LANES_OF_SCALED(0))
RUN(fmul_scaled_ftz, LANES_OF_SCALED(FTZ))
RUN(fmul_scaled_sat, LANES_OF_SCALED(SAT))
RUN(fmul_scaled_ftz_sat, LANES_OF_SCALED(FTZ | SAT))

static void fuse_each(const float *x, const float *y, float *z)
{
    for (unsigned i = 0; i < EXEC_LANES; i++)
        z[i] = __builtin_fmaf(x[i], y[i], z[i]);
}

RUN(ffma, LANES_OF_FMA(0, fuse_each))
RUN(ffma_ftz, LANES_OF_FMA(FTZ, fuse_each))
RUN(ffma_sat, LANES_OF_FMA(SAT, fuse_each))
RUN(ffma_ftz_sat, LANES_OF_FMA(FTZ | SAT, fuse_each))

/*
 * Variants with the host's fused multiply-add instruction, which not every x86-64 processor has.
 * Without the instruction, a fused multiply-add is a function call for each lane. The intrinsics
 * are explicit because compilers do not vectorise code that has to keep to the current rounding
 * mode.
 */
#if defined(__x86_64__)
#define FUSED __attribute__((target("avx2,fma")))

FUSED static inline void fuse_eight(const float *x, const float *y, float *z)
{
    for (unsigned i = 0; i < EXEC_LANES; i += 8)
        _mm256_storeu_ps(z + i, _mm256_fmadd_ps(_mm256_loadu_ps(x + i), _mm256_loadu_ps(y + i),
                                                _mm256_loadu_ps(z + i)));
}

#define RUN_FUSED(name, flags) FUSED RUN(name, LANES_OF_FMA(flags, fuse_eight))
RUN_FUSED(ffma_host, 0)
RUN_FUSED(ffma_host_ftz, FTZ)
RUN_FUSED(ffma_host_sat, SAT)
RUN_FUSED(ffma_host_ftz_sat, FTZ | SAT)

static bool host_fuses(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}
#else
#define ffma_host         ffma
#define ffma_host_ftz     ffma_ftz
#define ffma_host_sat     ffma_sat
#define ffma_host_ftz_sat ffma_ftz_sat

static bool host_fuses(void)
{
    return false;
}
#endif

/* Run functions, indexed by FTZ | SAT. */
static exec_fn *const run_fadd[] = {fadd, fadd_ftz, fadd_sat, fadd_ftz_sat};
static exec_fn *const run_fmul[] = {fmul, fmul_ftz, fmul_sat, fmul_ftz_sat};
static exec_fn *const run_fmul_scaled[] = {fmul_scaled, fmul_scaled_ftz, fmul_scaled_sat,
                                           fmul_scaled_ftz_sat};
static exec_fn *const run_ffma[] = {ffma, ffma_ftz, ffma_sat, ffma_ftz_sat};
static exec_fn *const run_ffma_host[] = {ffma_host, ffma_host_ftz, ffma_host_sat,
                                         ffma_host_ftz_sat};

static void choose(struct exec_inst *inst, exec_fn *const run[4])
{
    const int flags =
        (alu_mod(inst, SASS_MOD_FTZ) ? FTZ : 0) | (alu_mod(inst, SASS_MOD_SAT) ? SAT : 0);
    rounding_choose(inst, run[flags]);
}

bool alu_fadd(struct exec_inst *inst, const char **why)
{
    (void)why;
    alu_second_operand(inst);
    choose(inst, run_fadd);
    return true;
}

bool alu_fmul(struct exec_inst *inst, const char **why)
{
    const uint32_t scale = alu_mod(inst, SASS_MOD_SCALE);
    if (scale == 0) {
        *why = "a product with an unknown scale";
        return false;
    }
    alu_second_operand(inst);
    inst->mod[0] = scale;
    choose(inst, scale == NO_SCALE ? run_fmul : run_fmul_scaled);
    return true;
}

bool alu_ffma(struct exec_inst *inst, const char **why)
{
    (void)why;
    choose(inst, host_fuses() ? run_ffma_host : run_ffma);
    return true;
}
