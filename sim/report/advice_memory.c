/* Estimates of faults of memory: accesses, conflicts, misses and latency. */
#include "language/language.h"
#include "model/op.h"
#include "report/advice_input.h"
#include "report/quantity.h"

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
    return advice_state(in, SIMSM_STATE_LG_THROTTLE) + advice_state(in, SIMSM_STATE_DRAIN) +
           advice_state(in, SIMSM_STATE_MEMBAR) +
           part * advice_state(in, SIMSM_STATE_LONG_SCOREBOARD);
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
    return op == SIMSM_OP_LD_SHARED || op == SIMSM_OP_ST_SHARED;
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
    advice_say(advice, "%s %s where %s would do", quantity_ratio((double)line->sectors / n).text,
               what, quantity_ratio((double)line->sectors_least / n).text);
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

void estimate_uncoalesced(input *in, struct advice *advice)
{
    CHOOSE_LINE(advice, in, is_global_access(op) ? excess(line) : 0);
    advice->share = excess_of(in, is_global_access) * crowded(in) * advice_running_share(in);
    say_excess(in, advice, _("sectors a request"));
}

void estimate_local_memory(input *in, struct advice *advice)
{
    const double local = count(in, SIMSM_COUNTER_LOCAL_SECTORS);
    const double all = local + count(in, SIMSM_COUNTER_GLOBAL_LD_SECTORS) +
                       count(in, SIMSM_COUNTER_GLOBAL_ST_SECTORS);
    CHOOSE_LINE(advice, in, is_local_access(op) ? (double)line->issues : 0);
    advice->share = of(local, all) * advice_memory_waits(in);
    advice_say(advice, "%s local loads and stores, %s of all instructions; %s of them hit L1",
               quantity_count(count(in, SIMSM_COUNTER_LOCAL_REQUESTS)).text,
               quantity_percent(100 * of(count(in, SIMSM_COUNTER_LOCAL_REQUESTS),
                                         count(in, SIMSM_COUNTER_INST_EXECUTED)))
                   .text,
               quantity_percent(100 * of(count(in, SIMSM_COUNTER_LOCAL_SECTOR_HITS), local)).text);
}

void estimate_bank_conflicts(input *in, struct advice *advice)
{
    CHOOSE_LINE(advice, in, is_shared_access(op) ? excess(line) : 0);
    advice->share =
        excess_of(in, is_shared_access) * (advice_state(in, SIMSM_STATE_SHORT_SCOREBOARD) +
                                           advice_state(in, SIMSM_STATE_MIO_THROTTLE));
    say_excess(in, advice, _("passes a request"));
}

static bool is_global_atomic(enum simsm_op_class op)
{
    return op == SIMSM_OP_ATOM_GLOBAL || op == SIMSM_OP_RED_GLOBAL;
}

/*
 * Returns what the atomics in global memory take of L2: a sector does the atomics on its words side
 * by side, and those on one word in turn.
 */
static double atomic_turns(input *in)
{
    enum { SECTOR_WORDS = 8 };
    const double sectors = count(in, SIMSM_COUNTER_GLOBAL_ATOM_SECTORS);
    double lanes = 0;
    for (uint32_t i = 0; i < in->stats->line_count; i++)
        lanes +=
            is_global_atomic(in->stats->line_info[i].op) ? (double)in->stats->lines[i].threads : 0;
    return sectors + positive(lanes - SECTOR_WORDS * sectors);
}

void estimate_atomics(input *in, struct advice *advice)
{
    const double global = count(in, SIMSM_COUNTER_GLOBAL_ATOM_REQUESTS);
    const double shared = count(in, SIMSM_COUNTER_SHARED_ATOM_REQUESTS);
    const double turns = atomic_turns(in);
    const double loads =
        count(in, SIMSM_COUNTER_GLOBAL_LD_SECTORS) + count(in, SIMSM_COUNTER_GLOBAL_ST_SECTORS);
    const double passes = count(in, SIMSM_COUNTER_SHARED_ATOM_WAVEFRONTS);
    CHOOSE_LINE(advice, in, op_is_atomic((uint8_t)op) ? (double)line->issues : 0);
    advice->share = of(turns, turns + loads) * advice_memory_waits(in) +
                    of(passes - shared, passes + count(in, SIMSM_COUNTER_SHARED_LD_WAVEFRONTS)) *
                        (advice_state(in, SIMSM_STATE_SHORT_SCOREBOARD) +
                         advice_state(in, SIMSM_STATE_MIO_THROTTLE));
    if (shared > 0 && shared >= global)
        advice_say(advice, "%s atomics in shared memory, %s passes each",
                   quantity_count(shared).text, quantity_ratio(of(passes, shared)).text);
    else
        advice_say(advice, "%s atomics in global memory, %s sectors each",
                   quantity_count(global).text,
                   quantity_ratio(of(count(in, SIMSM_COUNTER_GLOBAL_ATOM_SECTORS), global)).text);
}

void estimate_l1_capacity(input *in, struct advice *advice)
{
    const double hit = in->metrics[METRIC_L1_HIT].value, l2 = in->metrics[METRIC_L2_HIT].value;
    CHOOSE_LINE(advice, in, op == SIMSM_OP_LD_GLOBAL ? (double)line->sectors : 0);
    /* Whether data come again is not known if L2 lacks them, too; then an experiment decides. */
    advice->share = advice_memory_waits(in) * (1 - hit / 100) * (l2 > 1 ? l2 : 1) / 100;
    advice_say(advice, "%s of the sectors of loads hit L1; of the others L2 has %s",
               quantity_percent(hit).text, quantity_percent(l2).text);
}

void estimate_latency(input *in, struct advice *advice)
{
    advice_state_at(in, advice, SIMSM_STATE_LONG_SCOREBOARD);
    advice_say(advice, "warps wait %s of their cycles for memory, %s of them a scheduler",
               quantity_percent(100 * advice_state(in, SIMSM_STATE_LONG_SCOREBOARD)).text,
               quantity_ratio(in->metrics[METRIC_WARPS_PER_SCHEDULER].value).text);
}

void estimate_dram(input *in, struct advice *advice)
{
    const double used = in->metrics[METRIC_DRAM_THROUGHPUT].value / in->config->dram_efficiency;
    advice->share = used < 30 ? 0 : used / 100; /* below, only its latency counts */
    advice_say(advice, "DRAM moves %s, %s of what it sustains",
               quantity_bytes(in->metrics[METRIC_DRAM_BYTES].value).text,
               quantity_percent(used).text);
}
