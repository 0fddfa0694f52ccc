#include "sample/sample_blocks.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "api/simsm_front.h"
#include "sample/student.h"

/* Relative half-width of the 95 % interval of the sum at which sampling stops. */
static const double aim = 0.03;

/* Least relative standard deviation assumed for waves: a few waves may agree by chance, or because
 * they follow each other. */
static const double least_deviation = 0.01;

/* Least relative standard deviation assumed in the search for a trend: smaller trends do not
 * matter. */
static const double least_scatter = 0.0005;

/* Standard deviation, in waves, of the difference between the end of a shortened launch and the end
 * of the whole launch. SOURCE: docs/sampling.md, runs cut at different blocks. */
static const double end_deviation = 0.1;

/* In the first waves all blocks begin together, with cold caches; these waves are not measured. */
enum { WAVES_OUT = 3, LEAST_WAVES = 4, LEAST_SETTLED = 6, LEFT_FOR_EACH = 8 };

/* Least share of the blocks that must remain for an estimate to be worth it. */
static const double worth = 0.2;

/* Largest relative differences between blocks that stand for others and the remaining blocks: of
 * the features, and by which the longest remaining warp may be longer. */
static const double alike = 0.02, longer = 0.10;

/*
 * Filled shares of L2. Below the first two nothing is evicted that matters: l2_free for lines that
 * are read again, l2_free_written for written lines (the dirty lines of a set are limited). Above
 * the last share L2 is full.
 */
static const double l2_free = 0.6, l2_free_written = 0.3, l2_free_of_streams = 0.8, l2_full = 1.05;

/* Shares of written lines that count as none, and as few. */
static const double none_written = 0.02, few_written = 0.1;

/* Factor of the standard deviation in change_left. */
static const double change_deviation = 1.5;

enum { LINE_BYTES = 128 };

const char *const block_reason_names[BLOCK_REASONS] = {
    [BLOCKS_NOT_ASKED] = "not asked",  [BLOCKS_SAMPLED] = "sampled", [BLOCKS_UNKNOWN] = "unknown",
    [BLOCKS_WAIT] = "blocks wait",     [BLOCKS_FEW] = "few waves",   [BLOCKS_FILL] = "L2 fills",
    [BLOCKS_DIFFER] = "blocks differ", [BLOCKS_DRIFT] = "drift",     [BLOCKS_SPREAD] = "spread",
};

__attribute__((format(printf, 3, 4))) static bool
refuse(struct block_sampler *sampler, enum block_reason reason, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    sampler->outcome.reason = reason;
    (void)vsnprintf(sampler->outcome.text, sizeof sampler->outcome.text, format, arguments);
    va_end(arguments);
    return false;
}

/* Returns true if a straight line through the times of waves has a slope that is not chance. */
static bool drifts(const double *cycles, uint32_t waves, double mean)
{
    double slope = 0, squares = 0, rest = 0;
    for (uint32_t i = 0; i < waves; i++) {
        const double x = i - (waves - 1) / 2.0;
        squares += x * x;
        slope += x * (cycles[i] - mean);
    }
    slope /= squares;
    for (uint32_t i = 0; i < waves; i++)
        rest += pow(cycles[i] - mean - slope * (i - (waves - 1) / 2.0), 2);
    const double spread = fmax(sqrt(rest / (waves - 2)), least_scatter * mean);
    return fabs(slope) > student_95(waves - 2) * spread / sqrt(squares);
}

static double mean_of(const double *cycles, uint32_t waves)
{
    double sum = 0;
    for (uint32_t i = 0; i < waves; i++)
        sum += cycles[i];
    return sum / waves;
}

static double deviation_of(const double *cycles, uint32_t waves, double mean)
{
    double squares = 0;
    for (uint32_t i = 0; i < waves; i++)
        squares += pow(cycles[i] - mean, 2);
    return fmax(sqrt(squares / (waves - 1)), least_deviation * mean);
}

/*
 * Returns by how much the waves may still become slower or faster, after they have changed and the
 * change has become too small to see: change_deviation times the difference between the halves of
 * the measured waves. If the times approach their limit like exp(-t / waves), the limit is twice
 * that difference from the mean.
 */
static double change_left(const double *cycles, uint32_t waves)
{
    const uint32_t half = waves / 2;
    const double change = mean_of(cycles + half, waves - half) - mean_of(cycles, half);
    return change_deviation * fabs(change);
}

/* Chooses the waves for the mean: all measured waves or, if they become slower or faster, the later
 * half of them. Long blocks take many waves to get out of step. Returns false if there are too few.
 */
static bool find_steady(struct block_sampler *sampler)
{
    struct block_outcome *outcome = &sampler->outcome;
    const uint32_t half = sampler->waves / 2;
    bool steady = false;
    for (uint32_t first = 0; first <= half && !steady; first += half) {
        const double *cycles = sampler->cycles + first;
        const uint32_t waves = sampler->waves - first;
        if (waves < (first ? LEAST_SETTLED : LEAST_WAVES))
            return false;
        const double mean = mean_of(cycles, waves);
        steady = !drifts(cycles, waves, mean);
        outcome->waves_timed = waves;
        outcome->wave_cycles = mean;
        outcome->wave_deviation = deviation_of(cycles, waves, mean);
        outcome->wave_change = first ? change_left(cycles, waves) : 0;
    }
    return steady;
}

