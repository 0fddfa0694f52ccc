/*
 * MODEL: tensor copies (TMA): a box of a tensor of 1 to 5 dimensions, or pixels (im2col), from
 * global to shared memory, back, or combined with what is there. What lies outside of the tensor
 * arrives as zeros or NaN, and is not stored, but for the rest of the 16 bytes in which a row ends.
 * SOURCE: the PTX ISA (tensors, swizzling); the layout of maps, NaN, TF32, ends of rows and what is
 * illegal: measured (cuda/probe/tensor_maps.cu, cuda/probe/tensor_copies.cu). LEFT OUT: without
 * time, a copy is complete when it has issued.
 */
#include "exec/async/tensor_copy.h"

#include <string.h>

#include "exec/async/copy_parts.h"
#include "exec/async/mbarrier.h"
#include "exec/async/tensor_map.h"
#include "exec/async/tensor_rows.h"
#include "exec/control/cluster.h"
#include "exec/control/fault.h"
#include "exec/memory/atomic.h"
#include "exec/memory/load_store.h"
#include "exec/memory/undo.h"
#include "exec/memory/watched_access.h"

enum {
    CHUNK = 16,        /* bytes that a swizzle moves together */
    ALIGNED = 128,     /* of boxes in shared memory */
    MOST_ROW = 256 * 8 /* bytes of the innermost dimension of a box */
};

/* A copy under way. */
struct tensor_copy {
    struct exec_warp *warp;
    const struct exec_inst *inst;
    struct tensor_map map;
    struct tensor_rows rows;
    struct exec_block *block; /* whose shared memory has the box */
    uint32_t shared;          /* address of the box there */
};

static uint32_t uniform(const struct exec_warp *warp, uint32_t index)
{
    return index < SASS_URZ ? warp->ur[index] : 0;
}

static bool is_load(const struct tensor_copy *copy)
{
    return copy->inst->sass->op == SASS_OP_UTMALDG;
}

/* Fails the launch with what the hardware calls an illegal instruction. */
static bool illegal(const struct tensor_copy *copy, const char *what, int64_t value)
{
    exec_fault(copy->warp, copy->inst, 0, EXEC_FAILURE_ILLEGAL, what, (long long)value);
    return false;
}

/* Reads the map at a generic address: a parameter of the kernel, or in global memory. */
static bool read_map(struct tensor_copy *copy, uint64_t address)
{
    const struct exec_grid *grid = copy->warp->block->grid;
    const uint64_t at = address - EXEC_PARAMETER_WINDOW;
    const uint8_t *bytes = NULL;
    uint64_t word[TENSOR_MAP_READ / 8];
    if (address >= EXEC_PARAMETER_WINDOW && at + sizeof word <= grid->kernel->param_bytes)
        bytes = grid->constant0 + grid->kernel->param_base + at;
    else if (address % sizeof(uint64_t) == 0)
        bytes = device_pointer(grid->memory, address, sizeof word);
    if (!bytes) {
        exec_fault_global_bounds(copy->warp, copy->inst, 0, address);
        return false;
    }
    memcpy(word, bytes, sizeof word);
    if (!tensor_map_decode(&copy->map, word))
        return illegal(copy, "Invalid tensor map at 0x%llx: make it with cuTensorMapEncodeTiled",
                       (int64_t)address);
    if (copy->map.im2col != (bool)sass_mod(copy->inst->sass, SASS_MOD_VARIANT))
        return illegal(copy,
                       copy->map.im2col ? "Invalid tensor copy in tile mode: the map at 0x%llx is "
                                          "of cuTensorMapEncodeIm2col"
                                        : "Invalid tensor copy in im2col mode: the map at 0x%llx "
                                          "is of cuTensorMapEncodeTiled",
                       (int64_t)address);
    return true;
}

/* Reads the coordinates from uniform registers, and of im2col loads the offsets of pixels: they
 * share 16 bits of C. */
static void read_place(struct tensor_copy *copy, uint32_t coordinates)
{
    const struct exec_warp *warp = copy->warp;
    const struct sass_operand *c = &copy->inst->sass->operand[SASS_C];
    copy->rows.map = &copy->map;
    for (uint32_t n = 0; n < copy->map.rank; n++)
        copy->rows.first[n] = (int32_t)uniform(warp, coordinates + tensor_dimension(&copy->map, n));
    tensor_map_channels_first(&copy->map);
    const uint32_t offsets = is_load(copy) && copy->map.im2col ? uniform(warp, c->index) : 0;
    const uint32_t bits = tensor_corner_bits(copy->map.rank);
    for (uint32_t i = 1; i < copy->map.rank - 1; i++)
        copy->rows.offset[i] = (int32_t)(offsets >> (i - 1) * bits & ((1u << bits) - 1));
    tensor_rows_begin(&copy->rows);
}

