#include "mem/outbox.h"

bool outbox_init(struct outbox *outbox, uint32_t rate, uint64_t window, uint32_t most)
{
    uint64_t room = outbox_most(rate, window + OUTBOX_BACKLOG + 1) + most;
    *outbox = (struct outbox){.port = {.rate = rate}, .room = 1, .most = most};
    while (outbox->room < room)
        outbox->room *= 2;
    outbox->ring = calloc(outbox->room, sizeof *outbox->ring);
    return outbox->ring != NULL;
}

void outbox_free(struct outbox *outbox)
{
    free(outbox->ring);
}
