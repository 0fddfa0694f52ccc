/* Properties of the device that have functions of their own. */
#include <string.h>

#include "cuda/driver/driver.h"
#include "cuda/driver/driver_array.h"

enum cuda_error cudaDeviceGetAttribute(int *value, int attribute, int device);

int cuDeviceGetProperties(int *properties, int device);
int cuDeviceGetTexture1DLinearMaxWidth(size_t *width, int format, unsigned channels, int device);
int cuDeviceGetExecAffinitySupport(int *supported, int type, int device);
int cuDeviceGetLuid(char *luid, unsigned *mask, int device);

/* CUdevprop: the attributes 1 to 14, in this order. */
int cuDeviceGetProperties(int *properties, int device)
{
    enum { MEMBERS = 14 };
    int value[MEMBERS];
    enum cuda_error error = properties ? CUDA_SUCCESS : CUDA_INVALID_VALUE;
    for (int i = 0; i < MEMBERS && error == CUDA_SUCCESS; i++)
        error = cudaDeviceGetAttribute(&value[i], 1 + i, device);
    if (error == CUDA_SUCCESS)
        memcpy(properties, value, sizeof value);
    return driver_result(error);
}

int cuDeviceGetTexture1DLinearMaxWidth(size_t *width, int format, unsigned channels, int device)
{
    enum { TEXTURE_1D_LINEAR_WIDTH = 69, WIDEST = 128 }; /* bits of the attribute's elements */
    struct cuda_channel channel;
    int elements;
    if (!width || !channels || !driver_channel(format, channels, &channel))
        return DRIVER_INVALID_VALUE;
    const enum cuda_error error =
        cudaDeviceGetAttribute(&elements, TEXTURE_1D_LINEAR_WIDTH, device);
    if (error == CUDA_SUCCESS)
        *width = (size_t)elements * WIDEST / ((size_t)channel.bits[0] * channels);
    return driver_result(error);
}

/* Contexts with a part of the SMs are those of MPS. */
int cuDeviceGetExecAffinitySupport(int *supported, int type, int device)
{
    if (!supported || type)
        return DRIVER_INVALID_VALUE;
    *supported = 0;
    return device == 0 ? DRIVER_SUCCESS : DRIVER_INVALID_DEVICE;
}

/* Of Windows alone. */
int cuDeviceGetLuid(char *luid, unsigned *mask, int device)
{
    (void)luid;
    (void)mask;
    (void)device;
    return DRIVER_NOT_SUPPORTED;
}
