/* A launch file: a kernel of some machine code, its grid, and its data. docs/machine-code.md
 * describes it for users. */
#ifndef SIM_EXEC_LAUNCH_LAUNCH_PLAN_H
#define SIM_EXEC_LAUNCH_LAUNCH_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "simsm/error.h"

enum {
    PLAN_BUFFERS = 64,
    PLAN_ARGUMENTS = 64,
    PLAN_NAME = 64,
    PLAN_TEXT = 256,
    PLAN_PATH = 1024,
    PLAN_BYTES = 4096 /* largest argument, bytes */
};

enum plan_type {
    PLAN_I8,
    PLAN_U8,
    PLAN_I16,
    PLAN_U16,
    PLAN_I32,
    PLAN_U32,
    PLAN_I64,
    PLAN_U64,
    PLAN_F32,
    PLAN_F64,
    PLAN_TYPES,
    PLAN_POINTER = PLAN_TYPES, /* arguments only: the address of a buffer */
    PLAN_RAW                   /* arguments only: bytes as they are */
};

extern const char *const plan_type_names[PLAN_TYPES];
extern const uint8_t plan_type_bytes[PLAN_TYPES];

enum plan_fill { FILL_ZERO, FILL_VALUE, FILL_IOTA, FILL_RANDOM, FILL_FILE, FILLS };

struct plan_buffer {
    char name[PLAN_NAME];
    uint64_t size; /* bytes */
    enum plan_fill fill;
    enum plan_type type;
    uint8_t value[8]; /* FILL_VALUE: of each element; FILL_IOTA: of the first; FILL_RANDOM: upper
                         bound */
    bool has_value;
    uint64_t seed;
    char file[PLAN_PATH]; /* FILL_FILE: file with the contents */
    char out[PLAN_PATH];  /* output file; "": none */
    uint32_t line;
};

struct plan_argument {
    char name[PLAN_NAME]; /* "": none */
    enum plan_type type;
    char text[PLAN_TEXT]; /* a number, or the name of a buffer */
    uint8_t *bytes;       /* PLAN_RAW: owned */
    uint32_t size, line, column;
};

struct launch_plan {
    char path[PLAN_PATH];
    char kernel[PLAN_TEXT];
    uint32_t grid[3], block[3];
    uint32_t shared; /* dynamic shared memory, bytes */
    uint32_t stack;  /* local memory of each thread, bytes */
    bool cooperative, skip_unsupported;
    uint64_t memory, heap, max_instructions;
    struct plan_buffer buffer[PLAN_BUFFERS];
    struct plan_argument argument[PLAN_ARGUMENTS];
    uint32_t buffers, arguments;
};

/*
 * Reads the launch file `path`. `params`, a NULL-terminated list of "name=value" or NULL, replaces
 * the values of the arguments with these names; "launch=..." is skipped. The caller calls
 * launch_plan_free in any case, also after an error.
 */
enum simsm_status launch_plan_read(struct launch_plan *plan, const char *path,
                                   const char *const *params, struct simsm_error *error);
void launch_plan_free(struct launch_plan *plan);

/* Returns SIMSM_BAD_INPUT for a plan without a kernel, grid or block. The message names `line` of
 * plan->path (0: no line). */
enum simsm_status launch_plan_complete(const struct launch_plan *plan, uint32_t line,
                                       struct simsm_error *error);

/* Writes the number in `text` to `value` in the format of `type`. Returns false if the text is no
 * number, or too large a number. */
bool plan_number(enum plan_type type, const char *text, uint8_t value[8]);

#endif
