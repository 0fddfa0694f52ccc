#include "mem/outbox.h"

bool outbox_init(struct outbox *outbox, const struct simsm_config *config, uint64_t window,
                 uint32_t most)
{
    uint64_t cycles = window + OUTBOX_BACKLOG + 1;
    uint64_t joining = cycles * config->l1_tags_per_cycle; /* stores that take no time to send */
    uint64_t room = outbox_most(config->xbar_request_bytes, cycles) + joining + most;
    *outbox = (struct outbox){.port = {.rate = config->xbar_request_bytes},
                              .room = 1,
                              .most = most,
                              .merge_cycles = config->xbar_merge_cycles};
    while (outbox->room < room)
        outbox->room *= 2;
    outbox->ring = calloc(outbox->room, sizeof *outbox->ring);
    return outbox->ring != NULL;
}

void outbox_free(struct outbox *outbox)
{
    free(outbox->ring);
}