/* The operations (bit n: operation n) that reductions have for each type. */
static const uint8_t operations[TENSOR_TYPES] = {
    [TENSOR_U32] = 0xff,
    [TENSOR_S32] = 0xe7,
    [TENSOR_U64] = 0xe7,
    [TENSOR_S64] = 1 << ATOMIC_MIN | 1 << ATOMIC_MAX,
    [TENSOR_F16] = 1 << ATOMIC_ADD | 1 << ATOMIC_MIN | 1 << ATOMIC_MAX,
    [TENSOR_BF16] = 1 << ATOMIC_ADD | 1 << ATOMIC_MIN | 1 << ATOMIC_MAX,
    [TENSOR_F32] = 1 << ATOMIC_ADD,
    [TENSOR_F64] = 1 << ATOMIC_ADD,
    [TENSOR_F32_FTZ] = 1 << ATOMIC_ADD,
    [TENSOR_TF32] = 1 << ATOMIC_ADD,
    [TENSOR_TF32_FTZ] = 1 << ATOMIC_ADD,
};

/* Checks that the first pixel lies between the corners. */
static bool is_pixel(const struct tensor_copy *copy)
{
    const struct tensor_map *map = &copy->map;
    for (uint32_t i = 1; i < map->rank - 1; i++) {
        const int64_t at = copy->rows.first[i];
        if (at < map->lower[i] || at >= (int64_t)map->size[i] + map->upper[i])
            return illegal(copy,
                           "Invalid coordinate %lld of a tensor copy: the pixel is not between "
                           "the corners of the map",
                           at);
    }
    return true;
}

/* Checks what the hardware calls an illegal instruction. */
static bool is_legal(const struct tensor_copy *copy)
{
    const struct tensor_rows *rows = &copy->rows;
    const struct tensor_map *map = &copy->map;
    if (rows->bytes % CHUNK || rows->bytes > MOST_ROW)
        return illegal(copy, "Invalid tensor map: rows have %lld bytes, not a multiple of 16",
                       rows->bytes);
    if (rows->first[0] * (int64_t)map->stride[0] % CHUNK)
        return illegal(copy,
                       "Invalid coordinate %lld of a tensor copy: the innermost one must be a "
                       "multiple of 16 bytes",
                       rows->first[0]);
    if (copy->inst->sass->op == SASS_OP_UTMAREDG &&
        !(operations[map->type] >> sass_mod(copy->inst->sass, SASS_MOD_ATOM_OP) & 1))
        return illegal(copy,
                       "Invalid tensor reduction: elements of type %lld have no such operation",
                       map->type);
    for (uint32_t i = 0; i < map->rank && !is_load(copy); i++) {
        if (rows->first[i] < 0)
            return illegal(copy, "Invalid coordinate %lld of a tensor store: it is negative",
                           rows->first[i]);
        if (map->im2col && (map->lower[i] < 0 || map->upper[i] > 0))
            return illegal(copy, "Invalid tensor store: pixels lie outside of the tensor, by %lld",
                           map->lower[i] < 0 ? -map->lower[i] : map->upper[i]);
    }
    return !map->im2col || is_pixel(copy);
}

/* Finds the box at `address` of shared memory: of another block of the cluster, too. */
static bool find_box(struct tensor_copy *copy, uint32_t address)
{
    const struct exec_grid *grid = copy->warp->block->grid;
    copy->block = cluster_target(copy->warp, copy->inst, 0, address, &copy->shared);
    if (!copy->block)
        return false;
    if (copy->shared % ALIGNED)
        exec_fault(copy->warp, copy->inst, 0, EXEC_FAILURE_ALIGNMENT,
                   "Invalid tensor copy: address 0x%x of shared memory is not a multiple of %d",
                   copy->shared, ALIGNED);
    else if (copy->shared < grid->shared_first)
        exec_fault_shared_bounds(copy->warp, copy->inst, 0, copy->shared);
    return grid->status == SIMSM_OK;
}

/* Checks that the current row, at byte `at` of the box, lies in shared memory. Rows of stores that
 * lie outside of the tensor are not read. */
static bool has_row(const struct tensor_copy *copy, uint32_t at)
{
    const struct exec_grid *grid = copy->warp->block->grid;
    const uint64_t end = (uint64_t)copy->shared + at + copy->rows.pitch;
    if (end > grid->shared_bytes)
        exec_fault_shared_bounds(copy->warp, copy->inst, 0, copy->shared + at);
    return end <= grid->shared_bytes;
}

