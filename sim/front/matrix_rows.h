/*
 * MODEL: what lanes of LDSM and STSM access, as the load/store stage sees it.
 * SOURCE: H200 (docs/calibration.md): one pass for each 8x8 matrix, and more passes for bank
 * conflicts among the matrix's own 8 rows.
 * LEFT OUT: nothing known.
 */
#ifndef SIM_FRONT_MATRIX_ROWS_H
#define SIM_FRONT_MATRIX_ROWS_H

#include "base/check.h"
#include "model/inst.h"

enum { MATRIX_ROW_BYTES = 16 };

/*
 * Turns the row addresses of LDSM or STSM into one address for each lane. On input lanes 0-7 hold
 * the addresses of the rows of the first 8x8 matrix, lanes 8-15 those of the second, and so on.
 * `width` is 4 bytes for each matrix. On output consecutive lanes access consecutive parts of the
 * rows, so that the core serves one matrix at a time.
 */
static inline void matrix_rows_spread(uint8_t width, struct lane_addresses *addresses)
{
    const struct lane_addresses rows = *addresses;
    SIMSM_CHECK(width > 0 && MATRIX_ROW_BYTES % width == 0, "%u bytes of a lane", width);
    unsigned lanes = (unsigned)MATRIX_ROW_BYTES / width; /* lanes that share a row */
    addresses->affine = false;
    for (unsigned l = 0; l < SIMSM_WARP_LANES; l++)
        addresses->lane[l] = lane_address(&rows, l / lanes) + (uint64_t)(l % lanes) * width;
}

#endif
