/*
 * MODEL: operations between the lanes of a warp: VOTE, MATCH, SHFL, REDUX, R2UR, ELECT, MOVM.
 * SOURCE: measured on an H200: tests/unit/test_sass_alu_measured.c compares results bit for bit;
 * PTX ISA, vote, match, shfl, redux.
 * LEFT OUT: ELECT among the lanes of a mask register is refused.
 */
#include "exec/alu/alu.h"
#include "exec/control/exec_grid.h"

static unsigned lowest(uint32_t lanes)
{
    return (unsigned)__builtin_ctz(lanes);
}

/* Writes `value` to D of all `lanes`. */
static void write_same(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes,
                       uint32_t value)
{
    uint32_t out[EXEC_LANES];
    for (unsigned i = 0; i < EXEC_LANES; i++)
        out[i] = value;
    exec_write(warp, inst, 0, lanes, out);
}

enum { VOTE_ALL, VOTE_ANY, VOTE_EQ };

/* VOTE: D is the ballot of Pp. Pu says whether Pp holds in all lanes, in any lane, or in all or no
 * lanes, as mod[0] says. */
static void vote(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    const uint32_t ballot = exec_predicate(warp, &inst->pp) & lanes;
    const bool all = ballot == lanes, any = ballot != 0;
    const bool holds = inst->mod[0] == VOTE_ALL   ? all
                       : inst->mod[0] == VOTE_ANY ? any
                                                  : all || !any;
    write_same(warp, inst, lanes, ballot);
    exec_write_predicate(warp, inst, inst->pu, lanes, holds ? UINT32_MAX : 0);
}

bool alu_vote(struct exec_inst *inst, const char **why)
{
    inst->mod[0] = alu_mod(inst, SASS_MOD_VOTE);
    if (inst->mod[0] > VOTE_EQ) {
        *why = "a kind of vote that is not known";
        return false;
    }
    inst->run = vote;
    return true;
}

/* Returns the lanes of `lanes` whose value equals the value of lane `of`. */
static uint32_t same_as(const uint64_t value[EXEC_LANES], uint32_t lanes, unsigned of)
{
    uint32_t mask = 0;
    for (unsigned i = 0; i < EXEC_LANES; i++)
        mask |= value[i] == value[of] ? exec_lane_bit[i] : 0;
    return mask & lanes;
}

static void read_matched(const struct exec_warp *warp, const struct exec_inst *inst,
                         uint64_t value[EXEC_LANES])
{
    uint32_t room[EXEC_LANES];
    if (inst->mod[0]) {
        exec_read_wide(warp, &inst->a, value);
        return;
    }
    const uint32_t *a = exec_read(warp, &inst->a, 0, room);
    for (unsigned i = 0; i < EXEC_LANES; i++)
        value[i] = a[i];
}

/* MATCH.ANY: D is the mask of the lanes with the same value. mod[0]: values have 64 bits. The
 * number of distinct values, on which the time of MATCH depends, goes to exec_grid.token. */
static void match_any(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint64_t value[EXEC_LANES];
    uint32_t out[EXEC_LANES] = {0};
    uint8_t values = 0;
    read_matched(warp, inst, value);
    for (uint32_t left = lanes; left; values++) {
        const uint32_t same = same_as(value, lanes, lowest(left));
        for (unsigned i = 0; i < EXEC_LANES; i++)
            out[i] = same & exec_lane_bit[i] ? same : out[i];
        left &= ~same;
    }
    warp->block->grid->token = values;
    exec_write(warp, inst, 0, lanes, out);
}

static void match_all(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint64_t value[EXEC_LANES];
    read_matched(warp, inst, value);
    const bool all = same_as(value, lanes, lowest(lanes)) == lanes;
    write_same(warp, inst, lanes, all ? lanes : 0);
    exec_write_predicate(warp, inst, inst->pu, lanes, all ? UINT32_MAX : 0);
}

bool alu_match(struct exec_inst *inst, const char **why)
{
    (void)why;
    inst->mod[0] = alu_mod(inst, SASS_MOD_U64);
    inst->run = alu_mod(inst, SASS_MOD_ANY) ? match_any : match_all;
    return true;
}

/*
 * Sets *from to the lane that lane `i` reads (PTX ISA, shfl). c holds the segment mask in bits 12:8
 * and the highest lane in bits 4:0. Returns false if that lane is out of the segment; then *from is
 * `i`.
 */
static bool shuffle_from(uint32_t mode, unsigned i, uint32_t b, uint32_t c, unsigned *from)
{
    const uint32_t segment = c >> 8 & 31, by = b & 31;
    const uint32_t low = i & segment, bound = low | (c & 31 & ~segment);
    uint32_t j = low | (by & ~segment);
    if (mode == ALU_SHFL_UP)
        j = i - by;
    else if (mode == ALU_SHFL_DOWN)
        j = i + by;
    else if (mode == ALU_SHFL_BFLY)
        j = i ^ by;
    const bool inside = mode == ALU_SHFL_UP ? (int32_t)j >= (int32_t)bound : j <= bound;
    *from = inside ? j & 31 : i;
    return inside;
}

