#include "report/advice_estimate.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "model/op.h"
#include "report/quantity.h"

typedef const struct advice_input input;

static double count(input *in, enum simsm_counter counter)
{
    return (double)in->stats->counter[counter];
}

/* Returns the share of the resident warps' cycles in a state. */
static double state(input *in, enum simsm_warp_state which)
{
    return (double)in->stats->states[which] / (double)metrics_resident_cycles(in->stats);
}

static double of(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

static double positive(double x)
{
    return x > 0 ? x : 0;
}

static double running_share(input *in)
{
    return 1 - of((double)in->stats->launch_cycles, (double)in->stats->cycles);
}

/*
 * Returns the share of the resident warps' cycles in which they wait because the way to memory is
 * crowded: at its entrance, or for longer than a load takes that is alone.
 */
static double crowded(input *in)
{
    const struct simsm_config *config = in->config;
    const double miss = 1 - in->metrics[METRIC_L2_HIT].value / 100;
    const double further = (double)config->dram_latency - config->l2_latency;
    const double alone = config->l2_latency + (miss > 0 ? miss * further : 0);
    const double waited = (double)in->stats->states[SIMSM_STATE_LONG_SCOREBOARD];
    const double loads =
        count(in, SIMSM_COUNTER_GLOBAL_LD_REQUESTS) + count(in, SIMSM_COUNTER_LOCAL_REQUESTS);
    const double busy = 1.5 * advice_roof(in->config, in->stats, in->metrics).share;
    const double longer = positive(1 - of(alone * loads, waited));
    const double part = longer > busy ? longer : busy < 1 ? busy : 1;
    return state(in, SIMSM_STATE_LG_THROTTLE) + state(in, SIMSM_STATE_DRAIN) +
           state(in, SIMSM_STATE_MEMBAR) + part * state(in, SIMSM_STATE_LONG_SCOREBOARD);
}

/* Returns the share of the resident warps' cycles that wait for global or local memory. */
static double memory_waits(input *in)
{
    return state(in, SIMSM_STATE_LONG_SCOREBOARD) + state(in, SIMSM_STATE_LG_THROTTLE) +
           state(in, SIMSM_STATE_DRAIN) + state(in, SIMSM_STATE_MEMBAR);
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

/* What kernels without faults reach of the roof of their busiest resource. */
static const double attainable = 0.85;

/* Returns `share`, but no more than leaves the busiest resource busy: without the fault a launch
 * still moves its bytes and issues its instructions. */
static double below_roof(input *in, double share)
{
    const double busy = advice_roof(in->config, in->stats, in->metrics).share;
    return least(share, positive(1 - busy / attainable));
}

/* Returns the warp cycles at a line: issuing it, or waiting to, but not for global memory. */
static double line_cycles(const struct simsm_line_stats *line)
{
    double sum = 0;
    for (unsigned s = SIMSM_STATE_ISSUED; s < SIMSM_STATE_COUNT; s++)
        sum += s != SIMSM_STATE_LONG_SCOREBOARD ? (double)line->states[s] : 0;
    return sum;
}

/* Sets the line at which `value` is greatest. */
#define CHOOSE_LINE(advice, in, value)                                                             \
    do {                                                                                           \
        double most = 0;                                                                           \
        for (uint32_t i = 0; i < (in)->stats->line_count; i++) {                                   \
            const struct simsm_line_stats *line = &(in)->stats->lines[i];                          \
            const enum simsm_op_class op = (in)->stats->line_info[i].op;                           \
            const double here = (value);                                                           \
            (void)line;                                                                            \
            (void)op;                                                                              \
            if (!(here > most))                                                                    \
                continue;                                                                          \
            most = here;                                                                           \
            (advice)->line = i;                                                                    \
        }                                                                                          \
    } while (0)

static void say(struct advice *advice, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void say(struct advice *advice, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(advice->figure, sizeof advice->figure, format, arguments);
    va_end(arguments);
}

static bool is_global_access(enum simsm_op_class op)
{
    return op == SIMSM_OP_LD_GLOBAL || op == SIMSM_OP_ST_GLOBAL || op == SIMSM_OP_COPY_ASYNC;
}

static bool is_local_access(enum simsm_op_class op)
{
    return op == SIMSM_OP_LD_LOCAL || op == SIMSM_OP_ST_LOCAL;
}

static bool is_shared_access(enum simsm_op_class op)
{
    return op == SIMSM_OP_LD_SHARED || op == SIMSM_OP_ST_SHARED || op == SIMSM_OP_ATOM_SHARED;
}

static double excess(const struct simsm_line_stats *line)
{
    return line->sectors_least ? (double)(line->sectors - line->sectors_least) : 0;
}

/* Says how many sectors or passes each access of the line takes, and would take. */
static void say_excess(input *in, struct advice *advice, const char *what)
{
    if (advice->line == ADVICE_NO_LINE)
        return;
    const struct simsm_line_stats *line = &in->stats->lines[advice->line];
    const double n = (double)line->issues;
    say(advice, "%s %s where %s would do", quantity_ratio((double)line->sectors / n).text, what,
        quantity_ratio((double)line->sectors_least / n).text);
}

/* Returns the part of the sectors or passes of all lines of `kind` that is in excess. */
static double excess_of(input *in, bool (*kind)(enum simsm_op_class op))
{
    double sum = 0, all = 0;
    for (uint32_t i = 0; i < in->stats->line_count; i++) {
        if (!kind(in->stats->line_info[i].op))
            continue;
        sum += excess(&in->stats->lines[i]);
        all += (double)in->stats->lines[i].sectors;
    }
    return of(sum, all);
}

static void uncoalesced(input *in, struct advice *advice)
{
    CHOOSE_LINE(advice, in, is_global_access(op) ? excess(line) : 0);
    advice->share = excess_of(in, is_global_access) * crowded(in) * running_share(in);
    say_excess(in, advice, "sectors a request");
}

static void local_memory(input *in, struct advice *advice)
{
    const double local = count(in, SIMSM_COUNTER_LOCAL_SECTORS);
    const double all = local + count(in, SIMSM_COUNTER_GLOBAL_LD_SECTORS) +
                       count(in, SIMSM_COUNTER_GLOBAL_ST_SECTORS);
    CHOOSE_LINE(advice, in, is_local_access(op) ? (double)line->issues : 0);
    advice->share = of(local, all) * memory_waits(in);
    say(advice, "%s local loads and stores, %s of all instructions; %s of them hit L1",
        quantity_count(count(in, SIMSM_COUNTER_LOCAL_REQUESTS)).text,
        quantity_percent(100 * of(count(in, SIMSM_COUNTER_LOCAL_REQUESTS),
                                  count(in, SIMSM_COUNTER_INST_EXECUTED)))
            .text,
        quantity_percent(100 * of(count(in, SIMSM_COUNTER_LOCAL_SECTOR_HITS), local)).text);
}

static void bank_conflicts(input *in, struct advice *advice)
{
    CHOOSE_LINE(advice, in, is_shared_access(op) ? excess(line) : 0);
    advice->share = excess_of(in, is_shared_access) *
                    (state(in, SIMSM_STATE_SHORT_SCOREBOARD) + state(in, SIMSM_STATE_MIO_THROTTLE));
    say_excess(in, advice, "passes a request");
}

static void atomics(input *in, struct advice *advice)
{
    const double global = count(in, SIMSM_COUNTER_GLOBAL_ATOM_REQUESTS);
    const double shared = count(in, SIMSM_COUNTER_SHARED_ATOM_REQUESTS);
    const double loads =
        count(in, SIMSM_COUNTER_GLOBAL_LD_REQUESTS) + count(in, SIMSM_COUNTER_GLOBAL_ST_REQUESTS);
    const double passes = count(in, SIMSM_COUNTER_SHARED_ATOM_WAVEFRONTS);
    CHOOSE_LINE(advice, in, op_is_atomic((uint8_t)op) ? (double)line->issues : 0);
    advice->share =
        of(global, global + loads) * memory_waits(in) +
        of(passes - shared, passes + count(in, SIMSM_COUNTER_SHARED_LD_WAVEFRONTS)) *
            (state(in, SIMSM_STATE_SHORT_SCOREBOARD) + state(in, SIMSM_STATE_MIO_THROTTLE));
    if (shared > 0 && shared >= global)
        say(advice, "%s atomics in shared memory, %s passes each", quantity_count(shared).text,
            quantity_ratio(of(passes, shared)).text);
    else
        say(advice, "%s atomics in global memory, %s sectors each", quantity_count(global).text,
            quantity_ratio(of(count(in, SIMSM_COUNTER_GLOBAL_ATOM_SECTORS), global)).text);
}

/* Returns the threads of a warp, mean over the warps of a block. */
static double warp_threads(input *in)
{
    return of((double)simsm_block_threads(&in->stats->launch),
              in->stats->occupancy.warps_per_block);
}

static bool counts_lanes(enum simsm_op_class op)
{
    return !op_is_memory(op) && op != SIMSM_OP_EXIT && op != SIMSM_OP_BARRIER;
}

/* Returns the share of the lanes that have left a line by a branch, where that counts. */
static double branch_loss(input *in, const struct simsm_line_stats *line, enum simsm_op_class op)
{
    const double lanes = of((double)line->threads, (double)line->issues);
    return counts_lanes(op) && line->issues ? positive(1 - of(lanes, warp_threads(in))) : 0;
}

/* Returns the share of the lanes of a line that a predicate switches off, where that counts. */
static double guard_loss(input *in, const struct simsm_line_stats *line, enum simsm_op_class op)
{
    const double off = of((double)line->threads_off, (double)line->issues);
    return counts_lanes(op) && !op_is_control_flow((uint8_t)op) ? of(off, warp_threads(in)) : 0;
}

/* Returns how busy the SM's own units are while the SM runs, of what is attainable: 0 to 1. */
static double sm_use(input *in)
{
    const struct simsm_metric *m = in->metrics;
    double most = m[METRIC_ISSUE_SLOTS_BUSY].value;
    for (unsigned p = 0; p < SIMSM_PIPE_COUNT; p++)
        most = m[METRIC_PIPE_BUSY + p].value > most ? m[METRIC_PIPE_BUSY + p].value : most;
    return least(1, most / 100 / attainable);
}

/*
 * Idle lanes cost the cycles of their warps, if warps wait for themselves, or the issue slots of
 * their instructions, if they wait for the SM's units. The greater of both is the estimate.
 */
static void lanes(input *in, struct advice *advice,
                  double (*loss)(input *, const struct simsm_line_stats *, enum simsm_op_class))
{
    const struct simsm_stats *stats = in->stats;
    double cycles = 0, issues = 0;
    for (uint32_t i = 0; i < stats->line_count; i++) {
        const double idle = loss(in, &stats->lines[i], stats->line_info[i].op);
        cycles += idle * line_cycles(&stats->lines[i]);
        issues += idle * (double)stats->lines[i].issues;
    }
    CHOOSE_LINE(advice, in, loss(in, line, op) * line_cycles(line));
    const double waiting = of(cycles, (double)metrics_resident_cycles(stats));
    const double issuing = of(issues, count(in, SIMSM_COUNTER_INST_EXECUTED)) * sm_use(in);
    advice->share = (waiting > issuing ? waiting : issuing) * running_share(in);
    if (advice->line == ADVICE_NO_LINE)
        return;
    const struct simsm_line_stats *line = &stats->lines[advice->line];
    say(advice,
        "%s of %.0f lanes are active there; %s of 32 in a mean instruction, %s with its guard true",
        quantity_ratio(of((double)(line->threads - line->threads_off), (double)line->issues)).text,
        warp_threads(in), quantity_ratio(in->metrics[METRIC_THREADS_PER_INST].value).text,
        quantity_ratio(in->metrics[METRIC_PRED_ON_PER_INST].value).text);
}

static void divergence(input *in, struct advice *advice)
{
    lanes(in, advice, branch_loss);
}

static void predication(input *in, struct advice *advice)
{
    lanes(in, advice, guard_loss);
}

static void partial_warps(input *in, struct advice *advice)
{
    advice->share = (1 - warp_threads(in) / SIMSM_WARP_LANES) * running_share(in);
    say(advice, "a block has %llu threads: its last warp has %llu of 32",
        (unsigned long long)simsm_block_threads(&in->stats->launch),
        (unsigned long long)(simsm_block_threads(&in->stats->launch) % SIMSM_WARP_LANES));
}

static void occupancy(input *in, struct advice *advice)
{
    const struct simsm_occupancy *o = &in->stats->occupancy;
    const double filled = of(o->warps, o->max_warps);
    const uint64_t places = (uint64_t)o->blocks * in->stats->sms;
    if (o->limit[SIMSM_LIMIT_WARPS] <= o->blocks || in->stats->blocks_total <= places)
        return; /* the warp slots are the limit, or no block waits */
    const char *limiter = "";
    for (int i = SIMSM_LIMIT_COUNT - 1; i > 0; i--)
        limiter = o->limiters >> i & 1u ? simsm_limit_names[i] : limiter;
    advice->share = below_roof(in, (1 - filled) * (1 - state(in, SIMSM_STATE_ISSUED)));
    say(advice, "%s theoretical occupancy, limited by %s; %u registers a thread, %s shared a block",
        quantity_percent(100 * filled).text, limiter, in->stats->launch.registers,
        quantity_kib(o->shared_per_block).text);
}

/* Returns warp places x cycles from the first block to the end, over all SMs. */
static double places(input *in)
{
    const struct simsm_stats *s = in->stats;
    return (double)(s->cycles > s->launch_cycles ? s->cycles - s->launch_cycles : 0) * s->sms *
           s->occupancy.warps;
}

static void within_blocks(input *in, struct advice *advice)
{
    const struct simsm_gap *gap = &in->stats->gap;
    const double ended = (double)gap->within_blocks;
    const double lost = of(ended, ended + (double)gap->alive);
    const double uneven =
        positive(1 - of((double)in->stats->blocks_inst, (double)in->stats->longest_warps));
    advice->share = below_roof(in, least(lost, uneven) * running_share(in));
    say(advice, "%s of the warp places that blocks hold belong to warps that have ended",
        quantity_percent(100 * lost).text);
}

/* Returns the share of the time lost because no block is left to start. An SM without a block is
 * lost as a whole; empty places of an SM only as far as its units have time left. */
static double tail_loss(input *in)
{
    const struct simsm_gap *gap = &in->stats->gap;
    const double empty =
        (double)gap->few_blocks + (double)gap->partial_wave + (double)gap->across_blocks;
    return of(empty * (1 - sm_use(in)) + (double)gap->idle, places(in));
}

static double waves(input *in)
{
    return in->metrics[METRIC_WAVES].value;
}

static double mean_over_blocks(input *in, uint64_t sum)
{
    return of((double)sum, (double)in->stats->blocks_done);
}

/* Returns how much shorter a mean block is than the longest, in instructions: 0 to 1. Blocks that
 * only wait longer than others count as even. */
static double uneven_work(input *in)
{
    const double mean = mean_over_blocks(in, in->stats->blocks_inst);
    const double most = (double)in->stats->block_inst_max; /* 0: not known */
    return most > 0 ? positive(1 - mean / most) : 0;
}

/* Blocks of different length: in a single wave the longest decides; in several, what is empty at
 * the end beyond a partial wave. */
static void imbalance(input *in, struct advice *advice)
{
    const double longest = (double)in->stats->block_cycles_max;
    const double mean = mean_over_blocks(in, in->stats->block_cycles_sum);
    const double partial = 1 - waves(in) / ceil(waves(in) - 1e-9);
    const double lost = waves(in) <= 1 ? 1 - of(mean, longest) : tail_loss(in) - partial;
    advice->share = below_roof(in, least(positive(lost), uneven_work(in)) * running_share(in));
    say(advice,
        "the longest block runs %s cycles, a mean one %s; the longest has %s of the mean "
        "block's instructions",
        quantity_count(longest).text, quantity_count(mean).text,
        quantity_percent(of(100, 1 - uneven_work(in))).text);
}

static void say_grid(input *in, struct advice *advice)
{
    const unsigned long long blocks = in->stats->blocks_total;
    char words[64];
    if (waves(in) < 1)
        (void)snprintf(words, sizeof words, "%llu block%s", blocks, blocks == 1 ? "" : "s");
    else
        (void)snprintf(words, sizeof words, "%llu blocks are %s waves", blocks,
                       quantity_ratio(waves(in)).text);
    say(advice, "%s on %u SMs; %s of the places are empty at the end", words, in->stats->sms,
        quantity_percent(in->metrics[METRIC_TAIL].value).text);
}

/* SMs that get no block. That the others could hold more blocks is no loss by itself. */
static void few_blocks(input *in, struct advice *advice)
{
    const double unused = 1 - of((double)in->stats->blocks_total, in->stats->sms);
    advice->share = below_roof(in, positive(unused) * running_share(in));
    say_grid(in, advice);
}

/* The last wave leaves places empty. */
static void partial_wave(input *in, struct advice *advice)
{
    static const double uneven = 0.3; /* then the length of the blocks explains the end */
    const double rest = waves(in) - floor(waves(in) + 1e-9);
    if (waves(in) <= 1 || rest < 1e-9 || uneven_work(in) > uneven)
        return;
    advice->share = least(tail_loss(in), 1 - waves(in) / ceil(waves(in))) * running_share(in);
    say_grid(in, advice);
}

static void state_at(input *in, struct advice *advice, enum simsm_warp_state which)
{
    CHOOSE_LINE(advice, in, (double)line->states[which]);
    advice->share = below_roof(in, state(in, which));
}

static void barriers(input *in, struct advice *advice)
{
    state_at(in, advice, SIMSM_STATE_BARRIER);
    say(advice, "warps wait %s of their cycles at barriers",
        quantity_percent(100 * state(in, SIMSM_STATE_BARRIER)).text);
}

/* Misses cost time where the code is larger than the first cache, or runs so seldom that its first
 * fetches count. */
static void code(input *in, struct advice *advice)
{
    enum { SELDOM = 64 };
    double executed = 0;
    for (uint32_t i = 0; i < in->stats->line_count; i++)
        executed += in->stats->lines[i].issues > 0;
    const double bytes = executed * in->config->fetch_instruction_bytes;
    const double sms = least((double)in->stats->blocks_total, in->stats->sms);
    const double each = of(count(in, SIMSM_COUNTER_INST_EXECUTED), executed * sms);
    state_at(in, advice, SIMSM_STATE_NO_INSTRUCTION);
    if (bytes <= in->config->fetch_l0_bytes && each >= SELDOM)
        advice->share = 0;
    say(advice,
        "warps have no instruction in %s of their cycles; the code that runs has %s, and an SM "
        "executes each instruction %s times",
        quantity_percent(100 * state(in, SIMSM_STATE_NO_INSTRUCTION)).text,
        quantity_kib(bytes).text, quantity_count(each).text);
}

/* Returns how often instructions of a class were issued. */
static double issues_of(input *in, uint8_t op)
{
    double issues = 0;
    for (uint32_t i = 0; i < in->stats->line_count; i++)
        issues += in->stats->line_info[i].op == op ? (double)in->stats->lines[i].issues : 0;
    return issues;
}

static void constants(input *in, struct advice *advice)
{
    const double loads = issues_of(in, SIMSM_OP_LD_CONST);
    const double shared = issues_of(in, SIMSM_OP_LD_SHARED) + issues_of(in, SIMSM_OP_ATOM_SHARED);
    state_at(in, advice, SIMSM_STATE_IMC_MISS);
    const bool loaded = of(loads, count(in, SIMSM_COUNTER_INST_EXECUTED)) > 0.02;
    if (loaded)
        CHOOSE_LINE(advice, in, op == SIMSM_OP_LD_CONST ? (double)line->issues : 0);
    /* Loads from shared memory wait in the same state. */
    advice->share +=
        loaded ? state(in, SIMSM_STATE_SHORT_SCOREBOARD) * of(loads, loads + shared) : 0;
    say(advice, "warps wait %s of their cycles for constants of operands; %s loads of constants",
        quantity_percent(100 * state(in, SIMSM_STATE_IMC_MISS)).text, quantity_count(loads).text);
}

static void double_precision(input *in, struct advice *advice)
{
    const double busy = in->metrics[METRIC_PIPE_BUSY + SIMSM_PIPE_FP64].value / 100;
    const double wide = in->config->ops[SIMSM_OP_FP64].interval;
    const double single = in->config->ops[SIMSM_OP_FP32].interval;
    CHOOSE_LINE(advice, in, op == SIMSM_OP_FP64 ? (double)line->issues : 0);
    advice->share = busy * positive(1 - single / wide) * running_share(in);
    say(advice, "the FP64 pipe is busy in %s of the active cycles",
        quantity_percent(100 * busy).text);
}

static bool is_named(input *in, uint32_t line, const char *name)
{
    const char *text = in->stats->line_info[line].text, *at = strstr(text, name);
    const size_t length = strlen(name);
    return at && (at == text || at[-1] == ' ') && (at[length] == ' ' || at[length] == '.');
}

/* Returns whether an addition among the next lines uses the result of the multiplication `line`. */
static bool feeds_addition(input *in, uint32_t line)
{
    enum { NEAR = 12 };
    char result[16];
    const char *at = strstr(in->stats->line_info[line].text, "FMUL");
    if (!at || sscanf(at, "%*s %15[^,]", result) != 1)
        return false;
    const size_t length = strlen(result);
    for (uint32_t i = line + 1; i < in->stats->line_count && i <= line + NEAR; i++) {
        const char *text = in->stats->line_info[i].text, *comma = strchr(text, ',');
        const char *use = is_named(in, i, "FADD") && comma ? strstr(comma, result) : NULL;
        if (use && (use[length] < '0' || use[length] > '9'))
            return true;
    }
    return false;
}

static void unfused(input *in, struct advice *advice)
{
    double pairs = 0, most = 0;
    for (uint32_t i = 0; i < in->stats->line_count; i++) {
        const double issues = (double)in->stats->lines[i].issues;
        if (!is_named(in, i, "FMUL") || !feeds_addition(in, i))
            continue;
        pairs += issues;
        if (issues <= most)
            continue;
        most = issues;
        advice->line = i;
    }
    const double fma = in->metrics[METRIC_PIPE_BUSY + SIMSM_PIPE_FMA].value / 100;
    const double issue = in->metrics[METRIC_ISSUE_SLOTS_BUSY].value / 100;
    const double part = of(pairs, count(in, SIMSM_COUNTER_INST_EXECUTED));
    advice->share = part * (fma > issue ? fma : issue) * running_share(in);
    say(advice, "%s multiplications whose product is then added: %s of all instructions",
        quantity_count(pairs).text, quantity_percent(100 * part).text);
}

static void tensor(input *in, struct advice *advice)
{
    enum { TIMES_FASTER = 8 };
    double products = 0;
    for (uint32_t i = 0; i < in->stats->line_count; i++)
        products += is_named(in, i, "FFMA") || is_named(in, i, "HFMA2")
                        ? (double)in->stats->lines[i].issues
                        : 0;
    const double part = of(products, count(in, SIMSM_COUNTER_INST_EXECUTED));
    const double fma = in->metrics[METRIC_PIPE_BUSY + SIMSM_PIPE_FMA].value / 100;
    const bool is_product = count(in, SIMSM_COUNTER_SHARED_LD_REQUESTS) > products / 64 &&
                            count(in, SIMSM_COUNTER_BARRIERS) > 0 &&
                            count(in, SIMSM_COUNTER_PIPE_TENSOR) < products / 64;
    if (part < 0.4 || fma < 0.3 || !is_product)
        return;
    advice->share = sm_use(in) * (1 - 1.0 / TIMES_FASTER) * running_share(in);
    say(advice, "%s of the instructions are multiply-adds, fed from shared memory",
        quantity_percent(100 * part).text);
}

static void launch(input *in, struct advice *advice)
{
    advice->share = of((double)in->stats->launch_cycles, (double)in->stats->cycles);
    say(advice, "%s of %s cycles pass before the first block",
        quantity_count((double)in->stats->launch_cycles).text,
        quantity_count((double)in->stats->cycles).text);
}

static void l1_capacity(input *in, struct advice *advice)
{
    const double hit = in->metrics[METRIC_L1_HIT].value, l2 = in->metrics[METRIC_L2_HIT].value;
    CHOOSE_LINE(advice, in, op == SIMSM_OP_LD_GLOBAL ? (double)line->sectors : 0);
    /* Whether data come again is not known if L2 lacks them, too; then an experiment decides. */
    advice->share = memory_waits(in) * (1 - hit / 100) * (l2 > 1 ? l2 : 1) / 100;
    say(advice, "%s of the sectors of loads hit L1; of the others L2 has %s",
        quantity_percent(hit).text, quantity_percent(l2).text);
}

static void latency(input *in, struct advice *advice)
{
    state_at(in, advice, SIMSM_STATE_LONG_SCOREBOARD);
    say(advice, "warps wait %s of their cycles for memory, %s of them a scheduler",
        quantity_percent(100 * state(in, SIMSM_STATE_LONG_SCOREBOARD)).text,
        quantity_ratio(in->metrics[METRIC_WARPS_PER_SCHEDULER].value).text);
}

static void dram(input *in, struct advice *advice)
{
    const double used = in->metrics[METRIC_DRAM_THROUGHPUT].value / in->config->dram_efficiency;
    advice->share = used < 30 ? 0 : used / 100; /* below, only its latency counts */
    say(advice, "DRAM moves %s, %s of what it sustains",
        quantity_bytes(in->metrics[METRIC_DRAM_BYTES].value).text, quantity_percent(used).text);
}

static void (*const estimates[ADVICE_COUNT])(input *in, struct advice *advice) = {
    [ADVICE_UNCOALESCED] = uncoalesced,
    [ADVICE_LOCAL] = local_memory,
    [ADVICE_BANKS] = bank_conflicts,
    [ADVICE_ATOMICS] = atomics,
    [ADVICE_DIVERGENCE] = divergence,
    [ADVICE_PREDICATION] = predication,
    [ADVICE_PARTIAL_WARPS] = partial_warps,
    [ADVICE_OCCUPANCY] = occupancy,
    [ADVICE_WITHIN_BLOCKS] = within_blocks,
    [ADVICE_IMBALANCE] = imbalance,
    [ADVICE_PARTIAL_WAVE] = partial_wave,
    [ADVICE_FEW_BLOCKS] = few_blocks,
    [ADVICE_BARRIERS] = barriers,
    [ADVICE_CODE] = code,
    [ADVICE_CONSTANTS] = constants,
    [ADVICE_FP64] = double_precision,
    [ADVICE_UNFUSED] = unfused,
    [ADVICE_TENSOR] = tensor,
    [ADVICE_LAUNCH] = launch,
    [ADVICE_L1] = l1_capacity,
    [ADVICE_LATENCY] = latency,
    [ADVICE_DRAM] = dram,
};

void advice_estimate(const struct advice_input *in, struct advice *advice)
{
    estimates[advice->id](in, advice);
}

/* Replaces the roof if another resource is busier. */
static void raise_roof(struct advice_roof *roof, const char *name, bool pipe, double percent)
{
    if (!(percent / 100 > roof->share))
        return;
    (void)snprintf(roof->name, sizeof roof->name, "%s%s%s", pipe ? "the " : "", name,
                   pipe ? " pipe" : "");
    roof->share = percent / 100;
}

/* Returns the passes through shared memory. An SM makes one a cycle. */
static double shared_passes(const struct simsm_stats *stats)
{
    return (double)stats->counter[SIMSM_COUNTER_SHARED_LD_WAVEFRONTS] +
           (double)stats->counter[SIMSM_COUNTER_SHARED_ST_WAVEFRONTS] +
           (double)stats->counter[SIMSM_COUNTER_SHARED_ATOM_WAVEFRONTS];
}

struct advice_roof advice_roof(const struct simsm_config *config, const struct simsm_stats *stats,
                               const struct simsm_metric metrics[METRIC_COUNT])
{
    const double active = of((double)stats->counter[SIMSM_COUNTER_SM_CYCLES_ACTIVE],
                             (double)stats->cycles * stats->sms);
    struct advice_roof roof = {"nothing", 0};
    const struct {
        const char *name;
        double share;
    } shared[] = {
        {"DRAM", metrics[METRIC_DRAM_THROUGHPUT].value / config->dram_efficiency},
        {"L2", metrics[METRIC_L2_THROUGHPUT].value},
        {"the way from L2", metrics[METRIC_XBAR_REPLY].value},
        {"shared memory",
         100 * active *
             of(shared_passes(stats), (double)stats->counter[SIMSM_COUNTER_SM_CYCLES_ACTIVE])},
        {"the issue slots", metrics[METRIC_ISSUE_SLOTS_BUSY].value * active},
    };
    for (size_t i = 0; i < sizeof shared / sizeof shared[0]; i++)
        raise_roof(&roof, shared[i].name, false, shared[i].share);
    for (unsigned p = 0; p < SIMSM_PIPE_COUNT; p++)
        raise_roof(&roof, simsm_pipes[p].name, true, metrics[METRIC_PIPE_BUSY + p].value * active);
    return roof;
}
