/*
 * MODEL: atomic operations on global, generic and shared memory. The lanes of a warp are served in
 * ascending order.
 * SOURCE: PTX ISA, atom, red; the meaning of Pu of generic atomics: code of nvcc.
 * LEFT OUT: on a GPU the order of the lanes is not defined.
 */
#include <string.h>

#include "exec/control/cluster.h"
#include "exec/memory/atomic.h"
#include "exec/memory/atomic_float.h"
#include "exec/memory/load_store.h"

/* Values of SASS_MOD_ATOM_OP and SASS_MOD_ATOM_TYPE that are not in atomic.h. */
enum {
    EXCH = ATOMIC_EXCHANGE,
    CAS = ATOMIC_COMPARE_AND_SWAP,
    CAST = ATOMIC_COMPARE_AND_TEST,
    POPC_INC,
    OPS
};
enum { B128 = ATOMIC_BF16X2 + 1, F16X4, F16X8, BF16X4, BF16X8, F32X2_FTZ, F32X4_FTZ, TYPES };
static const uint8_t bytes_of[TYPES] = {4, 4, 8, 8, 4, 4, 8, 4, 4, 16, 8, 16, 8, 16, 8, 16};

/* For vector types: the type of each register of the vector. U32 for other types. */
static const uint8_t element_of[TYPES] = {
    [F16X4] = ATOMIC_F16X2,   [F16X8] = ATOMIC_F16X2,       [BF16X4] = ATOMIC_BF16X2,
    [BF16X8] = ATOMIC_BF16X2, [F32X2_FTZ] = ATOMIC_F32_FTZ, [F32X4_FTZ] = ATOMIC_F32_FTZ};

static uint64_t integer(uint32_t op, uint64_t old, uint64_t value, bool less)
{
    switch (op) {
    case ATOMIC_ADD:
        return old + value;
    case ATOMIC_MIN:
        return less ? old : value;
    case ATOMIC_MAX:
        return less ? value : old;
    case ATOMIC_INC:
        return old >= value ? 0 : old + 1;
    case ATOMIC_DEC:
        return old == 0 || old > value ? value : old - 1;
    case ATOMIC_AND:
        return old & value;
    case ATOMIC_OR:
        return old | value;
    case ATOMIC_XOR:
        return old ^ value;
    case POPC_INC:
        return old + 1;
    default:
        return value;
    }
}

/* Returns what memory holds after operation `op`. */
static uint64_t result(uint32_t op, uint32_t type, uint64_t old, uint64_t value)
{
    if (op == EXCH)
        return value;
    switch (type) {
    case ATOMIC_S32:
        return (uint32_t)integer(op, old, value, (int32_t)(uint32_t)old < (int32_t)(uint32_t)value);
    case ATOMIC_U64:
        return integer(op, old, value, old < value);
    case ATOMIC_S64:
        return integer(op, old, value, (int64_t)old < (int64_t)value);
    case ATOMIC_F32_FTZ:
    case ATOMIC_F32:
        return atomic_f32(op, (uint32_t)old, (uint32_t)value, type == ATOMIC_F32_FTZ);
    case ATOMIC_F64:
        return atomic_f64(old, value);
    case ATOMIC_F16X2:
        return atomic_halves(op, (uint32_t)old, (uint32_t)value, false);
    case ATOMIC_BF16X2:
        return atomic_halves(op, (uint32_t)old, (uint32_t)value, true);
    default:
        return (uint32_t)integer(op, old, value, (uint32_t)old < (uint32_t)value);
    }
}

void atomic_combine(uint32_t op, uint32_t type, uint8_t *to, const uint8_t *from, uint32_t bytes)
{
    const uint32_t size = bytes_of[type];
    for (uint32_t i = 0; i < bytes; i += size) {
        uint64_t old = 0, value = 0;
        memcpy(&old, to + i, size);
        memcpy(&value, from + i, size);
        old = result(op, type, old, value);
        memcpy(to + i, &old, size);
    }
}

static uint64_t register_value(const struct exec_warp *warp, uint32_t row, uint32_t lane,
                               uint32_t bytes)
{
    uint64_t value = exec_row(warp, row)[lane];
    if (bytes == 8)
        value |= (uint64_t)exec_row(warp, row + 1)[lane] << 32;
    return value;
}

/* Returns the first register of the new value of a compare-and-swap. */
static uint32_t new_row(const struct exec_inst *inst)
{
    const struct sass_operand *operand = &inst->sass->operand[SASS_DATA2];
    return operand->kind == SASS_REGISTER ? operand->index : SASS_RZ;
}

