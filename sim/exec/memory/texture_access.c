/*
 * MODEL: instructions that read textures (TEX, TLD, TLD4, TXD), that read and write surfaces (SULD,
 * SUST), and that ask for the size of either (TXQ).
 * SOURCE: CUDA C++ Programming Guide; register layout and handles: compiled code; answers of TXQ:
 * measured (cuda/probe/texture_queries.cu).
 * LEFT OUT: TXQ takes as long as a read of the first texel, a sample between two levels as one of
 * the finer; gathers read the finest level; atomics on surfaces, fetches from a level, and queries
 * of anything but the size, are refused.
 */
#include <string.h>

#include "exec/alu/half.h"
#include "exec/control/fault.h"
#include "exec/memory/load_store.h"
#include "exec/memory/pending.h"
#include "exec/memory/texture.h"
#include "exec/memory/undo.h"

/* Indices into exec_inst.mod, beside ACCESS_BYTES and ACCESS_WRITES. */
enum {
    TEXTURE_SHAPE = 1,
    TEXTURE_MASK,
    TEXTURE_D2,
    TEXTURE_COMPONENT,
    TEXTURE_OUTSIDE,
    TEXTURE_IN_A,
    TEXTURE_LEVEL
};

enum { COORDINATES = 4 };

/* Values of SASS_MOD_DIMENSION: of textures, then of surfaces. */
enum { SHAPE_1D, SHAPE_2D, SHAPE_3D, SHAPE_CUBE, SHAPE_ARRAY = 4, SHAPE_ARRAY_CUBE = 7 };
enum { SURFACE_1D, SURFACE_BUFFER, SURFACE_1D_ARRAY, SURFACE_2D, SURFACE_2D_ARRAY, SURFACE_3D };
enum { OUTSIDE_IGNORE, OUTSIDE_CLAMP, OUTSIDE_TRAP };

/* Returns the handle in a constant, as code before sm_90 has it: c[bits 58:54][4 * bits 53:40]. */
static uint32_t constant_handle(const struct exec_grid *grid, const struct sass_inst *sass)
{
    const struct exec_bank *bank = &grid->bank[sass->word[0] >> 54 & 0x1f];
    const uint32_t offset = (uint32_t)(sass->word[0] >> 40 & 0x3fff) * 4;
    uint32_t handle = 0;
    if (bank->data && offset + sizeof handle <= bank->bytes)
        memcpy(&handle, bank->data + offset, sizeof handle);
    return handle;
}

/* Returns the handle of an instruction's texture or surface. */
static uint32_t handle_of(const struct exec_warp *warp, const struct exec_inst *inst)
{
    const struct sass_operand *ur = &inst->sass->operand[SASS_UR];
    return ur->kind == SASS_UNIFORM ? warp->ur[ur->index]
                                    : constant_handle(warp->block->grid, inst->sass);
}

/* Returns the texture or surface with this handle; NULL if there is none. */
static const struct exec_texture *find_object(const struct exec_warp *warp, uint32_t handle)
{
    const struct exec_textures *all = warp->block->grid->options.textures;
    const bool there = all && handle && handle <= all->count && all->item[handle - 1].address;
    return there ? &all->item[handle - 1] : NULL;
}

/* Finds the texture or surface of an access, and its texels on the host. Returns NULL if there is
 * none; the launch has then failed. */
static const struct exec_texture *find_texture(struct exec_warp *warp, const struct exec_inst *inst,
                                               uint32_t lanes, bool surface, uint8_t **texels)
{
    const struct exec_grid *grid = warp->block->grid;
    const uint32_t lane = (uint32_t)__builtin_ctz(lanes), handle = handle_of(warp, inst);
    const char *name = surface ? "surface" : "texture";
    const struct exec_texture *texture = find_object(warp, handle);
    if (!texture || texture->surface != surface) {
        exec_fault(warp, inst, lane, EXEC_FAILURE_ADDRESS,
                   "0x%x is no %s object: cudaCreate%sObject did not make it, or it is destroyed",
                   handle, name, surface ? "Surface" : "Texture");
        return NULL;
    }
    *texels = device_pointer(grid->memory, texture->address, exec_texture_bytes(texture));
    if (!*texels)
        exec_fault(warp, inst, lane, EXEC_FAILURE_ADDRESS,
                   "the memory of %s object %u has been freed", name, handle);
    return *texels ? texture : NULL;
}

