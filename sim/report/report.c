#include "report/report.h"

#include "report/section.h"

void report_print(FILE *file, const struct run_info *run, const struct simsm_stats *stats,
                  bool ascii)
{
    static void (*const sections[])(const struct section *) = {
        section_header, section_launch, section_occupancy, section_waves, section_speed,
        section_states, section_lanes,  section_memory,    section_lines, section_verdict,
    };
    struct section section = {
        .file = file, .ascii = ascii, .run = run, .config = run->config, .stats = stats};
    metrics_compute(run->config, stats, section.metrics);
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++)
        sections[i](&section);
}
