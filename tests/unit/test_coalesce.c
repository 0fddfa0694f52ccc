/* The coalescer against a slow count of distinct sectors. */
#include "mem_fixture.h"

#include "mem/coalesce.h"

enum { LINE_SHIFT = 7 };

/* Every sector of every lane, in a list without repeats; returns its length. */
static unsigned distinct_sectors(const struct lane_addresses *addresses, uint32_t lanes,
                                 uint32_t width, uint64_t *sector)
{
    unsigned count = 0;
    for (unsigned lane = 0; lane < 32; lane++) {
        for (uint32_t byte = 0; lanes >> lane & 1 && byte < width; byte++) {
            uint64_t at =
                ((lane_address(addresses, lane) + byte) & COALESCE_ADDRESS_MASK) / SECTOR_BYTES;
            unsigned i = 0;
            while (i < count && sector[i] != at)
                i++;
            sector[i] = at;
            count += i == count;
        }
    }
    return count;
}

static void check(const struct lane_addresses *addresses, uint32_t lanes, uint32_t width,
                  uint32_t line_shift)
{
    struct coalesced out;
    uint64_t sector[64];
    uint32_t per_line = (1u << line_shift) / SECTOR_BYTES;
    unsigned expected = distinct_sectors(addresses, lanes, width, sector);
    coalesce(addresses, lanes, width, line_shift, &out);
    assert_int_equal(out.sectors, expected);
    uint32_t found = 0;
    for (uint32_t i = 0; i < out.lines; i++) {
        assert_int_not_equal(out.mask[i], 0);
        assert_int_equal(out.mask[i] >> per_line, 0);
        found += sector_count(out.mask[i]);
        for (uint32_t j = 0; j < i; j++)
            assert_true(out.line[i] != out.line[j]);
    }
    assert_int_equal(found, expected);
    for (unsigned s = 0; s < expected; s++) {
        uint32_t i = 0;
        while (i < out.lines && out.line[i] != sector[s] / per_line)
            i++;
        assert_true(i < out.lines);
        assert_true(out.mask[i] >> sector[s] % per_line & 1);
    }
}

static void counts(const struct lane_addresses *addresses, uint32_t lanes, uint32_t width,
                   uint32_t lines, uint32_t sectors)
{
    struct coalesced out;
    coalesce(addresses, lanes, width, LINE_SHIFT, &out);
    assert_int_equal(out.lines, lines);
    assert_int_equal(out.sectors, sectors);
}

static void known_patterns(void **state)
{
    (void)state;
    struct lane_addresses a = affine(0x1000, 4);
    counts(&a, UINT32_MAX, 4, 1, 4);
    counts(&a, 0xFF, 4, 1, 1);
    counts(&a, 0, 4, 0, 0);
    a = affine(0x1000, 0);
    counts(&a, UINT32_MAX, 4, 1, 1);
    a = affine(0x1000, 8);
    counts(&a, UINT32_MAX, 8, 2, 8);
    counts(&a, UINT32_MAX, 4, 2, 8);
    a = affine(0x1000, 16);
    counts(&a, UINT32_MAX, 16, 4, 16);
    a = affine(0x1000, 32);
    counts(&a, UINT32_MAX, 4, 8, 32);
    a = affine(0x1000, 128);
    counts(&a, UINT32_MAX, 4, 32, 32);
    a = affine(0x1004, 4);
    counts(&a, UINT32_MAX, 4, 2, 5);
    a = affine(0x107C, -4);
    counts(&a, UINT32_MAX, 4, 1, 4);
    a = affine(0x107E, 128);
    counts(&a, UINT32_MAX, 4, 33, 64);
}

static void affine_random(void **state)
{
    (void)state;
    uint64_t random = 7;
    static const int64_t strides[] = {0,  1,   2,   3,   4,   -4,   8,    12,
                                      16, 20,  -24, 31,  32,  33,   -48,  64,
                                      96, 124, 128, 132, 256, -512, 4096, INT64_C(1) << 41};
    for (unsigned i = 0; i < 40000; i++) {
        uint32_t width = (uint32_t)(next_random(&random) % 16) + 1;
        uint32_t lanes = (uint32_t)next_random(&random) |
                         (next_random(&random) % 2 ? UINT32_MAX >> next_random(&random) % 32 : 0);
        struct lane_addresses a =
            affine(0x10000 + next_random(&random) % 512,
                   strides[next_random(&random) % (sizeof strides / sizeof *strides)]);
        check(&a, lanes, width, 5 + (uint32_t)(next_random(&random) % 4));
    }
}

