/*
 * MODEL: special registers (S2R, S2UR, CS2R), constant memory (LDC, ULDC), RPCMOV and LEPC. Without
 * simulated time, clocks count executed warp instructions, four cycles for each.
 * SOURCE: numbers of the special registers: code that ptxas makes for PTX's special registers.
 * Steps of %globaltimer: 32 ns on an H100.
 * LEFT OUT: special registers that are not in the table `specials` are refused. %globaltimer of
 * other GPUs has steps of up to 1024 ns.
 */
#include <string.h>

#include "exec/control/fault.h"
#include "exec/memory/load_store.h"

enum special_register {
    SR_LANEID = 0x00,
    SR_VIRTCFG = 0x02,
    SR_VIRTID = 0x03,
    SR_TID = 0x20, /* packed: z in bits 31:26, y in 25:16, x in 15:0 */
    SR_TID_X = 0x21,
    SR_TID_Y = 0x22,
    SR_TID_Z = 0x23,
    SR_CTAID_X = 0x25,
    SR_CTAID_Y = 0x26,
    SR_CTAID_Z = 0x27,
    SR_SWINHI = 0x2f,
    SR_SWINLO = 0x30,
    SR_SMEMSZ = 0x32,
    SR_LMEMHIOFF = 0x37, /* end of the stack: code for debugging (-G) traps below it */
    SR_EQMASK = 0x38,
    SR_LTMASK = 0x39,
    SR_LEMASK = 0x3a,
    SR_GTMASK = 0x3b,
    SR_GEMASK = 0x3c,
    SR_VIRTUALSMID = 0x43,
    SR_CLOCKLO = 0x50,
    SR_CLOCKHI = 0x51,
    SR_GLOBALTIMERLO = 0x52,
    SR_GLOBALTIMERHI = 0x53,
    SR_CGACTAID = 0x88,
    SR_ZERO = 0xff
};

typedef uint64_t special_fn(const struct exec_warp *warp, uint32_t number, uint32_t lane);

static uint64_t lane_number(const struct exec_warp *warp, uint32_t number, uint32_t lane)
{
    (void)warp;
    (void)number;
    return lane;
}

static uint64_t lane_mask(const struct exec_warp *warp, uint32_t number, uint32_t lane)
{
    (void)warp;
    uint32_t one = UINT32_C(1) << lane;
    switch (number) {
    case SR_EQMASK:
        return one;
    case SR_LTMASK:
        return one - 1;
    case SR_LEMASK:
        return one | (one - 1);
    case SR_GTMASK:
        return ~(one | (one - 1));
    default:
        return ~(one - 1);
    }
}

static uint64_t thread_index(const struct exec_warp *warp, uint32_t number, uint32_t lane)
{
    const uint32_t *size = warp->block->grid->launch.block;
    uint32_t thread = warp->index * EXEC_LANES + lane;
    uint32_t x = thread % size[0], y = thread / size[0] % size[1], z = thread / size[0] / size[1];
    switch (number) {
    case SR_TID_X:
        return x;
    case SR_TID_Y:
        return y;
    case SR_TID_Z:
        return z;
    default:
        return x | y << 16 | z << 26;
    }
}

static uint64_t block_index(const struct exec_warp *warp, uint32_t number, uint32_t lane)
{
    (void)lane;
    return warp->block->id[number - SR_CTAID_X];
}

/* Finds the SM and the slot of the warp. Without timing, blocks go round the SMs, and the slot is
 * the warp's number in its block. */
static void find_place(const struct exec_warp *warp, uint32_t *sm, uint32_t *slot)
{
    const struct exec_grid *grid = warp->block->grid;
    const struct exec_slot *own = &warp->block->slot[warp->index];
    *sm = grid->pending ? own->sm : (uint32_t)(warp->block->index % grid->sms);
    *slot = grid->pending ? own->place : warp->index;
}

/* Reads %nwarpid (SR_VIRTCFG, bits 15:8) or %warpid (SR_VIRTID, bits 14:8). */
static uint64_t warp_slot(const struct exec_warp *warp, uint32_t number, uint32_t lane)
{
    uint32_t sm, slot;
    (void)lane;
    find_place(warp, &sm, &slot);
    return (number == SR_VIRTCFG ? SIMSM_SLOTS_PER_SM : slot) << 8;
}

static uint64_t sm_number(const struct exec_warp *warp, uint32_t number, uint32_t lane)
{
    uint32_t sm, slot;
    (void)number;
    (void)lane;
    find_place(warp, &sm, &slot);
    return sm;
}

static uint64_t shared_size(const struct exec_warp *warp, uint32_t number, uint32_t lane)
{
    (void)lane;
    return number == SR_SWINHI ? EXEC_SHARED_WINDOW >> 32 : warp->block->grid->shared_bytes;
}

