/* Life of the simulated device: start, lock, errors, end of the program, fork and signals. */
#include "cuda/runtime.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/check.h"
#include "base/err.h"
#include "cuda/checking.h"
#include "cuda/cuda_code.h"
#include "cuda/device_choice.h"
#include "cuda/host_memory.h"
#include "cuda/host_watch.h"
#include "cuda/interrupt.h"
#include "cuda/ipc_memory.h"
#include "cuda/journal.h"
#include "cuda/l2_contents.h"
#include "cuda/launch_copies.h"
#include "cuda/program_recorder.h"
#include "cuda/properties.h"
#include "cuda/rt_thread.h"
#include "cuda/textures.h"
#include "cuda/virtual_memory.h"
#include "cuda/work.h"
#include "sanitize/sanitizer.h"

_Thread_local struct rt_thread rt_thread;

enum device_state { DEVICE_OFF, DEVICE_ON, DEVICE_FAILED, DEVICE_OF_PARENT, DEVICE_HIDDEN };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int waiting; /* threads that wait for the lock */
static enum device_state state;
static struct runtime device;
static enum cuda_error hidden_because; /* DEVICE_HIDDEN: the error of calls */
static bool files_lost;                /* a file that was asked for could not be written */
static bool mistakes_found;            /* simsm check has found something */
static const char *holder_call;        /* API function that holds the lock; NULL: none */
static pthread_t holder;

void rt_default_limits(struct runtime *rt)
{
    static const uint64_t limits[LIMIT_COUNT] = {
        [LIMIT_STACK] = 1024,   [LIMIT_PRINTF_FIFO] = 1 << 20,   [LIMIT_MALLOC_HEAP] = DEVICE_HEAP,
        [LIMIT_SYNC_DEPTH] = 2, [LIMIT_PENDING_LAUNCHES] = 2048, [LIMIT_L2_FETCH] = 64};
    memcpy(rt->limit, limits, sizeof limits);
}

static enum simsm_status start(struct runtime *rt, struct simsm_error *error)
{
    enum simsm_status status = device_memory_create(&rt->memory, rt->settings.device_memory, error);
    rt_default_limits(rt);
    if (status == SIMSM_OK)
        status = checking_open(rt, error);
    if (status == SIMSM_OK)
        status = host_memory_create(&rt->host, rt->memory, error);
    if (status == SIMSM_OK)
        status = journal_open(&rt->journal, &rt->settings, &rt->config, stderr, error);
    if (status == SIMSM_OK)
        status = program_recorder_open(&rt->recorder, &rt->settings, error);
    rt->code = code_of_program();
    progress_begin(&rt->progress, setting_flag(&rt->settings, SETTING_ID_quiet) ? NULL : stderr);
    if (status == SIMSM_OK && setting_flag(&rt->settings, SETTING_ID_warm) &&
        !(rt->l2 = l2_contents_new()))
        status = err_no_memory(error);
    if (status == SIMSM_OK && settings_time_once(&rt->settings) &&
        !(rt->copies = launch_copies_new()))
        status = err_no_memory(error);
    if (status == SIMSM_OK && setting_flag(&rt->settings, SETTING_ID_concurrent))
        status = work_open(&rt->queue, rt, error);
    return status;
}

static void report_error(const struct simsm_error *error)
{
    char text[1100];
    (void)fprintf(stderr, "simsm: %s\n", simsm_error_text(error, text, sizeof text));
}

void rt_give_up_file(struct runtime *rt, enum setting_id id, const struct simsm_error *error)
{
    char text[1100];
    rt->lost[id] = true;
    files_lost = true;
    (void)fprintf(stderr, "simsm: no further file is written for --%s: %s\n",
                  option_rows[id].option, simsm_error_text(error, text, sizeof text));
}

/* Prints that no kernel was launched. A recorder prints its own message. */
static void report_no_launch(const struct settings *settings)
{
    if (!setting_flag(settings, SETTING_ID_quiet) && !setting_flag(settings, SETTING_ID_record))
        (void)fputs("simsm: the program launched no kernel; there is nothing to report\n", stderr);
}

