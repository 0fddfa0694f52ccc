#include "report/metrics.h"

#include <math.h>

#include "language/language.h"
#include "report/report_waves.h"
#include "report/roofline.h"

static double over(double a, double b)
{
    return b > 0 ? a / b : NAN;
}

static double limit(const struct simsm_stats *stats, enum simsm_limit which)
{
    uint32_t blocks = stats->occupancy.limit[which];
    return blocks == SIMSM_NO_LIMIT ? NAN : (double)blocks;
}

/* SOURCE: H200, cuda/data verify.csv: Nsight Compute shows 16 registers for kernels compiled to 10
 * to 15. */
static double registers(const struct simsm_config *config, const struct simsm_stats *stats)
{
    uint32_t least = config->gpu_compute_capability >= 90 ? 16 : 0;
    return stats->launch.registers > least ? stats->launch.registers : least;
}

/* Returns a term of the occupancy gap in per cent of all warp slots. In this unit the terms and the
 * achieved occupancy add up to the theoretical one. */
static double lost(const struct simsm_stats *stats, uint64_t places)
{
    return over((double)places, (double)stats->gap.capacity) *
           over(100.0 * stats->occupancy.warps, stats->occupancy.max_warps);
}

static double l2_bytes(const struct simsm_stats *stats)
{
    return 32.0 * ((double)stats->counter[SIMSM_COUNTER_L2_READ_SECTORS] +
                   (double)stats->counter[SIMSM_COUNTER_L2_WRITE_SECTORS] +
                   (double)stats->counter[SIMSM_COUNTER_L2_ATOM_SECTORS]);
}

unsigned metrics_busiest_pipe(const struct simsm_metric metrics[METRIC_COUNT])
{
    unsigned best = SIMSM_PIPE_ALU;
    for (unsigned p = SIMSM_PIPE_ALU; p <= SIMSM_PIPE_UNIFORM; p++)
        if (metrics[METRIC_PIPE_BUSY + p].value > metrics[METRIC_PIPE_BUSY + best].value)
            best = p;
    return best;
}

/* Needs the metrics of pipes and METRIC_ISSUE_SLOTS_BUSY, which count the active cycles. */
static double compute_percent(const struct simsm_stats *stats,
                              const struct simsm_metric metrics[METRIC_COUNT])
{
    const double pipe = metrics[METRIC_PIPE_BUSY + metrics_busiest_pipe(metrics)].value;
    return fmax(pipe, metrics[METRIC_ISSUE_SLOTS_BUSY].value) *
           over((double)stats->counter[SIMSM_COUNTER_SM_CYCLES_ACTIVE],
                (double)stats->cycles * stats->sms);
}

unsigned metrics_busiest_memory(const struct simsm_metric metrics[METRIC_COUNT])
{
    static const unsigned parts[] = {METRIC_DRAM_THROUGHPUT, METRIC_L2_THROUGHPUT,
                                     METRIC_XBAR_REPLY, METRIC_L1_THROUGHPUT};
    unsigned best = parts[0];
    for (size_t i = 1; i < sizeof parts / sizeof parts[0]; i++)
        if (isnan(metrics[best].value) || metrics[parts[i]].value > metrics[best].value)
            best = parts[i];
    return best;
}

static double memory_percent(const struct simsm_metric metrics[METRIC_COUNT])
{
    return metrics[metrics_busiest_memory(metrics)].value;
}

#define COUNT(id)     ((double)stats->counter[SIMSM_COUNTER_##id])
#define OVER(a, b)    over((double)(a), (double)(b))
#define PERCENT(a, b) (100.0 * over((double)(a), (double)(b)))
#define LOST(term)    lost(stats, stats->gap.term)
#define CONFIG        config
#define STATS         stats
#define ROOF          roofline

static void derived(const struct simsm_config *config, const struct simsm_stats *stats,
                    struct simsm_metric metrics[METRIC_COUNT])
{
    struct roofline roofline;
    roofline_compute(config, stats, &roofline);
#define METRIC(id, name, unit, meaning, expression) metrics[METRIC_##id].value = (expression);
#include "report/metrics.def"
#undef METRIC
}

