#include "calibrate/gpu_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/infile.h"
#include "exec/launch/launch_data.h"
#include "sass/image/sass_module.h"

enum {
    STATIC_SHARED = 48 << 10, /* a kernel must request dynamic shared memory beyond this */
    FLUSH_LIMIT = 1 << 20,    /* largest size of the cubin, in bytes */
    FLUSH_BLOCKS = 1024,
    FLUSH_THREADS = 256,
    WARM_UP_MS = 500 /* time that an idle GPU needs to reach its clock */
};

struct measured_gpu {
    struct gpu_driver driver;
    struct gpu_about about;
    cu_pointer other; /* buffer of other_bytes with which L2 is filled */
    size_t other_bytes;
    char cubin[PLAN_PATH]; /* the cubin whose kernels are loaded */
    struct sass_file file;
    struct sass_module *sass;
    cu_module module;
    cu_module flush_module;
    bool profiled;
    cu_function flush; /* kernel that reads the other buffer, so that the lines in L2 are clean;
                          NULL: the lines are written */
};

/* The memory of a point on the GPU. */
struct placed {
    cu_pointer address[PLAN_BUFFERS];
    uint8_t *image[PLAN_BUFFERS]; /* contents that the buffers get before each launch */
    uint8_t *params;
    cu_function function;
};

static enum simsm_status describe(struct measured_gpu *gpu, cu_device device,
                                  struct simsm_error *error)
{
    const struct gpu_driver *d = &gpu->driver;
    int major = 0, minor = 0;
    const struct {
        int *value, attribute;
    } wanted[] = {
        {&major, CU_CAPABILITY_MAJOR},
        {&minor, CU_CAPABILITY_MINOR},
        {&gpu->about.sms, CU_MULTIPROCESSORS},
        {&gpu->about.clock_khz, CU_CLOCK_RATE},
        {&gpu->about.memory_clock_khz, CU_MEMORY_CLOCK_RATE},
        {&gpu->about.l2_bytes, CU_L2_BYTES},
    };
    enum simsm_status status =
        gpu_check(d, d->device_name(gpu->about.name, sizeof gpu->about.name, device),
                  "cuDeviceGetName", error);
    for (size_t i = 0; status == SIMSM_OK && i < sizeof wanted / sizeof wanted[0]; i++)
        status = gpu_check(d, d->device_attribute(wanted[i].value, wanted[i].attribute, device),
                           "cuDeviceGetAttribute", error);
    if (status == SIMSM_OK)
        status = gpu_check(d, d->driver_version(&gpu->about.driver_version), "cuDriverGetVersion",
                           error);
    gpu->about.compute_capability = (uint32_t)(10 * major + minor);
    return status;
}

static enum simsm_status make_ready(struct measured_gpu *gpu, struct simsm_error *error)
{
    const struct gpu_driver *d = &gpu->driver;
    cu_device device = 0;
    cu_context context = NULL;
    enum simsm_status status = gpu_driver_load(&gpu->driver, error);
    if (status == SIMSM_OK)
        status = gpu_check(d, d->init(0), "cuInit", error);
    if (status == SIMSM_OK)
        status = gpu_check(d, d->device_get(&device, 0), "cuDeviceGet", error);
    if (status == SIMSM_OK)
        status =
            gpu_check(d, d->context_retain(&context, device), "cuDevicePrimaryCtxRetain", error);
    if (status == SIMSM_OK)
        status = gpu_check(d, d->context_set(context), "cuCtxSetCurrent", error);
    if (status == SIMSM_OK)
        status = describe(gpu, device, error);
    gpu->other_bytes = 4 * (size_t)gpu->about.l2_bytes;
    if (status == SIMSM_OK)
        status = gpu_check(d, d->alloc(&gpu->other, gpu->other_bytes), "cuMemAlloc", error);
    return status;
}

enum simsm_status gpu_open(struct measured_gpu **gpu, bool profiled, struct simsm_error *error)
{
    struct measured_gpu *g = calloc(1, sizeof *g);
    *gpu = NULL;
    if (!g)
        return err_no_memory(error);
    g->profiled = profiled;
    enum simsm_status status = make_ready(g, error);
    if (status == SIMSM_OK)
        *gpu = g;
    else
        free(g);
    return status;
}

static void unload(struct measured_gpu *gpu)
{
    if (gpu->module)
        (void)gpu->driver.module_unload(gpu->module);
    gpu->module = NULL;
    sass_module_close(gpu->sass);
    gpu->sass = NULL;
    sass_file_close(&gpu->file);
    gpu->file = (struct sass_file){.image = NULL};
    gpu->cubin[0] = '\0';
}

