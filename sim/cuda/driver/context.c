/* The device, and contexts: there is one device, and all contexts are views of the same. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/abi.h"
#include "cuda/driver/driver.h"

struct context {
    struct context *next; /* of those that live */
    unsigned flags;
};

static struct context primary;
static struct context *living = &primary;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of `living` */

/* The thread's stack of handles, which may outlive their contexts: another thread may destroy one.
 * Empty: the primary context, as if the runtime had been called. */
enum { STACK_MOST = 256 };
static _Thread_local struct {
    void *handle[STACK_MOST];
    unsigned used;
} stack;

int cuInit(unsigned flags);
int cuDeviceGet(int *device, int ordinal);
int cuDeviceGetName(char *name, int size, int device);
int cuDeviceTotalMem_v2(size_t *bytes, int device);
int cuDeviceComputeCapability(int *major, int *minor, int device);
int cuDeviceGetUuid(void *uuid, int device);
int cuDeviceGetUuid_v2(void *uuid, int device);
int cuDevicePrimaryCtxRetain(void **context, int device);
int cuDevicePrimaryCtxRelease(int device);
int cuDevicePrimaryCtxRelease_v2(int device);
int cuDevicePrimaryCtxReset_v2(int device);
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
int cuCtxGetApiVersion(void *context, unsigned *version);

int cuInit(unsigned flags)
{
    int count;
    DRIVER_RUNTIME(get_count, "cudaGetDeviceCount", (int *));
    if (flags)
        return DRIVER_INVALID_VALUE;
    return get_count ? driver_result(get_count(&count)) : DRIVER_NOT_SUPPORTED;
}

int cuDeviceGet(int *device, int ordinal)
{
    if (!device)
        return DRIVER_INVALID_VALUE;
    *device = 0;
    return ordinal == 0 ? DRIVER_SUCCESS : DRIVER_INVALID_DEVICE;
}

/* The name comes first in all versions of the properties, then the UUID. */
enum { NAME_BYTES = 256, UUID_BYTES = 16, PROPERTIES_ROOM = 4096 };

static int read_properties(char properties[PROPERTIES_ROOM], int device)
{
    DRIVER_RUNTIME(get, "cudaGetDeviceProperties", (char *, int));
    memset(properties, 0, PROPERTIES_ROOM);
    return get ? driver_result(get(properties, device)) : DRIVER_NOT_SUPPORTED;
}

int cuDeviceGetName(char *name, int size, int device)
{
    char properties[PROPERTIES_ROOM];
    int result = name && size > 0 ? read_properties(properties, device) : DRIVER_INVALID_VALUE;
    if (result != DRIVER_SUCCESS)
        return result;
    const size_t length = strnlen(properties, NAME_BYTES), room = (size_t)size - 1;
    memcpy(name, properties, length < room ? length : room);
    name[length < room ? length : room] = '\0';
    return DRIVER_SUCCESS;
}

int cuDeviceGetUuid(void *uuid, int device)
{
    char properties[PROPERTIES_ROOM];
    int result = uuid ? read_properties(properties, device) : DRIVER_INVALID_VALUE;
    if (result == DRIVER_SUCCESS)
        memcpy(uuid, properties + NAME_BYTES, UUID_BYTES);
    return result;
}

int cuDeviceGetUuid_v2(void *uuid, int device)
{
    return cuDeviceGetUuid(uuid, device);
}

int cuDeviceTotalMem_v2(size_t *bytes, int device)
{
    size_t left;
    DRIVER_RUNTIME(get, "cudaMemGetInfo", (size_t *, size_t *));
    if (!bytes || device != 0)
        return bytes ? DRIVER_INVALID_DEVICE : DRIVER_INVALID_VALUE;
    return get ? driver_result(get(&left, bytes)) : DRIVER_NOT_SUPPORTED;
}

int cuDeviceComputeCapability(int *major, int *minor, int device)
{
    enum { MAJOR = 75, MINOR = 76 }; /* cudaDevAttrComputeCapability* */
    DRIVER_RUNTIME(get, "cudaDeviceGetAttribute", (int *, int, int));
    if (!get || !major || !minor)
        return get ? DRIVER_INVALID_VALUE : DRIVER_NOT_SUPPORTED;
    int error = get(major, MAJOR, device);
    return driver_result(error ? error : get(minor, MINOR, device));
}

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
    DRIVER_RUNTIME(reset, "cudaDeviceReset", (void));
    return device == 0 && reset ? driver_result(reset()) : DRIVER_INVALID_DEVICE;
}

int cuDevicePrimaryCtxSetFlags_v2(int device, unsigned flags)
{
    primary.flags = flags;
    return primary_of(device);
}

int cuDevicePrimaryCtxGetState(int device, unsigned *flags, int *active)
{
    if (!flags || !active)
        return DRIVER_INVALID_VALUE;
    *flags = primary.flags;
    *active = 1;
    return primary_of(device);
}

/* The link to a context; NULL: it does not live. To be called with the lock held. */
static struct context **link_to(const void *handle)
{
    for (struct context **link = &living; *link; link = &(*link)->next)
        if (*link == handle)
            return link;
    return NULL;
}

static bool lives(const void *handle)
{
    (void)pthread_mutex_lock(&lock);
    const bool found = link_to(handle) != NULL;
    (void)pthread_mutex_unlock(&lock);
    return found;
}

static void *current(void)
{
    return stack.used ? stack.handle[stack.used - 1] : &primary;
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

/* The memory stays, as another context may look at it. Where the context is current, it is popped;
 * elsewhere on a stack its handle stays, as the documentation of cuCtxDestroy has it. */
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

/* NULL: the current context */
int cuCtxGetDevice_v2(int *device, void *context)
{
    return !context || lives(context) ? cuDeviceGet(device, 0) : DRIVER_INVALID_CONTEXT;
}

int cuCtxSynchronize_v2(void *context)
{
    DRIVER_RUNTIME(wait, "cudaDeviceSynchronize", (void));
    if (context && !lives(context))
        return DRIVER_INVALID_CONTEXT;
    return wait ? driver_result(wait()) : DRIVER_NOT_SUPPORTED;
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

int cuCtxGetApiVersion(void *context, unsigned *version)
{
    enum { VERSION = 3020 }; /* as drivers answer since toolkit 3.2 */
    (void)context;
    if (!version)
        return DRIVER_INVALID_VALUE;
    *version = VERSION;
    return DRIVER_SUCCESS;
}
