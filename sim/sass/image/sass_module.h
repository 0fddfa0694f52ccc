/*
 * Compiled GPU code in files: cubins, fatbins, and executables, objects and shared libraries that
 * contain them.
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
    uint32_t pc;   /* first byte offset of the line */
    uint32_t file; /* index into sass_module.file */
    uint32_t line; /* from 1 */
    uint32_t call; /* inlined code: 1 + index into sass_module.call of its call; 0: it is not */
};

/* A call whose code was inlined. */
struct sass_call {
    uint32_t file, line;
    uint32_t outer; /* as sass_line.call, of the function that calls */
};

/* As in .nv.info (EIATTR_COOP_GROUP_MASK_REGIDS). */
#define SASS_WARP_MASK_REGISTER 0x05000000u

struct sass_kernel {
    const char *name; /* mangled */
    /*
     * The code that the kernel can reach. Byte offsets in it are program counters and code
     * addresses. It is the kernel's own section, which includes device functions. In a module
     * linked from several objects (-rdc=true) functions have sections of their own, and `code` is
     * all code of the module.
     */
    const uint8_t *code;
    uint32_t code_bytes;
    uint32_t entry;                /* byte offset of the kernel in `code` */
    uint32_t own_begin, own_bytes; /* the kernel's own section in `code` */
    uint32_t registers;            /* per thread, as compiled */
    uint32_t shared_static;        /* bytes; on sm_90 includes the reserved 1 KiB */
    /*
     * Stack of each thread as far as the compiler knows it. Recursion and calls through pointers
     * may need more; CUDA's default is 1 KiB for every thread (cudaLimitStackSize).
     */
    uint32_t local_bytes;
    uint32_t barriers;    /* named barriers used */
    uint32_t max_threads; /* of a block; 0: unknown */
    uint32_t required[3]; /* block size that the code requires; 0: any */
    uint32_t cluster[3]; /* blocks of a cluster that the code requires (__cluster_dims__); 0: any */
    uint32_t param_base; /* offset of the parameters in constant bank 0 */
    uint32_t param_bytes;
    uint32_t params;
    const struct sass_param *param; /* [params], by ordinal */
    const uint8_t *constant0;       /* image of bank 0 */
    uint32_t constant0_bytes;
    const uint8_t *constant2; /* bank 2: literals and jump tables; NULL: none */
    uint32_t constant2_bytes;
    const struct sass_line *line; /* [lines], by pc in `code`; none without -lineinfo */
    uint32_t lines;
    bool has_externs; /* calls vprintf, malloc, __assertfail ... */
    /* Where functions of the warp with a mask are (__syncwarp, shuffles, votes): byte offsets; and
     * the register that has the mask of each: SASS_WARP_MASK_REGISTER + its number, else all lanes.
     */
    const uint32_t *warp_function, *warp_mask;
    uint32_t warp_functions, warp_masks;
};

/* A variable of the module in global or constant memory. */
struct sass_symbol {
    const char *name;
    uint64_t offset; /* in the image of the globals, or in bank 3 */
    uint64_t size;
    bool constant; /* in bank 3 */
    bool managed;
};

/* A function of the code: a kernel, or a function that kernels call. */
struct sass_function {
    const char *name;       /* "$kernel$function" if only that kernel calls it */
    uint32_t offset, bytes; /* in sass_module.code */
    bool kernel;
};

/* Where a relocation writes: the number of a constant bank (3, 4), or one of these values. */
enum {
    SASS_IN_GLOBALS = 255,   /* an 8-byte word in the image of the globals (as in the banks) */
    SASS_IN_CODE_LOW = 254,  /* low word of the address: immediate of an instruction */
    SASS_IN_CODE_HIGH = 253, /* high word of the address: immediate of an instruction */
    SASS_IN_CODE_CALL = 252, /* the address is the target of a call instruction */
};

/*
 * An address that is known only when the module is loaded: that of a variable or of an external
 * function. Addresses of device functions are byte offsets in the code and already written.
 */
struct sass_relocation {
    uint8_t bank;
    bool is_function; /* `name` is a function of the runtime, or a kernel whose address is used */
    bool is_constant; /* `offset` is in bank 3; the relocation needs a generic address */
    uint64_t at;      /* byte offset in the bank, the globals or, of an instruction, the code */
    uint64_t offset;  /* of a variable: in the globals or bank 3, addend included */
    const char *name;
};

struct sass_module {
    uint32_t sm; /* 75, 80, ... */
    const uint8_t *code;
    uint32_t code_bytes;
    bool unlinked;                  /* some addresses in the code are missing */
    bool linked;                    /* the `code` of every kernel is that of the module */
    struct sass_function *function; /* by offset */
    uint32_t functions;
    struct sass_kernel *kernel;
    uint32_t kernels;
    struct sass_symbol *symbol;
    uint32_t symbols;
    struct sass_relocation *relocation;
    uint32_t relocations;
    const char **file; /* [files] paths of the line tables */
    uint32_t files;
    const struct sass_call *call; /* [calls] whose code was inlined */
    uint32_t calls;
    const char *line_problem; /* why lines are missing (damaged tables); NULL: no problem */
    const uint8_t *globals;   /* image of global memory: the initialised part, then zeros */
    uint64_t globals_bytes, globals_initialised;
    const uint8_t *constant3, *constant4;
    uint32_t constant3_bytes, constant4_bytes;
    void *keeper; /* owns all memory that the module points to */
};

/*
 * Reads a cubin of `size` bytes at `data`, which need not outlive the call. `name` is for messages.
 * On success *module must be closed with sass_module_close().
 */
