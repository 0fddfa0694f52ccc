/*
 * MODEL: accesses whose addresses or data belong to other lanes (LDSM, STSM), copies from global to
 * shared memory past the registers (LDGSTS), and queries of the memory that a generic address means
 * (QSPC).
 * SOURCE: PTX ISA, ldmatrix, stmatrix, cp.async, isspacep.
 * LEFT OUT: LDGSTS copies at once; code that reads before it has waited for the copy reads other
 * bytes on hardware.
 */
#include <string.h>

#include "exec/control/cluster.h"
#include "exec/memory/load_store.h"
#include "front/matrix_rows.h"

enum { ROW_BYTES = 16, ROWS = 8, MATRICES = 4 };

/* Finds the bytes of the rows of `matrices` matrices of 8 x 8 halves: lane 8q + r has the address
 * of row r of matrix q. Returns false if an address is wrong; the launch has then failed. */
static bool matrix_rows(struct exec_warp *warp, const struct exec_inst *inst, uint32_t matrices,
                        uint8_t *place[EXEC_LANES])
{
    uint64_t *address = warp->block->grid->addresses.lane;
    uint32_t lanes = matrices == 4 ? UINT32_MAX : (UINT32_C(1) << ROWS * matrices) - 1;
    exec_address_shared(warp, inst, address);
    if (!exec_find_shared(warp, inst, lanes, address, inst->mod[ACCESS_WRITES] != 0, place))
        return false;
    matrix_rows_spread((uint8_t)(4 * matrices), &warp->block->grid->addresses);
    return true;
}

/* Returns where half number `half` (0 or 1) of a lane lies: both are in one row, in neighbouring
 * columns. If the matrix is transposed, they are in one column, in neighbouring rows. */
static uint8_t *element(uint8_t *const place[EXEC_LANES], uint32_t matrix, uint32_t lane,
                        uint32_t half, bool transposed)
{
    uint32_t row = lane / 4, column = 2 * (lane % 4) + half;
    if (transposed)
        return place[ROWS * matrix + column] + (size_t)2 * row;
    return place[ROWS * matrix + row] + (size_t)2 * column;
}

static void load_matrices(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint8_t *place[EXEC_LANES];
    uint32_t matrices = inst->mod[ACCESS_WHAT], value[MATRICES][EXEC_LANES];
    bool transposed = inst->mod[ACCESS_TYPE] != 0;
    if (!matrix_rows(warp, inst, matrices, place))
        return;
    for (uint32_t m = 0; m < matrices; m++) {
        for (uint32_t lane = 0; lane < EXEC_LANES; lane++) {
            uint16_t half[2];
            memcpy(&half[0], element(place, m, lane, 0, transposed), sizeof half[0]);
            memcpy(&half[1], element(place, m, lane, 1, transposed), sizeof half[1]);
            value[m][lane] = half[0] | (uint32_t)half[1] << 16;
        }
    }
    for (uint32_t m = 0; m < matrices; m++)
        exec_write(warp, inst, m, lanes, value[m]);
}

static void store_matrices(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint8_t *place[EXEC_LANES];
    uint32_t matrices = inst->mod[ACCESS_WHAT];
    bool transposed = inst->mod[ACCESS_TYPE] != 0;
    if (!matrix_rows(warp, inst, matrices, place))
        return;
    for (uint32_t m = 0; m < matrices; m++) {
        uint32_t row = inst->mod[ACCESS_DATA] + m;
        for (uint32_t left = lanes; left; left &= left - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(left);
            uint32_t value = exec_row(warp, row)[lane];
            uint16_t half[2] = {(uint16_t)value, (uint16_t)(value >> 16)};
            memcpy(element(place, m, lane, 0, transposed), &half[0], sizeof half[0]);
            memcpy(element(place, m, lane, 1, transposed), &half[1], sizeof half[1]);
        }
    }
    warp->block->grid->changes++;
}

/* LDGSTS, executed at once. Where Pp is false, or the size is 0, the destination is filled with
 * zeros (.ZFILL) or left alone. */