static void scattered_random(void **state)
{
    (void)state;
    uint64_t random = 8;
    for (unsigned i = 0; i < 40000; i++) {
        uint32_t width = 1u << next_random(&random) % 5;
        uint64_t range = UINT64_C(16) << next_random(&random) % 40;
        struct lane_addresses a =
            scattered(&random, 0, range, next_random(&random) % 4 ? width : 1);
        check(&a, (uint32_t)next_random(&random), width, 5 + (uint32_t)(next_random(&random) % 4));
    }
}

static void affine_equals_listed(void **state)
{
    (void)state;
    uint64_t random = 9;
    for (unsigned i = 0; i < 20000; i++) {
        struct coalesced one, two;
        struct lane_addresses a =
            affine(next_random(&random) % 4096, (int64_t)(next_random(&random) % 300) - 150);
        struct lane_addresses b = {.affine = false};
        uint32_t lanes = (uint32_t)next_random(&random);
        for (unsigned lane = 0; lane < 32; lane++)
            b.lane[lane] = lane_address(&a, lane);
        coalesce(&a, lanes, 4, LINE_SHIFT, &one);
        coalesce(&b, lanes, 4, LINE_SHIFT, &two);
        assert_int_equal(one.lines, two.lines);
        assert_int_equal(one.sectors, two.sectors);
    }
}

static void repeats_of_atomics(void **state)
{
    (void)state;
    struct coalesced out;
    struct coalesced_repeats repeats;
    struct lane_addresses a = affine(0x1000, 0);
    coalesce(&a, UINT32_MAX, 4, LINE_SHIFT, &out);
    coalesce_repeats(&a, UINT32_MAX, LINE_SHIFT, &out, &repeats);
    assert_int_equal(repeats.most[0], 32);
    assert_int_equal(repeats.turns[0], 32);
    a = affine(0x1000, 4);
    coalesce(&a, UINT32_MAX, 4, LINE_SHIFT, &out);
    coalesce_repeats(&a, UINT32_MAX, LINE_SHIFT, &out, &repeats);
    assert_int_equal(repeats.most[0], 1);
    assert_int_equal(repeats.turns[0], 4); /* once in each sector */
    a.affine = false;
    for (unsigned lane = 0; lane < 32; lane++)
        a.lane[lane] = lane < 20 ? 0x1000 + lane % 4 * 4 : 0x2000;
    coalesce(&a, UINT32_MAX, 4, LINE_SHIFT, &out);
    coalesce_repeats(&a, UINT32_MAX, LINE_SHIFT, &out, &repeats);
    assert_int_equal(out.lines, 2);
    assert_int_equal(repeats.most[out.line[0] == 0x2000 >> LINE_SHIFT ? 1 : 0], 5);
    assert_int_equal(repeats.most[out.line[0] == 0x2000 >> LINE_SHIFT ? 0 : 1], 12);
}

/* An access at the end of the address space goes on at its beginning. */
static void words_at_the_end(void **state)
{
    (void)state;
    const struct lane_addresses addresses = {.lane = {COALESCE_ADDRESS_MASK - 1}};
    struct coalesced out;
    uint64_t words[COALESCE_LINES];
    coalesce(&addresses, 1, 4, LINE_SHIFT, &out);
    coalesce_words(&addresses, 1, 4, 1, LINE_SHIFT, &out, words);
    assert_int_equal(out.lines, 2);
    assert_int_equal(out.line[1], 0);
    assert_int_equal(words[0], UINT64_C(1) << 31);
    assert_int_equal(words[1], 1);
}

