#include "mem/outbox.h"

bool outbox_init(struct outbox *outbox, struct arena *arena, const struct simsm_config *config,
                 uint64_t window, uint32_t most)
{
    uint64_t cycles = window + OUTBOX_BACKLOG + 1;
    /* Of one instruction of stores all lines may be sent that leave in later windows. */
    uint64_t room = outbox_most(config->xbar_request_bytes, cycles) + 2 * (uint64_t)most;
    *outbox =
        (struct outbox){.port = {.rate = config->xbar_request_bytes}, .room = 1, .most = most};
    while (outbox->room < room)
        outbox->room *= 2;
    outbox->ring = arena_take_pool(arena, outbox->room, sizeof *outbox->ring);
    return outbox->ring != NULL;
}