/* SHFL. A lane that reads an inactive lane gets the content of the inactive lane's register. */
static void shfl(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t room[3][EXEC_LANES], out[EXEC_LANES], inside = 0;
    const uint32_t *a = exec_read(warp, &inst->a, 0, room[0]);
    const uint32_t *b = exec_read(warp, &inst->b, 0, room[1]);
    const uint32_t *c = exec_read(warp, &inst->c, 0, room[2]);
    for (unsigned i = 0; i < EXEC_LANES; i++) {
        unsigned from;
        if (shuffle_from(inst->mod[0], i, b[i], c[i], &from))
            inside |= exec_lane_bit[i];
        out[i] = a[from];
    }
    exec_write(warp, inst, 0, lanes, out);
    exec_write_predicate(warp, inst, inst->pu, lanes, inside);
}

void alu_shuffle_sources(const struct exec_warp *warp, const struct exec_inst *inst,
                         uint32_t from[EXEC_LANES])
{
    uint32_t room[2][EXEC_LANES];
    const uint32_t *b = exec_read(warp, &inst->b, 0, room[0]);
    const uint32_t *c = exec_read(warp, &inst->c, 0, room[1]);
    for (unsigned i = 0; i < EXEC_LANES; i++) {
        unsigned lane;
        (void)shuffle_from(inst->mod[0], i, b[i], c[i], &lane);
        from[i] = lane;
    }
}

bool alu_shfl(struct exec_inst *inst, const char **why)
{
    (void)why;
    inst->mod[0] = alu_mod(inst, SASS_MOD_SHFL) & 3;
    inst->run = shfl;
    return true;
}

enum { REDUX_AND, REDUX_OR, REDUX_XOR, REDUX_SUM, REDUX_MIN, REDUX_MAX };

static uint32_t combine(uint32_t how, uint32_t x, uint32_t y, uint32_t flip)
{
    const bool less = (x ^ flip) < (y ^ flip);
    switch (how) {
    case REDUX_AND:
        return x & y;
    case REDUX_OR:
        return x | y;
    case REDUX_XOR:
        return x ^ y;
    case REDUX_SUM:
        return x + y;
    case REDUX_MIN:
        return less ? x : y;
    default:
        return less ? y : x;
    }
}

/* REDUX: reduces the values of all lanes to one value. mod[0]: operation; mod[1]: the sign bit for
 * signed values, else 0. */
static void redux(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t room[EXEC_LANES];
    const uint32_t *a = exec_read(warp, &inst->a, 0, room);
    uint32_t result = a[lowest(lanes)];
    for (uint32_t left = lanes & (lanes - 1); left; left &= left - 1)
        result = combine(inst->mod[0], result, a[lowest(left)], inst->mod[1]);
    write_same(warp, inst, lanes, result);
}

bool alu_redux(struct exec_inst *inst, const char **why)
{
    inst->mod[0] = alu_mod(inst, SASS_MOD_REDUX);
    inst->mod[1] = alu_mod(inst, SASS_MOD_SIGNED) ? 0x80000000u : 0;
    if (inst->mod[0] > REDUX_MAX) {
        *why = "a kind of reduction that is not known";
        return false;
    }
    inst->run = redux;
    return true;
}

/*
 * R2UR: D is the value of the lowest lane. Pu gets the lanes that have a different value (measured
 * on an H200). With .OR (mod[0]) these lanes are added to the lanes already in Pu, so that Pu
 * covers a value in several registers.
 */
static void r2ur(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t room[EXEC_LANES], others = 0;
    const uint32_t *value = exec_read(warp, &inst->a, 0, room), chosen = value[lowest(lanes)];
    for (unsigned i = 0; i < EXEC_LANES && inst->pu != SASS_PT; i++)
        others |= value[i] != chosen ? exec_lane_bit[i] : 0;
    if (inst->mod[0])
        others |= warp->p[inst->pu];
    exec_write_predicate(warp, inst, inst->pu, lanes, others);
    write_same(warp, inst, lanes, chosen);
}

bool alu_r2ur(struct exec_inst *inst, const char **why)
{
    (void)why;
    inst->mod[0] = alu_mod(inst, SASS_MOD_OR);
    inst->run = r2ur;
    return true;
}

/* ELECT: elects the lowest lane whose Pp holds. Pu is true in this lane, and D is its index. */
static void elect(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    const uint32_t candidates = exec_predicate(warp, &inst->pp) & lanes;
    const uint32_t elected = candidates & (0u - candidates);
    write_same(warp, inst, lanes, elected ? lowest(elected) : 0);
    exec_write_predicate(warp, inst, inst->pu, lanes, elected);
}

bool alu_elect(struct exec_inst *inst, const char **why)
{
    const struct sass_operand *mask =
        &inst->sass->operand[SASS_A]; /* a mask of lanes in place of Pp */
    *why = "ELECT among the lanes of a mask";
    inst->run = elect;
    return mask->kind == SASS_NONE || (mask->index == SASS_URZ && mask->negate);
}

/* MOVM transposes an 8 x 8 matrix of halves. Lane l holds row l / 4, columns 2 (l % 4) and 2 (l %
 * 4) + 1. */
static void movm(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t room[EXEC_LANES], out[EXEC_LANES];
    const uint32_t *a = exec_read(warp, &inst->a, 0, room);
    for (unsigned i = 0; i < EXEC_LANES; i++) {
        const unsigned row = i / 4, column = 2 * (i % 4);
        const unsigned shift = 16 * (row % 2);
        const uint32_t low = a[4 * column + row / 2] >> shift & 0xffff;
        const uint32_t high = a[4 * (column + 1) + row / 2] >> shift & 0xffff;
        out[i] = low | high << 16;
    }
    exec_write(warp, inst, 0, lanes, out);
}

bool alu_movm(struct exec_inst *inst, const char **why)
{
    (void)why;
    inst->run = movm;
    return true;
}
