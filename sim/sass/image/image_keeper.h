/* Memory that is released all at once: owns what a module or a file's images point to. */
#ifndef SIM_SASS_IMAGE_IMAGE_KEEPER_H
#define SIM_SASS_IMAGE_IMAGE_KEEPER_H

#include <stdbool.h>
#include <stddef.h>

struct keeper;

/* NULL: out of memory. */
struct keeper *keeper_create(void);
/* NULL is allowed. */
void keeper_destroy(struct keeper *keeper);

/* `count` elements of `size` bytes, zero, aligned for anything; NULL: out of memory. Count 0 gives
 * a pointer too. */
void *keeper_take(struct keeper *keeper, size_t count, size_t size);

/* Hands over a block from malloc; false: out of memory, and the block is freed. */
bool keeper_adopt(struct keeper *keeper, void *block);

#endif
