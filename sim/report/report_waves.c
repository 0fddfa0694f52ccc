#include "report/report_waves.h"
#include "language/language.h"

#include <stdio.h>

const char wave_tail_words[] = N_("of all SMs' places, first block to end: empty, no block left");

bool wave_count_words(const struct simsm_stats *stats, char *text, size_t size)
{
    unsigned long long wave = (unsigned long long)stats->sms * stats->occupancy.blocks;
    unsigned long long blocks = simsm_grid_blocks(&stats->launch);
    if (!wave)
        return false;
    unsigned long long full = blocks / wave;
    unsigned long long rest = blocks % wave;
    if (!full)
        (void)snprintf(text, size, _("less than one: %llu block%s, and room for %llu"), rest,
                       rest == 1 ? "" : "s", wave);
    else if (rest)
        (void)snprintf(text, size, _("%llu full; the last one has %llu of %llu blocks"), full, rest,
                       wave);
    else
        (void)snprintf(text, size, _("all full: %llu blocks at a time on %u SM%s"), wave,
                       stats->sms, stats->sms == 1 ? "" : "s");
    return true;
}
