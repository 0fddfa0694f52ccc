/*
 * The device and contexts of the driver API. There is one device, and all contexts share its memory
 * and code.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/driver/context.h"
#include "cuda/driver/context_storage.h"
#include "cuda/driver/driver.h"
#include "cuda/properties.h"

struct context {
    struct context *next; /* list of all contexts that are not destroyed */
    unsigned flags;
    uint64_t number;              /* from 1 on */
    struct context_value *values; /* that the program has stored */
};

static struct context primary = {.number = 1};
static struct context *living = &primary;
static uint64_t last_number = 1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* protects `living` and values */

/*
 * The context stack of the thread. A handle may outlive its context, because another thread may
 * destroy the context. An empty stack means the primary context, as after a call of the runtime
 * API.
 */
enum { STACK_MOST = 256 };
static _Thread_local struct {
    void *handle[STACK_MOST];
    unsigned used;
} stack;

enum cuda_error cudaGetDeviceCount(int *count);
enum cuda_error cudaGetDeviceProperties(struct cuda_properties_13 *properties, int device);
enum cuda_error cudaDeviceGetAttribute(int *value, int attribute, int device);
enum cuda_error cudaMemGetInfo(size_t *left, size_t *all);
enum cuda_error cudaDeviceReset(void);
enum cuda_error cudaDeviceSynchronize(void);
enum cuda_error cudaEventRecord(void *event, void *stream);
enum cuda_error cudaEventSynchronize(void *event);

int cuInit(unsigned flags);
int cuDeviceGetCount(int *count);
int cuDeviceGet(int *device, int ordinal);
int cuDeviceGetName(char *name, int size, int device);
int cuDeviceTotalMem_v2(size_t *bytes, int device);
int cuDeviceComputeCapability(int *major, int *minor, int device);
int cuDeviceGetUuid(void *uuid, int device);
int cuDeviceGetUuid_v2(void *uuid, int device);
int cuDevicePrimaryCtxRetain(void **context, int device);
int cuDevicePrimaryCtxRelease(int device);
int cuDevicePrimaryCtxRelease_v2(int device);
int cuDevicePrimaryCtxReset(int device);
int cuDevicePrimaryCtxReset_v2(int device);
int cuDevicePrimaryCtxSetFlags(int device, unsigned flags);
int cuDevicePrimaryCtxSetFlags_v2(int device, unsigned flags);
int cuDevicePrimaryCtxGetState(int device, unsigned *flags, int *active);
int cuCtxCreate_v2(void **context, unsigned flags, int device);
int cuCtxCreate_v3(void **context, void *affinity, int count, unsigned flags, int device);
int cuCtxCreate_v4(void **context, void *parameters, unsigned flags, int device);
int cuCtxDestroy_v2(void *context);
int cuCtxPushCurrent_v2(void *context);
int cuCtxPopCurrent_v2(void **context);
int cuCtxSetCurrent(void *context);
int cuCtxGetCurrent(void **context);
int cuCtxGetDevice(int *device);
int cuCtxGetDevice_v2(int *device, void *context);
int cuCtxSynchronize_v2(void *context);
int cuCtxGetFlags(unsigned *flags);
int cuCtxSetFlags(unsigned flags);
int cuCtxRecordEvent(void *context, void *event);
int cuCtxWaitEvent(void *context, void *event);
int cuCtxGetApiVersion(void *context, unsigned *version);
int cuCtxGetId(void *context, unsigned long long *id);
int cuStreamGetCtx(void *stream, void **context);
int cuStreamGetCtx_v2(void *stream, void **context, void **green);
int cuStreamGetGreenCtx(void *stream, void **green);

int cuInit(unsigned flags)
{
    int count;
    return flags ? DRIVER_INVALID_VALUE : driver_result(cudaGetDeviceCount(&count));
}

int cuDeviceGetCount(int *count)
{
    int found;
    if (!count)
        return DRIVER_INVALID_VALUE;
    if (cudaGetDeviceCount(&found) != CUDA_SUCCESS)
        return DRIVER_NOT_INITIALIZED; /* so has cuInit failed */
    *count = found;
    return DRIVER_SUCCESS;
}

int cuDeviceGet(int *device, int ordinal)
{
    int count;
    if (!device)
        return DRIVER_INVALID_VALUE;
    const int result = cuDeviceGetCount(&count);
    if (result != DRIVER_SUCCESS)
        return result;
    *device = 0;
    return ordinal == 0 ? DRIVER_SUCCESS : DRIVER_INVALID_DEVICE;
}

int cuDeviceGetName(char *name, int size, int device)
{
    struct cuda_properties_13 properties;
    if (!name || size <= 0)
        return DRIVER_INVALID_VALUE;
    const enum cuda_error error = cudaGetDeviceProperties(&properties, device);
    if (error)
        return driver_result(error);
    const size_t length = strnlen(properties.name, sizeof properties.name);
    const size_t room = (size_t)size - 1;
    memcpy(name, properties.name, length < room ? length : room);
    name[length < room ? length : room] = '\0';
    return DRIVER_SUCCESS;
}

