/* User objects, which graphs keep alive. */
#include <limits.h>

#include "cuda/graph_api.h"
#include "cuda/user_object.h"

enum { NO_DESTRUCTOR_SYNC = 1, MOVE = 1 };

static bool is_count(unsigned count)
{
    return count > 0 && count <= INT_MAX;
}

enum cuda_error cudaUserObjectCreate(void **object, void *data, cuda_host_fn *destroy,
                                     unsigned count, unsigned flags)
{
    const struct runtime *rt = rt_enter(__func__);
    if (!rt)
        return rt_leave(rt_refusal());
    if (!object || !destroy || !is_count(count) || flags != NO_DESTRUCTOR_SYNC)
        return rt_leave(CUDA_INVALID_VALUE);
    *object = user_object_create(destroy, data, count);
    return rt_leave(*object ? CUDA_SUCCESS : CUDA_MEMORY_ALLOCATION);
}

enum cuda_error cudaUserObjectRetain(void *handle, unsigned count)
{
    const struct runtime *rt = rt_enter(__func__);
    struct user_object *object = rt ? user_object_find(handle) : NULL;
    if (!object || !is_count(count))
        return rt_leave(rt ? CUDA_INVALID_VALUE : rt_refusal());
    user_object_retain(object, count);
    return rt_leave(CUDA_SUCCESS);
}

/* Leaves a call that may have released the last reference to an object. */
static enum cuda_error leave_and_bury(enum cuda_error error)
{
    const enum cuda_error result = rt_leave(error);
    user_objects_bury();
    return result;
}

enum cuda_error cudaUserObjectRelease(void *handle, unsigned count)
{
    const struct runtime *rt = rt_enter(__func__);
    struct user_object *object = rt ? user_object_find(handle) : NULL;
    if (!object || !is_count(count) || !user_object_release(object, count))
        return rt_leave(rt ? CUDA_INVALID_VALUE : rt_refusal());
    return leave_and_bury(CUDA_SUCCESS);
}

enum cuda_error cudaGraphRetainUserObject(void *graph_handle, void *handle, unsigned count,
                                          unsigned flags)
{
    const struct runtime *rt = rt_enter(__func__);
    struct graph *graph = rt ? graph_from(graph_handle) : NULL;
    struct user_object *object = rt ? user_object_find(handle) : NULL;
    if (!graph || !object || !is_count(count) || flags > MOVE ||
        !user_references_add(&graph->held, object, count, flags == MOVE))
        return rt_leave(rt ? CUDA_INVALID_VALUE : rt_refusal());
    return rt_leave(CUDA_SUCCESS);
}

enum cuda_error cudaGraphReleaseUserObject(void *graph_handle, void *handle, unsigned count)
{
    const struct runtime *rt = rt_enter(__func__);
    struct graph *graph = rt ? graph_from(graph_handle) : NULL;
    const struct user_object *object = rt ? user_object_find(handle) : NULL;
    if (!graph || !object || !is_count(count) ||
        !user_references_remove(&graph->held, object, count))
        return rt_leave(rt ? CUDA_INVALID_VALUE : rt_refusal());
    return leave_and_bury(CUDA_SUCCESS);
}
