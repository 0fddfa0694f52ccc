/* The signature of a launch before it is timed, and the figures of groups of launches. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "front/block_front.h"
#include "sample/sampler.h"
#include "sample/student.h"

static void near(double value, double expected, double most)
{
    if (!(fabs(value - expected) <= most))
        fail_msg("%.9g is expected, found %.9g", expected, value);
}

/* ---- Signatures ---- */

enum { MATH, LOAD, SHARED, ATOMIC, EXIT, CODES };

/* The work of each warp of a front: the number of instructions of each kind, with these lanes. */
struct script {
    uint32_t count[CODES];
    uint32_t lanes;
    uint64_t base, lane_bytes, warp_bytes; /* of loads: warp w begins at base + w x warp_bytes */
    bool odd_first_warp;                   /* one more math instruction */
};

static struct inst code[CODES] = {
    [MATH] = {.op = SIMSM_OP_FP32},
    [LOAD] = {.op = SIMSM_OP_LD_GLOBAL, .width = 4},
    [SHARED] = {.op = SIMSM_OP_LD_SHARED, .width = 4},
    [ATOMIC] = {.op = SIMSM_OP_ATOM_GLOBAL, .width = 4},
    [EXIT] = {.op = SIMSM_OP_EXIT},
};

static enum simsm_status produce(void *context, uint64_t block, struct byte_buffer *warp,
                                 uint32_t warps, struct simsm_error *error)
{
    const struct script *script = context;
    (void)error;
    for (uint32_t w = 0; w < warps; w++) {
        const uint64_t number = block * warps + w;
        struct packed_writer writer;
        packed_writer_begin(&writer, code, &warp[w]);
        for (uint32_t index = 0; index < CODES; index++) {
            uint32_t count = index == EXIT ? 1 : script->count[index];
            count += index == MATH && number == 0 && script->odd_first_warp;
            for (uint32_t i = 0; i < count; i++) {
                const struct lane_addresses addresses = {
                    .affine = true,
                    .base = script->base + (number * count + i) * script->warp_bytes,
                    .stride = (int64_t)script->lane_bytes};
                packed_put(
                    &writer,
                    &(struct warp_inst){.index = index,
                                        .active = script->lanes,
                                        .exec = script->lanes,
                                        .flags = (uint32_t)(index == EXIT ? WARP_INST_LAST : 0)},
                    &addresses);
            }
        }
        packed_writer_end(&writer);
    }
    return SIMSM_OK;
}

static void close_source(void *context)
{
    (void)context;
}

static struct sample_signature signature_of(struct script script, uint32_t blocks, uint32_t warps)
{
    const struct block_source source = {
        .produce = produce, .close = close_source, .context = &script};
    const struct simsm_launch launch = {.grid = {blocks, 1, 1}, .block = {32 * warps, 1, 1}};
    struct sample_signature signature;
    struct sample_profile profile;
    struct simsm_error error;
    struct front *front;
    assert_int_equal(
        block_front_open(&front, &source, &launch, code, NULL, CODES, "script", &error), SIMSM_OK);
    assert_int_equal(sample_sign(front, &signature, &profile, &error), SIMSM_OK);
    front_close(front);
    return signature;
}

static void features_are_counted(void **state)
{
    (void)state;
    struct script script = {.count = {5, 2, 3, 1},
                            .lanes = 0xFF,
                            .base = 1 << 20,
                            .lane_bytes = 32,
                            .warp_bytes = 1 << 12,
                            .odd_first_warp = true};
    const struct sample_signature s = signature_of(script, 3, 2);
    assert_true(s.known);
    near(s.feature[FEATURE_WARP_INSTRUCTIONS], 6 * 12 + 1, 0);
    near(s.feature[FEATURE_THREAD_INSTRUCTIONS], 8 * (6 * 12 + 1), 0);
    near(s.feature[FEATURE_LONGEST_WARP], 13, 0);
    near(s.feature[FEATURE_SECTORS], 6 * (2 + 1) * 8, 0);
    near(s.feature[FEATURE_ATOMICS], 6 * 8, 0);
    near(s.feature[FEATURE_SHARED], 6 * 3, 0);
    /* Two lines of 128 bytes for each of the 12 loads; atomics lie where some of these do. */
    near(s.feature[FEATURE_LINES], 24, 0.5);
}

