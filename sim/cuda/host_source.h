/* Functions and source lines of the running program and its libraries, from their DWARF and their
 * symbols. */
#ifndef SIM_CUDA_HOST_SOURCE_H
#define SIM_CUDA_HOST_SOURCE_H

#include "cuda/cuda_code.h"
#include "sanitize/host_stack.h"

struct host_source;

/* Returns NULL if memory is short. The caller frees it. */
struct host_source *host_source_create(struct program_code *code);
void host_source_free(struct host_source *source);

/* Fills *stack with the functions that the return addresses belong to, innermost first: at each
 * address those that were inlined, and the one into which they were inlined. Leaves out what is not
 * the program's own: the toolkit's headers, host functions of kernels, what comes before main; but
 * if nothing else is there, the stack has the first address. */
void host_source_resolve(struct host_source *source, void *const *address, uint32_t count,
                         struct host_stack *stack);

#endif