int cuDeviceGetUuid(void *uuid, int device)
{
    struct cuda_properties_13 properties;
    if (!uuid)
        return DRIVER_INVALID_VALUE;
    const enum cuda_error error = cudaGetDeviceProperties(&properties, device);
    if (!error)
        memcpy(uuid, &properties.uuid, sizeof properties.uuid);
    return driver_result(error);
}

int cuDeviceGetUuid_v2(void *uuid, int device)
{
    return cuDeviceGetUuid(uuid, device);
}

int cuDeviceTotalMem_v2(size_t *bytes, int device)
{
    size_t left;
    if (!bytes || device != 0)
        return bytes ? DRIVER_INVALID_DEVICE : DRIVER_INVALID_VALUE;
    return driver_result(cudaMemGetInfo(&left, bytes));
}

int cuDeviceComputeCapability(int *major, int *minor, int device)
{
    enum { MAJOR = 75, MINOR = 76 }; /* cudaDevAttrComputeCapability* */
    if (!major || !minor)
        return DRIVER_INVALID_VALUE;
    const enum cuda_error error = cudaDeviceGetAttribute(major, MAJOR, device);
    return driver_result(error ? error : cudaDeviceGetAttribute(minor, MINOR, device));
}

/* Returns the result of a call about the primary context of `device`. */
static int primary_of(int device)
{
    return device == 0 ? DRIVER_SUCCESS : DRIVER_INVALID_DEVICE;
}

int cuDevicePrimaryCtxRetain(void **context, int device)
{
    if (!context)
        return DRIVER_INVALID_VALUE;
    *context = &primary;
    return primary_of(device);
}

int cuDevicePrimaryCtxRelease(int device)
{
    return primary_of(device);
}

int cuDevicePrimaryCtxRelease_v2(int device)
{
    return primary_of(device);
}

int cuDevicePrimaryCtxReset_v2(int device)
{
    if (device == 0) {
        context_lock();
        struct context_value *values = primary.values;
        primary.values = NULL;
        context_unlock();
        context_storage_clear(&primary, values);
    }
    return device == 0 ? driver_result(cudaDeviceReset()) : DRIVER_INVALID_DEVICE;
}

int cuDevicePrimaryCtxReset(int device)
{
    return cuDevicePrimaryCtxReset_v2(device);
}

int cuDevicePrimaryCtxSetFlags_v2(int device, unsigned flags)
{
    primary.flags = flags;
    return primary_of(device);
}

int cuDevicePrimaryCtxSetFlags(int device, unsigned flags)
{
    return cuDevicePrimaryCtxSetFlags_v2(device, flags);
}

int cuDevicePrimaryCtxGetState(int device, unsigned *flags, int *active)
{
    if (!flags || !active)
        return DRIVER_INVALID_VALUE;
    *flags = primary.flags;
    *active = 1;
    return primary_of(device);
}

/*
 * Returns the link of the list that points to a context; NULL if the context was destroyed. The
 * caller holds the lock.
 */
static struct context **link_to(const void *handle)
{
    for (struct context **link = &living; *link; link = &(*link)->next)
        if (*link == handle)
            return link;
    return NULL;
}

/* Returns whether the context exists. */
static bool lives(const void *handle)
{
    (void)pthread_mutex_lock(&lock);
    const bool found = link_to(handle) != NULL;
    (void)pthread_mutex_unlock(&lock);
    return found;
}

/* Returns the current context of the thread. */
static void *current(void)
{
    return stack.used ? stack.handle[stack.used - 1] : &primary;
}

void context_lock(void)
{
    (void)pthread_mutex_lock(&lock);
}

void context_unlock(void)
{
    (void)pthread_mutex_unlock(&lock);
}

/* Returns a context, or the current one; NULL if it was destroyed. The caller holds the lock. */
static struct context *find(void *handle)
{
    struct context **link = link_to(handle ? handle : current());
    return link ? *link : NULL;
}

struct context_value **context_values(void *handle)
{
    struct context *context = find(handle);
    return context ? &context->values : NULL;
}

void *context_primary(void)
{
    return &primary;
}

uint64_t context_number(void *handle)
{
    context_lock();
    const struct context *context = find(handle);
    const uint64_t number = context ? context->number : 0;
    context_unlock();
    return number;
}

int cuCtxPushCurrent_v2(void *context)
{
    if (!lives(context))
        return DRIVER_INVALID_CONTEXT;
    if (stack.used == STACK_MOST)
        return DRIVER_OUT_OF_MEMORY;
    stack.handle[stack.used++] = context;
    return DRIVER_SUCCESS;
}

int cuCtxCreate_v2(void **context, unsigned flags, int device)
{
    if (!context || device != 0)
        return context ? DRIVER_INVALID_DEVICE : DRIVER_INVALID_VALUE;
    struct context *made = stack.used < STACK_MOST ? calloc(1, sizeof *made) : NULL;
    if (!made)
        return DRIVER_OUT_OF_MEMORY;
    made->flags = flags;
    *context = made;
    (void)pthread_mutex_lock(&lock);
    made->next = living;
    made->number = ++last_number;
    living = made;
    (void)pthread_mutex_unlock(&lock);
    return cuCtxPushCurrent_v2(made);
}