/* The words of a wide access to local memory lie a row of all lanes apart. */
static void local_words(void **state)
{
    (void)state;
    struct lane_addresses addresses = {.affine = false};
    struct coalesced out;
    uint64_t words[COALESCE_LINES];
    for (unsigned lane = 0; lane < 32; lane++)
        addresses.lane[lane] = 0x10000 + local_place(0, lane);
    coalesce_local(&addresses, 1u << 9, 2, LINE_SHIFT, &out); /* one lane: a word of two lines */
    assert_int_equal(out.lines, 2);
    assert_int_equal(out.sectors, 2);
    coalesce_words(&addresses, 1u << 9, 4, 2, LINE_SHIFT, &out, words);
    assert_int_equal(words[0], 1u << 9);
    assert_int_equal(words[1], 1u << 9);
    coalesce_local(&addresses, UINT32_MAX, 4, LINE_SHIFT, &out);
    assert_int_equal(out.lines, 4);
    assert_int_equal(out.sectors, 16);
    for (unsigned lane = 0; lane < 32; lane++) /* each lane at a depth of its own */
        addresses.lane[lane] = 0x10000 + local_place(16 * lane, lane);
    coalesce_local(&addresses, UINT32_MAX, 4, LINE_SHIFT, &out);
    assert_int_equal(out.lines, 128);
    assert_int_equal(out.sectors, 128);
}

static void local_places(void **state)
{
    (void)state;
    assert_int_equal(local_place(0, 0), 0);
    assert_int_equal(local_place(0, 31), 124);
    assert_int_equal(local_place(4, 0), 128);
    assert_int_equal(local_place(9, 3), 2 * 128 + 12 + 1);
}

/* As many bytes in the fewest sectors; the accesses that read all words of some lines read each of
 * the lines once. */
static void dense_accesses(void **state)
{
    (void)state;
    static const struct {
        uint32_t width, stride, accesses, lines, sectors;
    } cases[] = {{4, 128, 32, 1, 4}, /* a column of a matrix of floats */
                 {4, 8, 2, 1, 4},    /* one of two members */
                 {8, 128, 16, 2, 8},
                 {16, 256, 8, 4, 16},
                 {4, 4, 1, 1, 4}}; /* is dense already */
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        uint64_t seen[64];
        unsigned count = 0;
        for (uint32_t a = 0; a < cases[c].accesses; a++) {
            struct coalesced out;
            const struct lane_addresses addresses = {
                .affine = true, .base = 1 << 20 | a * cases[c].width, .stride = cases[c].stride};
            coalesce(&addresses, UINT32_MAX, cases[c].width, LINE_SHIFT, &out);
            coalesce_densely(&addresses, UINT32_MAX, cases[c].width, LINE_SHIFT, &out);
            assert_int_equal(out.lines, cases[c].lines);
            assert_int_equal(out.sectors, cases[c].sectors);
            for (uint32_t i = 0; i < out.lines; i++) {
                assert_int_equal(out.mask[i], 15);
                for (unsigned k = 0; k < count; k++)
                    assert_true(seen[k] != out.line[i]);
                seen[count++] = out.line[i];
            }
        }
    }
}

/* Lanes that share a word count once, and an access is never larger than it was. */
static void dense_accesses_of_few_bytes(void **state)
{
    (void)state;
    struct coalesced out;
    struct lane_addresses addresses = {.affine = false};
    for (unsigned lane = 0; lane < SIMSM_WARP_LANES; lane++)
        addresses.lane[lane] = 4096 * (lane % 8); /* 8 words */
    coalesce(&addresses, UINT32_MAX, 4, LINE_SHIFT, &out);
    coalesce_densely(&addresses, UINT32_MAX, 4, LINE_SHIFT, &out);
    assert_int_equal(out.sectors, 1);
    coalesce(&addresses, 0, 4, LINE_SHIFT, &out);
    coalesce_densely(&addresses, 0, 4, LINE_SHIFT, &out);
    assert_int_equal(out.sectors, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_patterns),     cmocka_unit_test(affine_random),
        cmocka_unit_test(scattered_random),   cmocka_unit_test(affine_equals_listed),
        cmocka_unit_test(repeats_of_atomics), cmocka_unit_test(words_at_the_end),
        cmocka_unit_test(local_words),        cmocka_unit_test(local_places),
        cmocka_unit_test(dense_accesses),     cmocka_unit_test(dense_accesses_of_few_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
