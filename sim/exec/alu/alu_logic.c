/*
 * MODEL: logic and moves: MOV, SEL, LOP3, PLOP3, P2R, R2P and their uniform counterparts.
 * SOURCE: measured on an H200: tests/unit/test_sass_alu_measured.c compares results bit for bit;
 * PTX ISA.
 * LEFT OUT: that P2R shifts its mask B along with the byte was not measured.
 */
#include "exec/alu/alu.h"

#include "exec/alu/lut.h"

static void mov(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t room[2][EXEC_LANES];
    memcpy(room[1], exec_read(warp, &inst->b, 0, room[0]), sizeof room[1]);
    exec_write(warp, inst, 0, lanes, room[1]);
}

/* MOV with a byte mask. mod[0]: mask of the bits that are written. */
static void mov_bytes(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t room[2][EXEC_LANES];
    const uint32_t *b = exec_read(warp, &inst->b, 0, room[0]), *old = exec_row(warp, inst->d);
    uint32_t *out = room[1];
    for (unsigned i = 0; i < EXEC_LANES; i++)
        out[i] = (b[i] & inst->mod[0]) | (old[i] & ~inst->mod[0]);
    exec_write(warp, inst, 0, lanes, out);
}

bool alu_mov(struct exec_inst *inst, const char **why)
{
    alu_second_operand(inst);
    const uint32_t bytes = alu_mod(inst, SASS_MOD_BYTES);
    if (bytes == 0 || bytes == 15) { /* 0: the encoding has no mask */
        inst->run = mov;
        return true;
    }
    if (inst->uniform) {
        *why = "a move of single bytes to a uniform register";
        return false;
    }
    for (unsigned k = 0; k < 4; k++)
        inst->mod[0] |= bytes >> k & 1 ? 0xffu << 8 * k : 0;
    inst->run = mov_bytes;
    return true;
}

static void sel(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t room[3][EXEC_LANES];
    const uint32_t *a = exec_read_int(warp, &inst->a, room[0]);
    const uint32_t *b = exec_read_int(warp, &inst->b, room[1]);
    const uint32_t take = exec_predicate(warp, &inst->pp);
    uint32_t *out = room[2];
    for (unsigned i = 0; i < EXEC_LANES; i++)
        out[i] = take & exec_lane_bit[i] ? a[i] : b[i];
    exec_write(warp, inst, 0, lanes, out);
}

bool alu_sel(struct exec_inst *inst, const char **why)
{
    (void)why;
    alu_second_operand(inst);
    inst->run = sel;
    return true;
}

/* Computes LOP3 into out[]. mod[0]: truth table. */
static void lop3_into(struct exec_warp *warp, const struct exec_inst *inst,
                      uint32_t out[EXEC_LANES])
{
    uint32_t room[3][EXEC_LANES];
    const uint32_t *a = exec_read(warp, &inst->a, 0, room[0]);
    const uint32_t *b = exec_read(warp, &inst->b, 0, room[1]);
    const uint32_t *c = exec_read(warp, &inst->c, 0, room[2]);
    exec_lut[inst->mod[0]](a, b, c, out);
}

static void lop3(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t out[EXEC_LANES];
    lop3_into(warp, inst, out);
    exec_write(warp, inst, 0, lanes, out);
}

/* LOP3 with a predicate result: Pu says whether D is not 0, combined with Pp as mod[1] says. */
static void lop3_predicate(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t out[EXEC_LANES];
    lop3_into(warp, inst, out);
    const uint32_t mask = alu_join(inst->mod[1], alu_gather(out), exec_predicate(warp, &inst->pp));
    exec_write(warp, inst, 0, lanes, out);
    exec_write_predicate(warp, inst, inst->pu, lanes, mask);
}

