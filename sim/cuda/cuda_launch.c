/* Launches: checks, parameters, and the run of one kernel from the stream to the journal. */
#include "cuda/cuda_launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/err.h"
#include "cuda/checking.h"
#include "cuda/journal.h"
#include "cuda/launch_sampling.h"
#include "cuda/launch_schedules.h"
#include "cuda/launch_timing.h"
#include "cuda/launch_watch.h"
#include "cuda/textures.h"
#include "simsm/occupancy.h"

/* The keys in launch_request.extra, numbered as CU_LAUNCH_PARAM_*. */
enum { EXTRA_END, EXTRA_BUFFER, EXTRA_SIZE };

/* Returns the most dynamic shared memory (bytes) that a launch of the kernel may ask for. */
static uint32_t shared_limit(const struct runtime *rt, const struct program_kernel *kernel)
{
    uint32_t limit = kernel->max_dynamic_shared;
    return limit > rt->config.sm_shared_per_block ? limit : rt->config.sm_shared_per_block;
}

/*
 * Returns the error for a grid or block size that no kernel may have: toolkit 13 has another error
 * than toolkits 11 and 12.
 */
static enum cuda_error bad_configuration(void)
{
    return rt_toolkit() < 13 ? CUDA_INVALID_CONFIGURATION : CUDA_INVALID_VALUE;
}

static enum cuda_error check_grid(const struct launch_request *request)
{
    static const uint32_t most_grid[3] = {INT32_MAX, 65535, 65535};
    static const uint32_t most_block[3] = {1024, 1024, 64};
    const uint32_t grid[3] = {request->grid.x, request->grid.y, request->grid.z};
    const uint32_t block[3] = {request->block.x, request->block.y, request->block.z};
    for (int d = 0; d < 3; d++) {
        if (grid[d] == 0 || grid[d] > most_grid[d])
            return rt_report(bad_configuration(),
                             "the grid has %u blocks in %c; it must have 1 to %u", grid[d],
                             "xyz"[d], most_grid[d]);
        if (block[d] == 0 || block[d] > most_block[d])
            return rt_report(bad_configuration(),
                             "the block has %u threads in %c; it must have 1 to %u", block[d],
                             "xyz"[d], most_block[d]);
    }
    return CUDA_SUCCESS;
}

static enum cuda_error check_block(const struct runtime *rt, const struct launch_request *request,
                                   const struct program_kernel *kernel)
{
    const uint64_t threads = (uint64_t)request->block.x * request->block.y * request->block.z;
    const struct sass_kernel *sass = kernel->sass;
    if (threads > rt->config.sm_max_threads_per_block)
        return rt_report(bad_configuration(), "a block of %llu threads; %s allows %u",
                         (unsigned long long)threads, rt->config.gpu_name,
                         rt->config.sm_max_threads_per_block);
    if (sass->max_threads && threads > sass->max_threads)
        return rt_report(CUDA_INVALID_VALUE,
                         "a block of %llu threads; the launch bounds of %s allow %u",
                         (unsigned long long)threads, kernel->plain, sass->max_threads);
    if (request->shared > shared_limit(rt, kernel))
        return rt_report(CUDA_INVALID_VALUE,
                         "%zu bytes of dynamic shared memory; %s may have %u: ask for more with "
                         "cudaFuncSetAttribute",
                         request->shared, kernel->plain, shared_limit(rt, kernel));
    return CUDA_SUCCESS;
}

/*
 * Checks that a block fits into an SM, and that all blocks of a cooperative grid are resident at
 * once.
 */
static enum cuda_error check_fit(const struct runtime *rt, const struct launch *launch)
{
    struct simsm_launch described;
    struct simsm_occupancy occupancy;
    struct simsm_error error;
    launch_describe(rt, launch, &described);
    if (simsm_occupancy(&rt->config, &described, &occupancy, &error) != SIMSM_OK)
        return rt_report(CUDA_LAUNCH_OUT_OF_RESOURCES, "%s", error.message);
    uint64_t most = (uint64_t)occupancy.blocks * rt->config.gpu_sms;
    if (launch->cooperative && simsm_grid_blocks(&described) > most)
        return rt_report(CUDA_COOPERATIVE_LAUNCH_TOO_LARGE,
                         "%llu blocks of a cooperative launch; %llu can be resident",
                         (unsigned long long)simsm_grid_blocks(&described),
                         (unsigned long long)most);
    return launch_check_places(rt, launch, occupancy.blocks);
}

