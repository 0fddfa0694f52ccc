/*
 * MODEL: the packets that wait for a translation. Any number of them can wait, and a packet whose
 * translation is there passes those that wait.
 * SOURCE: H100, cuda/probe/page_walks burst: 32 lanes of a warp wait at once for 32 pages; more is
 * an own choice.
 * LEFT OUT: a limit of the packets of one SM.
 */
#include "mem/late.h"

bool late_init(struct late *late, struct arena *arena, const struct simsm_config *config,
               uint32_t sms)
{
    if (config->tlb_entries == 0)
        return true;
    const uint32_t l2_line = config->l2_line_bytes, l1_line = config->l1_line_bytes;
    const uint32_t pieces = l1_line > l2_line ? l1_line / l2_line : 1;
    /* A register may ask for each sector in a packet of its own. A store may leave beyond
     * xbar.stores_in_flight if it is the only one (stores.c). */
    late->room = (size_t)sms * (config->l1_mshrs * (l1_line / SECTOR_BYTES) +
                                config->xbar_stores_in_flight + pieces * COALESCE_LINES);
    late->heap = arena_take_pool(arena, late->room, sizeof *late->heap);
    return late->heap != NULL;
}

static bool is_before(const struct late_packet *a, const struct late_packet *b)
{
    return a->packet.leaves < b->packet.leaves ||
           (a->packet.leaves == b->packet.leaves && a->order < b->order);
}

void late_add(struct late *late, const struct packet *packet, uint32_t sm, uint64_t cycle)
{
    SIMSM_CHECK(late->count < late->room, "%zu packets wait, room for %zu", late->count,
                late->room);
    struct late_packet added = {*packet, late->arrived++, sm};
    added.packet.leaves = cycle;
    size_t at = late->count++;
    for (; at != 0 && is_before(&added, &late->heap[(at - 1) / 2]); at = (at - 1) / 2)
        late->heap[at] = late->heap[(at - 1) / 2];
    late->heap[at] = added;
}

struct late_packet late_take(struct late *late)
{
    SIMSM_CHECK(late->count != 0, "no packet waits, %llu have come",
                (unsigned long long)late->arrived);
    const struct late_packet first = late->heap[0];
    const struct late_packet last = late->heap[--late->count];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < late->count; at = child) {
        if (child + 1 < late->count && is_before(&late->heap[child + 1], &late->heap[child]))
            child++;
        if (!is_before(&late->heap[child], &last))
            break;
        late->heap[at] = late->heap[child];
    }
    if (late->count != 0)
        late->heap[at] = last;
    return first;
}
