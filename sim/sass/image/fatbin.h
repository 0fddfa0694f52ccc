/*
 * Fatbins: containers of device code for several SMs. Their layout is not documented; it is written
 * down here as observed with toolkits 11.8 to 13.0. All numbers are little-endian.
 */
#ifndef SIM_SASS_IMAGE_FATBIN_H
#define SIM_SASS_IMAGE_FATBIN_H

#include <stddef.h>
#include <stdint.h>

#include "base/pool.h"
#include "sass/image/sass_module.h"

enum { FATBIN_ALIGN = 8 };

/* Whether the bytes begin a fatbin. */
bool fatbin_recognise(const void *data, size_t size);

/*
 * Reads the fatbin at `data`, of which it uses the first *used bytes, and appends its images, of
 * unit `unit`, to the pool of struct sass_image. They point into `data`.
 */
enum simsm_status fatbin_read(struct pool *images, const uint8_t *data, size_t size, uint32_t unit,
                              const char *name, size_t *used, struct simsm_error *error);

#endif