bool alu_lop3(struct exec_inst *inst, const char **why)
{
    (void)why;
    inst->mod[0] = alu_mod(inst, SASS_MOD_LUT) & 0xff;
    inst->mod[1] = alu_mod(inst, SASS_MOD_PAND) ? ALU_AND : ALU_OR;
    inst->run = inst->pu == SASS_PT ? lop3 : lop3_predicate;
    return true;
}

/* Returns the lanes in which the truth table `table` of the masks p, q and r holds. */
static uint32_t look_up(uint32_t table, uint32_t p, uint32_t q, uint32_t r)
{
    uint32_t mask = 0;
    for (unsigned k = 0; k < 8; k++)
        if (table >> k & 1)
            mask |= (k & 4 ? p : ~p) & (k & 2 ? q : ~q) & (k & 1 ? r : ~r);
    return mask;
}

static void plop3(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    const uint32_t p = exec_predicate(warp, &inst->pp);
    const uint32_t q = exec_predicate(warp, &inst->pq);
    const uint32_t r = exec_predicate(warp, &inst->pr);
    exec_write_predicate(warp, inst, inst->pu, lanes, look_up(inst->mod[0], p, q, r));
    exec_write_predicate(warp, inst, inst->pv, lanes, look_up(inst->mod[1], p, q, r));
}

bool alu_plop3(struct exec_inst *inst, const char **why)
{
    (void)why;
    inst->mod[0] = alu_mod(inst, SASS_MOD_LUT);
    inst->mod[1] = alu_mod(inst, SASS_MOD_LUT2);
    inst->run = plop3;
    return true;
}

enum { PREDICATES = 7 };

/*
 * P2R writes P0 to P6 into a byte of D. The other bits of D come from A, as do the bits of
 * predicates that are not in the mask B. mod[0]: first bit of the byte. That the mask is shifted
 * along with the byte was not measured.
 */
static void p2r(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t room[3][EXEC_LANES];
    const uint32_t *a = exec_read(warp, &inst->a, 0, room[0]);
    const uint32_t *mask = exec_read(warp, &inst->b, 0, room[1]);
    const uint32_t *file = inst->uniform ? warp->up : warp->p;
    uint32_t *out = room[2];
    for (unsigned i = 0; i < EXEC_LANES; i++) {
        uint32_t found = 0;
        for (unsigned k = 0; k < PREDICATES; k++)
            found |= (file[k] >> i & 1) << k;
        const uint32_t take = (mask[i] & 0xff) << inst->mod[0];
        out[i] = (a[i] & ~take) | (found << inst->mod[0] & take);
    }
    exec_write(warp, inst, 0, lanes, out);
}

bool alu_p2r(struct exec_inst *inst, const char **why)
{
    (void)why;
    inst->mod[0] = 8 * (alu_mod(inst, SASS_MOD_BYTES) & 3);
    inst->run = p2r;
    return true;
}

/*
 * R2P sets each of P0 to P6 that is in the mask B from a byte of A. mod[0]: first bit of the byte.
 */
static void r2p(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t room[2][EXEC_LANES], bit[EXEC_LANES];
    const uint32_t *a = exec_read(warp, &inst->a, 0, room[0]);
    const uint32_t *mask = exec_read(warp, &inst->b, 0, room[1]);
    for (uint8_t k = 0; k < PREDICATES; k++) {
        for (unsigned i = 0; i < EXEC_LANES; i++)
            bit[i] = a[i] >> (inst->mod[0] + k) & 1;
        uint32_t wanted = 0;
        for (unsigned i = 0; i < EXEC_LANES; i++)
            wanted |= mask[i] >> k & 1 ? exec_lane_bit[i] : 0;
        if (wanted & lanes)
            exec_write_predicate(warp, inst, k, wanted & lanes, alu_gather(bit));
    }
}

bool alu_r2p(struct exec_inst *inst, const char **why)
{
    (void)why;
    inst->mod[0] = 8 * (alu_mod(inst, SASS_MOD_BYTES) & 3);
    inst->uniform_p = inst->sass->op == SASS_OP_UR2UP;
    inst->run = r2p;
    return true;
}
