/*
 * The state behind the runtime API: one simulated device, its simulated time, and one lock for all
 * calls. The device starts with the first call that needs it, and stops at the end of the program.
 */
#ifndef SIM_CUDA_RUNTIME_H
#define SIM_CUDA_RUNTIME_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "cuda/abi.h"
#include "cuda/host_watch.h"
#include "cuda/settings.h"
#include "exec/memory/device_memory.h"
#include "report/progress.h"
#include "simsm/config.h"

struct program_code;
struct host_memory;
struct journal;
struct program_recorder;
struct textures;
struct l2_contents;
struct launch_copies;
struct work_queue;
struct sanitizer;
struct host_calls;
struct stream;

struct runtime {
    struct settings settings;
    struct simsm_config config;
    struct device_memory *memory;
    struct host_memory *host;          /* managed and pinned memory */
    struct program_code *code;         /* registered and loaded code, kernels, variables */
    struct journal *journal;           /* launches and memory operations, for reports */
    struct program_recorder *recorder; /* --record; NULL: not recorded */
    struct l2_contents *l2;       /* --warm: contents of L2; NULL: L2 is empty at each launch */
    struct launch_copies *copies; /* launches that are timed once; NULL: each is timed */
    struct work_queue *queue;  /* --concurrent: work that has not ended; NULL: work runs at once */
    struct textures *textures; /* arrays and objects; NULL: none yet */
    struct sanitizer *sanitizer;  /* simsm check; NULL: the program is not checked */
    struct host_watch host_watch; /* simsm check: the program's own accesses */
    struct host_calls *calls;     /* simsm check: with which stacks the program calls */
    uint64_t graph_stream; /* simsm check: as which stream a node of a graph runs; 0: none does */
    const struct stream *stream; /* to which work was submitted last; NULL: none yet */
    struct progress progress;    /* on the terminal, of all launches */
    double now;                  /* simulated time since the device started, ns */
    enum cuda_error broken;      /* error of a failed kernel; later calls return it */
    uint32_t device_pending;     /* launches by kernels that have not ended */
    bool translated;             /* buffers of translations hold what earlier launches have used */
    unsigned flags;              /* cudaSetDeviceFlags */
    uint64_t limit[LIMIT_COUNT];
    bool lost[SETTING_ID_COUNT]; /* kinds of files that failed and are not written again */
};

enum { RT_DRIVER_VERSION = 13000, RT_NEWEST_TOOLKIT = 13 };

/* The driver of NVIDIA that simsm's stands for: its API, and what it answers, were recorded. */
#define RT_DRIVER_RELEASE "580.159.04"

/* The process that has loaded libcuda.so.1, whose child by fork is another; 0: none has. */
extern pid_t rt_loaded_by;

/*
 * Returns the toolkit of the newest libcudart.so.* of simsm that the program has loaded, such as
 * 12: some errors have other numbers in other toolkits. RT_NEWEST_TOOLKIT if there is none.
 */
int rt_toolkit(void);

/*
 * Enters a call: takes the lock and starts the device if it is off. Every call of the API begins
 * with rt_enter(__func__) and ends with rt_leave. Returns NULL if there is no device or if a kernel
 * has failed; the call then ends with rt_leave(rt_refusal()).
 */
struct runtime *rt_enter(const char *function);
/*
 * Enters a call that also works after a kernel has failed. Returns NULL only if there is no device.
 */
struct runtime *rt_enter_broken(const char *function);
/* Returns the error for which rt_enter returned NULL. */
enum cuda_error rt_refusal(void);
/*
 * Leaves a call: stores an error as the thread's last error and releases the lock. Returns `error`.
 */
enum cuda_error rt_leave(enum cuda_error error);
/*
 * Stores an error as the thread's last error, in a function that has not entered. Returns `error`.
 */
enum cuda_error rt_set_last_error(enum cuda_error error);
/* Leaves a call without storing the error: the thread's last error stays. Returns `error`. */
enum cuda_error rt_leave_keep_last(enum cuda_error error);

/* Takes the lock for a call that needs no device. rt_leave or rt_leave_keep_last releases it. */
void rt_lock(const char *function);

/* Waits for all work, in a call that has only taken the lock. */
void rt_finish_work(void);

/*
 * Writes how many bytes of device memory are in use. Returns false if the device is off in this
 * process; it stays off.
 */
bool rt_memory_used(uint64_t *bytes);

/* Returns whether other threads wait to enter calls. */
bool rt_others_wait(void);

/* Lets other threads enter calls for so long, in a call that waits for one of them. 0: those that
 * wait to enter. */
void rt_yield(long ns);

/*
 * Calls a function of the program. The lock is released meanwhile, because the function may call
 * the API.
 */
void rt_call_host(cuda_host_fn *function, void *data);

/* Returns the thread's last error. `clear`: resets it to CUDA_SUCCESS. */
enum cuda_error rt_last_error(bool clear);

/*
 * Prints on stderr what is wrong with the current call: "simsm: cudaMalloc: ...". Returns `error`,
 * so that a function can end with `return rt_report(...)`.
 */
enum cuda_error rt_report(enum cuda_error error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * Prints that a file of the simulator could not be written, and gives up files of this kind. The
 * program is not at fault: it goes on, but the process ends with status SIMSM_FAILED.
 */
void rt_give_up_file(struct runtime *rt, enum setting_id id, const struct simsm_error *error);

/* Sets rt->limit to the limits of a new device. */
void rt_default_limits(struct runtime *rt);

/* Stops the device; the next call starts it again from the environment. For tests. */
void rt_reset_for_test(void);

#endif
