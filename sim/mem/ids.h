/* Handles of a pool: numbers below a capacity, given out last freed first. */
#ifndef SIM_MEM_IDS_H
#define SIM_MEM_IDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/zeroed.h"

struct ids {
    uint16_t *freed; /* stack */
    uint32_t n_freed;
    uint32_t fresh; /* never given out: `fresh` and above */
    uint32_t capacity;
};

/* At most 65535 ids. False: out of memory. */
static inline bool ids_init(struct ids *ids, uint32_t capacity)
{
    *ids = (struct ids){.freed = zeroed_alloc(capacity, sizeof *ids->freed), .capacity = capacity};
    return ids->freed != NULL;
}

static inline void ids_free(struct ids *ids)
{
    zeroed_free(ids->freed);
    ids->freed = NULL;
}

static inline uint32_t ids_left(const struct ids *ids)
{
    return ids->n_freed + ids->capacity - ids->fresh;
}

/* There must be one left. */
static inline uint32_t ids_take(struct ids *ids)
{
    return ids->n_freed != 0 ? ids->freed[--ids->n_freed] : ids->fresh++;
}

static inline void ids_give(struct ids *ids, uint32_t id)
{
    ids->freed[ids->n_freed++] = (uint16_t)id;
}

#endif
