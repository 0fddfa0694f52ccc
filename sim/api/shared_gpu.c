/*
 * MODEL: launches on one GPU. While one is there or stores of one are under way, further ones join
 * it. When nothing is, the next launch finds the SMs as new, and L2 as it was left.
 * SOURCE: own choice; an H200 empties L1 and the caches of constants at each launch.
 * LEFT OUT: what instruction caches keep from a launch to the next.
 */
#include "api/shared_gpu.h"

#include <stdlib.h>
#include <string.h>

#include "api/policies.h"
#include "api/subject.h"
#include "base/check.h"
#include "base/err.h"
#include "base/pool.h"
#include "gpu/gpu.h"
#include "mem/mem.h"
#include "plugin/plugin.h"

struct gpu_launch {
    struct gpu_launch *next; /* on the device, in the order of arrival */
    struct subject subject;
    void *owner;
    struct gpu_grid *grid;          /* NULL: taken off the GPU */
    struct simsm_line_stats *lines; /* copy of the GPU's, for the statistics */
};

struct shared_gpu {
    const struct simsm_config *config;
    struct simsm_options options;
    struct plugin *plugin;
    struct policies policies;
    struct gpu *gpu; /* NULL: nothing is on the device */
    uint64_t base;   /* cycle of the device at which the GPU's cycles begin */
    uint64_t now;    /* while there is no GPU */
    struct gpu_launch *launches;
    struct gpu_launch *first; /* the GPU was made for it and needs it; NULL: no GPU */
    bool first_freed;
    struct mem_lines *lines; /* what L2 has held when there was a GPU */
    struct pool written;     /* struct mem_written: written since then */
};

enum simsm_status shared_gpu_open(struct shared_gpu **shared, const struct simsm_config *config,
                                  const struct simsm_options *options, struct simsm_error *error)
{
    struct shared_gpu *made = calloc(1, sizeof *made);
    *shared = NULL;
    if (!made)
        return err_no_memory(error);
    made->config = config;
    made->options = *options;
    made->written.size = sizeof(struct mem_written);
    enum simsm_status status = plugin_open(&made->plugin, config, error);
    if (status == SIMSM_OK)
        status = policies_find(&made->policies, made->plugin, config, error);
    if (status == SIMSM_OK)
        *shared = made;
    else
        shared_gpu_close(made);
    return status;
}

static void free_launch(struct gpu_launch *launch)
{
    subject_free(&launch->subject);
    free(launch->lines);
    free(launch);
}

static void unlink_launch(struct shared_gpu *shared, const struct gpu_launch *launch)
{
    struct gpu_launch **at = &shared->launches;
    while (*at && *at != launch)
        at = &(*at)->next;
    if (*at)
        *at = launch->next;
}

/* Ends the use of the GPU; what L2 holds stays. */
static void leave_gpu(struct shared_gpu *shared)
{
    if (!shared->gpu)
        return;
    shared->now = shared_gpu_now(shared);
    mem_lines_free(shared->lines);
    shared->lines = gpu_take_lines(shared->gpu);
    gpu_destroy(shared->gpu);
    shared->gpu = NULL;
    if (shared->first_freed)
        free_launch(shared->first);
    shared->first = NULL;
    shared->first_freed = false;
}

void shared_gpu_rest(struct shared_gpu *shared)
{
    if (!shared->launches)
        leave_gpu(shared);
}

void shared_gpu_close(struct shared_gpu *shared)
{
    if (!shared)
        return;
    leave_gpu(shared);
    while (shared->launches) {
        struct gpu_launch *launch = shared->launches;
        shared->launches = launch->next;
        free_launch(launch);
    }
    mem_lines_free(shared->lines);
    plugin_close(shared->plugin);
    pool_free(&shared->written);
    free(shared);
}

uint64_t shared_gpu_now(const struct shared_gpu *shared)
{
    return shared->gpu ? shared->base + gpu_now(shared->gpu) : shared->now;
}

uint64_t shared_gpu_clock(const struct shared_gpu *shared)
{
    return shared_gpu_is_empty(shared) ? shared_gpu_now(shared) : shared->base;
}

bool shared_gpu_is_empty(const struct shared_gpu *shared)
{
    return !shared->launches && (!shared->gpu || gpu_idle(shared->gpu));
}

/* Makes a GPU for the launch, with what L2 holds. */
static enum simsm_status make_gpu(struct shared_gpu *shared, struct gpu_launch *launch,
                                  const struct shared_request *request, struct simsm_error *error)
{
    const struct simsm_options *options = &shared->options;
    const struct gpu_setup setup = {
        .config = shared->config,
        .front = launch->subject.front,
        .occupancy = &launch->subject.occupancy,
        .scheduler = shared->policies.scheduler,
        .dispatcher = shared->policies.dispatcher,
        .l1_policy = shared->policies.l1,
        .module = shared->plugin ? shared->plugin->table : NULL,
        .param = shared->plugin ? shared->plugin->param : NULL,
        .no_skip = options->no_skip,
        .check = options->check,
        .threads = options->threads,
        .several = true,
        .priority = request->priority,
        .launch_cycles = request->launch_cycles,
    };
    shared->gpu = gpu_create(&setup);
    if (!shared->gpu)
        return err_no_memory(error);
    shared->base = shared->now;
    shared->first = launch;
    launch->grid = gpu_first(shared->gpu);
    if (shared->lines)
        gpu_give_lines(shared->gpu, shared->lines);
    const struct mem_written *written = shared->written.data;
    for (size_t i = 0; i < shared->written.count; i++)
        gpu_hold(shared->gpu, &written[i]);
    shared->written.count = 0;
    return SIMSM_OK;
}