static void close_files(struct runtime *rt)
{
    struct simsm_error error;
    if (rt->journal && !journal_launches(rt->journal))
        report_no_launch(&rt->settings);
    if (checking_close(rt, &mistakes_found, &error) != SIMSM_OK) {
        files_lost = true;
        report_error(&error);
    }
    const uint64_t passed_over = journal_none_chosen(rt->journal);
    if (passed_over)
        (void)fprintf(stderr,
                      "simsm: nothing was timed: none of the program's %llu launches is one that "
                      "--kernels and --launches choose\n",
                      (unsigned long long)passed_over);
    if (journal_close(rt->journal, &error) != SIMSM_OK) {
        files_lost = true;
        report_error(&error);
    }
    files_lost |= !program_recorder_close(rt->recorder);
    l2_contents_free(rt->l2);
    launch_copies_free(rt->copies);
}

static void stop(struct runtime *rt)
{
    host_watch_open(rt);
    if (rt->queue && state == DEVICE_ON && !rt->broken && !rt_thread.in_program)
        work_finish_all(rt->queue);
    if (rt->queue && state == DEVICE_ON)
        work_report(rt->queue);
    work_close(rt->queue);
    rt->queue = NULL;
    code_unload(code_of_program());
    close_files(rt);
    ipc_destroy();
    virtual_destroy();
    host_memory_destroy(rt->host);
    textures_destroy(rt->textures);
    device_memory_destroy(rt->memory);
    *rt = (struct runtime){0};
}

static bool lock_within(time_t seconds)
{
    struct timespec end;
    (void)clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += seconds;
    return pthread_mutex_timedlock(&lock, &end) == 0;
}

/*
 * In the child of a fork: disables the device, as a GPU's driver does not let a child use its
 * parent's device.
 */
static void after_fork(void)
{
    if (state == DEVICE_ON) {
        host_watch_open(&device);
        state = DEVICE_OF_PARENT;
    }
    files_lost = mistakes_found = false;   /* the parent reports them */
    (void)pthread_mutex_init(&lock, NULL); /* a thread of the parent may have held the lock */
}

/* At exit: ends a launch of another thread early. That launch is not completed. */
static void stop_other_threads(void)
{
    if (pthread_mutex_trylock(&lock) != 0) {
        interrupt_came = SIGTERM;
        if (!lock_within(4))
            return;
        interrupt_came = 0;
    }
    (void)pthread_mutex_unlock(&lock);
}

static void end(void);

/* At quick_exit(), which runs no destructors. */
static void end_quickly(void)
{
    stop_other_threads();
    end();
}

static pthread_once_t process_watched = PTHREAD_ONCE_INIT;
static void watch_process(void)
{
    (void)atexit(stop_other_threads); /* before the program's handlers, which unregister code */
    (void)at_quick_exit(end_quickly);
    (void)pthread_atfork(NULL, NULL, after_fork);
}

/* Prints why the program crashed. `inside`: in a call of the API. */
static void report_crash(const struct interrupt *interrupt, bool inside)
{
    const uint64_t at = (uintptr_t)interrupt->address;
    const struct device_allocation *near = device_nearest(device.memory, at);
    if (inside && at)
        (void)fprintf(stderr, "simsm: %s: the program's address %#llx cannot be accessed\n",
                      holder_call, (unsigned long long)at);
    else if (at && near && at >= near->address && at - near->address < near->size)
        (void)fprintf(stderr,
                      "simsm: the program itself accessed %#llx, byte %llu of %s: device memory is "
                      "for kernels and cudaMemcpy\n",
                      (unsigned long long)at, (unsigned long long)(at - near->address), near->name);
    else
        (void)fprintf(stderr, "simsm: the program is ended by a signal: %s\n",
                      strsignal(interrupt->signal));
}

/* Writes the reports when a signal ends the program. Runs in a thread of its own. */
static void end_interrupted(const struct interrupt *interrupt)
{
    const bool inside =
        interrupt->crash && holder_call && pthread_equal(holder, interrupt->thread) != 0;
    if (!inside && !lock_within(4)) {
        (void)fprintf(stderr, "simsm: %s does not end; there is no report\n", holder_call);
        return;
    }
    if (state != DEVICE_ON)
        return;
    report_crash(interrupt, inside);
    state = DEVICE_FAILED;
    if (!inside)
        stop(&device);
    else /* the device is in an unknown state: only the files are closed */
        close_files(&device);
}

