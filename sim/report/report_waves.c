#include "report/report_waves.h"
#include "language/language.h"

#include <math.h>
#include <stdio.h>

const char wave_tail_words[] = N_("of all SMs' places, first block to last: empty, no block left");

double wave_tail_percent(const struct simsm_stats *stats)
{
    const struct simsm_gap *gap = &stats->gap;
    /* 0: of a timeline that does not have it. A launch that was stopped ends with its blocks. */
    const bool known = stats->complete && stats->last_end_cycle != 0;
    const uint64_t end = known ? stats->last_end_cycle : stats->cycles;
    const double places = (double)stats->sms * stats->occupancy.warps;
    if (end <= stats->launch_cycles || places <= 0)
        return NAN;
    const double empty = (double)gap->few_blocks + (double)gap->partial_wave +
                         (double)gap->across_blocks + (double)gap->idle -
                         (double)(stats->cycles - end) * places; /* gap->idle counts them */
    return 100.0 * empty / ((double)(end - stats->launch_cycles) * places);
}

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
