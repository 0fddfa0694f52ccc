/*
 * MODEL: values of textures: address modes, nearest texel, linear filter with 8-bit weights,
 * cubemaps, levels of detail.
 * SOURCE: CUDA C++ Programming Guide, "Texture Fetching"; levels of detail: an H200
 * (tests/data/cuda/mipmaps.cu).
 * LEFT OUT: anisotropic filtering. An H200's logarithm of slopes differs by up to 1/256; where it
 * filters within and between levels, by up to 1/2000 of the texels' difference.
 */
#include "exec/memory/texture.h"

#include <math.h>
#include <string.h>

#include "exec/alu/half.h"

enum { FRACTION = 256 }; /* filter weights have 8 fraction bits */

uint64_t exec_texture_bytes(const struct exec_texture *texture)
{
    const uint64_t slices = (uint64_t)texture->size[2] * texture->layers;
    const uint64_t row = (uint64_t)texture->size[0] * texture->components * texture->bits / 8;
    return (slices - 1) * texture->layer + (texture->size[1] - 1) * texture->pitch + row;
}

/* Returns the texel number for coordinate `at` of dimension `d`, as the address mode says; -1: the
 * border's value. */
static int32_t inside(const struct exec_texture *texture, unsigned d, int64_t at)
{
    const int64_t size = texture->size[d];
    unsigned beyond = texture->beyond[d];
    if (at >= 0 && at < size)
        return (int32_t)at;
    if (!texture->normalized && (beyond == TEXTURE_WRAP || beyond == TEXTURE_MIRROR))
        beyond = TEXTURE_CLAMP;
    if (beyond == TEXTURE_BORDER)
        return -1;
    if (beyond == TEXTURE_CLAMP)
        return at < 0 ? 0 : (int32_t)(size - 1);
    const int64_t period = beyond == TEXTURE_WRAP ? size : 2 * size;
    const int64_t in = (at % period + period) % period;
    return (int32_t)(in < size ? in : period - 1 - in);
}

static uint32_t raw_component(const struct exec_texture *texture, const uint8_t *from)
{
    uint32_t raw = 0;
    memcpy(&raw, from, texture->bits / 8u);
    if (texture->format == TEXTURE_SIGNED && texture->bits < 32)
        raw = (uint32_t)((int32_t)(raw << (32 - texture->bits)) >> (32 - texture->bits));
    if (texture->format == TEXTURE_FLOAT && texture->bits == 16)
        raw = alu_float_bits(half_value(raw));
    return raw;
}

/* Returns an integer as a fraction of the largest one of its type; the smallest signed one gives -1
 * too. */
static float as_fraction(const struct exec_texture *texture, uint32_t raw)
{
    const float most = (float)((UINT32_C(1) << (texture->bits - 1)) - 1);
    if (texture->format == TEXTURE_UNSIGNED)
        return (float)raw / (2 * most + 1);
    return fmaxf((float)(int32_t)raw / most, -1.0f);
}

static uint64_t offset_of(const struct exec_texture *texture, const int32_t at[], uint32_t layer)
{
    const uint32_t last = texture->layers - 1;
    const uint64_t slice = texture->layers > 1 ? (layer < last ? layer : last) : (uint32_t)at[2];
    return slice * texture->layer + (uint32_t)at[1] * texture->pitch +
           (uint64_t)(uint32_t)at[0] * texture->components * texture->bits / 8;
}

/* Reads the components of a texel; components that the texel lacks are 0. Returns the texel's byte
 * offset. */
static uint64_t texel(const struct exec_texture *texture, const uint8_t *texels, const int32_t at[],
                      uint32_t layer, uint32_t value[TEXTURE_COMPONENTS])
{
    const bool border = at[0] < 0 || at[1] < 0 || at[2] < 0;
    const int32_t nearest[] = {at[0] < 0 ? 0 : at[0], at[1] < 0 ? 0 : at[1], at[2] < 0 ? 0 : at[2]};
    const uint64_t offset = offset_of(texture, nearest, layer);
    for (unsigned c = 0; c < TEXTURE_COMPONENTS; c++) {
        value[c] = 0;
        if (c >= texture->components)
            continue;
        if (!border)
            value[c] = raw_component(texture, texels + offset + (size_t)c * texture->bits / 8);
        if (border)
            value[c] = alu_float_bits(texture->border[c]);
        else if (texture->fraction && texture->format != TEXTURE_FLOAT)
            value[c] = alu_float_bits(as_fraction(texture, value[c]));
    }
    return offset;
}

/* Returns a coordinate in texels. NaN and very large coordinates become numbers that fit an
 * integer. */
static double in_texels(const struct exec_texture *texture, unsigned d, float coordinate)
{
    const double far = 0x1p40, scale = texture->normalized ? texture->size[d] : 1;
    const double at = (double)coordinate * scale;
    if (isnan(at) || texture->size[d] == 1)
        return 0.5; /* tex1D is encoded as an access in two dimensions */
    return at > far ? far : at < -far ? -far : at;
}

/* Returns the first of the two texels that a filter uses in dimension `d`, and the weight of the
 * second. */
static int64_t first_of_two(const struct exec_texture *texture, unsigned d,
                            const struct exec_texture_point *point, float *weight)
{
    const double at = in_texels(texture, d, point->position[d]) - 0.5;
    const double fixed = floor(at * FRACTION + 0.5), first = floor(fixed / FRACTION);
    *weight = (float)(fixed / FRACTION - first);
    return (int64_t)first;
}

