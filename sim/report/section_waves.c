#include "report/section.h"

void section_waves(const struct section *section)
{
    const struct simsm_stats *stats = section->stats;
    uint64_t wave = (uint64_t)stats->sms * stats->occupancy.blocks;
    uint64_t blocks = simsm_grid_blocks(&stats->launch);
    section_title(section, "Waves");
    if (wave) {
        uint64_t full = blocks / wave, rest = blocks % wave;
        struct quantity waves = quantity_ratio(section_value(section, METRIC_WAVES));
        if (!full)
            section_row(section, "waves", waves, "less than one: %llu blocks, and room for %llu",
                        (unsigned long long)rest, (unsigned long long)wave);
        else if (rest)
            section_row(section, "waves", waves, "%llu full; the last one has %llu of %llu blocks",
                        (unsigned long long)full, (unsigned long long)rest,
                        (unsigned long long)wave);
        else
            section_row(section, "waves", waves, "all full: %llu blocks at a time on %u SM%s",
                        (unsigned long long)wave, stats->sms, stats->sms == 1 ? "" : "s");
    }
    if (stats->blocks_done)
        section_row(section, "block duration",
                    quantity_count((double)stats->block_cycles_sum / (double)stats->blocks_done),
                    "cycles, mean of %s; shortest %s, longest %s",
                    quantity_of((double)stats->blocks_done, "block").text,
                    quantity_count((double)stats->block_cycles_min).text,
                    quantity_count((double)stats->block_cycles_max).text);
    section_row(section, "tail", quantity_percent(section_value(section, METRIC_TAIL)),
                "of all SMs' places and time: empty, with no block left to start");
}