enum simsm_status sass_module_open(struct sass_module **module, const void *data, size_t size,
                                   const char *name, struct simsm_error *error);
/*
 * As sass_module_open(), but also accepts code that is not linked (nvcc -rdc=true), which can be
 * inspected but not executed.
 */
enum simsm_status sass_module_inspect(struct sass_module **module, const void *data, size_t size,
                                      const char *name, struct simsm_error *error);
void sass_module_close(struct sass_module *module);

/*
 * Returns the kernel with this mangled name, or else the only kernel that sass_is_called() finds
 * for `name`. Returns NULL if there is none or there are several.
 */
const struct sass_kernel *sass_module_kernel(const struct sass_module *module, const char *name);

/*
 * Returns the source line of the instruction at `pc`, or 0 if it is unknown; *file may then be
 * NULL.
 */
uint32_t sass_kernel_line(const struct sass_module *module, const struct sass_kernel *kernel,
                          uint32_t pc, const char **file);

/*
 * The same for inlined code: the line of the call into which the instruction's function was
 * inlined. `level` 0: the innermost call. Returns 0 if there is none.
 */
uint32_t sass_kernel_call(const struct sass_module *module, const struct sass_kernel *kernel,
                          uint32_t pc, uint32_t level, const char **file);

/*
 * Writes `address` into `image`, a copy of what relocation->bank names (of sass_module.code for
 * SASS_IN_CODE_*).
 */
void sass_relocate(const struct sass_module *module, const struct sass_relocation *relocation,
                   void *image, uint64_t address);

/*
 * Writes the source name of a mangled name ("ns::f", without parameters and template arguments),
 * cut to `size` bytes with its terminator. A name that is not mangled is copied.
 */
void sass_plain_name(const char *mangled, char *plain, size_t size);

/*
 * Returns whether `name` is the mangled name, the source name ("ns::f"), or the last component of
 * the source name ("f").
 */
bool sass_is_called(const char *mangled, const char *name);

enum sass_image_kind { SASS_IMAGE_PTX = 1, SASS_IMAGE_CUBIN = 2 }; /* as fatbins number them */

enum sass_packing { SASS_PLAIN, SASS_LZ4, SASS_ZSTD };

/* One piece of device code in a file. */
struct sass_image {
    uint32_t sm;
    uint32_t unit; /* index of the fatbin in the file: images of one unit are versions of the same
                      source */
    uint16_t kind; /* enum sass_image_kind; other values are intermediate forms */
    bool ptx;      /* text, not machine code */
    bool empty; /* no code, no variables: nvcc adds such images to every program; known once loaded
                 */
    const uint8_t *data;   /* [size]; NULL: compressed and not loaded */
    size_t size;           /* bytes, decompressed */
    uint8_t packing;       /* enum sass_packing */
    const uint8_t *packed; /* [packed_bytes], as in the file */
    size_t packed_bytes;
};

/*
 * All device code in a file, in file order. A large library has thousands of images of some GiB, so
 * images are decompressed on demand.
 */
struct sass_file {
    struct sass_image *image;
    uint32_t images, units;
    void *keeper;
};

/*
 * Opens a cubin, a fatbin, or an ELF file of the host that contains fatbins. On success the file
 * has at least one image and must be closed with sass_file_close().
 */
enum simsm_status sass_file_open(struct sass_file *file, const char *path,
                                 struct simsm_error *error);
/* As sass_file_open(), from memory, which need not outlive the call. */
enum simsm_status sass_file_read(struct sass_file *file, const void *data, size_t size,
                                 const char *name, struct simsm_error *error);
void sass_file_close(struct sass_file *file);

/*
 * Recognises, from its first bytes (64 are enough), a file that is often mistaken for GPU code.
 * Returns a message that says what the file is, or NULL.
 */
const char *sass_file_other(const uint8_t *head, size_t size);

/* Decompresses an image of an open file, unless it is loaded already. `name` is for messages. */
enum simsm_status sass_image_load(struct sass_image *image, const char *name,
                                  struct simsm_error *error);
/* Frees the memory of a loaded image; the image can be loaded again. */
void sass_image_unload(struct sass_image *image);

/*
 * Returns the fatbin, and in *size its size, that a wrapper in the memory of this process points
 * to, as compiled programs pass it to the CUDA runtime. Returns NULL if it is not a wrapper. The
 * pointers are trusted: the function must not be called on bytes of a file.
 */
const void *sass_wrapped_fatbin(const void *wrapper, size_t *size);

/* Returns the size of a fatbin in the memory of this process, or 0 if it is not a fatbin. */
size_t sass_fatbin_bytes(const void *fatbin);

/*
 * Each returns the loaded image to run on `sm`: machine code of the same generation whose minor is
 * not above that of `sm`. Each returns NULL if there is none or it is damaged; sass_file_require()
 * reports which. sass_file_pick() searches the units in order, sass_file_pick_unit() only unit
 * `unit`.
 */
const struct sass_image *sass_file_pick(const struct sass_file *file, uint32_t sm);
const struct sass_image *sass_file_pick_unit(const struct sass_file *file, uint32_t unit,
                                             uint32_t sm);
/* As sass_file_pick(), for a file all of whose images have neither code nor variables. */
const struct sass_image *sass_file_pick_empty(const struct sass_file *file, uint32_t sm);
/*
 * As sass_file_pick(), but fails with a message about what the file has if there is no image.
 * `name` is for messages.
 */
enum simsm_status sass_file_require(const struct sass_file *file, const char *name, uint32_t sm,
                                    const struct sass_image **image, struct simsm_error *error);

#endif
