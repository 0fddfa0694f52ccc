/* The list of launches that others may repeat. */
#include "cuda/launch_copies.h"

#include <stdlib.h>
#include <string.h>

/* A launch that is executed on trial and repeats no other has cost a second execution: after so
 * many in a row, launches of the kernel with this grid and block are not tried any more. */
enum { MOST_MISSES = 8 };

struct shape {
    uint64_t identity; /* of the kernel */
    struct simsm_launch launch;
    uint64_t launches, misses;
};

struct done {
    uint64_t hash;
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

/* Returns whether all that is known before the first instruction is the same. */
static bool is_same(const struct simsm_launch *a, const struct simsm_launch *b)
{
    return memcmp(a->grid, b->grid, sizeof a->grid) == 0 &&
           memcmp(a->block, b->block, sizeof a->block) == 0 && a->registers == b->registers &&
           a->shared_static == b->shared_static && a->shared_dynamic == b->shared_dynamic &&
           a->carveout == b->carveout;
}

/* Returns the launches of this kernel, grid and block; NULL: there are none. */
static struct shape *find_shape(const struct launch_copies *copies,
                                const struct journal_launch *row)
{
    for (size_t i = 0; i < copies->shapes; i++) {
        struct shape *shape = &copies->shape[i];
        if (shape->identity == row->identity && is_same(&shape->launch, &row->launch))
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
    *shape = (struct shape){.identity = row->identity, .launch = row->launch, .launches = 1};
    return false;
}

bool launch_copies_find(struct launch_copies *copies, const struct sample_signature *signature,
                        struct journal_launch *row)
{
    struct shape *shape = find_shape(copies, row);
    for (size_t i = 0; signature->known && i < copies->count; i++) {
        const struct done *done = &copies->done[i];
        if (done->hash != signature->hash || done->row.identity != row->identity ||
            !is_same(&done->row.launch, &row->launch))
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
        copies->done[copies->count++] = (struct done){.hash = hash, .row = *row};
}

uint64_t launch_copies_count(const struct launch_copies *copies)
{
    return copies ? copies->copies : 0;
}
