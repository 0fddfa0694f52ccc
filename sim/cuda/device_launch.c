/*
 * MODEL: dynamic parallelism. Grids that run alone begin when the grid that has launched them has
 * ended, in the order of their launches; nothing in a grid can wait for its children.
 * SOURCE: CUDA programming guide, "CUDA Dynamic Parallelism"; libcudadevrt of CUDA 13.0 for numbers
 * of errors and arguments.
 * LEFT OUT: graphs launched by kernels; waits for events between streams of a grid, whose grids run
 * in the order of their launches; the last error of each thread: a grid has one.
 */
#include "cuda/cuda_launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/rt_thread.h"

/* Errors of the device runtime, which libcudadevrt translates to enum cuda_error. */
enum { CNP_SUCCESS, CNP_INVALID_VALUE = 1, CNP_OUT_OF_MEMORY = 4 };

struct device_buffer {
    uint64_t address; /* of the parameters in device memory */
    struct program_kernel *kernel;
    struct cuda_dim3 grid, block;
    uint32_t shared;
};

static uint64_t pair(const struct exec_device_call *call, unsigned i)
{
    return (uint64_t)call->argument[i + 1] << 32 | call->argument[i];
}

/* Finds the kernel whose address the code has. */
static struct program_kernel *kernel_at(const struct device_launches *launches,
                                        const struct exec_device_call *call, uint64_t address)
{
    const char *name = exec_module_extern(call->module, address);
    struct program_kernel *kernel =
        name ? code_named_kernel(launches->rt, launches->parent->fatbin, name) : NULL;
    if (kernel && code_kernel(launches->rt, kernel->stub, &kernel) != CUDA_SUCCESS)
        return NULL;
    return kernel;
}

/* Returns the error of a launch that can never run. */
static enum cuda_error check(const struct device_launches *launches,
                             const struct device_buffer *buffer)
{
    const struct launch launch = {.kernel = buffer->kernel,
                                  .grid = buffer->grid,
                                  .block = buffer->block,
                                  .shared = buffer->shared,
                                  .carveout_percent = buffer->kernel->carveout_percent};
    /* The call of the host that is in progress has nothing to do with it. */
    const char *call = rt_thread.call;
    char here[160];
    (void)snprintf(here, sizeof here, "kernel %.60s launches %.60s", launches->parent->plain,
                   buffer->kernel->plain);
    rt_thread.call = here;
    const enum cuda_error error = launch_check(launches->rt, &launch);
    rt_thread.call = call;
    return error;
}

static uint64_t call_cycles(const struct device_launches *launches)
{
    const struct simsm_config *config = &launches->rt->config;
    return (uint64_t)(config->streams_device_call_ns * config->gpu_clock_mhz / 1e3);
}

/* GetParameterBufferV2(function, grid, block, shared): address of a buffer, or 0. */
static void get_buffer(struct device_launches *launches, struct exec_device_call *call)
{
    struct device_buffer buffer = {
        .kernel = kernel_at(launches, call, pair(call, 0)),
        .grid = {call->argument[2], call->argument[3], call->argument[4]},
        .block = {call->argument[5], call->argument[6], call->argument[7]},
        .shared = call->argument[8]};
    call->wide = true;
    enum cuda_error error = CUDA_INVALID_DEVICE_FUNCTION;
    if (buffer.kernel) {
        rt_thread.mute = launches->reported; /* one message of all threads of the kernel */
        error =
            check(launches, &buffer) == CUDA_SUCCESS ? CUDA_SUCCESS : CUDA_INVALID_CONFIGURATION;
        rt_thread.mute = false;
        launches->reported |= error != CUDA_SUCCESS;
    }
    if (error == CUDA_SUCCESS && launches->rt->device_pending + launches->buffers.count >=
                                     launches->rt->limit[LIMIT_PENDING_LAUNCHES])
        error = CUDA_LAUNCH_PENDING_COUNT_EXCEEDED;
    call->took = call_cycles(launches);
    if (error == CUDA_SUCCESS) {
        const uint32_t bytes = buffer.kernel->sass->param_bytes;
        buffer.address =
            device_alloc(launches->rt->memory, bytes ? bytes : 1, "parameters of a launch");
        if (!buffer.address || !pool_add(&launches->buffers, &buffer))
            error = CUDA_MEMORY_ALLOCATION;
    }
    if (error != CUDA_SUCCESS) {
        launches->last_error = error;
        return;
    }
    call->result = buffer.address;
}

static struct device_buffer *find_buffer(struct device_launches *launches, uint64_t address)
{
    struct device_buffer *buffer = launches->buffers.data;
    for (size_t i = launches->buffers.count; i > 0; i--)
        if (buffer[i - 1].address == address)
            return &buffer[i - 1];
    return NULL;
}

