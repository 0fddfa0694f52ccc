#include "mem/mem_sm.h"

#include "mem/banks.h"
#include "mem/coalesce.h"
#include "mem/memop.h"

bool mem_sm_init(struct mem_sm *sm, const struct simsm_config *config,
                 const struct mem_timing *timing, uint32_t shared_bytes)
{
    (void)shared_bytes;
    sm->timing = timing;
    return flat_init(&sm->flat, config->sm_sub_partitions, timing->flat_latency,
                     timing->flat_shared);
}

void mem_sm_free(struct mem_sm *sm)
{
    flat_free(&sm->flat);
}

static void count_line(struct mem_sm *sm, const struct mem_request *request, uint32_t n)
{
    if (sm->tally->lines != NULL)
        sm->tally->lines[request->line].sectors += n;
}

/* Counts a shared-memory access and returns its passes. */
static uint32_t count_shared(struct mem_sm *sm, const struct mem_request *request,
                             const struct memop *op)
{
    struct bank_passes banks = {0, 0};
    if (op->action == MEMOP_ATOMIC)
        banks.passes = banks_turns(request->addresses, request->lanes, sm->timing->banks).passes;
    else
        banks = banks_passes(request->addresses, request->lanes, request->width, sm->timing->banks);
    memop_count(sm->tally, op->requests, 1);
    memop_count(sm->tally, op->sectors, banks.passes);
    memop_count(sm->tally, op->hits, banks.passes - banks.groups);
    count_line(sm, request, banks.passes);
    return banks.passes;
}

static void count_global(struct mem_sm *sm, const struct mem_request *request,
                         const struct memop *op, const struct coalesced *touched)
{
    uint32_t lanes = (uint32_t)__builtin_popcount(request->lanes);
    memop_count(sm->tally, op->requests, 1);
    memop_count(sm->tally, op->sectors, touched->sectors);
    memop_count(sm->tally, op->bytes, (uint64_t)lanes * request->width);
    count_line(sm, request, touched->sectors);
}

/* Ideal and fixed: a latency, no stage. */
static struct mem_outcome access_flat(struct mem_sm *sm, uint64_t now,
                                      const struct mem_request *request, const struct memop *op)
{
    bool shared = op->space == MEMOP_SHARED;
    if (!flat_add(&sm->flat, shared ? FLAT_SHARED : FLAT_GLOBAL, now, request->tag))
        return (struct mem_outcome){false, now + 1};
    if (shared) {
        count_shared(sm, request, op);
    } else {
        struct coalesced touched;
        coalesce(request->addresses, request->lanes, request->width, sm->timing->line_shift,
                 &touched);
        count_global(sm, request, op, &touched);
    }
    TALLY(sm->tally, MEM_REQUESTS_STARTED, 1);
    return (struct mem_outcome){true, now};
}

struct mem_outcome mem_sm_access(struct mem_sm *sm, uint64_t now, const struct mem_request *request)
{
    return access_flat(sm, now, request, &memops[request->op]);
}

uint64_t mem_sm_next(const struct mem_sm *sm)
{
    return flat_next(&sm->flat);
}

unsigned mem_sm_collect(struct mem_sm *sm, uint64_t now, struct mem_done *done, unsigned max)
{
    unsigned count = flat_collect(&sm->flat, now, done, max);
    TALLY(sm->tally, MEM_REQUESTS_DONE, count);
    return count;
}
