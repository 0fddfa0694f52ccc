/* Code that was compiled for a debugger (-G). */
#include <math.h>

#include "exec_rig.h"

typedef void body_fn(struct rig *rig);

static void everywhere(body_fn *body)
{
    for (size_t i = 0; i < sizeof rig_sms / sizeof rig_sms[0]; i++) {
        struct rig rig;
        rig_open_code(&rig, "debug", rig_sms[i]);
        body(&rig);
        rig_close(&rig);
    }
}

static int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static void recursion_on(struct rig *rig)
{
    int *out;
    const uint64_t arguments[] = {rig_buffer(rig, "out", 64 * 4, &out)};
    rig->options.stack_bytes = 2048;
    rig_must(rig, "recursion", 1, 64, arguments);
    for (int t = 0; t < 64; t++)
        assert_int_equal(out[t], fibonacci(t % 12));
}

static void recursion(void **state)
{
    (void)state;
    everywhere(recursion_on);
}

static void pointers_on(struct rig *rig)
{
    enum { TURNS = 19 };
    int *out;
    const uint64_t arguments[] = {rig_buffer(rig, "out", 64 * 4, &out), TURNS};
    rig_must(rig, "pointers", 1, 64, arguments);
    for (int t = 0; t < 64; t++) {
        int value[8];
        for (int i = 0; i < 8; i++)
            value[i] = t % 3 ? 2 * (t + i) : (t + i) * (t + i);
        for (int i = 0; i < TURNS; i++)
            value[i % 8] += value[(i + t) % 8] / (t + 1);
        assert_int_equal(out[t], value[TURNS % 8]);
    }
}

static void pointers(void **state)
{
    (void)state;
    everywhere(pointers_on);
}

static void sums_on(struct rig *rig)
{
    int *in, *out, part[64];
    uint64_t *total, expected = 0;
    double *reals, quarters = 0;
    const uint64_t arguments[] = {
        rig_buffer(rig, "in", 64 * 4, &in), rig_buffer(rig, "out", 65 * 4, &out),
        rig_buffer(rig, "total", 8, &total), rig_buffer(rig, "reals", 8, &reals)};
    for (int t = 0; t < 64; t++)
        in[t] = t * 7 % 13;
    rig_must(rig, "sums", 1, 64, arguments);
    for (int t = 0; t < 64; t++) {
        int sum = 0, first = t / 32 * 32, more = 0;
        for (int lane = 0; lane < 32; lane++)
            sum += in[first + lane];
        for (int lane = first; lane < first + 3; lane++)
            more += sum > lane;
        part[t] = sum + (t % 32 < 3 ? more : 0) + (t % 32 == 0 ? 1000 : 0);
        expected += (uint64_t)part[t];
        quarters += t / 4.0;
    }
    for (int t = 0; t < 64; t++)
        assert_int_equal(out[t], part[63 - t]);
    assert_int_equal(out[64], 63);
    assert_int_equal(*total, expected);
    assert_true(*reals == quarters);
}

static void sums(void **state)
{
    (void)state;
    everywhere(sums_on);
}

static void stack_on(struct rig *rig)
{
    int *out;
    const uint64_t enough[] = {rig_buffer(rig, "out", 32 * 4, &out), 5};
    const uint64_t too_deep[] = {enough[0], 1000};
    rig->options.stack_bytes = 4096;
    rig_must(rig, "deep", 1, 32, enough);
    assert_int_equal(out[31], 15);
    assert_int_equal(rig_run(rig, "deep", 1, 32, 0, too_deep), SIMSM_FAILED);
    if (!strstr(rig->error.message, "stack overflow, a thread has 4096 bytes"))
        fail_msg("sm_%u: %s", rig->sm, rig->error.message);
}

static void stack(void **state)
{
    (void)state;
    everywhere(stack_on);
}

static void constants_on(struct rig *rig)
{
    float *out;
    const uint64_t arguments[] = {rig_buffer(rig, "out", 32 * 4, &out), 1};
    rig_must(rig, "constants", 1, 32, arguments);
    for (int t = 0; t < 32; t++)
        assert_true(out[t] == (float)(1 << t % 8) + 3);
}

static void constants(void **state)
{
    (void)state;
    everywhere(constants_on);
}

static void traps_on(struct rig *rig)
{
    int *out;
    const uint64_t arguments[] = {rig_buffer(rig, "out", 32 * 4, &out)};
    assert_int_equal(rig_run(rig, "traps", 1, 32, 0, arguments), SIMSM_FAILED);
    assert_non_null(strstr(rig->error.message, "Trap, at traps+0x"));
    assert_non_null(strstr(rig->error.message, "by thread (5,0,0)"));
}

static void traps(void **state)
{
    (void)state;
    everywhere(traps_on);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recursion), cmocka_unit_test(pointers), cmocka_unit_test(sums),
        cmocka_unit_test(stack),     cmocka_unit_test(traps),    cmocka_unit_test(constants),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
