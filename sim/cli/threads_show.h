/* Pictures of a block's threads by warp, and of a sum by shuffles. */
#ifndef SIM_CLI_THREADS_SHOW_H
#define SIM_CLI_THREADS_SHOW_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct threads_picture {
    uint32_t shape[3];   /* x, y, z; of a shuffle the product is the number of lanes */
    const char *shuffle; /* "down", "up", "xor": the steps of a sum; NULL: the block by warps */
    bool colour;         /* of the text */
};

/* Write the picture. Write errors stay in `file` (ferror). */
void threads_show_text(FILE *file, const struct threads_picture *picture);
void threads_show_svg(FILE *file, const struct threads_picture *picture);

#endif
