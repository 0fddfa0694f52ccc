/* Sampling of launches: which launches are timed, which launch stands for which, and whether
 * intervals hold. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sample/sampler.h"
#include "sample/student.h"

static struct sample_subject subject(uint64_t number, double instructions, uint64_t hash)
{
    struct sample_subject subject = {.number = number,
                                     .kernel = "kernel",
                                     .identity = 1,
                                     .launch = {.grid = {8, 1, 1}, .block = {32, 1, 1}},
                                     .signature = {.hash = hash, .known = true}};
    for (int i = 0; i < SAMPLE_FEATURES; i++)
        subject.signature.feature[i] = instructions;
    return subject;
}

/* Runs a launch that takes `cycles` if it is timed; returns what was decided. */
static struct sample_choice run(struct sampler *sampler, const struct sample_subject *subject,
                                uint64_t cycles)
{
    struct sample_choice choice;
    assert_int_equal(sampler_choose(sampler, subject, &choice, NULL), SIMSM_OK);
    struct sample_figures figures = {.cycles = cycles, .counter = {2 * cycles}};
    if (choice.mark == SAMPLE_TIMED)
        assert_int_equal(sampler_timed(sampler, &figures, NULL), SIMSM_OK);
    return choice;
}

static void test_student(void **state)
{
    (void)state;
    assert_float_equal(student_95(1), 12.706, 1e-9);
    assert_float_equal(student_95(4), 2.776, 1e-9);
    assert_float_equal(student_95(60), 2.000, 2e-3);
    assert_float_equal(student_95(1e9), 1.960, 1e-3);
    for (double f = 1; f < 100; f += 0.25)
        assert_true(student_95(f) > student_95(f + 0.25));
}

static void test_copies_are_exact(void **state)
{
    (void)state;
    struct sampler *sampler = sampler_new(true);
    for (uint64_t i = 1; i <= 10; i++) { /* two buffers in turn */
        struct sample_subject launch = subject(i, 1000, 7 + i % 2);
        struct sample_choice choice = run(sampler, &launch, i % 2 ? 500 : 600);
        assert_int_equal(choice.mark, i <= 2 ? SAMPLE_TIMED : SAMPLE_COPY);
        assert_int_equal(choice.like, i <= 2 ? 0 : 2 - i % 2);
        if (i > 2)
            assert_int_equal(choice.figures.cycles, i % 2 ? 500 : 600);
    }
    struct sample_total total = sampler_total(sampler);
    assert_int_equal(total.copies, 8);
    assert_float_equal(total.cycles, 5500, 0);
    assert_float_equal(total.half, 0, 0);
    assert_float_equal(sampler_counter(sampler, 0), 11000, 0);
    sampler_free(sampler);
}

/* If L2 is not empty, the same instructions may take another time. */
static void test_warm_has_no_copies(void **state)
{
    (void)state;
    struct sampler *sampler = sampler_new(false);
    for (uint64_t i = 1; i <= 10; i++) {
        struct sample_subject launch = subject(i, 1000, 7);
        assert_true(run(sampler, &launch, 500).mark != SAMPLE_COPY);
    }
    assert_true(sampler_total(sampler).half > 0);
    sampler_free(sampler);
}

static void test_unlike_launches_are_timed(void **state)
{
    (void)state;
    struct sampler *sampler = sampler_new(true);
    double instructions = 1000;
    for (uint64_t i = 1; i <= 20; i++, instructions *= 1.1) {
        struct sample_subject launch = subject(i, instructions, i);
        assert_int_equal(run(sampler, &launch, 500).reason, SAMPLE_FIRST);
    }
    for (uint64_t i = 21; i <= 40; i++) { /* of which nothing is known */
        struct sample_subject launch = subject(i, 1000, 7);
        launch.signature.known = false;
        assert_int_equal(run(sampler, &launch, 500).reason, SAMPLE_UNKNOWN);
    }
    assert_int_equal(sampler_total(sampler).timed, 40);
    sampler_free(sampler);
}

