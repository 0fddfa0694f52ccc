#include "cuda/runtime.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "cuda/code.h"
#include "cuda/host_memory.h"
#include "cuda/journal.h"
#include "cuda/program_recorder.h"
#include "cuda/thread.h"

_Thread_local struct rt_thread rt_thread;

enum device_state { DEVICE_OFF, DEVICE_ON, DEVICE_FAILED };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static enum device_state state;
static struct runtime device;
static pid_t owner; /* a child of the program must not write the program's reports */

/* KEY=VALUE lines. */
static enum simsm_status apply_settings(struct simsm_config *config, const char *lines,
                                        struct simsm_error *error)
{
    enum simsm_status status = SIMSM_OK;
    for (const char *line = lines; line && *line && status == SIMSM_OK;) {
        char assignment[512];
        size_t length = strcspn(line, "\n");
        if (length >= sizeof assignment)
            return err_set(error, SIMSM_BAD_INPUT, "--set: '%.40s...' is too long", line);
        memcpy(assignment, line, length);
        assignment[length] = '\0';
        status = simsm_config_set(config, assignment, error);
        line += length + (line[length] == '\n');
    }
    return status == SIMSM_OK ? simsm_config_check(config, error) : status;
}

static enum simsm_status configure(struct runtime *rt, struct simsm_error *error)
{
    enum simsm_status status = settings_read(&rt->settings, error);
    if (status != SIMSM_OK)
        return status;
    const char *config = setting_text(&rt->settings, SETTING_ID_config);
    if (!config)
        return err_set(error, SIMSM_BAD_INPUT,
                       "which GPU? Start the program as `simsm run CONFIG -- PROGRAM`");
    status = simsm_config_load(&rt->config, config, error);
    if (status == SIMSM_OK)
        status = apply_settings(&rt->config, setting_text(&rt->settings, SETTING_ID_set), error);
    return status;
}

static enum simsm_status start(struct runtime *rt, struct simsm_error *error)
{
    static const uint64_t limits[LIMIT_COUNT] = {
        [LIMIT_STACK] = 1024,   [LIMIT_PRINTF_FIFO] = 1 << 20,   [LIMIT_MALLOC_HEAP] = 8 << 20,
        [LIMIT_SYNC_DEPTH] = 2, [LIMIT_PENDING_LAUNCHES] = 2048, [LIMIT_L2_FETCH] = 64};
    *rt = (struct runtime){0};
    memcpy(rt->limit, limits, sizeof limits);
    enum simsm_status status = configure(rt, error);
    if (status == SIMSM_OK)
        status = device_memory_create(&rt->memory, rt->settings.device_memory, error);
    if (status == SIMSM_OK)
        status = host_memory_create(&rt->host, rt->memory, error);
    if (status == SIMSM_OK)
        status = journal_open(&rt->journal, &rt->settings, &rt->config, stderr, error);
    if (status == SIMSM_OK)
        status = program_recorder_open(&rt->recorder, &rt->settings, error);
    rt->code = code_of_program();
    return status;
}

static void stop(struct runtime *rt)
{
    code_unload(code_of_program());
    journal_close(rt->journal);
    program_recorder_close(rt->recorder);
    host_memory_destroy(rt->host);
    device_memory_destroy(rt->memory);
    *rt = (struct runtime){0};
}

static bool is_on(void)
{
    if (state == DEVICE_OFF) {
        struct simsm_error error;
        state = start(&device, &error) == SIMSM_OK ? DEVICE_ON : DEVICE_FAILED;
        owner = getpid();
        if (state == DEVICE_FAILED) {
            char text[1100];
            (void)fprintf(stderr, "simsm: %s\n", simsm_error_text(&error, text, sizeof text));
            stop(&device);
        }
    }
    return state == DEVICE_ON;
}

void rt_lock(const char *function)
{
    (void)pthread_mutex_lock(&lock);
    rt_thread.call = function;
}

struct runtime *rt_enter_anyway(const char *function)
{
    rt_lock(function);
    rt_thread.refusal = CUDA_INITIALIZATION_ERROR;
    return is_on() ? &device : NULL;
}

struct runtime *rt_enter(const char *function)
{
    struct runtime *rt = rt_enter_anyway(function);
    if (!rt || !rt->broken)
        return rt;
    rt_thread.refusal = rt->broken;
    return NULL;
}

enum cuda_error rt_refusal(void)
{
    return rt_thread.refusal;
}

enum cuda_error rt_leave_answer(enum cuda_error error)
{
    rt_thread.call = NULL;
    (void)pthread_mutex_unlock(&lock);
    return error;
}

enum cuda_error rt_keep(enum cuda_error error)
{
    if (error != CUDA_SUCCESS)
        rt_thread.last = error;
    return error;
}

enum cuda_error rt_leave(enum cuda_error error)
{
    return rt_leave_answer(rt_keep(error));
}

void rt_call_host(cuda_host_fn *function, void *data)
{
    const char *call = rt_thread.call;
    (void)pthread_mutex_unlock(&lock);
    function(data);
    rt_lock(call);
}

enum cuda_error rt_last_error(bool clear)
{
    rt_lock(__func__);
    enum cuda_error error = state == DEVICE_ON && device.broken && rt_thread.last != CUDA_SUCCESS
                                ? device.broken
                                : rt_thread.last;
    if (clear)
        rt_thread.last = CUDA_SUCCESS;
    return rt_leave_answer(error);
}

enum cuda_error rt_say(enum cuda_error error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)fprintf(stderr, "simsm: %s: ", rt_thread.call ? rt_thread.call : "?");
    (void)vfprintf(stderr, format, arguments);
    (void)fputc('\n', stderr);
    va_end(arguments);
    return error;
}

enum cuda_error rt_from_status(enum simsm_status status)
{
    switch (status) {
    case SIMSM_OK:
        return CUDA_SUCCESS;
    case SIMSM_BAD_INPUT:
        return CUDA_INVALID_KERNEL_IMAGE;
    default:
        return CUDA_LAUNCH_FAILURE;
    }
}

void rt_reset_for_test(void)
{
    if (state == DEVICE_ON)
        stop(&device);
    state = DEVICE_OFF;
    rt_thread = (struct rt_thread){0};
}

/* The program ends, or unloads the library. */
__attribute__((destructor)) static void end(void)
{
    if (state == DEVICE_ON && owner == getpid())
        stop(&device);
    state = DEVICE_FAILED;
}
