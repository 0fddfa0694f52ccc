/*
 * MODEL: address translation, behind L1. An SM has a small buffer of translations. What it lacks
 * comes from the buffer of its CPC (three TPCs of a GPC), which serves one SM at a time and holds
 * all pages that its SMs have used. A page that is new to a CPC comes from what the GPU has
 * translated. A page that is new to the GPU is walked: its entry is read from memory, one walk
 * after another. A packet that waits lets later ones pass.
 * SOURCE: H100, cuda/probe/page_walks. Laps: 17 pieces of 16 MB cost 10 cycles a load more than 16,
 * and 64 GB no more than that. Scatter: an SM gets a translation in 1.3 cycles, all in 1 / 23.4:
 * one a cycle for each of 24 CPCs. Turns: the first SM to load from a page waits 740 cycles longer
 * than later ones, the first of each of 24 groups (TPC k of a GPC: CPC k modulo 3) 130. Second:
 * what lies within the same 32 MB is known then. Bursts: walks are 41 cycles apart, and 62 over 33
 * GB. Launches under Nsight Compute with empty caches: 830 to 1060 cycles, once for a page in a
 * program. H200, cuda/probe/first_use: 57 to 75 cycles a walk over 64 MB to 16 GB.
 * LEFT OUT: pages that a later launch of a program is the first to use (all of them count as
 * known), smaller pages, levels of the page table; the 330 cycles of the second GPC's first fill.
 */
#include "mem/tlb.h"

#include <stdlib.h>

#include "base/check.h"
#include "config/gpcs.h"
#include "mem/timing.h"

enum { FIRST_PAGES = 64, CPCS_OF_GPC = 3 };

/* Numbers the CPCs. Returns their number. */
static uint32_t number_cpcs(const struct simsm_config *config, uint16_t *cpc_of_sm)
{
    enum { MOST = 512 };       /* TPCs */
    uint16_t tpcs[MOST] = {0}; /* of a GPC so far */
    uint32_t most = 0;
    for (uint32_t sm = 0; sm < config->gpu_sms; sm++) {
        const uint32_t gpc = gpcs_of_sm(config, sm);
        SIMSM_CHECK(gpc < MOST, "SM %u is in GPC %u", sm, gpc);
        const uint32_t tpc = sm % 2 == 0 ? tpcs[gpc]++ : tpcs[gpc] - 1u;
        const uint32_t cpc = gpc * CPCS_OF_GPC + tpc % CPCS_OF_GPC;
        cpc_of_sm[sm] = (uint16_t)cpc;
        most = cpc >= most ? cpc + 1 : most;
    }
    return most;
}

/* Takes room for `room` pages from the heap. */
static bool make_table(struct tlb *tlb, uint32_t room)
{
    tlb->page = calloc(room, sizeof *tlb->page);
    tlb->filled = calloc((size_t)room * tlb->cpcs, sizeof *tlb->filled);
    tlb->room = room;
    return tlb->page != NULL && tlb->filled != NULL;
}

bool tlb_init(struct tlb *tlb, struct arena *arena, const struct simsm_config *config)
{
    *tlb = (struct tlb){.entries = config->tlb_entries,
                        .reach_shift = timing_shift(config->tlb_reach_bytes),
                        .page_shift = timing_shift(config->tlb_page_bytes),
                        .miss_latency = config->tlb_miss_latency,
                        .miss_interval = config->tlb_miss_interval,
                        .fill_latency = config->tlb_fill_latency,
                        .fill_interval = config->tlb_fill_interval,
                        .walk_latency = config->tlb_walk_latency,
                        .walk_interval = config->tlb_walk_interval,
                        .all_known = true};
    if (tlb->entries == 0)
        return true;
    tlb->sm = arena_take_pool(arena, config->gpu_sms, sizeof *tlb->sm);
    tlb->cpc_of_sm = arena_take_pool(arena, config->gpu_sms, sizeof *tlb->cpc_of_sm);
    if (tlb->sm == NULL || tlb->cpc_of_sm == NULL)
        return false;
    tlb->cpcs = number_cpcs(config, tlb->cpc_of_sm);
    tlb->cpc = arena_take_pool(arena, tlb->cpcs, sizeof *tlb->cpc);
    return tlb->cpc != NULL && make_table(tlb, FIRST_PAGES);
}

void tlb_free(struct tlb *tlb)
{
    free(tlb->page);
    free(tlb->filled);
    tlb->page = NULL;
    tlb->filled = NULL;
}

