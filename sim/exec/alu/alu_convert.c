/*
 * MODEL: conversions between number formats: F2F, F2FP, F2I, F2IP, FRND, I2F, I2FP, I2I.
 * SOURCE: measured on an H200: tests/unit/test_sass_alu_measured.c compares results bit for bit;
 * PTX ISA, cvt. Of F2IP only B was compared; A and C follow cvt.pack of the PTX ISA.
 * LEFT OUT: whether an F2I result of 8 or 16 bits is extended to the whole register, as here, was
 * not measured. F2IP.RELU and 8-bit floating-point numbers in F2F, F2I and I2F are refused.
 */
#include "exec/alu/half.h"
#include "exec/alu/rounding.h"

#include <math.h>

/* Values of SASS_MOD_SRC and SASS_MOD_DST. */
enum { SIZE_8, SIZE_16, SIZE_32, SIZE_64 };

/*
 * Meaning of inst->mod in this file. [0]: source size; [1]: result size; [2]: rounding mode; [3]:
 * .FTZ; [4] and [5]: as the comment of each function says; [6]: bfloat16 in place of half; [7]: the
 * source is the upper half of its register.
 */

static const struct float_format *format_of(const struct exec_inst *inst)
{
    static const struct float_format *const by_size[] = {
        [SIZE_16] = &float_half,
        [SIZE_32] = &float_single,
        [SIZE_64] = &float_double,
    };
    return inst->mod[6] && inst->mod[1] == SIZE_16 ? &float_bf16 : by_size[inst->mod[1]];
}

static void read_single(const struct exec_warp *warp, const struct exec_source *source, bool ftz,
                        double value[EXEC_LANES])
{
    uint32_t room[EXEC_LANES];
    const uint32_t *bits = exec_read_float(warp, source, room);
    for (unsigned i = 0; i < EXEC_LANES; i++)
        value[i] = (double)alu_float(ftz ? alu_flush(bits[i]) : bits[i]);
}

static void read_double(const struct exec_warp *warp, const struct exec_source *source,
                        double value[EXEC_LANES])
{
    uint64_t bits[EXEC_LANES];
    exec_read_wide(warp, source, bits);
    for (unsigned i = 0; i < EXEC_LANES; i++) {
        const double plain = alu_double(bits[i]);
        const double size = source->absolute ? fabs(plain) : plain;
        value[i] = source->negate ? -size : size;
    }
}

/* Reads B of any size as doubles. A double holds all values of the smaller formats. */
static void read_b(const struct exec_warp *warp, const struct exec_inst *inst,
                   double value[EXEC_LANES])
{
    float low[EXEC_LANES], high[EXEC_LANES];
    if (inst->mod[0] == SIZE_64) {
        read_double(warp, &inst->b, value);
    } else if (inst->mod[0] == SIZE_32) {
        read_single(warp, &inst->b, inst->mod[3], value);
    } else {
        half_read(warp, &inst->b, inst->mod[6], inst->mod[3], low, high);
        for (unsigned i = 0; i < EXEC_LANES; i++)
            value[i] = (double)(inst->mod[7] ? high[i] : low[i]);
    }
}

/* Writes `bits`, numbers in the result's format. A half goes to the lower half of D, whose upper
 * half becomes 0. */
static void write_floats(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes,
                         const uint64_t bits[EXEC_LANES])
{
    uint32_t out[EXEC_LANES];
    if (inst->mod[1] == SIZE_64) {
        exec_write_wide(warp, inst, lanes, bits);
        return;
    }
    for (unsigned i = 0; i < EXEC_LANES; i++)
        out[i] = (uint32_t)bits[i];
    if (inst->mod[3] && inst->mod[1] == SIZE_32)
        for (unsigned i = 0; i < EXEC_LANES; i++)
            out[i] = alu_flush(out[i]);
    exec_write(warp, inst, 0, lanes, out);
}

/* Reads the modifiers that all conversions have. */
static void prepare_modifiers(struct exec_inst *inst)
{
    alu_second_operand(inst);
    inst->mod[0] = alu_mod(inst, SASS_MOD_SRC) & 3;
    inst->mod[1] = alu_mod(inst, SASS_MOD_DST) & 3;
    inst->mod[2] = alu_mod(inst, SASS_MOD_RND) & 3;
    inst->mod[3] = alu_mod(inst, SASS_MOD_FTZ);
    inst->mod[6] = alu_mod(inst, SASS_MOD_BF16);
    inst->mod[7] = alu_mod(inst, SASS_MOD_SELECT);
    if (inst->mod[0] == SIZE_64)
        alu_wide_immediate(&inst->b);
}