/* Judges an access of the program to a page that is closed to it, and opens the page. */
static bool mend_fault(const struct host_fault *fault)
{
    if (holder_call && pthread_equal(holder, pthread_self()) != 0)
        return false;
    (void)pthread_mutex_lock(&lock);
    const bool mended = state == DEVICE_ON && host_watch_fault(&device, fault);
    (void)pthread_mutex_unlock(&lock);
    return mended;
}

/*
 * Returns whether CUDA_VISIBLE_DEVICES hides the device. Says so if the list names another device:
 * an empty list and -1 want none.
 */
static bool is_hidden(const struct runtime *rt)
{
    const char *list = getenv("CUDA_VISIBLE_DEVICES");
    struct properties properties;
    char uuid[PROPERTIES_UUID];
    properties_fill(&rt->config, rt->settings.device_memory, &properties);
    properties_uuid(&properties, uuid);
    hidden_because = device_choice_shows(list, uuid);
    if (hidden_because != CUDA_SUCCESS && list && *list && *list != '-')
        (void)fprintf(stderr,
                      "simsm: CUDA_VISIBLE_DEVICES=%s hides the simulated GPU, which is number 0\n",
                      list);
    return hidden_because != CUDA_SUCCESS;
}

/* Starts the device, which is off. Returns its new state. */
static enum device_state turn_on(void)
{
    struct simsm_error error;
    device = (struct runtime){0};
    enum simsm_status status = device_choice_read(&device.settings, &device.config, &error);
    if (status == SIMSM_OK && is_hidden(&device))
        return DEVICE_HIDDEN;
    if (status == SIMSM_OK)
        status = start(&device, &error);
    if (status != SIMSM_OK) {
        report_error(&error);
        stop(&device);
        return DEVICE_FAILED;
    }
    (void)pthread_once(&process_watched, watch_process);
    interrupt_watch(end_interrupted, mend_fault);
    return DEVICE_ON;
}

/* Starts the device if it is off. Returns whether it is on. */
static bool is_on(void)
{
    if (state == DEVICE_OFF)
        state = turn_on();
    if (state == DEVICE_HIDDEN)
        rt_thread.refusal = hidden_because;
    return state == DEVICE_ON;
}

/*
 * Unlocks. If a signal ends the program, keeps the thread here: it must not go on after a launch
 * that is not complete.
 */
static void unlock_and_wait(void)
{
    (void)pthread_mutex_unlock(&lock);
    while (interrupt_came)
        (void)pause();
}

/* Unlocks at the end of an API call. */
static void unlock(void)
{
    SIMSM_CHECK(holder_call && pthread_equal(holder, pthread_self()) != 0,
                "a thread leaves a call that it did not enter; the lock is held by %s",
                holder_call ? holder_call : "no call");
    holder_call = NULL;
    unlock_and_wait();
}

/* Notes that this thread, which has locked, is in a call. */
static void hold(const char *function)
{
    rt_thread.call = function;
    holder_call = function;
    holder = pthread_self();
}

void rt_lock(const char *function)
{
    (void)atomic_fetch_add(&waiting, 1);
    (void)pthread_mutex_lock(&lock);
    (void)atomic_fetch_sub(&waiting, 1);
    while (interrupt_came) {
        unlock_and_wait();
        (void)pthread_mutex_lock(&lock);
    }
    hold(function);
}

struct runtime *rt_enter_broken(const char *function)
{
    rt_lock(function);
    rt_thread.refusal = CUDA_INITIALIZATION_ERROR;
    if (state == DEVICE_OF_PARENT) {
        (void)rt_report(CUDA_INITIALIZATION_ERROR,
                        "the child of a fork cannot use its parent's device; fork before the first "
                        "call, or start another program");
        state = DEVICE_FAILED;
    }
    if (!is_on())
        return NULL;
    host_watch_open(&device);
    checking_enter(&device);
    return &device;
}

struct runtime *rt_enter(const char *function)
{
    struct runtime *rt = rt_enter_broken(function);
    if (rt && rt->queue && rt_thread.in_program) {
        rt_thread.refusal = CUDA_NOT_PERMITTED; /* the call would wait for the function itself */
        return NULL;
    }
    if (rt && rt->queue && !rt->broken)
        work_call(rt->queue, function);
    if (!rt || !rt->broken)
        return rt;
    rt_thread.refusal = rt->broken;
    return NULL;
}

enum cuda_error rt_refusal(void)
{
    return rt_thread.refusal;
}