/* Puts the launch on the GPU; launch->grid stays NULL if it has to wait. */
static enum simsm_status put(struct shared_gpu *shared, struct gpu_launch *launch,
                             const struct shared_request *request, struct simsm_error *error)
{
    const struct gpu_arrival arrival = {.front = launch->subject.front,
                                        .occupancy = &launch->subject.occupancy,
                                        .priority = request->priority,
                                        .launch_cycles = request->launch_cycles};
    if (shared_gpu_is_empty(shared))
        leave_gpu(shared);
    if (!shared->gpu)
        return make_gpu(shared, launch, request, error);
    if (!gpu_takes(shared->gpu, &arrival))
        return SIMSM_OK;
    launch->grid = gpu_add(shared->gpu, &arrival, gpu_now(shared->gpu));
    return launch->grid ? SIMSM_OK : err_no_memory(error);
}

enum simsm_status shared_gpu_begin(struct shared_gpu *shared, const struct shared_request *request,
                                   struct gpu_launch **launch, struct simsm_error *error)
{
    struct gpu_launch *made = calloc(1, sizeof *made), **at = &shared->launches;
    *launch = NULL;
    if (!made)
        return err_no_memory(error);
    made->subject.front = request->front;
    made->owner = request->owner;
    enum simsm_status status = subject_prepare(&made->subject, shared->config, error);
    if (status == SIMSM_OK)
        status = put(shared, made, request, error);
    if (status != SIMSM_OK || !made->grid) {
        made->subject.front = NULL; /* stays the caller's */
        free_launch(made);
        return status;
    }
    while (*at)
        at = &(*at)->next;
    *at = *launch = made;
    return SIMSM_OK;
}

enum simsm_status shared_gpu_run(struct shared_gpu *shared, uint64_t until, bool alone,
                                 struct simsm_error *error)
{
    if (shared_gpu_is_empty(shared)) {
        leave_gpu(shared);
        shared->now = until > shared->now ? until : shared->now;
        return SIMSM_OK;
    }
    const uint64_t to = until == UINT64_MAX ? until : until - shared->base;
    enum simsm_status status = gpu_step(shared->gpu, to, alone, error);
    for (struct gpu_launch *launch = shared->launches; launch; launch = launch->next) {
        struct simsm_error failure;
        enum simsm_status front = front_status(launch->subject.front, &failure);
        if (front == SIMSM_OK)
            continue;
        *error = failure;
        return front;
    }
    return status;
}

void shared_gpu_interrupt(struct shared_gpu *shared)
{
    if (shared->gpu)
        gpu_interrupt(shared->gpu);
}

void *shared_gpu_failed(const struct shared_gpu *shared)
{
    for (const struct gpu_launch *launch = shared->launches; launch; launch = launch->next)
        if (front_status(launch->subject.front, NULL) != SIMSM_OK)
            return launch->owner;
    return shared->launches ? shared->launches->owner : NULL;
}

static uint64_t on_device(const struct shared_gpu *shared, uint64_t cycle)
{
    return cycle == UINT64_MAX ? cycle : shared->base + cycle;
}

struct shared_times shared_gpu_times(const struct shared_gpu *shared,
                                     const struct gpu_launch *launch)
{
    const struct gpu_grid_times times = gpu_times(shared->gpu, launch->grid);
    return (struct shared_times){.first_start = on_device(shared, times.first_start),
                                 .last_end = on_device(shared, times.last_end),
                                 .ended = on_device(shared, times.ended)};
}

/* Copies what the statistics point to: the GPU may go. */
static enum simsm_status keep_lines(struct gpu_launch *launch, struct simsm_stats *stats,
                                    struct simsm_error *error)
{
    const size_t bytes = stats->line_count * sizeof *launch->lines;
    launch->lines = malloc(bytes ? bytes : 1);
    if (!launch->lines)
        return err_no_memory(error);
    memcpy(launch->lines, stats->lines, bytes);
    stats->lines = launch->lines;
    return SIMSM_OK;
}

enum simsm_status shared_gpu_finish(struct shared_gpu *shared, struct gpu_launch *launch,
                                    struct simsm_stats *stats, bool *beside,
                                    struct simsm_error *error)
{
    SIMSM_CHECK(launch->grid, "a launch ends twice");
    *stats = (struct simsm_stats){.line_info = launch->subject.line_info};
    *beside = gpu_grid_stats(shared->gpu, launch->grid, stats);
    if (!*beside) {
        gpu_stats(shared->gpu, stats);
        stats->complete = true;
    }
    enum simsm_status status = front_finish(launch->subject.front, error);
    if (status == SIMSM_OK)
        status = keep_lines(launch, stats, error);
    gpu_remove(shared->gpu, launch->grid);
    unlink_launch(shared, launch);
    launch->grid = NULL;
    return status;
}

void shared_gpu_free(struct shared_gpu *shared, struct gpu_launch *launch)
{
    if (launch == shared->first)
        shared->first_freed = true;
    else
        free_launch(launch);
}

void shared_gpu_hold(struct shared_gpu *shared, const struct mem_written *written)
{
    if (shared->gpu)
        gpu_hold(shared->gpu, written);
    else
        (void)pool_add(&shared->written, written); /* what L2 holds is an estimate anyway */
}
