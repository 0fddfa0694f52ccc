/*
 * MODEL: half and bfloat16 operands: swizzle, absolute value, sign, flushing.
 * SOURCE: measured on an H200: tests/unit/test_sass_alu_measured.c compares results bit for bit.
 * LEFT OUT: that a single-precision source of an operation on halves is cut off to a half is
 * inferred from compiled code for sm_75, not measured.
 */
#include "exec/alu/half.h"

#include "exec/alu/rounding.h"

static void convert(const uint32_t bits[EXEC_LANES], bool bf16, float value[EXEC_LANES])
{
    if (bf16)
        for (unsigned i = 0; i < EXEC_LANES; i++)
            value[i] = bf16_value(bits[i]);
    else
        for (unsigned i = 0; i < EXEC_LANES; i++)
            value[i] = half_value(bits[i]);
}

static void apply_signs(const struct exec_source *source, float value[EXEC_LANES])
{
    const uint32_t keep = source->absolute ? 0x7fffffffu : UINT32_MAX;
    const uint32_t flip = source->negate ? 0x80000000u : 0;
    for (unsigned i = 0; i < EXEC_LANES; i++)
        value[i] = alu_float((alu_float_bits(value[i]) & keep) ^ flip);
}

static void flush(bool bf16, float value[EXEC_LANES])
{
    const float smallest = bf16 ? 0x1p-126f : 0x1p-14f;
    for (unsigned i = 0; i < EXEC_LANES; i++) {
        const uint32_t bits = alu_float_bits(value[i]);
        const bool denormal = alu_float(bits & 0x7fffffffu) < smallest;
        value[i] = alu_float(denormal ? bits & 0x80000000u : bits);
    }
}

/* Returns a single-precision source of an operation on halves: cut off to a half. Inferred from
 * sm_75, where compilers write HADD2 D, A.F32, -RZ for the conversion that rounds towards zero. */
static float cut_off(uint32_t single)
{
    const double value = (double)alu_float(single);
    return half_value((uint32_t)float_narrow(&float_half, value, ROUND_ZERO));
}

void half_read(const struct exec_warp *warp, const struct exec_source *source, bool bf16, bool ftz,
               float low[EXEC_LANES], float high[EXEC_LANES])
{
    uint32_t room[EXEC_LANES], first[EXEC_LANES], second[EXEC_LANES];
    const uint32_t *word = exec_read(warp, source, 0, room);
    const unsigned shift_low = source->half == HALF_H1_H1 ? 16 : 0;
    const unsigned shift_high = source->half == HALF_H0_H0 ? 0 : 16;
    if (source->half == HALF_F32) {
        for (unsigned i = 0; i < EXEC_LANES; i++)
            low[i] = high[i] = cut_off(word[i]);
    } else {
        for (unsigned i = 0; i < EXEC_LANES; i++) {
            first[i] = word[i] >> shift_low & 0xffff;
            second[i] = word[i] >> shift_high & 0xffff;
        }
        convert(first, bf16, low);
        convert(second, bf16, high);
    }
    if (source->negate || source->absolute) {
        apply_signs(source, low);
        apply_signs(source, high);
    }
    if (ftz) {
        flush(bf16, low);
        flush(bf16, high);
    }
}
