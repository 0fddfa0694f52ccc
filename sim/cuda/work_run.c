/*
 * MODEL: work on the device: kernels on the simulated GPU, copies on an engine for each direction,
 * fills and copies within the device beside all of them.
 * SOURCE: cuda/streams on an H200 and an H100: two copies in one direction take turns, copies in
 * both directions do not; kernels of several streams that may begin at once begin one after
 * another. LEFT OUT: what copies take from kernels beside them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "cuda/journal.h"
#include "cuda/outputs.h"
#include "cuda/work_inner.h"

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Moves work from the list of ready work behind the running work. `at`: where the list points to
 * it. */
static void take_ready(struct work_queue *queue, struct work **at)
{
    struct work *work = *at, **last = &queue->running;
    *at = work->next;
    while (*last)
        last = &(*last)->next;
    *last = work;
    work->next = NULL;
    work->state = WORK_RUNNING;
}

/* Puts ready work off: it begins not before `cycle`. */
static void put_off(struct work_queue *queue, struct work **at, uint64_t cycle)
{
    struct work *work = *at;
    *at = work->next;
    work->begins = cycle;
    work->delay = 0;
    work->state = WORK_WAITING;
    work_settle(queue, work);
}

static void fail(struct work_queue *queue, struct work *work, enum simsm_status status,
                 const struct simsm_error *error)
{
    struct launch_run *run = work->run;
    work->run = NULL;
    launch_end(queue->rt, run, status, error);
    device_launch_free(&run->device);
    free(run);
    work_drop_all(queue);
}

/* Begins a ready kernel. Returns false if the kernel finds no place beside others. */
static bool begin_kernel(struct work_queue *queue, struct work **at)
{
    const struct simsm_config *config = &queue->rt->config;
    struct work *work = *at;
    struct launch_run *run = work->run;
    struct simsm_error error;
    struct front *front;
    const uint64_t now = shared_gpu_now(queue->gpu);
    if (queue->kernels >= config->streams_grids)
        return false;
    run->exec.options.start_cycle = shared_gpu_clock(queue->gpu);
    enum simsm_status status = exec_front_open(&front, &run->exec, &error);
    if (status == SIMSM_OK) {
        front->launch = run->row.launch; /* with the name of the source, not the mangled name */
        const struct shared_request request = {
            .front = front,
            .priority = -work->priority, /* of CUDA: lower numbers come first */
            .launch_cycles =
                work->first_at > now ? work->first_at - now : config->gpu_launch_cycles,
            .owner = work};
        status = shared_gpu_begin(queue->gpu, &request, &work->launch, &error);
        if (!work->launch)
            front_close(front);
    }
    if (status != SIMSM_OK) {
        fail(queue, work, status, &error);
        return true;
    }
    if (!work->launch)
        return false;
    take_ready(queue, at);
    work->began = now;
    queue->kernels++;
    queue->front_free = now + work_cycles(queue, config->streams_switch_ns);
    queue->last_stream = work->stream;
    return true;
}

/* Begins a copy or a fill; its engine is free. */
static void begin_transfer(struct work_queue *queue, struct work *work)
{
    struct transfer transfer;
    const uint64_t now = shared_gpu_now(queue->gpu);
    work->ended = work->began = now;
    if (stream_work_check(queue->rt, &work->what, &transfer) != CUDA_SUCCESS || !transfer.bytes)
        return;
    const bool to_device = transfer.kind == TRANSFER_HOST_TO_DEVICE;
    transfer.both = queue->engine_free[to_device ? TO_HOST : TO_DEVICE] > now;
    work->ended = now + work_cycles(queue, transfer_ns(&queue->rt->config, &transfer));
    if (to_device || transfer.kind == TRANSFER_DEVICE_TO_HOST)
        queue->engine_free[to_device ? TO_DEVICE : TO_HOST] = work->ended;
}

/* Returns the cycle from which the work can begin. */
static uint64_t free_at(const struct work_queue *queue, const struct work *work)
{
    if (work->what.kind == WORK_KERNEL && work->stream != queue->last_stream)
        return queue->front_free;
    if (work->transfer.kind == TRANSFER_HOST_TO_DEVICE)
        return queue->engine_free[TO_DEVICE];
    return work->transfer.kind == TRANSFER_DEVICE_TO_HOST ? queue->engine_free[TO_HOST] : 0;
}

static void call_host(struct work_queue *queue, struct work *work)
{
    const double ns = queue->rt->config.streams_host_function_ns;
    (void)work_hold(work);
    queue->calling++;
    rt_call_host(work->what.as.host.function, work->what.as.host.data);
    queue->calling--;
    work->ended = later(work->began + work_cycles(queue, ns), shared_gpu_now(queue->gpu));
    work_release(work);
}