static uint64_t filter(const struct exec_texture *texture, const uint8_t *texels,
                       const struct exec_texture_point *point, uint32_t value[TEXTURE_COMPONENTS])
{
    float weight[TEXTURE_DIMENSIONS];
    int64_t first[TEXTURE_DIMENSIONS];
    double sum[TEXTURE_COMPONENTS] = {0};
    uint64_t offset = 0;
    for (unsigned d = 0; d < TEXTURE_DIMENSIONS; d++)
        first[d] = first_of_two(texture, d, point, &weight[d]);
    for (unsigned corner = 0; corner < 1u << TEXTURE_DIMENSIONS; corner++) {
        double share = 1;
        int32_t at[TEXTURE_DIMENSIONS];
        for (unsigned d = 0; d < TEXTURE_DIMENSIONS; d++) {
            const unsigned second = corner >> d & 1;
            at[d] = inside(texture, d, first[d] + second);
            share *= second ? (double)weight[d] : 1 - (double)weight[d];
        }
        if (share == 0)
            continue;
        const uint64_t from = texel(texture, texels, at, point->layer, value);
        offset = corner == 0 ? from : offset;
        for (unsigned c = 0; c < TEXTURE_COMPONENTS; c++)
            sum[c] += share * (double)alu_float(value[c]);
    }
    for (unsigned c = 0; c < TEXTURE_COMPONENTS; c++)
        value[c] = alu_float_bits((float)sum[c]);
    return offset;
}

uint64_t exec_texture_sample(const struct exec_texture *texture, const uint8_t *texels,
                             const struct exec_texture_point *point,
                             uint32_t value[TEXTURE_COMPONENTS])
{
    if (texture->linear)
        return filter(texture, texels, point, value);
    int32_t at[TEXTURE_DIMENSIONS];
    for (unsigned d = 0; d < TEXTURE_DIMENSIONS; d++)
        at[d] = inside(texture, d, (int64_t)floor(in_texels(texture, d, point->position[d])));
    return texel(texture, texels, at, point->layer, value);
}

uint64_t exec_texture_fetch(const struct exec_texture *texture, const uint8_t *texels,
                            const struct exec_texture_point *point,
                            uint32_t value[TEXTURE_COMPONENTS])
{
    int32_t at[TEXTURE_DIMENSIONS];
    bool outside = false;
    for (unsigned d = 0; d < TEXTURE_DIMENSIONS; d++) {
        outside |= point->texel[d] < 0 || (uint32_t)point->texel[d] >= texture->size[d];
        at[d] = outside ? 0 : point->texel[d];
    }
    const uint64_t offset = texel(texture, texels, at, point->layer, value);
    if (outside)
        memset(value, 0, TEXTURE_COMPONENTS * sizeof *value);
    return offset;
}

uint64_t exec_texture_gather(const struct exec_texture *texture, const uint8_t *texels,
                             const struct exec_texture_point *point, uint32_t component,
                             uint32_t value[TEXTURE_COMPONENTS])
{
    static const uint8_t order[TEXTURE_COMPONENTS][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    float weight;
    uint64_t offset = 0;
    int64_t x = first_of_two(texture, 0, point, &weight);
    int64_t y = first_of_two(texture, 1, point, &weight);
    for (unsigned i = 0; i < TEXTURE_COMPONENTS; i++) {
        uint32_t all[TEXTURE_COMPONENTS];
        const int32_t at[] = {inside(texture, 0, x + order[i][0]),
                              inside(texture, 1, y + order[i][1]), 0};
        offset = texel(texture, texels, at, point->layer, all);
        value[i] = all[component % TEXTURE_COMPONENTS];
    }
    return offset;
}

/* Rounds a level of detail down to a multiple of 1 / FRACTION. */
static float fixed(float lod)
{
    return floorf(lod * FRACTION) / FRACTION;
}

float exec_texture_level(const struct exec_texture *texture, float lod)
{
    const float last = (float)(texture->levels - 1);
    const float wanted = fixed(isnan(lod) ? 0.0f : lod) + fixed(texture->bias);
    const float within = fmaxf(fminf(wanted, texture->coarsest), texture->least);
    const float at = fixed(fmaxf(fminf(within, last), 0.0f));
    return texture->between ? at : floorf(at + 0.5f);
}

float exec_texture_lod(const struct exec_texture *texture, const float slope[4])
{
    const float width = (float)texture->size[0], height = (float)texture->size[1];
    const float dx = hypotf(slope[0] * width, slope[2] * height);
    const float dy = hypotf(slope[1] * width, slope[3] * height);
    return log2f(fmaxf(dx, dy));
}

void exec_texture_face(struct exec_texture_point *point)
{
    /* "Cubemap Textures" of the CUDA C++ Programming Guide: s and t by face, each as a component
     * and its sign. */
    static const struct {
        uint8_t s, t;
        int8_t s_sign, t_sign;
    } faces[] = {{2, 1, -1, -1}, {2, 1, 1, -1}, {0, 2, 1, 1},
                 {0, 2, 1, -1},  {0, 1, 1, -1}, {0, 1, -1, -1}};
    const float *p = point->position;
    const float x = fabsf(p[0]), y = fabsf(p[1]), z = fabsf(p[2]);
    const unsigned axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
    const unsigned face = 2 * axis + (p[axis] < 0);
    const float most = fabsf(p[axis]);
    const float s = (float)faces[face].s_sign * p[faces[face].s] / most;
    const float t = (float)faces[face].t_sign * p[faces[face].t] / most;
    point->position[0] = (s + 1) / 2;
    point->position[1] = (t + 1) / 2;
    point->position[2] = 0;
    point->layer = point->layer * 6 + face;
}
