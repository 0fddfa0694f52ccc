/*
 * Memory pools: counters of device memory. Pools hold no memory of their own, and freed memory is
 * free at once.
 */
#ifndef SIM_CUDA_CUDA_POOL_H
#define SIM_CUDA_CUDA_POOL_H

#include <stdbool.h>

#include "cuda/runtime.h"

struct memory_pool;

/* Returns the device's own pool. */
struct memory_pool *pool_default(void);
/* Returns a new pool; NULL if out of memory. */
struct memory_pool *pool_create(void);
/*
 * Frees a pool, which must not be the device's own. If the pool is current, the device's own pool
 * becomes current.
 */
void pool_destroy(struct memory_pool *pool);
/* Returns the pool with this handle; NULL if there is none. */
struct memory_pool *pool_find(const void *handle);

/* Returns the pool that cudaMallocAsync allocates from. */
struct memory_pool *pool_current(void);
/* Makes `pool` the pool that cudaMallocAsync allocates from. */
void pool_set_current(struct memory_pool *pool);

/* Adds `size` bytes to the pool's counters of used and reserved bytes. */
void pool_count_alloc(struct memory_pool *pool, uint64_t size);
/* Subtracts `size` bytes from the pool's counters, down to 0 at most. */
void pool_count_free(struct memory_pool *pool, uint64_t size);

/* Reads an attribute (enum cuda_pool_attribute). Returns false if there is no such attribute. */
bool pool_get(const struct memory_pool *pool, int attribute, uint64_t *value);
/*
 * Sets an attribute; counters cannot be set, high-water marks only to 0. Returns false if not
 * allowed.
 */
bool pool_set(struct memory_pool *pool, int attribute, uint64_t value);

#endif
