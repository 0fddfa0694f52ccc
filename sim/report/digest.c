/* Computes what the short report says from the statistics of a launch. */
#include "report/digest.h"

#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
#include "report/costly.h"
#include "report/metrics.h"
#include "report/quantity.h"
#include "simsm/simsm.h"

static void describe(struct digest *digest, const struct simsm_launch *launch)
{
    char name[sizeof launch->name];
    const uint64_t blocks = simsm_grid_blocks(launch);
    (void)snprintf(digest->subject, sizeof digest->subject, "%s: %llu block%s of %u threads",
                   printable(launch->name, name, sizeof name), (unsigned long long)blocks,
                   blocks == 1 ? "" : "s", simsm_block_threads(launch));
}

static void find_state(struct digest *digest, const struct simsm_stats *stats)
{
    const double all = (double)metrics_resident_cycles(stats);
    digest->state = metrics_main_state(stats);
    digest->state_percent = all > 0 ? 100 * (double)stats->states[digest->state] / all : 0;
}

static void find_line(struct digest *digest, const struct simsm_stats *stats)
{
    const double all = (double)metrics_resident_cycles(stats);
    uint32_t count;
    struct costly_line *lines = costly_lines(stats, COSTLY_INSTRUCTIONS, &count);
    if (!lines || !count || !lines[0].cycles) {
        free(lines);
        return;
    }
    const struct simsm_line_info *info = lines[0].info;
    char where[24], text[64];
    if (info->line)
        (void)snprintf(where, sizeof where, "line %u", info->line);
    else
        (void)snprintf(where, sizeof where, "0x%x", info->pc);
    (void)snprintf(digest->line, sizeof digest->line, "%s: %s", where,
                   printable(info->text, text, sizeof text));
    digest->no_source = info->line == 0;
    digest->line_percent = 100 * (double)lines[0].cycles / all;
    free(lines);
}

/* Writes the name of a rule with spaces in the place of underscores. */
static void spell(const char *name, char *text, size_t size)
{
    (void)snprintf(text, size, "%s", name);
    for (char *c = text; *c; c++)
        *c = *c == '_' ? ' ' : *c;
}

/* Returns whether an earlier finding has the same advice. */
static bool is_repeated(const struct verdict_finding findings[], unsigned number)
{
    for (unsigned i = 0; i < number; i++)
        if (strcmp(findings[i].hint, findings[number].hint) == 0)
            return true;
    return false;
}

/* Chooses the advice: what the verdict says of its strongest findings, each text once. */
static void find_advice(struct digest *digest, const struct verdict_finding findings[],
                        unsigned count)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < count && kept < DIGEST_ADVICES; i++) {
        char name[sizeof digest->limit];
        if (is_repeated(findings, i))
            continue;
        spell(findings[i].name, name, sizeof name);
        (void)snprintf(digest->advice[kept], sizeof digest->advice[kept], "%s%s%s", i ? name : "",
                       i ? ": " : "", findings[i].hint);
        kept++;
    }
}

void digest_make(struct digest *digest, const struct run_info *run, const struct simsm_stats *stats)
{
    const struct simsm_config *config = run->config;
    struct simsm_metric metrics[METRIC_COUNT];
    struct verdict_finding findings[VERDICT_MAX];
    metrics_compute(config, stats, metrics);
    *digest = (struct digest){.shared = run->shared,
                              .cycles = stats->cycles,
                              .ns = metrics[METRIC_DURATION].value,
                              .clock_mhz = config->gpu_clock_mhz,
                              .launch_percent = metrics[METRIC_LAUNCH_SHARE].value,
                              .occupancy_percent = metrics[METRIC_OCCUPANCY_ACHIEVED].value,
                              .ipc = metrics[METRIC_IPC_ACTIVE].value,
                              .warp_places = stats->occupancy.max_warps,
                              .issue_max = config->sm_sub_partitions};
    describe(digest, &stats->launch);
    if (!stats->complete)
        run_incomplete_text(run, stats, digest->interrupted, sizeof digest->interrupted);
    find_state(digest, stats);
    find_line(digest, stats);
    if (run->shared)
        return; /* the verdict needs counters of a launch that was alone */
    const unsigned count = verdict_find(config, stats, metrics, findings);
    spell(findings[0].name, digest->limit, sizeof digest->limit);
    memcpy(digest->sentence, findings[0].sentence, sizeof digest->sentence);
    find_advice(digest, findings, count);
}