/* Returns the variance of the sum of the remaining waves: their own variance, and those of the
 * mean, of the end of the launch and of a remaining change. */
static double variance_of_rest(const struct block_sampler *sampler, double left)
{
    const struct block_outcome *outcome = &sampler->outcome;
    const double end = end_deviation * outcome->wave_cycles;
    const double change = outcome->wave_change * left;
    return change * change +
           pow(outcome->wave_deviation, 2) * (left + left * left / outcome->waves_timed) +
           end * end;
}

/* Returns true if blocks [from, to) can stand for the blocks from `to` to the end of the grid. */
static bool rest_is_alike(struct block_sampler *sampler, uint64_t from, uint64_t to)
{
    const struct sample_profile *profile = sampler->profile;
    uint64_t before, after;
    double instructions = profile_sum(profile, FEATURE_WARP_INSTRUCTIONS, from, to, &before);
    for (unsigned i = 0; i < SAMPLE_FEATURES; i++) {
        const enum sample_feature feature = (enum sample_feature)i;
        const bool longest = feature == FEATURE_LONGEST_WARP;
        double here = profile_sum(profile, feature, longest ? 0 : from, to, &before);
        double there = profile_sum(profile, feature, to, profile->blocks, &after);
        if (!before || !after)
            return refuse(sampler, BLOCKS_FEW, "there are too few blocks to compare them");
        here /= longest ? 1 : (double)before;
        there /= longest ? 1 : (double)after;
        const double larger = fmax(here, there), rare = 0.001 * instructions / (double)before;
        const bool good = longest ? there <= (1 + longer) * here
                                  : fabs(here - there) <= fmax(alike * larger, rare);
        if (!good)
            return refuse(sampler, BLOCKS_DIFFER,
                          "blocks differ along the grid: %s of those left is %.4g%s, of those "
                          "timed %.4g",
                          sample_feature_names[i], there, longest ? "" : " a block", here);
    }
    return true;
}

/* Returns true if the measured waves can stand for `left` further waves. `cycle` is the current
 * one. */
static bool is_known(struct block_sampler *sampler, uint64_t cycle, double left)
{
    const struct block_outcome *outcome = &sampler->outcome;
    if (!find_steady(sampler))
        return refuse(sampler, BLOCKS_DRIFT, "waves of blocks became %s all the time",
                      sampler->cycles[0] < outcome->wave_cycles ? "slower" : "faster");
    const double total = (double)cycle + (left + 1) * outcome->wave_cycles;
    const double half =
        student_95(outcome->waves_timed - 1) * sqrt(variance_of_rest(sampler, left));
    if (half > aim * total || outcome->waves_timed * LEFT_FOR_EACH < left)
        return refuse(sampler, BLOCKS_SPREAD,
                      "the sum was not known to within 3 %% before it was nearly over");
    return true;
}

/* Decides, after a wave has been measured, whether the launch is shortened. */
static void decide(struct block_sampler *sampler, const struct gpu_progress *progress, bool *count)
{
    const uint64_t blocks = sampler->profile->blocks, wave = sampler->wave;
    const uint64_t least = progress->placed + 1;
    const uint64_t limit = least + (blocks - least) % wave;
    if (sampler->waves < LEAST_WAVES || (double)(blocks - limit) < worth * (double)blocks)
        return;
    if (!rest_is_alike(sampler, sampler->start, limit) ||
        !is_known(sampler, progress->cycle, (double)(blocks - limit) / (double)wave))
        return;
    sampler->limit = limit;
    *count = true;
}

static uint64_t block_ended(void *context, const struct gpu_progress *progress, bool *count)
{
    struct block_sampler *sampler = context;
    if (sampler->limit != UINT64_MAX || progress->done < sampler->start)
        return sampler->limit;
    const uint64_t since = progress->done - sampler->start;
    if (since % sampler->wave != 0)
        return UINT64_MAX;
    if (since == 0)
        *count = true;
    else if (sampler->waves < BLOCK_WAVES)
        sampler->cycles[sampler->waves++] = (double)(progress->cycle - sampler->last);
    sampler->last = progress->cycle;
    if (since && sampler->waves < BLOCK_WAVES)
        decide(sampler, progress, count);
    return sampler->limit;
}

static void counted(void *context, const struct simsm_stats *stats)
{
    struct block_sampler *sampler = context;
    struct block_count *count = sampler->begun ? &sampler->to : &sampler->from;
    sampler->begun = true;
    count->done = stats->blocks_done;
    memcpy(count->counter, stats->counter, sizeof count->counter);
}

