/*
 * Tensor maps: 128 bytes that describe a tensor in global memory and the part of it that a tensor
 * copy (TMA) moves: a box, or in im2col mode a number of pixels. Their layout was measured:
 * cuda/probe/tensor_maps.cu changes one field at a time and has a driver encode it
 * (cuda/data/h200/2026-11-26/tensor_maps.csv).
 */
#ifndef SIM_EXEC_ASYNC_TENSOR_MAP_H
#define SIM_EXEC_ASYNC_TENSOR_MAP_H

#include <stdbool.h>
#include <stdint.h>

enum { TENSOR_MAP_BYTES = 128, TENSOR_DIMENSIONS = 5 };

/* CUtensorMapDataType. */
enum tensor_type {
    TENSOR_U8,
    TENSOR_U16,
    TENSOR_U32,
    TENSOR_S32,
    TENSOR_U64,
    TENSOR_S64,
    TENSOR_F16,
    TENSOR_F32,
    TENSOR_F64,
    TENSOR_BF16,
    TENSOR_F32_FTZ,
    TENSOR_TF32,
    TENSOR_TF32_FTZ,
    TENSOR_TYPES
};

struct tensor_map {
    uint64_t address;
    enum tensor_type type;
    uint32_t rank;                      /* 1 to 5 */
    uint64_t size[TENSOR_DIMENSIONS];   /* elements, the innermost dimension first */
    uint64_t stride[TENSOR_DIMENSIONS]; /* bytes; [0] is the size of an element */
    uint32_t box[TENSOR_DIMENSIONS];    /* elements that the box spans; im2col: [0], channels */
    uint32_t step[TENSOR_DIMENSIONS];   /* every how manieth element is copied */
    uint32_t pixels;                    /* of a copy, im2col */
    /* Pixels lie between the tensor's corners moved by these, im2col; of dimensions 1 to rank-2. */
    int32_t lower[TENSOR_DIMENSIONS], upper[TENSOR_DIMENSIONS];
    uint32_t interleave; /* 0: none */
    uint32_t swizzle;    /* 0 none, 1 of 32 bytes, 2 of 64, 3 of 128 */
    uint32_t promotion;  /* of L2 */
    bool nan;            /* outside of the tensor are NaN, not zeros */
    bool im2col;
};

/* Returns the bytes of an element. */
uint32_t tensor_type_bytes(enum tensor_type type);

/* Returns the bits of a corner or of an offset of pixels in a tensor of `rank` dimensions, im2col;
 * 0: it has none. */
uint32_t tensor_corner_bits(uint32_t rank);

void tensor_map_encode(const struct tensor_map *map, uint64_t word[TENSOR_MAP_BYTES / 8]);

/* Returns false if the bytes are no tensor map. */
bool tensor_map_decode(struct tensor_map *map, const uint64_t word[TENSOR_MAP_BYTES / 8]);

#endif
