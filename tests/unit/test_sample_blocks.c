/* Sampling of blocks: which blocks of a launch are timed, whether the interval of the sum holds,
 * and launches of which all blocks are timed. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sample/sample_blocks.h"
#include "sample/student.h"

enum { WAVE = 40, NO_L2 = 1000000000 };

/* A GPU of which all that is known is how long each wave of blocks takes. */
struct machine {
    uint64_t blocks;
    double (*wave_cycles)(struct machine *machine, uint64_t wave);
    uint64_t seed;
};

/* About normal, with mean 0 and deviation 1: twelve numbers between 0 and 1. */
static double noise(uint64_t *seed)
{
    double sum = -6;
    for (int i = 0; i < 12; i++) {
        *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        sum += (double)(*seed >> 11) / (double)(UINT64_C(1) << 53);
    }
    return sum;
}

/* The first wave takes double, as caches are cold. */
static double noisy(struct machine *machine, uint64_t wave)
{
    return (wave ? 10000 : 20000) * (1 + 0.02 * noise(&machine->seed));
}

static double slower(struct machine *machine, uint64_t wave)
{
    return 10000 + 100 * (double)wave + 10 * noise(&machine->seed);
}

static double faster(struct machine *machine, uint64_t wave)
{
    return 50000 - 100 * (double)wave + 10 * noise(&machine->seed);
}

/* Caches fill, over many waves. */
static double settling(struct machine *machine, uint64_t wave)
{
    return 10000 * (1 + 0.6 * exp(-(double)wave / 6)) * (1 + 0.01 * noise(&machine->seed));
}

/* Each wave is much longer or shorter than the one before. */
static double wild(struct machine *machine, uint64_t wave)
{
    (void)machine;
    return wave % 2 ? 10000 : 20000;
}

/* Blocks that all do the same, and touch `lines` lines each that no other does. */
static struct sample_profile *uniform(uint64_t blocks, double lines)
{
    struct sample_profile *profile = malloc(sizeof *profile);
    assert_non_null(profile);
    profile_begin(profile, blocks);
    for (uint64_t b = 0; b < blocks; b++) {
        struct profile_part *part = profile_part_of(profile, b);
        part->blocks++;
        part->feature[FEATURE_WARP_INSTRUCTIONS] += 1000;
        part->feature[FEATURE_THREAD_INSTRUCTIONS] += 32000;
        part->feature[FEATURE_SECTORS] += 4 * lines;
        part->feature[FEATURE_LINES] += lines;
        part->feature[FEATURE_LONGEST_WARP] = 250;
    }
    return profile;
}

static struct simsm_stats counted_until(uint64_t done, uint64_t cycle)
{
    struct simsm_stats stats = {.blocks_done = done, .cycles = cycle};
    stats.counter[SIMSM_COUNTER_DRAM_READ_BYTES] = 5000 + 128 * done;
    stats.counter[SIMSM_COUNTER_INST_EXECUTED] = 1000 * done;
    return stats;
}

/* Runs the launch to the end that `sampler` (NULL: the grid's) gives it; returns its last cycle. */
static uint64_t run(struct machine *machine, struct block_sampler *sampler)
{
    uint64_t placed = machine->blocks < WAVE ? machine->blocks : WAVE, limit = machine->blocks;
    uint64_t cycle = 0;
    double begin = 1000, length = 0;
    for (uint64_t done = 1; done <= limit; done++) {
        if ((done - 1) % WAVE == 0) {
            begin += length;
            length = machine->wave_cycles(machine, (done - 1) / WAVE);
        }
        cycle = (uint64_t)(begin + length * (double)((done - 1) % WAVE + 1) / WAVE);
        const struct gpu_progress progress = {cycle, done, placed};
        bool count = false;
        if (sampler && sampler->start != UINT64_MAX && placed < limit) {
            uint64_t asked = sampler->cut.block_ended(sampler->cut.context, &progress, &count);
            assert_true(asked > placed);
            limit = asked < limit ? asked : limit;
        }
        placed += placed < limit;
        const struct simsm_stats stats = counted_until(done, cycle);
        if (count)
            sampler->cut.window_counted(sampler->cut.context, &stats);
    }
    if (!sampler)
        return cycle;
    const struct simsm_stats stats = counted_until(limit, cycle);
    block_sampler_end(sampler, &stats);
    return cycle;
}

