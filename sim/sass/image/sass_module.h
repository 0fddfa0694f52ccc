/*
 * Compiled GPU code as it lies in files: cubins, fatbins, and executables, objects and shared
 * objects that hold them.
 */
#ifndef SIM_SASS_IMAGE_SASS_MODULE_H
#define SIM_SASS_IMAGE_SASS_MODULE_H

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
    /*
     * The code it can reach; byte offsets in it are its program counters and its code addresses.
     * That is its own section, device functions included; in a module that was linked from several
     * objects (-rdc=true) it is all code of the module, as functions have sections of their own.
     */
    const uint8_t *code;
    uint32_t code_bytes;
    uint32_t entry;                /* byte offset of the kernel in its code */
    uint32_t own_begin, own_bytes; /* its own section in its code */
    uint32_t registers;            /* per thread, as compiled */
    uint32_t shared_static;        /* bytes; on sm_90 the reserved 1 KiB is included */
    /* Stack of each thread as far as the compiler knew it; recursion and calls through pointers
     * may need more, for which CUDA's default gives every thread 1 KiB (cudaLimitStackSize). */
    uint32_t local_bytes;
    uint32_t barriers;    /* barriers used */
    uint32_t max_threads; /* of a block, 0: not said */
    uint32_t required[3]; /* block size that the code requires; 0: any */
    uint32_t param_base;  /* of the parameters in constant bank 0 */
    uint32_t param_bytes;
    uint32_t params;
    const struct sass_param *param; /* [params], by ordinal */
    const uint8_t *constant0;       /* image of bank 0 */
    uint32_t constant0_bytes;
    const uint8_t *constant2; /* bank 2: literals and jump tables; NULL if none */
    uint32_t constant2_bytes;
    const struct sass_line *line; /* [lines], by pc in its code; none without -lineinfo */
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

/* A function of the code: a kernel or what kernels call. */
struct sass_function {
    const char *name;       /* "$kernel$function" if only that kernel calls it */
    uint32_t offset, bytes; /* in sass_module.code */
    bool kernel;
};

/* Where a relocation writes: the number of a constant bank (3, 4), or one of these. */
enum {
    SASS_IN_GLOBALS = 255,   /* an 8-byte word of the image of the globals, as in the banks */
    SASS_IN_CODE_LOW = 254,  /* the immediate of an instruction gets the address' low word, */
    SASS_IN_CODE_HIGH = 253, /* its high word; */
    SASS_IN_CODE_CALL = 252, /* or it is the target of a call */
};

/*
 * An address that is known only when the module is loaded: that of a variable, or of an extern
 * function. Addresses of device functions are byte offsets in the code and already written.
 */
struct sass_relocation {
    uint8_t bank;
    bool is_function; /* `name` is a function of the runtime, or a kernel whose address is taken */
    bool is_constant; /* `offset` is in bank 3, which needs a generic address then */
    uint64_t at;      /* byte offset in the bank or the globals; of the instruction in
                         sass_module.code */
    uint64_t offset;  /* in the image of the globals or bank 3, if not is_function; addend included
                       */
    const char *name;
};

struct sass_module {
    uint32_t sm; /* 75, 80, ... */
    const uint8_t *code;
    uint32_t code_bytes;
    bool unlinked;                  /* addresses in it are missing */
    bool linked;                    /* every kernel's code is the module's */
    struct sass_function *function; /* by offset */
    uint32_t functions;
    struct sass_kernel *kernel;
    uint32_t kernels;
    struct sass_symbol *symbol;
    uint32_t symbols;
    struct sass_relocation *relocation;
    uint32_t relocations;
    const char **file; /* [files] of the line tables */
    uint32_t files;
    const char *line_problem; /* why lines are missing, as they are damaged; NULL: nothing */
    const uint8_t *globals;   /* image of global memory: initialised part, then zeros */
    uint64_t globals_bytes, globals_initialised;
    const uint8_t *constant3, *constant4;
    uint32_t constant3_bytes, constant4_bytes;
    void *keeper; /* owns all that the pointers above point to */
};

/* Reads a cubin of `size` bytes at `data`, which need not outlive the call. `name` is for messages.
 */
enum simsm_status sass_module_open(struct sass_module **module, const void *data, size_t size,
                                   const char *name, struct simsm_error *error);
