/* Memory pools: names for parts of device memory; what is freed is free at once. */
#ifndef SIM_CUDA_CUDA_POOL_H
#define SIM_CUDA_CUDA_POOL_H

#include <stdbool.h>

#include "cuda/runtime.h"

struct memory_pool;

/* The device's own pool, and new ones. NULL: out of memory. */
struct memory_pool *pool_default(void);
struct memory_pool *pool_create(void);
void pool_destroy(struct memory_pool *pool);
/* The pool of a handle; NULL: there is none. */
struct memory_pool *pool_find(const void *handle);

/* The pool that cudaMallocAsync takes memory from. */
struct memory_pool *pool_current(void);
void pool_set_current(struct memory_pool *pool);

void pool_count_alloc(struct memory_pool *pool, uint64_t size);
void pool_count_free(struct memory_pool *pool, uint64_t size);

/* The value of an attribute; false: there is no such attribute, or it cannot be set. */
bool pool_get(const struct memory_pool *pool, int attribute, uint64_t *value);
bool pool_set(struct memory_pool *pool, int attribute, uint64_t value);

#endif
