#include <string.h>

#include "base/printable.h"
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

/* A name as the user gave it; a file may be named anything. */
static void name(FILE *file, const char *before, const char *text)
{
    char shown[4096 + 64];
    (void)fprintf(file, "%s%s", before, printable(text, shown, sizeof shown));
}

void section_header(const struct section *section)
{
    FILE *file = section->file;
    const struct simsm_config *config = section->config;
    if (!section->stats->complete)
        incomplete(section);
    name(file, "", section->stats->launch.name);
    name(file, " on ", config->gpu_name[0] ? config->gpu_name : section->run->config_name);
    (void)fprintf(file, ": compute capability %u.%u, %u SM%s at %g MHz\n",
                  config->gpu_compute_capability / 10, config->gpu_compute_capability % 10,
                  section->stats->sms, section->stats->sms == 1 ? "" : "s", config->gpu_clock_mhz);
    name(file, "simsm " SIMSM_VERSION ": ", section->run->config_name);
    name(file, ", ", section->run->trace);
    (void)fputc('\n', file);
    (void)fprintf(file, "memory %s, scheduler %s, dispatch %s, seed %u",
                  schema_rows[SCHEMA_memory_model].choices[config->memory_model].name,
                  config->sm_scheduler, config->dispatch_policy, config->run_seed);
    if (config->policy_l1[0] && strcmp(config->policy_l1, "none") != 0)
        name(file, ", L1 ", config->policy_l1);
    if (config->policy_module[0])
        name(file, ", policies of ", config->policy_module);
    if (config->policy_params[0])
        name(file, " with ", config->policy_params);
    for (size_t i = 0; i < section->run->option_count; i++)
        name(file, i ? " " : "; options ", section->run->options[i]);
    (void)fputc('\n', file);
}
