#include "report/memory_links.h"

#include <math.h>

#define COUNT(id) ((double)stats->counter[SIMSM_COUNTER_##id])

static double percent(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : NAN;
}

/* A pass moves a word of each bank; L1 moves as much in a cycle, from the same memory. */
void memory_links(const struct simsm_config *config, const struct simsm_stats *stats,
                  const struct simsm_metric metrics[METRIC_COUNT],
                  struct memory_link links[LINK_COUNT])
{
    const double sector = 32, pass = 4.0 * config->shared_banks;
    const double sm_cycles = (double)stats->cycles * stats->sms;
    const double loaded = COUNT(GLOBAL_LD_SECTORS), local = COUNT(LOCAL_SECTORS);
    struct memory_link *l1 = &links[LINK_SM_L1], *shared = &links[LINK_SM_SHARED];
    *shared = (struct memory_link){.name = "SM - shared",
                                   .read = pass * COUNT(SHARED_LD_WAVEFRONTS),
                                   .written = pass * COUNT(SHARED_ST_WAVEFRONTS),
                                   .other = pass * COUNT(SHARED_ATOM_WAVEFRONTS),
                                   .hit_percent = NAN};
    *l1 = (struct memory_link){.name = "SM - L1",
                               .read = sector * loaded,
                               .written = sector * COUNT(GLOBAL_ST_SECTORS),
                               .other = sector * (COUNT(GLOBAL_ATOM_SECTORS) + local),
                               .hit_percent = metrics[METRIC_L1_HIT].value};
    shared->peak_percent =
        percent(shared->read + shared->written + shared->other, sm_cycles * pass);
    l1->peak_percent = percent(l1->read + l1->written + l1->other, sm_cycles * pass);
    links[LINK_SHARED_L2] = (struct memory_link){.name = "shared - L2",
                                                 .read = COUNT(TMA_LD_BYTES),
                                                 .written = COUNT(TMA_ST_BYTES),
                                                 .other = COUNT(TMA_RED_BYTES),
                                                 .hit_percent = NAN,
                                                 .peak_percent = NAN};
    links[LINK_L1_L2] = (struct memory_link){.name = "L1 - L2",
                                             .read = sector * COUNT(L2_SM_READ_SECTORS),
                                             .written = sector * COUNT(L2_SM_WRITE_SECTORS),
                                             .other = sector * COUNT(L2_ATOM_SECTORS),
                                             .hit_percent = metrics[METRIC_L2_HIT].value,
                                             .peak_percent = metrics[METRIC_L2_THROUGHPUT].value};
    links[LINK_L2_DRAM] =
        (struct memory_link){.name = "L2 - DRAM",
                             .read = COUNT(DRAM_READ_BYTES),
                             .written = COUNT(DRAM_WRITE_BYTES),
                             .hit_percent = NAN,
                             .peak_percent = metrics[METRIC_DRAM_THROUGHPUT].value};
}

bool memory_link_used(const struct memory_link *link)
{
    return link->read + link->written + link->other > 0;
}