static struct block_outcome outcome_of(struct machine machine, const struct sample_profile *profile,
                                       double l2_lines)
{
    struct block_sampler *sampler = malloc(sizeof *sampler);
    assert_non_null(sampler);
    block_sampler_begin(sampler, profile, NULL);
    block_sampler_place(sampler, WAVE, l2_lines);
    (void)run(&machine, sampler);
    struct block_outcome outcome = sampler->outcome;
    free(sampler);
    return outcome;
}

/* Sums are as they would be, as often as is promised; whole waves are left out, and most of them.
 */
static void test_interval(void **state)
{
    (void)state;
    enum { LAUNCHES = 400 };
    unsigned inside = 0, sampled = 0;
    double timed = 0, all = 0;
    for (uint64_t i = 0; i < LAUNCHES; i++) {
        const uint64_t blocks = WAVE * (20 + i % 60) + i % WAVE;
        struct machine machine = {.blocks = blocks, .wave_cycles = noisy, .seed = 7 * i + 1};
        struct sample_profile *profile = uniform(blocks, 4);
        const struct block_outcome outcome = outcome_of(machine, profile, NO_L2);
        free(profile);
        if (outcome.reason != BLOCKS_SAMPLED)
            continue;
        const double full = (double)run(&machine, NULL);
        const double half = student_95(outcome.freedom) * sqrt(outcome.variance);
        sampled++;
        timed += (double)outcome.timed;
        all += (double)blocks;
        inside += fabs(outcome.cycles - full) <= half;
        assert_int_equal((blocks - outcome.timed) % WAVE, 0);
        assert_true(half < 0.04 * full);
    }
    assert_true(sampled > 0.9 * LAUNCHES);
    assert_true(inside > 0.93 * sampled);
    assert_true(timed < 0.4 * all);
}

/* The interval also holds if waves become faster for a long time and then stay equal. */
static void test_settling(void **state)
{
    (void)state;
    enum { LAUNCHES = 200 };
    unsigned inside = 0, sampled = 0;
    for (uint64_t i = 0; i < LAUNCHES; i++) {
        const uint64_t blocks = WAVE * (30 + i % 60);
        struct machine machine = {.blocks = blocks, .wave_cycles = settling, .seed = 5 * i + 1};
        struct sample_profile *profile = uniform(blocks, 4);
        const struct block_outcome outcome = outcome_of(machine, profile, NO_L2);
        free(profile);
        const double full = (double)run(&machine, NULL);
        sampled += outcome.reason == BLOCKS_SAMPLED;
        if (outcome.reason == BLOCKS_SAMPLED)
            inside +=
                fabs(outcome.cycles - full) <= student_95(outcome.freedom) * sqrt(outcome.variance);
    }
    assert_true(sampled > LAUNCHES / 2);
    assert_true(inside > 0.93 * sampled);
}

/* Counters grow with each block as they did while waves were measured; what is known is exact. */
static void test_counters(void **state)
{
    (void)state;
    const uint64_t blocks = 60 * WAVE + 3;
    const double all = (double)blocks;
    struct machine machine = {.blocks = blocks, .wave_cycles = noisy, .seed = 1};
    struct sample_profile *profile = uniform(blocks, 4);
    const struct block_outcome outcome = outcome_of(machine, profile, NO_L2);
    assert_int_equal(outcome.reason, BLOCKS_SAMPLED);
    assert_true(fabs(outcome.counter[SIMSM_COUNTER_DRAM_READ_BYTES] - (5000 + 128 * all)) < 1);
    assert_true(fabs(outcome.counter[SIMSM_COUNTER_INST_EXECUTED] - 1000 * all) < 1e-6);
    free(profile);
}

/* All blocks are timed, for this reason, and nothing is estimated. */
static void expect_all(struct machine machine, struct sample_profile *profile, double l2_lines,
                       enum block_reason reason)
{
    const struct block_outcome outcome = outcome_of(machine, profile, l2_lines);
    assert_int_equal(outcome.reason, reason);
    assert_int_equal(outcome.timed, machine.blocks);
    assert_float_equal(outcome.variance, 0, 0);
    assert_true(outcome.text[0] != '\0');
    assert_float_equal(outcome.cycles, (double)run(&machine, NULL), 0);
    free(profile);
}

static void test_unsteady(void **state)
{
    (void)state;
    const uint64_t blocks = 60 * WAVE;
    expect_all((struct machine){blocks, slower, 1}, uniform(blocks, 4), NO_L2, BLOCKS_DRIFT);
    expect_all((struct machine){blocks, faster, 1}, uniform(blocks, 4), NO_L2, BLOCKS_DRIFT);
    expect_all((struct machine){12 * WAVE, wild, 1}, uniform(12 * WAVE, 4), NO_L2, BLOCKS_SPREAD);
    expect_all((struct machine){6 * WAVE, noisy, 1}, uniform(6 * WAVE, 4), NO_L2, BLOCKS_FEW);
}

