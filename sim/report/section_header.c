#include "config/schema.h"
#include "report/section.h"
#include "simsm/simsm.h"

static void incomplete(const struct section *section)
{
    const struct simsm_stats *stats = section->stats;
    char text[512];
    (void)snprintf(text, sizeof text,
                   "INCOMPLETE: stopped by %s after %llu cycles, when %llu of %llu blocks had "
                   "ended. All figures cover only what ran.",
                   section->run->stopped_by ? section->run->stopped_by : "an error",
                   (unsigned long long)stats->cycles, (unsigned long long)stats->blocks_done,
                   (unsigned long long)stats->blocks_total);
    section_text(section, 0, text);
    (void)fputc('\n', section->file);
}

void section_header(const struct section *section)
{
    FILE *file = section->file;
    const struct simsm_config *config = section->config;
    if (!section->stats->complete)
        incomplete(section);
    (void)fprintf(file, "%s on %s: compute capability %u.%u, %u SM%s at %g MHz\n",
                  section->stats->launch.name,
                  config->gpu_name[0] ? config->gpu_name : section->run->config_name,
                  config->gpu_compute_capability / 10, config->gpu_compute_capability % 10,
                  section->stats->sms, section->stats->sms == 1 ? "" : "s", config->gpu_clock_mhz);
    (void)fprintf(file, "simsm " SIMSM_VERSION ": %s, %s\n", section->run->config_name,
                  section->run->trace);
    (void)fprintf(file, "memory %s, scheduler %s, dispatch %s, seed %u",
                  schema_rows[SCHEMA_memory_model].choices[config->memory_model].name,
                  config->sm_scheduler, config->dispatch_policy, config->run_seed);
    for (size_t i = 0; i < section->run->option_count; i++)
        (void)fprintf(file, "%s %s", i ? "" : "; options", section->run->options[i]);
    (void)fputc('\n', file);
}
