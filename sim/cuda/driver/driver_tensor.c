/* cuTensorMap*: maps of tensors, for tensor copies. */
#include <string.h>

#include "cuda/driver/driver.h"
#include "exec/async/tensor_map.h"

int cuTensorMapEncodeTiled(void *to, int type, unsigned rank, void *address, const uint64_t *size,
                           const uint64_t *stride, const uint32_t *box, const uint32_t *step,
                           int interleave, int swizzle, int promotion, int fill);
int cuTensorMapEncodeIm2col(void *to, int type, unsigned rank, void *address, const uint64_t *size,
                            const uint64_t *stride, const int *lower, const int *upper,
                            uint32_t channels, uint32_t pixels, const uint32_t *step,
                            int interleave, int swizzle, int promotion, int fill);
int cuTensorMapReplaceAddress(void *map, void *address);

enum {
    INTERLEAVE_32 = 2,
    MOST_SWIZZLE = 3,
    MOST_PROMOTION = 3,
    MOST_BOX = 256,
    MOST_PIXELS = 1024,
    MOST_BYTES = 228 << 10 /* of a box */
};

static bool is_float(enum tensor_type type)
{
    return type >= TENSOR_F16;
}

/* Bytes that addresses and strides are multiples of. */
static uint32_t unit_of(const struct tensor_map *map)
{
    return map->interleave == INTERLEAVE_32 ? 32 : 16;
}

static bool good_address(const struct tensor_map *map)
{
    return map->address && map->address % unit_of(map) == 0 && !(map->address >> 57);
}

/* Checks what the driver's documentation asks of one dimension. */
static bool good_dimension(const struct tensor_map *map, uint32_t i)
{
    if (map->size[i] == 0 || map->size[i] > UINT64_C(1) << 32)
        return false;
    if (i && (map->stride[i] % unit_of(map) || map->stride[i] >= UINT64_C(1) << 40))
        return false;
    return map->box[i] >= 1 && map->box[i] <= MOST_BOX && map->step[i] >= 1 && map->step[i] <= 8;
}

/* Checks the pixels of an im2col map; the corners have fewer bits in more dimensions. */
static bool good_pixels(const struct tensor_map *map)
{
    static const int most[TENSOR_DIMENSIONS + 1] = {[3] = 1 << 15, [4] = 1 << 7, [5] = 1 << 4};
    for (uint32_t i = 1; i < map->rank - 1; i++)
        if (map->lower[i] < -most[map->rank] || map->lower[i] >= most[map->rank] ||
            map->upper[i] < -most[map->rank] || map->upper[i] >= most[map->rank])
            return false;
    return map->pixels >= 1 && map->pixels <= MOST_PIXELS;
}

/* Checks what the driver's documentation asks for, and what the driver was measured to ask for
 * (cuda/probe/tensor_maps.cu, rules): boxes of at most MOST_BYTES; rows of whole 16 bytes with
 * interleave, too. It takes all swizzles with slices of 32 bytes. */
static bool is_good(const struct tensor_map *map)
{
    const uint32_t inner = map->box[0] * tensor_type_bytes(map->type);
    for (uint32_t i = 0; i < map->rank; i++)
        if (!good_dimension(map, i))
            return false;
    if (!good_address(map) || (map->im2col && !good_pixels(map)))
        return false;
    if (map->nan && !is_float(map->type))
        return false;
    if (map->interleave && map->rank < 3)
        return false;
    if (inner % 16 || tensor_map_box_bytes(map) > MOST_BYTES)
        return false;
    return map->interleave || !map->swizzle || inner <= 16u << map->swizzle;
}

/* What both modes have. */
struct tensor {
    void *address;
    const uint64_t *size, *stride;
    const uint32_t *step;
    int type, interleave, swizzle, promotion, fill;
    unsigned rank;
};

/* Fills what both modes have. Returns false if the values are outside of their ranges. */
static bool fill_map(struct tensor_map *map, const struct tensor *tensor)
{
    if (!tensor->size || !tensor->step || tensor->type < 0 || tensor->type >= TENSOR_TYPES ||
        tensor->rank < 1 || tensor->rank > TENSOR_DIMENSIONS ||
        (tensor->rank > 1 && !tensor->stride) || tensor->interleave < 0 ||
        tensor->interleave > INTERLEAVE_32 || tensor->swizzle < 0 ||
        tensor->swizzle > MOST_SWIZZLE || tensor->promotion < 0 ||
        tensor->promotion > MOST_PROMOTION || tensor->fill < 0 || tensor->fill > 1)
        return false;
    *map = (struct tensor_map){.address = (uintptr_t)tensor->address,
                               .type = (enum tensor_type)tensor->type,
                               .rank = tensor->rank,
                               .interleave = (uint32_t)tensor->interleave,
                               .swizzle = (uint32_t)tensor->swizzle,
                               .promotion = (uint32_t)tensor->promotion,
                               .nan = tensor->fill};
    for (unsigned i = 0; i < tensor->rank; i++) {
        map->size[i] = tensor->size[i];
        map->stride[i] = i ? tensor->stride[i - 1] : tensor_type_bytes(map->type);
        map->step[i] = tensor->step[i];
        map->box[i] = 1;
    }
    return true;
}

static int encode(void *to, const struct tensor_map *map)
{
    uint64_t word[TENSOR_MAP_BYTES / 8];
    if (!to || !is_good(map))
        return DRIVER_INVALID_VALUE;
    tensor_map_encode(map, word);
    memcpy(to, word, sizeof word);
    return DRIVER_SUCCESS;
}

int cuTensorMapEncodeTiled(void *to, int type, unsigned rank, void *address, const uint64_t *size,
                           const uint64_t *stride, const uint32_t *box, const uint32_t *step,
                           int interleave, int swizzle, int promotion, int fill)
{
    struct tensor_map map;
    const struct tensor tensor = {address,    size,    stride,    step, type,
                                  interleave, swizzle, promotion, fill, rank};
    if (!box || !fill_map(&map, &tensor))
        return DRIVER_INVALID_VALUE;
    memcpy(map.box, box, rank * sizeof *box);
    return encode(to, &map);
}

int cuTensorMapEncodeIm2col(void *to, int type, unsigned rank, void *address, const uint64_t *size,
                            const uint64_t *stride, const int *lower, const int *upper,
                            uint32_t channels, uint32_t pixels, const uint32_t *step,
                            int interleave, int swizzle, int promotion, int fill)
{
    struct tensor_map map;
    const struct tensor tensor = {address,    size,    stride,    step, type,
                                  interleave, swizzle, promotion, fill, rank};
    if (!lower || !upper || rank < 3 || !fill_map(&map, &tensor))
        return DRIVER_INVALID_VALUE;
    map.im2col = true;
    map.box[0] = channels;
    map.pixels = pixels;
    for (unsigned i = 1; i < rank - 1; i++) {
        map.lower[i] = lower[i - 1];
        map.upper[i] = upper[i - 1];
    }
    return encode(to, &map);
}

int cuTensorMapReplaceAddress(void *map, void *address)
{
    struct tensor_map tensor;
    uint64_t word[TENSOR_MAP_BYTES / 8];
    if (!map)
        return DRIVER_INVALID_VALUE;
    memcpy(word, map, sizeof word);
    if (!tensor_map_decode(&tensor, word))
        return DRIVER_INVALID_VALUE;
    tensor.address = word[0] = (uintptr_t)address;
    if (!good_address(&tensor))
        return DRIVER_INVALID_VALUE;
    memcpy(map, word, sizeof word);
    return DRIVER_SUCCESS;
}