/* Returns where byte `at` of the box lies; the swizzle moves chunks by the address's bits. */
static uint8_t *place_in_box(const struct tensor_copy *copy, uint32_t at)
{
    const uint32_t address = copy->shared + at, mask = (1u << copy->map.swizzle) - 1;
    return copy->block->shared + (address ^ (address >> 7 & mask) << 4);
}

/* An element outside of the tensor is, whatever its type, made of these halves. */
static void fill_row(const struct tensor_copy *copy, uint8_t *row)
{
    const uint16_t value = copy->map.nan ? 0x7ff7 : 0;
    for (uint32_t i = 0; i < copy->rows.bytes; i += sizeof value)
        memcpy(row + i, &value, sizeof value);
}

/* Rounds a float to TF32: to nearest, ties to even. */
static uint32_t to_tf32(uint32_t bits)
{
    enum { DROPPED = 13 };
    const uint32_t size = bits & 0x7fffffffu;
    if (size >= 0x7f800000u)
        return size > 0x7f800000u ? 0x7fffe000 : bits;
    return (bits + (1u << (DROPPED - 1)) - 1 + (bits >> DROPPED & 1)) & ~((1u << DROPPED) - 1);
}

/* TF32 numbers are rounded as they are loaded. That denormals of FTZ types become zeros is only
 * true of reductions. */
static void convert_row(const struct tensor_copy *copy, uint8_t *row, uint32_t bytes)
{
    const enum tensor_type type = copy->map.type;
    if (type != TENSOR_TF32 && type != TENSOR_TF32_FTZ)
        return;
    for (uint32_t i = 0; i < bytes; i += sizeof(uint32_t)) {
        uint32_t bits;
        memcpy(&bits, row + i, sizeof bits);
        bits = to_tf32(bits);
        memcpy(row + i, &bits, sizeof bits);
    }
}

/* Returns the bytes of this part of a row in global memory; NULL if there are none, or if the
 * launch has failed. */
static uint8_t *find_part(const struct tensor_copy *copy, const struct tensor_part *part,
                          uint32_t *bytes)
{
    const struct exec_grid *grid = copy->warp->block->grid;
    *bytes = (part->end - part->first) * copy->map.unit;
    if (!*bytes)
        return NULL;
    uint8_t *global = device_pointer(grid->memory, part->address, *bytes);
    if (!global)
        exec_fault_global_bounds(copy->warp, copy->inst, 0, part->address);
    /* A row's end is written in whole chunks. */
    const uint32_t whole = (*bytes + CHUNK - 1) / CHUNK * CHUNK;
    if (global && !is_load(copy) && device_pointer(grid->memory, part->address, whole))
        *bytes = whole;
    return global;
}

static void load_row(const struct tensor_copy *copy)
{
    const struct tensor_part part = tensor_rows_part(&copy->rows);
    const uint32_t at = copy->rows.row * copy->rows.pitch;
    uint8_t row[MOST_ROW];
    uint32_t bytes;
    const uint8_t *global = find_part(copy, &part, &bytes);
    if (!has_row(copy, at))
        return;
    fill_row(copy, row);
    if (global) {
        uint8_t *begin = row + (size_t)part.first * copy->map.unit;
        memcpy(begin, global, bytes);
        convert_row(copy, begin, bytes);
    }
    for (uint32_t i = 0; i < copy->rows.bytes; i += CHUNK) {
        uint8_t *place = place_in_box(copy, at + i);
        memcpy(place, row + i, CHUNK);
        if (copy->block->watched)
            watch_bulk(copy->warp, copy->inst, copy->block, (uint64_t)(place - copy->block->shared),
                       CHUNK, true);
    }
}

/* The type of atomic operations on elements of a tensor. */
static uint32_t atomic_type(enum tensor_type type)
{
    static const uint8_t types[TENSOR_TYPES] = {
        [TENSOR_U32] = ATOMIC_U32,         [TENSOR_S32] = ATOMIC_S32,
        [TENSOR_U64] = ATOMIC_U64,         [TENSOR_S64] = ATOMIC_S64,
        [TENSOR_F16] = ATOMIC_F16X2,       [TENSOR_BF16] = ATOMIC_BF16X2,
        [TENSOR_F32] = ATOMIC_F32,         [TENSOR_TF32] = ATOMIC_F32,
        [TENSOR_F32_FTZ] = ATOMIC_F32_FTZ, [TENSOR_TF32_FTZ] = ATOMIC_F32_FTZ,
        [TENSOR_F64] = ATOMIC_F64};
    return types[type];
}