/* Distinct lines are estimated to within some percent, many of them too. */
static void lines_are_estimated(void **state)
{
    (void)state;
    const uint32_t blocks = 1000, warps = 10;
    const struct script script = {
        .count = {[LOAD] = 1}, .lanes = UINT32_MAX, .lane_bytes = 128, .warp_bytes = 32 * 128};
    const double lines = blocks * warps * 32;
    const struct sample_signature s = signature_of(script, blocks, warps);
    near(s.feature[FEATURE_LINES], lines, 0.04 * lines);
}

/* Any instruction, lane or address of any warp makes another hash. */
static void hashes_are_of_everything(void **state)
{
    (void)state;
    const struct script plain = {
        .count = {5, 2, 3, 1}, .lanes = 0xFF, .base = 1 << 20, .lane_bytes = 4, .warp_bytes = 128};
    struct script other[] = {plain, plain, plain, plain};
    other[0].odd_first_warp = true;
    other[1].lanes = 0xFE;
    other[2].base += 4;
    other[3].count[SHARED]++;
    const uint64_t hash = signature_of(plain, 2, 2).hash;
    assert_true(hash == signature_of(plain, 2, 2).hash);
    for (size_t i = 0; i < sizeof other / sizeof other[0]; i++)
        assert_true(hash != signature_of(other[i], 2, 2).hash);
}

static void clocks_are_not_known(void **state)
{
    (void)state;
    const struct script script = {.count = {1}, .lanes = 1};
    code[EXIT].reads_clock = true;
    assert_false(signature_of(script, 1, 1).known);
    code[EXIT].reads_clock = false;
    assert_true(signature_of(script, 1, 1).known);
}

/* ---- Groups ---- */

static struct sample_subject subject(uint64_t number, double instructions)
{
    struct sample_subject subject = {.number = number,
                                     .kernel = "kernel",
                                     .identity = 1,
                                     .launch = {.grid = {8, 1, 1}, .block = {32, 1, 1}},
                                     .signature = {.hash = number, .known = true}};
    for (int i = 0; i < SAMPLE_FEATURES; i++)
        subject.signature.feature[i] = instructions;
    return subject;
}

static struct sample_choice run(struct sampler *sampler, const struct sample_subject *subject,
                                uint64_t cycles)
{
    struct sample_choice choice;
    assert_int_equal(sampler_choose(sampler, subject, &choice, NULL), SIMSM_OK);
    const struct sample_figures figures = {.cycles = cycles, .counter = {3 * cycles}};
    if (choice.mark == SAMPLE_TIMED)
        assert_int_equal(sampler_timed(sampler, &figures, NULL), SIMSM_OK);
    return choice;
}

/* Another kernel, shape or use of resources is another group, a few instructions more are not. */
static void groups_are_told_apart(void **state)
{
    (void)state;
    struct sampler *sampler = sampler_new(true);
    struct sample_subject others[9];
    struct sample_subject first = subject(1, 10);
    (void)run(sampler, &first, 100);
    for (uint64_t i = 0; i < 9; i++)
        others[i] = subject(2 + i, 10);
    others[0].identity = 2;
    others[1].launch.registers = 8;
    others[2].launch.shared_static = 8;
    others[3].launch.shared_dynamic = 8;
    others[4].launch.carveout = 8;
    others[5].launch.grid[2] = 2;
    others[6].launch.block[0] = 64;
    others[7].signature.known = false;
    others[8].signature.feature[FEATURE_SHARED] = 100;
    for (uint32_t i = 0; i < 9; i++)
        assert_int_equal(run(sampler, &others[i], 100).group, i + 1);
    struct sample_subject like = subject(20, 14);
    assert_int_equal(run(sampler, &like, 100).group, 0);
    sampler_free(sampler);
}

/* The timed launches of a group, as counted by the test. */
struct seen {
    double sum, squares, timed, estimated;
};

static double mean_of(const struct seen *seen)
{
    return seen->sum / seen->timed;
}

/* Returns the variance, at least that of a deviation of half a percent of the mean. */
static double variance_of(const struct seen *seen)
{
    const double mean = mean_of(seen), squares = seen->squares - seen->timed * mean * mean;
    return fmax(squares / (seen->timed - 1), pow(0.005 * mean, 2));
}

