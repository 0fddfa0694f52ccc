#include "cuda/l2_contents.h"

#include <stdlib.h>

#include "api/simsm_front.h"

struct written_range {
    uint64_t address, bytes;
};

struct l2_contents {
    struct mem_lines *lines;     /* NULL: no launch has ended */
    struct written_range *range; /* [ranges] written since */
    size_t ranges, room;
};

struct l2_contents *l2_contents_new(void)
{
    return calloc(1, sizeof(struct l2_contents));
}

void l2_contents_free(struct l2_contents *warm)
{
    if (!warm)
        return;
    simsm_lines_free(warm->lines);
    free(warm->range);
    free(warm);
}

/* Without memory for it a range is forgotten: it is only an estimate of what L2 holds. */
void l2_contents_add(struct l2_contents *warm, uint64_t address, uint64_t bytes)
{
    if (!warm)
        return;
    if (warm->ranges == warm->room) {
        const size_t room = warm->room ? 2 * warm->room : 64;
        struct written_range *grown = realloc(warm->range, room * sizeof *grown);
        if (!grown)
            return;
        warm->range = grown;
        warm->room = room;
    }
    warm->range[warm->ranges++] = (struct written_range){address, bytes};
}

void l2_contents_restore(struct l2_contents *warm, struct simsm *simulation)
{
    if (!warm)
        return;
    if (warm->lines)
        simsm_give_lines(simulation, warm->lines);
    for (size_t i = 0; i < warm->ranges; i++)
        simsm_hold(simulation, warm->range[i].address, warm->range[i].bytes);
    warm->ranges = 0;
}

void l2_contents_save(struct l2_contents *warm, struct simsm *simulation)
{
    if (!warm || !simulation)
        return;
    simsm_lines_free(warm->lines);
    warm->lines = simsm_take_lines(simulation);
}
