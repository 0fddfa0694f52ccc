/*
 * Textures and surfaces: where their texels lie, and how a coordinate becomes a value. Numbers of
 * CUDA C++ Programming Guide, "Texture Fetching".
 */
#ifndef SIM_EXEC_MEMORY_TEXTURE_H
#define SIM_EXEC_MEMORY_TEXTURE_H

#include <stdbool.h>
#include <stdint.h>

/* As cudaTextureAddressMode and cudaChannelFormatKind number them. */
enum exec_texture_beyond { TEXTURE_WRAP, TEXTURE_CLAMP, TEXTURE_MIRROR, TEXTURE_BORDER };
enum exec_texture_format { TEXTURE_SIGNED, TEXTURE_UNSIGNED, TEXTURE_FLOAT };

enum { TEXTURE_COMPONENTS = 4, TEXTURE_DIMENSIONS = 3 };

/* What an object's handle stands for. Texels lie in rows in device memory. */
struct exec_texture {
    uint64_t address;                  /* of the first texel; 0: there is no such object */
    uint64_t pitch, layer;             /* bytes from row to row, from slice or layer to the next */
    uint32_t size[TEXTURE_DIMENSIONS]; /* texels; 1 in dimensions that it does not have */
    uint32_t layers;                  /* of layered ones; a cubemap has six faces in each; else 1 */
    uint8_t components, bits, format; /* of a texel: 1, 2, 4; of a component: 8, 16, 32 */
    uint8_t beyond[TEXTURE_DIMENSIONS]; /* enum exec_texture_beyond */
    bool linear;                        /* filtered, not the nearest texel */
    bool normalized;                    /* coordinates are 0 to 1 */
    bool fraction;                      /* integers are read as 0 to 1, signed ones as -1 to 1 */
    bool surface;
    float border[TEXTURE_COMPONENTS];
};

/* Handles are 1 + index in this table. */
struct exec_textures {
    struct exec_texture *item;
    uint32_t count;
};

/* Bytes from the first to behind the last texel. */
uint64_t exec_texture_bytes(const struct exec_texture *texture);

/* A place in a texture. `whole`: position holds integers, as of tex1Dfetch. */
struct exec_texture_point {
    float position[TEXTURE_DIMENSIONS];
    int32_t texel[TEXTURE_DIMENSIONS];
    uint32_t layer;
};

/* The direction (x, y, z) in a cubemap becomes a position on a face, which joins the layer. */
void exec_texture_face(struct exec_texture_point *point);

/*
 * Values of a point, as the registers get them: filtered or the nearest texel; of the texel with
 * these numbers; of one component of the four texels that a filter would take, as tex2Dgather
 * orders them. `texels` lies on the host. They return the byte offset of the first texel read, for
 * the caches.
 */
uint64_t exec_texture_sample(const struct exec_texture *texture, const uint8_t *texels,
                             const struct exec_texture_point *point,
                             uint32_t value[TEXTURE_COMPONENTS]);
uint64_t exec_texture_fetch(const struct exec_texture *texture, const uint8_t *texels,
                            const struct exec_texture_point *point,
                            uint32_t value[TEXTURE_COMPONENTS]);
uint64_t exec_texture_gather(const struct exec_texture *texture, const uint8_t *texels,
                             const struct exec_texture_point *point, uint32_t component,
                             uint32_t value[TEXTURE_COMPONENTS]);

#endif
