/* The list of launches that others may repeat. */
#include "cuda/launch_copies.h"

#include <stdlib.h>
#include <string.h>

#include "base/pool.h"

/* A launch that is executed on trial and repeats no other has cost a second execution: after so
 * many in a row, launches of the kernel with this grid and block are not tried any more. */
enum { MOST_MISSES = 8 };

struct shape {
    uint64_t identity; /* of the kernel */
    struct simsm_launch launch;
    uint64_t misses;
};

struct done {
    uint64_t hash;
    struct journal_launch row;
};

struct launch_copies {
    struct pool shapes; /* of struct shape */
    struct pool done;   /* of struct done */
    uint64_t copies;
};

struct launch_copies *launch_copies_new(void)
{
    struct launch_copies *copies = calloc(1, sizeof *copies);
    if (copies) {
        copies->shapes.size = sizeof(struct shape);
        copies->done.size = sizeof(struct done);
    }
    return copies;
}

void launch_copies_free(struct launch_copies *copies)
{
    if (!copies)
        return;
    pool_free(&copies->shapes);
    pool_free(&copies->done);
    free(copies);
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
    struct shape *shape = copies->shapes.data;
    for (size_t i = 0; i < copies->shapes.count; i++)
        if (shape[i].identity == row->identity && is_same(&shape[i].launch, &row->launch))
            return &shape[i];
    return NULL;
}

bool launch_copies_may_repeat(struct launch_copies *copies, const struct journal_launch *row)
{
    struct shape *shape = find_shape(copies, row);
    if (shape)
        return shape->misses < MOST_MISSES;
    const struct shape first = {.identity = row->identity, .launch = row->launch};
    (void)pool_add(&copies->shapes, &first); /* without memory it is not tried */
    return false;
}

bool launch_copies_find(struct launch_copies *copies, const struct sample_signature *signature,
                        struct journal_launch *row)
{
    struct shape *shape = find_shape(copies, row);
    const struct done *all = copies->done.data;
    for (size_t i = 0; signature->known && i < copies->done.count; i++) {
        const struct done *done = &all[i];
        if (done->hash != signature->hash || done->row.identity != row->identity ||
            done->row.translates != row->translates || !is_same(&done->row.launch, &row->launch))
            continue;
        const struct journal_launch mine = *row;
        *row = done->row;
        row->number = mine.number;
        row->launch = mine.launch;
        row->title = mine.title;
        row->range = mine.range;
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
    struct done done = {.hash = hash, .row = *row};
    done.row.digest = NULL;               /* the row keeps it */
    (void)pool_add(&copies->done, &done); /* without memory it will be timed again */
}

uint64_t launch_copies_count(const struct launch_copies *copies)
{
    return copies ? copies->copies : 0;
}