static bool known_floats(const struct exec_inst *inst, const char **why)
{
    if (inst->mod[0] != SIZE_8 && inst->mod[1] != SIZE_8)
        return true;
    *why = "a conversion of 8-bit floating-point numbers";
    return false;
}

/* Rounds `value` to `format`. A NaN keeps its leading bits if the source or the result is of double
 * precision. */
static uint64_t narrow(const struct exec_inst *inst, const struct float_format *format,
                       double value, enum rounding mode)
{
    if (value != value && (inst->mod[0] == SIZE_64 || inst->mod[1] == SIZE_64))
        return float_convert_nan(format, value);
    return float_narrow(format, value, mode);
}

static void f2f(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    double value[EXEC_LANES];
    uint64_t bits[EXEC_LANES];
    const struct float_format *format = format_of(inst);
    read_b(warp, inst, value);
    for (unsigned i = 0; i < EXEC_LANES; i++)
        bits[i] = narrow(inst, format, value[i], (enum rounding)inst->mod[2]);
    write_floats(warp, inst, lanes, bits);
}

bool alu_f2f(struct exec_inst *inst, const char **why)
{
    prepare_modifiers(inst);
    inst->run = f2f;
    return known_floats(inst, why);
}

/* F2FP packs two single-precision numbers into a word: A into the upper half, B into the lower
 * half. mod[1]: bfloat16; mod[2]: rounding mode; mod[4]: .RELU, negative numbers become +0. */
static uint32_t pack(const struct exec_inst *inst, uint32_t bits)
{
    const float value = alu_float(bits), limited = inst->mod[4] && value <= 0 ? 0 : value;
    if (inst->mod[2] != ROUND_NEAREST)
        return (uint32_t)float_narrow(inst->mod[1] ? &float_bf16 : &float_half, (double)limited,
                                      (enum rounding)inst->mod[2]);
    return inst->mod[1] ? bf16_bits(limited) : half_bits(limited);
}

static void f2fp(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t room[2][EXEC_LANES], out[EXEC_LANES];
    const uint32_t *a = exec_read_float(warp, &inst->a, room[0]);
    const uint32_t *b = exec_read_float(warp, &inst->b, room[1]);
    for (unsigned i = 0; i < EXEC_LANES; i++)
        out[i] = pack(inst, a[i]) << 16 | pack(inst, b[i]);
    exec_write(warp, inst, 0, lanes, out);
}

bool alu_f2fp(struct exec_inst *inst, const char **why)
{
    enum { PACK_AB };
    (void)why;
    if (alu_mod(inst, SASS_MOD_PACK) != PACK_AB) {
        alu_f2fp_8(inst);
        return true;
    }
    inst->mod[1] = alu_mod(inst, SASS_MOD_FORMAT);
    inst->mod[2] = alu_mod(inst, SASS_MOD_RND) & 3;
    inst->mod[4] = alu_mod(inst, SASS_MOD_RELU);
    inst->run = f2fp;
    return true;
}

/*
 * F2FP.TF32 rounds a single-precision number to 10 bits of mantissa, to nearest or towards zero;
 * with .RELU negative numbers become +0. SOURCE: PTX ISA, cvt.rn.tf32.f32: a NaN is 0x7fffffff.
 */
static void f2fp_tf32(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    enum { DROPPED = 13 };
    const uint32_t infinity = 0x7f800000, kept = UINT32_MAX << DROPPED;
    uint32_t room[EXEC_LANES], out[EXEC_LANES];
    const uint32_t *b = exec_read_float(warp, &inst->b, room);
    for (unsigned i = 0; i < EXEC_LANES; i++) {
        const uint32_t bits = inst->mod[4] && b[i] >> 31 ? 0 : b[i];
        const uint32_t half =
            inst->mod[2] == ROUND_NEAREST ? (1u << (DROPPED - 1)) - 1 + (bits >> DROPPED & 1) : 0;
        out[i] = (b[i] & INT32_MAX) > infinity ? INT32_MAX : (bits + half) & kept;
    }
    exec_write(warp, inst, 0, lanes, out);
}

bool alu_f2fp_tf32(struct exec_inst *inst, const char **why)
{
    (void)why;
    inst->mod[2] = alu_mod(inst, SASS_MOD_RND) & 3;
    inst->mod[4] = alu_mod(inst, SASS_MOD_RELU);
    inst->run = f2fp_tf32;
    return true;
}

/* Rounds to an integral value; the host's rounding mode must be to nearest. */
static double integral(double value, uint32_t mode)
{
    switch (mode) {
    case ROUND_NEAREST:
        return rint(value);
    case ROUND_DOWN:
        return floor(value);
    case ROUND_UP:
        return ceil(value);
    default:
        return trunc(value);
    }
}