void gpu_close(struct measured_gpu *gpu)
{
    if (!gpu)
        return;
    unload(gpu);
    if (gpu->flush_module)
        (void)gpu->driver.module_unload(gpu->flush_module);
    (void)gpu->driver.free(gpu->other);
    free(gpu);
}

const struct gpu_about *gpu_about(const struct measured_gpu *gpu)
{
    return &gpu->about;
}

/* Fills L2 with other data. */
static cu_result flush(const struct measured_gpu *gpu)
{
    const struct gpu_driver *d = &gpu->driver;
    cu_pointer data = gpu->other, never = gpu->other;
    uint64_t count = gpu->other_bytes / 16;
    void *params[] = {&data, &count, &never};
    if (!gpu->flush)
        return d->fill(gpu->other, 0, gpu->other_bytes);
    return d->launch(gpu->flush, FLUSH_BLOCKS, 1, 1, FLUSH_THREADS, 1, 1, 0, NULL, params, NULL);
}

static double milliseconds_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

/* Loads the kernel `flush` from the file beside the cubin, if that file exists, and warms the
 * GPU up with it. */
static enum simsm_status load_flush(struct measured_gpu *gpu, const char *cubin,
                                    struct simsm_error *error)
{
    const struct gpu_driver *d = &gpu->driver;
    char path[PLAN_PATH], *image = NULL;
    size_t size = 0;
    const char *slash = strrchr(cubin, '/');
    (void)snprintf(path, sizeof path, "%.*sflush.cubin", slash ? (int)(slash - cubin) + 1 : 0,
                   cubin);
    if (gpu->flush || gpu->profiled || access(path, F_OK) != 0)
        return SIMSM_OK;
    enum simsm_status status = infile_read(path, "cubin", FLUSH_LIMIT, &image, &size, error);
    if (status == SIMSM_OK)
        status = gpu_check(d, d->module_load(&gpu->flush_module, image), path, error);
    if (status == SIMSM_OK)
        status =
            gpu_check(d, d->module_function(&gpu->flush, gpu->flush_module, "flush"), path, error);
    free(image);
    if (status == SIMSM_OK)
        status = gpu_check(d, d->fill(gpu->other, 0, gpu->other_bytes), "filling memory", error);
    const double begin = milliseconds_now();
    while (status == SIMSM_OK && milliseconds_now() - begin < WARM_UP_MS) {
        status = gpu_check(d, flush(gpu), "flush", error);
        if (status == SIMSM_OK)
            status = gpu_check(d, d->synchronize(), "flush", error);
    }
    return status;
}

enum simsm_status gpu_load(struct measured_gpu *gpu, const char *cubin, struct simsm_error *error)
{
    const struct sass_image *image = NULL;
    if (strcmp(gpu->cubin, cubin) == 0)
        return SIMSM_OK;
    unload(gpu);
    enum simsm_status status = load_flush(gpu, cubin, error);
    if (status == SIMSM_OK)
        status = sass_file_open(&gpu->file, cubin, error);
    if (status == SIMSM_OK)
        status = sass_file_require(&gpu->file, cubin, gpu->about.compute_capability, &image, error);
    if (status == SIMSM_OK)
        status = sass_module_open(&gpu->sass, image->data, image->size, cubin, error);
    if (status == SIMSM_OK)
        status = gpu_check(&gpu->driver, gpu->driver.module_load(&gpu->module, image->data), cubin,
                           error);
    if (status == SIMSM_OK)
        (void)snprintf(gpu->cubin, sizeof gpu->cubin, "%s", cubin);
    return status;
}

static enum simsm_status place_buffers(struct measured_gpu *gpu, const struct launch_plan *plan,
                                       struct placed *placed, struct simsm_error *error)
{
    enum simsm_status status = SIMSM_OK;
    for (uint32_t i = 0; status == SIMSM_OK && i < plan->buffers; i++) {
        const struct plan_buffer *b = &plan->buffer[i];
        char what[PLAN_NAME + 32];
        (void)snprintf(what, sizeof what, "buffer %s", b->name);
        status = gpu_check(&gpu->driver, gpu->driver.alloc(&placed->address[i], (size_t)b->size),
                           what, error);
        if (status != SIMSM_OK || b->fill == FILL_ZERO)
            continue;
        placed->image[i] = calloc(1, (size_t)b->size);
        status = placed->image[i] ? launch_data_fill(plan, b, placed->image[i], NULL, error)
                                  : err_no_memory(error);
    }
    return status;
}

