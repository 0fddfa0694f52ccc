/* Formats of arrays in the driver API, and copies in three dimensions with them. */
#ifndef SIM_CUDA_DRIVER_DRIVER_ARRAY_H
#define SIM_CUDA_DRIVER_DRIVER_ARRAY_H

#include <stdbool.h>

#include "cuda/driver/driver_abi.h"

/*
 * Describes elements of `channels` components with a CUarray_format. Returns false if there is no
 * such format.
 */
bool driver_channel(int format, unsigned channels, struct cuda_channel *channel);

/* Finds the CUarray_format and the components of a channel. Returns false if there is none. */
bool driver_format(const struct cuda_channel *channel, int *format, unsigned *channels);

/*
 * Translates a copy into that of the runtime, where x and the width count elements of an array.
 * Returns the driver's result.
 */
int driver_copy_3d(const struct driver_copy_3d *from, struct cuda_copy_3d *to);

#endif
