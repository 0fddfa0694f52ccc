/* Bank conflicts: the documented cases, and random ones against a slow count. */
#include "mem_fixture.h"

#include "mem/banks.h"

static uint32_t slow_passes(const struct lane_addresses *addresses, uint32_t lanes, uint32_t width,
                            uint32_t banks, uint32_t *groups)
{
    uint32_t size = width <= 4 ? 32 : width <= 8 ? 16 : 8;
    uint32_t total = 0;
    *groups = 0;
    for (uint32_t first = 0; first < 32; first += size) {
        uint64_t word[256];
        uint32_t count = 0, most = 0;
        for (uint32_t lane = first; lane < first + size; lane++) {
            for (uint32_t byte = 0; lanes >> lane & 1 && byte < width; byte++) {
                uint64_t at = (lane_address(addresses, lane) + byte) / 4;
                uint32_t i = 0;
                while (i < count && word[i] != at)
                    i++;
                word[i] = at;
                count += i == count;
            }
        }
        for (uint32_t bank = 0; bank < banks; bank++) {
            uint32_t in_bank = 0;
            for (uint32_t i = 0; i < count; i++)
                in_bank += word[i] % banks == bank;
            most = in_bank > most ? in_bank : most;
        }
        total += most;
        *groups += most != 0;
    }
    return total;
}

static uint32_t passes(const struct lane_addresses *addresses, uint32_t lanes, uint32_t width)
{
    return banks_passes(addresses, lanes, width, 32).passes;
}

static void strides_of_words(void **state)
{
    (void)state;
    for (uint32_t words = 1; words <= 64; words++) {
        uint32_t expected = words % 32 == 0 ? 32 : words & (~words + 1);
        struct lane_addresses a = affine(0x400, 4 * (int64_t)words);
        assert_int_equal(passes(&a, UINT32_MAX, 4), expected);
        a = affine(0x100000, -4 * (int64_t)words);
        assert_int_equal(passes(&a, UINT32_MAX, 4), expected);
    }
}

static void broadcasts(void **state)
{
    (void)state;
    struct lane_addresses a = affine(0x400, 0);
    assert_int_equal(passes(&a, UINT32_MAX, 4), 1);
    assert_int_equal(passes(&a, UINT32_MAX, 1), 1);
    assert_int_equal(passes(&a, UINT32_MAX, 8), 2);
    assert_int_equal(passes(&a, UINT32_MAX, 16), 4);
    a = affine(0x400, 1); /* four lanes share each word */
    assert_int_equal(passes(&a, UINT32_MAX, 1), 1);
    a.affine = false;
    for (unsigned lane = 0; lane < 32; lane++)
        a.lane[lane] = lane % 2 * 128; /* two words of one bank */
    assert_int_equal(passes(&a, UINT32_MAX, 4), 2);
    assert_int_equal(passes(&a, 0x55555555, 4), 1);
    assert_int_equal(passes(&a, 0, 4), 0);
}

static void wide_accesses(void **state)
{
    (void)state;
    struct lane_addresses a = affine(0x400, 8);
    struct bank_passes b = banks_passes(&a, UINT32_MAX, 8, 32);
    assert_int_equal(b.passes, 2);
    assert_int_equal(b.groups, 2);
    b = banks_passes(&a, 0xFFFF, 8, 32);
    assert_int_equal(b.passes, 1);
    a = affine(0x400, 16); /* 64-bit accesses two words apart: each half-warp takes two */
    assert_int_equal(passes(&a, UINT32_MAX, 8), 4);
    b = banks_passes(&a, UINT32_MAX, 16, 32);
    assert_int_equal(b.passes, 4);
    assert_int_equal(b.groups, 4);
    a = affine(0x400, 128);
    assert_int_equal(passes(&a, UINT32_MAX, 8), 32);
    assert_int_equal(passes(&a, UINT32_MAX, 16), 32);
}

/* Each address is that of `every` lanes. */
static struct lane_addresses repeated(unsigned every, uint64_t step)
{
    struct lane_addresses a = {0};
    for (unsigned lane = 0; lane < 32; lane++)
        a.lane[lane] = 0x400 + lane / every * step;
    return a;
}

/* Counted on an H200: 2 and not 4 for LDS.128 of one address (nbody), or of one for each half-warp;
 * 4 where the half-warps want the same 256 bytes (matmul_registers). */
