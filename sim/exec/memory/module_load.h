/* A loaded module: its variables and constants have their places in device memory. */
#ifndef SIM_EXEC_MEMORY_MODULE_LOAD_H
#define SIM_EXEC_MEMORY_MODULE_LOAD_H

#include "exec/launch/exec_launch.h"

struct exec_code;

/* Bytes of the workspace in which the blocks of a cooperative launch count arrivals at the grid
 * barrier. */
enum { EXEC_WORKSPACE = 256 };

struct exec_module {
    const struct sass_module *module;
    struct device_memory *memory;
    uint64_t globals, constants, workspace; /* device addresses */
    uint8_t *constant3;                     /* in device memory */
    uint8_t *constant4, *code;              /* relocated copies */
    struct exec_code *prepared;             /* code of kernels that were launched */
};

#endif
