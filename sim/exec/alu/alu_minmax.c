/*
 * MODEL: minima and maxima of integers: IMNMX, VIMNMX, VIMNMX3, VIADDMNMX. Pp chooses the minimum.
 * Each half of a .16x2 operation is moved to the upper half of a word, where a comparison of words
 * gives its order.
 * SOURCE: measured on an H200: tests/unit/test_sass_alu_measured.c compares results bit for bit;
 * PTX ISA.
 * LEFT OUT: nothing known.
 */
#include "exec/alu/alu.h"

/* Meaning of inst->mod in this file. [0]: the sign bit for signed values, else 0; [1]: .RELU,
 * negative results become 0; [2]: values in a word, 1 or 2. */

/*
 * Sets out[] to the smaller of a and b in the lanes of `minimum`, to the larger in the other lanes.
 * Returns the lanes that took a. Flipping the sign bit, mod[0], maps signed order to unsigned
 * order.
 */
static uint32_t choose(const struct exec_inst *inst, uint32_t minimum, const uint32_t *a,
                       const uint32_t *b, uint32_t out[EXEC_LANES])
{
    const uint32_t flip = inst->mod[0];
    uint32_t less = 0, equal = 0;
    for (unsigned i = 0; i < EXEC_LANES; i++) {
        less |= (a[i] ^ flip) < (b[i] ^ flip) ? exec_lane_bit[i] : 0;
        equal |= a[i] == b[i] ? exec_lane_bit[i] : 0;
    }
    const uint32_t first = (less ^ ~minimum) | equal;
    for (unsigned i = 0; i < EXEC_LANES; i++)
        out[i] = first & exec_lane_bit[i] ? a[i] : b[i];
    return first;
}

/* Sets out[] to the upper halves (part 1) or the lower halves (part 0) of `value`, moved to the top
 * of a word, or to the whole words if a word is one value. */
static void part_of(const struct exec_inst *inst, const uint32_t *value, unsigned part,
                    uint32_t out[EXEC_LANES])
{
    const uint32_t keep = inst->mod[2] == 2 ? 0xffff0000u : UINT32_MAX;
    const unsigned shift = inst->mod[2] == 2 && part == 0 ? 16 : 0;
    for (unsigned i = 0; i < EXEC_LANES; i++)
        out[i] = (value[i] << shift) & keep;
}

/* Adds `value`, a part as part_of() makes it, to its place in out[]. */
static void add_part(const struct exec_inst *inst, const uint32_t *value, unsigned part,
                     uint32_t out[EXEC_LANES])
{
    const unsigned shift = inst->mod[2] == 2 && part == 0 ? 16 : 0;
    for (unsigned i = 0; i < EXEC_LANES; i++) {
        const uint32_t positive = inst->mod[1] ? ~(0u - (value[i] >> 31)) : UINT32_MAX;
        out[i] |= (value[i] & positive) >> shift;
    }
}

/* IMNMX and VIMNMX. Pu says that A was taken, also on a tie. For halves Pu belongs to the lower
 * half and Pv to the upper half. */
static void minmax(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t room[2][EXEC_LANES], x[EXEC_LANES], y[EXEC_LANES], one[EXEC_LANES];
    uint32_t out[EXEC_LANES] = {0}, first[2] = {0};
    const uint32_t *a = exec_read_int(warp, &inst->a, room[0]);
    const uint32_t *b = exec_read_int(warp, &inst->b, room[1]);
    const uint32_t minimum = exec_predicate(warp, &inst->pp);
    for (unsigned part = 0; part < inst->mod[2]; part++) {
        part_of(inst, a, part, x);
        part_of(inst, b, part, y);
        first[part] = choose(inst, minimum, x, y, one);
        add_part(inst, one, part, out);
    }
    exec_write(warp, inst, 0, lanes, out);
    exec_write_predicate(warp, inst, inst->pu, lanes, first[0]);
    exec_write_predicate(warp, inst, inst->pv, lanes, first[1]);
}

/* IMNMX in its frequent form: whole words, no Pu. */
static void minmax_words(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t room[3][EXEC_LANES], least[EXEC_LANES];
    const uint32_t *a = exec_read_int(warp, &inst->a, room[0]);
    const uint32_t *b = exec_read_int(warp, &inst->b, room[1]);
    uint32_t *out = room[2];
    const uint32_t flip = inst->mod[0];
    alu_spread(exec_predicate(warp, &inst->pp), least);
    for (unsigned i = 0; i < EXEC_LANES; i++) {
        const uint32_t less = (a[i] ^ flip) < (b[i] ^ flip);
        out[i] = less == least[i] ? a[i] : b[i];
    }
    exec_write(warp, inst, 0, lanes, out);
}

/* VIMNMX3 (mod[3] is 0): the minimum or maximum of A, B and C. VIADDMNMX (mod[3] is 1): of A + B,
 * which wraps, and C. */
static void minmax_three(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t room[3][EXEC_LANES], x[EXEC_LANES], y[EXEC_LANES], z[EXEC_LANES], one[EXEC_LANES];
    uint32_t out[EXEC_LANES] = {0};
    const uint32_t *a = exec_read(warp, &inst->a, 0, room[0]);
    const uint32_t *b = exec_read(warp, &inst->b, 0, room[1]);
    const uint32_t *c = exec_read(warp, &inst->c, 0, room[2]);
    const uint32_t minimum = exec_predicate(warp, &inst->pp);
    const uint32_t sign_b = inst->b.negate ? UINT32_MAX : 1,
                   sign_c = inst->c.negate ? UINT32_MAX : 1;
    for (unsigned part = 0; part < inst->mod[2]; part++) {
        part_of(inst, a, part, x);
        part_of(inst, b, part, y);
        part_of(inst, c, part, z);
        for (unsigned i = 0; i < EXEC_LANES; i++) {
            y[i] *= sign_b;
            z[i] *= sign_c;
            one[i] = x[i] + y[i];
        }
        if (!inst->mod[3])
            choose(inst, minimum, x, y, one);
        choose(inst, minimum, one, z, x);
        add_part(inst, x, part, out);
    }
    exec_write(warp, inst, 0, lanes, out);
}

static void prepare(struct exec_inst *inst, exec_fn *run)
{
    inst->mod[0] = alu_mod(inst, SASS_MOD_SIGNED) ? 0x80000000u : 0;
    inst->mod[1] = alu_mod(inst, SASS_MOD_RELU);
    inst->mod[2] = alu_mod(inst, SASS_MOD_PACKED) ? 2 : 1;
    inst->run = run;
}

bool alu_imnmx(struct exec_inst *inst, const char **why)
{
    (void)why;
    alu_second_operand(inst);
    prepare(inst, minmax);
    if (inst->mod[2] == 1 && !inst->mod[1] && inst->pu == SASS_PT)
        inst->run = minmax_words;
    return true;
}

bool alu_vimnmx3(struct exec_inst *inst, const char **why)
{
    (void)why;
    prepare(inst, minmax_three);
    return true;
}

bool alu_viaddmnmx(struct exec_inst *inst, const char **why)
{
    (void)why;
    prepare(inst, minmax_three);
    inst->mod[3] = 1;
    return true;
}
