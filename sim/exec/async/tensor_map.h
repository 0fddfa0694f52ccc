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

/* The hardware reads the first half: cuDNN and cuBLASLt lay maps out 64 bytes apart. */
enum { TENSOR_MAP_BYTES = 128, TENSOR_MAP_READ = 64, TENSOR_DIMENSIONS = 5 };

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
    uint32_t unit;                      /* bytes of an element, or of a slice */
    uint64_t size[TENSOR_DIMENSIONS];   /* elements, the innermost dimension first */
    uint64_t stride[TENSOR_DIMENSIONS]; /* bytes; [0] is that of an element, or of a slice */
    uint32_t box[TENSOR_DIMENSIONS];    /* elements that the box spans; im2col: [0], channels */
    uint32_t step[TENSOR_DIMENSIONS];   /* every how manieth element is copied */
    uint32_t pixels;                    /* of a copy, im2col */
    /* Pixels lie between the tensor's corners moved by these, im2col; of dimensions 1 to rank-2,
     * channels first. */
    int32_t lower[TENSOR_DIMENSIONS], upper[TENSOR_DIMENSIONS];
    uint32_t interleave; /* of the slices of 0 none, 1 of 16, 2 of 32 bytes */
    uint32_t swizzle;    /* 0 none, 1 of 32 bytes, 2 of 64, 3 of 128 */
    uint32_t promotion;  /* of L2 */
    bool nan;            /* outside of the tensor are NaN, not zeros */
    bool im2col;
};

/* Returns the bytes of an element. */
uint32_t tensor_type_bytes(enum tensor_type type);

/* Returns the bytes of a box as the driver counts them: without interleave, and whole steps. */
uint64_t tensor_map_box_bytes(const struct tensor_map *map);

/* Returns the bits of a corner or of an offset of pixels in a tensor of `rank` dimensions, im2col;
 * 0: it has none. */
uint32_t tensor_corner_bits(uint32_t rank);

/*
 * Interleaved tensors have slices of 16 or 32 bytes, each with some channels of an element. A slice
 * is the unit of dimension 0; the number of the slice is the last dimension but one, and is the
 * same in all of a copy. Without interleave, channels are dimension 0.
 *
 * Returns which dimension of the map is the n-th if channels come first.
 */
uint32_t tensor_dimension(const struct tensor_map *map, uint32_t n);
/* Sorts the map's dimensions so; of an interleaved tensor, [0] then counts slices. */
void tensor_map_channels_first(struct tensor_map *map);

void tensor_map_encode(const struct tensor_map *map, uint64_t word[TENSOR_MAP_BYTES / 8]);

/* Returns false if the bytes are no tensor map. */
bool tensor_map_decode(struct tensor_map *map, const uint64_t word[TENSOR_MAP_READ / 8]);

#endif