/* Returns the coordinates of a lane. Accesses to layered textures have the layer's number in the
 * first word. */
static struct exec_texture_point point_of(const uint32_t *const word[], uint32_t lane,
                                          uint32_t shape)
{
    const bool layered = shape >= SHAPE_ARRAY;
    const bool cube = shape == SHAPE_CUBE || shape == SHAPE_ARRAY_CUBE;
    const uint32_t dimensions = cube ? 3 : shape % SHAPE_ARRAY + 1;
    struct exec_texture_point point = {.layer = layered ? word[0][lane] & 0xffff : 0};
    for (uint32_t d = 0; d < dimensions; d++) {
        memcpy(&point.position[d], &word[d + layered][lane], sizeof point.position[d]);
        memcpy(&point.texel[d], &word[d + layered][lane], sizeof point.texel[d]);
    }
    if (cube)
        exec_texture_face(&point);
    return point;
}

/* Writes the components of the mask: the first two to D, the others to D2. */
static void write_components(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes,
                             uint32_t value[TEXTURE_COMPONENTS][EXEC_LANES])
{
    uint32_t written = 0;
    for (uint32_t c = 0; c < TEXTURE_COMPONENTS; c++) {
        if (!(inst->mod[TEXTURE_MASK] >> c & 1))
            continue;
        const uint32_t n = written++, second = inst->mod[TEXTURE_D2];
        if (n < 2) {
            exec_write(warp, inst, n, lanes, value[c]);
            continue;
        }
        uint32_t *row = exec_row_to(warp, second < SASS_RZ ? second + n - 2 : SASS_RZ);
        for (uint32_t left = lanes; left; left &= left - 1)
            row[__builtin_ctz(left)] = value[c][__builtin_ctz(left)];
    }
}

/*
 * Returns coordinate word w of all lanes. It is in A, or with .SCR in B from word TEXTURE_IN_A on.
 */
static const uint32_t *coordinate(const struct exec_warp *warp, const struct exec_inst *inst,
                                  uint32_t w)
{
    const uint32_t in_a = inst->mod[TEXTURE_IN_A];
    const struct sass_operand *from = &inst->sass->operand[w < in_a ? SASS_A : SASS_B];
    const uint32_t row = from->index + (w < in_a ? w : w - in_a);
    const bool there = from->kind == SASS_REGISTER && from->index != SASS_RZ;
    return there ? exec_row(warp, row) : exec_zeros;
}

/* Returns where coordinate word w is. TXD has the layer behind the coordinates, others before. */
static uint32_t coordinate_word(const struct exec_inst *inst, uint32_t w)
{
    const uint32_t shape = inst->mod[TEXTURE_SHAPE];
    if (inst->sass->op != SASS_OP_TXD || shape < SHAPE_ARRAY || shape == SHAPE_ARRAY_CUBE)
        return w;
    const uint32_t dimensions = shape % SHAPE_ARRAY + 1;
    return w == 0 ? dimensions : w - 1;
}

/* Returns a lane's level of detail: a word of B, or from the slopes in B. 0 if there is none. */
static float lod_of(const struct exec_warp *warp, const struct exec_inst *inst, uint32_t lane,
                    const struct exec_texture *texture)
{
    const struct sass_operand *b = &inst->sass->operand[SASS_B];
    const bool there = b->kind == SASS_REGISTER && b->index != SASS_RZ;
    float slope[4] = {0}, lod = 0;
    if (!there)
        return 0;
    if (inst->sass->op == SASS_OP_TXD) { /* two slopes for each coordinate but the layer */
        const uint32_t slopes = inst->mod[TEXTURE_SHAPE] % SHAPE_ARRAY == SHAPE_1D ? 2 : 4;
        for (uint32_t i = 0; i < slopes; i++)
            memcpy(&slope[i], &exec_row(warp, b->index + i)[lane], sizeof slope[i]);
        return exec_texture_lod(texture, slope);
    }
    if (inst->mod[TEXTURE_LEVEL])
        memcpy(&lod, &exec_row(warp, b->index + inst->mod[TEXTURE_LEVEL] - 1)[lane], sizeof lod);
    return lod;
}

