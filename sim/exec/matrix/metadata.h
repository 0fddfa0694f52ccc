/*
 * Metadata of sparse A: which inner index each stored element has. Elements come in chunks: two of
 * four are stored, or one of two TF32 numbers.
 */
#ifndef SIM_EXEC_MATRIX_METADATA_H
#define SIM_EXEC_MATRIX_METADATA_H

#include "exec/control/exec_warp.h"
#include "exec/matrix/product.h"

/*
 * Fills *places for 16 rows of `stored` elements of `bits` bits, in the order of fragment.h, from
 * the metadata register of a warp. `upper_lanes`: of four lanes, the upper two have the metadata
 * (16-bit elements and TF32).
 */
void metadata_places(const uint32_t metadata[EXEC_LANES], bool upper_lanes, unsigned bits,
                     unsigned stored, struct product_places *places);

/* Moves the stored elements of *a, integers of 32 bits, to their places, where they add up. The
 * other elements become zeros. */
void metadata_spread(const struct product_places *places, unsigned stored, struct product_a *a);

#endif