/* Atomic operation on up to 8 bytes in the memory of `places`, lane by lane. */
static void update(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes,
                   exec_places_fn *places)
{
    uint8_t *place[EXEC_LANES];
    if (!places(warp, inst, lanes, place))
        return;
    uint64_t before[EXEC_LANES] = {0};
    uint32_t bytes = inst->mod[ACCESS_BYTES], op = inst->mod[ACCESS_WHAT];
    bool changed = false;
    for (uint32_t left = lanes; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        uint64_t old = 0, new;
        memcpy(&old, place[lane], bytes);
        uint64_t value = register_value(warp, inst->mod[ACCESS_DATA], lane, bytes);
        before[lane] = old;
        if (op == CAS || op == CAST) {
            bool equal = old == value;
            new = equal ? register_value(warp, new_row(inst), lane, bytes) : old;
            before[lane] = op == CAST ? equal : old;
        } else {
            new = result(op, inst->mod[ACCESS_TYPE], old, value);
        }
        changed |= new != old;
        memcpy(place[lane], &new, bytes);
    }
    if (changed)
        warp->block->grid->changes++;
    if (inst->sass->operand[SASS_D].kind == SASS_NONE)
        return;
    if (bytes == 8) {
        exec_write_wide(warp, inst, lanes, before);
        return;
    }
    uint32_t word[EXEC_LANES];
    for (unsigned lane = 0; lane < EXEC_LANES; lane++)
        word[lane] = (uint32_t)before[lane];
    exec_write(warp, inst, 0, lanes, word);
}

/* Compare-and-swap and exchange of 16 bytes. */
static void update_128(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes,
                       exec_places_fn *places)
{
    uint8_t *place[EXEC_LANES];
    if (!places(warp, inst, lanes, place))
        return;
    uint32_t before[4][EXEC_LANES] = {{0}};
    bool changed = false;
    for (uint32_t left = lanes; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left), old[4], value[4], other[4];
        memcpy(old, place[lane], sizeof old);
        for (uint32_t i = 0; i < 4; i++) {
            value[i] = (uint32_t)register_value(warp, inst->mod[ACCESS_DATA] + i, lane, 4);
            other[i] = (uint32_t)register_value(warp, new_row(inst) + i, lane, 4);
            before[i][lane] = old[i];
        }
        bool compares = inst->mod[ACCESS_WHAT] == CAS;
        if (compares && memcmp(old, value, sizeof old) != 0)
            continue;
        const uint32_t *new = compares ? other : value;
        changed |= memcmp(old, new, sizeof old) != 0;
        memcpy(place[lane], new, sizeof old);
    }
    if (changed)
        warp->block->grid->changes++;
    for (uint32_t i = 0; i < 4; i++)
        exec_write(warp, inst, i, lanes, before[i]);
}

/* Vector operations: each register is a separate atomic operation (PTX ISA, red .v2 and .v4). */
static void update_vector(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes,
                          exec_places_fn *places)
{
    uint8_t *place[EXEC_LANES];
    if (!places(warp, inst, lanes, place))
        return;
    const uint32_t words = inst->mod[ACCESS_BYTES] / 4, type = element_of[inst->mod[ACCESS_TYPE]];
    uint32_t before[4][EXEC_LANES] = {{0}};
    bool changed = false;
    for (uint32_t left = lanes; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left), old[4], new[4];
        memcpy(old, place[lane], 4 * words);
        for (uint32_t i = 0; i < words; i++) {
            uint64_t value = register_value(warp, inst->mod[ACCESS_DATA] + i, lane, 4);
            new[i] = (uint32_t)result(inst->mod[ACCESS_WHAT], type, old[i], value);
            before[i][lane] = old[i];
        }
        changed |= memcmp(old, new, 4 * words) != 0;
        memcpy(place[lane], new, 4 * words);
    }
    if (changed)
        warp->block->grid->changes++;
    if (inst->sass->operand[SASS_D].kind == SASS_NONE)
        return;
    for (uint32_t i = 0; i < words; i++)
        exec_write(warp, inst, i, lanes, before[i]);
}

/* Returns whether shared memory has the operation for this type. */
static bool shared_has(uint32_t op, uint32_t type)
{
    return op == EXCH || op == CAS || type == ATOMIC_U32 || type == ATOMIC_S32;
}

