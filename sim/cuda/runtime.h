/*
 * What stands behind the runtime API: one simulated device, its clock, one lock for all calls. The
 * device starts when the first call that needs it is made, and ends with the program.
 */
#ifndef SIM_CUDA_RUNTIME_H
#define SIM_CUDA_RUNTIME_H

#include <stdbool.h>
#include <stdint.h>

#include "cuda/abi.h"
#include "cuda/settings.h"
#include "exec/memory/device_memory.h"
#include "simsm/config.h"

struct program_code;
struct host_memory;
struct journal;
struct program_recorder;
struct textures;
struct l2_contents;

struct runtime {
    struct settings settings;
    struct simsm_config config;
    struct device_memory *memory;
    struct host_memory *host;          /* what both sides can reach: managed and pinned memory */
    struct program_code *code;         /* modules, kernels and variables of the program */
    struct journal *journal;           /* what the program did, for the reports */
    struct program_recorder *recorder; /* --record; NULL: nothing is recorded */
    struct l2_contents *l2;            /* --warm: what L2 holds; NULL: it is empty */
    struct textures *textures;         /* arrays and objects; NULL: there are none yet */
    double now;                        /* ns of simulated time since the device started */
    enum cuda_error broken;            /* a kernel failed: what every call returns from then on */
    unsigned flags;                    /* cudaSetDeviceFlags */
    uint64_t limit[LIMIT_COUNT];
    bool lost[SETTING_ID_COUNT]; /* files that could not be written: no more are tried */
};

/* The version that the program was built for (13000): of the library that was loaded. */
extern const int rt_abi_version;

/*
 * Every call of the API begins with rt_enter(__func__) and ends with rt_leave. rt_enter takes the
 * lock and gives the device, started if need be; NULL: there is none, or a kernel has broken it,
 * and rt_leave(rt_refusal()) says so to the program.
 */
struct runtime *rt_enter(const char *function);
/* The same for calls that a broken device does not refuse; NULL only if it cannot start. */
struct runtime *rt_enter_broken(const char *function);
/* Why rt_enter gave NULL. */
enum cuda_error rt_refusal(void);
/* Gives the lock back and keeps an error as the thread's last one. Returns `error`. */
enum cuda_error rt_leave(enum cuda_error error);
/* Keeps an error as the thread's last one, where nothing was entered. Returns `error`. */
enum cuda_error rt_set_last_error(enum cuda_error error);
/* As rt_leave, without keeping the error. */
enum cuda_error rt_leave_keep_last(enum cuda_error error);

/* Takes the lock for calls that need no device. */
void rt_lock(const char *function);

/* Calls a function of the program without the lock. */
void rt_call_host(cuda_host_fn *function, void *data);

/* The thread's last error; `clear` forgets it. */
enum cuda_error rt_last_error(bool clear);

/*
 * Says on the standard error what is wrong with the current call: "simsm: cudaMalloc: ...".
 * Returns `error`, for `return rt_report(...)`.
 */
enum cuda_error rt_report(enum cuda_error error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * Says that a file of the simulator's could not be written. That is no mistake of the program: it
 * goes on, and ends with the status SIMSM_FAILED.
 */
void rt_give_up_file(struct runtime *rt, enum setting_id id, const struct simsm_error *error);

/* A status of the library as an error of the API. */
enum cuda_error rt_from_status(enum simsm_status status);

/* Gives rt->limit the values that a new device has. */
void rt_default_limits(struct runtime *rt);

/* Lets the device start again from its settings: for tests. */
void rt_reset_for_test(void);

#endif