static void copy_to_shared(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    struct exec_grid *grid = warp->block->grid;
    uint64_t shared[EXEC_LANES];
    uint8_t *from[EXEC_LANES], *to[EXEC_LANES];
    uint32_t copied = lanes & exec_predicate(warp, &inst->pp), bytes = inst->mod[ACCESS_BYTES];
    grid->idle = lanes & ~copied; /* an H100 counts no sectors of these */
    exec_address_wide(warp, inst, grid->addresses.lane);
    if (!exec_find_global(warp, inst, copied, grid->addresses.lane, from))
        return;
    const uint32_t filled = lanes;
    const uint32_t *base = exec_row(warp, inst->mod[ACCESS_DATA]);
    const struct sass_operand *added = &inst->sass->operand[SASS_C]; /* to the shared address */
    const uint32_t offset =
        inst->mod[ACCESS_TYPE] + (added->kind == SASS_UNIFORM ? warp->ur[added->index] : 0);
    for (unsigned lane = 0; lane < EXEC_LANES; lane++)
        shared[lane] = base[lane] + offset;
    if (!exec_find_shared(warp, inst, filled, shared, true, to))
        return;
    for (uint32_t left = filled; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        if (copied >> lane & 1)
            memcpy(to[lane], from[lane], bytes);
        else
            memset(to[lane], 0, bytes);
    }
    grid->changes++;
}

enum { SPACE_GLOBAL, SPACE_LOCAL, SPACE_SHARED, SPACE_DISTRIBUTED, SPACES }; /* SASS_MOD_SPACE */

/* QSPC. SPACE_SHARED is the block's own, SPACE_DISTRIBUTED that of all blocks of the cluster. */
static void query_space(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint64_t address[EXEC_LANES];
    uint32_t in[SPACES] = {0}, one[EXEC_LANES];
    exec_address_wide(warp, inst, address);
    in[SPACE_LOCAL] = exec_lanes_in_window(address, lanes, EXEC_LOCAL_WINDOW);
    in[SPACE_DISTRIBUTED] = exec_lanes_in_window(address, lanes, EXEC_SHARED_WINDOW);
    in[SPACE_GLOBAL] = ~(in[SPACE_LOCAL] | in[SPACE_DISTRIBUTED]);
    for (unsigned lane = 0; lane < EXEC_LANES; lane++)
        if ((uint32_t)address[lane] >> CLUSTER_RANK_BIT == warp->block->rank)
            in[SPACE_SHARED] |= in[SPACE_DISTRIBUTED] & UINT32_C(1) << lane;
    uint32_t found = in[inst->mod[ACCESS_WHAT]];
    for (unsigned lane = 0; lane < EXEC_LANES; lane++)
        one[lane] = found >> lane & 1;
    exec_write_predicate(warp, inst, inst->pu, lanes, found);
    exec_write(warp, inst, 0, lanes, one);
}

static bool prepare_matrices(struct exec_inst *inst, bool writes)
{
    uint32_t log = sass_mod(inst->sass, SASS_MOD_MATRICES);
    inst->mod[ACCESS_WHAT] = UINT32_C(1) << (log & 3);
    inst->mod[ACCESS_TYPE] = sass_mod(inst->sass, SASS_MOD_TRANSPOSE);
    inst->mod[ACCESS_BYTES] = ROW_BYTES;
    inst->mod[ACCESS_WRITES] = writes;
    inst->run = writes ? store_matrices : load_matrices;
    return log < 3;
}

static bool prepare_copy(struct exec_inst *inst)
{
    static const uint8_t bytes[8] = {0, 0, 0, 0, 4, 8, 16, 0};
    inst->mod[ACCESS_BYTES] = bytes[sass_mod(inst->sass, SASS_MOD_SIZE) & 7];
    inst->mod[ACCESS_WHAT] = sass_mod(inst->sass, SASS_MOD_ZFILL);
    /* The offset of the destination: signed, 20 bits. */
    inst->mod[ACCESS_TYPE] = (sass_mod(inst->sass, SASS_MOD_OFFSET2) ^ 0x80000) - 0x80000;
    inst->run = copy_to_shared;
    return inst->mod[ACCESS_BYTES] != 0;
}

static bool prepare_space(struct exec_inst *inst)
{
    inst->mod[ACCESS_WHAT] = sass_mod(inst->sass, SASS_MOD_SPACE);
    inst->run = query_space;
    return inst->mod[ACCESS_WHAT] < SPACES;
}

bool exec_prepare_collective(struct exec_inst *inst, const char **why)
{
    bool fine;
    exec_access_fill(inst);
    switch (inst->sass->op) {
    case SASS_OP_LDSM:
        fine = prepare_matrices(inst, false);
        break;
    case SASS_OP_STSM:
        fine = prepare_matrices(inst, true);
        break;
    case SASS_OP_LDGSTS:
        fine = prepare_copy(inst);
        break;
    case SASS_OP_QSPC:
        fine = prepare_space(inst);
        break;
    default:
        return false;
    }
    if (!fine)
        *why = "this form of the instruction is unknown";
    return fine;
}
