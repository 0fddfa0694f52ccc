/* Arrays and mipmapped arrays in device memory, and the table of texture and surface objects. */
#include "cuda/textures.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "exec/memory/texture.h"

enum { ROW_UNIT = 128 }; /* bytes: rows begin at a line of the caches */
enum { ARRAY_LAYERED = 1, ARRAY_CUBEMAP = 4 };

/* What the program gave to create an object. */
struct object_origin {
    struct cuda_resource resource;
    struct cuda_texture description; /* of a texture */
};

struct textures {
    struct array *array;
    struct exec_textures table;
    struct object_origin *origin; /* as many as the table has entries */
};

static struct textures *textures_of(struct runtime *rt)
{
    if (!rt->textures)
        rt->textures = calloc(1, sizeof *rt->textures);
    return rt->textures;
}

/*
 * Finds the number of components and their bits in a channel description. Returns false if the
 * format is not supported.
 */
static bool channel_format(const struct cuda_channel *channel, uint32_t *components, uint32_t *bits)
{
    const int first = channel->bits[0];
    *bits = (uint32_t)first;
    *components = 0;
    while (*components < 4 && channel->bits[*components] == first)
        ++*components;
    for (uint32_t i = *components; i < 4; i++)
        if (channel->bits[i])
            return false;
    return (first == 8 || first == 16 || first == 32) && *components && *components != 3 &&
           channel->kind >= TEXTURE_SIGNED && channel->kind <= TEXTURE_FLOAT;
}

static enum cuda_error bad_channel(const struct cuda_channel *c)
{
    return rt_report(CUDA_INVALID_CHANNEL_DESCRIPTOR,
                     "a channel description of %d, %d, %d, %d bits, kind %d: simsm has 1, 2 or 4 "
                     "components of 8, 16 or 32 bits",
                     c->bits[0], c->bits[1], c->bits[2], c->bits[3], c->kind);
}

static uint64_t at_least_one(size_t n)
{
    return n ? n : 1;
}

/* Lays out an array in rows and layers, and allocates its device memory. */
static enum cuda_error allocate(struct runtime *rt, struct array *array)
{
    const uint64_t most = UINT32_MAX >> 4, rows = at_least_one(array->extent.height);
    const uint64_t slices = at_least_one(array->extent.depth);
    if (!array->extent.width || array->extent.width > most || rows > most || slices > most)
        return CUDA_INVALID_VALUE;
    array->pitch = (array->extent.width * array->element + ROW_UNIT - 1) / ROW_UNIT * ROW_UNIT;
    array->layer = array->pitch * rows;
    if (array->layer > UINT64_MAX / 2 / slices)
        return CUDA_MEMORY_ALLOCATION;
    array->address = device_alloc(rt->memory, array->layer * slices, "cudaMallocArray");
    return array->address
               ? CUDA_SUCCESS
               : rt_report(CUDA_MEMORY_ALLOCATION,
                           "%llu bytes of device memory are not free: see --device-memory",
                           (unsigned long long)(array->layer * slices));
}

struct array *textures_new_array(struct runtime *rt, const struct cuda_channel *channel,
                                 struct cuda_extent extent, unsigned flags, enum cuda_error *error)
{
    uint32_t components, bits;
    struct textures *textures = textures_of(rt);
    struct array *array = calloc(1, sizeof *array);
    *error = CUDA_MEMORY_ALLOCATION;
    if (!array || !textures || !channel_format(channel, &components, &bits)) {
        if (array && textures)
            *error = bad_channel(channel);
        free(array);
        return NULL;
    }
    *array = (struct array){
        .channel = *channel, .extent = extent, .flags = flags, .element = components * bits / 8};
    *error = allocate(rt, array);
    if (*error != CUDA_SUCCESS) {
        free(array);
        return NULL;
    }
    array->next = textures->array;
    textures->array = array;
    return array;
}