/* Samples one level, or between two. Returns the device address of the first texel read. */
static uint64_t sample_levels(const struct exec_grid *grid, const struct exec_texture *texture,
                              float lod, const struct exec_texture_point *point,
                              uint32_t value[TEXTURE_COMPONENTS])
{
    const float at = exec_texture_level(texture, lod);
    const uint32_t first = (uint32_t)at;
    const float weight = at - (float)first;
    uint64_t address = 0;
    uint32_t level_value[2][TEXTURE_COMPONENTS];
    for (uint32_t i = 0; i < 1u + (weight > 0); i++) {
        const struct exec_texture *level = &texture->level[first + i];
        const uint8_t *texels =
            device_pointer(grid->memory, level->address, exec_texture_bytes(level));
        const uint64_t offset = exec_texture_sample(level, texels, point, level_value[i]);
        address = i ? address : level->address + offset;
    }
    memcpy(value, level_value[0], sizeof level_value[0]);
    for (uint32_t c = 0; c < TEXTURE_COMPONENTS && weight > 0; c++)
        value[c] = alu_float_bits((1 - weight) * alu_float(level_value[0][c]) +
                                  weight * alu_float(level_value[1][c]));
    return address;
}

static void read_texture(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint8_t *texels;
    const struct exec_texture *texture = find_texture(warp, inst, lanes, false, &texels);
    uint32_t value[TEXTURE_COMPONENTS][EXEC_LANES] = {{0}};
    const uint32_t *word[COORDINATES];
    if (!texture)
        return;
    if (texture->levels && inst->sass->op == SASS_OP_TLD && inst->mod[TEXTURE_LEVEL]) {
        exec_fault(warp, inst, (uint32_t)__builtin_ctz(lanes), EXEC_FAILURE_UNSUPPORTED,
                   "a fetch from a level of a mipmapped array is not supported: sample it");
        return;
    }
    for (uint32_t w = 0; w < COORDINATES; w++)
        word[w] = coordinate(warp, inst, coordinate_word(inst, w));
    for (uint32_t left = lanes; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        uint32_t one[TEXTURE_COMPONENTS];
        uint64_t offset;
        const struct exec_texture_point point = point_of(word, lane, inst->mod[TEXTURE_SHAPE]);
        if (inst->sass->op == SASS_OP_TLD)
            offset = exec_texture_fetch(texture, texels, &point, one);
        else if (inst->sass->op == SASS_OP_TLD4)
            offset =
                exec_texture_gather(texture, texels, &point, inst->mod[TEXTURE_COMPONENT], one);
        else if (texture->levels)
            offset = sample_levels(warp->block->grid, texture, lod_of(warp, inst, lane, texture),
                                   &point, one) -
                     texture->address;
        else
            offset = exec_texture_sample(texture, texels, &point, one);
        warp->block->grid->addresses.lane[lane] = texture->address + offset;
        for (uint32_t c = 0; c < TEXTURE_COMPONENTS; c++)
            value[c][lane] = one[c];
    }
    write_components(warp, inst, lanes, value);
}

/* TXQ: A is the level of a mipmapped array; other objects have level 0 alone. */
static void query_size(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    const uint32_t handle = handle_of(warp, inst);
    const struct exec_texture *object = find_object(warp, handle);
    const uint32_t *level = coordinate(warp, inst, 0);
    uint32_t value[TEXTURE_COMPONENTS][EXEC_LANES] = {{0}};
    if (!object) {
        exec_fault(warp, inst, (uint32_t)__builtin_ctz(lanes), EXEC_FAILURE_ADDRESS,
                   "0x%x is no texture or surface object", handle);
        return;
    }
    for (uint32_t left = lanes; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        warp->block->grid->addresses.lane[lane] = object->address;
        const struct exec_texture *at = level[lane] ? NULL : object;
        if (level[lane] < object->levels)
            at = &object->level[level[lane]];
        for (uint32_t d = 0; d < TEXTURE_DIMENSIONS; d++)
            value[d][lane] = at ? at->queried[d] : 0;
    }
    write_components(warp, inst, lanes, value);
}

/*
 * Returns whether coordinate `at` is inside of `size`. Moves it inside if the instruction clamps.
 */
