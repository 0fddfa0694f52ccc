/*
 * A kernel launch that is executed: the machine code of a kernel, its parameters, and the memory
 * that it works on. Results do not depend on host threads.
 */
#ifndef SIM_EXEC_LAUNCH_EXEC_LAUNCH_H
#define SIM_EXEC_LAUNCH_EXEC_LAUNCH_H

#include "exec/memory/device_memory.h"
#include "front/front.h"
#include "sass/image/sass_module.h"
#include "simsm/config.h"
#include "simsm/kernel.h"

struct exec_textures;
struct exec_undo;
struct sanitizer;

/* A loaded module: its variables and constants have their places in device memory. */
struct exec_module;

enum simsm_status exec_module_load(struct exec_module **loaded, const struct sass_module *module,
                                   struct device_memory *memory, struct simsm_error *error);
void exec_module_unload(struct exec_module *loaded);

/*
 * Finds the variable `name`: its device address, its size in bytes, whether it is a __constant__
 * variable (bank 3), and where its bytes lie on the host. Returns false if there is no such
 * variable.
 */
bool exec_module_symbol(const struct exec_module *loaded, const char *name, uint64_t *address,
                        uint64_t *size, bool *constant, void **host);

/* Returns the module that `loaded` was made from. */
const struct sass_module *exec_module_of(const struct exec_module *loaded);

/* Returns the name of the function of the device runtime (vprintf, malloc ...) at `address`, or
 * NULL if there is none. */
const char *exec_module_extern(const struct exec_module *loaded, uint64_t address);

/* The kind of mistake that ended a launch. */
enum exec_failure {
    EXEC_FAILURE_OTHER,
    EXEC_FAILURE_ADDRESS,     /* an access outside of allocations */
    EXEC_FAILURE_ALIGNMENT,   /* an access whose size does not divide its address */
    EXEC_FAILURE_ASSERTION,   /* a failed assert() */
    EXEC_FAILURE_JUMP,        /* a jump to an address without code */
    EXEC_FAILURE_ILLEGAL,     /* an instruction with operands that hardware refuses */
    EXEC_FAILURE_UNSUPPORTED, /* an instruction or a function that cannot be executed */
    EXEC_FAILURE_DEADLOCK,    /* threads wait for one another for ever */
    EXEC_FAILURE_BARRIER,     /* an mbarrier, or the barrier of a cluster, used in a wrong way */
    EXEC_FAILURE_ENDED_BLOCK, /* an access to shared memory of a block that has ended */
    EXEC_FAILURE_FREE,        /* free of what malloc has not returned */
    EXEC_FAILURE_GRID,        /* a barrier of the grid in a launch that is not cooperative */
    EXEC_FAILURE_LIMIT,       /* no mistake: max_instructions was reached */
    EXEC_FAILURE_COUNT
};

struct exec_counts {
    uint64_t warp_instructions, thread_instructions, thread_instructions_pred_on;
};

/* The observer of a launch in execution. */
struct exec_watch {
    /* Called many times a second. Returns false to end the launch with SIMSM_INTERRUPTED. */
    bool (*go_on)(void *context, const struct exec_counts *counts);
    void *context;
};

/*
 * A call of the device runtime that concerns the launch of a kernel by a kernel, by one lane.
 * Results of the function: a value in registers, or bytes at the address that argument 0 and 1 are.
 */
struct exec_device_call {
    const char *name;      /* "LaunchDeviceV2": as in libcudadevrt, without its prefix */
    uint32_t argument[10]; /* registers R4 to R13 */
    struct exec_module *module;
    uint64_t block; /* linear index of the calling block */
    uint64_t cycle; /* in which it calls; 0 without time */
    uint64_t took;  /* cycles that the warp waits then; the callee sets it */
    uint64_t result;
    bool wide;     /* the result has 64 bits */
    uint8_t bytes; /* of `stored`; 0: none */
    uint64_t stored;
};

struct exec_options {
    bool skip_unsupported;     /* an instruction that cannot be executed has no effect, in place of
                                  ending the launch */
    uint64_t max_instructions; /* limit of warp instructions of the launch, then SIMSM_LIMIT; 0: no
                                  limit */
    bool cooperative;          /* blocks may wait for all others (grid_group::sync) */
    uint32_t stack_bytes;      /* least local memory of a thread, bytes; 0: as the kernel says */
    uint64_t start_cycle;      /* value of clocks when the launch begins, cycles */
    /* Called with the text of each printf in the kernel. NULL: such a call fails the launch. */
    void (*print)(void *context, const char *text, size_t size);
    void *print_context;
    /*
     * Called with the message of the first access outside of allocations that a GPU lets pass
     * (device_slack). This access and all later ones of this kind pass. NULL: they fail the launch.
     */
    void (*tolerate)(void *context, const char *what);
    void *tolerate_context;
    /* Executes a call of the device runtime about launches, one at a time. Returns false if there
     * is no such function. NULL: kernels cannot launch kernels. */
    bool (*device_call)(void *context, struct exec_device_call *call);
    void *device_call_context;
    const struct exec_textures *textures; /* texture and surface objects; NULL: there are none */
    const struct exec_watch *watch;       /* NULL: no observer */
    uint64_t schedule; /* without time: seed of the order in which warps and blocks take turns; 0:
                          block after block */
    struct sanitizer *sanitizer; /* looks at every access; NULL: none does. Without time only */
    struct exec_undo *undo;      /* notes changes of memory, to undo them; NULL: not wanted */
    enum exec_failure *failure;  /* set when the launch fails through a mistake; NULL: not wanted */
};

struct exec_launch {
    struct exec_module *module;
    const struct sass_kernel *kernel;
    struct simsm_launch launch; /* name, registers, static shared memory: filled in on use */
    const void *params; /* kernel->param_bytes bytes, read by exec_front_open and exec_run */
    const struct simsm_config *config;
    const char *path; /* path of the file with the code, for messages; NULL: none */
    struct exec_options options;
    /* Called before the first block is executed, to write what memory holds at first; asks `watch`,
     * if that is not NULL, many times a second. NULL: not called. */
    enum simsm_status (*begin)(void *context, const struct exec_watch *watch,
                               struct simsm_error *error);
    /* For fronts, each may be NULL. `done` is called when the last block has been executed: memory
     * holds the results. `close` is called when the front is closed, after its last use of
     * anything, or when it cannot be opened. */
    enum simsm_status (*done)(void *context, struct simsm_error *error);
    void (*close)(void *context);
    void *context;
};

/*
 * Opens a front that executes the launch on demand: each instruction when its warp issues it, if
 * the launch is timed (front_begin_timed), else a whole block when it starts.
 * After the front has been read to its end, memory holds the results. *launch may be freed after
 * the call; what it points to must outlive the front.
 */
enum simsm_status exec_front_open(struct front **front, struct exec_launch *launch,
                                  struct simsm_error *error);

/* Returns what a front of exec_front_open has executed so far, or NULL for other fronts. */
const struct exec_counts *exec_front_counts(const struct front *front);

/* Executes all blocks without timing. `counts` (may be NULL) gets the executed instructions,
 * counted as Nsight Compute counts them. */
enum simsm_status exec_run(struct exec_launch *launch, struct exec_counts *counts,
                           struct simsm_error *error);

#endif
