/*
 * MODEL: the contents of L2 between launches: lines of the previous launch, and ranges written by
 * copies and fills. Copies of the host have one way of each set; other writes may fill L2.
 * SOURCE: H200, cuda/probe/l2_keep (docs/calibration.md): of 1 MB from the host all lines are in
 * L2, of 4, 8, 16 and 32 MB 3.5 MB, a sixteenth of L2; of a fill or a kernel's stores all of 32 MB.
 * LEFT OUT: lines that were in L2 before a copy of the host stay there, beyond this way.
 */
#include "cuda/l2_contents.h"

#include <stdlib.h>

#include "api/simsm_front.h"

struct written_range {
    uint64_t address, bytes;
    bool by_host;
};

struct l2_contents {
    struct mem_lines *lines;     /* lines that the last launch left; NULL: no launch yet */
    struct written_range *range; /* [ranges] written since the last launch */
    size_t ranges, room;
};

struct l2_contents *l2_contents_new(void)
{
    return calloc(1, sizeof(struct l2_contents));
}

void l2_contents_free(struct l2_contents *contents)
{
    if (!contents)
        return;
    simsm_lines_free(contents->lines);
    free(contents->range);
    free(contents);
}

/* Cuts the beginning off what copies of the host have written first, until `most` bytes are left.
 */
static void limit_host(struct l2_contents *contents, uint64_t most)
{
    for (size_t i = contents->ranges; i-- > 0;) {
        struct written_range *range = &contents->range[i];
        if (!range->by_host)
            continue;
        const uint64_t kept = range->bytes < most ? range->bytes : most;
        range->address += range->bytes - kept;
        range->bytes = kept;
        most -= kept;
    }
}

/* The range is dropped if out of memory: the contents of L2 are an estimate anyway. */
void l2_contents_add(struct l2_contents *contents, uint64_t address, uint64_t bytes,
                     uint64_t host_bytes)
{
    if (!contents)
        return;
    if (contents->ranges == contents->room) {
        const size_t room = contents->room ? 2 * contents->room : 64;
        struct written_range *grown = realloc(contents->range, room * sizeof *grown);
        if (!grown)
            return;
        contents->range = grown;
        contents->room = room;
    }
    contents->range[contents->ranges++] = (struct written_range){address, bytes, host_bytes != 0};
    if (host_bytes != 0)
        limit_host(contents, host_bytes);
}

void l2_contents_restore(struct l2_contents *contents, struct simsm *simulation)
{
    if (!contents)
        return;
    if (contents->lines)
        simsm_give_lines(simulation, contents->lines);
    for (size_t i = 0; i < contents->ranges; i++)
        simsm_hold(simulation, contents->range[i].address, contents->range[i].bytes);
    contents->ranges = 0;
}

void l2_contents_save(struct l2_contents *contents, struct simsm *simulation)
{
    if (!contents || !simulation)
        return;
    simsm_lines_free(contents->lines);
    contents->lines = simsm_take_lines(simulation);
}
