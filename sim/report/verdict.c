#include "report/verdict.h"

#include <string.h>

#include "language/language.h"
#include "report/advice.h"
#include "report/quantity.h"

struct input {
    const struct simsm_config *config;
    const struct simsm_stats *stats;
    const struct simsm_metric *metrics;
};

/* Rates count from the start of the first block, as nothing can run before it. */
static double after_launch(const struct input *in, unsigned metric)
{
    double cycles = (double)in->stats->cycles;
    return in->metrics[metric].value * cycles / (cycles - (double)in->stats->launch_cycles);
}

static double share(const struct input *in, enum simsm_warp_state state)
{
    return 100.0 * (double)in->stats->states[state] / (double)metrics_resident_cycles(in->stats);
}

/* FIGURE(id, text, unit, value): the figures that conditions of rules use. */
#define FIGURES                                                                                    \
    FIGURE(INST, "warp instructions executed", "",                                                 \
           (double)in->stats->counter[SIMSM_COUNTER_INST_EXECUTED])                                \
    FIGURE(DRAM, "DRAM bandwidth after launch, of peak x dram.efficiency", "%",                    \
           after_launch(in, METRIC_DRAM_THROUGHPUT) / in->config->dram_efficiency)                 \
    FIGURE(L2, "L2 throughput after launch, of its slices' peak", "%",                             \
           after_launch(in, METRIC_L2_THROUGHPUT))                                                 \
    FIGURE(XBAR, "replies from L2 after launch, of the SMs' peak", "%",                            \
           after_launch(in, METRIC_XBAR_REPLY))                                                    \
    FIGURE(PIPE, "busiest arithmetic pipe, of active cycles", "%",                                 \
           in->metrics[METRIC_PIPE_BUSY + metrics_busiest_pipe(in->metrics)].value)                \
    FIGURE(ISSUE, "issue slots busy", "%", in->metrics[METRIC_ISSUE_SLOTS_BUSY].value)             \
    FIGURE(SHARED, "warp cycles in short_scoreboard or mio_throttle", "%",                         \
           share(in, SIMSM_STATE_SHORT_SCOREBOARD) + share(in, SIMSM_STATE_MIO_THROTTLE))          \
    FIGURE(QUEUES, "warp cycles in lg_throttle, mio_throttle or tex_throttle", "%",                \
           share(in, SIMSM_STATE_LG_THROTTLE) + share(in, SIMSM_STATE_MIO_THROTTLE) +              \
               share(in, SIMSM_STATE_TEX_THROTTLE))                                                \
    FIGURE(FENCE, "warp cycles in membar or drain", "%",                                           \
           share(in, SIMSM_STATE_MEMBAR) + share(in, SIMSM_STATE_DRAIN))                           \
    FIGURE(FETCH, "warp cycles in no_instruction or imc_miss", "%",                                \
           share(in, SIMSM_STATE_NO_INSTRUCTION) + share(in, SIMSM_STATE_IMC_MISS))                \
    FIGURE(BRANCH, "warp cycles in branch_resolving", "%",                                         \
           share(in, SIMSM_STATE_BRANCH_RESOLVING))                                                \
    FIGURE(LONG, "warp cycles in long_scoreboard", "%", share(in, SIMSM_STATE_LONG_SCOREBOARD))    \
    FIGURE(WAIT, "warp cycles in wait", "%", share(in, SIMSM_STATE_WAIT))                          \
    FIGURE(TAIL, "tail (simsm__tail.pct)", "%", in->metrics[METRIC_TAIL].value)                    \
    FIGURE(WAVES, "waves", "", in->metrics[METRIC_WAVES].value)                                    \
    FIGURE(THEORETICAL, "theoretical occupancy", "%",                                              \
           in->metrics[METRIC_OCCUPANCY_THEORETICAL].value)                                        \
    FIGURE(OCCUPANCY, "achieved occupancy", "%", in->metrics[METRIC_OCCUPANCY_ACHIEVED].value)

