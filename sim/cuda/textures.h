/* Arrays, and the texture and surface objects that are made of them or of plain memory. */
#ifndef SIM_CUDA_TEXTURES_H
#define SIM_CUDA_TEXTURES_H

#include "cuda/runtime.h"
#include "cuda/stream_work.h"

/* cudaArray_t of the program points to one: rows of elements in device memory. */
struct array {
    struct cuda_channel channel;
    struct cuda_extent extent; /* elements, as the program has given it: 0 where it has none */
    unsigned flags;
    uint32_t element;      /* bytes */
    uint64_t address;      /* 0: it has been freed */
    uint64_t pitch, layer; /* bytes from row to row, from slice or layer to the next */
    struct array *next;    /* of all that there have been: a stale handle is found out */
};

struct textures;

/* cudaMalloc3DArray; NULL, and `error` is set, after it has been said why. */
struct array *textures_new_array(struct runtime *rt, const struct cuda_channel *channel,
                                 struct cuda_extent extent, unsigned flags, enum cuda_error *error);
/* The array of a handle; NULL, which is said: there is none, or it has been freed. */
struct array *textures_array(const struct runtime *rt, const void *handle);
void textures_free_array(struct runtime *rt, struct array *array);

/* Makes an object; `description` is NULL for a surface. */
enum cuda_error textures_new_object(struct runtime *rt, const struct cuda_resource *resource,
                                    const struct cuda_texture *description, uint64_t *handle);
/* False: there is no such object. */
bool textures_free_object(struct runtime *rt, uint64_t handle, bool surface);

/* What kernels find; NULL: there has never been an object. */
const struct exec_textures *textures_table(const struct textures *textures);

void textures_destroy(struct textures *textures);

#endif