static bool move_inside(int64_t *at, int64_t size, uint32_t outside)
{
    const bool in = *at >= 0 && *at < size;
    if (!in && outside == OUTSIDE_CLAMP)
        *at = *at < 0 ? 0 : size - 1;
    return in || outside == OUTSIDE_CLAMP;
}

/* Returns where a lane's bytes of a surface lie on the host, and their device address; NULL:
 * outside. x counts bytes. */
static uint8_t *surface_place(const struct exec_texture *surface, uint8_t *texels,
                              const struct exec_inst *inst, const uint32_t *const word[],
                              uint32_t lane, uint64_t *address)
{
    const uint32_t shape = inst->mod[TEXTURE_SHAPE], outside = inst->mod[TEXTURE_OUTSIDE];
    const uint32_t bytes = inst->mod[ACCESS_BYTES];
    const bool rows = shape >= SURFACE_2D,
               slices = shape == SURFACE_2D_ARRAY || shape == SURFACE_3D;
    const int64_t width = (int64_t)surface->size[0] * surface->components * surface->bits / 8;
    int64_t x = (int32_t)word[0][lane], y = rows ? (int32_t)word[1][lane] : 0;
    int64_t z = slices ? (int32_t)word[2][lane] : 0;
    if (shape == SURFACE_1D_ARRAY)
        z = (int32_t)word[1][lane];
    const int64_t count = (int64_t)surface->size[2] * surface->layers;
    if (!move_inside(&x, width - bytes + 1, outside) ||
        !move_inside(&y, surface->size[1], outside) || !move_inside(&z, count, outside))
        return NULL;
    const uint64_t offset = (uint64_t)z * surface->layer + (uint64_t)y * surface->pitch +
                            ((uint64_t)x & ~(bytes - 1ull));
    *address = surface->address + offset;
    return texels + offset;
}

/* Finds the bytes of all lanes. Returns the lanes that are inside of the surface. */
static uint32_t surface_places(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes,
                               uint8_t *place[EXEC_LANES])
{
    uint8_t *texels;
    uint32_t room[3][EXEC_LANES], in = 0;
    const uint32_t *word[3];
    const struct exec_texture *surface = find_texture(warp, inst, lanes, true, &texels);
    for (uint32_t w = 0; w < 3; w++)
        word[w] = exec_read(warp, &inst->a, w, room[w]);
    for (uint32_t left = surface ? lanes : 0; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        uint64_t *address = &warp->block->grid->addresses.lane[lane];
        *address = surface->address;
        place[lane] = surface_place(surface, texels, inst, word, lane, address);
        in |= (uint32_t)(place[lane] != NULL) << lane;
        if (!place[lane] && inst->mod[TEXTURE_OUTSIDE] == OUTSIDE_TRAP) {
            exec_fault(warp, inst, lane, EXEC_FAILURE_ADDRESS,
                       "Coordinates (%d, %d, %d) are outside of the surface; x counts bytes",
                       (int32_t)word[0][lane], (int32_t)word[1][lane], (int32_t)word[2][lane]);
            return 0;
        }
    }
    return in;
}

static void read_surface(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint8_t *place[EXEC_LANES];
    const uint32_t bytes = inst->mod[ACCESS_BYTES], in = surface_places(warp, inst, lanes, place);
    struct pending *pending = warp->block->grid->pending;
    if (warp->block->grid->status != SIMSM_OK)
        return;
    if (pending)
        pending_merge(pending, in, bytes, place);
    for (uint32_t w = 0; w < (bytes + 3) / 4; w++) {
        uint32_t value[EXEC_LANES] = {0};
        for (uint32_t left = in; left; left &= left - 1)
            memcpy(&value[__builtin_ctz(left)], place[__builtin_ctz(left)] + (size_t)4 * w,
                   bytes < 4 ? bytes : 4);
        exec_write(warp, inst, w, lanes, value);
    }
}

static void write_surface(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint8_t *place[EXEC_LANES];
    const struct sass_operand *data = &inst->sass->operand[SASS_DATA];
    const uint32_t bytes = inst->mod[ACCESS_BYTES], in = surface_places(warp, inst, lanes, place);
    struct exec_undo *undo = warp->block->grid->undo;
    for (uint32_t left = undo ? in : 0; left; left &= left - 1)
        exec_undo_note(undo, place[__builtin_ctz(left)], bytes);
    exec_store(warp, data->index, in, place, bytes < 4 ? bytes : 4, (bytes + 3) / 4);
}

