#include "mem/mem.h"

#include <stdlib.h>

#include "mem/mem_sm.h"

/* Without a crossbar nothing passes between SMs, and any length would do. */
enum { FLAT_WINDOW = 64, LONGEST_WINDOW = 512 };

struct mem {
    struct mem_timing timing;
    uint32_t sms;
    struct mem_sm *sm; /* [sms] */
};

struct mem *mem_create(const struct simsm_config *config, uint32_t sms, uint32_t shared_bytes)
{
    struct mem *mem = calloc(1, sizeof *mem);
    if (mem == NULL)
        return NULL;
    timing_init(&mem->timing, config);
    mem->sms = sms;
    mem->sm = calloc(sms, sizeof *mem->sm);
    bool ok = mem->sm != NULL;
    for (uint32_t i = 0; ok && i < sms; i++)
        ok = mem_sm_init(&mem->sm[i], config, &mem->timing, shared_bytes);
    if (ok)
        return mem;
    mem_destroy(mem);
    return NULL;
}

void mem_destroy(struct mem *mem)
{
    if (mem == NULL)
        return;
    for (uint32_t i = 0; mem->sm != NULL && i < mem->sms; i++)
        mem_sm_free(&mem->sm[i]);
    free(mem->sm);
    free(mem);
}

uint64_t mem_window(const struct mem *mem)
{
    if (mem->timing.flat)
        return FLAT_WINDOW;
    return mem->timing.xbar_latency < LONGEST_WINDOW ? mem->timing.xbar_latency : LONGEST_WINDOW;
}

struct mem_sm *mem_sm_of(struct mem *mem, uint32_t sm, struct tally *tally)
{
    mem->sm[sm].tally = tally;
    return &mem->sm[sm];
}

void mem_exchange(struct mem *mem, uint64_t window_end, struct tally *tally)
{
    (void)mem;
    (void)window_end;
    (void)tally;
}
