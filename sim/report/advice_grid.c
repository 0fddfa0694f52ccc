/* Estimates of how the grid fills the GPU: occupancy, blocks of uneven length, waves, and the
 * start. */
#include <math.h>

#include "report/advice_input.h"
#include "report/quantity.h"

void estimate_occupancy(input *in, struct advice *advice)
{
    const struct simsm_occupancy *o = &in->stats->occupancy;
    const double filled = of(o->warps, o->max_warps);
    const uint64_t places = (uint64_t)o->blocks * in->stats->sms;
    if (o->limit[SIMSM_LIMIT_WARPS] <= o->blocks || in->stats->blocks_total <= places)
        return; /* the warp slots are the limit, or no block waits */
    const char *limiter = "";
    for (int i = SIMSM_LIMIT_COUNT - 1; i > 0; i--)
        limiter = o->limiters >> i & 1u ? simsm_limit_names[i] : limiter;
    advice->share =
        advice_below_roof(in, (1 - filled) * (1 - advice_state(in, SIMSM_STATE_ISSUED)));
    advice_say(advice,
               "%s theoretical occupancy, limited by %s; %u registers a thread, %s shared a block",
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

void estimate_within_blocks(input *in, struct advice *advice)
{
    const struct simsm_gap *gap = &in->stats->gap;
    const double ended = (double)gap->within_blocks;
    const double lost = of(ended, ended + (double)gap->alive);
    const double uneven =
        positive(1 - of((double)in->stats->blocks_inst, (double)in->stats->longest_warps));
    advice->share = advice_below_roof(in, least(lost, uneven) * advice_running_share(in));
    advice_say(advice, "%s of the warp places that blocks hold belong to warps that have ended",
               quantity_percent(100 * lost).text);
}

/* Returns the share of the time lost because no block is left to start. An SM without a block is
 * lost as a whole; empty places of an SM only as far as its units have time left. */
static double tail_loss(input *in)
{
    const struct simsm_gap *gap = &in->stats->gap;
    const double empty =
        (double)gap->few_blocks + (double)gap->partial_wave + (double)gap->across_blocks;
    return of(empty * (1 - advice_sm_use(in)) + (double)gap->idle, places(in));
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
void estimate_imbalance(input *in, struct advice *advice)
{
    const double longest = (double)in->stats->block_cycles_max;
    const double mean = mean_over_blocks(in, in->stats->block_cycles_sum);
    const double partial = 1 - waves(in) / ceil(waves(in) - 1e-9);
    const double lost = waves(in) <= 1 ? 1 - of(mean, longest) : tail_loss(in) - partial;
    advice->share =
        advice_below_roof(in, least(positive(lost), uneven_work(in)) * advice_running_share(in));
    advice_say(advice,
               "the longest block runs %s cycles, a mean one %s; the longest has %s of the mean "
               "block's instructions",
               quantity_count(longest).text, quantity_count(mean).text,
               quantity_percent(of(100, 1 - uneven_work(in))).text);
}

/* SMs that get no block. That the others could hold more blocks is no loss by itself. */
void estimate_few_blocks(input *in, struct advice *advice)
{
    const double unused = 1 - of((double)in->stats->blocks_total, in->stats->sms);
    advice->share = advice_below_roof(in, positive(unused) * advice_running_share(in));
    advice_say(advice, "%llu block%s on %u SMs, each of which has room for %u",
               (unsigned long long)in->stats->blocks_total, in->stats->blocks_total == 1 ? "" : "s",
               in->stats->sms, in->stats->occupancy.blocks);
}

/* The last wave leaves places empty. */
void estimate_partial_wave(input *in, struct advice *advice)
{
    static const double uneven = 0.3; /* then the length of the blocks explains the end */
    const double rest = waves(in) - floor(waves(in) + 1e-9);
    if (waves(in) <= 1 || rest < 1e-9 || uneven_work(in) > uneven)
        return;
    advice->share =
        least(tail_loss(in), 1 - waves(in) / ceil(waves(in))) * advice_running_share(in);
    advice_say(advice, "%llu blocks are %s waves on %u SMs; %s of the places are empty at the end",
               (unsigned long long)in->stats->blocks_total, quantity_ratio(waves(in)).text,
               in->stats->sms, quantity_percent(in->metrics[METRIC_TAIL].value).text);
}

void estimate_launch(input *in, struct advice *advice)
{
    const double before = (double)in->stats->launch_cycles;
    const double after = in->config->gpu_end_cycles, all = (double)in->stats->cycles;
    advice->share = least(1, of(before + after, all));
    advice_say(advice, "%s of %s cycles pass before the first block, and %s after the last",
               quantity_count(before).text, quantity_count(all).text, quantity_count(after).text);
}
