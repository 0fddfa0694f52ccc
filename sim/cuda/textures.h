/* Arrays, and the texture and surface objects over arrays or plain device memory. */
#ifndef SIM_CUDA_TEXTURES_H
#define SIM_CUDA_TEXTURES_H

#include "cuda/runtime.h"
#include "cuda/stream_work.h"

/* A CUDA array (cudaArray_t): rows of elements in device memory. */
struct array {
    struct cuda_channel channel;
    struct cuda_extent extent; /* in elements; 0 where the program gave 0 */
    unsigned flags;
    uint32_t element;      /* bytes of an element */
    uint64_t address;      /* of the first row; 0: freed */
    uint64_t pitch, layer; /* bytes from row to row, from layer to layer */
    unsigned level;        /* of a mipmapped array: 1 is the finest, whose handle is that of the
                            * array; 0: it is no level */
    struct array *coarser; /* the next level; NULL: there is none */
    struct array *next;    /* list of all arrays, freed ones too: stale handles are found */
};

struct textures;

/*
 * Allocates an array (cudaMalloc3DArray). Returns NULL with *error set, after a message, on
 * failure.
 */
struct array *textures_new_array(struct runtime *rt, const struct cuda_channel *channel,
                                 struct cuda_extent extent, unsigned flags, enum cuda_error *error);
/*
 * Returns the array with this handle. Prints a message and returns NULL if there is none, or if it
 * was freed.
 */
struct array *textures_array(const struct runtime *rt, const void *handle);
/* Frees the device memory of an array that is not freed, and of its coarser levels. */
void textures_free_array(struct runtime *rt, struct array *array);
/*
 * Allocates a mipmapped array (cudaMallocMipmappedArray). Returns its finest level; NULL with
 * *error set, after a message, on failure. `levels`: at least 1 and at most as many as the extent
 * has are made.
 */
struct array *textures_new_mipmap(struct runtime *rt, const struct cuda_channel *channel,
                                  struct cuda_extent extent, unsigned levels, unsigned flags,
                                  enum cuda_error *error);
/* Returns the mipmapped array with this handle, or NULL as textures_array. */
struct array *textures_mipmap(const struct runtime *rt, const void *handle);

/*
 * Creates a texture object, or a surface object if `description` is NULL. *handle counts from 1.
 * Prints a message on failure.
 */
enum cuda_error textures_new_object(struct runtime *rt, const struct cuda_resource *resource,
                                    const struct cuda_texture *description, uint64_t *handle);
/* Destroys an object. Returns false if there is no such texture (`surface` false) or surface. */
bool textures_free_object(struct runtime *rt, uint64_t handle, bool surface);

/*
 * Finds what an object was created of; *description is left alone if it is a surface object.
 * Returns false if there is no such texture (`surface` false) or surface.
 */
bool textures_find_object(const struct runtime *rt, uint64_t handle, bool surface,
                          struct cuda_resource *resource, struct cuda_texture *description);

/* Returns the table of objects that kernels use; NULL if no object was ever created. */
const struct exec_textures *textures_table(const struct textures *textures);

/* Frees the arrays and the table, not device memory. NULL is allowed. */
void textures_destroy(struct textures *textures);

#endif
