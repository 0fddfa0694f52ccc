/* A hash table from pairs of 64-bit keys to 64-bit values. */
#ifndef SIM_SANITIZE_KEY_MAP_H
#define SIM_SANITIZE_KEY_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct key_map_row {
    uint64_t first, second, value;
    bool used;
};

/* Begins empty: all zero. */
struct key_map {
    struct key_map_row *row;
    size_t count, room; /* room: 0 or a power of two */
};

void key_map_free(struct key_map *map);

/* Returns the value of a pair of keys, or NULL if the table does not have it. Valid until the next
 * key_map_put(). */
uint64_t *key_map_find(const struct key_map *map, uint64_t first, uint64_t second);

/* Returns the value of a pair of keys, which is added with value 0 if the table does not have it;
 * NULL if memory is short. */
uint64_t *key_map_put(struct key_map *map, uint64_t first, uint64_t second);

#endif
