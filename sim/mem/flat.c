/*
 * MODEL: memory in which every access takes a constant latency and nothing queues: one latency for
 * shared memory, one for all other spaces.
 * SOURCE: own choice, as a reference for the other grades.
 * LEFT OUT: caches, L2, DRAM, rates and conflicts.
 */
#include "mem/flat.h"

static bool queue_init(struct flat_queue *queue, struct arena *arena, uint32_t per_cycle,
                       uint32_t latency, uint8_t level)
{
    *queue =
        (struct flat_queue){.room = per_cycle * (latency + 1), .latency = latency, .level = level};
    queue->ring = arena_take(arena, queue->room, sizeof *queue->ring);
    return queue->ring != NULL;
}

bool flat_init(struct flat *flat, struct arena *arena, uint32_t per_cycle, uint32_t global_latency,
               uint32_t shared_latency)
{
    flat->accepted = 0;
    return queue_init(&flat->queue[FLAT_GLOBAL], arena, per_cycle, global_latency,
                      SIMSM_LEVEL_L1) &&
           queue_init(&flat->queue[FLAT_SHARED], arena, per_cycle, shared_latency,
                      SIMSM_LEVEL_SHARED);
}

bool flat_add(struct flat *flat, unsigned index, uint64_t now, uint32_t tag)
{
    struct flat_queue *queue = &flat->queue[index];
    if (queue->count == queue->room)
        return false;
    uint32_t at = queue->first + queue->count++;
    queue->ring[at < queue->room ? at : at - queue->room] =
        (struct flat_entry){now + queue->latency, tag, flat->accepted++};
    return true;
}

static const struct flat_entry *head(const struct flat_queue *queue)
{
    return queue->count != 0 ? &queue->ring[queue->first] : NULL;
}

/* Returns the queue with the earliest first entry; NULL if all queues are empty. */
static const struct flat_queue *next_queue(const struct flat *flat)
{
    const struct flat_queue *best = NULL;
    for (unsigned i = 0; i < FLAT_QUEUES; i++) {
        const struct flat_entry *a = head(&flat->queue[i]);
        const struct flat_entry *b = best != NULL ? head(best) : NULL;
        if (a != NULL && (b == NULL || a->cycle < b->cycle ||
                          (a->cycle == b->cycle && (int32_t)(a->order - b->order) < 0)))
            best = &flat->queue[i];
    }
    return best;
}

uint64_t flat_next(const struct flat *flat)
{
    const struct flat_queue *queue = next_queue(flat);
    return queue != NULL ? head(queue)->cycle : MEM_NEVER;
}

unsigned flat_collect(struct flat *flat, uint64_t now, struct mem_done *done, unsigned max)
{
    unsigned count = 0;
    while (count < max) {
        const struct flat_queue *next = next_queue(flat);
        if (next == NULL || head(next)->cycle > now)
            break;
        struct flat_queue *queue = &flat->queue[next - flat->queue];
        done[count++] = (struct mem_done){head(queue)->cycle, head(queue)->tag, queue->level};
        queue->first = queue->first + 1 < queue->room ? queue->first + 1 : 0;
        queue->count--;
    }
    return count;
}
