/* LDSM and STSM: how the core sees what they access. */
#ifndef SIM_FRONT_MATRIX_ROWS_H
#define SIM_FRONT_MATRIX_ROWS_H

#include "base/check.h"
#include "model/inst.h"

enum { MATRIX_ROW_BYTES = 16 };

/*
 * Lanes 0-7 have the addresses of the rows of the first 8x8 matrix, 8-15 those of the second, and
 * so on; `width` is 4 bytes for each matrix. What is moved is as if lanes took turns along the
 * rows, so that the core serves a matrix at a time (H200: one pass for each matrix, more by the
 * conflicts among its own 8 rows).
 */
static inline void matrix_rows_spread(uint8_t width, struct lane_addresses *addresses)
{
    const struct lane_addresses rows = *addresses;
    SIMSM_CHECK(width > 0 && MATRIX_ROW_BYTES % width == 0, "%u bytes of a lane", width);
    unsigned lanes = (unsigned)MATRIX_ROW_BYTES / width; /* that share a row */
    addresses->affine = false;
    for (unsigned l = 0; l < SIMSM_WARP_LANES; l++)
        addresses->lane[l] = lane_address(&rows, l / lanes) + (uint64_t)(l % lanes) * width;
}

#endif