/* Stores a row, or combines it with what is there. */
static void store_row(const struct tensor_copy *copy)
{
    const struct exec_grid *grid = copy->warp->block->grid;
    const struct sass_inst *sass = copy->inst->sass;
    const struct tensor_part part = tensor_rows_part(&copy->rows);
    const uint32_t at = copy->rows.row * copy->rows.pitch;
    uint8_t row[MOST_ROW];
    uint32_t bytes;
    uint8_t *global = find_part(copy, &part, &bytes);
    if (!global || !has_row(copy, at))
        return;
    for (uint32_t i = 0; i < copy->rows.bytes; i += CHUNK)
        memcpy(row + i, place_in_box(copy, at + i), CHUNK);
    if (grid->undo)
        exec_undo_note(grid->undo, global, bytes);
    if (copy->block->watched)
        watch_bulk(copy->warp, copy->inst, NULL, part.address, bytes, true);
    const uint8_t *begin = row + (size_t)part.first * copy->map.unit;
    if (sass->op == SASS_OP_UTMAREDG)
        atomic_combine(sass_mod(sass, SASS_MOD_ATOM_OP), atomic_type(copy->map.type), global, begin,
                       bytes);
    else
        memcpy(global, begin, bytes);
}

/* Copies between the tensor and the box at `address`; counts what was loaded at `barrier`. Returns
 * false if the launch has failed. */
static bool copy_box(struct tensor_copy *copy, uint32_t address, uint32_t barrier)
{
    const struct exec_grid *grid = copy->warp->block->grid;
    const bool loads = is_load(copy);
    if (!find_box(copy, address))
        return false;
    if (loads && copy->block->watched)
        watch_bulk_begin(copy->warp, copy->inst, barrier);
    tensor_rows_begin(&copy->rows);
    do
        (loads ? load_row : store_row)(copy);
    while (grid->status == SIMSM_OK && tensor_rows_next(&copy->rows));
    return grid->status == SIMSM_OK &&
           (!loads || exec_mbarrier_complete(copy->warp, copy->inst, barrier,
                                             copy->rows.count * copy->rows.bytes));
}

/* Reads the map and the place. Returns false if the launch has failed. */
static bool begin(struct tensor_copy *copy, struct exec_warp *warp, const struct exec_inst *inst)
{
    const struct sass_operand *operand = inst->sass->operand;
    const uint32_t a = operand[SASS_A].index, b = operand[SASS_B].index;
    *copy = (struct tensor_copy){.warp = warp, .inst = inst};
    if (!read_map(copy, uniform(warp, a) | (uint64_t)uniform(warp, a + 1) << 32))
        return false;
    read_place(copy, b + (is_load(copy) ? 2 : 1));
    return is_legal(copy);
}

void tensor_copy_parts(struct exec_warp *warp, const struct exec_inst *inst,
                       struct byte_buffer *parts)
{
    struct tensor_copy copy;
    if (!begin(&copy, warp, inst))
        return;
    if (sass_mod(inst->sass, SASS_MOD_MULTICAST))
        warp->block->grid->target_ranks = uniform(warp, inst->sass->operand[SASS_C].index) >> 16;
    uint32_t filled = copy.rows.count * copy.rows.bytes;
    do {
        const struct tensor_part part = tensor_rows_part(&copy.rows);
        const uint32_t bytes = (part.end - part.first) * copy.map.unit;
        copy_parts_add(parts, part.address, bytes);
        filled -= bytes;
    } while (tensor_rows_next(&copy.rows));
    warp->block->grid->filled = is_load(&copy) ? filled : 0;
}

/*
 * A: the address of the map. B: the box in shared memory, of a load its barrier, then the
 * coordinates. C: the blocks of a multicast in its upper half.
 */
static void tensor_copy(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    const struct sass_operand *operand = inst->sass->operand;
    const uint32_t b = operand[SASS_B].index;
    const uint32_t box = uniform(warp, b), barrier = uniform(warp, b + 1);
    struct tensor_copy copy;
    (void)lanes; /* the warp copies once */
    if (!exec_unrecorded(warp, inst, "tensor copies (TMA)") || !begin(&copy, warp, inst))
        return;
    warp->block->grid->changes++;
    if (!sass_mod(inst->sass, SASS_MOD_MULTICAST)) {
        (void)copy_box(&copy, box, barrier);
        return;
    }
    for (uint32_t left = uniform(warp, operand[SASS_C].index) >> 16; left; left &= left - 1) {
        const uint32_t rank = (uint32_t)__builtin_ctz(left);
        if (!copy_box(&copy, cluster_address(rank, box), cluster_address(rank, barrier)))
            return;
    }
}

bool exec_prepare_tensor_copy(struct exec_step *step, const struct sass_inst *sass, uint32_t steps)
{
    struct exec_inst *inst = &step->inst;
    (void)steps;
    step->kind = EXEC_COPY;
    inst->run = tensor_copy;
    inst->mod[ACCESS_BYTES] = CHUNK;
    inst->mod[ACCESS_WRITES] = sass->op != SASS_OP_UTMALDG;
    return true;
}