struct array *textures_array(const struct runtime *rt, const void *handle)
{
    struct array *array = rt->textures ? rt->textures->array : NULL;
    while (array && array != handle)
        array = array->next;
    if (array && array->address)
        return array;
    (void)rt_report(CUDA_INVALID_RESOURCE_HANDLE, "%p is no array%s", handle,
                    array ? " any more: it has been freed" : "");
    return NULL;
}

void textures_free_array(struct runtime *rt, struct array *array)
{
    const bool freed = device_free(rt->memory, array->address);
    SIMSM_CHECK(freed, "an array at %#llx has no device memory",
                (unsigned long long)array->address);
    array->address = 0;
    if (array->coarser)
        textures_free_array(rt, array->coarser);
}

/* Halves the extent; dimensions that an array does not have stay 0, and layers stay. */
static struct cuda_extent halve(struct cuda_extent extent, unsigned flags)
{
    const bool layered = (flags & (ARRAY_LAYERED | ARRAY_CUBEMAP)) != 0;
    extent.width = extent.width > 1 ? extent.width / 2 : extent.width;
    extent.height = extent.height > 1 ? extent.height / 2 : extent.height;
    extent.depth = extent.depth > 1 && !layered ? extent.depth / 2 : extent.depth;
    return extent;
}

static bool is_smallest(struct cuda_extent extent, unsigned flags)
{
    const struct cuda_extent half = halve(extent, flags);
    return half.width == extent.width && half.height == extent.height && half.depth == extent.depth;
}

struct array *textures_new_mipmap(struct runtime *rt, const struct cuda_channel *channel,
                                  struct cuda_extent extent, unsigned levels, unsigned flags,
                                  enum cuda_error *error)
{
    struct array *finest = textures_new_array(rt, channel, extent, flags, error);
    struct array *last = finest;
    if (!finest)
        return NULL;
    finest->level = 1;
    for (unsigned i = 1; i < levels && !is_smallest(extent, flags); i++) {
        extent = halve(extent, flags);
        last->coarser = textures_new_array(rt, channel, extent, flags, error);
        if (!last->coarser) {
            textures_free_array(rt, finest);
            return NULL;
        }
        last = last->coarser;
        last->level = i + 1;
    }
    return finest;
}

struct array *textures_mipmap(const struct runtime *rt, const void *handle)
{
    struct array *array = textures_array(rt, handle);
    return array && array->level == 1 ? array : NULL;
}

/*
 * Fills what queries say of an array: an H100's answers (cuda/probe/texture_queries.cu). Layers
 * stand behind the dimensions of each; a cubemap's faces are layers of surfaces only.
 */
static void describe_array(const struct array *array, bool surface, struct exec_texture *texture)
{
    enum { FACES = 6 };
    const struct cuda_extent *extent = &array->extent;
    const bool layered = (array->flags & ARRAY_LAYERED) != 0;
    uint32_t depth = (uint32_t)extent->depth, height = (uint32_t)extent->height;
    if (array->flags & ARRAY_CUBEMAP && !surface)
        depth = layered ? depth / FACES : 0;
    if (!height) {
        height = layered ? depth : !surface;
        depth = 0;
    }
    texture->queried[0] = (uint32_t)extent->width;
    texture->queried[1] = height;
    texture->queried[2] = depth;
}

/* Describes the texels of an array. */
static enum cuda_error view_array(const struct runtime *rt, const void *handle, bool surface,
                                  struct exec_texture *texture, struct cuda_channel *channel)
{
    const struct array *array = textures_array(rt, handle);
    if (!array)
        return CUDA_INVALID_RESOURCE_HANDLE;
    const bool layered = (array->flags & (ARRAY_LAYERED | ARRAY_CUBEMAP)) != 0;
    const uint32_t slices = (uint32_t)at_least_one(array->extent.depth);
    *channel = array->channel;
    *texture = (struct exec_texture){.address = array->address,
                                     .pitch = array->pitch,
                                     .layer = array->layer,
                                     .size = {(uint32_t)array->extent.width,
                                              (uint32_t)at_least_one(array->extent.height),
                                              layered ? 1 : slices},
                                     .layers = layered ? slices : 1,
                                     .surface = surface};
    describe_array(array, surface, texture);
    return CUDA_SUCCESS;
}

