/* An array that grows at its end. */
#ifndef SIM_BASE_POOL_H
#define SIM_BASE_POOL_H

#include <stdbool.h>
#include <stddef.h>

struct pool {
    void *data;
    size_t count, room,
        size; /* `size`: bytes of an element, set by the user; the rest begins as zero */
};

/* Makes room for `extra` further elements. Returns false if memory runs out. */
bool pool_reserve(struct pool *pool, size_t extra);

/* Appends a copy of *element. Returns false if memory runs out. */
bool pool_add(struct pool *pool, const void *element);

/* Frees the elements. */
void pool_free(struct pool *pool);

#endif