/* Returns the place of a page in the table, or of the gap where it belongs. */
static uint32_t place_of(const struct tlb *tlb, uint64_t number)
{
    uint32_t at = (uint32_t)(number * UINT64_C(0x9E3779B97F4A7C15) >> 40);
    for (;; at++) {
        const uint64_t found = tlb->page[at & (tlb->room - 1)].number;
        if (found == number + 1 || found == 0)
            return at & (tlb->room - 1);
    }
}

static bool grow(struct tlb *tlb)
{
    struct tlb old = *tlb;
    if (!make_table(tlb, 2 * old.room)) {
        tlb_free(tlb);
        *tlb = old;
        tlb->no_memory = true;
        return false;
    }
    for (uint32_t i = 0; i < old.room; i++) {
        if (old.page[i].number == 0)
            continue;
        const uint32_t at = place_of(tlb, old.page[i].number - 1);
        tlb->page[at] = old.page[i];
        for (uint32_t cpc = 0; cpc < tlb->cpcs; cpc++)
            tlb->filled[(size_t)at * tlb->cpcs + cpc] = old.filled[(size_t)i * tlb->cpcs + cpc];
    }
    tlb_free(&old);
    return true;
}

/* Returns the cycle at which the CPC has the page; it is asked for at `now`. */
static uint64_t bring_page(struct tlb *tlb, struct tally *tally, uint32_t cpc, uint64_t number,
                           uint64_t now)
{
    if (tlb->all_known || (2 * tlb->pages >= tlb->room && !grow(tlb)))
        return now;
    const uint32_t at = place_of(tlb, number);
    struct tlb_page *page = &tlb->page[at];
    uint64_t *filled = &tlb->filled[(size_t)at * tlb->cpcs + cpc];
    if (page->number == 0) {
        const uint64_t begins = now > tlb->walk_at ? now : tlb->walk_at;
        tlb->walk_at = begins + tlb->walk_interval;
        *page = (struct tlb_page){number + 1, begins + tlb->walk_latency};
        tlb->pages++;
        TALLY(tally, TLB_WALKS, 1);
    }
    if (*filled == 0) {
        const uint64_t begins = now > tlb->cpc[cpc].fill_at ? now : tlb->cpc[cpc].fill_at;
        tlb->cpc[cpc].fill_at = begins + tlb->fill_interval;
        *filled =
            begins + tlb->fill_latency > page->walked ? begins + tlb->fill_latency : page->walked;
    }
    return *filled > now ? *filled : now;
}

/* Makes entry `from` the most recently used one. */
static void move_to_front(struct tlb_sm *sm, uint32_t from, uint64_t page, uint64_t ready)
{
    for (uint32_t i = from; i > 0; i--) {
        sm->page[i] = sm->page[i - 1];
        sm->ready[i] = sm->ready[i - 1];
    }
    sm->page[0] = page;
    sm->ready[0] = ready;
}

uint64_t tlb_translate(struct tlb *tlb, struct tally *tally, uint32_t sm_index, uint64_t address,
                       uint64_t now)
{
    struct tlb_sm *sm = &tlb->sm[sm_index];
    const uint64_t page = (address >> tlb->reach_shift) + 1;
    uint32_t at = 0;
    while (at < tlb->entries && sm->page[at] != page)
        at++;
    if (at == tlb->entries && tlb->all_known && sm->page[at - 1] == 0) {
        /* A buffer with room has kept what earlier launches used. */
        move_to_front(sm, at - 1, page, 0);
    } else if (at == tlb->entries) {
        struct tlb_cpc *cpc = &tlb->cpc[tlb->cpc_of_sm[sm_index]];
        const uint64_t turn = now > cpc->free_at ? now : cpc->free_at;
        cpc->free_at = turn + tlb->miss_interval;
        const uint64_t ready = bring_page(tlb, tally, tlb->cpc_of_sm[sm_index],
                                          address >> tlb->page_shift, turn + tlb->miss_latency);
        TALLY(tally, TLB_MISSES, 1);
        move_to_front(sm, at - 1, page, ready);
    } else if (at != 0) {
        move_to_front(sm, at, page, sm->ready[at]);
    }
    if (sm->ready[0] <= now)
        return now;
    TALLY(tally, TLB_WAIT_CYCLES, sm->ready[0] - now);
    return sm->ready[0];
}
