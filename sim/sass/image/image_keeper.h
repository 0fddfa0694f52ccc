/*
 * A keeper owns memory blocks and frees them all at once: those of a module, or of a file's images.
 */
#ifndef SIM_SASS_IMAGE_IMAGE_KEEPER_H
#define SIM_SASS_IMAGE_IMAGE_KEEPER_H

#include <stdbool.h>
#include <stddef.h>

struct keeper;

/* Returns a new keeper, or NULL if memory runs out. */
struct keeper *keeper_create(void);
/* Frees the keeper and all its blocks. NULL is allowed. */
void keeper_destroy(struct keeper *keeper);

/*
 * Returns `count` elements of `size` bytes, zeroed and aligned for any type, or NULL if memory runs
 * out. A count of 0 also returns a pointer.
 */
void *keeper_take(struct keeper *keeper, size_t count, size_t size);

/*
 * Takes ownership of a block from malloc(). Returns false if memory runs out; the block is then
 * freed.
 */
bool keeper_adopt(struct keeper *keeper, void *block);

#endif