size_t launch_attribute_bytes(int id)
{
    static const uint8_t bytes[] = {
        [1] = 32, /* access policy window: pointer, size, hit ratio, two properties */
        [LAUNCH_COOPERATIVE] = 4,
        [3] = 4, /* synchronization policy */
        [LAUNCH_CLUSTER] = 12,
        [5] = 4,   /* cluster scheduling policy */
        [6] = 4,   /* programmatic stream serialization */
        [7] = 16,  /* programmatic event, flags, trigger */
        [8] = 4,   /* priority */
        [9] = 2,   /* memory synchronization domain map */
        [10] = 4,  /* memory synchronization domain */
        [11] = 12, /* preferred cluster dimensions */
        [12] = 16, /* launch completion event, flags */
        [13] = 16, /* device updatable node, handle */
        [LAUNCH_CARVEOUT] = 4,
        [16] = 4, /* NVLink utilization */
        [17] = 4, /* portable cluster size mode */
        [18] = 4, /* shared memory mode */
    };
    return id >= 0 && (size_t)id < sizeof bytes ? bytes[id] : 0;
}

/*
 * Copies the values of the parameters to their offsets in the parameter block that the kernel
 * reads.
 */
static enum cuda_error pack(const struct launch_request *request,
                            const struct program_kernel *kernel, uint8_t *params)
{
    const struct sass_kernel *sass = kernel->sass;
    if (sass->params && !request->arguments && !request->extra)
        return rt_report(CUDA_INVALID_VALUE, "%s has %u parameters, none is given", kernel->plain,
                         sass->params);
    const void *buffer = NULL;
    size_t size = 0;
    for (void *const *e = request->arguments ? NULL : request->extra; e && *e; e += 2) {
        if ((uintptr_t)e[0] == EXTRA_BUFFER)
            buffer = e[1];
        else if ((uintptr_t)e[0] == EXTRA_SIZE)
            size = *(const size_t *)e[1];
    }
    if (buffer)
        memcpy(params, buffer, size < sass->param_bytes ? size : sass->param_bytes);
    for (uint32_t i = 0; request->arguments && i < sass->params; i++) {
        const uint64_t end = (uint64_t)sass->param[i].offset + sass->param[i].size;
        SIMSM_CHECK(end <= sass->param_bytes, "parameter %u of %s ends at byte %llu of %u", i,
                    kernel->plain, (unsigned long long)end, sass->param_bytes);
        memcpy(params + sass->param[i].offset, request->arguments[i], sass->param[i].size);
    }
    return CUDA_SUCCESS;
}

enum cuda_error launch_check(const struct runtime *rt, const struct launch *launch)
{
    const struct launch_request request = {
        .grid = launch->grid, .block = launch->block, .shared = launch->shared};
    enum cuda_error error = check_grid(&request);
    if (error == CUDA_SUCCESS)
        error = check_block(rt, &request, launch->kernel);
    if (error == CUDA_SUCCESS)
        error = launch_check_clusters(launch);
    return error == CUDA_SUCCESS ? check_fit(rt, launch) : error;
}

/* Returns the blocks of a cluster: as the launch asks for, or as the kernel must have. */
static struct cuda_dim3 cluster_of(const struct launch_request *request,
                                   const struct program_kernel *kernel)
{
    return request->cluster.x ? request->cluster : launch_required_cluster(kernel);
}

enum cuda_error launch_prepare(struct runtime *rt, const struct launch_request *request,
                               struct stream_work *work)
{
    struct program_kernel *kernel;
    enum cuda_error error = code_kernel(rt, request->stub, &kernel);
    if (error != CUDA_SUCCESS)
        return error;
    int carveout = request->carveout_percent;
    *work = (struct stream_work){
        .kind = WORK_KERNEL,
        .as.launch = {.kernel = kernel,
                      .grid = request->grid,
                      .block = request->block,
                      .cluster = cluster_of(request, kernel),
                      .shared = (uint32_t)request->shared,
                      .carveout_percent = carveout < 0 ? kernel->carveout_percent : carveout,
                      .cooperative = request->cooperative,
                      .dependent = request->dependent,
                      .params = calloc(1, (size_t)kernel->sass->param_bytes + 1)}};
    error = work->as.launch.params ? launch_check(rt, &work->as.launch) : CUDA_MEMORY_ALLOCATION;
    if (error == CUDA_SUCCESS)
        error = pack(request, kernel, work->as.launch.params);
    if (error != CUDA_SUCCESS)
        free(work->as.launch.params);
    return error;
}

