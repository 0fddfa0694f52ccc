/* A pool of handles: numbers below a capacity. The handle freed last is given out first. */
#ifndef SIM_MEM_IDS_H
#define SIM_MEM_IDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/check.h"

struct ids {
    uint16_t *freed; /* stack of freed handles */
    uint32_t n_freed;
    uint32_t fresh; /* handles from `fresh` on have never been given out */
    uint32_t capacity;
};

/* Initialises a pool of `capacity` handles, at most 65535. Returns false if memory runs out. */
static inline bool ids_init(struct ids *ids, struct arena *arena, uint32_t capacity)
{
    *ids = (struct ids){.freed = arena_take_pool(arena, capacity, sizeof *ids->freed),
                        .capacity = capacity};
    return ids->freed != NULL;
}

static inline uint32_t ids_left(const struct ids *ids)
{
    return ids->n_freed + ids->capacity - ids->fresh;
}

/* Takes a handle; at least one must be left. */
static inline uint32_t ids_take(struct ids *ids)
{
    if (ids->n_freed != 0)
        return ids->freed[--ids->n_freed];
    SIMSM_CHECK(ids->fresh < ids->capacity, "%u of %u ids are taken", ids->fresh, ids->capacity);
    return ids->fresh++;
}

static inline void ids_give(struct ids *ids, uint32_t id)
{
    SIMSM_CHECK(ids->n_freed < ids->fresh, "id %u is given back, but all %u are free", id,
                ids->fresh);
    ids->freed[ids->n_freed++] = (uint16_t)id;
}

#endif
