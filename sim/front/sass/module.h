/*
 * Compiled GPU code as it lies in files: cubins, fatbins, and executables, objects and shared
 * objects that hold them.
 */
#ifndef SIM_FRONT_SASS_MODULE_H
#define SIM_FRONT_SASS_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "simsm/error.h"

struct sass_param {
    uint32_t offset, size; /* bytes, in the parameter block */
};

struct sass_line {
    uint32_t pc;   /* from this byte offset on */
    uint32_t file; /* index into sass_module.file */
    uint32_t line; /* from 1 */
};

struct sass_kernel {
    const char *name; /* as the linker has it (mangled) */
    const uint8_t *code;
    uint32_t code_bytes;    /* of its section: device functions that it calls included */
    uint32_t entry;         /* byte offset of the kernel in its section */
    uint32_t registers;     /* per thread, as compiled */
    uint32_t shared_static; /* bytes; on sm_90 the reserved 1 KiB is included */
    uint32_t local_bytes;   /* stack of each thread */
    uint32_t barriers;      /* named barriers used */
    uint32_t max_threads;   /* of a block, 0: not said */
    uint32_t required[3];   /* block size that the code requires; 0: any */
    uint32_t param_base;    /* of the parameters in constant bank 0 */
    uint32_t param_bytes;
    uint32_t params;
    const struct sass_param *param; /* [params], by ordinal */
    const uint8_t *constant0;       /* image of bank 0 */
    uint32_t constant0_bytes;
    const uint8_t *constant2; /* bank 2: literals and jump tables; NULL if none */
    uint32_t constant2_bytes;
    const struct sass_line *line; /* [lines], by pc; none without -lineinfo */
    uint32_t lines;
    bool has_externs; /* calls vprintf, malloc, __assertfail ... */
};

/* A variable of the module in global or constant memory. */
struct sass_symbol {
    const char *name;
    uint64_t offset; /* in the image of the globals, or in bank 3 */
    uint64_t size;
    bool constant; /* in bank 3 */
};

/* An 8-byte word that gets the address of a global or of an extern function when it is loaded. */
struct sass_relocation {
    uint8_t bank;     /* 4 and others; SASS_IN_GLOBALS: in the image of the globals */
    bool is_function; /* `name` is a function of the runtime (or a kernel), not a global */
    uint64_t at;      /* byte offset of the word */
    uint64_t offset;  /* in the image of the globals, if not is_function; addend included */
    const char *name;
};

enum { SASS_IN_GLOBALS = 255 };

struct sass_module {
    uint32_t sm; /* 75, 80, ... */
    struct sass_kernel *kernel;
    uint32_t kernels;
    struct sass_symbol *symbol;
    uint32_t symbols;
    struct sass_relocation *relocation;
    uint32_t relocations;
    const char **file; /* [files] of the line tables */
    uint32_t files;
    const uint8_t *globals; /* image of global memory: initialised part, then zeros */
    uint64_t globals_bytes, globals_initialised;
    const uint8_t *constant3, *constant4;
    uint32_t constant3_bytes, constant4_bytes;
    void *keeper; /* owns all that the pointers above point to */
};

/* Reads a cubin of `size` bytes at `data`, which need not outlive the call. `name` is for messages.
 */
enum simsm_status sass_module_open(struct sass_module **module, const void *data, size_t size,
                                   const char *name, struct simsm_error *error);
void sass_module_close(struct sass_module *module);

/* NULL if there is none; also found by the unmangled name up to "(" where that is unique. */
const struct sass_kernel *sass_module_kernel(const struct sass_module *module, const char *name);

/* The source line of the instruction at `pc`: 0 unknown; *file may then be NULL. */
uint32_t sass_kernel_line(const struct sass_module *module, const struct sass_kernel *kernel,
                          uint32_t pc, const char **file);

/* One piece of device code in a file. */
struct sass_image {
    uint32_t sm;
    bool ptx;            /* text, not machine code */
    const uint8_t *data; /* decompressed */
    size_t size;
};

/* All device code in a file, in its order. */
struct sass_file {
    struct sass_image *image;
    uint32_t images;
    void *keeper;
};

/* A cubin, a fatbin, or an ELF file of the host that holds fatbins. */
enum simsm_status sass_file_open(struct sass_file *file, const char *path,
                                 struct simsm_error *error);
/* Likewise from memory: a fatbin (with or without its wrapper) or a cubin. */
enum simsm_status sass_file_read(struct sass_file *file, const void *data, size_t size,
                                 const char *name, struct simsm_error *error);
void sass_file_close(struct sass_file *file);

/* The image to run on `sm`: machine code of the same generation and at most its minor; NULL: none.
 */
const struct sass_image *sass_file_pick(const struct sass_file *file, uint32_t sm);

#endif
