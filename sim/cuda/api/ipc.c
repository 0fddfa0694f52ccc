/*
 * Memory and events of other processes of one machine. Answers and errors are those of an H200
 * (driver 580.159.04, tests/data/cuda/ipc.c).
 *
 * An event that another process may wait for is complete when the call that records it returns, so
 * that the other process never has to wait.
 */
#include <string.h>
#include <unistd.h>

#include "cuda/cuda_stream.h"
#include "cuda/ipc_memory.h"
#include "cuda/runtime.h"

enum { LAZY_ENABLE_PEER_ACCESS = 1 };

/* What the handle of an event holds. */
struct event_ticket {
    char kind[8];
    int32_t process;
};

static const char ticket_kind[8] = "event";

enum cuda_error cudaIpcGetMemHandle(struct cuda_ipc_handle *handle, void *pointer)
{
    struct runtime *rt = rt_enter(__func__);
    if (!rt)
        return rt_leave(rt_refusal());
    return rt_leave(handle ? ipc_export(rt->memory, (uintptr_t)pointer, handle)
                           : CUDA_INVALID_VALUE);
}

enum cuda_error cudaIpcOpenMemHandle(void **pointer, struct cuda_ipc_handle handle, unsigned flags)
{
    struct runtime *rt = rt_enter(__func__);
    if (!rt)
        return rt_leave(rt_refusal());
    if (!pointer || flags != LAZY_ENABLE_PEER_ACCESS)
        return rt_leave(CUDA_INVALID_VALUE);
    uint64_t address = 0;
    const enum cuda_error error = ipc_open(rt->memory, &handle, &address);
    if (error == CUDA_SUCCESS)
        *pointer = (void *)(uintptr_t)address;
    return rt_leave(error);
}

enum cuda_error cudaIpcCloseMemHandle(void *pointer)
{
    struct runtime *rt = rt_enter(__func__);
    if (rt)
        rt_finish_work(); /* that may use the memory */
    if (!rt)
        return rt_leave(rt_refusal());
    return rt_leave(ipc_close(rt->memory, (uintptr_t)pointer) ? CUDA_SUCCESS : CUDA_INVALID_VALUE);
}

enum cuda_error cudaIpcGetEventHandle(struct cuda_ipc_handle *handle, void *event)
{
    struct runtime *rt = rt_enter(__func__);
    if (!rt)
        return rt_leave(rt_refusal());
    const struct event *found = event_find(event);
    if (!handle)
        return rt_leave(CUDA_INVALID_VALUE);
    if (!found || !(found->flags & EVENT_INTERPROCESS) || found->imported)
        return rt_leave(CUDA_INVALID_RESOURCE_HANDLE);
    struct event_ticket ticket = {.process = getpid()};
    memcpy(ticket.kind, ticket_kind, sizeof ticket.kind);
    *handle = (struct cuda_ipc_handle){{0}};
    memcpy(handle, &ticket, sizeof ticket);
    return rt_leave(CUDA_SUCCESS);
}

enum cuda_error cudaIpcOpenEventHandle(void **event, struct cuda_ipc_handle handle)
{
    struct runtime *rt = rt_enter(__func__);
    if (!rt)
        return rt_leave(rt_refusal());
    struct event_ticket ticket;
    memcpy(&ticket, &handle, sizeof ticket);
    if (!event)
        return rt_leave(CUDA_INVALID_VALUE);
    if (memcmp(ticket.kind, ticket_kind, sizeof ticket.kind) != 0)
        return rt_leave(CUDA_MAP_BUFFER_OBJECT_FAILED);
    if (ticket.process == getpid())
        return rt_leave(CUDA_DEVICE_UNINITIALIZED);
    struct event *made = event_create(EVENT_INTERPROCESS | EVENT_DISABLE_TIMING);
    if (!made)
        return rt_leave(CUDA_MEMORY_ALLOCATION);
    made->imported = true;
    *event = made;
    return rt_leave(CUDA_SUCCESS);
}
