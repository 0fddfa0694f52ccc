/* Texture and surface objects. */
#include <stdint.h>

#include "cuda/driver/driver.h"
#include "cuda/driver/driver_array.h"

enum cuda_error cudaCreateTextureObject(uint64_t *object, const struct cuda_resource *resource,
                                        const struct cuda_texture *texture, const void *view);
enum cuda_error cudaCreateSurfaceObject(uint64_t *object, const struct cuda_resource *resource);
enum cuda_error cudaGetChannelDesc(struct cuda_channel *channel, const void *array);

int cuTexObjectCreate(uint64_t *object, const struct driver_resource *resource,
                      const struct driver_texture *texture, const void *view);
int cuSurfObjectCreate(uint64_t *object, const struct driver_resource *resource);

static int translate(const struct driver_resource *from, struct cuda_resource *to)
{
    if (!from)
        return DRIVER_INVALID_VALUE;
    *to = (struct cuda_resource){.type = from->type};
    if (from->type != RESOURCE_LINEAR && from->type != RESOURCE_PITCH_2D) {
        to->as.array = from->as.array;
        return DRIVER_SUCCESS;
    }
    const struct driver_memory_view *view = &from->as.memory;
    to->as.memory.pointer = view->pointer;
    to->as.memory.width = view->width;
    if (from->type == RESOURCE_PITCH_2D) {
        to->as.memory.height = view->height;
        to->as.memory.pitch = view->pitch;
    }
    return driver_channel(view->format, view->channels, &to->as.memory.channel)
               ? DRIVER_SUCCESS
               : DRIVER_INVALID_VALUE;
}

/*
 * Returns whether reads give fractions of the largest integer. Integers of 32 bits are always read
 * as they are.
 */
static bool reads_fractions(const struct cuda_resource *resource,
                            const struct driver_texture *texture)
{
    enum { FLOAT = 2, WIDE = 32 };
    struct cuda_channel channel = resource->as.memory.channel;
    if (resource->type == RESOURCE_ARRAY &&
        cudaGetChannelDesc(&channel, resource->as.array) != CUDA_SUCCESS)
        return false;
    return !(texture->flags & TEXTURE_AS_INTEGER) && channel.kind != FLOAT &&
           channel.bits[0] != WIDE;
}

int cuTexObjectCreate(uint64_t *object, const struct driver_resource *resource,
                      const struct driver_texture *texture, const void *view)
{
    struct cuda_resource made;
    const int result = texture ? translate(resource, &made) : DRIVER_INVALID_VALUE;
    if (result != DRIVER_SUCCESS)
        return result;
    const struct cuda_texture description = {
        .beyond = {texture->beyond[0], texture->beyond[1], texture->beyond[2]},
        .linear = texture->linear,
        .fraction = reads_fractions(&made, texture),
        .srgb = (texture->flags & TEXTURE_SRGB) != 0,
        .border = {texture->border[0], texture->border[1], texture->border[2], texture->border[3]},
        .normalized = (texture->flags & TEXTURE_NORMALIZED) != 0,
    };
    return driver_result(cudaCreateTextureObject(object, &made, &description, view));
}

int cuSurfObjectCreate(uint64_t *object, const struct driver_resource *resource)
{
    struct cuda_resource made;
    const int result = translate(resource, &made);
    return result == DRIVER_SUCCESS ? driver_result(cudaCreateSurfaceObject(object, &made))
                                    : result;
}
