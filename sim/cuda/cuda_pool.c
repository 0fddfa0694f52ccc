#include "cuda/cuda_pool.h"

#include <stdlib.h>

enum { ATTRIBUTES = POOL_USED_HIGH + 1 };

struct pool {
    struct pool *next;
    uint64_t attribute[ATTRIBUTES]; /* by enum cuda_pool_attribute */
};

static struct pool first = {.attribute = {0, 1, 1, 1}}; /* memory may be given out again */
static struct pool *pools = &first;
static struct pool *current = &first;

struct pool *pool_default(void)
{
    return &first;
}

struct pool *pool_create(void)
{
    struct pool *pool = calloc(1, sizeof *pool);
    if (!pool)
        return NULL;
    for (int a = POOL_REUSE_FIRST; a <= POOL_REUSE_LAST; a++)
        pool->attribute[a] = 1;
    pool->next = pools;
    pools = pool;
    return pool;
}

void pool_destroy(struct pool *pool)
{
    struct pool **link = &pools;
    while (*link && *link != pool)
        link = &(*link)->next;
    if (!*link || pool == &first)
        return;
    *link = pool->next;
    if (current == pool)
        current = &first;
    free(pool);
}

struct pool *pool_find(const void *handle)
{
    struct pool *pool = pools;
    while (pool && pool != handle)
        pool = pool->next;
    return pool;
}

struct pool *pool_current(void)
{
    return current;
}

void pool_set_current(struct pool *pool)
{
    current = pool;
}

static void keep_highest(struct pool *pool)
{
    uint64_t *a = pool->attribute;
    a[POOL_RESERVED_CURRENT] = a[POOL_USED_CURRENT];
    if (a[POOL_USED_HIGH] < a[POOL_USED_CURRENT])
        a[POOL_USED_HIGH] = a[POOL_USED_CURRENT];
    if (a[POOL_RESERVED_HIGH] < a[POOL_RESERVED_CURRENT])
        a[POOL_RESERVED_HIGH] = a[POOL_RESERVED_CURRENT];
}

void pool_count_alloc(struct pool *pool, uint64_t size)
{
    pool->attribute[POOL_USED_CURRENT] += size;
    keep_highest(pool);
}

void pool_count_free(struct pool *pool, uint64_t size)
{
    uint64_t *used = &pool->attribute[POOL_USED_CURRENT];
    *used -= size < *used ? size : *used;
    keep_highest(pool);
}

bool pool_get(const struct pool *pool, int attribute, uint64_t *value)
{
    if (attribute < POOL_REUSE_FIRST || attribute >= ATTRIBUTES)
        return false;
    *value = pool->attribute[attribute];
    return true;
}

bool pool_set(struct pool *pool, int attribute, uint64_t value)
{
    const bool high = attribute == POOL_RESERVED_HIGH || attribute == POOL_USED_HIGH;
    if (attribute < POOL_REUSE_FIRST || attribute >= ATTRIBUTES ||
        (attribute > POOL_RELEASE_THRESHOLD && !(high && value == 0)))
        return false;
    pool->attribute[attribute] = value;
    keep_highest(pool);
    return true;
}
