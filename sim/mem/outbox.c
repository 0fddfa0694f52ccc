/*
 * MODEL: the port of an SM towards L2. It moves xbar.request_bytes a cycle, in the order in which
 * packets are sent. The load/store stage holds back while the port is more than OUTBOX_BACKLOG
 * cycles behind.
 * SOURCE: H200, cuda/calib/atomic reductions* and bandwidth l2_store (bytes of a packet, outbox.h);
 * the backlog is an own choice.
 * LEFT OUT: virtual channels and conflicts inside the crossbar.
 */
#include "mem/outbox.h"

bool outbox_init(struct outbox *outbox, struct arena *arena, const struct simsm_config *config,
                 uint64_t window, uint32_t most)
{
    uint64_t cycles = window + OUTBOX_BACKLOG + 1;
    /* All lines of one instruction of stores may be sent although they leave in later windows. */
    uint64_t room = outbox_most(config->xbar_request_bytes, cycles) + 2 * (uint64_t)most;
    *outbox =
        (struct outbox){.port = {.rate = config->xbar_request_bytes}, .room = 1, .most = most};
    while (outbox->room < room)
        outbox->room *= 2;
    outbox->ring = arena_take_pool(arena, outbox->room, sizeof *outbox->ring);
    return outbox->ring != NULL;
}
