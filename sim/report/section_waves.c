#include "report/report_waves.h"
#include "report/section.h"

void section_waves(const struct section *section)
{
    const struct simsm_stats *stats = section->stats;
    char words[160];
    section_title(section, "Waves");
    if (wave_count_words(stats, words, sizeof words))
        section_row(section, "waves", quantity_ratio(section_value(section, METRIC_WAVES)), "%s",
                    words);
    if (stats->blocks_done)
        section_row(section, "block duration",
                    quantity_count((double)stats->block_cycles_sum / (double)stats->blocks_done),
                    "cycles, mean of %s; shortest %s, longest %s",
                    quantity_of((double)stats->blocks_done, "block").text,
                    quantity_count((double)stats->block_cycles_min).text,
                    quantity_count((double)stats->block_cycles_max).text);
    section_row(section, "tail", quantity_percent(section_value(section, METRIC_TAIL)), "%s",
                wave_tail_words);
}
