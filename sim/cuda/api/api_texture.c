/* Texture and surface objects: create, destroy, and tell what they were created of. */
#include "cuda/runtime.h"
#include "cuda/textures.h"

enum cuda_error cudaCreateTextureObject(uint64_t *object, const struct cuda_resource *resource,
                                        const struct cuda_texture *texture, const void *view)
{
    struct runtime *rt = rt_enter(__func__);
    if (!rt)
        return rt_leave(rt_refusal());
    if (!object || !resource || !texture)
        return rt_leave(CUDA_INVALID_VALUE);
    if (view)
        return rt_leave(rt_report(CUDA_NOT_SUPPORTED, "views of resources are not supported"));
    return rt_leave(textures_new_object(rt, resource, texture, object));
}

enum cuda_error cudaCreateSurfaceObject(uint64_t *object, const struct cuda_resource *resource)
{
    struct runtime *rt = rt_enter(__func__);
    if (!rt)
        return rt_leave(rt_refusal());
    if (!object || !resource)
        return rt_leave(CUDA_INVALID_VALUE);
    return rt_leave(textures_new_object(rt, resource, NULL, object));
}

static enum cuda_error destroy(struct runtime *rt, uint64_t object, bool surface)
{
    if (!rt)
        return rt_refusal();
    return !object || textures_free_object(rt, object, surface)
               ? CUDA_SUCCESS
               : rt_report(CUDA_INVALID_VALUE, "%llu is no %s object", (unsigned long long)object,
                           surface ? "surface" : "texture");
}

enum cuda_error cudaDestroyTextureObject(uint64_t object)
{
    struct runtime *rt = rt_enter(__func__);
    return rt_leave(destroy(rt, object, false));
}

enum cuda_error cudaDestroySurfaceObject(uint64_t object)
{
    struct runtime *rt = rt_enter(__func__);
    return rt_leave(destroy(rt, object, true));
}

/* Finds what an object was created of. `wanted`: where the answer goes. */
static enum cuda_error find(const char *function, const void *wanted, uint64_t object, bool surface,
                            struct cuda_resource *resource, struct cuda_texture *texture)
{
    const struct runtime *rt = rt_enter(function);
    if (!rt)
        return rt_leave(rt_refusal());
    const bool found = wanted && textures_find_object(rt, object, surface, resource, texture);
    return rt_leave(found ? CUDA_SUCCESS : CUDA_INVALID_VALUE);
}

enum cuda_error cudaGetTextureObjectResourceDesc(struct cuda_resource *resource, uint64_t object)
{
    struct cuda_texture texture;
    return find(__func__, resource, object, false, resource, &texture);
}

enum cuda_error cudaGetTextureObjectTextureDesc(struct cuda_texture *texture, uint64_t object)
{
    struct cuda_resource resource;
    return find(__func__, texture, object, false, &resource, texture);
}

enum cuda_error cudaGetSurfaceObjectResourceDesc(struct cuda_resource *resource, uint64_t object)
{
    return find(__func__, resource, object, true, resource, NULL);
}

CUDA_ALIAS(cudaCreateTextureObject_v2, cudaCreateTextureObject);
CUDA_ALIAS(cudaGetTextureObjectTextureDesc_v2, cudaGetTextureObjectTextureDesc);
