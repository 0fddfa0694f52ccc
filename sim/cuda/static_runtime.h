/*
 * The runtime that nvcc links into a program by default (-cudart static): its toolkit, and the
 * addresses of its functions. Both come from the program's symbol table.
 */
#ifndef SIM_CUDA_STATIC_RUNTIME_H
#define SIM_CUDA_STATIC_RUNTIME_H

#include <libelf.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Returns the name of simsm's library that can replace the runtime inside the program, such as
 * "libcudart.so.13". Returns NULL if the program has no runtime inside, or if it cannot be
 * replaced: no symbols, no loader, or not x86-64.
 */
const char *static_runtime_soname(Elf *elf);

/* A function of the program with a name such as those of the runtime (cuda*, __cuda*). */
struct static_function {
    const char *name; /* owned by the Elf */
    uint64_t address; /* address in the file */
    uint64_t room;    /* bytes from the address that belong to the function, padding included */
};

/* Calls `take` for each function of the runtime inside the program, until `take` returns false. */
void static_runtime_functions(Elf *elf,
                              bool (*take)(void *context, const struct static_function *function),
                              void *context);

#endif