/* Describes the texels of an array or of plain device memory. */
static enum cuda_error view(const struct runtime *rt, const struct cuda_resource *resource,
                            bool surface, struct exec_texture *texture)
{
    const struct cuda_memory_view *memory = &resource->as.memory;
    struct cuda_channel channel = memory->channel;
    uint32_t components, bits;
    enum cuda_error error = CUDA_SUCCESS;
    const bool mipmap = resource->type == RESOURCE_MIPMAPPED;
    if (mipmap && !textures_mipmap(rt, resource->as.array))
        return CUDA_INVALID_RESOURCE_HANDLE;
    if (resource->type == RESOURCE_ARRAY || mipmap)
        error = view_array(rt, resource->as.array, surface, texture, &channel);
    else if (resource->type != RESOURCE_LINEAR && resource->type != RESOURCE_PITCH_2D)
        error = CUDA_INVALID_VALUE;
    if (error != CUDA_SUCCESS)
        return error;
    if (!channel_format(&channel, &components, &bits))
        return bad_channel(&channel);
    if (resource->type != RESOURCE_ARRAY && !mipmap) {
        const bool rows = resource->type == RESOURCE_PITCH_2D;
        const size_t width = rows ? memory->width : memory->width / (components * bits / 8);
        *texture =
            (struct exec_texture){.address = (uintptr_t)memory->pointer,
                                  .pitch = rows ? memory->pitch : 0,
                                  .size = {(uint32_t)width, rows ? (uint32_t)memory->height : 1, 1},
                                  .queried = {(uint32_t)width, rows ? (uint32_t)memory->height : 0},
                                  .layers = 1};
        if (!width || (rows && !memory->height))
            return CUDA_INVALID_VALUE;
    }
    texture->components = (uint8_t)components;
    texture->bits = (uint8_t)bits;
    texture->format = (uint8_t)channel.kind;
    if (!device_pointer(rt->memory, texture->address, exec_texture_bytes(texture)))
        return rt_report(CUDA_INVALID_VALUE,
                         "the memory of the object, %llu bytes at %#llx, is not "
                         "all in one allocation of device memory",
                         (unsigned long long)exec_texture_bytes(texture),
                         (unsigned long long)texture->address);
    return CUDA_SUCCESS;
}

/*
 * Sets addressing, filtering and reading of a texture. `memory`: linear memory, which has no filter
 * and no normalized coordinates.
 */
static enum cuda_error describe(const struct cuda_texture *description, bool memory,
                                struct exec_texture *texture)
{
    for (int d = 0; d < TEXTURE_DIMENSIONS; d++) {
        if ((unsigned)description->beyond[d] > TEXTURE_BORDER)
            return CUDA_INVALID_VALUE;
        texture->beyond[d] = (uint8_t)description->beyond[d];
    }
    texture->linear = description->linear != 0 && !memory;
    texture->normalized = description->normalized != 0 && !memory;
    texture->fraction = description->fraction != 0;
    memcpy(texture->border, description->border, sizeof texture->border);
    texture->between = description->mipmap_linear != 0;
    texture->bias = description->mipmap_bias;
    texture->least = description->mipmap_min;
    texture->coarsest = description->mipmap_max;
    if ((texture->linear || texture->between) && !texture->fraction &&
        texture->format != TEXTURE_FLOAT)
        return rt_report(CUDA_INVALID_VALUE, "integers are filtered only if they are read as "
                                             "cudaReadModeNormalizedFloat");
    if (description->srgb)
        return rt_report(CUDA_NOT_SUPPORTED, "sRGB textures are not supported");
    return CUDA_SUCCESS;
}

/*
 * Lists the levels of a mipmapped array, which are read as `texture` says. Returns false if out of
 * memory.
 */
