/*
 * libcudart.so.*: simsm's runtime API, one library for each toolkit. The functions are in
 * libcuda.so.1; this library passes calls on (stubs.S).
 */
#include <stdio.h>
#include <stdlib.h>

#include "cuda/abi/runtime_table.h"

int cuGetExportTable(const void **table, const void *id);

/* In the order of functions.def, for stubs.S. */
__attribute__((visibility("hidden"))) runtime_function *cudart_function[RUNTIME_FUNCTIONS];

/* Runs before the constructors of what needs this library; they register kernels. */
__attribute__((constructor)) static void begin(void)
{
    const void *found = NULL;
    const int error = cuGetExportTable(&found, RUNTIME_TABLE_ID);
    const struct runtime_table *table = found;
    if (!error && table && table->size == sizeof *table &&
        table->functions(CUDART_TOOLKIT, cudart_function, RUNTIME_FUNCTIONS))
        return;
    (void)fputs("simsm: libcuda.so.1 and " CUDART_SONAME
                " are not of the same simsm: another libcuda.so.1 is loaded first\n",
                stderr);
    _Exit(EXIT_FAILURE);
}