static bool prepare_surface(struct exec_inst *inst, bool writes)
{
    static const uint8_t bytes[] = {1, 1, 2, 2, 4, 8, 16};
    const uint32_t size = sass_mod(inst->sass, SASS_MOD_SIZE);
    const uint32_t outside = (uint32_t)(inst->sass->word[0] >> 59 & 3);
    inst->mod[ACCESS_BYTES] = size < sizeof bytes ? bytes[size] : 0;
    inst->mod[ACCESS_WRITES] = writes;
    inst->mod[TEXTURE_SHAPE] = sass_mod(inst->sass, SASS_MOD_DIMENSION);
    inst->mod[TEXTURE_OUTSIDE] = outside;
    inst->run = writes ? write_surface : read_surface;
    return size < sizeof bytes && outside <= OUTSIDE_TRAP && inst->mod[TEXTURE_SHAPE] <= SURFACE_3D;
}

/*
 * Finds the coordinate words and the level of detail (.LB, .LL). With .SCR the level counts as a
 * word behind the coordinates; half of the words are in A and the rest is in B. Otherwise the level
 * alone is in B.
 */
static void prepare_words(struct exec_inst *inst)
{
    static const uint8_t words[] = {1, 2, 3, 3, 2, 3, 3, 4}; /* by SASS_MOD_DIMENSION */
    enum { LEVEL_LB = 2 };
    const struct sass_inst *sass = inst->sass;
    const bool slopes = sass->op == SASS_OP_TXD;
    const bool scattered = !slopes && sass_mod(sass, SASS_MOD_VARIANT);
    const bool level =
        !slopes && sass->op != SASS_OP_TLD4 && sass_mod(sass, SASS_MOD_LOD) >= LEVEL_LB;
    const uint32_t all = words[sass_mod(sass, SASS_MOD_DIMENSION) & 7] + level;
    const uint32_t in_a = (all + 1) / 2;
    inst->mod[TEXTURE_IN_A] = scattered ? in_a : COORDINATES;
    inst->mod[TEXTURE_LEVEL] = level ? scattered ? all - in_a : 1 : 0;
}

static void prepare_query(struct exec_inst *inst, const char **why)
{
    enum { SIZE = 0, LEVELS = 1 << TEXTURE_DIMENSIONS };
    const struct sass_inst *sass = inst->sass;
    const struct sass_operand *second = &sass->operand[SASS_D2];
    inst->mod[TEXTURE_MASK] = sass_mod(sass, SASS_MOD_MASK);
    inst->mod[TEXTURE_IN_A] = 1;
    inst->mod[TEXTURE_D2] = second->kind == SASS_REGISTER ? second->index : SASS_RZ;
    inst->run = query_size;
    if (sass_mod(sass, SASS_MOD_VARIANT) != SIZE || inst->mod[TEXTURE_MASK] & LEVELS)
        *why = "only the width, height and depth of a texture can be asked for: pass other values "
               "as arguments";
}

bool exec_prepare_texture(struct exec_inst *inst, const char **why)
{
    const struct sass_inst *sass = inst->sass;
    const struct sass_operand *second = &sass->operand[SASS_D2];
    switch (sass->op) {
    case SASS_OP_SULD:
    case SASS_OP_SUST:
        if (!prepare_surface(inst, sass->op == SASS_OP_SUST))
            *why = "this form of the instruction is unknown";
        return !*why;
    case SASS_OP_TXQ:
        prepare_query(inst, why);
        return !*why;
    case SASS_OP_TEX:
    case SASS_OP_TLD:
    case SASS_OP_TLD4:
    case SASS_OP_TXD:
        inst->mod[TEXTURE_SHAPE] = sass_mod(sass, SASS_MOD_DIMENSION);
        prepare_words(inst);
        inst->mod[TEXTURE_MASK] = sass_mod(sass, SASS_MOD_MASK);
        inst->mod[TEXTURE_COMPONENT] = sass_mod(sass, SASS_MOD_LOD);
        inst->mod[TEXTURE_D2] = second->kind == SASS_REGISTER ? second->index : SASS_RZ;
        inst->run = read_texture;
        return true;
    default:
        return false;
    }
}