/* Launches timed in part: each stands for its copies, and they err alike. */
static void test_timed_in_part(void **state)
{
    (void)state;
    struct sampler *sampler = sampler_new(true);
    for (uint64_t i = 1; i <= 10; i++) { /* two buffers in turn */
        struct sample_subject launch = subject(i, 1000, 7 + i % 2);
        struct sample_choice choice;
        struct sample_figures figures = {
            .cycles = 1000, .simulated = 100, .variance = 25, .freedom = 4, .blocks_timed = 3};
        assert_int_equal(sampler_choose(sampler, &launch, &choice, NULL), SIMSM_OK);
        if (choice.mark == SAMPLE_TIMED)
            assert_int_equal(sampler_timed(sampler, &figures, NULL), SIMSM_OK);
    }
    struct sample_total total = sampler_total(sampler);
    assert_int_equal(total.timed, 2);
    assert_int_equal(total.parts, 2);
    assert_int_equal(total.timed_cycles, 200);
    assert_float_equal(total.cycles, 10000, 0);
    assert_float_equal(total.half, student_95(4) * 10 * 5, 1e-3);
    sampler_free(sampler);
}

/* A launch that was to be timed and failed counts for nothing. */
static void test_failed_launch(void **state)
{
    (void)state;
    struct sampler *sampler = sampler_new(true);
    struct sample_choice choice;
    struct sample_subject launch = subject(1, 1000, 1);
    assert_int_equal(sampler_choose(sampler, &launch, &choice, NULL), SIMSM_OK);
    assert_int_equal(choice.mark, SAMPLE_TIMED);
    launch = subject(2, 1000, 1);
    assert_int_equal(run(sampler, &launch, 500).reason, SAMPLE_FIRST);
    assert_int_equal(sampler_total(sampler).launches, 1);
    sampler_free(sampler);
}

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

/* 95 % intervals of sums over two groups hold the true sum about so often, and are not wide. */
static void test_intervals(void **state)
{
    (void)state;
    enum { PROGRAMS = 400, LAUNCHES = 300 };
    uint64_t seed = 1;
    unsigned inside = 0, timed = 0;
    for (int p = 0; p < PROGRAMS; p++) {
        struct sampler *sampler = sampler_new(true);
        double sum = 0;
        for (uint64_t i = 1; i <= LAUNCHES; i++) {
            const double mean = i % 3 ? 1e6 : 3e5;
            const uint64_t cycles = (uint64_t)(mean * (1 + 0.05 * noise(&seed)));
            struct sample_subject launch = subject(i, mean, i);
            (void)run(sampler, &launch, cycles);
            sum += (double)cycles;
        }
        const struct sample_total total = sampler_total(sampler);
        assert_int_equal(total.launches, LAUNCHES);
        assert_true(total.half < 0.04 * total.cycles);
        inside += fabs(total.cycles - sum) <= total.half;
        timed += (unsigned)total.timed;
        sampler_free(sampler);
    }
    assert_true(inside > 0.90 * PROGRAMS);
    assert_true(timed < PROGRAMS * LAUNCHES / 4);
}

/* The mean of a group follows launches that change: later ones are timed now and then. */
static void test_control(void **state)
{
    (void)state;
    struct sampler *sampler = sampler_new(true);
    uint64_t last = 0;
    for (uint64_t i = 1; i <= 2000; i++) {
        struct sample_subject launch = subject(i, 1000, i);
        if (run(sampler, &launch, 1000).reason == SAMPLE_CONTROL)
            last = i;
    }
    assert_true(last > 1000);
    assert_true(sampler_total(sampler).timed < 60);
    sampler_free(sampler);
}

static void test_json(void **state)
{
    (void)state;
    char *text[2] = {0};
    size_t size;
    for (int round = 0; round < 2; round++) {
        struct sampler *sampler = sampler_new(true);
        for (uint64_t i = 1; i <= 50; i++) {
            struct sample_subject launch = subject(i, 1000, i);
            (void)run(sampler, &launch, 1000 + i % 7);
        }
        FILE *file = open_memstream(&text[round], &size);
        assert_int_equal(sampler_write_json(sampler, file, NULL), SIMSM_OK);
        assert_int_equal(fclose(file), 0);
        sampler_free(sampler);
    }
    assert_string_equal(text[0], text[1]);
    assert_non_null(strstr(text[0], "\"mark\": \"extrapolated\""));
    free(text[0]);
    free(text[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_student),
        cmocka_unit_test(test_copies_are_exact),
        cmocka_unit_test(test_warm_has_no_copies),
        cmocka_unit_test(test_unlike_launches_are_timed),
        cmocka_unit_test(test_timed_in_part),
        cmocka_unit_test(test_failed_launch),
        cmocka_unit_test(test_intervals),
        cmocka_unit_test(test_control),
        cmocka_unit_test(test_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
