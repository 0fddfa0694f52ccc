/* Packets that wait for the translation of their address, in the order in which they go on. */
#ifndef SIM_MEM_LATE_H
#define SIM_MEM_LATE_H

#include "mem/outbox.h"

struct late_packet {
    struct packet packet; /* packet.leaves: the cycle at which it goes on */
    uint64_t order;       /* of arrival */
    uint32_t sm;
};

/* A heap; the packet that goes on first is at the top. */
struct late {
    struct late_packet *heap; /* [room] */
    size_t count, room;
    uint64_t arrived;
};

/* Makes room for all packets that `sms` SMs can have under way. Returns false if memory runs out.
 */
bool late_init(struct late *late, struct arena *arena, const struct simsm_config *config,
               uint32_t sms);

/* Adds a packet of SM `sm`, which goes on at `cycle`. */
void late_add(struct late *late, const struct packet *packet, uint32_t sm, uint64_t cycle);

/* Returns the cycle at which the next packet goes on; MEM_NEVER if none waits. */
static inline uint64_t late_next(const struct late *late)
{
    return late->count != 0 ? late->heap[0].packet.leaves : MEM_NEVER;
}

/* Takes the packet that goes on first; there must be one. */
struct late_packet late_take(struct late *late);

#endif