void block_sampler_begin(struct block_sampler *sampler, const struct sample_profile *profile,
                         const char *why_not)
{
    memset(sampler, 0, sizeof *sampler);
    sampler->cut = (struct gpu_cut){block_ended, counted, sampler};
    sampler->profile = profile;
    sampler->start = sampler->limit = UINT64_MAX;
    if (why_not)
        (void)refuse(sampler, BLOCKS_UNKNOWN, "%s", why_not);
    else if (profile->waits)
        (void)refuse(sampler, BLOCKS_WAIT, "warps wait for what others write");
}

/* Returns true if the time of blocks can change when L2 has been filled by earlier blocks. */
static bool l2_matters(const struct sample_profile *profile, double l2_lines)
{
    const double written = profile_written(profile);
    const bool cursors = profile_streams(profile);
    if (cursors && written < none_written)
        return false;
    const double part = cursors && written < few_written ? l2_free_of_streams : l2_free;
    return profile_touched(profile, part * l2_lines) < profile->blocks ||
           profile->written > l2_free_written * l2_lines;
}

void block_sampler_place(struct block_sampler *sampler, uint64_t wave, double l2_lines)
{
    const struct sample_profile *profile = sampler->profile;
    const double blocks = (double)profile->blocks, places = (double)wave;
    /* Two waves more until the remaining blocks are whole waves, and enough blocks remain. */
    const double least = (LEAST_WAVES + 2) / (1 - worth), first = WAVES_OUT / (1 - worth);
    if (sampler->outcome.reason != BLOCKS_NOT_ASKED)
        return;
    uint64_t start = WAVES_OUT * wave;
    const uint64_t filled = profile_touched(profile, l2_full * l2_lines);
    if (filled > start && l2_matters(profile, l2_lines))
        start = filled;
    sampler->wave = wave;
    if (blocks < (first + least) * places)
        (void)refuse(sampler, BLOCKS_FEW, "the grid has %.1f waves of blocks, and %.0f are needed",
                     blocks / places, first + least);
    else if ((double)start / (1 - worth) + least * places > blocks)
        (void)refuse(sampler, BLOCKS_FILL,
                     "what blocks access fills L2, which becomes full too late for the rest to be "
                     "like what was before");
    else
        sampler->start = start;
}

void block_sampler_attach(struct block_sampler *sampler, struct simsm *simulation,
                          const struct simsm_config *config)
{
    const struct simsm_stats *stats = simsm_stats(simulation);
    block_sampler_place(sampler, (uint64_t)stats->sms * stats->occupancy.blocks,
                        (double)config->l2_bytes / LINE_BYTES);
    if (sampler->start != UINT64_MAX)
        simsm_cut_by(simulation, &sampler->cut);
}

/* Adds to the counters what each block adds that was not timed. */
static void extrapolate(const struct block_sampler *sampler, const struct simsm_stats *stats,
                        struct block_outcome *outcome)
{
    const double blocks = (double)(sampler->to.done - sampler->from.done);
    const double left = (double)(outcome->blocks - outcome->timed);
    uint64_t of;
    for (unsigned i = 0; i < SIMSM_COUNTER_COUNT; i++)
        outcome->counter[i] =
            (double)stats->counter[i] +
            left * (double)(sampler->to.counter[i] - sampler->from.counter[i]) / blocks;
    /* The profile has these two counters exactly. */
    outcome->counter[SIMSM_COUNTER_INST_EXECUTED] =
        profile_sum(sampler->profile, FEATURE_WARP_INSTRUCTIONS, 0, outcome->blocks, &of);
    outcome->counter[SIMSM_COUNTER_THREAD_INST_EXECUTED] =
        profile_sum(sampler->profile, FEATURE_THREAD_INSTRUCTIONS, 0, outcome->blocks, &of);
}

void block_sampler_end(struct block_sampler *sampler, const struct simsm_stats *stats)
{
    struct block_outcome *outcome = &sampler->outcome;
    outcome->timed = stats->blocks_done;
    outcome->blocks = sampler->profile->blocks;
    outcome->cycles = (double)stats->cycles;
    if (sampler->limit == UINT64_MAX) {
        if (outcome->reason == BLOCKS_NOT_ASKED)
            (void)refuse(sampler, BLOCKS_SPREAD, "the launch was over before its waves were known");
        return;
    }
    const double left = (double)(outcome->blocks - outcome->timed) / (double)sampler->wave;
    outcome->reason = BLOCKS_SAMPLED;
    (void)snprintf(
        outcome->text, sizeof outcome->text,
        "%llu of %llu blocks timed; each of %.0f waves takes %.0f +- %.0f cycles, as %.0f "
        "did before",
        (unsigned long long)outcome->timed, (unsigned long long)outcome->blocks, left,
        outcome->wave_cycles, outcome->wave_deviation, outcome->waves_timed);
    outcome->cycles += left * outcome->wave_cycles;
    outcome->variance = variance_of_rest(sampler, left);
    outcome->freedom = outcome->waves_timed - 1;
    extrapolate(sampler, stats, outcome);
}