int cuCtxCreate_v3(void **context, void *affinity, int count, unsigned flags, int device)
{
    (void)affinity;
    (void)count;
    return cuCtxCreate_v2(context, flags, device);
}

int cuCtxCreate_v4(void **context, void *parameters, unsigned flags, int device)
{
    (void)parameters;
    return cuCtxCreate_v2(context, flags, device);
}

/*
 * Destroys a context; memory stays allocated, because other contexts share it. If the context is on
 * top of the thread's stack, it is popped. Deeper in a stack its handle stays, as the documentation
 * of cuCtxDestroy says.
 */
int cuCtxDestroy_v2(void *context)
{
    (void)pthread_mutex_lock(&lock);
    struct context **link = context == &primary ? NULL : link_to(context);
    if (link)
        *link = (*link)->next;
    (void)pthread_mutex_unlock(&lock);
    if (!link)
        return DRIVER_INVALID_CONTEXT;
    if (current() == context)
        stack.used--;
    context_storage_clear(context, ((struct context *)context)->values);
    free(context);
    return DRIVER_SUCCESS;
}

int cuCtxGetCurrent(void **context)
{
    if (!context)
        return DRIVER_INVALID_VALUE;
    *context = current();
    return DRIVER_SUCCESS;
}

int cuCtxPopCurrent_v2(void **context)
{
    if (context)
        *context = current();
    if (stack.used)
        stack.used--;
    return DRIVER_SUCCESS;
}

int cuCtxSetCurrent(void *context)
{
    if (context && !lives(context))
        return DRIVER_INVALID_CONTEXT;
    (void)cuCtxPopCurrent_v2(NULL);
    return context ? cuCtxPushCurrent_v2(context) : DRIVER_SUCCESS;
}

int cuCtxGetDevice(int *device)
{
    return cuDeviceGet(device, 0);
}

/* `context` NULL: the current context. */
int cuCtxGetDevice_v2(int *device, void *context)
{
    return !context || lives(context) ? cuDeviceGet(device, 0) : DRIVER_INVALID_CONTEXT;
}

int cuCtxSynchronize_v2(void *context)
{
    if (context && !lives(context))
        return DRIVER_INVALID_CONTEXT;
    return driver_result(cudaDeviceSynchronize());
}

int cuCtxGetFlags(unsigned *flags)
{
    if (!flags)
        return DRIVER_INVALID_VALUE;
    (void)pthread_mutex_lock(&lock);
    struct context **link = link_to(current());
    if (link)
        *flags = (*link)->flags;
    (void)pthread_mutex_unlock(&lock);
    return link ? DRIVER_SUCCESS : DRIVER_CONTEXT_IS_DESTROYED;
}

int cuCtxSetFlags(unsigned flags)
{
    enum { KNOWN = 0xff };
    if (flags & ~(unsigned)KNOWN)
        return DRIVER_INVALID_VALUE;
    (void)pthread_mutex_lock(&lock);
    struct context **link = link_to(current());
    if (link)
        (*link)->flags = flags;
    (void)pthread_mutex_unlock(&lock);
    return link ? DRIVER_SUCCESS : DRIVER_CONTEXT_IS_DESTROYED;
}

/* An event of all work of a context: the host waits for the work here. */
int cuCtxRecordEvent(void *context, void *event)
{
    if (!lives(context))
        return DRIVER_INVALID_CONTEXT;
    const enum cuda_error error = cudaDeviceSynchronize();
    return driver_result(error ? error : cudaEventRecord(event, NULL));
}

/* All further work of a context waits for an event: the host waits here. */
int cuCtxWaitEvent(void *context, void *event)
{
    if (!lives(context))
        return DRIVER_INVALID_CONTEXT;
    return driver_result(cudaEventSynchronize(event));
}

int cuCtxGetApiVersion(void *context, unsigned *version)
{
    enum { VERSION = 3020 }; /* the answer of drivers since toolkit 3.2 */
    (void)context;
    if (!version)
        return DRIVER_INVALID_VALUE;
    *version = VERSION;
    return DRIVER_SUCCESS;
}

/* A stream belongs to the context; none is of a green context. */
int cuStreamGetCtx(void *stream, void **context)
{
    (void)stream;
    return cuCtxGetCurrent(context);
}

int cuStreamGetCtx_v2(void *stream, void **context, void **green)
{
    if (green)
        *green = NULL;
    return cuStreamGetCtx(stream, context);
}

int cuStreamGetGreenCtx(void *stream, void **green)
{
    (void)stream;
    if (!green)
        return DRIVER_INVALID_VALUE;
    *green = NULL;
    return DRIVER_SUCCESS;
}

int cuCtxGetId(void *context, unsigned long long *id)
{
    if (!id)
        return DRIVER_INVALID_VALUE;
    *id = context_number(context);
    return *id ? DRIVER_SUCCESS : DRIVER_INVALID_CONTEXT;
}
