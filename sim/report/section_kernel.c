/* Sections of the report: the kernel and its launch, occupancy, waves, speed. */
#include <math.h>
#include <string.h>

#include "base/printable.h"
#include "config/schema.h"
#include "report/report_gap.h"
#include "report/report_waves.h"
#include "report/section.h"
#include "simsm/simsm.h"

static void incomplete(const struct section *section)
{
    char text[512];
    run_incomplete_text(section->run, section->stats, text, sizeof text);
    section_text(section, 0, text);
    (void)fputc('\n', section->file);
}

/* Prints a name that the user gave, without control characters. */
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
    (void)fprintf(file, ": compute capability %u.%u, %u SM%s at %g MHz, timing %s\n",
                  config->gpu_compute_capability / 10, config->gpu_compute_capability % 10,
                  section->stats->sms, section->stats->sms == 1 ? "" : "s", config->gpu_clock_mhz,
                  schema_choice_name(SCHEMA_gpu_timing, config->gpu_timing));
    name(file, "simsm " SIMSM_VERSION ": ", section->run->config_name);
    name(file, ", ", section->run->trace);
    (void)fputc('\n', file);
    (void)fprintf(file, "memory %s, scheduler %s, dispatch %s, seed %u",
                  schema_choice_name(SCHEMA_memory_model, config->memory_model),
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
    if (section->run->shared)
        section_text(section, 0,
                     "Other launches shared the GPU: memory traffic, lanes and lost occupancy are "
                     "not known of this launch alone.");
}

static struct quantity shape(const uint32_t size[3])
{
    struct quantity q;
    if (size[2] > 1)
        (void)snprintf(q.text, sizeof q.text, "%ux%ux%u", size[0], size[1], size[2]);
    else if (size[1] > 1)
        (void)snprintf(q.text, sizeof q.text, "%ux%u", size[0], size[1]);
    else
        (void)snprintf(q.text, sizeof q.text, "%u", size[0]);
    return q;
}

static struct quantity whole(uint32_t n)
{
    struct quantity q;
    (void)snprintf(q.text, sizeof q.text, "%u", n);
    return q;
}

void section_launch(const struct section *section)
{
    const struct simsm_launch *launch = &section->stats->launch;
    const struct simsm_occupancy *occupancy = &section->stats->occupancy;
    uint32_t threads = simsm_block_threads(launch), warps = simsm_block_warps(launch);
    uint64_t blocks = simsm_grid_blocks(launch);
    section_title(section, "Launch");
    section_row(section, "grid", shape(launch->grid), "%llu block%s", (unsigned long long)blocks,
                blocks == 1 ? "" : "s");
    if (threads % SIMSM_WARP_LANES)
        section_row(section, "block", shape(launch->block),
                    "%u threads in %u warps; the last warp has %u of 32 lanes", threads, warps,
                    threads % SIMSM_WARP_LANES);
    else
        section_row(section, "block", shape(launch->block), "%u threads in %u warp%s", threads,
                    warps, warps == 1 ? "" : "s");
    section_row(section, "registers", whole(launch->registers),
                "per thread; %u per warp as allocated", occupancy->registers_per_warp);
    section_row(section, "shared memory",
                quantity_kib((double)launch->shared_static + launch->shared_dynamic),
                "per block: %u B static, %u B dynamic; %u B as allocated", launch->shared_static,
                launch->shared_dynamic, occupancy->shared_per_block);
    uint32_t l1 = section->config->sm_l1_shared_bytes > occupancy->carveout
                      ? section->config->sm_l1_shared_bytes - occupancy->carveout
                      : 0;
    section_row(section, "carve-out", quantity_kib(occupancy->carveout),
                "of the SM's %s are shared memory, %s are L1 cache",
                quantity_kib(section->config->sm_l1_shared_bytes).text, quantity_kib(l1).text);
}

static struct quantity tenths(long n)
{
    return quantity_percent((double)n / 10);
}

static void theoretical(const struct section *section, long share)
{
    const struct simsm_occupancy *o = &section->stats->occupancy;
    char limits[160] = "", binding[96] = "";
    for (unsigned i = 0; i < SIMSM_LIMIT_COUNT; i++) {
        char part[48];
        if (o->limit[i] == SIMSM_NO_LIMIT)
            (void)snprintf(part, sizeof part, "%s%s any", i ? ", " : "", simsm_limit_names[i]);
        else
            (void)snprintf(part, sizeof part, "%s%s %u", i ? ", " : "", simsm_limit_names[i],
                           o->limit[i]);
        (void)strncat(limits, part, sizeof limits - strlen(limits) - 1);
        if (o->limiters >> i & 1u) {
            (void)snprintf(part, sizeof part, "%s%s", binding[0] ? " and " : "",
                           simsm_limit_names[i]);
            (void)strncat(binding, part, sizeof binding - strlen(binding) - 1);
        }
    }
    section_row(section, "theoretical", tenths(share),
                "%u of %u warps per SM: %u block%s, limited by %s", o->warps, o->max_warps,
                o->blocks, o->blocks == 1 ? "" : "s", binding);
    section_row(section, "blocks per SM", quantity_count(o->blocks), "fits: %s", limits);
}

void section_occupancy(const struct section *section)
{
    const struct simsm_gap *gap = &section->stats->gap;
    struct gap_shares shares;
    bool ran = gap_shares(section->stats, &shares);
    section_title(section, "Occupancy");
    theoretical(section, shares.theoretical);
    if (!ran) {
        section_row(section, "achieved", quantity_percent(NAN), "no block has run");
        return;
    }
    double warps = (double)gap->alive / (double)gap->capacity * section->stats->occupancy.warps;
    section_row(section, "achieved", tenths(shares.achieved),
                "%s warps per SM, mean over its active cycles", quantity_ratio(warps).text);
    section_row(section, "lost", tenths(shares.lost), "the gap between the two, by cause:");
    for (int i = 0; i < GAP_CAUSES; i++) {
        char label[32];
        (void)snprintf(label, sizeof label, "  %s", shares.cause[i].name);
        section_row(section, label, tenths(shares.cause[i].tenths), "%s", shares.cause[i].phrase);
    }
}

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
    section_row(section, "warps per scheduler",
                quantity_ratio(section_value(section, METRIC_WARPS_PER_SCHEDULER)),
                "resident; %s of them could issue in a mean cycle",
                quantity_ratio(section_value(section, METRIC_ELIGIBLE_PER_SCHEDULER)).text);
    section_row(section, "cycles per issue",
                quantity_ratio(section_value(section, METRIC_LATENCY_PER_ISSUE)),
                "from one instruction of a warp to its next, mean");
}
