/*
 * MODEL: MUFU: applies a special function (mufu_function.h) to one lane after the other.
 * SOURCE: measured on an H200, bit for bit: tests/unit/test_sass_mufu.c.
 * LEFT OUT: GPUs before sm_90 may differ.
 */
#include "exec/alu/half.h"
#include "exec/alu/mufu_function.h"

/* MUFU in single precision. mod[0]: the function. */
static void mufu(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t room[EXEC_LANES], out[EXEC_LANES];
    const uint32_t *b = exec_read_float(warp, &inst->b, room);
    mufu_fn *const function = mufu_functions[inst->mod[0]];
    for (unsigned i = 0; i < EXEC_LANES; i++)
        out[i] = lanes & exec_lane_bit[i] ? function(b[i]) : 0;
    exec_write(warp, inst, 0, lanes, out);
}

/* Values of SASS_MOD_F16. */
enum { SINGLE, HALF, BF16 };

/* MUFU of a 16-bit number. The result goes to the lower half of D, and the upper half becomes 0
 * (measured on an H200). mod[1]: the operand is the upper half; mod[2]: bfloat16. */
static void mufu_16(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    float low[EXEC_LANES], high[EXEC_LANES];
    uint32_t out[EXEC_LANES];
    half_read(warp, &inst->b, inst->mod[2], false, low, high);
    for (unsigned i = 0; i < EXEC_LANES; i++) {
        const uint32_t single = alu_float_bits(inst->mod[1] ? high[i] : low[i]);
        const enum mufu_function function = (enum mufu_function)inst->mod[0];
        out[i] = inst->mod[2] ? mufu_bf16(function, single) : mufu_half(function, single);
    }
    exec_write(warp, inst, 0, lanes, out);
}

bool alu_mufu(struct exec_inst *inst, const char **why)
{
    const uint32_t format = alu_mod(inst, SASS_MOD_F16);
    alu_second_operand(inst);
    inst->mod[0] = alu_mod(inst, SASS_MOD_FUNCTION);
    inst->mod[1] = alu_mod(inst, SASS_MOD_SELECT);
    inst->mod[2] = format == BF16;
    inst->run = format == SINGLE ? mufu : mufu_16;
    const bool short_function = inst->mod[0] == MUFU_EX2 || inst->mod[0] == MUFU_TANH;
    if (inst->mod[0] < MUFU_COUNT && (format == SINGLE || (format <= BF16 && short_function)))
        return true;
    *why = "a function of MUFU that is not known";
    return false;
}
