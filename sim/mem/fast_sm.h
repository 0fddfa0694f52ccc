/*
 * memory.model: fast, the SM's half: which sectors L1 has, and what it asks L2 for. There are no
 * miss registers, packets or lines of stores: of what is under way only the number is bounded.
 */
#ifndef SIM_MEM_FAST_SM_H
#define SIM_MEM_FAST_SM_H

#include "mem/fast_cache.h"
#include "mem/ids.h"
#include "mem/mem.h"
#include "mem/memop.h"
#include "mem/port.h"
#include "model/inst.h"

struct mem_sm;

/* Lines become free again in steps of so many cycles; a line holds its place for at most as long as
 * all steps together. */
enum { FAST_STEP = 16, FAST_STEPS = 4096 };
/* The arrivals of so many asks are remembered: more than are under way, but for stores. */
enum { FAST_ARRIVALS = 4096 };

/* A line that an instruction asks L2 for. */
struct fast_packet {
    uint64_t leaves, line; /* line: of L1 */
    uint16_t request;
    uint16_t join; /* others that wait for it: the last one, 0: none */
    uint8_t mask;  /* sectors */
    uint8_t kind;  /* enum memop_action */
    uint8_t atomic, repeat, turns;
    bool alone;   /* joins no read of another SM */
    bool partial; /* a store that leaves parts of sectors */
};

struct fast_arrival {
    uint64_t cycle;
    uint8_t level;
};

/* A request that waits for a line which another one has asked for. */
struct fast_join {
    uint16_t request, next;
};

struct fast_sm {
    struct fast_cache l1;
    struct port way_out, reply; /* to L2 and back */
    struct fast_packet *packet; /* [room], a ring in the order in which they leave */
    uint32_t room, head, tail;
    struct fast_join *join; /* [of ids]; 0 is none */
    struct ids joins;
    uint64_t served_until; /* what leaves before has been answered */
    uint32_t flying, limit;
    uint64_t drained;             /* step up to which `landing` has been taken off `flying` */
    uint16_t *land;               /* [FAST_STEPS] lines that arrive in this step */
    struct fast_arrival *arrival; /* [FAST_ARRIVALS] of the ask of this number, modulo all */
};

/* False: out of memory. */
bool fast_sm_init(struct fast_sm *fast, struct arena *arena, const struct simsm_config *config,
                  uint32_t shared_bytes, uint64_t window);

/* Cycle from which there is room for an instruction; not above `now` if there is. */
uint64_t fast_room_at(struct mem_sm *sm, uint64_t now, bool stores);

/* An instruction for global, local or texture memory whose passes are known: `ready` is when L1
 * answers it. The stage's free_at is set. What it touches is in sm->stage.touched. */
void fast_load(struct mem_sm *sm, uint64_t now, const struct memop *op,
               const struct mem_request *request, uint64_t ready);
void fast_store(struct mem_sm *sm, uint64_t now, const struct memop *op,
                const struct mem_request *request, uint64_t ready);

/* The ask that leaves next; NULL: none. */
static inline struct fast_packet *fast_next_packet(const struct fast_sm *fast)
{
    return fast->head != fast->tail ? &fast->packet[fast->head & (fast->room - 1)] : NULL;
}

/* Its data arrive at `cycle`, from `level`; it is dropped. */
void fast_answer(struct mem_sm *sm, uint64_t cycle, uint8_t level);

/* A cycle before which nothing completes that has not been answered. */
uint64_t fast_next_unknown(const struct mem_sm *sm);

#endif