static bool list_levels(const struct runtime *rt, const struct array *finest,
                        struct exec_texture *texture)
{
    uint32_t count = 0;
    for (const struct array *array = finest; array; array = array->coarser)
        count++;
    struct exec_texture *level = calloc(count, sizeof *level);
    if (!level)
        return false;
    struct cuda_channel channel;
    for (const struct array *array = finest; array; array = array->coarser) {
        struct exec_texture place;
        struct exec_texture *at = &level[texture->levels++];
        (void)view_array(rt, array, false, &place, &channel);
        *at = *texture;
        at->address = place.address;
        at->pitch = place.pitch;
        at->layer = place.layer;
        memcpy(at->size, place.size, sizeof at->size);
        memcpy(at->queried, place.queried, sizeof at->queried);
    }
    texture->level = level;
    return true;
}

/* Returns a free entry of the table; NULL if out of memory. */
static struct exec_texture *new_item(struct textures *textures)
{
    struct exec_textures *table = &textures->table;
    for (uint32_t i = 0; i < table->count; i++)
        if (!table->item[i].address)
            return &table->item[i];
    struct exec_texture *item = realloc(table->item, (table->count + 1) * sizeof *item);
    if (!item)
        return NULL;
    table->item = item;
    struct object_origin *origin = realloc(textures->origin, (table->count + 1) * sizeof *origin);
    if (!origin)
        return NULL;
    textures->origin = origin;
    table->item[table->count] = (struct exec_texture){0};
    return &table->item[table->count++];
}

enum cuda_error textures_new_object(struct runtime *rt, const struct cuda_resource *resource,
                                    const struct cuda_texture *description, uint64_t *handle)
{
    struct exec_texture texture;
    struct textures *textures = textures_of(rt);
    enum cuda_error error =
        textures ? view(rt, resource, !description, &texture) : CUDA_MEMORY_ALLOCATION;
    if (error == CUDA_SUCCESS && description)
        error = describe(description, resource->type == RESOURCE_LINEAR, &texture);
    if (error == CUDA_SUCCESS && !description && resource->type != RESOURCE_ARRAY)
        error = rt_report(CUDA_INVALID_VALUE, "surfaces are made of arrays");
    if (error != CUDA_SUCCESS)
        return error;
    struct exec_texture *item = new_item(textures);
    if (!item ||
        (resource->type == RESOURCE_MIPMAPPED && !list_levels(rt, resource->as.array, &texture)))
        return CUDA_MEMORY_ALLOCATION;
    *item = texture;
    *handle = (uint64_t)(item - textures->table.item) + 1;
    struct object_origin *origin = &textures->origin[*handle - 1];
    *origin = (struct object_origin){.resource = *resource};
    if (description)
        origin->description = *description;
    return CUDA_SUCCESS;
}

/* Returns the entry of an object in the table; NULL if there is no such texture or surface. */
static struct exec_texture *find_item(const struct runtime *rt, uint64_t handle, bool surface)
{
    struct exec_textures *table = rt->textures ? &rt->textures->table : NULL;
    struct exec_texture *item =
        table && handle && handle <= table->count ? &table->item[handle - 1] : NULL;
    return item && item->address && item->surface == surface ? item : NULL;
}

bool textures_free_object(struct runtime *rt, uint64_t handle, bool surface)
{
    struct exec_texture *item = find_item(rt, handle, surface);
    if (!item)
        return false;
    free((void *)(uintptr_t)item->level);
    *item = (struct exec_texture){0};
    return true;
}

bool textures_find_object(const struct runtime *rt, uint64_t handle, bool surface,
                          struct cuda_resource *resource, struct cuda_texture *description)
{
    if (!find_item(rt, handle, surface))
        return false;
    const struct object_origin *origin = &rt->textures->origin[handle - 1];
    *resource = origin->resource;
    if (!surface)
        *description = origin->description;
    return true;
}

const struct exec_textures *textures_table(const struct textures *textures)
{
    return textures ? &textures->table : NULL;
}

void textures_destroy(struct textures *textures)
{
    if (!textures)
        return;
    for (struct array *next, *array = textures->array; array; array = next) {
        next = array->next;
        free(array);
    }
    for (uint32_t i = 0; i < textures->table.count; i++)
        free((void *)(uintptr_t)textures->table.item[i].level);
    free(textures->table.item);
    free(textures->origin);
    free(textures);
}
