/*
 * Fatbins: containers of device code for several SMs. NVIDIA does not document their layout; the
 * layout here was observed with toolkits 11.8 to 13.0. All numbers are little-endian.
 */
#ifndef SIM_SASS_IMAGE_FATBIN_H
#define SIM_SASS_IMAGE_FATBIN_H

#include <stddef.h>
#include <stdint.h>

#include "base/pool.h"
#include "sass/image/sass_module.h"

enum { FATBIN_ALIGN = 8 };

/* Returns whether the bytes begin a fatbin. */
bool fatbin_recognise(const void *data, size_t size);

/*
 * Reads the fatbin at `data` and appends its images, with the unit number `unit`, to the pool of
 * struct sass_image. The images point into `data`. *used: the size of the fatbin.
 */
enum simsm_status fatbin_read(struct pool *images, const uint8_t *data, size_t size, uint32_t unit,
                              const char *name, size_t *used, struct simsm_error *error);

#endif