enum figure {
#define FIGURE(id, text, unit, value) FIGURE_##id,
    FIGURES
#undef FIGURE
        FIGURE_COUNT
};

static const struct {
    const char *text, *unit;
} figures[FIGURE_COUNT] = {
#define FIGURE(id, text, unit, value) {text, unit},
    FIGURES
#undef FIGURE
};

static void figures_compute(const struct input *in, double value[FIGURE_COUNT])
{
#define FIGURE(id, text, unit, expression) value[FIGURE_##id] = (expression);
    FIGURES
#undef FIGURE
}

struct condition {
    enum { END, AT_LEAST, BELOW } is;
    enum figure figure;
    double limit;
};

enum { CONDITIONS = 4 };

struct rule {
    const char *name;
    struct condition when[CONDITIONS]; /* the rule applies if all hold */
    const char *sentence; /* "{0}" stands for the figure of the first condition, "{pipe}" for the
                              busiest pipe, "{blocks}" and "{sms}" for their numbers */
    const char *hint;
};

/*
 * What limits a kernel beside the faults of advice.def, the hardest limit first: exhausted
 * resources, then waits.
 */
static const struct rule rules[] = {
    {"nothing ran",
     {{BELOW, FIGURE_INST, 1}},
     N_("No instruction was executed, so there is nothing to judge."),
     N_("let the run go on longer, or launch at least one block.")},
    {"DRAM bandwidth",
     {{AT_LEAST, FIGURE_DRAM, 75}},
     N_("DRAM bandwidth: DRAM moves {0} of what it can sustain."),
     N_("move fewer bytes: reuse data in shared memory or cache, dense accesses, smaller types.")},
    {"L2 bandwidth",
     {{AT_LEAST, FIGURE_L2, 75}},
     N_("L2 bandwidth: the L2 slices move {0} of what they can."),
     N_("keep more in L1, shared memory or registers; make accesses dense.")},
    {"way from L2",
     {{AT_LEAST, FIGURE_XBAR, 75}},
     N_("Bandwidth between L2 and the SMs: the ways back carry {0} of what they can."),
     N_("keep more in L1, shared memory or registers; use all SMs.")},
    {"math pipe",
     {{AT_LEAST, FIGURE_PIPE, 75}},
     N_("Arithmetic throughput: the {pipe} pipe is busy in {0} of the active cycles."),
     N_("use cheaper or fewer instructions of this kind, or move work to another pipe.")},
    {"issue",
     {{AT_LEAST, FIGURE_ISSUE, 80}},
     N_("Issue rate: the schedulers issue in {0} of their cycles."),
     N_("execute fewer instructions: wider loads, less index arithmetic, unrolled loops.")},
    {"load/store queues",
     {{AT_LEAST, FIGURE_QUEUES, 30}},
     N_("Load/store rate: warps spend {0} of their cycles waiting for room in a memory queue."),
     N_("issue fewer, wider memory instructions, and make them dense.")},
    {"fences and stores",
     {{AT_LEAST, FIGURE_FENCE, 30}},
     N_("Fences and stores: warps spend {0} of their cycles waiting for their own writes."),
     N_("use fewer or narrower fences; store less, or earlier.")},
    {"instruction fetch",
     {{AT_LEAST, FIGURE_FETCH, 30}},
     N_("Instruction fetch: warps spend {0} of their cycles without an instruction to issue."),
     N_("make the code smaller or straighter: less unrolling and inlining, fewer taken branches.")},
    {"memory latency, few warps",
     {{AT_LEAST, FIGURE_LONG, 40}, {BELOW, FIGURE_OCCUPANCY, 50}, {BELOW, FIGURE_THEORETICAL, 60}},
     N_("Memory latency: warps spend {0} of their cycles waiting for global memory, and at an "
        "occupancy of {1} too few others are there to fill the time."),
     N_("raise occupancy (`simsm occupancy` says what limits it), or give each warp more "
        "independent "
        "loads.")},
    {"memory latency, few blocks",
     {{AT_LEAST, FIGURE_LONG, 40},
      {BELOW, FIGURE_OCCUPANCY, 50},
      {AT_LEAST, FIGURE_THEORETICAL, 60}},
     N_("Memory latency: warps spend {0} of their cycles waiting for global memory, and the SMs "
        "hold "
        "only {1} of the warps that they could, because too few blocks are there."),
     N_("launch more blocks or smaller ones, or give each warp more independent loads.")},
    {"memory latency",
     {{AT_LEAST, FIGURE_LONG, 40}, {AT_LEAST, FIGURE_OCCUPANCY, 50}},
     N_("Memory latency: warps spend {0} of their cycles waiting for global memory, although no "
        "bandwidth is exhausted."),
     N_("give each warp more independent loads, prefetch, or raise the cache hit rate.")},
    {"shared-memory latency",
     {{AT_LEAST, FIGURE_SHARED, 40}},
     N_("Latency of shared memory and special functions: warps spend {0} of their cycles waiting "
        "for them."),
     N_("put independent work between such an instruction and its use, or raise occupancy.")},
    {"arithmetic latency",
     {{AT_LEAST, FIGURE_WAIT, 40}},
     N_("Arithmetic latency: warps spend {0} of their cycles waiting out the latency of earlier "
        "instructions."),
     N_("more independent instructions per warp (unroll, several accumulators), or more warps.")},
    {"few blocks",
     {{BELOW, FIGURE_WAVES, 0.5}, {AT_LEAST, FIGURE_TAIL, 30}},
     N_("Too few blocks: {blocks} on {sms}; {1} of the GPU's places stay empty."),
     N_("launch more blocks, or split the work into smaller ones.")},
    {"branches",
     {{AT_LEAST, FIGURE_BRANCH, 30}},
     N_("Branches: warps spend {0} of their cycles until the target of a branch is known."),
     N_("unroll loops, turn short branches into selects, or raise occupancy.")},
    {"no single limit",
     {{END, FIGURE_INST, 0}},
     N_("No single limit stands out: no resource is exhausted, and warps wait for many reasons."),
     N_("start with the states that warps wait in, and the lines that cost most.")},
};