/* Puts off work that waits for a value in memory, each time for longer; at last gives up. */
static void look_again(struct work_queue *queue, struct work **at)
{
    enum { FIRST = 1000, MOST = 1 << 30 }; /* cycles */
    struct work *work = *at;
    work->looks = work->looks ? 2 * work->looks : FIRST;
    if (work->looks < MOST) {
        put_off(queue, at, shared_gpu_now(queue->gpu) + work->looks);
        return;
    }
    queue->rt->broken = memory_op_give_up(&work->what.as.memory_op, "");
    work_drop_all(queue);
}

/* Begins ready work, or puts it off. Returns false if it has to wait for a place on the GPU. */
static bool begin(struct work_queue *queue, struct work **at)
{
    struct work *work = *at;
    const struct simsm_config *config = &queue->rt->config;
    const uint64_t now = shared_gpu_now(queue->gpu), free = free_at(queue, work);
    if (free > now) {
        put_off(queue, at, free);
        return true;
    }
    if (work->what.kind == WORK_KERNEL)
        return begin_kernel(queue, at);
    if (work->what.kind == WORK_MEMORY_OP && memory_op_waits(queue->rt, &work->what.as.memory_op)) {
        look_again(queue, at);
        return true;
    }
    take_ready(queue, at);
    work->began = now;
    if (work->what.kind == WORK_COPY || work->what.kind == WORK_FILL)
        begin_transfer(queue, work);
    else if (work->what.kind == WORK_HOST)
        call_host(queue, work);
    else
        work->ended = now + (work->timed ? work_cycles(queue, config->streams_event_ns) : 0);
    return true;
}

/*
 * Begins the first work that can begin now. Returns whether there was such work. *blocked: a kernel
 * waits for a place on the GPU, and kernels behind it wait for it; other work goes past them.
 */
static bool begin_first(struct work_queue *queue, bool *blocked)
{
    const uint64_t now = shared_gpu_now(queue->gpu);
    *blocked = false;
    for (struct work **at = &queue->ready; *at && (*at)->begins <= now; at = &(*at)->next) {
        if (*blocked && (*at)->what.kind == WORK_KERNEL)
            continue;
        if (begin(queue, at))
            return true;
        *blocked = true;
    }
    return false;
}

/* Writes what is known of a kernel that has ended. */
static enum simsm_status finish_kernel(struct work_queue *queue, struct work *work,
                                       struct simsm_error *error)
{
    struct journal_launch *row = &work->run->row;
    struct runtime *rt = queue->rt;
    struct outputs outputs;
    struct simsm_stats stats;
    bool beside;
    enum simsm_status status = shared_gpu_finish(queue->gpu, work->launch, &stats, &beside, error);
    row->timed = true;
    journal_measure(row, &rt->config, &stats);
    row->ns = work_ns(queue, work->ended - work->began);
    if (row->chosen && status == SIMSM_OK) {
        outputs_open(&outputs, rt, row->number);
        outputs_write(&outputs, row, &stats, beside, NULL);
    }
    shared_gpu_free(queue->gpu, work->launch);
    work->launch = NULL;
    queue->kernels--;
    return status;
}

/* Adds a line to the log of the program for work that has ended. */
static void log_work(struct work_queue *queue, const struct work *work)
{
    static const enum activity_kind kinds[TRANSFER_COUNT] = {
        [TRANSFER_HOST_TO_DEVICE] = ACTIVITY_TO_DEVICE,
        [TRANSFER_DEVICE_TO_HOST] = ACTIVITY_TO_HOST,
        [TRANSFER_DEVICE_TO_DEVICE] = ACTIVITY_WITHIN,
        [TRANSFER_HOST_TO_HOST] = ACTIVITY_WITHIN,
        [TRANSFER_FILL] = ACTIVITY_FILL,
    };
    struct activity entry = {.stream = work->stream,
                             .begin = work_ns(queue, work->began),
                             .end = work_ns(queue, work->ended),
                             .bytes = work->transfer.bytes};
    if (work->what.kind == WORK_KERNEL) {
        entry.kind = ACTIVITY_KERNEL;
        entry.launch = work->run->row.number;
        entry.by_device = work->run->device.depth > 0;
        entry.kernel = activity_kernel_id(work->run->row.launch.name);
        memcpy(entry.grid, work->run->row.launch.grid, sizeof entry.grid);
        memcpy(entry.block, work->run->row.launch.block, sizeof entry.block);
        (void)snprintf(entry.name, sizeof entry.name, "%s", work->run->row.brief);
    } else if (work->what.kind == WORK_HOST) {
        entry.kind = ACTIVITY_FUNCTION;
        (void)snprintf(entry.name, sizeof entry.name, "host function");
    } else if (work->transfer.bytes) {
        entry.kind = kinds[work->transfer.kind];
        (void)snprintf(entry.name, sizeof entry.name, "%s",
                       journal_transfer_names[work->transfer.kind]);
    } else {
        return;
    }
    activity_add(&queue->log, &entry);
}

