/* Memory pools: a list of attributes and counters of bytes in use. */
#include "cuda/cuda_pool.h"

#include <stdlib.h>

#include "base/check.h"

enum { ATTRIBUTES = POOL_USED_HIGH + 1 };

struct memory_pool {
    struct memory_pool *next;
    uint64_t attribute[ATTRIBUTES]; /* indexed by enum cuda_pool_attribute */
};

static struct memory_pool first = {.attribute = {0, 1, 1, 1}}; /* all reuse is allowed */
static struct memory_pool *pools = &first;
static struct memory_pool *current = &first;

struct memory_pool *pool_default(void)
{
    return &first;
}

struct memory_pool *pool_create(void)
{
    struct memory_pool *pool = calloc(1, sizeof *pool);
    if (!pool)
        return NULL;
    for (int a = POOL_REUSE_FIRST; a <= POOL_REUSE_LAST; a++)
        pool->attribute[a] = 1;
    pool->next = pools;
    pools = pool;
    return pool;
}

void pool_destroy(struct memory_pool *pool)
{
    struct memory_pool **link = &pools;
    while (*link && *link != pool)
        link = &(*link)->next;
    SIMSM_CHECK(*link && pool != &first, "%s cannot be destroyed",
                *link ? "the device's own pool" : "a pool that is not in the list");
    *link = pool->next;
    if (current == pool)
        current = &first;
    free(pool);
}

struct memory_pool *pool_find(const void *handle)
{
    struct memory_pool *pool = pools;
    while (pool && pool != handle)
        pool = pool->next;
    return pool;
}

struct memory_pool *pool_current(void)
{
    return current;
}

void pool_set_current(struct memory_pool *pool)
{
    current = pool;
}

/* Sets reserved bytes to used bytes, and raises both high-water marks. */
static void update_highest(struct memory_pool *pool)
{
    uint64_t *a = pool->attribute;
    a[POOL_RESERVED_CURRENT] = a[POOL_USED_CURRENT];
    if (a[POOL_USED_HIGH] < a[POOL_USED_CURRENT])
        a[POOL_USED_HIGH] = a[POOL_USED_CURRENT];
    if (a[POOL_RESERVED_HIGH] < a[POOL_RESERVED_CURRENT])
        a[POOL_RESERVED_HIGH] = a[POOL_RESERVED_CURRENT];
}

void pool_count_alloc(struct memory_pool *pool, uint64_t size)
{
    pool->attribute[POOL_USED_CURRENT] += size;
    update_highest(pool);
}

void pool_count_free(struct memory_pool *pool, uint64_t size)
{
    uint64_t *used = &pool->attribute[POOL_USED_CURRENT];
    *used -= size < *used ? size : *used;
    update_highest(pool);
}

bool pool_get(const struct memory_pool *pool, int attribute, uint64_t *value)
{
    if (attribute < POOL_REUSE_FIRST || attribute >= ATTRIBUTES)
        return false;
    *value = pool->attribute[attribute];
    return true;
}

bool pool_set(struct memory_pool *pool, int attribute, uint64_t value)
{
    const bool high = attribute == POOL_RESERVED_HIGH || attribute == POOL_USED_HIGH;
    if (attribute < POOL_REUSE_FIRST || attribute >= ATTRIBUTES ||
        (attribute > POOL_RELEASE_THRESHOLD && !(high && value == 0)))
        return false;
    pool->attribute[attribute] = value;
    update_highest(pool);
    return true;
}