enum { RULES = sizeof rules / sizeof rules[0] };

_Static_assert((int)RULES + (int)ADVICE_COUNT <= (int)VERDICT_MAX,
               "every rule and every advice may be a finding");

/* A fault is a finding if it costs at least this share of the time. */
static const double fault_share = 0.2;

/* Returns whether the verdict names an advice. */
static bool is_judged(const struct advice_row *row)
{
    return row->kind == ADVICE_FAULT || row->kind == ADVICE_FIXED;
}

/* Adds the faults that cost much of the time. Returns their number. */
static unsigned find_faults(const struct input *in, struct verdict_finding *findings)
{
    struct advice advice[ADVICE_COUNT];
    const unsigned all = advice_find(in->config, in->stats, in->metrics, advice);
    unsigned count = 0;
    for (unsigned i = 0; i < all; i++) {
        const struct advice_row *row = &advice_rows[advice[i].id];
        if (!is_judged(row) || advice[i].share < fault_share)
            continue;
        struct verdict_finding *finding = &findings[count++];
        finding->name = row->name;
        finding->hint = translate(row->remedy);
        (void)snprintf(finding->sentence, sizeof finding->sentence,
                       _("%s: about %s of the time; %s%s%s."), translate(row->title),
                       quantity_percent(100 * advice[i].share).text, advice[i].figure,
                       *advice[i].place ? _("; ") : "", advice[i].place);
    }
    return count;
}

