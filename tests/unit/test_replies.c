/* Replies leave in the order of (cycle, order of adding), with as few and as many as there may be.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "mem/replies.h"

enum { MOST = 65535 };

/* The replies that were added and not taken: a heap by (cycle, number). */
struct entry {
    uint64_t cycle, number;
};

static struct entry expected[MOST];
static uint32_t count;
static uint64_t added; /* so far, by all */

static uint32_t next(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static bool before(const struct entry *a, const struct entry *b)
{
    return a->cycle != b->cycle ? a->cycle < b->cycle : a->number < b->number;
}

static void swap(uint32_t a, uint32_t b)
{
    const struct entry kept = expected[a];
    expected[a] = expected[b];
    expected[b] = kept;
}

static void add(struct replies *replies, uint64_t cycle)
{
    replies_add(replies, (struct reply){.cycle = cycle,
                                        .mshr = (uint16_t)added,
                                        .mask = (uint8_t)(added >> 16),
                                        .level = (uint8_t)(added >> 24)});
    uint32_t at = count++;
    expected[at] = (struct entry){cycle, added++};
    for (; at && before(&expected[at], &expected[(at - 1) / 2]); at = (at - 1) / 2)
        swap(at, (at - 1) / 2);
}

static struct entry take_expected(void)
{
    const struct entry first = expected[0];
    expected[0] = expected[--count];
    for (uint32_t at = 0, child; (child = 2 * at + 1) < count; at = child) {
        child += child + 1 < count && before(&expected[child + 1], &expected[child]);
        if (!before(&expected[child], &expected[at]))
            break;
        swap(at, child);
    }
    return first;
}

/* Returns its cycle. */
static uint64_t take(struct replies *replies)
{
    const struct entry first = take_expected();
    assert_int_equal(replies->next, first.cycle);
    assert_int_equal(replies_nth(replies, 1), first.cycle);
    const struct reply reply = replies_take(replies);
    assert_int_equal(reply.cycle, first.cycle);
    assert_int_equal(reply.mshr | (uint64_t)reply.mask << 16 | (uint64_t)reply.level << 24,
                     first.number);
    return reply.cycle;
}

/* Full, empty and what is between, three times; `ahead`: cycles until a reply arrives. */
static void check(uint32_t most, uint32_t ahead)
{
    struct arena arena = {0};
    struct replies replies;
    uint32_t seed = most;
    uint64_t now = 0;
    assert_true(replies_init(&replies, &arena, most));
    added = count = 0;
    for (uint32_t round = 0; round < 3; round++) {
        while (count < most)
            add(&replies, now + next(&seed) % ahead);
        for (uint32_t i = 0; i < 1000 || count > most / 2 + 1; i++) {
            now = take(&replies);
            if (i % 2 || !count)
                add(&replies, now + next(&seed) % ahead);
        }
        while (count < most)
            add(&replies, now + next(&seed) % ahead);
        assert_int_equal(replies.count, most);
        assert_int_equal(replies_nth(&replies, most + 1), REPLIES_NEVER);
        while (count)
            now = take(&replies);
        assert_int_equal(replies.count, 0);
        assert_int_equal(replies.next, REPLIES_NEVER);
    }
    arena_free(&arena);
}

static void test_limits(void **state)
{
    static const uint32_t most[] = {1, 2, 3, 64, 65, 32768, MOST};
    (void)state;
    for (size_t i = 0; i < sizeof most / sizeof most[0]; i++) {
        check(most[i], 1);
        check(most[i], 500);
        check(most[i], 4 * REPLIES_BLOCK * REPLIES_BLOCKS); /* turns of the lists of blocks */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_limits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
