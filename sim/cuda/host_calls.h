/* simsm check: the call stacks with which the program calls the runtime, captured cheaply, and
 * resolved to source lines if a finding names them. */
#ifndef SIM_CUDA_HOST_CALLS_H
#define SIM_CUDA_HOST_CALLS_H

#include "cuda/cuda_code.h"
#include "sanitize/host_stack.h"

struct host_calls;

/* Returns NULL if memory is short. `code`: knows the host functions of kernels, which no stack
 * shows. The caller frees it. */
struct host_calls *host_calls_create(struct program_code *code);
void host_calls_free(struct host_calls *calls);

/* Returns the number of the caller's stack, the same for the same stack; 0 if memory is short. */
uint32_t host_calls_capture(struct host_calls *calls);

/* The same for the stack of the instruction `at`, which a signal has interrupted. */
uint32_t host_calls_capture_at(struct host_calls *calls, uintptr_t at);

/* A host_stack_fn; `calls` is a struct host_calls. */
const struct host_stack *host_calls_resolve(void *calls, uint32_t stack);

#endif