/* LaunchDeviceV2(buffer, stream): an error. */
static void launch(struct device_launches *launches, struct exec_device_call *call)
{
    struct device_buffer *buffer = find_buffer(launches, pair(call, 0));
    call->result = CNP_INVALID_VALUE;
    call->took = call_cycles(launches);
    if (!buffer)
        return;
    const uint32_t bytes = buffer->kernel->sass->param_bytes;
    struct device_child child = {.launch = {.kernel = buffer->kernel,
                                            .grid = buffer->grid,
                                            .block = buffer->block,
                                            .shared = buffer->shared,
                                            .carveout_percent = buffer->kernel->carveout_percent,
                                            .params = calloc(1, (size_t)bytes + 1)},
                                 .stream = pair(call, 2),
                                 .block = call->block,
                                 .cycle = call->cycle};
    call->result = CNP_OUT_OF_MEMORY;
    if (!child.launch.params || !pool_reserve(&launches->children, 1)) {
        free(child.launch.params);
        return;
    }
    if (bytes)
        memcpy(child.launch.params, device_pointer(launches->rt->memory, buffer->address, bytes),
               bytes);
    (void)device_free(launches->rt->memory, buffer->address);
    *buffer = ((struct device_buffer *)launches->buffers.data)[--launches->buffers.count];
    child.counted = launches->launched || child.stream == DEVICE_STREAM_TAIL;
    launches->rt->device_pending += child.counted;
    (void)pool_add(&launches->children, &child);
    call->result = CNP_SUCCESS;
    if (launches->launched)
        launches->launched(launches->context, &child);
}

/* StreamCreate(stream *, flags), EventCreate(event *, flags): handles that differ from all others.
 */
static void create(struct device_launches *launches, struct exec_device_call *call)
{
    call->stored = (launches->handles++ + 1) << 8;
    call->bytes = 8;
}

static void nothing(struct device_launches *launches, struct exec_device_call *call)
{
    (void)launches;
    (void)call;
}

static void get_last_error(struct device_launches *launches, struct exec_device_call *call)
{
    call->result = launches->last_error;
}

static void set_last_error(struct device_launches *launches, struct exec_device_call *call)
{
    launches->last_error = call->argument[0];
}

static void get_device(struct device_launches *launches, struct exec_device_call *call)
{
    (void)launches;
    call->stored = 0;
    call->bytes = 4;
}

static void get_device_count(struct device_launches *launches, struct exec_device_call *call)
{
    (void)launches;
    call->stored = 1;
    call->bytes = 4;
}

/* GetLimit(size_t *, limit) */
static void get_limit(struct device_launches *launches, struct exec_device_call *call)
{
    const uint32_t limit = call->argument[2];
    call->result = limit < LIMIT_COUNT ? CNP_SUCCESS : CNP_INVALID_VALUE;
    call->stored = limit < LIMIT_COUNT ? launches->rt->limit[limit] : 0;
    call->bytes = limit < LIMIT_COUNT ? 8 : 0;
}

bool device_launch_call(void *context, struct exec_device_call *call)
{
    static const struct {
        const char *name;
        void (*call)(struct device_launches *launches, struct exec_device_call *call);
    } table[] = {{"GetParameterBufferV2", get_buffer},
                 {"LaunchDeviceV2", launch},
                 {"StreamCreate", create},
                 {"StreamDestroy", nothing},
                 {"EventCreate", create},
                 {"EventDestroy", nothing},
                 {"EventRecord", nothing},
                 {"StreamWaitEvent", nothing},
                 {"GetLastError", get_last_error},
                 {"SetLastError", set_last_error},
                 {"GetDevice", get_device},
                 {"GetDeviceCount", get_device_count},
                 {"GetLimit", get_limit}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (strcmp(table[i].name, call->name) != 0)
            continue;
        table[i].call(context, call);
        return true;
    }
    return false;
}

void device_launch_begin(struct device_launches *launches, struct runtime *rt,
                         const struct program_kernel *parent, unsigned depth)
{
    *launches = (struct device_launches){.rt = rt,
                                         .parent = parent,
                                         .depth = depth,
                                         .children.size = sizeof(struct device_child),
                                         .buffers.size = sizeof(struct device_buffer)};
}

void device_launch_free(struct device_launches *launches)
{
    const struct device_child *child = launches->children.data;
    const struct device_buffer *buffer = launches->buffers.data;
    for (size_t i = 0; i < launches->children.count; i++)
        free(child[i].launch.params);
    for (size_t i = 0; i < launches->buffers.count; i++)
        (void)device_free(launches->rt->memory, buffer[i].address);
    pool_free(&launches->children);
    pool_free(&launches->buffers);
}

void device_launch_forget(struct device_launches *launches)
{
    const struct device_child *child = launches->children.data;
    for (size_t i = 0; i < launches->children.count; i++)
        launches->rt->device_pending -= child[i].counted;
    device_launch_free(launches);
    launches->handles = 0;
    launches->last_error = 0;
}
