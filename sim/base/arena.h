/*
 * Memory that is taken piece by piece and given back all at once: the state of a simulated GPU. It
 * lies in large pages where the system has them, as its many small arrays are visited by turns; but
 * pools of which little is ever used lie apart, in small ones.
 */
#ifndef SIM_BASE_ARENA_H
#define SIM_BASE_ARENA_H

#include <stddef.h>

struct arena_chunk;

struct arena_part {
    struct arena_chunk *chunk; /* the newest; each knows the one before it */
    size_t used, room;         /* bytes of that one */
};

struct arena {
    struct arena_part large, small; /* pages */
};

/*
 * Zeroed memory for `count` objects of `size` bytes, aligned to 64, which stays where it is until
 * arena_free. NULL: out of memory. An arena of zeros is an empty one.
 */
void *arena_take(struct arena *arena, size_t count, size_t size);

/* The same for what stays mostly untouched, and then costs next to nothing. */
void *arena_take_pool(struct arena *arena, size_t count, size_t size);

/* Gives back all that has been taken; the arena is empty again. */
void arena_free(struct arena *arena);

#endif
