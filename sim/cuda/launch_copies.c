/* The list of launches that others may repeat. */
#include "cuda/launch_copies.h"

#include <stdlib.h>
#include <string.h>

/* A launch is executed twice if it repeats none: after so many of its shape no further one is. */
enum { MOST_MISSES = 8 };

struct shape {
    uint64_t identity; /* of the kernel */
    uint32_t grid[3], block[3], shared;
    uint64_t launches, misses;
};

struct done {
    uint64_t identity, hash;
    struct journal_launch row;
};

struct launch_copies {
    struct shape *shape; /* [shapes] */
    struct done *done;   /* [count] */
    size_t shapes, shape_room, count, room;
    uint64_t copies;
};

struct launch_copies *launch_copies_new(void)
{
    return calloc(1, sizeof(struct launch_copies));
}

void launch_copies_free(struct launch_copies *copies)
{
    if (!copies)
        return;
    free(copies->shape);
    free(copies->done);
    free(copies);
}

static bool grow(void **list, size_t *room, size_t count, size_t size)
{
    if (count < *room)
        return true;
    const size_t more = *room ? 2 * *room : 32;
    void *grown = realloc(*list, more * size);
    if (!grown)
        return false;
    *list = grown;
    *room = more;
    return true;
}

/* Returns the launches of this kernel, grid and block; NULL: there are none. */
static struct shape *find_shape(const struct launch_copies *copies,
                                const struct journal_launch *row)
{
    for (size_t i = 0; i < copies->shapes; i++) {
        struct shape *shape = &copies->shape[i];
        if (shape->identity == row->identity && shape->shared == row->launch.shared_dynamic &&
            memcmp(shape->grid, row->launch.grid, sizeof shape->grid) == 0 &&
            memcmp(shape->block, row->launch.block, sizeof shape->block) == 0)
            return shape;
    }
    return NULL;
}

bool launch_copies_may_repeat(struct launch_copies *copies, const struct journal_launch *row)
{
    struct shape *shape = find_shape(copies, row);
    if (shape)
        return ++shape->launches && shape->misses < MOST_MISSES;
    if (!grow((void **)&copies->shape, &copies->shape_room, copies->shapes, sizeof *copies->shape))
        return false;
    shape = &copies->shape[copies->shapes++];
    *shape = (struct shape){
        .identity = row->identity, .shared = row->launch.shared_dynamic, .launches = 1};
    memcpy(shape->grid, row->launch.grid, sizeof shape->grid);
    memcpy(shape->block, row->launch.block, sizeof shape->block);
    return false;
}

bool launch_copies_find(struct launch_copies *copies, const struct sample_signature *signature,
                        struct journal_launch *row)
{
    struct shape *shape = find_shape(copies, row);
    for (size_t i = 0; signature->known && i < copies->count; i++) {
        const struct done *done = &copies->done[i];
        if (done->identity != row->identity || done->hash != signature->hash)
            continue;
        const struct journal_launch mine = *row;
        *row = done->row;
        row->number = mine.number;
        row->launch = mine.launch;
        row->title = mine.title;
        row->chosen = mine.chosen;
        row->timed = false;
        row->mark = SAMPLE_COPY;
        row->like = done->row.number;
        copies->copies++;
        if (shape)
            shape->misses = 0;
        return true;
    }
    if (shape)
        shape->misses++;
    return false;
}

void launch_copies_add(struct launch_copies *copies, uint64_t hash,
                       const struct journal_launch *row)
{
    if (grow((void **)&copies->done, &copies->room, copies->count, sizeof *copies->done))
        copies->done[copies->count++] =
            (struct done){.identity = row->identity, .hash = hash, .row = *row};
}

uint64_t launch_copies_count(const struct launch_copies *copies)
{
    return copies ? copies->copies : 0;
}
