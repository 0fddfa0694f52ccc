/* Generic addresses: atomics on memory that only the lane knows, asking which memory it is; and
 * which of several lanes' stores stays. */
#include "exec_rig.h"

enum { LANES = 32, OPERATIONS = 8, ACTIVE = 20 };

typedef void body_fn(struct rig *rig, uint64_t shared);

static void everywhere(body_fn *body)
{
    for (size_t i = 0; i < sizeof rig_sms / sizeof rig_sms[0]; i++) {
        for (uint64_t shared = 0; shared < 2; shared++) {
            struct rig rig;
            rig_open_code(&rig, "generic", rig_sms[i]);
            body(&rig, shared);
            rig_close(&rig);
        }
    }
}

static void check_eight(const struct rig *rig, uint32_t lane, const int64_t *element, int64_t found)
{
    int64_t v = lane + 1, most = v > 5 ? v : 5, least = v < 5 ? v : 5;
    const int64_t done[OPERATIONS] = {5 + v, v, most, least, 5 | v, 5 & v, 5 ^ v, v};
    for (uint32_t i = 0; i < OPERATIONS; i++)
        if (element[i] != (lane < ACTIVE ? done[i] : 5))
            fail_msg("sm_%u, lane %u, operation %u: %lld", rig->sm, lane, i, (long long)element[i]);
    assert_int_equal(found, lane < ACTIVE ? 5 * OPERATIONS : 0);
}

static void integers_on(struct rig *rig, uint64_t shared)
{
    int32_t *words;
    int64_t *longs;
    const uint64_t narrow[] = {rig_buffer(rig, "words", 288 * 4, &words), shared, ACTIVE};
    const uint64_t wide[] = {rig_buffer(rig, "longs", 288 * 8, &longs), shared, ACTIVE};
    for (uint32_t i = 0; i < 288; i++)
        longs[i] = words[i] = 5;
    rig_must(rig, "eight_i32", 1, LANES, narrow);
    rig_must(rig, "eight_u64", 1, LANES, wide);
    for (uint32_t lane = 0; lane < LANES; lane++) {
        int64_t element[OPERATIONS];
        for (uint32_t i = 0; i < OPERATIONS; i++)
            element[i] = words[lane * OPERATIONS + i];
        check_eight(rig, lane, element, words[256 + lane]);
        check_eight(rig, lane, longs + (size_t)lane * OPERATIONS, longs[256 + lane]);
    }
}

static void integers(void **state)
{
    (void)state;
    everywhere(integers_on);
}

/* The lanes of one instruction add in some order: what they found is each partial sum once. */
static void floats_on(struct rig *rig, uint64_t shared)
{
    float *singles;
    double *doubles;
    const uint64_t f32[] = {rig_buffer(rig, "singles", 33 * 4, &singles), shared, ACTIVE};
    const uint64_t f64[] = {rig_buffer(rig, "doubles", 33 * 8, &doubles), shared, ACTIVE};
    singles[0] = 5;
    doubles[0] = 5;
    rig_must(rig, "add_f32", 1, LANES, f32);
    rig_must(rig, "add_f64", 1, LANES, f64);
    double sum = 5 + ACTIVE * (ACTIVE + 1) / 2;
    assert_true(singles[0] == (float)sum && doubles[0] == sum);
    bool first = false;
    for (uint32_t lane = 0; lane < ACTIVE; lane++) {
        assert_true(singles[1 + lane] >= 5 && singles[1 + lane] + (float)lane + 1 <= (float)sum);
        assert_true(doubles[1 + lane] >= 5 && doubles[1 + lane] + lane + 1 <= sum);
        first |= doubles[1 + lane] == 5;
    }
    assert_true(first);
}

static void floats(void **state)
{
    (void)state;
    everywhere(floats_on);
}

static void halves_on(struct rig *rig, uint64_t shared)
{
    uint32_t *pair;
    const uint64_t arguments[] = {rig_buffer(rig, "pair", 4, &pair), shared, ACTIVE};
    pair[0] = 0x3c004500; /* 1, 5 */
    rig_must(rig, "add_half2", 1, LANES, arguments);
    assert_int_equal(pair[0], 0x51205ab8); /* 41, 215 */
}

static void halves(void **state)
{
    (void)state;
    everywhere(halves_on);
}

static void local_on(struct rig *rig, uint64_t mine)
{
    uint64_t *words;
    const uint64_t arguments[] = {rig_buffer(rig, "words", 160 * 8, &words), mine, 0};
    for (uint32_t i = 0; i < 160; i++)
        words[i] = 5;
    rig_must(rig, "local", 1, LANES, arguments);
    const uint64_t done[] = {12, 9, 11, 18};
    for (uint32_t lane = 0; lane < LANES; lane++) {
        assert_memory_equal(words + (size_t)4 * lane, done, sizeof done);
        assert_int_equal(words[128 + lane], 20);
    }
}

static void local(void **state)
{
    (void)state;
    everywhere(local_on);
}

static void spaces_on(struct rig *rig, uint64_t unused)
{
    (void)unused;
    for (uint64_t which = 0; which < 3; which++) {
        int32_t *kinds;
        const uint64_t arguments[] = {rig_buffer(rig, "kinds", 32 * 4, &kinds), which};
        rig_must(rig, "spaces", 1, LANES, arguments);
        for (uint32_t lane = 0; lane < LANES; lane++)
            assert_int_equal(kinds[lane], 1 << which);
    }
}

static void spaces(void **state)
{
    (void)state;
    everywhere(spaces_on);
}

/* The lane whose store remains in elements 0 and 1, as on an H200. */
static void winners_on(struct rig *rig, uint64_t shared)
{
    static const struct {
        const char *kernel;
        uint32_t bytes, apart, without, lane[2];
    } cases[] = {
        {"store_8", 1, 1, 0, {0}},         {"store_8", 1, 2, 5, {6, 5}},
        {"store_32", 4, 2, 0, {0, 1}},     {"store_32", 4, 2, 7, {8, 7}},
        {"store_64", 8, 1, 0, {16}},       {"store_64", 8, 2, 0, {16, 17}},
        {"store_64", 8, 2, 20, {20, 21}},  {"store_128", 16, 1, 0, {24}},
        {"store_128", 16, 2, 0, {24, 25}}, {"store_128", 16, 2, 29, {30, 29}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t *out;
        const uint64_t arguments[] = {rig_buffer(rig, "out", 32 * 16, &out), shared, cases[i].apart,
                                      cases[i].without};
        rig_must(rig, cases[i].kernel, 1, LANES, arguments);
        for (uint32_t element = 0; element < cases[i].apart; element++)
            if (out[element * cases[i].bytes] != cases[i].lane[element])
                fail_msg("sm_%u, %s, case %zu: lane %u", rig->sm, cases[i].kernel, i,
                         out[element * cases[i].bytes]);
    }
}

static void winners(void **state)
{
    (void)state;
    everywhere(winners_on);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers), cmocka_unit_test(floats), cmocka_unit_test(halves),
        cmocka_unit_test(local),    cmocka_unit_test(spaces), cmocka_unit_test(winners),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
