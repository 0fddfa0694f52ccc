/* Kernels executed for sm_75, sm_80 and sm_90: what they compute, worked out by the host. */
#include <math.h>
#include <stdlib.h>

#include "exec_rig.h"

typedef void body_fn(struct rig *rig);

static void for_each_sm(body_fn *body)
{
    for (size_t i = 0; i < sizeof rig_sms / sizeof rig_sms[0]; i++) {
        struct rig rig;
        rig_open(&rig, rig_sms[i]);
        body(&rig);
        rig_close(&rig);
    }
}

#define BOTH(name)                                                                                 \
    static void name(void **state)                                                                 \
    {                                                                                              \
        (void)state;                                                                               \
        for_each_sm(name##_on);                                                                    \
    }

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static void vecadd_on(struct rig *rig)
{
    float *a, *b, *c;
    enum { N = 1000 };
    const uint64_t arguments[] = {rig_buffer(rig, "a", N * 4, &a), rig_buffer(rig, "b", N * 4, &b),
                                  rig_buffer(rig, "c", N * 4, &c), N};
    uint32_t seed = 1;
    for (int i = 0; i < N; i++) {
        a[i] = (float)next_random(&seed) / 1000.0f;
        b[i] = (float)next_random(&seed) * 0.37f;
    }
    rig_must(rig, "vecadd", 4, 256, arguments);
    for (int i = 0; i < N; i++)
        assert_true(c[i] == a[i] + b[i]);
    assert_true(rig->counts.thread_instructions > rig->counts.thread_instructions_pred_on);
}
BOTH(vecadd)

static int branches_of(int i)
{
    int value = i;
    for (int turn = 0; turn < i % 7; turn++) {
        if (value & 1)
            value = 3 * value + 1;
        else if (value % 3 == 0)
            value = value / 2 + 5;
        else
            value /= 2;
    }
    return value;
}

static void branches_on(struct rig *rig)
{
    int *out;
    const uint64_t arguments[] = {rig_buffer(rig, "out", 500 * 4, &out), 500};
    rig_must(rig, "branches", 4, 128, arguments);
    for (int i = 0; i < 500; i++)
        assert_int_equal(out[i], branches_of(i));
}
BOTH(branches)

static void collatz_on(struct rig *rig)
{
    uint32_t *in, *out;
    const uint64_t arguments[] = {rig_buffer(rig, "in", 300 * 4, &in),
                                  rig_buffer(rig, "out", 300 * 4, &out), 300};
    uint32_t seed = 3;
    for (int i = 0; i < 300; i++)
        in[i] = next_random(&seed) + 1;
    rig_must(rig, "collatz", 3, 128, arguments);
    for (int i = 0; i < 300; i++) {
        uint32_t steps = 0;
        for (uint64_t x = in[i]; x != 1; steps++)
            x = x & 1 ? 3 * x + 1 : x / 2;
        assert_int_equal(out[i], steps);
    }
}
BOTH(collatz)

static void sums_on(struct rig *rig)
{
    int *in, *out, *warps;
    const uint64_t i = rig_buffer(rig, "in", 1024 * 4, &in);
    const uint64_t blocks[] = {i, rig_buffer(rig, "out", 4 * 4, &out)};
    const uint64_t lanes[] = {i, rig_buffer(rig, "warps", 32 * 4, &warps)};
    uint32_t seed = 9;
    for (int k = 0; k < 1024; k++)
        in[k] = (int)next_random(&seed);
    rig_must(rig, "block_sum", 4, 256, blocks);
    rig_must(rig, "warp_sum", 4, 256, lanes);
    for (int k = 0; k < 4; k++) {
        unsigned sum = 0;
        for (int t = 0; t < 256; t++)
            sum += (unsigned)in[256 * k + t];
        assert_int_equal((unsigned)out[k], sum);
    }
    for (int k = 0; k < 32; k++) {
        unsigned sum = 0;
        for (int t = 0; t < 32; t++)
            sum += (unsigned)in[32 * k + t];
        assert_int_equal((unsigned)warps[k], sum);
    }
}
BOTH(sums)

static void histogram_on(struct rig *rig)
{
    uint8_t *in;
    uint32_t *bins, expected[256] = {0}, seed = 5;
    enum { N = 5000 };
    const uint64_t arguments[] = {rig_buffer(rig, "in", N, &in),
                                  rig_buffer(rig, "bins", 256 * 4, &bins), N};
    for (int i = 0; i < N; i++) {
        in[i] = (uint8_t)(next_random(&seed) & next_random(&seed));
        expected[in[i]]++;
    }
    rig_must(rig, "histogram", 3, 128, arguments);
    assert_memory_equal(bins, expected, sizeof expected);
}
BOTH(histogram)

static void atomics_on(struct rig *rig)
{
    uint32_t *words;
    uint64_t *longs;
    float *singles;
    double *doubles;
    const uint64_t arguments[] = {
        rig_buffer(rig, "words", 32 * 4, &words), rig_buffer(rig, "longs", 8 * 8, &longs),
        rig_buffer(rig, "singles", 8, &singles), rig_buffer(rig, "doubles", 16, &doubles)};
    for (uint32_t i = 0; i < 14; i++)
        words[i] = i;
    words[5] = 3;
    words[6] = 9;
    words[14] = 0x3c003c00; /* 1, 1 */
    longs[0] = 1;
    longs[1] = 11;
    longs[2] = (uint64_t)-5;
    longs[3] = 77;
    singles[0] = 1.5f;
    doubles[0] = 3.0;
    rig_must(rig, "atomics", 1, 1, arguments);
    static const uint32_t after[15] = {5,  (uint32_t)-6, 9,         3,     100,        0,
                                       3,  70,           0,         0xf09, 0xff ^ 10u, (uint32_t)-4,
                                       12, 13,           0x3a004100}; /* 0.75, 2.5 */
    assert_memory_equal(words, after, sizeof after);
    static const uint32_t before[14] = {0, 1, 2, 3, 4, 3, 9, 7, 8, 9, 10, 11, 12, 13};
    assert_memory_equal(words + 16, before, sizeof before);
    static const uint64_t wide[8] = {
        (UINT64_C(1) << 40) + 1, UINT64_C(1) << 50, (uint64_t)-3, 5, 1, 11, (uint64_t)-5, 77};
    assert_memory_equal(longs, wide, sizeof wide);
    assert_true(singles[0] == 1.75f && singles[1] == 1.5f);
    assert_true(doubles[0] == 3.125 && doubles[1] == 3.0);
}
BOTH(atomics)

static void widths_on(struct rig *rig)
{
    int8_t *s8;
    uint16_t *u16;
    int16_t *s16;
    int *out, *quads, *pairs;
    const uint64_t arguments[] = {rig_buffer(rig, "s8", 32, &s8),
                                  rig_buffer(rig, "u16", 64, &u16),
                                  rig_buffer(rig, "s16", 64, &s16),
                                  rig_buffer(rig, "out", 32 * 5, &out),
                                  rig_buffer(rig, "quads", 32 * 16, &quads),
                                  rig_buffer(rig, "pairs", 32 * 8, &pairs)};
    for (int t = 0; t < 32; t++) {
        s8[t] = (int8_t)(t * 13 - 100);
        u16[t] = (uint16_t)(65535 - t * 99);
        s16[t] = (int16_t)(t * 2000 - 30000);
        for (int k = 0; k < 4; k++)
            quads[4 * t + k] = 10 * t + k;
        pairs[2 * t] = t;
        pairs[2 * t + 1] = -t;
    }
    rig_must(rig, "widths", 1, 32, arguments);
    for (int t = 0; t < 32; t++) {
        assert_int_equal(out[t], s8[t] + u16[t] + s16[t]);
        assert_int_equal(((uint8_t *)out)[128 + t], (uint8_t)(s8[t] * 3));
        for (int k = 0; k < 4; k++)
            assert_int_equal(quads[4 * t + k], 10 * t + 3 - k);
        assert_int_equal(pairs[2 * t], -t);
        assert_int_equal(pairs[2 * t + 1], t);
    }
}
BOTH(widths)

static int local_sum(int thread, int turns)
{
    unsigned table[32], sum = 0;
    for (int i = 0; i < 32; i++)
        table[i] = (unsigned)(i * i + thread);
    int at = thread % 32;
    for (int i = 0; i < turns; i++) {
        table[at] += (unsigned)i;
        at = (at * 5 + 3) & 31;
    }
    for (int i = 0; i < 32; i++)
        sum = sum * 31 + table[i];
    return (int)sum;
}

static int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static void stacks_on(struct rig *rig)
{
    int *out;
    const uint64_t arguments[] = {rig_buffer(rig, "out", 64 * 4, &out), 40};
    rig_must(rig, "local_array", 1, 64, arguments);
    for (int t = 0; t < 64; t++)
        assert_int_equal(out[t], local_sum(t, 40));
    rig->options.stack_bytes = 1024;
    rig_must(rig, "recursion", 1, 64, arguments);
    for (int t = 0; t < 64; t++)
        assert_int_equal(out[t], fibonacci(t % 8));
}
BOTH(stacks)

static unsigned ackermann(unsigned m, unsigned n)
{
    if (m == 0)
        return n + 1;
    return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

static int called(int x)
{
    for (int turn = 0; turn < 4; turn++) {
        unsigned which = (unsigned)x % 3;
        x &= 15;
        x = which == 0 ? 2 * x : which == 1 ? x - 7 : fibonacci(x);
    }
    return x;
}

static void calls_on(struct rig *rig)
{
    uint32_t *in, *out, seed = 21;
    const uint64_t arguments[] = {rig_buffer(rig, "in", 256 * 4, &in),
                                  rig_buffer(rig, "out", 256 * 4, &out)};
    for (int t = 0; t < 256; t++)
        in[t] = next_random(&seed);
    rig->options.stack_bytes = 4096;
    rig_must(rig, "deep_recursion", 1, 256, arguments);
    for (int t = 0; t < 256; t++)
        assert_int_equal(out[t], ackermann(in[t] % 3, in[t] / 3 % 5));
    rig_must(rig, "pointers", 1, 256, arguments);
    for (int t = 0; t < 256; t++)
        assert_int_equal((int)out[t], called((int)in[t]));
}
BOTH(calls)

static void jumps_on(struct rig *rig)
{
    int *in, *out;
    const uint64_t arguments[] = {rig_buffer(rig, "in", 128, &in),
                                  rig_buffer(rig, "out", 128, &out)};
    static const int result[9] = {17, 0, 8, 3 ^ 0x55, 1, -5, 6 << 9, 1000 / 7, -1};
    for (int t = 0; t < 32; t++)
        in[t] = t % 9;
    rig_must(rig, "jumps", 1, 32, arguments);
    for (int t = 0; t < 32; t++)
        if (t % 9 != 1) /* reads what thread 0 may have written already */
            assert_int_equal(out[t], result[t % 9]);
}
BOTH(jumps)

static void spin_lock_on(struct rig *rig)
{
    int *lock, *count;
    const uint64_t arguments[] = {rig_buffer(rig, "lock", 4, &lock),
                                  rig_buffer(rig, "count", 4, &count)};
    rig_must(rig, "spin_lock", 5, 96, arguments);
    assert_int_equal(*count, 5 * 96);
    assert_int_equal(*lock, 0);
    /* spins are cut short: well below what 480 threads would spin in turn */
    assert_true(rig->counts.warp_instructions < 400000);
}
BOTH(spin_lock)

static void look_back_on(struct rig *rig)
{
    int *in, *out, *flags, *sums, before = 0;
    enum { BLOCKS = 60 };
    const uint64_t arguments[] = {
        rig_buffer(rig, "in", BLOCKS * 4, &in), rig_buffer(rig, "out", BLOCKS * 128, &out),
        rig_buffer(rig, "flags", BLOCKS * 4, &flags), rig_buffer(rig, "sums", BLOCKS * 4, &sums)};
    for (int i = 0; i < BLOCKS; i++)
        in[i] = i * i;
    rig_must(rig, "look_back", BLOCKS, 32, arguments);
    for (int b = 0; b < BLOCKS; b++) {
        for (int t = 0; t < 32; t++)
            assert_int_equal(out[32 * b + t], before + t);
        before += in[b];
    }
}
BOTH(look_back)

static void grid_barrier_on(struct rig *rig)
{
    int *data, *out;
    enum { BLOCKS = 40, N = BLOCKS * 64 };
    const uint64_t arguments[] = {rig_buffer(rig, "data", N * 4, &data),
                                  rig_buffer(rig, "out", N * 4, &out)};
    rig->options.cooperative = true;
    rig_must(rig, "grid_barrier", BLOCKS, 64, arguments);
    for (int i = 0; i < N; i++)
        assert_int_equal(out[i], (i + 1 + 77) % N);
    rig->options.cooperative = false;
    assert_int_equal(rig_run(rig, "grid_barrier", BLOCKS, 64, 0, arguments), SIMSM_FAILED);
    if (!strstr(rig->error.message, "Barrier of the grid in a launch"))
        fail_msg("sm_%u: %s", rig->sm, rig->error.message);
}
BOTH(grid_barrier)

static void barriers_on(struct rig *rig)
{
    int *out;
    const uint64_t arguments[] = {rig_buffer(rig, "out", 512 * 4, &out)};
    rig_must(rig, "named_barriers", 1, 128, arguments);
    for (int t = 0; t < 128; t++) {
        if (t < 64)
            assert_int_equal(out[t], 63 - t);
        assert_int_equal(out[128 + t], 43);
        assert_int_equal(out[256 + t] != 0, 1);
        assert_int_equal(out[384 + t], 0);
    }
    rig_must(rig, "producer", 1, 64, arguments);
    for (int t = 0; t < 32; t++)
        assert_int_equal(out[t], 3 * (31 - t));
}
BOTH(barriers)

static void variables_on(struct rig *rig)
{
    int *out;
    const uint64_t arguments[] = {rig_buffer(rig, "out", 12, &out)};
    out[2] = 2;
    rig_must(rig, "globals", 1, 1, arguments);
    assert_int_equal(out[0], 42);
    assert_int_equal(out[1], 30);
    uint64_t address, size;
    bool constant;
    void *host;
    assert_true(exec_module_symbol(rig->loaded, "counter", &address, &size, &constant, &host));
    assert_int_equal(size, 4);
    assert_false(constant);
    assert_int_equal(*(int *)host, 42);
    assert_true(exec_module_symbol(rig->loaded, "table", &address, &size, &constant, &host));
    assert_true(constant);
    ((int *)host)[2] = 33;
    rig_must(rig, "globals", 1, 1, arguments);
    assert_int_equal(out[0], 43);
    assert_int_equal(out[1], 33);
    assert_false(exec_module_symbol(rig->loaded, "nothing", &address, &size, &constant, &host));
}
BOTH(variables)

static void spaces_on(struct rig *rig)
{
    int *data, *out;
    const uint64_t arguments[] = {rig_buffer(rig, "data", 32, &data),
                                  rig_buffer(rig, "out", 128, &out)};
    for (int i = 0; i < 8; i++)
        data[i] = i + 1;
    rig_must(rig, "generic", 1, 32, arguments);
    for (int t = 0; t < 32; t++)
        assert_int_equal(out[t], t % 3 == 0 ? 36 : t % 3 == 1 ? 1002800 : 36 * (t + 1));
    const uint64_t one[] = {arguments[1]};
    assert_int_equal(rig_run(rig, "dynamic_shared", 1, 32, 128, one), SIMSM_OK);
    for (int t = 0; t < 32; t++)
        assert_int_equal(out[t], 31 - t);
}
BOTH(spaces)

static uint16_t half_of(int value)
{
    static const uint16_t halves[9] = {0,      0x3c00, 0x4000, 0x4200, 0x4400,
                                       0x4500, 0x4600, 0x4700, 0x4800};
    return value < 0 ? (uint16_t)(halves[-value] | 0x8000) : halves[value];
}

static void matrices_on(struct rig *rig)
{
    uint16_t *a, *b;
    float *c;
    int x[16][8], y[8][8];
    uint32_t seed = 77;
    const uint64_t arguments[] = {rig_buffer(rig, "a", 256, &a), rig_buffer(rig, "b", 128, &b),
                                  rig_buffer(rig, "c", 512, &c)};
    for (int i = 0; i < 128; i++)
        a[i] = half_of(x[i / 8][i % 8] = (int)(next_random(&seed) % 17) - 8);
    for (int i = 0; i < 64; i++)
        b[i] = half_of(y[i / 8][i % 8] = (int)(next_random(&seed) % 17) - 8);
    rig_must(rig, "matrices", 1, 32, arguments);
    for (int row = 0; row < 16; row++) {
        for (int column = 0; column < 8; column++) {
            int sum = 0;
            for (int k = 0; k < 8; k++)
                sum += x[row][k] * y[k][column];
            assert_true(c[row * 8 + column] == (float)sum);
        }
    }
}
BOTH(matrices)

static void copies_on(struct rig *rig)
{
    int *in, *out;
    if (rig->sm < 80)
        return;
    const uint64_t arguments[] = {rig_buffer(rig, "in", 1024, &in),
                                  rig_buffer(rig, "out", 1024, &out)};
    for (int i = 0; i < 256; i++)
        in[i] = i;
    rig_must(rig, "copy_async", 1, 64, arguments);
    for (int i = 0; i < 256; i++)
        assert_int_equal(out[i], (63 - i / 4) * 4 + i % 4);
}
BOTH(copies)

/* The side with fewer lanes runs first; on a tie the one that does not branch, which depends on how
 * the compiler laid the code out: then all of one side come before all of the other. */
static void order_on(struct rig *rig)
{
    int *next, *out;
    const uint64_t n = rig_buffer(rig, "next", 4, &next), o = rig_buffer(rig, "out", 128, &out);
    static const uint32_t masks[] = {0x1, 0x7, 0xffff0001u & 0xfff, 0xfffffffe, 0x7fffffff};
    for (size_t i = 0; i < sizeof masks / sizeof masks[0]; i++) {
        const uint64_t arguments[] = {masks[i], n, o};
        *next = 0;
        rig_must(rig, "order", 1, 32, arguments);
        uint32_t few = __builtin_popcount(masks[i]) < 16 ? masks[i] : ~masks[i];
        int step = few == masks[i] ? 100 : 1, least = 0;
        for (int t = 0; t < 32; t++)
            if (few >> t & 1)
                least = out[t] > least ? out[t] : least;
        assert_int_equal(least, step * (__builtin_popcount(few) - 1));
    }
}
BOTH(order)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vecadd),       cmocka_unit_test(branches),  cmocka_unit_test(collatz),
        cmocka_unit_test(sums),         cmocka_unit_test(histogram), cmocka_unit_test(atomics),
        cmocka_unit_test(widths),       cmocka_unit_test(stacks),    cmocka_unit_test(jumps),
        cmocka_unit_test(calls),        cmocka_unit_test(spin_lock), cmocka_unit_test(look_back),
        cmocka_unit_test(grid_barrier), cmocka_unit_test(barriers),  cmocka_unit_test(variables),
        cmocka_unit_test(spaces),       cmocka_unit_test(matrices),  cmocka_unit_test(copies),
        cmocka_unit_test(order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
