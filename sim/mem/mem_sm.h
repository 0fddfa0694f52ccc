/* The SM's half of the memory system, from inside. */
#ifndef SIM_MEM_MEM_SM_H
#define SIM_MEM_MEM_SM_H

#include "mem/flat.h"
#include "mem/mem.h"
#include "mem/timing.h"

struct mem_sm {
    const struct mem_timing *timing;
    struct tally *tally;
    struct flat flat;
};

/* False: out of memory. `timing` must outlive it. */
bool mem_sm_init(struct mem_sm *sm, const struct simsm_config *config,
                 const struct mem_timing *timing, uint32_t shared_bytes);
void mem_sm_free(struct mem_sm *sm);

#endif