static void frnd(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    double value[EXEC_LANES];
    uint64_t bits[EXEC_LANES];
    const struct float_format *format = format_of(inst);
    read_b(warp, inst, value);
    for (unsigned i = 0; i < EXEC_LANES; i++)
        bits[i] = narrow(inst, format, integral(value[i], inst->mod[2]), ROUND_NEAREST);
    write_floats(warp, inst, lanes, bits);
}

bool alu_frnd(struct exec_inst *inst, const char **why)
{
    prepare_modifiers(inst);
    inst->mod[1] = inst->mod[0];
    inst->run = frnd;
    return known_floats(inst, why);
}

/*
 * Converts to an integer of 8 << mod[1] bits; values out of range give the nearest integer. mod[4]:
 * signed. mod[5]: .NTZ, NaN gives 0; without it NaN gives the integer whose top bit alone is set
 * (PTX ISA, cvt). That .NTZ is this difference follows from where compilers write it.
 */
static uint64_t to_integer(const struct exec_inst *inst, double value)
{
    const unsigned bits = 8u << inst->mod[1];
    const double bound = ldexp(1, (int)bits - (inst->mod[4] ? 1 : 0));
    if (value != value)
        return inst->mod[5] ? 0 : UINT64_C(1) << (bits - 1);
    const double whole = integral(value, inst->mod[2]);
    if (!inst->mod[4])
        return whole <= 0 ? 0 : whole >= bound ? UINT64_MAX >> (64 - bits) : (uint64_t)whole;
    if (whole >= bound)
        return UINT64_MAX >> (65 - bits);
    return whole <= -bound ? 0 - (UINT64_C(1) << (bits - 1)) : (uint64_t)(int64_t)whole;
}

/* F2I. Results of 8 and 16 bits are extended to the whole register, with the sign if they are
 * signed (not measured). */
static void f2i(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    double value[EXEC_LANES];
    uint64_t result[EXEC_LANES];
    uint32_t out[EXEC_LANES];
    read_b(warp, inst, value);
    for (unsigned i = 0; i < EXEC_LANES; i++)
        result[i] = to_integer(inst, value[i]);
    if (inst->mod[1] == SIZE_64) {
        exec_write_wide(warp, inst, lanes, result);
        return;
    }
    for (unsigned i = 0; i < EXEC_LANES; i++)
        out[i] = (uint32_t)result[i];
    exec_write(warp, inst, 0, lanes, out);
}

/* F2I in its frequent form: single precision to 32 bits, towards zero, .NTZ. mod[4]: signed. .FTZ,
 * mod[3], does not matter: denormals become 0 in either case. */
static void f2i_truncate(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t room[EXEC_LANES], out[EXEC_LANES];
    const uint32_t *bits = exec_read_float(warp, &inst->b, room);
    const double low = inst->mod[4] ? -2147483648.0 : 0;
    const double high = inst->mod[4] ? 2147483647.0 : 4294967295.0;
    for (unsigned i = 0; i < EXEC_LANES; i++) {
        double value = (double)alu_float(bits[i]);
        value = value > low ? value : low;
        value = value < high ? value : high;
        out[i] = alu_is_nan(bits[i]) ? 0 : (uint32_t)(int64_t)value;
    }
    exec_write(warp, inst, 0, lanes, out);
}

bool alu_f2i(struct exec_inst *inst, const char **why)
{
    prepare_modifiers(inst);
    inst->mod[4] = alu_mod(inst, SASS_MOD_SIGNED);
    inst->mod[5] = alu_mod(inst, SASS_MOD_NTZ);
    const bool frequent = inst->mod[0] == SIZE_32 && inst->mod[1] == SIZE_32 &&
                          inst->mod[2] == ROUND_ZERO && inst->mod[5];
    inst->run = frequent ? f2i_truncate : f2i;
    if (inst->mod[0] != SIZE_8)
        return true;
    *why = "a conversion of 8-bit floating-point numbers";
    return false;
}

/* I2F. mod[4]: signed; mod[5]: first bit of the source in its register. */
static void i2f(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint64_t value[EXEC_LANES], bits[EXEC_LANES];
    const struct float_format *format = format_of(inst);
    const unsigned width = 8u << inst->mod[0];
    exec_read_wide(warp, &inst->b, value);
    for (unsigned i = 0; i < EXEC_LANES; i++) {
        uint64_t part = value[i] >> inst->mod[5] & UINT64_MAX >> (64 - width);
        const bool negative = inst->mod[4] && part >> (width - 1);
        if (negative)
            part = (0 - part) & UINT64_MAX >> (64 - width);
        bits[i] = float_round(format, negative, part, 0, (enum rounding)inst->mod[2]);
    }
    write_floats(warp, inst, lanes, bits);
}