/*
 * Generic atomics with Pu: Pu says for which lanes the operation was done. The code does it
 * differently for the other lanes: those whose address is in local memory, or in shared memory of
 * the block that has no such operation. Other blocks of a cluster have all of them (H100). Behind
 * exchanges and compare-and-swaps of 64 bits nvcc puts plain loads and stores; behind other
 * operations it puts a loop for shared memory and plain loads and stores. Code without Pu relies on
 * the operation being done for all lanes.
 */
static void update_with_pu(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint64_t *address = warp->block->grid->addresses.lane;
    exec_address_wide(warp, inst, address);
    uint32_t left = exec_lanes_in_window(address, lanes, EXEC_LOCAL_WINDOW);
    const uint32_t shared = exec_lanes_in_window(address, lanes, EXEC_SHARED_WINDOW);
    if (!shared_has(inst->mod[ACCESS_WHAT], inst->mod[ACCESS_TYPE]))
        left |= shared & ~cluster_lanes_elsewhere(warp, shared, address);
    if (lanes & ~left)
        update(warp, inst, lanes & ~left, exec_places_generic);
    exec_write_predicate(warp, inst, inst->pu, lanes, ~left);
}

/* ATOMG with Pu: the operation is done for all lanes. */
static void update_global_with_pu(struct exec_warp *warp, const struct exec_inst *inst,
                                  uint32_t lanes)
{
    update(warp, inst, lanes, exec_places_global);
    exec_write_predicate(warp, inst, inst->pu, lanes, UINT32_MAX);
}

#define ATOMIC(name, how, places)                                                                  \
    static void name(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)         \
    {                                                                                              \
        how(warp, inst, lanes, places);                                                            \
    }
ATOMIC(update_global, update, exec_places_global)
ATOMIC(update_generic, update, exec_places_generic)
ATOMIC(update_shared, update, exec_places_shared)
ATOMIC(update_global_128, update_128, exec_places_global)
ATOMIC(update_generic_128, update_128, exec_places_generic)
ATOMIC(update_global_vector, update_vector, exec_places_global)
ATOMIC(update_generic_vector, update_vector, exec_places_generic)

struct atomic_row {
    uint16_t op;
    exec_fn *run, *run_128, *run_vector;
    exec_fn *run_with_pu; /* used if the instruction has Pu */
};

static const struct atomic_row rows[] = {
    {SASS_OP_ATOMG, update_global, update_global_128, update_global_vector, update_global_with_pu},
    {SASS_OP_RED, update_global, NULL, update_global_vector, NULL},
    {SASS_OP_ATOM, update_generic, update_generic_128, update_generic_vector, update_with_pu},
    {SASS_OP_ATOMS, update_shared, NULL, NULL, NULL},
};

bool atomic_has(uint32_t op, uint32_t type)
{
    if (op >= OPS || type >= TYPES)
        return false;
    switch (type) {
    case ATOMIC_F32_FTZ:
    case ATOMIC_F32:
    case ATOMIC_F16X2:
    case ATOMIC_BF16X2:
        return op <= ATOMIC_MAX || op == EXCH;
    case F32X2_FTZ:
    case F32X4_FTZ:
        return op == ATOMIC_ADD;
    case F16X4:
    case F16X8:
    case BF16X4:
    case BF16X8:
        return op <= ATOMIC_MAX;
    case ATOMIC_F64:
        return op == ATOMIC_ADD;
    case B128:
        return op == CAS || op == EXCH;
    default:
        return true;
    }
}

bool exec_prepare_atomic(struct exec_inst *inst, const char **why)
{
    const struct sass_inst *sass = inst->sass;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].op != sass->op)
            continue;
        bool counts = sass->operand[SASS_DATA].kind == SASS_NONE; /* ATOMS.POPC.INC.32 */
        uint32_t op = counts ? POPC_INC : sass_mod(sass, SASS_MOD_ATOM_OP);
        uint32_t type = counts ? ATOMIC_U32 : sass_mod(sass, SASS_MOD_ATOM_TYPE);
        bool vector = type < TYPES && element_of[type] != ATOMIC_U32;
        inst->run = type == B128 ? rows[i].run_128 : vector ? rows[i].run_vector : rows[i].run;
        if (inst->pu != SASS_PT)
            inst->run = type == B128 || vector ? NULL : rows[i].run_with_pu;
        if (!atomic_has(op, type) || !inst->run) {
            *why = "there is no such atomic operation on this type";
            return false;
        }
        exec_access_fill(inst);
        inst->mod[ACCESS_BYTES] = bytes_of[type];
        inst->mod[ACCESS_WHAT] = op;
        inst->mod[ACCESS_TYPE] = type;
        inst->mod[ACCESS_WRITES] = 1;
        return true;
    }
    return false;
}