/* Returns the cycle of a clock read: of its issue, if instructions are executed as they issue. */
static uint64_t cycle_now(const struct exec_grid *grid)
{
    return grid->pending ? grid->cycle : exec_instruction_clock(grid);
}

/*
 * Returns nanoseconds, in steps of 32 as on an H100. ESTIMATE: other GPUs have steps of up to 1024.
 */
static uint64_t timer_at(const struct exec_grid *grid, uint64_t cycle)
{
    enum { STEP = 32 };
    return (uint64_t)((double)cycle * 1e3 / grid->clock_mhz) / STEP * STEP;
}

static uint64_t clock_value(const struct exec_warp *warp, uint32_t number, uint32_t lane)
{
    (void)lane;
    struct exec_grid *grid = warp->block->grid;
    grid->clock_read = true;
    uint64_t now = grid->options.start_cycle + cycle_now(grid);
    if (number == SR_GLOBALTIMERLO || number == SR_GLOBALTIMERHI)
        now = timer_at(grid, now);
    return number == SR_CLOCKHI || number == SR_GLOBALTIMERHI ? now >> 32 : now;
}

static uint64_t cluster_rank(const struct exec_warp *warp, uint32_t number, uint32_t lane)
{
    (void)number;
    (void)lane;
    return warp->block->rank;
}

static uint64_t zero(const struct exec_warp *warp, uint32_t number, uint32_t lane)
{
    (void)warp;
    (void)number;
    (void)lane;
    return 0;
}

struct special_row {
    uint8_t number;
    bool lanewise; /* the value differs from lane to lane */
    special_fn *read;
};

static const struct special_row specials[] = {
    {SR_LANEID, true, lane_number},
    {SR_VIRTCFG, false, warp_slot},
    {SR_VIRTID, false, warp_slot},
    {SR_TID, true, thread_index},
    {SR_TID_X, true, thread_index},
    {SR_TID_Y, true, thread_index},
    {SR_TID_Z, true, thread_index},
    {SR_CTAID_X, false, block_index},
    {SR_CTAID_Y, false, block_index},
    {SR_CTAID_Z, false, block_index},
    {SR_SWINHI, false, shared_size},
    {SR_SWINLO, false, zero}, /* the low word of the window of shared memory */
    {SR_SMEMSZ, false, shared_size},
    {SR_LMEMHIOFF, false, zero},
    {SR_EQMASK, true, lane_mask},
    {SR_LTMASK, true, lane_mask},
    {SR_LEMASK, true, lane_mask},
    {SR_GTMASK, true, lane_mask},
    {SR_GEMASK, true, lane_mask},
    {SR_VIRTUALSMID, false, sm_number},
    {SR_CLOCKLO, false, clock_value},
    {SR_CLOCKHI, false, clock_value},
    {SR_GLOBALTIMERLO, false, clock_value},
    {SR_GLOBALTIMERHI, false, clock_value},
    {SR_CGACTAID, false, cluster_rank},
    {SR_ZERO, false, zero},
};

enum { ROW, WIDE }; /* indices into mod[] */

static void special(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    const struct special_row *row = &specials[inst->mod[ROW]];
    uint64_t value[EXEC_LANES];
    value[0] = row->read(warp, row->number, 0);
    for (uint32_t lane = 1; lane < EXEC_LANES; lane++)
        value[lane] = row->lanewise ? row->read(warp, row->number, lane) : value[0];
    if (inst->mod[WIDE]) {
        exec_write_wide(warp, inst, lanes, value);
        return;
    }
    uint32_t word[EXEC_LANES];
    for (uint32_t lane = 0; lane < EXEC_LANES; lane++)
        word[lane] = (uint32_t)value[lane];
    exec_write(warp, inst, 0, lanes, word);
}

static bool prepare_special_register(struct exec_inst *inst, const char **why)
{
    uint32_t number = sass_mod(inst->sass, SASS_MOD_SR);
    inst->mod[WIDE] = inst->sass->op == SASS_OP_CS2R && sass_mod(inst->sass, SASS_MOD_U64);
    inst->run = special;
    for (uint32_t row = 0; row < sizeof specials / sizeof specials[0]; row++) {
        if (specials[row].number != number)
            continue;
        inst->mod[ROW] = row;
        return true;
    }
    *why = "this special register is not known";
    return false;
}

/* Values of SASS_MOD_SIZE. */
enum { U8, S8, U16, S16, B32, B64, B128 };

/* Returns the word of `bytes` bytes at `offset` of a bank; bytes beyond the bank's end are 0. */
static uint32_t constant_word(const struct exec_bank *bank, uint64_t offset, uint32_t bytes)
{
    uint32_t word = 0;
    if (bank->data && offset < bank->bytes)
        memcpy(&word, bank->data + offset,
               bank->bytes - offset < bytes ? (size_t)(bank->bytes - offset) : bytes);
    return word;
}

static uint32_t sign_extended(uint32_t word, uint32_t size)
{
    if (size == S8)
        return (uint32_t)(int32_t)(int8_t)word;
    return size == S16 ? (uint32_t)(int32_t)(int16_t)word : word;
}