bool alu_i2f(struct exec_inst *inst, const char **why)
{
    prepare_modifiers(inst);
    inst->mod[4] = alu_mod(inst, SASS_MOD_SIGNED);
    inst->mod[5] = inst->mod[0] <= SIZE_16 ? 8 * (inst->mod[7] & 3) : 0;
    inst->run = i2f;
    if (inst->mod[0] == SIZE_64 && inst->b.kind == SASS_IMMEDIATE) {
        inst->b.value[0] = inst->sass->operand[SASS_B].value;
        inst->b.value[1] = inst->mod[4] ? 0u - (inst->b.value[0] >> 31) : 0;
    }
    if (inst->mod[1] != SIZE_8)
        return true;
    *why = "a conversion of 8-bit floating-point numbers";
    return false;
}

/* I2FP. A double holds every 32-bit integer, so the conversion to single precision is the only
 * rounding. */
static void i2fp_signed(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t room[EXEC_LANES], out[EXEC_LANES];
    const uint32_t *b = exec_read(warp, &inst->b, 0, room);
    for (unsigned i = 0; i < EXEC_LANES; i++)
        out[i] = alu_float_bits((float)(double)(int32_t)b[i]);
    exec_write(warp, inst, 0, lanes, out);
}

static void i2fp_unsigned(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t room[EXEC_LANES], out[EXEC_LANES];
    const uint32_t *b = exec_read(warp, &inst->b, 0, room);
    for (unsigned i = 0; i < EXEC_LANES; i++)
        out[i] = alu_float_bits((float)((double)(int32_t)(b[i] ^ 0x80000000u) + 0x1p31));
    exec_write(warp, inst, 0, lanes, out);
}

bool alu_i2fp(struct exec_inst *inst, const char **why)
{
    (void)why;
    alu_second_operand(inst);
    rounding_choose(inst, alu_mod(inst, SASS_MOD_SIGNED) ? i2fp_signed : i2fp_unsigned);
    return true;
}

/* I2I: clamps a signed word to the range of a shorter type. mod[0]: the type's lowest value;
 * mod[1]: its highest value. */
static void i2i(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t room[EXEC_LANES], out[EXEC_LANES];
    const uint32_t *b = exec_read(warp, &inst->b, 0, room);
    const int32_t low = (int32_t)inst->mod[0], high = (int32_t)inst->mod[1];
    for (unsigned i = 0; i < EXEC_LANES; i++) {
        const int32_t value = (int32_t)b[i];
        out[i] = (uint32_t)(value < low ? low : value > high ? high : value);
    }
    exec_write(warp, inst, 0, lanes, out);
}

bool alu_i2i(struct exec_inst *inst, const char **why)
{
    static const int32_t range[4][2] = {{0, 255}, {-128, 127}, {0, 65535}, {-32768, 32767}};
    (void)why;
    alu_second_operand(inst);
    const uint32_t type = alu_mod(inst, SASS_MOD_SATURATED) & 3;
    inst->mod[0] = (uint32_t)range[type][0];
    inst->mod[1] = (uint32_t)range[type][1];
    inst->run = i2i;
    return true;
}

/*
 * F2IP converts A and B to bytes, which become bits 15:8 and 7:0 of D; the upper half of D is the
 * lower half of C. The byte of B was compared with an H200; A and C follow cvt.pack of the PTX ISA.
 * mod[1]: SIZE_8.
 */
static void f2ip(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    double a[EXEC_LANES], b[EXEC_LANES];
    uint32_t room[EXEC_LANES], out[EXEC_LANES];
    const uint32_t *c = exec_read(warp, &inst->c, 0, room);
    read_single(warp, &inst->a, false, a);
    read_single(warp, &inst->b, false, b);
    for (unsigned i = 0; i < EXEC_LANES; i++) {
        const uint32_t upper = (uint32_t)to_integer(inst, a[i]) & 0xff;
        const uint32_t lower = (uint32_t)to_integer(inst, b[i]) & 0xff;
        out[i] = c[i] << 16 | upper << 8 | lower;
    }
    exec_write(warp, inst, 0, lanes, out);
}

bool alu_f2ip(struct exec_inst *inst, const char **why)
{
    inst->mod[1] = SIZE_8;
    inst->mod[2] = alu_mod(inst, SASS_MOD_RND) & 3;
    inst->mod[4] = alu_mod(inst, SASS_MOD_SIGNED);
    inst->mod[5] = alu_mod(inst, SASS_MOD_NTZ);
    inst->run = f2ip;
    if (!alu_mod(inst, SASS_MOD_RELU))
        return true;
    *why = "F2IP with .RELU";
    return false;
}
