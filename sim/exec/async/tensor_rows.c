/*
 * MODEL: which elements a tensor copy moves, and where they lie in shared memory. SOURCE: the PTX
 * ISA (tensors, im2col mode); measured: the step of channels has no effect; with a swizzle of n
 * bytes a row takes n bytes of shared memory, even if it has fewer, but slices of interleaved
 * tensors lie side by side; pixels begin again at the lower corner (cuda/probe/tensor_copies.cu).
 */
#include "exec/async/tensor_rows.h"

#include <string.h>

static uint32_t step_of(const struct tensor_map *map, uint32_t i)
{
    return i ? map->step[i] : 1;
}

void tensor_rows_begin(struct tensor_rows *rows)
{
    const struct tensor_map *map = rows->map;
    const uint32_t swizzled = map->swizzle && !map->interleave ? 16u << map->swizzle : 0;
    rows->bytes = map->box[0] * map->unit;
    rows->pitch = rows->bytes > swizzled ? rows->bytes : swizzled;
    rows->count = map->im2col ? map->pixels : 1;
    rows->row = 0;
    memset(rows->taken, 0, sizeof rows->taken);
    for (uint32_t i = 0; i < map->rank; i++) {
        rows->at[i] = rows->first[i];
        if (i && !map->im2col)
            rows->count *= (map->box[i] + map->step[i] - 1) / map->step[i];
    }
}

/* The next pixel: through the dimensions between channels and images, then the next image. */
static void next_pixel(struct tensor_rows *rows)
{
    const struct tensor_map *map = rows->map;
    uint32_t i = 1;
    for (; i < map->rank - 1; i++) {
        rows->at[i] += map->step[i];
        if (rows->at[i] < (int64_t)map->size[i] + map->upper[i])
            return;
        rows->at[i] = map->lower[i];
    }
    rows->at[i] += map->step[i];
}

static void next_in_box(struct tensor_rows *rows)
{
    const struct tensor_map *map = rows->map;
    for (uint32_t i = 1; i < map->rank; i++) {
        rows->at[i] += step_of(map, i);
        if (++rows->taken[i] * map->step[i] < map->box[i])
            return;
        rows->taken[i] = 0;
        rows->at[i] = rows->first[i];
    }
}

bool tensor_rows_next(struct tensor_rows *rows)
{
    if (++rows->row == rows->count)
        return false;
    if (rows->map->im2col)
        next_pixel(rows);
    else
        next_in_box(rows);
    return true;
}

struct tensor_part tensor_rows_part(const struct tensor_rows *rows)
{
    const struct tensor_map *map = rows->map;
    struct tensor_part part = {.address = map->address};
    for (uint32_t i = 1; i < map->rank; i++) {
        const int64_t at = rows->at[i] + rows->offset[i];
        if (at < 0 || at >= (int64_t)map->size[i])
            return (struct tensor_part){0};
        part.address += (uint64_t)at * map->stride[i];
    }
    const int64_t first = rows->at[0] < 0 ? -rows->at[0] : 0;
    int64_t end = (int64_t)map->size[0] - rows->at[0];
    end = end < (int64_t)map->box[0] ? end : (int64_t)map->box[0];
    if (first >= end)
        return (struct tensor_part){0};
    part.first = (uint32_t)first;
    part.end = (uint32_t)end;
    part.address += (uint64_t)(rows->at[0] + first) * map->stride[0];
    return part;
}
