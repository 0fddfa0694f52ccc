/* Open addressing with linear probing; the table is at most half full. */
#include "sanitize/key_map.h"

#include <stdlib.h>

enum { FIRST_ROOM = 64 };

void key_map_free(struct key_map *map)
{
    free(map->row);
    *map = (struct key_map){0};
}

static struct key_map_row *place(struct key_map_row *row, size_t room, uint64_t first,
                                 uint64_t second)
{
    const uint64_t mixed =
        (first * UINT64_C(0x9e3779b97f4a7c15)) ^ (second * UINT64_C(0xc2b2ae3d27d4eb4f));
    size_t at = (size_t)(mixed ^ mixed >> 29) & (room - 1);
    while (row[at].used && (row[at].first != first || row[at].second != second))
        at = (at + 1) & (room - 1);
    return &row[at];
}

uint64_t *key_map_find(const struct key_map *map, uint64_t first, uint64_t second)
{
    if (!map->room)
        return NULL;
    struct key_map_row *row = place(map->row, map->room, first, second);
    return row->used ? &row->value : NULL;
}

static bool grow(struct key_map *map)
{
    const size_t room = map->room ? 2 * map->room : FIRST_ROOM;
    struct key_map_row *row = calloc(room, sizeof *row);
    if (!row)
        return false;
    for (size_t i = 0; i < map->room; i++)
        if (map->row[i].used)
            *place(row, room, map->row[i].first, map->row[i].second) = map->row[i];
    free(map->row);
    map->row = row;
    map->room = room;
    return true;
}

uint64_t *key_map_put(struct key_map *map, uint64_t first, uint64_t second)
{
    if (2 * (map->count + 1) > map->room && !grow(map))
        return NULL;
    struct key_map_row *row = place(map->row, map->room, first, second);
    if (!row->used) {
        *row = (struct key_map_row){.first = first, .second = second, .used = true};
        map->count++;
    }
    return &row->value;
}