/* Returns the number of distinct values of the lanes. */
static uint8_t distinct(const uint32_t value[EXEC_LANES], uint32_t lanes)
{
    uint8_t count = 0;
    for (uint32_t left = lanes; left; count++) {
        uint32_t first = value[__builtin_ctz(left)];
        for (unsigned lane = 0; lane < EXEC_LANES; lane++)
            left &= ~((uint32_t)(value[lane] == first) << lane);
    }
    return count;
}

/* Returns the token of an LDC from these offsets in its bank. */
static uint64_t token_of(const uint32_t index[EXEC_LANES], uint32_t offset, uint32_t lanes)
{
    const uint32_t most = (1u << INST_LINE_BITS) - 1;
    uint32_t line[EXEC_LANES], first = most, last = 0, step = 0;
    for (uint32_t left = lanes; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        line[lane] = (index[lane] + offset) / INST_LINE_BYTES;
        line[lane] = line[lane] < most ? line[lane] : most;
        first = line[lane] < first ? line[lane] : first;
        last = line[lane] > last ? line[lane] : last;
    }
    while (lanes && (last - first) >> step >= INST_STEPS)
        step++;
    uint64_t token = inst_constant_token(distinct(index, lanes), first, step);
    for (uint32_t left = lanes; left; left &= left - 1)
        token |= UINT64_C(1) << (((line[__builtin_ctz(left)] - first) >> step) + 64 - INST_STEPS);
    return token;
}

/* LDC and ULDC: loads from a bank, at an offset plus a register. The addresses, on which the time
 * of LDC depends, go to exec_grid.token. */
static void load_constant(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    const struct exec_bank *bank = &warp->block->grid->bank[inst->b.bank % EXEC_BANKS];
    uint32_t size = inst->mod[ACCESS_WHAT], bytes = size <= S8 ? 1 : size <= S16 ? 2 : 4;
    uint32_t words = size == B64 ? 2 : size == B128 ? 4 : 1, room[EXEC_LANES], value[EXEC_LANES];
    const uint32_t *index = exec_read(warp, &inst->a, 0, room);
    if (index != room) /* the destination may be the index register */
        memcpy(room, index, sizeof room);
    bool one = inst->a.kind != SASS_REGISTER || inst->a.index == SASS_RZ;
    if (!one)
        warp->block->grid->token = token_of(room, inst->mod[ACCESS_OFFSET], lanes);
    for (uint32_t word = 0; word < words; word++) {
        for (unsigned lane = 0; lane < EXEC_LANES; lane++) {
            uint64_t offset = (uint32_t)(room[lane] + inst->mod[ACCESS_OFFSET]);
            value[lane] = one && lane
                              ? value[0]
                              : sign_extended(constant_word(bank, offset + 4 * word, bytes), size);
        }
        exec_write(warp, inst, word, lanes, value);
    }
}

static bool prepare_constant(struct exec_inst *inst)
{
    const struct sass_inst *sass = inst->sass;
    bool indexed = sass->operand[SASS_A].kind != SASS_NONE;
    inst->mod[ACCESS_WHAT] = sass_mod(sass, SASS_MOD_SIZE);
    inst->mod[ACCESS_OFFSET] = indexed ? (uint32_t)sass->offset : sass->operand[SASS_B].value;
    inst->run = load_constant;
    return true;
}

/* LEPC: reads the address of an instruction. */
static void load_position(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint64_t value[EXEC_LANES];
    uint64_t position = inst->sass->target ? inst->sass->target : inst->sass->pc;
    for (unsigned lane = 0; lane < EXEC_LANES; lane++)
        value[lane] = position;
    exec_write_wide(warp, inst, lanes, value);
}

/* RPCMOV: moves one word of the register pair RPC, which no other instruction uses. Compilers keep
 * values there for a while. */
static void move_rpc(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t room[EXEC_LANES], *word = warp->rpc[sass_mod(inst->sass, SASS_MOD_HI)];
    if (inst->sass->operand[SASS_D].kind != SASS_NONE) {
        exec_write(warp, inst, 0, lanes, word);
        return;
    }
    const uint32_t *value = exec_read(warp, &inst->a, 0, room);
    for (uint32_t left = lanes; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        word[lane] = value[lane];
    }
}

bool exec_prepare_special(struct exec_inst *inst, const char **why)
{
    switch (inst->sass->op) {
    case SASS_OP_S2R:
    case SASS_OP_S2UR:
    case SASS_OP_CS2R:
        return prepare_special_register(inst, why);
    case SASS_OP_LDC:
    case SASS_OP_ULDC:
        return prepare_constant(inst);
    case SASS_OP_RPCMOV:
        inst->run = move_rpc;
        return true;
    case SASS_OP_LEPC:
        inst->run = load_position;
        return true;
    default:
        return false;
    }
}
