/* Copies to and from variables of device code, as work for streams and graphs. */
#ifndef SIM_CUDA_CUDA_SYMBOL_H
#define SIM_CUDA_CUDA_SYMBOL_H

#include "cuda/stream_work.h"

/*
 * Fills *work with a copy of `bytes` bytes from `src` to byte `offset` of the variable with this
 * shadow. Loads the code of the variable. Nothing in *work has to be freed.
 */
enum cuda_error symbol_copy_to(struct runtime *rt, const void *shadow, const void *src,
                               size_t bytes, size_t offset, int kind, struct stream_work *work);
/*
 * Fills *work with a copy of `bytes` bytes from byte `offset` of the variable with this shadow to
 * `dst`. Loads the code of the variable.
 */
enum cuda_error symbol_copy_from(struct runtime *rt, void *dst, const void *shadow, size_t bytes,
                                 size_t offset, int kind, struct stream_work *work);

#endif