enum cuda_error rt_leave_keep_last(enum cuda_error error)
{
    rt_thread.call = NULL;
    if (state == DEVICE_ON)
        host_watch_close(&device, NULL);
    unlock();
    return error;
}

enum cuda_error rt_set_last_error(enum cuda_error error)
{
    if (error != CUDA_SUCCESS)
        rt_thread.last = error;
    return error;
}

enum cuda_error rt_leave(enum cuda_error error)
{
    if (error != CUDA_SUCCESS && error != CUDA_NOT_READY && state == DEVICE_ON && !device.broken)
        checking_failed_call(&device, holder_call, error, rt_thread.why);
    rt_thread.why[0] = '\0';
    return rt_leave_keep_last(rt_set_last_error(error));
}

void rt_finish_work(void)
{
    if (state == DEVICE_ON && device.queue && !device.broken)
        work_finish_all(device.queue);
}

bool rt_memory_used(uint64_t *bytes)
{
    uint64_t total;
    rt_lock(__func__);
    const bool on = state == DEVICE_ON;
    if (on)
        device_memory_info(device.memory, bytes, &total);
    (void)rt_leave_keep_last(CUDA_SUCCESS);
    return on;
}

bool rt_others_wait(void)
{
    return atomic_load(&waiting) > 0;
}

void rt_yield(long ns)
{
    const char *call = rt_thread.call;
    unlock();
    if (ns)
        (void)nanosleep(&(struct timespec){.tv_nsec = ns}, NULL);
    else
        (void)sched_yield();
    rt_lock(call);
}

void rt_call_host(cuda_host_fn *function, void *data)
{
    const char *call = rt_thread.call;
    if (device.sanitizer)
        host_watch_close(&device, &device.sanitizer->streams.now);
    unlock();
    rt_thread.in_program = true;
    function(data);
    rt_thread.in_program = false;
    rt_lock(call);
    host_watch_open(&device);
}

enum cuda_error rt_last_error(bool clear)
{
    rt_lock(__func__);
    enum cuda_error error = state == DEVICE_ON && device.broken && rt_thread.last != CUDA_SUCCESS
                                ? device.broken
                                : rt_thread.last;
    if (clear)
        rt_thread.last = CUDA_SUCCESS;
    return rt_leave_keep_last(error);
}

enum cuda_error rt_report(enum cuda_error error, const char *format, ...)
{
    va_list arguments;
    if (rt_thread.mute)
        return error;
    if (device.sanitizer && error != CUDA_SUCCESS) { /* rt_leave makes a finding of it */
        va_start(arguments, format);
        (void)vsnprintf(rt_thread.why, sizeof rt_thread.why, format, arguments);
        va_end(arguments);
        return error;
    }
    progress_clear(&device.progress);
    va_start(arguments, format);
    (void)fprintf(stderr, "simsm: %s: ", rt_thread.call ? rt_thread.call : "?");
    (void)vfprintf(stderr, format, arguments);
    (void)fputc('\n', stderr);
    va_end(arguments);
    return error;
}

void rt_reset_for_test(void)
{
    if (state == DEVICE_ON)
        stop(&device);
    state = DEVICE_OFF;
    files_lost = mistakes_found = false;
    rt_thread = (struct rt_thread){0};
}

pid_t rt_loaded_by;

/*
 * Reports that the program launched no kernel. Only in the process that `simsm run` started, if it
 * made no API call.
 */
static void report_unused(void)
{
    struct settings settings;
    struct simsm_error error;
    if (getenv(option_rows[SETTING_ID_config].variable) && rt_loaded_by == getpid() &&
        settings_read(&settings, &error) == SIMSM_OK)
        report_no_launch(&settings);
}

/*
 * Stops the device at the end of the program. The library is never unloaded earlier (-z nodelete).
 */
__attribute__((destructor)) static void end(void)
{
    if (state == DEVICE_ON && lock_within(4)) {
        hold("end"); /* work that is left may let other threads enter calls */
        stop(&device);
        holder_call = NULL;
        (void)pthread_mutex_unlock(&lock);
    }
    if (state == DEVICE_OFF || state == DEVICE_HIDDEN)
        report_unused();
    state = DEVICE_FAILED;
    if (files_lost ||
        mistakes_found) { /* a destructor cannot set the exit status otherwise; flushes itself */
        (void)fflush(NULL);
        _exit(SIMSM_FAILED);
    }
}
