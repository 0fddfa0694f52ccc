/* Textures and surfaces: where their texels lie, and the value at a coordinate. Rules: CUDA C++
 * Programming Guide, "Texture Fetching". */
#ifndef SIM_EXEC_MEMORY_TEXTURE_H
#define SIM_EXEC_MEMORY_TEXTURE_H

#include <stdbool.h>
#include <stdint.h>

/* Address modes and formats, numbered as by cudaTextureAddressMode and cudaChannelFormatKind. */
enum exec_texture_beyond { TEXTURE_WRAP, TEXTURE_CLAMP, TEXTURE_MIRROR, TEXTURE_BORDER };
enum exec_texture_format { TEXTURE_SIGNED, TEXTURE_UNSIGNED, TEXTURE_FLOAT };

enum { TEXTURE_COMPONENTS = 4, TEXTURE_DIMENSIONS = 3 };

/* A texture or surface object. Texels lie in rows in device memory. */
struct exec_texture {
    uint64_t address;      /* device address of the first texel; 0: no such object */
    uint64_t pitch, layer; /* bytes from row to row, and from slice or layer to the next */
    uint32_t size[TEXTURE_DIMENSIONS]; /* texels; 1 in dimensions that the object does not have */
    uint32_t queried[TEXTURE_DIMENSIONS]; /* what queries say: width, height, depth */
    uint32_t layers; /* of a layered texture, six faces for each layer of a cubemap; else 1 */
    uint8_t components, bits, format; /* components of a texel: 1, 2, 4; bits of a component: 8, 16,
                                         32; enum exec_texture_format */
    uint8_t beyond[TEXTURE_DIMENSIONS]; /* enum exec_texture_beyond */
    bool linear;                        /* samples are filtered; false: the nearest texel */
    bool normalized;                    /* coordinates are from 0 to 1 */
    bool fraction; /* integers are read as numbers from 0 to 1, or from -1 to 1 if signed */
    bool surface;
    float border[TEXTURE_COMPONENTS];
    /* Of a mipmapped array: its levels, the finest first, which is also described above. */
    const struct exec_texture *level;
    uint32_t levels;             /* 0: the texture is not of a mipmapped array */
    bool between;                /* samples lie between two levels; false: on the nearest */
    float bias, least, coarsest; /* what is added to a level of detail; its limits */
};

/* All objects. A handle is 1 + the index in this table. */
struct exec_textures {
    struct exec_texture *item;
    uint32_t count;
};

/* Returns the bytes from the first texel to behind the last. */
uint64_t exec_texture_bytes(const struct exec_texture *texture);

/* A place in a texture: `position` for samples and gathers, `texel` for fetches (tex1Dfetch). */
struct exec_texture_point {
    float position[TEXTURE_DIMENSIONS];
    int32_t texel[TEXTURE_DIMENSIONS];
    uint32_t layer;
};

/*
 * The level of detail at which a texture with levels is sampled, for `lod` of an instruction: a
 * multiple of 1/256, on the nearest level unless samples lie between levels.
 */
float exec_texture_level(const struct exec_texture *texture, float lod);
/*
 * The level of detail for the slopes of the coordinates over the screen: dx.x, dy.x, dx.y, dy.y.
 */
float exec_texture_lod(const struct exec_texture *texture, const float slope[4]);

/* Turns the direction (x, y, z) into a cubemap into a position on a face, and the layer into the
 * face's layer. */
void exec_texture_face(struct exec_texture_point *point);

/*
 * Read the values at a point, as registers get them. Sample: filtered, or the nearest texel. Fetch:
 * the texel with these integer coordinates. Gather: one component of the four texels that a filter
 * would use, in the order of tex2Dgather. `texels` lies on the host. Return the byte offset of the
 * first texel read, for the timing of caches.
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
