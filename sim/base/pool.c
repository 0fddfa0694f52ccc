#include "base/pool.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

bool pool_reserve(struct pool *pool, size_t extra)
{
    if (pool->room - pool->count >= extra)
        return true;
    if (extra > SIZE_MAX / 4 / pool->size - pool->count)
        return false;
    size_t room = pool->room ? pool->room * 2 : 64;
    if (room < pool->count + extra)
        room = pool->count + extra;
    void *grown = realloc(pool->data, room * pool->size);
    if (!grown)
        return false;
    pool->data = grown;
    pool->room = room;
    return true;
}

bool pool_add(struct pool *pool, const void *element)
{
    if (!pool_reserve(pool, 1))
        return false;
    memcpy((char *)pool->data + pool->count * pool->size, element, pool->size);
    pool->count++;
    return true;
}

void pool_free(struct pool *pool)
{
    free(pool->data);
    pool->data = NULL;
    pool->count = 0;
    pool->room = 0;
}
