/*
 * A kernel launch that is executed: the machine code of a kernel, its parameters, the memory it
 * works on. Executing is functional: results depend on neither time nor threads.
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

/* A module whose globals and constants have been given their place in device memory. */
struct exec_module;

enum simsm_status exec_module_load(struct exec_module **loaded, const struct sass_module *module,
                                   struct device_memory *memory, struct simsm_error *error);
void exec_module_unload(struct exec_module *loaded);

/* Device address and size of a variable; false: there is none. *constant: it is in bank 3, and its
 * bytes are at *host. */
bool exec_module_symbol(const struct exec_module *loaded, const char *name, uint64_t *address,
                        uint64_t *size, bool *constant, void **host);

/* What it was made from. */
const struct sass_module *exec_module_of(const struct exec_module *loaded);

/* The function of the runtime (vprintf, malloc ...) that code finds at `address`; NULL: none. */
const char *exec_module_extern(const struct exec_module *loaded, uint64_t address);

/* What kind of mistake ended a launch. */
enum exec_failure {
    EXEC_FAILURE_OTHER,
    EXEC_FAILURE_ADDRESS,     /* an access outside of what is allocated */
    EXEC_FAILURE_ALIGNMENT,   /* an access to an address that its size does not divide */
    EXEC_FAILURE_ASSERTION,   /* assert */
    EXEC_FAILURE_JUMP,        /* a jump to what is no code */
    EXEC_FAILURE_ILLEGAL,     /* an instruction with operands that hardware refuses */
    EXEC_FAILURE_UNSUPPORTED, /* an instruction or a function that is not carried out */
    EXEC_FAILURE_LIMIT,       /* no mistake: max_instructions are over */
    EXEC_FAILURE_COUNT
};

struct exec_counts {
    uint64_t warp_instructions, thread_instructions, thread_instructions_pred_on;
};

/* Who watches a launch while it is executed. */
struct exec_watch {
    /* Called many times a second; false: end with SIMSM_INTERRUPTED. */
    bool (*go_on)(void *context, const struct exec_counts *counts);
    void *context;
};

struct exec_options {
    bool check_shared_init; /* report reads of shared memory that was never written */
    bool skip_unsupported;  /* an unsupported instruction does nothing, instead of ending the run */
    uint64_t max_instructions; /* warp instructions of the launch, then SIMSM_LIMIT; 0: no limit */
    bool cooperative;          /* blocks may wait for all others (grid_group::sync) */
    uint32_t stack_bytes;      /* local memory of a thread, at least; 0: as the kernel says */
    uint64_t start_cycle;      /* what clocks show when the launch begins */
    /* Gets what printf in a kernel prints, call by call; NULL: such a call fails the launch. */
    void (*print)(void *context, const char *text, size_t size);
    void *print_context;
    /* Gets what is wrong with the first access outside of allocations that a GPU lets pass
     * (device_slack), and has all such pass; NULL: they fail the launch. */
    void (*tolerate)(void *context, const char *what);
    void *tolerate_context;
    const struct exec_textures *textures; /* what handles stand for; NULL: there are none */
    const struct exec_watch *watch;       /* NULL: nobody watches */
    struct exec_undo *undo;               /* notes what is changed in memory; NULL: nobody asks */
    enum exec_failure *failure;           /* set when the code makes a mistake; NULL: not wanted */
};

struct exec_launch {
    struct exec_module *module;
    const struct sass_kernel *kernel;
    struct simsm_launch launch; /* name, registers and static shared memory are filled in */
    const void *params;         /* kernel->param_bytes bytes, read during exec_front_open */
    const struct simsm_config *config;
    const char *path; /* of the file with the code, for messages; NULL: none */
    struct exec_options options;
    /* For fronts, each may be NULL. `done` is called when the last block has been executed: memory
     * holds the results; and once more if the launch has been timed and then executed again, with
     * simulated clock values. `close` is called when the front is closed, after its last use of
     * anything, or when it cannot be opened. */
    enum simsm_status (*done)(void *context, struct simsm_error *error);
    void (*close)(void *context);
    void *context;
};

/*
 * A front that executes the launch's blocks as they are asked for. If the code reads clocks or
 * where it runs, and the front is told so (front_keep_clocks), it executes all of them again in
 * front_timed. After it has been read to the
 * end, memory holds the results. Each block can be asked for once. The launch itself is not needed
 * any more when this returns.
 */
enum simsm_status exec_front_open(struct front **front, struct exec_launch *launch,
                                  struct simsm_error *error);

/* What a front of exec_front_open has executed so far; NULL: it is no such front. */
const struct exec_counts *exec_front_counts(const struct front *front);

/* Executes all blocks without timing; counts (may be NULL) as Nsight Compute counts them. */
enum simsm_status exec_run(struct exec_launch *launch, struct exec_counts *counts,
                           struct simsm_error *error);

#endif
