/*
 * An arena: memory that is allocated piece by piece and freed all at once. It holds the state of a
 * simulated GPU. Its many small arrays are visited in turn, so the arena uses large pages where the
 * system has them. Pools, of which only a small part is ever touched, lie in small pages.
 */
#ifndef SIM_BASE_ARENA_H
#define SIM_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

struct arena_chunk;

struct arena_part {
    struct arena_chunk *chunk; /* the newest chunk; chunks form a list */
    size_t used, room;         /* bytes of that chunk */
};

struct arena {
    struct arena_part large, small; /* by size of page */
    bool only_small; /* little of it will be touched, and large pages are cleared whole */
};

/*
 * Returns zeroed memory for `count` objects of `size` bytes, aligned to 64 bytes and valid until
 * arena_free; NULL if memory runs out. A struct arena of zeros is an empty arena.
 */
void *arena_take(struct arena *arena, size_t count, size_t size);

/* Like arena_take, for a pool of which most is never touched: untouched pages cost no memory. */
void *arena_take_pool(struct arena *arena, size_t count, size_t size);

/* Frees all memory of the arena, which is empty afterwards. */
void arena_free(struct arena *arena);

#endif
