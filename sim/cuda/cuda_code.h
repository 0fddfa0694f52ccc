/*
 * The device code of the program: what its objects have registered before main, and what was loaded
 * of it since. Registering needs no device; a fatbin is read and loaded when something of it is
 * first used.
 */
#ifndef SIM_CUDA_CUDA_CODE_H
#define SIM_CUDA_CUDA_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "cuda/runtime.h"
#include "exec/launch/exec_launch.h"
#include "sass/image/sass_module.h"

struct fatbin;

/* A kernel as the program knows it: by the address of its host function, or of this. */
struct program_kernel {
    struct program_kernel *next;
    struct fatbin *fatbin;
    const void *stub;
    char *name;                     /* mangled */
    char *plain;                    /* as in the source, without arguments */
    char *title;                    /* of code_title; NULL: not asked for yet, or unknown */
    const struct sass_kernel *sass; /* NULL: not loaded */
    uint32_t max_dynamic_shared;    /* bytes, as cudaFuncSetAttribute allows; 0: the default */
    int carveout_percent;           /* -1: the default */
    bool noted;                     /* what simsm_note says of it has been told */
    bool tolerated;                 /* an access that --lenient lets pass has been told */
};

/* A variable, by the address of its shadow in the program. */
struct variable {
    struct variable *next;
    struct fatbin *fatbin;
    const void *shadow;
    char *name;
    uint64_t size;
    void **managed; /* gets the address of a __managed__ variable; else NULL */
    bool loaded;
    uint64_t address; /* on the device; of a managed variable: on both sides */
};

/* The program's code; there is one. */
struct program_code *code_of_program(void);

/* `wrapper` is the struct that the compiler made. Returns the handle; NULL: out of memory. */
struct fatbin *code_add_fatbin(struct program_code *code, const void *wrapper);
void code_remove_fatbin(struct program_code *code, struct fatbin *fatbin);

/*
 * What the program loads while it runs: a copy of a cubin, a fatbin, its wrapper or the text of
 * PTX. `size` 0: as long as it says it is (a text ends with a zero). Returns the handle; NULL: out
 * of memory.
 */
struct fatbin *code_add_image(struct program_code *code, const void *data, size_t size);
/* Whether it was made so, and not removed. */
bool code_has_image(const struct program_code *code, const struct fatbin *fatbin);
/* Of loaded code: the kernel of this mangled name; NULL: there is none, or out of memory. */
struct program_kernel *code_named_kernel(struct runtime *rt, struct fatbin *fatbin,
                                         const char *name);
/* Their number; the names of the first `room` go to name[]. */
unsigned code_kernels(const struct fatbin *fatbin, const char **name, unsigned room);
bool code_named_variable(const struct fatbin *fatbin, const char *name, uint64_t *address,
                         uint64_t *size);
/* Names are copied. False: out of memory. */
bool code_add_kernel(struct program_code *code, struct fatbin *fatbin, const void *stub,
                     const char *name);
bool code_add_variable(struct program_code *code, struct fatbin *fatbin,
                       const struct variable *variable);

/* Finds a kernel by its stub or handle without loading it; NULL: there is none. */
struct program_kernel *code_find_kernel(struct program_code *code, const void *stub);

/* Its name as in the source, with template arguments; until the kernel goes. */
const char *code_title(struct program_kernel *kernel);

/* Finds and loads; on failure says why on the standard error. */
enum cuda_error code_kernel(struct runtime *rt, const void *stub, struct program_kernel **kernel);
enum cuda_error code_variable(struct runtime *rt, const void *shadow, struct variable **variable);

/* Loads a fatbin and gives managed variables their addresses. */
enum cuda_error code_load(struct runtime *rt, struct fatbin *fatbin);

/* What a loaded kernel is launched with. */
struct exec_module *code_module(const struct program_kernel *kernel);

/* The SM that the loaded code is for: 90. */
uint32_t code_sm(const struct program_kernel *kernel);

/* Forgets what was loaded, not what was registered. */
void code_unload(struct program_code *code);

#endif