static void test_blocks_differ(void **state)
{
    (void)state;
    const uint64_t blocks = 60 * WAVE;
    const struct machine machine = {blocks, noisy, 1};
    struct sample_profile *profile = uniform(blocks, 4); /* later ones do more and more */
    for (uint32_t i = 0; i < profile->parts; i++)
        profile->part[i].feature[FEATURE_WARP_INSTRUCTIONS] *= 1 + 0.001 * i;
    expect_all(machine, profile, NO_L2, BLOCKS_DIFFER);
    profile = uniform(blocks, 4); /* one warp has much to do at the end */
    profile->part[profile->parts - 1].feature[FEATURE_LONGEST_WARP] = 500;
    expect_all(machine, profile, NO_L2, BLOCKS_DIFFER);
    profile = uniform(blocks, 4); /* later ones find what others have touched */
    for (uint32_t i = profile->parts / 2; i < profile->parts; i++)
        profile->part[i].feature[FEATURE_LINES] = 0;
    expect_all(machine, profile, NO_L2, BLOCKS_DIFFER);
}

static void test_waits(void **state)
{
    (void)state;
    const uint64_t blocks = 60 * WAVE;
    struct sample_profile *profile = uniform(blocks, 4);
    profile->waits = true;
    expect_all((struct machine){blocks, noisy, 1}, profile, NO_L2, BLOCKS_WAIT);
    struct block_sampler *sampler = malloc(sizeof *sampler);
    assert_non_null(sampler);
    profile = uniform(blocks, 4);
    block_sampler_begin(sampler, profile, "because");
    block_sampler_place(sampler, WAVE, NO_L2);
    assert_int_equal(sampler->start, UINT64_MAX);
    assert_int_equal(sampler->outcome.reason, BLOCKS_UNKNOWN);
    assert_string_equal(sampler->outcome.text, "because");
    free(sampler);
    free(profile);
}

/* Waves are measured once L2 is full of what blocks touch, if that makes a difference. */
static void test_fill(void **state)
{
    (void)state;
    const uint64_t blocks = 100 * WAVE, half = blocks / 2;
    const double lines = 4 * (double)blocks;
    const struct machine machine = {blocks, noisy, 1};
    struct sample_profile *profile = uniform(blocks, 4);
    assert_int_equal(outcome_of(machine, profile, lines / 2).reason, BLOCKS_SAMPLED);
    assert_true(outcome_of(machine, profile, lines / 2).timed < half); /* read once: no matter */
    profile->written = lines / 4;
    assert_int_equal(outcome_of(machine, profile, lines / 2).reason, BLOCKS_SAMPLED);
    assert_true(outcome_of(machine, profile, lines / 2).timed > half);
    assert_true(outcome_of(machine, profile, lines * 3).timed < half); /* never full */
    expect_all(machine, profile, lines * 0.95, BLOCKS_FILL);
}

static void test_profile(void **state)
{
    (void)state;
    struct sample_profile *profile = uniform(10000, 4);
    uint64_t blocks;
    assert_true(profile->parts <= PROFILE_PARTS);
    assert_float_equal(profile_sum(profile, FEATURE_SECTORS, 0, 10000, &blocks), 160000, 1e-6);
    assert_int_equal(blocks, 10000);
    assert_float_equal(profile_sum(profile, FEATURE_LONGEST_WARP, 0, 10000, &blocks), 250, 0);
    double sum = profile_sum(profile, FEATURE_LINES, 5000, 6000, &blocks);
    assert_true(blocks > 900 && blocks <= 1000);
    assert_true(fabs(sum - 4 * (double)blocks) < 1e-6);
    assert_int_equal(profile_touched(profile, 1e9), 10000);
    assert_true(llabs((long long)profile_touched(profile, 20000) - 5000) <= 20);
    free(profile);
    profile = uniform(3, 1); /* fewer blocks than parts */
    assert_int_equal(profile->parts, 3);
    free(profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_interval),      cmocka_unit_test(test_settling),
        cmocka_unit_test(test_counters),      cmocka_unit_test(test_unsteady),
        cmocka_unit_test(test_blocks_differ), cmocka_unit_test(test_waits),
        cmocka_unit_test(test_fill),          cmocka_unit_test(test_profile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
