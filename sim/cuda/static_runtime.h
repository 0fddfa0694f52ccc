/*
 * The runtime that nvcc links into a program unless it is told otherwise (-cudart static): which
 * toolkit's it is, and where in the program its functions are, by the program's symbol table.
 */
#ifndef SIM_CUDA_STATIC_RUNTIME_H
#define SIM_CUDA_STATIC_RUNTIME_H

#include <libelf.h>
#include <stdbool.h>
#include <stdint.h>

/* The library of ours that can take its place: "libcudart.so.13"; NULL: the program has no runtime
 * inside, or none that can be replaced (no symbols, no loader, another processor). */
const char *static_runtime_soname(Elf *elf);

/* A function of the program whose name begins as those of the runtime do. */
struct static_function {
    const char *name; /* of the file: gone with the Elf */
    uint64_t address; /* in the file's own space */
    uint64_t room;    /* bytes that are its own, with what fills them up to the next function */
};

/* Calls `take` for each such function; ends when it returns false. */
void static_runtime_functions(Elf *elf,
                              bool (*take)(void *context, const struct static_function *function),
                              void *context);

#endif
