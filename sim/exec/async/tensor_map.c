/* Tensor maps as the hardware has them. */
#include "exec/async/tensor_map.h"

#include <string.h>

/* The codes of types in a map; TF32 has the code of the float and a bit of its own. */
static const struct {
    uint8_t bytes, code;
    bool tf32;
} types[TENSOR_TYPES] = {
    [TENSOR_U8] = {1, 0, false},      [TENSOR_U16] = {2, 1, false},
    [TENSOR_U32] = {4, 2, false},     [TENSOR_S32] = {4, 3, false},
    [TENSOR_U64] = {8, 4, false},     [TENSOR_S64] = {8, 5, false},
    [TENSOR_F16] = {2, 6, false},     [TENSOR_F32] = {4, 7, false},
    [TENSOR_F64] = {8, 9, false},     [TENSOR_BF16] = {2, 10, false},
    [TENSOR_F32_FTZ] = {4, 8, false}, [TENSOR_TF32] = {4, 7, true},
    [TENSOR_TF32_FTZ] = {4, 8, true},
};

enum { SLICE = 16 }; /* bytes of the smaller slices of interleaved tensors */

/* Bits of the second word, and of word 7. */
enum {
    IM2COL = 0,
    RANK = 4,        /* - 1, 3 bits */
    TYPE = 7,        /* 4 bits */
    INTERLEAVE = 11, /* 2 bits */
    SWIZZLE = 13,    /* 2 bits */
    FILL_NAN = 15,
    TF32 = 16,
    PROMOTION = 17, /* 2 bits */
    UPPER = 16,     /* in word 7, im2col: behind the lower corners */
    PIXELS = 10,    /* bits of the number of pixels */
};

uint32_t tensor_type_bytes(enum tensor_type type)
{
    return types[type].bytes;
}

uint32_t tensor_corner_bits(uint32_t rank)
{
    static const uint8_t bits[TENSOR_DIMENSIONS + 1] = {[3] = 16, [4] = 8, [5] = 5};
    return rank <= TENSOR_DIMENSIONS ? bits[rank] : 0;
}

uint32_t tensor_dimension(const struct tensor_map *map, uint32_t n)
{
    if (!map->interleave || n == map->rank - 1)
        return n;
    return n ? n - 1 : map->rank - 2;
}

void tensor_map_channels_first(struct tensor_map *map)
{
    const struct tensor_map from = *map;
    for (uint32_t n = 0; n < map->rank; n++) {
        const uint32_t d = tensor_dimension(&from, n);
        map->size[n] = from.size[d];
        map->stride[n] = from.stride[d];
        map->step[n] = from.step[d];
        map->box[n] = from.box[d];
    }
    if (map->interleave)
        map->box[0] = 1;
}

static uint64_t field(uint64_t word, unsigned bit, unsigned bits)
{
    return word >> bit & ((UINT64_C(1) << bits) - 1);
}

uint64_t tensor_map_box_bytes(const struct tensor_map *map)
{
    uint64_t bytes = tensor_type_bytes(map->type);
    if (map->im2col)
        return bytes * map->box[0] * map->pixels;
    for (uint32_t i = 0; i < map->rank; i++)
        bytes *= map->box[i] / map->step[i];
    return bytes;
}

/* The bytes of the box, and the unit of the swizzle: both follow from the rest, and are not read
 * here. */
static void put_derived(const struct tensor_map *map, uint64_t word[])
{
    static const uint16_t units[] = {0x10, 0x100, 0x200, 0x400};
    word[8] = tensor_map_box_bytes(map);
    word[9] = units[map->swizzle & 3];
}

static void put_pixels(const struct tensor_map *map, uint64_t *word)
{
    const unsigned bits = tensor_corner_bits(map->rank);
    *word = (uint64_t)(map->pixels - 1) << 32;
    for (uint32_t i = 1; i < map->rank - 1; i++) {
        const uint64_t mask = (UINT64_C(1) << bits) - 1;
        *word |= ((uint64_t)map->lower[i] & mask) << ((i - 1) * bits);
        *word |= ((uint64_t)map->upper[i] & mask) << (UPPER + (i - 1) * bits);
    }
}

