/* Pictures of the words that the lanes of a warp touch: by sector of global memory, or by bank of
 * shared memory. */
#ifndef SIM_CLI_TOUCH_MAP_H
#define SIM_CLI_TOUCH_MAP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { TOUCH_STRIDES = 8, TOUCH_LARGEST_STRIDE = 64 };

/* One map for each stride: lane i touches word i * stride. */
struct touch_map {
    bool banks; /* by bank, a row for each pass; not by sector, a row for each line */
    uint32_t lanes;
    uint32_t strides;
    uint32_t stride[TOUCH_STRIDES]; /* words, from 1 to TOUCH_LARGEST_STRIDE */
};

/* Write the maps. Write errors stay in `file` (ferror). */
void touch_map_text(FILE *file, const struct touch_map *map);
void touch_map_svg(FILE *file, const struct touch_map *map);

#endif