static enum simsm_status place_kernel(struct measured_gpu *gpu, const struct launch_plan *plan,
                                      struct placed *placed, struct simsm_error *error)
{
    const struct gpu_driver *d = &gpu->driver;
    const struct sass_kernel *kernel = sass_module_kernel(gpu->sass, plan->kernel);
    if (!kernel)
        return err_set(error, SIMSM_BAD_INPUT, "%s has no single kernel '%.100s'", gpu->cubin,
                       plan->kernel);
    enum simsm_status status = gpu_check(
        d, d->module_function(&placed->function, gpu->module, kernel->name), kernel->name, error);
    if (status == SIMSM_OK && plan->shared > STATIC_SHARED)
        status = gpu_check(
            d, d->function_set(placed->function, CU_FUNCTION_MAX_DYNAMIC_SHARED, (int)plan->shared),
            "dynamic shared memory", error);
    placed->params = calloc(1, kernel->param_bytes + 1u);
    if (status == SIMSM_OK && !placed->params)
        status = err_no_memory(error);
    if (status == SIMSM_OK)
        status = launch_data_params(plan, kernel, placed->address, placed->params, error);
    return status;
}

static enum simsm_status fill_memory(struct measured_gpu *gpu, const struct point *point,
                                     const struct placed *placed, struct simsm_error *error)
{
    const struct launch_plan *plan = &point->plan;
    const struct gpu_driver *d = &gpu->driver;
    cu_result result = 0;
    for (uint32_t i = 0; !result && i < plan->buffers; i++) {
        size_t bytes = (size_t)plan->buffer[i].size;
        result = placed->image[i] ? d->to_device(placed->address[i], placed->image[i], bytes)
                                  : d->fill(placed->address[i], 0, bytes);
    }
    if (!result && !point->warm && !gpu->profiled)
        result = flush(gpu);
    if (!result)
        result = d->synchronize();
    return gpu_check(d, result, "filling memory", error);
}

static enum simsm_status launch(struct measured_gpu *gpu, const struct launch_plan *plan,
                                const struct placed *placed, struct simsm_error *error)
{
    const struct gpu_driver *d = &gpu->driver;
    const struct sass_kernel *kernel = sass_module_kernel(gpu->sass, plan->kernel);
    const uint32_t *g = plan->grid, *b = plan->block;
    void *params[PLAN_ARGUMENTS + 1] = {NULL};
    for (uint32_t i = 0; i < kernel->params && i < PLAN_ARGUMENTS; i++)
        params[i] = placed->params + kernel->param[i].offset;
    cu_result result = plan->cooperative
                           ? d->launch_cooperative(placed->function, g[0], g[1], g[2], b[0], b[1],
                                                   b[2], plan->shared, NULL, params)
                           : d->launch(placed->function, g[0], g[1], g[2], b[0], b[1], b[2],
                                       plan->shared, NULL, params, NULL);
    enum simsm_status status = gpu_check(d, result, "launch", error);
    return status == SIMSM_OK ? gpu_check(d, d->synchronize(), "kernel", error) : status;
}

static enum simsm_status read_result(struct measured_gpu *gpu, const struct point *point,
                                     const struct placed *placed, struct measured *measured,
                                     struct simsm_error *error)
{
    const uint32_t which = result_buffer(&point->result, &point->plan);
    const size_t bytes = (size_t)point->plan.buffer[which].size;
    const char *why = NULL;
    uint8_t *copy = malloc(bytes);
    if (!copy)
        return err_no_memory(error);
    enum simsm_status status =
        gpu_check(&gpu->driver, gpu->driver.to_host(copy, placed->address[which], bytes),
                  "reading the result", error);
    if (status == SIMSM_OK && !result_take(&point->result, &point->plan, copy, measured, &why))
        status = err_set(error, SIMSM_BAD_INPUT, "the result cannot be had: %s", why);
    free(copy);
    return status;
}

static void remove_all(struct measured_gpu *gpu, const struct launch_plan *plan,
                       struct placed *placed)
{
    for (uint32_t i = 0; i < plan->buffers; i++) {
        if (placed->address[i])
            (void)gpu->driver.free(placed->address[i]);
        free(placed->image[i]);
    }
    free(placed->params);
}

enum simsm_status gpu_measure(struct measured_gpu *gpu, const struct point *point, uint32_t repeat,
                              struct measured *measured, struct simsm_error *error)
{
    struct placed placed = {.params = NULL};
    enum simsm_status status = place_buffers(gpu, &point->plan, &placed, error);
    if (status == SIMSM_OK)
        status = place_kernel(gpu, &point->plan, &placed, error);
    for (uint32_t i = 0; status == SIMSM_OK && i <= repeat; i++) {
        status = fill_memory(gpu, point, &placed, error);
        if (status == SIMSM_OK)
            status = launch(gpu, &point->plan, &placed, error);
        /* The first launch warms up; its result is overwritten. A metric is measured by the
         * profiler. */
        if (status == SIMSM_OK && point->result.take != TAKE_METRIC)
            status = read_result(gpu, point, &placed, &measured[i ? i - 1 : 0], error);
    }
    remove_all(gpu, &point->plan, &placed);
    return status;
}