/* Likewise, and also code that is not linked yet (nvcc -rdc=true): to look at, not to execute. */
enum simsm_status sass_module_inspect(struct sass_module **module, const void *data, size_t size,
                                      const char *name, struct simsm_error *error);
void sass_module_close(struct sass_module *module);

/* The only kernel that is called so (sass_is_called), or the one whose mangled name this is; NULL:
 * there is none, or there are several. */
const struct sass_kernel *sass_module_kernel(const struct sass_module *module, const char *name);

/* The source line of the instruction at `pc`: 0 unknown; *file may then be NULL. */
uint32_t sass_kernel_line(const struct sass_module *module, const struct sass_kernel *kernel,
                          uint32_t pc, const char **file);

/* Writes `address` into `image`: a copy of what relocation->bank names (of sass_module.code for
 * SASS_IN_CODE_*). */
void sass_relocate(const struct sass_module *module, const struct sass_relocation *relocation,
                   void *image, uint64_t address);

/* Writes the name that the source has for a mangled one ("ns::f", without parameters and template
 * arguments) cut to `size` bytes with its terminator; a name that is not mangled stays. */
void sass_plain_name(const char *mangled, char *plain, size_t size);

/* Whether a kernel has this name: its mangled one, that of the source ("ns::f"), or the end of that
 * ("f"). */
bool sass_is_called(const char *mangled, const char *name);

enum sass_image_kind { SASS_IMAGE_PTX = 1, SASS_IMAGE_CUBIN = 2 }; /* as fatbins number them */

enum sass_packing { SASS_PLAIN, SASS_LZ4, SASS_ZSTD };

/* One piece of device code in a file. */
struct sass_image {
    uint32_t sm;
    uint32_t unit;         /* fatbin of the file, from 0: versions of one translation unit's code */
    uint16_t kind;         /* enum sass_image_kind; any other is an intermediate form */
    bool ptx;              /* text, not machine code */
    bool empty;            /* no code: nvcc adds such images to every program; known once loaded */
    const uint8_t *data;   /* [size]; NULL: compressed, and not loaded yet */
    size_t size;           /* bytes, decompressed */
    uint8_t packing;       /* enum sass_packing */
    const uint8_t *packed; /* [packed_bytes], as in the file */
    size_t packed_bytes;
};

/* All device code in a file, in its order. A large library has thousands of images, some GiB of
 * them: what is compressed is decompressed when it is asked for. */
struct sass_file {
    struct sass_image *image;
    uint32_t images, units;
    void *keeper;
};

/* A cubin, a fatbin, or an ELF file of the host that holds fatbins. At least one image on success.
 */
enum simsm_status sass_file_open(struct sass_file *file, const char *path,
                                 struct simsm_error *error);
/* Likewise from memory, which need not outlive the call. */
enum simsm_status sass_file_read(struct sass_file *file, const void *data, size_t size,
                                 const char *name, struct simsm_error *error);
void sass_file_close(struct sass_file *file);

/* What a file is that begins with these bytes (64 are enough) and is taken for GPU code by mistake,
 * as a message; NULL: none of what is known. */
const char *sass_file_other(const uint8_t *head, size_t size);

/* Decompresses an image of an open file, unless that was done; `name` is for the message. */
enum simsm_status sass_image_load(struct sass_image *image, const char *name,
                                  struct simsm_error *error);
/* Gives the memory back before the file is closed; it can be loaded again. */
void sass_image_unload(struct sass_image *image);

/* The fatbin that a wrapper in the memory of this process points to, as compiled programs pass it
 * to their runtime, and its size; NULL: it is no wrapper. Nothing of a foreign file may be passed.
 */
const void *sass_wrapped_fatbin(const void *wrapper, size_t *size);

/* The size of a fatbin in the memory of this process; 0: it is none. */
size_t sass_fatbin_bytes(const void *fatbin);

/* The image to run on `sm`, loaded: machine code of the same generation and at most its minor;
 * NULL: none, or what there is is damaged (sass_file_require tells). The first of these names the
 * first unit that has one. */
const struct sass_image *sass_file_pick(const struct sass_file *file, uint32_t sm);
const struct sass_image *sass_file_pick_unit(const struct sass_file *file, uint32_t unit,
                                             uint32_t sm);
/* As sass_file_pick, but none is an error that says what there is; `name` is for the message. */
enum simsm_status sass_file_require(const struct sass_file *file, const char *name, uint32_t sm,
                                    const struct sass_image **image, struct simsm_error *error);

#endif
