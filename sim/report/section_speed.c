#include "report/section.h"

void section_speed(const struct section *section)
{
    const struct simsm_stats *stats = section->stats;
    struct quantity cycles;
    (void)snprintf(cycles.text, sizeof cycles.text, "%llu", (unsigned long long)stats->cycles);
    section_title(section, "Speed");
    section_row(section, "cycles", cycles, "of these %llu (%s) before the first block started",
                (unsigned long long)stats->launch_cycles,
                quantity_percent(section_value(section, METRIC_LAUNCH_SHARE)).text);
    section_row(section, "time", quantity_time(section_value(section, METRIC_DURATION)),
                "at %g MHz", section->config->gpu_clock_mhz);
    section_row(
        section, "warp instructions",
        quantity_count((double)section_count(section, SIMSM_COUNTER_INST_EXECUTED)),
        "%s thread instructions",
        quantity_count((double)section_count(section, SIMSM_COUNTER_THREAD_INST_EXECUTED)).text);
    section_row(section, "IPC", quantity_ratio(section_value(section, METRIC_IPC_ACTIVE)),
                "per cycle of an active SM, at most %u; %s over all cycles",
                section->config->sm_sub_partitions,
                quantity_ratio(section_value(section, METRIC_IPC_ELAPSED)).text);
    section_row(section, "issue slots busy",
                quantity_percent(section_value(section, METRIC_ISSUE_SLOTS_BUSY)),
                "of the cycles in which the SM was active");
    section_row(section, "warps per scheduler",
                quantity_ratio(section_value(section, METRIC_WARPS_PER_SCHEDULER)),
                "resident; %s of them could issue in a mean cycle",
                quantity_ratio(section_value(section, METRIC_ELIGIBLE_PER_SCHEDULER)).text);
    section_row(section, "cycles per issue",
                quantity_ratio(section_value(section, METRIC_LATENCY_PER_ISSUE)),
                "from one instruction of a warp to its next, mean");
}
