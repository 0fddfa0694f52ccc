/* Copies to and from variables of the device code. */
#ifndef SIM_CUDA_CUDA_SYMBOL_H
#define SIM_CUDA_CUDA_SYMBOL_H

#include "cuda/stream_work.h"

/* A copy of `bytes` bytes to or from byte `offset` of the variable with this shadow, as work. */
enum cuda_error symbol_copy_to(struct runtime *rt, const void *shadow, const void *src,
                               size_t bytes, size_t offset, int kind, struct stream_work *work);
enum cuda_error symbol_copy_from(struct runtime *rt, void *dst, const void *shadow, size_t bytes,
                                 size_t offset, int kind, struct stream_work *work);

#endif