static void loads_of_pairs(void **state)
{
    (void)state;
    struct lane_addresses a = affine(0x400, 0);
    struct bank_passes b = banks_load_passes(&a, UINT32_MAX, 16, 32);
    assert_int_equal(b.passes, 2);
    assert_int_equal(b.groups, 2);
    assert_int_equal(banks_load_passes(&a, UINT32_MAX, 8, 32).passes, 1);
    assert_int_equal(banks_load_passes(&a, UINT32_MAX, 4, 32).passes, 1);
    a = repeated(16, 16);
    assert_int_equal(banks_load_passes(&a, UINT32_MAX, 16, 32).passes, 2);
    a = repeated(2, 16); /* lanes n and n^1 */
    assert_int_equal(banks_load_passes(&a, UINT32_MAX, 16, 32).passes, 2);
    assert_int_equal(passes(&a, UINT32_MAX, 16), 4);
    for (unsigned lane = 0; lane < 32; lane++)
        a.lane[lane] = 0x400 + (lane / 4 * 2 + lane % 2) * 8; /* lanes n and n^2 */
    assert_int_equal(banks_load_passes(&a, UINT32_MAX, 8, 32).passes, 1);
    assert_int_equal(passes(&a, UINT32_MAX, 8), 2);
    a = repeated(1, 16);
    for (unsigned lane = 0; lane < 32; lane++)
        a.lane[lane] = 0x400 + lane % 16 * 16;
    assert_int_equal(banks_load_passes(&a, UINT32_MAX, 16, 32).passes, 4);
    a = repeated(2, 16);
    a.lane[31] += 16; /* one lane is enough */
    assert_int_equal(banks_load_passes(&a, UINT32_MAX, 16, 32).passes, 4);
    assert_int_equal(banks_load_passes(&a, UINT32_MAX >> 1, 16, 32).passes, 2);
}

static void random_patterns(void **state)
{
    (void)state;
    uint64_t random = 3;
    static const uint32_t bank_counts[] = {32, 32, 32, 16, 64, 24, 1};
    for (unsigned i = 0; i < 30000; i++) {
        uint32_t width = next_random(&random) % 4 ? 1u << next_random(&random) % 5
                                                  : (uint32_t)(next_random(&random) % 16) + 1;
        uint32_t banks = bank_counts[next_random(&random) % 7];
        uint32_t align = next_random(&random) % 4 ? width : 1;
        uint32_t lanes = next_random(&random) % 2 ? (uint32_t)next_random(&random)
                                                  : UINT32_MAX >> next_random(&random) % 32;
        uint64_t range = UINT64_C(32) << next_random(&random) % 12;
        struct lane_addresses a = scattered(&random, 0, range, align);
        if (next_random(&random) % 2)
            a = affine(0x10000 + next_random(&random) % 64 / align * align,
                       ((int64_t)(next_random(&random) % 80) - 40) *
                           (next_random(&random) % 2 ? 4 : 1));
        uint32_t groups;
        uint32_t expected = slow_passes(&a, lanes, width, banks, &groups);
        struct bank_passes found = banks_passes(&a, lanes, width, banks);
        assert_int_equal(found.passes, expected);
        assert_int_equal(found.groups, groups);
        assert_true(banks_bound(&a, lanes, width, banks) >= expected);
    }
}

static void turns_of_atomics(void **state)
{
    (void)state;
    struct lane_addresses a = affine(0x400, 0);
    struct bank_turns turns = banks_turns(&a, UINT32_MAX, 32);
    assert_int_equal(turns.passes, 32);
    assert_int_equal(turns.repeats, 32);
    a = affine(0x400, 4);
    turns = banks_turns(&a, UINT32_MAX, 32);
    assert_int_equal(turns.passes, 1);
    assert_int_equal(turns.repeats, 1);
    a = affine(0x400, 8);
    turns = banks_turns(&a, UINT32_MAX, 32);
    assert_int_equal(turns.passes, 2);
    assert_int_equal(turns.repeats, 1);
    turns = banks_turns(&a, 0, 32);
    assert_int_equal(turns.passes, 0);
    assert_int_equal(turns.repeats, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strides_of_words), cmocka_unit_test(broadcasts),
        cmocka_unit_test(wide_accesses),    cmocka_unit_test(loads_of_pairs),
        cmocka_unit_test(random_patterns),  cmocka_unit_test(turns_of_atomics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
