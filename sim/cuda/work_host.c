/* The host's time: it advances by calls, and by what calls wait for. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/err.h"
#include "cuda/journal.h"
#include "cuda/program_show.h"
#include "cuda/rt_thread.h"
#include "cuda/work_inner.h"

enum call_wait { NONE, OWN };

struct call_time {
    const char *name;
    size_t key; /* offset in struct simsm_config */
    enum call_wait wait;
};

static const struct call_time calls[] = {
#define CALL(function, time, wait)                                                                 \
    {#function, offsetof(struct simsm_config, host_##time##_ns), wait},
#include "cuda/call_times.def"
#undef CALL
};

/* Returns the row of a call; NULL: it waits for all work. */
static const struct call_time *find_call(const char *function)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strcmp(calls[i].name, function) == 0)
            return &calls[i];
    return NULL;
}

static void advance(struct work_queue *queue, double ns)
{
    queue->host += work_cycles(queue, ns);
}

/* Notes what the host has done since `before`. */
static void log_call(struct work_queue *queue, enum activity_kind kind, const char *function,
                     uint64_t before)
{
    struct activity entry = {
        .kind = kind, .begin = work_ns(queue, before), .end = work_ns(queue, queue->host)};
    (void)snprintf(entry.name, sizeof entry.name, "%s", function);
    activity_add(&queue->log, &entry);
}

void work_call(struct work_queue *queue, const char *function)
{
    const struct simsm_config *config = &queue->rt->config;
    const struct call_time *call = find_call(function);
    static _Thread_local const struct work_queue *known;
    queue->threads += known != queue;
    known = queue;
    if (!call)
        work_finish_all(queue);
    const uint64_t before = queue->host;
    advance(queue,
            call ? *(const double *)((const char *)config + call->key) : config->host_call_ns);
    log_call(queue, ACTIVITY_CALL, function, before);
}

bool work_call_waits(void)
{
    const struct call_time *call = find_call(rt_thread.call ? rt_thread.call : "");
    return !call || call->wait == OWN;
}

/* Runs until the work has ended. Another thread may be in a host function that it waits for. */
void work_do(struct work_queue *queue, struct work *work)
{
    (void)work_hold(work);
    while (work_last_of(work)->state != WORK_ENDED && !rt_thread.in_program &&
           (work_step(queue, WORK_NEVER) || queue->calling))
        if (queue->calling || queue->threads > 1 || rt_others_wait())
            rt_yield(0);
    work_release(work);
}

void work_finish(struct work_queue *queue, struct work *work)
{
    if (!work)
        return;
    struct work *const asked = work_hold(work); /* other threads may replace it in its stream */
    work_do(queue, work);
    work = work_last_of(work);
    const bool waits = work->state != WORK_ENDED || work->ended > queue->host;
    const uint64_t before = queue->host;
    work_do(queue, work);
    if (waits && work->ended > queue->host)
        queue->host = work->ended;
    if (waits) {
        advance(queue, queue->rt->config.host_wait_ns);
        log_call(queue, ACTIVITY_WAIT, rt_thread.call ? rt_thread.call : "end", before);
    }
    work_release(asked);
}

/* The wait for all work is one wait of the host, until the last work ends. */
void work_finish_all(struct work_queue *queue)
{
    struct work *latest = NULL;
    while (queue->first && !rt_thread.in_program) {
        struct work *work = work_hold(queue->first);
        work_do(queue, work);
        SIMSM_CHECK(work->state == WORK_ENDED, "work %llu cannot go on",
                    (unsigned long long)work->number);
        if (!latest || work->ended > latest->ended) {
            work_release(latest);
            latest = work_hold(work);
        }
        work_release(work);
    }
    work_finish(queue, latest);
    work_release(latest);
    shared_gpu_rest(queue->gpu); /* the code of its kernels may be unloaded next */
}

bool work_has_ended(struct work_queue *queue, struct work *work)
{
    if (!work)
        return true;
    struct work *const asked = work_hold(work);
    while (work_last_of(work)->state != WORK_ENDED && shared_gpu_now(queue->gpu) < queue->host &&
           work_step(queue, queue->host))
        ;
    work = work_last_of(work);
    const bool ended = work->state == WORK_ENDED && work->ended <= queue->host;
    work_release(asked);
    return ended;
}

double work_end_ns(const struct work_queue *queue, const struct work *work)
{
    return work_ns(queue, work->ended);
}

/* Writes the program's time to the report and to the file of --program. */
static enum simsm_status report_log(struct runtime *rt, struct activity_log *log,
                                    struct simsm_error *error)
{
    const char *path = setting_text(&rt->settings, SETTING_ID_program);
    const char *command = setting_text(&rt->settings, SETTING_ID_command);
    FILE *file = journal_file(rt->journal);
    log->gpu = strdup(rt->config.gpu_name);
    log->command = command ? strdup(command) : NULL;
    if (!activity_finish(log))
        return err_no_memory(error);
    const struct activity_shares shares = activity_shares(log, log->begin, log->end);
    journal_add_shares(rt->journal, &shares);
    if (file)
        program_show(log, file, setting_flag(&rt->settings, SETTING_ID_ascii));
    if (log->lost)
        (void)fputs(
            "simsm: out of memory: a part of the program's work is missing in its picture\n",
            stderr);
    return path ? activity_write(log, path, error) : SIMSM_OK;
}

void work_report(struct work_queue *queue)
{
    struct simsm_error error;
    if (report_log(queue->rt, &queue->log, &error) != SIMSM_OK)
        rt_give_up_file(queue->rt, SETTING_ID_program, &error);
}