void launch_describe(const struct runtime *rt, const struct launch *launch,
                     struct simsm_launch *described)
{
    const struct sass_kernel *sass = launch->kernel->sass;
    uint32_t reserved = rt->config.sm_shared_reserved; /* static bytes of code for sm_90 */
    uint32_t carveout = SIMSM_CARVEOUT_DEFAULT;
    if (launch->carveout_percent >= 0)
        carveout = (uint32_t)((uint64_t)rt->config.sm_shared_bytes *
                              (unsigned)launch->carveout_percent / 100);
    *described = (struct simsm_launch){
        .grid = {launch->grid.x, launch->grid.y, launch->grid.z},
        .block = {launch->block.x, launch->block.y, launch->block.z},
        .cluster = {launch->cluster.x, launch->cluster.y, launch->cluster.z},
        .registers = sass->registers,
        .shared_static = code_sm(launch->kernel) >= 90 && sass->shared_static >= reserved
                             ? sass->shared_static - reserved
                             : sass->shared_static,
        .shared_dynamic = launch->shared,
        .carveout = carveout,
    };
    (void)snprintf(described->name, sizeof described->name, "%s", launch->kernel->plain);
}

/*
 * The error that the program gets for each failure of a kernel, as measured with
 * tests/data/cuda/errors.cu.
 */

static const enum cuda_error error_of[EXEC_FAILURE_COUNT] = {
    [EXEC_FAILURE_OTHER] = CUDA_LAUNCH_FAILURE,
    [EXEC_FAILURE_ADDRESS] = CUDA_ILLEGAL_ADDRESS,
    [EXEC_FAILURE_ALIGNMENT] = CUDA_MISALIGNED_ADDRESS,
    [EXEC_FAILURE_ASSERTION] = CUDA_ASSERT,
    [EXEC_FAILURE_JUMP] = CUDA_ILLEGAL_ADDRESS,
    [EXEC_FAILURE_ILLEGAL] = CUDA_ILLEGAL_INSTRUCTION,
    [EXEC_FAILURE_DEADLOCK] = CUDA_LAUNCH_FAILURE,
    [EXEC_FAILURE_FREE] = CUDA_LAUNCH_FAILURE,
    [EXEC_FAILURE_GRID] = CUDA_LAUNCH_FAILURE,
    [EXEC_FAILURE_BARRIER] = CUDA_LAUNCH_FAILURE,
    [EXEC_FAILURE_ENDED_BLOCK] = CUDA_LAUNCH_FAILURE,
    [EXEC_FAILURE_UNSUPPORTED] = CUDA_NOT_SUPPORTED,
    [EXEC_FAILURE_LIMIT] = CUDA_LAUNCH_TIMEOUT,
};

/*
 * Returns the stack bytes of a thread. Functions called through pointers and recursive functions
 * use more stack than the compiler knows of, so such code gets the device's limit. Code with
 * neither local memory nor functions needs no stack.
 */
static uint32_t stack_bytes(const struct runtime *rt, const struct launch *launch)
{
    const struct sass_module *module = exec_module_of(code_module(launch->kernel));
    const uint64_t limit = rt->limit[LIMIT_STACK];
    bool needed = launch->kernel->sass->local_bytes > 0;
    for (uint32_t i = 0; i < module->functions && !needed; i++)
        needed = !module->function[i].kernel;
    if (!needed)
        return 0;
    return limit > UINT32_MAX ? UINT32_MAX : (uint32_t)limit;
}

/*
 * Prints the text of a kernel's printf on the program's standard output, in order with the
 * program's own output.
 */
static void print(void *context, const char *text, size_t size)
{
    struct launch_watch *watch = context;
    launch_watch_clear(watch);
    (void)fwrite(text, 1, size, stdout);
}

/* Prints what --lenient lets pass, once per kernel. */
static void report_tolerated(void *context, const char *what)
{
    struct program_kernel *kernel = context;
    if (!kernel->tolerated)
        (void)rt_report(CUDA_SUCCESS, "warning: kernel %s: %s; it goes on, as --lenient says",
                        kernel->plain, what);
    kernel->tolerated = true;
}

/* Returns the execution options of a launch. *run must outlive the launch. */
static struct exec_options options_of(const struct runtime *rt, const struct launch *launch,
                                      struct launch_run *run)
{
    return (struct exec_options){
        .max_instructions = rt->settings.max_instructions,
        .cooperative = launch->cooperative,
        .stack_bytes = stack_bytes(rt, launch),
        .start_cycle = (uint64_t)(rt->now * rt->config.gpu_clock_mhz / 1e3),
        .tolerate = setting_flag(&rt->settings, SETTING_ID_lenient) ? report_tolerated : NULL,
        .tolerate_context = launch->kernel,
        .device_call = device_launch_call,
        .device_call_context = &run->device,
        .textures = textures_table(rt->textures),
        .print = print,
        .print_context = &run->watch,
        .watch = &run->watch.execution,
        .sanitizer = rt->sanitizer,
        .failure = &run->failure};
}

