/*
 * MODEL: the contents of L2 between launches: lines of the previous launch, and memory written by
 * copies and fills. A copy of the host leaves the lines there that L2 has, in the partition that
 * owns them, and takes in others as far as one way of each set goes. Fills and copies within the
 * device are kernels: they may fill L2, and leave copies in the other partition, as stores do.
 * SOURCE: H200, cuda/probe/l2_keep (docs/calibration.md): of 1 MB from the host all lines are in
 * L2, of 4, 8, 16 and 32 MB 3.5 MB, a sixteenth of L2; of a fill or a kernel's stores all of 32 MB
 * and 40 MB of 64, as of a kernel's loads. A load takes 370 cycles in the mean after the host, 325
 * after a kernel.
 * LEFT OUT: the lines that a copy within the device reads; places that dropped copies leave free
 * take in more of what the host copies (48 MB of 48 after a fill).
 */
#include "cuda/l2_contents.h"

#include <stdlib.h>

#include "api/simsm_front.h"
#include "model/mem_written.h"

struct l2_contents {
    struct mem_lines *lines;     /* lines that the last launch left; NULL: no launch yet */
    struct mem_written *written; /* [count] since the last launch */
    size_t count, room;
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
    free(contents->written);
    free(contents);
}

/* Limits what L2 takes in of the host's copies to `most` bytes: it keeps the last. */
static void limit_host(struct l2_contents *contents, uint64_t most)
{
    for (size_t i = contents->count; i-- > 0;) {
        struct mem_written *written = &contents->written[i];
        if (!written->by_host)
            continue;
        written->kept = written->kept < most ? written->kept : most;
        most -= written->kept;
    }
}

/* The memory is dropped if out of memory: the contents of L2 are an estimate anyway. */
void l2_contents_add(struct l2_contents *contents, const struct mem_written *written, uint64_t most)
{
    if (!contents)
        return;
    if (contents->count == contents->room) {
        const size_t room = contents->room ? 2 * contents->room : 64;
        struct mem_written *grown = realloc(contents->written, room * sizeof *grown);
        if (!grown)
            return;
        contents->written = grown;
        contents->room = room;
    }
    contents->written[contents->count++] = *written;
    if (written->by_host)
        limit_host(contents, most);
}

void l2_contents_restore(struct l2_contents *contents, struct simsm *simulation)
{
    if (!contents)
        return;
    if (contents->lines)
        simsm_give_lines(simulation, contents->lines);
    for (size_t i = 0; i < contents->count; i++)
        simsm_hold(simulation, &contents->written[i]);
    contents->count = 0;
}

void l2_contents_save(struct l2_contents *contents, struct simsm *simulation)
{
    if (!contents || !simulation)
        return;
    simsm_lines_free(contents->lines);
    contents->lines = simsm_take_lines(simulation);
}
