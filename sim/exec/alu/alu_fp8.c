/*
 * MODEL: F2FP to and from 8-bit floating-point numbers: E4M3 (no infinities, one NaN of each sign,
 * values up to 448) and E5M2 (the upper byte of a half).
 * SOURCE: measured on an H200, bit for bit: tests/unit/test_sass_probes.c.
 * LEFT OUT: results with .BF16 were not compared with hardware.
 */
#include "exec/alu/half.h"
#include "exec/alu/rounding.h"

#include <math.h>

enum { UNPACK_B = 1, PACK_AB_MERGE_C, UNPACK_B_MERGE_C }; /* SASS_MOD_PACK */

/* Formats, indexed by SASS_MOD_FP8. */
static const struct fp8_format {
    int fraction_bits, smallest; /* smallest: exponent of the smallest normal number */
    uint32_t largest, nan;       /* bits of the largest finite number, and of a NaN result */
} formats[] = {{2, -14, 0x7b, 0x7f}, {3, -6, 0x7e, 0x7f}};

/* Meaning of inst->mod in this file. [0]: format; [1]: .RELU, negative numbers become +0; [2]:
 * bfloat16; [3]: first bit of the source in its register. */

/* Rounds to the nearest 8-bit number, ties to even. Numbers that are too large become the largest
 * finite number. */
static uint32_t narrow(const struct exec_inst *inst, float value)
{
    const struct fp8_format *format = &formats[inst->mod[0]];
    if (value != value)
        return format->nan;
    const uint32_t sign = alu_float_bits(value) >> 24 & 0x80;
    if (inst->mod[1] && sign)
        return 0;
    int exponent;
    (void)frexpf(value, &exponent);
    exponent = exponent - 1 < format->smallest || value == 0 ? format->smallest : exponent - 1;
    const double largest = ldexp(1, format->fraction_bits + 8);
    double last = ldexp(fabs((double)value), format->fraction_bits - exponent);
    last = last < largest ? rint(last) : largest;
    const int64_t bits =
        (int64_t)last + ((int64_t)(exponent - format->smallest) << format->fraction_bits);
    return sign | (bits < (int64_t)format->largest ? (uint32_t)bits : format->largest);
}

float alu_fp8_value(bool e4m3, uint32_t bits)
{
    const struct fp8_format *format = &formats[e4m3];
    const uint32_t magnitude = bits & 0x7f;
    const int field = (int)(magnitude >> format->fraction_bits);
    const uint32_t fraction = magnitude & ((1u << format->fraction_bits) - 1);
    const uint32_t whole = fraction | (field ? 1u << format->fraction_bits : 0);
    float value =
        ldexpf((float)whole, format->smallest - format->fraction_bits + (field ? field - 1 : 0));
    if (magnitude > format->largest)
        value = !e4m3 && magnitude == format->largest + 1 ? INFINITY : NAN;
    return bits & 0x80 ? -value : value;
}

/* Converts an 8-bit number to a half or a bfloat16 number; both formats hold every 8-bit number
 * exactly. */
static uint32_t widen(const struct exec_inst *inst, uint32_t bits)
{
    const float value = alu_fp8_value(inst->mod[0] != 0, bits);
    const float limited = inst->mod[1] && value <= 0 ? 0.0f : value;
    return inst->mod[2] ? bf16_bits(limited) : half_bits(limited);
}

/* Writes the two converted numbers to the lower half of D; the upper half of D is a half of C. */
static void merge(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes,
                  const float high[EXEC_LANES], const float low[EXEC_LANES])
{
    uint32_t room[EXEC_LANES], out[EXEC_LANES];
    const uint32_t *c = exec_read(warp, &inst->c, 0, room);
    for (unsigned i = 0; i < EXEC_LANES; i++)
        out[i] = c[i] >> inst->mod[3] << 16 | narrow(inst, high[i]) << 8 | narrow(inst, low[i]);
    exec_write(warp, inst, 0, lanes, out);
}

static void pack_singles(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t room[2][EXEC_LANES];
    float high[EXEC_LANES], low[EXEC_LANES];
    const uint32_t *a = exec_read_float(warp, &inst->a, room[0]);
    const uint32_t *b = exec_read_float(warp, &inst->b, room[1]);
    for (unsigned i = 0; i < EXEC_LANES; i++) {
        high[i] = alu_float(a[i]);
        low[i] = alu_float(b[i]);
    }
    merge(warp, inst, lanes, high, low);
}

static void pack_halves(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    float high[EXEC_LANES], low[EXEC_LANES];
    half_read(warp, &inst->b, false, false, low, high);
    merge(warp, inst, lanes, high, low);
}

static void unpack(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t room[EXEC_LANES], out[EXEC_LANES];
    const uint32_t *b = exec_read(warp, &inst->b, 0, room);
    for (unsigned i = 0; i < EXEC_LANES; i++) {
        const uint32_t pair = b[i] >> inst->mod[3];
        out[i] = widen(inst, pair >> 8 & 0xff) << 16 | widen(inst, pair & 0xff);
    }
    exec_write(warp, inst, 0, lanes, out);
}

void alu_f2fp_8(struct exec_inst *inst)
{
    static exec_fn *const run[] = {
        [UNPACK_B] = unpack, [PACK_AB_MERGE_C] = pack_singles, [UNPACK_B_MERGE_C] = pack_halves};
    inst->mod[0] = alu_mod(inst, SASS_MOD_FP8) & 1;
    inst->mod[1] = alu_mod(inst, SASS_MOD_RELU);
    inst->mod[2] = alu_mod(inst, SASS_MOD_FORMAT);
    inst->mod[3] = alu_mod(inst, SASS_MOD_SELECT) ? 16 : 0;
    inst->run = run[alu_mod(inst, SASS_MOD_PACK) & 3];
}