enum cuda_error launch_check_loaded(const struct launch *launch)
{
    return launch->kernel->sass
               ? CUDA_SUCCESS
               : rt_report(CUDA_INVALID_RESOURCE_HANDLE,
                           "the node's kernel %s is not loaded: the device was reset",
                           launch->kernel->plain);
}

void launch_begin(struct runtime *rt, const struct launch *launch, unsigned depth,
                  struct launch_run *run)
{
    *run = (struct launch_run){.failure = EXEC_FAILURE_OTHER};
    device_launch_begin(&run->device, rt, launch->kernel, depth);
    run->exec = (struct exec_launch){.module = code_module(launch->kernel),
                                     .kernel = launch->kernel->sass,
                                     .params = launch->params,
                                     .config = &rt->config,
                                     .options = options_of(rt, launch, run)};
    launch_describe(rt, launch, &run->exec.launch);
    run->exec.launch.untranslated = !rt->translated; /* recorded for any GPU */
    rt->translated = true;
    journal_begin_launch(rt->journal, &run->exec.launch, &run->row);
    checking_launch(rt, &run->exec, run->row.number, launch->dependent);
    run->row.translates = rt->config.tlb_entries != 0 && run->exec.launch.untranslated;
    journal_set_title(&run->row, launch->kernel->name, code_title(launch->kernel));
    run->row.identity ^=
        code_hash(launch->kernel); /* other modules may have a kernel of this name */
    launch_watch_begin(&run->watch, &run->row, journal_ns(rt->journal), &rt->progress);
}

void launch_end(struct runtime *rt, struct launch_run *run, enum simsm_status status,
                const struct simsm_error *error)
{
    launch_watch_clear(&run->watch);
    run->row.interrupted = status == SIMSM_INTERRUPTED;
    journal_end_launch(rt->journal, &run->row);
    if (status == SIMSM_OK)
        return;
    char text[1100];
    const bool told = rt->sanitizer && run->failure != EXEC_FAILURE_OTHER;
    if (!run->row.interrupted)
        rt->broken = error_of[run->failure];
    (void)simsm_error_text(error, text, sizeof text);
    if (told) /* it is a finding */
        return;
    const bool may_pass =
        strstr(text, "the nearest allocation") && !setting_flag(&rt->settings, SETTING_ID_lenient);
    (void)rt_report(CUDA_SUCCESS, "launch %llu, kernel %s: %s%s",
                    (unsigned long long)run->row.number, run->exec.launch.name, text,
                    may_pass ? "; where a GPU may let it pass, so does --lenient" : "");
}

static enum cuda_error run_nested(struct runtime *rt, const struct launch *launch, unsigned depth);

/* Runs a launch by a kernel, which counts as one that has not ended meanwhile. */
static enum cuda_error run_child(struct runtime *rt, const struct device_child *child,
                                 unsigned depth)
{
    rt->device_pending += !child->counted;
    const enum cuda_error error = run_nested(rt, &child->launch, depth);
    rt->device_pending--;
    return error;
}

/* Runs the launch and then those that its kernel has launched. `depth`: as in device_launch.h. */
static enum cuda_error run_nested(struct runtime *rt, const struct launch *launch, unsigned depth)
{
    struct simsm_error error;
    struct launch_run *run = malloc(sizeof *run);
    if (!run)
        return CUDA_MEMORY_ALLOCATION;
    launch_begin(rt, launch, depth, run);
    enum simsm_status status =
        !run->row.timed && rt->sanitizer && rt->settings.schedules > 1
            ? launch_under_schedules(rt, &run->exec, &run->row, &error)
        : !run->row.timed ? launch_execute(rt, &run->exec, &run->row, &error)
        : journal_sampler(rt->journal)
            ? launch_time_sampled(rt, &run->exec, &run->watch, &run->row, &error)
        : rt->copies ? launch_time_once(rt, &run->exec, &run->watch, &run->row, &error)
                     : launch_time(rt, &run->exec, &run->watch, NULL, &run->row, &error);
    rt->now += run->row.ns;
    launch_end(rt, run, status, &error);
    enum cuda_error result = CUDA_SUCCESS;
    const struct device_child *child = run->device.children.data;
    const size_t children = run->device.children.count;
    for (int tails = 0; tails < 2 && !rt->broken; tails++)
        for (size_t i = 0; i < children && !rt->broken && result == CUDA_SUCCESS; i++)
            if ((child[i].stream == DEVICE_STREAM_TAIL) == tails)
                result = run_child(rt, &child[i], depth + 1);
    device_launch_free(&run->device);
    free(run);
    return result;
}

enum cuda_error launch_run(struct runtime *rt, const struct launch *launch)
{
    const enum cuda_error loaded = launch_check_loaded(launch);
    return loaded == CUDA_SUCCESS ? run_nested(rt, launch, 0) : loaded;
}
