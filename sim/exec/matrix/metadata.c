/*
 * MODEL: metadata of sparse A. Four bits describe a chunk: the indices of the two stored elements,
 * the first one in the lower bits. They may be in any order. TF32 numbers count as two 16-bit
 * elements each, so that their chunk is 0x4 (the first one is stored) or 0xe (the second one).
 * SOURCE: the PTX ISA (wgmma.mma_async.sp) and CUTLASS (ELayout_64x* of
 * mma_traits_sm90_gmma_sparse.hpp); measured on an H100, bit for bit (cuda/probe/wgmma_sparse.cu).
 * The same index twice, to which the PTX ISA gives no meaning, multiplies both elements by the same
 * row of B.
 * LEFT OUT: bits of TF32 other than 0x4 and 0xe, which have no meaning either: hardware makes one
 * number of B from the halves of two.
 */
#include "exec/matrix/metadata.h"

#include <string.h>

#include "exec/matrix/fragment.h"

/*
 * Returns the four bits of a chunk, as the lowest bits. The registers of four lanes describe row r
 * and row r + 8. Eight chunks of a row lie in two lanes, four in the half of each register. Sixteen
 * chunks of 8-bit elements lie in two lanes, eight in each; the other two lanes have row r + 8.
 */
static uint32_t chunk_bits(const uint32_t metadata[EXEC_LANES], bool upper_lanes, unsigned bits,
                           unsigned row, unsigned chunk)
{
    const unsigned first = row % 8 * 4, second = row / 8;
    if (bits == 8)
        return metadata[first + second + chunk / 8 * 2] >> chunk % 8 * 4;
    return metadata[first + (upper_lanes ? 2 : 0) + chunk / 4] >> (second * 16 + chunk % 4 * 4);
}

void metadata_places(const uint32_t metadata[EXEC_LANES], bool upper_lanes, unsigned bits,
                     unsigned stored, struct product_places *places)
{
    const unsigned each = 32 / bits;
    const unsigned in_chunk = each == 1 ? 1 : 2;
    for (unsigned row = 0; row < PRODUCT_ROWS; row++)
        for (unsigned k = 0; k < stored; k++) {
            const unsigned chunk = k / in_chunk;
            const uint32_t four = chunk_bits(metadata, upper_lanes, bits, row, chunk);
            const unsigned index =
                in_chunk == 1 ? 2 * chunk + (four >> 1 & 1) : 4 * chunk + (four >> k % 2 * 2 & 3);
            places->inner[row][fragment_inner(k, each)] = (uint8_t)fragment_inner(index, each);
        }
}

void metadata_spread(const struct product_places *places, unsigned stored, struct product_a *a)
{
    for (unsigned row = 0; row < PRODUCT_ROWS; row++) {
        uint32_t from[PRODUCT_DEPTH];
        memcpy(from, a->bits[row], stored * sizeof *from);
        memset(a->bits[row], 0, sizeof a->bits[row]);
        for (unsigned k = 0; k < stored; k++)
            a->bits[row][places->inner[row][k]] += from[k];
    }
}
