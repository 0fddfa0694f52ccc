/*
 * Address translation: the buffers of translations (TLBs) that a packet passes on its way from an
 * SM to L2. A GPU whose configuration has no tlb.entries translates in no time.
 */
#ifndef SIM_MEM_TLB_H
#define SIM_MEM_TLB_H

#include "base/arena.h"
#include "model/tally.h"
#include "simsm/config.h"

enum { TLB_ENTRIES = 32 }; /* most entries of an SM's buffer */

/* The buffer of one SM, the most recently used entry first. */
struct tlb_sm {
    uint64_t page[TLB_ENTRIES];  /* number + 1 of a piece of tlb.reach_bytes; 0: empty */
    uint64_t ready[TLB_ENTRIES]; /* cycle from which the translation is there */
};

/* The buffer that the SMs of a CPC share, as far as time is concerned. */
struct tlb_cpc {
    uint64_t free_at; /* when it takes the next miss of an SM */
    uint64_t fill_at; /* when it asks for the next page */
};

/* A page of tlb.page_bytes, in a table by its number. */
struct tlb_page {
    uint64_t number; /* + 1; 0: no page */
    uint64_t walked; /* cycle at which its entry has been read from memory */
};

struct tlb {
    uint32_t entries; /* of an SM's buffer; 0: no translation */
    uint32_t reach_shift, page_shift;
    uint32_t miss_latency, miss_interval, fill_latency, fill_interval, walk_latency, walk_interval;
    bool all_known; /* earlier launches have used every page, and the SMs' buffers hold their share
                     */
    bool no_memory; /* the table could not grow; pages that it lacks count as known */
    uint64_t walk_at;    /* when the next walk may begin */
    struct tlb_sm *sm;   /* [SM] */
    uint16_t *cpc_of_sm; /* [SM] */
    struct tlb_cpc *cpc; /* [cpcs] */
    uint32_t cpcs;
    struct tlb_page *page; /* [room], a power of two; from the heap, as pages are found */
    uint64_t *filled;      /* [room][cpcs]: cycle at which a CPC has the page; 0: never asked */
    uint32_t room, pages;
};

/* Initialises the buffers; all pages are known. Returns false if memory runs out. */
bool tlb_init(struct tlb *tlb, struct arena *arena, const struct simsm_config *config);
/* Frees the table of pages; what the arena holds stays. */
void tlb_free(struct tlb *tlb);

/* Returns the cycle, `now` or later, at which the translation of `address` for SM `sm` is there.
 * Calls must be in the order of `now`. */
uint64_t tlb_translate(struct tlb *tlb, struct tally *tally, uint32_t sm, uint64_t address,
                       uint64_t now);

#endif
