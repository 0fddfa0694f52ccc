/*
 * The device code of the program: what its object files register before main, and what the program
 * loads while it runs. Registration needs no device. A fatbin is read and loaded when the program
 * first uses a kernel or a variable of the fatbin.
 */
#ifndef SIM_CUDA_CUDA_CODE_H
#define SIM_CUDA_CUDA_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "cuda/runtime.h"
#include "exec/launch/exec_launch.h"
#include "sass/image/sass_module.h"

struct fatbin;

/*
 * A kernel. The program knows a kernel by the address of its host function (the stub), or by a
 * handle, which is the address of this struct.
 */
struct program_kernel {
    struct program_kernel *next;
    struct fatbin *fatbin;
    const void *stub;
    char *name;                     /* mangled name */
    char *plain;                    /* name in the source, without arguments */
    char *title;                    /* cached by code_title; NULL: not asked for, or unknown */
    const struct sass_kernel *sass; /* NULL: not loaded */
    uint32_t max_dynamic_shared;    /* bytes (cudaFuncSetAttribute); 0: the GPU's default */
    int carveout_percent;           /* share of an SM's shared memory; -1: the GPU's default */
    uint64_t code_hash;             /* cached by code_hash; 0: not asked for */
    struct cuda_dim3 cluster;       /* cudaFuncSetAttribute; 0: not set */
    int cluster_scheduling;         /* a hint */
    bool non_portable_cluster;      /* clusters may have more than 8 blocks */
    bool tolerated;                 /* a warning about --lenient was printed */
};

/*
 * A variable of device code. The program knows a variable by the address of its shadow in host
 * memory.
 */
struct variable {
    struct variable *next;
    struct fatbin *fatbin;
    const void *shadow;
    char *name;
    uint64_t size;
    void **managed; /* pointer of a __managed__ variable, set when the code is loaded; else NULL */
    bool loaded;
    uint64_t address; /* on the device; a managed variable has the same address on the host */
};

/* Returns the program's code; a process has one. */
struct program_code *code_of_program(void);

/*
 * Registers a fatbin. `wrapper`: the struct that nvcc makes around it. Returns the handle; NULL if
 * out of memory.
 */
struct fatbin *code_add_fatbin(struct program_code *code, const void *wrapper);
/*
 * Unloads and frees a fatbin with its kernels and variables. Does nothing if `fatbin` is not a
 * handle.
 */
void code_remove_fatbin(struct program_code *code, struct fatbin *fatbin);

/*
 * Copies an image that the program loads while it runs: a cubin, a fatbin, a wrapper or PTX text.
 * `size` 0: the size is read from the data; PTX text ends with a zero. Returns the handle; NULL if
 * out of memory.
 */
struct fatbin *code_add_image(struct program_code *code, const void *data, size_t size);
/* Returns whether `fatbin` is a handle of code_add_image that was not removed. */
bool code_has_image(const struct program_code *code, const struct fatbin *fatbin);
/*
 * Returns the kernel with this mangled name in loaded code. Returns NULL if there is none, or if
 * out of memory.
 */
struct program_kernel *code_named_kernel(struct runtime *rt, struct fatbin *fatbin,
                                         const char *name);
/*
 * Returns the number of kernels in loaded code. Writes the names of the first `room` kernels to
 * name[]; the fatbin owns the names.
 */
unsigned code_kernels(const struct fatbin *fatbin, const char **name, unsigned room);
/*
 * Finds a variable of loaded code by name: device address and size in bytes. Returns false if there
 * is none.
 */
bool code_named_variable(const struct fatbin *fatbin, const char *name, uint64_t *address,
                         uint64_t *size);
/*
 * Finds a managed variable of loaded code by name: the address that program and kernels use, and
 * the size in bytes. Returns false if there is none.
 */
bool code_managed_variable(struct runtime *rt, const struct fatbin *fatbin, const char *name,
                           void **address, uint64_t *size);
/*
 * Registers a kernel under the address of its host function; copies `name`. Returns false if out of
 * memory.
 */
bool code_add_kernel(struct program_code *code, struct fatbin *fatbin, const void *stub,
                     const char *name);
/* Registers a copy of `variable` and of its name. Returns false if out of memory. */
bool code_add_variable(struct program_code *code, struct fatbin *fatbin,
                       const struct variable *variable);

/* Finds a kernel by its stub or handle without loading it. Returns NULL if there is none. */
struct program_kernel *code_find_kernel(struct program_code *code, const void *stub);

/*
 * Returns the name of the kernel in the source, with template arguments. The kernel owns the text.
 */
const char *code_title(struct program_kernel *kernel);

/*
 * Finds a kernel by its stub or handle, and loads its code. Prints a message and returns an error
 * on failure.
 */
enum cuda_error code_kernel(struct runtime *rt, const void *stub, struct program_kernel **kernel);
/*
 * Finds a variable by its shadow or managed pointer, and loads its code. Prints a message and
 * returns an error on failure.
 */
enum cuda_error code_variable(struct runtime *rt, const void *shadow, struct variable **variable);

/*
 * Loads a fatbin unless it is loaded, and gives its variables addresses. A fatbin that failed once
 * returns the same error without a second message.
 */
enum cuda_error code_load(struct runtime *rt, struct fatbin *fatbin);

/* Returns a hash of all machine code that the kernel can reach. The kernel must be loaded. */
uint64_t code_hash(struct program_kernel *kernel);

/* Returns the loaded code of a kernel. The kernel must be loaded. */
struct exec_module *code_module(const struct program_kernel *kernel);

/*
 * Returns the compute capability of the loaded code of a kernel, such as 90. The kernel must be
 * loaded.
 */
uint32_t code_sm(const struct program_kernel *kernel);

/* Unloads all code. Registered kernels and variables stay registered. */
void code_unload(struct program_code *code);

#endif
