/*
 * MODEL: comparisons of integers: ISETP and its uniform counterpart.
 * SOURCE: measured on an H200: tests/unit/test_sass_alu_measured.c compares results bit for bit;
 * PTX ISA.
 * LEFT OUT: nothing known.
 */
#include "exec/alu/alu.h"

/* Returns the mask of the lanes in which the comparison of a and b holds. */
typedef uint32_t compare_fn(const uint32_t *a, const uint32_t *b);

#define COMPARE(name, type, operator)                                                              \
    static uint32_t name(const uint32_t *a, const uint32_t *b)                                     \
    {                                                                                              \
        uint32_t mask = 0;                                                                         \
        for (unsigned i = 0; i < EXEC_LANES; i++)                                                  \
            mask |= (type)a[i] operator(type) b[i] ? exec_lane_bit[i] : 0;                         \
        return mask;                                                                               \
    }

COMPARE(less_signed, int32_t, <)
COMPARE(less_unsigned, uint32_t, <)
COMPARE(equal, uint32_t, ==)

/* Every comparison is LESS, EQUAL or NEVER, of (A, B) or with `swap` of (B, A), and with `invert`
 * its complement. */
enum { COMPARE_LESS, COMPARE_EQUAL, COMPARE_NEVER };

static const struct {
    uint8_t kind;
    bool swap, invert;
} comparison[8] = {
    {COMPARE_NEVER, false, false}, /* F */
    {COMPARE_LESS, false, false},  /* LT */
    {COMPARE_EQUAL, false, false}, /* EQ */
    {COMPARE_LESS, true, true},    /* LE */
    {COMPARE_LESS, true, false},   /* GT */
    {COMPARE_EQUAL, false, true},  /* NE */
    {COMPARE_LESS, false, true},   /* GE */
    {COMPARE_NEVER, false, true},  /* T */
};

/*
 * Returns the lanes in which the comparison holds, and in *ties (NULL: not wanted) the lanes with A
 * = B. mod[0]: how the result is combined with Pp; mod[1]: kind; mod[2]: inverted; mod[3]: signed.
 * alu_isetp has swapped A and B where necessary.
 */
static uint32_t compared(struct exec_warp *warp, const struct exec_inst *inst, uint32_t *ties)
{
    uint32_t room[2][EXEC_LANES];
    const uint32_t *a = exec_read(warp, &inst->a, 0, room[0]);
    const uint32_t *b = exec_read(warp, &inst->b, 0, room[1]);
    uint32_t mask = 0;
    if (inst->mod[1] == COMPARE_LESS)
        mask = inst->mod[3] ? less_signed(a, b) : less_unsigned(a, b);
    else if (inst->mod[1] == COMPARE_EQUAL)
        mask = equal(a, b);
    if (ties)
        *ties = equal(a, b);
    return inst->mod[2] ? ~mask : mask;
}

static void isetp(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    alu_write_comparison(warp, inst, lanes, compared(warp, inst, NULL));
}

/* ISETP.EX compares the high words of pairs. Where they are equal, the comparison of the low words,
 * Pr, decides. */
static void isetp_ex(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t ties;
    const uint32_t mask = compared(warp, inst, &ties);
    const uint32_t low = exec_predicate(warp, &inst->pr);
    alu_write_comparison(warp, inst, lanes, (mask & ~ties) | (low & ties));
}

bool alu_isetp(struct exec_inst *inst, const char **why)
{
    alu_second_operand(inst);
    const uint32_t code = alu_mod(inst, SASS_MOD_CMP) & 7;
    inst->mod[0] = alu_mod(inst, SASS_MOD_BOP);
    inst->mod[1] = comparison[code].kind;
    inst->mod[2] = comparison[code].invert;
    inst->mod[3] = alu_mod(inst, SASS_MOD_SIGNED);
    if (inst->mod[0] > ALU_XOR) {
        *why = "an unknown way to combine predicates";
        return false;
    }
    if (comparison[code].swap) {
        const struct exec_source a = inst->a;
        inst->a = inst->b;
        inst->b = a;
    }
    inst->run = alu_mod(inst, SASS_MOD_EX) ? isetp_ex : isetp;
    return true;
}
