#include "calibrate/worker.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"

/* A request to the process, which reads the table itself. */
struct request {
    bool about;
    uint32_t index, repeat;
    char table[PLAN_PATH], cubin[PLAN_PATH];
};

union reply {
    struct worker_answer answer;
    struct {
        enum simsm_status status;
        struct simsm_error error;
        struct gpu_about about;
    } gpu;
};

static bool write_all(int file, const void *bytes, size_t size)
{
    const char *at = bytes;
    while (size) {
        ssize_t written = write(file, at, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        at += written;
        size -= (size_t)written;
    }
    return true;
}

/* Reads `size` bytes. `seconds` 0: waits for ever. */
static bool read_all(int file, void *bytes, size_t size, int seconds)
{
    char *at = bytes;
    while (size) {
        struct pollfd wait = {.fd = file, .events = POLLIN};
        int ready = poll(&wait, 1, seconds ? seconds * 1000 : -1);
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready <= 0)
            return false;
        ssize_t got = read(file, at, size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        at += got;
        size -= (size_t)got;
    }
    return true;
}

/* Runs in the process: measures the requested point. The table stays open for the next request. */
static void answer(struct measured_gpu *gpu, struct table *table, const struct request *request,
                   struct worker_answer *a)
{
    struct point *point = malloc(sizeof *point);
    a->status = point ? SIMSM_OK : err_no_memory(&a->error);
    if (a->status == SIMSM_OK && strcmp(table->path, request->table) != 0) {
        table_close(table);
        a->status = table_open(table, request->table, &a->error);
    }
    if (a->status == SIMSM_OK)
        a->status = table_point(table, request->index, point, &a->error);
    if (a->status == SIMSM_OK)
        a->status = gpu_load(gpu, request->cubin, &a->error);
    if (a->status == SIMSM_OK)
        a->status = gpu_measure(gpu, point, request->repeat, a->measured, &a->error);
    a->runs = a->status == SIMSM_OK ? request->repeat : 0;
    if (point)
        point_free(point);
    free(point);
}

static void serve(int from, int to)
{
    struct measured_gpu *gpu = NULL;
    struct table table = {.size = 0};
    union reply *reply = calloc(1, sizeof *reply);
    struct simsm_error error;
    enum simsm_status opened = gpu_open(&gpu, false, &error);
    struct request request;
    while (reply && read_all(from, &request, sizeof request, 0)) {
        memset(reply, 0, sizeof *reply);
        if (request.about || opened != SIMSM_OK) {
            reply->gpu.status = opened;
            reply->gpu.error = error;
            if (opened == SIMSM_OK)
                reply->gpu.about = *gpu_about(gpu);
        } else {
            answer(gpu, &table, &request, &reply->answer);
        }
        if (!write_all(to, reply, sizeof *reply))
            break;
    }
}

static enum simsm_status start(struct worker *worker, struct simsm_error *error)
{
    int to[2] = {-1, -1}, from[2] = {-1, -1};
    if (worker->process)
        return SIMSM_OK;
    if (pipe(to) == 0 && pipe(from) == 0) {
        (void)fflush(NULL);
        worker->process = fork();
        if (worker->process == 0) {
            (void)close(to[1]);
            (void)close(from[0]);
            serve(to[0], from[1]);
            _exit(0);
        }
    }
    bool failed = worker->process <= 0;
    (void)close(to[0]);
    (void)close(from[1]);
    worker->to = to[1];
    worker->from = from[0];
    if (!failed)
        return SIMSM_OK;
    worker->process = 0;
    worker_end(worker);
    return err_set(error, SIMSM_FAILED, "no process can be started to measure in: %s",
                   strerror(errno));
}

void worker_end(struct worker *worker)
{
    if (worker->to >= 0)
        (void)close(worker->to);
    if (worker->from >= 0)
        (void)close(worker->from);
    if (worker->process) {
        (void)kill((pid_t)worker->process, SIGKILL);
        (void)waitpid((pid_t)worker->process, NULL, 0);
    }
    *worker = WORKER_NONE(worker->seconds);
}

/* Sends a request and reads the answer. Returns false if the process has died or does not answer
 * in time. */
static bool ask(struct worker *worker, const struct request *request, union reply *reply)
{
    return write_all(worker->to, request, sizeof *request) &&
           read_all(worker->from, reply, sizeof *reply, worker->seconds);
}

enum simsm_status worker_about(struct worker *worker, struct gpu_about *about,
                               struct simsm_error *error)
{
    const struct request request = {.about = true};
    union reply *reply = malloc(sizeof *reply);
    enum simsm_status status = reply ? start(worker, error) : err_no_memory(error);
    if (status == SIMSM_OK && !ask(worker, &request, reply))
        status = err_set(error, SIMSM_FAILED, "the GPU's driver does not answer");
    else if (status == SIMSM_OK && reply->gpu.status != SIMSM_OK)
        *error = reply->gpu.error;
    if (status == SIMSM_OK)
        status = reply->gpu.status;
    if (status == SIMSM_OK)
        *about = reply->gpu.about;
    free(reply);
    return status;
}

enum simsm_status worker_measure(struct worker *worker, const struct table *table, uint32_t index,
                                 const char *cubin, uint32_t repeat, struct worker_answer *result,
                                 struct simsm_error *error)
{
    struct request request = {.index = index, .repeat = repeat};
    (void)snprintf(request.table, sizeof request.table, "%s", table->path);
    (void)snprintf(request.cubin, sizeof request.cubin, "%s", cubin);
    union reply *reply = malloc(sizeof *reply);
    enum simsm_status status = reply ? start(worker, error) : err_no_memory(error);
    if (status == SIMSM_OK && ask(worker, &request, reply)) {
        *result = reply->answer;
        if (result->status == SIMSM_FAILED)
            worker_end(worker);
    } else if (status == SIMSM_OK) {
        result->runs = 0;
        result->status = err_set(&result->error, SIMSM_FAILED,
                                 "the kernel did not end within %d seconds, or ended the process "
                                 "that ran it",
                                 worker->seconds);
        worker_end(worker);
    }
    free(reply);
    return status;
}
