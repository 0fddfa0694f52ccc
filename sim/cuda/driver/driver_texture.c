/* Texture and surface objects. */
#include <stdint.h>

#include "cuda/driver/driver.h"
#include "cuda/driver/driver_array.h"
#include "cuda/textures.h"

enum cuda_error cudaCreateTextureObject(uint64_t *object, const struct cuda_resource *resource,
                                        const struct cuda_texture *texture, const void *view);
enum cuda_error cudaCreateSurfaceObject(uint64_t *object, const struct cuda_resource *resource);
enum cuda_error cudaGetTextureObjectResourceDesc(struct cuda_resource *resource, uint64_t object);
enum cuda_error cudaGetTextureObjectTextureDesc(struct cuda_texture *texture, uint64_t object);
enum cuda_error cudaGetSurfaceObjectResourceDesc(struct cuda_resource *resource, uint64_t object);
enum cuda_error cudaGetChannelDesc(struct cuda_channel *channel, const void *array);

int cuTexObjectCreate(uint64_t *object, const struct driver_resource *resource,
                      const struct driver_texture *texture, const void *view);
int cuSurfObjectCreate(uint64_t *object, const struct driver_resource *resource);
int cuTexObjectGetResourceDesc(struct driver_resource *resource, uint64_t object);
int cuTexObjectGetTextureDesc(struct driver_texture *texture, uint64_t object);
int cuTexObjectGetResourceViewDesc(void *view, uint64_t object);
int cuSurfObjectGetResourceDesc(struct driver_resource *resource, uint64_t object);

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

enum { CHANNEL_FLOAT = 2, WIDE = 32 };

/* Finds the channel of the texels. Returns false if the array is none. */
static bool find_channel(const struct cuda_resource *resource, struct cuda_channel *channel)
{
    *channel = resource->as.memory.channel;
    return (resource->type != RESOURCE_ARRAY && resource->type != RESOURCE_MIPMAPPED) ||
           cudaGetChannelDesc(channel, resource->as.array) == CUDA_SUCCESS;
}

/*
 * Returns whether reads give fractions of the largest integer. Integers of 32 bits are always read
 * as they are.
 */
static bool reads_fractions(const struct cuda_resource *resource,
                            const struct driver_texture *texture)
{
    struct cuda_channel channel;
    return find_channel(resource, &channel) && !(texture->flags & TEXTURE_AS_INTEGER) &&
           channel.kind != CHANNEL_FLOAT && channel.bits[0] != WIDE;
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
        .anisotropy = texture->anisotropy,
        .mipmap_linear = texture->mipmap_linear,
        .mipmap_bias = texture->mipmap_bias,
        .mipmap_min = texture->mipmap_min,
        .mipmap_max = texture->mipmap_max,
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

typedef enum cuda_error get_fn(struct cuda_resource *resource, uint64_t object);

/* Writes what an object was created of, as `get` says. */
static int get_resource(struct driver_resource *to, uint64_t object, get_fn *get)
{
    struct cuda_resource from;
    const int result = to ? driver_result(get(&from, object)) : DRIVER_INVALID_VALUE;
    if (result != DRIVER_SUCCESS)
        return result;
    *to = (struct driver_resource){.type = from.type};
    if (from.type == RESOURCE_ARRAY || from.type == RESOURCE_MIPMAPPED) {
        to->as.array = from.as.array;
        return result;
    }
    const struct cuda_memory_view *view = &from.as.memory;
    to->as.memory.pointer = view->pointer;
    to->as.memory.width = view->width;
    if (from.type == RESOURCE_PITCH_2D) {
        to->as.memory.height = view->height;
        to->as.memory.pitch = view->pitch;
    }
    (void)driver_format(&view->channel, &to->as.memory.format, &to->as.memory.channels);
    return result;
}

int cuTexObjectGetResourceDesc(struct driver_resource *resource, uint64_t object)
{
    return get_resource(resource, object, cudaGetTextureObjectResourceDesc);
}

int cuSurfObjectGetResourceDesc(struct driver_resource *resource, uint64_t object)
{
    return get_resource(resource, object, cudaGetSurfaceObjectResourceDesc);
}

/* Integers of 32 bits have been read as integers, whatever the program's flags were. */
int cuTexObjectGetTextureDesc(struct driver_texture *texture, uint64_t object)
{
    struct cuda_resource resource;
    struct cuda_channel channel;
    struct cuda_texture from;
    enum cuda_error error = CUDA_INVALID_VALUE;
    if (texture)
        error = cudaGetTextureObjectResourceDesc(&resource, object);
    if (error == CUDA_SUCCESS)
        error = cudaGetTextureObjectTextureDesc(&from, object);
    if (error != CUDA_SUCCESS)
        return driver_result(error);
    const bool integers = find_channel(&resource, &channel) && channel.kind != CHANNEL_FLOAT;
    *texture = (struct driver_texture){
        .beyond = {from.beyond[0], from.beyond[1], from.beyond[2]},
        .linear = from.linear,
        .flags = (from.fraction || !integers ? 0 : (unsigned)TEXTURE_AS_INTEGER) |
                 (from.normalized ? (unsigned)TEXTURE_NORMALIZED : 0),
        .anisotropy = from.anisotropy,
        .mipmap_linear = from.mipmap_linear,
        .mipmap_bias = from.mipmap_bias,
        .mipmap_min = from.mipmap_min,
        .mipmap_max = from.mipmap_max,
        .border = {from.border[0], from.border[1], from.border[2], from.border[3]}};
    return DRIVER_SUCCESS;
}

/* No object has a view of its resource (cuTexObjectCreate). */
int cuTexObjectGetResourceViewDesc(void *view, uint64_t object)
{
    (void)view;
    (void)object;
    return DRIVER_INVALID_VALUE;
}