static void end_running(struct work_queue *queue, struct work *work)
{
    struct simsm_error error;
    struct runtime *rt = queue->rt;
    struct work **at = &queue->running;
    enum simsm_status status = SIMSM_OK;
    while (*at != work)
        at = &(*at)->next;
    *at = work->next;
    if (work->what.kind == WORK_KERNEL) {
        status = finish_kernel(queue, work, &error);
        if (status != SIMSM_OK) {
            fail(queue, work, status, &error);
            return;
        }
        log_work(queue, work);
        launch_end(rt, work->run, SIMSM_OK, NULL);
    } else if (work->what.kind == WORK_COPY || work->what.kind == WORK_FILL) {
        if (stream_work_transfer(rt, &work->what) == CUDA_SUCCESS && work->transfer.bytes)
            journal_add_transfer(rt->journal, &work->transfer,
                                 work_ns(queue, work->ended - work->began), work->range);
    } else if (work->what.kind == WORK_ALLOC || work->what.kind == WORK_RELEASE ||
               work->what.kind == WORK_MEMORY_OP) {
        (void)stream_work_run(rt, &work->what);
    }
    if (work->what.kind != WORK_KERNEL)
        log_work(queue, work);
    work_let_go(queue, work, false);
    work_end(queue, work);
}

/* Ends the work that ends first, if it ends by now. Returns whether there was such work. */
static bool end_due(struct work_queue *queue)
{
    const uint64_t now = shared_gpu_now(queue->gpu);
    struct work *first = NULL;
    for (struct work *work = queue->running; work; work = work->next)
        if (work->ended <= now && (!first || work->ended < first->ended))
            first = work;
    if (first)
        end_running(queue, first);
    return first != NULL;
}

/* Notes which kernels have ended. Returns whether one has. */
static bool note_ended(struct work_queue *queue)
{
    bool any = false;
    for (struct work *work = queue->running; work; work = work->next) {
        if (!work->launch || work->ended != WORK_NEVER)
            continue;
        const struct shared_times times = shared_gpu_times(queue->gpu, work->launch);
        work->last_block = times.last_end;
        work->ended = times.ended;
        if (work->ended == WORK_NEVER)
            continue;
        work->began = times.first_start; /* as profilers see it */
        work_let_go(queue, work, true);
        any = true;
    }
    return any;
}

/* Returns when the next work begins or ends as far as is known. `blocked`: as in begin_first(). */
static uint64_t next_event(const struct work_queue *queue, bool blocked)
{
    const struct work *ready = queue->ready;
    while (ready && blocked && ready->what.kind == WORK_KERNEL)
        ready = ready->next;
    uint64_t next = ready ? ready->begins : WORK_NEVER;
    for (const struct work *work = queue->running; work; work = work->next)
        next = work->ended < next ? work->ended : next;
    return next;
}

bool work_step(struct work_queue *queue, uint64_t until)
{
    struct simsm_error error;
    const uint64_t now = shared_gpu_now(queue->gpu);
    bool blocked;
    if (end_due(queue) || begin_first(queue, &blocked) || note_ended(queue))
        return true;
    enum { WAIT_CYCLES = 2000000, MOST_WAITS = 500 };
    uint64_t next = next_event(queue, blocked);
    bool alone = next == WORK_NEVER && until == WORK_NEVER;
    next = next < until ? next : until;
    queue->patience = alone ? queue->patience + 1 : 0;
    if (alone && (queue->threads > 1 || rt_others_wait()) && queue->kernels &&
        queue->patience < MOST_WAITS) {
        alone = false; /* another thread may submit what a kernel waits for */
        next = now + WAIT_CYCLES;
    }
    if (next <= now || (next == WORK_NEVER && !queue->kernels && !blocked))
        return false; /* a blocked kernel waits for stores under way, if for no kernel */
    enum simsm_status status = shared_gpu_run(queue->gpu, next, alone, &error);
    struct work *failed = status != SIMSM_OK ? shared_gpu_failed(queue->gpu) : NULL;
    if (failed)
        fail(queue, failed, status, &error);
    return true;
}

bool work_go_on(struct work_queue *queue)
{
    return work_step(queue, WORK_NEVER);
}

void work_written(struct work_queue *queue, const struct mem_written *written)
{
    shared_gpu_hold(queue->gpu, written);
}