/* The formulas of docs/sampling.md, for two groups whose launches differ by about a percent. */
static void sums_have_their_interval(void **state)
{
    (void)state;
    static const uint64_t cycles[2][4] = {{1000, 1010, 990, 1004}, {3000, 3040, 2960, 3010}};
    struct sampler *sampler = sampler_new(true);
    struct seen seen[2] = {{0}};
    double sum = 0, variance = 0, weighed = 0, counter = 0;
    for (uint64_t i = 0; i < 60; i++) {
        const unsigned g = i % 3 == 0;
        const struct sample_subject launch = subject(i + 1, g ? 5000 : 1000);
        const uint64_t takes = cycles[g][i / 3 % 4];
        const struct sample_choice choice = run(sampler, &launch, takes);
        if (choice.mark == SAMPLE_TIMED) {
            seen[g].timed++;
            seen[g].sum += (double)takes;
            seen[g].squares += (double)takes * (double)takes;
        } else {
            assert_int_equal(choice.reason, SAMPLE_IN_GROUP);
            assert_int_equal(choice.figures.cycles, llround(mean_of(&seen[g])));
            seen[g].estimated++;
        }
    }
    for (int g = 0; g < 2; g++) {
        const double n = seen[g].estimated, m = seen[g].timed;
        const double more = variance_of(&seen[g]) * (n + n * n / m);
        assert_true(n > 5 && m > 2 && m < n);
        sum += seen[g].sum + n * mean_of(&seen[g]);
        counter += 3 * (seen[g].sum + n * mean_of(&seen[g]));
        variance += more;
        weighed += more * more / (m - 1);
    }
    const struct sample_total total = sampler_total(sampler);
    assert_int_equal(total.estimated, (uint64_t)(seen[0].estimated + seen[1].estimated));
    near(total.cycles, sum, 1e-6 * sum);
    near(total.half, student_95(variance * variance / weighed) * sqrt(variance), 1e-6 * total.half);
    near(sampler_counter(sampler, 0), counter, 1e-6 * counter);
    sampler_free(sampler);
}

static json_t *json_of(const struct sampler *sampler)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    assert_int_equal(sampler_write_json(sampler, file, NULL), SIMSM_OK);
    assert_int_equal(fclose(file), 0);
    json_t *root = json_loadb(text, size, 0, NULL);
    assert_non_null(root);
    free(text);
    return root;
}

static double number_at(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

/* The file says which launch took how long, in which group; one that has failed is not in it. */
static void the_file_has_all_launches(void **state)
{
    (void)state;
    struct sampler *sampler = sampler_new(true);
    struct sample_choice failed;
    double sum = 0;
    for (uint64_t i = 1; i <= 20; i++) {
        struct sample_subject launch = subject(i, i % 2 ? 1000 : 5000);
        launch.signature.hash = i < 3 ? i : 100 + i / 4;
        if (i == 2)
            assert_int_equal(sampler_choose(sampler, &launch, &failed, NULL), SIMSM_OK);
        (void)run(sampler, &launch, 100 * i);
    }
    json_t *root = json_of(sampler), *row, *group;
    const json_t *total = json_object_get(root, "total");
    json_t *rows = json_object_get(root, "launches"), *groups = json_object_get(root, "groups");
    size_t i;
    assert_int_equal(json_array_size(rows), 20);
    json_array_foreach(rows, i, row)
    {
        assert_true(number_at(row, "launch") == (double)(i + 1));
        assert_true(number_at(row, "group") == (i % 2 ? 2 : 1));
        sum += number_at(row, "cycles");
    }
    assert_true(number_at(json_array_get(rows, 0), "cycles") == 100);
    json_array_foreach(groups, i, group) assert_true(number_at(group, "launches") == 10);
    near(number_at(total, "cycles"), sum, 10); /* rows are rounded */
    near(number_at(total, "low"), number_at(total, "cycles") - number_at(total, "half_95"), 1e-6);
    near(number_at(total, "high"), number_at(total, "cycles") + number_at(total, "half_95"), 1e-6);
    json_decref(root);
    sampler_free(sampler);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(features_are_counted),      cmocka_unit_test(lines_are_estimated),
        cmocka_unit_test(hashes_are_of_everything),  cmocka_unit_test(clocks_are_not_known),
        cmocka_unit_test(groups_are_told_apart),     cmocka_unit_test(sums_have_their_interval),
        cmocka_unit_test(the_file_has_all_launches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