/* Fills busy[]: for each pipe the cycles for which instructions hold it, by the class of their
 * line. */
static void pipes(const struct simsm_config *config, const struct simsm_stats *stats,
                  struct simsm_metric metrics[METRIC_COUNT])
{
    double busy[SIMSM_PIPE_COUNT] = {0};
    for (uint32_t i = 0; i < stats->line_count; i++) {
        const struct simsm_op_timing *op = &config->ops[stats->line_info[i].op];
        if (stats->line_info[i].op != SIMSM_OP_GMMA) /* their columns say how long they take */
            busy[op->pipe] += (double)stats->lines[i].issues * op->interval;
    }
    busy[SIMSM_PIPE_TENSOR] += COUNT(GMMA_CYCLES);
    busy[SIMSM_PIPE_FMA] += busy[SIMSM_PIPE_FMAHEAVY] / 2; /* fmaheavy is one half of the pipe */
    for (unsigned p = 0; p < SIMSM_PIPE_COUNT; p++) {
        double copies = config->pipe_shared[p] ? 1.0 : config->sm_sub_partitions;
        metrics[METRIC_PIPE_BUSY + p].value = PERCENT(busy[p], COUNT(SM_CYCLES_ACTIVE) * copies);
    }
}

uint64_t metrics_resident_cycles(const struct simsm_stats *stats)
{
    uint64_t sum = 0;
    for (unsigned i = SIMSM_STATE_ISSUED; i < SIMSM_STATE_COUNT; i++)
        sum += stats->states[i];
    return sum;
}

enum simsm_warp_state metrics_main_state(const struct simsm_stats *stats)
{
    unsigned most = SIMSM_STATE_ISSUED;
    for (unsigned i = SIMSM_STATE_ISSUED; i < SIMSM_STATE_COUNT; i++)
        if (stats->states[i] > stats->states[most])
            most = i;
    return (enum simsm_warp_state)most;
}

static const struct simsm_metric derived_table[] = {
#define METRIC(id, name, unit, meaning, expression) {name, unit, meaning, NAN},
#include "report/metrics.def"
#undef METRIC
};

static const struct simsm_metric stall_table[] = {
#define STATE(id, name, letter, dark, light, xterm, title, meaning)                                \
    {"smsp__average_warps_issue_stalled_" name "_per_issue_active.ratio", "cycle",                 \
     "warp cycles in this state per issued instruction: " meaning, NAN},
#include "simsm/defs/warp_states.def"
#undef STATE
};

static const struct simsm_metric pipe_table[SIMSM_PIPE_COUNT] = {
#define PIPE(id, name, meaning)                                                                    \
    {"sm__pipe_" name "_cycles_active.avg.pct_of_peak_sustained_active", "%",                      \
     N_("cycles for which instructions held this pipe, of those in which the SM was active"),      \
     NAN},
#include "simsm/defs/pipes.def"
#undef PIPE
};

void metrics_describe(struct simsm_metric metrics[METRIC_COUNT])
{
    for (unsigned i = 0; i < METRIC_STALL; i++)
        metrics[i] = derived_table[i];
    for (unsigned i = SIMSM_STATE_ISSUED; i < SIMSM_STATE_COUNT; i++)
        metrics[metric_stall((enum simsm_warp_state)i)] = stall_table[i];
    for (unsigned i = 0; i < SIMSM_PIPE_COUNT; i++)
        metrics[METRIC_PIPE_BUSY + i] = pipe_table[i];
}

void metrics_compute(const struct simsm_config *config, const struct simsm_stats *stats,
                     struct simsm_metric metrics[METRIC_COUNT])
{
    metrics_describe(metrics);
    pipes(config, stats, metrics);
    derived(config, stats, metrics); /* uses the metrics of pipes */
    for (unsigned i = SIMSM_STATE_ISSUED; i < SIMSM_STATE_COUNT; i++)
        metrics[metric_stall((enum simsm_warp_state)i)].value =
            OVER(stats->states[i], COUNT(ISSUE_ACTIVE));
}
