#include "mem/outbox.h"

bool outbox_init(struct outbox *outbox, uint32_t rate, uint64_t window)
{
    uint64_t most = outbox_most(rate, window + OUTBOX_BACKLOG + 1) + OUTBOX_MOST;
    *outbox = (struct outbox){.port = {.rate = rate}, .room = 1};
    while (outbox->room < most)
        outbox->room *= 2;
    outbox->ring = calloc(outbox->room, sizeof *outbox->ring);
    return outbox->ring != NULL;
}

void outbox_free(struct outbox *outbox)
{
    free(outbox->ring);
}
