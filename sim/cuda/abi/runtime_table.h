/*
 * How the thin libcudart.so.* get their functions, and libnvidia-ml.so.1 what it asks for:
 * libcuda.so.1 exports none of their names. cuGetExportTable(&table, RUNTIME_TABLE_ID) returns a
 * struct runtime_table.
 */
#ifndef SIM_CUDA_ABI_RUNTIME_TABLE_H
#define SIM_CUDA_ABI_RUNTIME_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RUNTIME_TABLE_ID "simsm's runtime" /* 16 bytes with the 0, as a UUID has */

/* A function of the runtime API, whatever its parameters are. */
typedef void runtime_function(void);

enum runtime_function_id {
#define FUNCTION(name) FUNCTION_##name,
#include "cuda/functions.def"
#undef FUNCTION
    RUNTIME_FUNCTIONS
};

struct runtime_table {
    size_t size; /* bytes of this struct */
    /*
     * Writes the functions as programs of a toolkit call them, such as 13, to function[count],
     * in the order of functions.def. Returns false if `count` is not that of this library.
     */
    bool (*functions)(int toolkit, runtime_function **function, size_t count);
    bool (*memory_used)(uint64_t *bytes); /* rt_memory_used */
};

extern const struct runtime_table runtime_table;

/* A function that a toolkit has with other parameters or another meaning. Lists end with NULL. */
struct runtime_exception {
    enum runtime_function_id id;
    runtime_function *function;
};
#define EXCEPTION(name)                                                                            \
    {                                                                                              \
        FUNCTION_##name, (runtime_function *)(name)                                                \
    }

extern const struct runtime_exception runtime_11[]; /* of toolkits before 12 */
extern const struct runtime_exception runtime_12[]; /* of toolkits before 13 */

#endif