static bool holds(const struct rule *rule, const double value[FIGURE_COUNT])
{
    for (unsigned i = 0; i < CONDITIONS && rule->when[i].is != END; i++) {
        const struct condition *c = &rule->when[i];
        bool ok = c->is == AT_LEAST ? value[c->figure] >= c->limit : value[c->figure] < c->limit;
        if (!ok) /* a figure that is not defined is NaN and fulfils no condition */
            return false;
    }
    return true;
}

static void append(char *text, size_t size, const char *more, size_t length)
{
    size_t used = strlen(text);
    if (length > size - used - 1)
        length = size - used - 1;
    memcpy(text + used, more, length);
    text[used + length] = '\0';
}

static void write_sentence(const struct rule *rule, const struct input *in,
                           const double value[FIGURE_COUNT], char *text, size_t size)
{
    text[0] = '\0';
    for (const char *s = translate(rule->sentence); *s;) {
        size_t plain = strcspn(s, "{");
        append(text, size, s, plain);
        s += plain;
        if (*s == '\0')
            break;
        struct quantity q;
        if (s[1] == 'p') {
            (void)snprintf(q.text, sizeof q.text, "%s",
                           simsm_pipes[metrics_busiest_pipe(in->metrics)].name);
        } else if (s[1] == 'b') {
            const uint64_t blocks = in->stats->blocks_total;
            (void)snprintf(q.text, sizeof q.text, _("%s block%s"),
                           quantity_count((double)blocks).text, blocks == 1 ? "" : "s");
        } else if (s[1] == 's') {
            (void)snprintf(q.text, sizeof q.text, _("%u SM%s"), in->stats->sms,
                           in->stats->sms == 1 ? "" : "s");
        } else {
            enum figure f = rule->when[s[1] - '0'].figure;
            q = figures[f].unit[0] ? quantity_percent(value[f]) : quantity_ratio(value[f]);
        }
        append(text, size, q.text, strlen(q.text));
        s = strchr(s, '}') + 1;
    }
}

unsigned verdict_find(const struct simsm_config *config, const struct simsm_stats *stats,
                      const struct simsm_metric metrics[METRIC_COUNT],
                      struct verdict_finding findings[VERDICT_MAX])
{
    const struct input in = {config, stats, metrics};
    double value[FIGURE_COUNT];
    unsigned count = 0;
    figures_compute(&in, value);
    count = find_faults(&in, findings);
    for (unsigned i = 0; i < RULES; i++) {
        bool fallback = rules[i].when[0].is == END;
        if (!holds(&rules[i], value) || (fallback && count))
            continue;
        findings[count].name = rules[i].name;
        findings[count].hint = translate(rules[i].hint);
        write_sentence(&rules[i], &in, value, findings[count].sentence,
                       sizeof findings[count].sentence);
        count++;
    }
    return count;
}

void verdict_markdown(FILE *file)
{
    (void)fprintf(file, "| rule | holds when | try |\n|---|---|---|\n");
    for (unsigned i = 0; i < ADVICE_COUNT; i++)
        if (is_judged(&advice_rows[i]))
            (void)fprintf(file, "| %s | estimated to cost >= %g %% of the time | %s |\n",
                          advice_rows[i].name, 100 * fault_share, advice_rows[i].remedy);
    for (unsigned i = 0; i < RULES; i++) {
        (void)fprintf(file, "| %s | ", rules[i].name);
        for (unsigned k = 0; k < CONDITIONS && rules[i].when[k].is != END; k++) {
            const struct condition *c = &rules[i].when[k];
            (void)fprintf(file, "%s%s %s %g%s%s", k ? "; " : "", figures[c->figure].text,
                          c->is == AT_LEAST ? ">=" : "<", c->limit,
                          figures[c->figure].unit[0] ? " " : "", figures[c->figure].unit);
        }
        (void)fprintf(file, "%s | %s |\n", rules[i].when[0].is == END ? "no other rule does" : "",
                      rules[i].hint);
    }
}