/* Returns a field of `bits` bits as a signed number. */
static int32_t corner(uint64_t word, unsigned bit, unsigned bits)
{
    const uint64_t sign = UINT64_C(1) << (bits - 1);
    return (int32_t)((int64_t)(field(word, bit, bits) ^ sign) - (int64_t)sign);
}

static void get_pixels(struct tensor_map *map, uint64_t word)
{
    const unsigned bits = tensor_corner_bits(map->rank);
    map->pixels = (uint32_t)field(word, 32, PIXELS) + 1;
    for (uint32_t i = 1; i < map->rank - 1; i++) {
        map->lower[i] = corner(word, (i - 1) * bits, bits);
        map->upper[i] = corner(word, UPPER + (i - 1) * bits, bits);
        map->box[i] = 1;
    }
    map->box[map->rank - 1] = 1;
}

void tensor_map_encode(const struct tensor_map *map, uint64_t word[TENSOR_MAP_BYTES / 8])
{
    memset(word, 0, TENSOR_MAP_BYTES);
    word[0] = map->address;
    word[1] = (uint64_t)map->im2col << IM2COL | (uint64_t)(map->rank - 1) << RANK |
              (uint64_t)types[map->type].code << TYPE | (uint64_t)map->interleave << INTERLEAVE |
              (uint64_t)map->swizzle << SWIZZLE | (uint64_t)map->nan << FILL_NAN |
              (uint64_t)types[map->type].tf32 << TF32 | (uint64_t)map->promotion << PROMOTION;
    for (uint32_t i = 1; i < map->rank; i++) {
        const uint64_t stride = map->stride[i] / 16;
        word[i / 2 + 1] |= (stride & UINT32_MAX) << (i % 2 ? 32 : 0);
        word[3] |= (stride >> 32 & 0xf) << (32 + 4 * (i - 1));
    }
    for (uint32_t i = 0; i < map->rank; i++) {
        word[4 + i / 2] |= ((map->size[i] - 1) & UINT32_MAX) << (i % 2 ? 32 : 0);
        word[6] |= (uint64_t)(map->step[i] - 1) << (32 + 3 * i);
        if (i && !map->im2col)
            word[7] |= (uint64_t)(map->box[i] - 1) << (8 * (i - 1));
        else if (i == 0)
            word[6] |= (uint64_t)(map->box[0] - 1) << 56;
    }
    if (map->im2col)
        put_pixels(map, &word[7]);
    put_derived(map, word);
}

static bool decode_type(struct tensor_map *map, uint64_t word)
{
    for (unsigned type = 0; type < TENSOR_TYPES; type++)
        if (types[type].code == field(word, TYPE, 4) && types[type].tf32 == field(word, TF32, 1)) {
            map->type = (enum tensor_type)type;
            return true;
        }
    return false;
}

bool tensor_map_decode(struct tensor_map *map, const uint64_t word[TENSOR_MAP_READ / 8])
{
    *map = (struct tensor_map){.address = word[0],
                               .rank = (uint32_t)field(word[1], RANK, 3) + 1,
                               .interleave = (uint32_t)field(word[1], INTERLEAVE, 2),
                               .swizzle = (uint32_t)field(word[1], SWIZZLE, 2),
                               .promotion = (uint32_t)field(word[1], PROMOTION, 2),
                               .nan = field(word[1], FILL_NAN, 1),
                               .im2col = field(word[1], IM2COL, 1)};
    if (map->rank > TENSOR_DIMENSIONS || (map->im2col && map->rank < 3) ||
        !decode_type(map, word[1]))
        return false;
    map->unit = map->interleave ? SLICE * map->interleave : tensor_type_bytes(map->type);
    map->stride[0] = map->unit;
    for (uint32_t i = 1; i < map->rank; i++)
        map->stride[i] = 16 * (field(word[i / 2 + 1], i % 2 ? 32 : 0, 32) |
                               field(word[3], 32 + 4 * (i - 1), 4) << 32);
    for (uint32_t i = 0; i < map->rank; i++) {
        map->size[i] = field(word[4 + i / 2], i % 2 ? 32 : 0, 32) + 1;
        map->step[i] = (uint32_t)field(word[6], 32 + 3 * i, 3) + 1;
        map->box[i] = (uint32_t)(i ? field(word[7], 8 * (i - 1), 8) : word[6] >> 56) + 1;
    }
    if (map->im2col)
        get_pixels(map, word[7]);
    return true;
}
