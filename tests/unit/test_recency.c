/* The order in which ways were used, and tags that are replaced by it, against a plain list. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "mem/recency.h"
#include "mem/tags.h"

enum { MOST_WAYS = 1024, STEPS = 3000, SETS = 3 };

static const uint32_t ways_tried[] = {1, 2, 3, 8, 15, 16, 17, 32, 64, MOST_WAYS};

static uint32_t next(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* Moves item `at` of the list to the front. */
static void to_front(uint64_t *list, uint32_t at)
{
    uint64_t item = list[at];
    memmove(list + 1, list, at * sizeof *list);
    list[0] = item;
}

/* `list` has all ways, the most recently used first. */
static void check_order(const uint64_t *words, uint32_t ways, const uint64_t *list)
{
    uint32_t way = recency_oldest(words, ways);
    for (uint32_t i = ways; i-- > 0; way = recency_newer(words, ways, way))
        assert_int_equal(way, list[i]);
    assert_int_equal(way, RECENCY_NONE);
}

static void check_recency(uint32_t ways)
{
    static uint64_t words[(MOST_WAYS + 2) / 2 + 1], list[MOST_WAYS];
    const uint64_t behind = UINT64_C(0xABCDABCDABCDABCD);
    uint32_t seed = ways;
    words[recency_words(ways)] = behind;
    memset(words, 0, recency_words(ways) * sizeof words[0]);
    for (uint32_t i = 0; i < ways; i++)
        list[i] = i;
    check_order(words, ways, list);
    for (uint32_t step = 0; step < STEPS; step++) {
        /* The oldest, the newest, the one before that, any. */
        const uint32_t some[] = {ways - 1, 0, ways > 1, next(&seed) % ways};
        const uint32_t at = some[next(&seed) % 4];
        recency_renew(words, ways, (uint32_t)list[at]);
        to_front(list, at);
        assert_int_equal(recency_oldest(words, ways), list[ways - 1]);
        assert_int_equal(recency_newer(words, ways, (uint32_t)list[0]), RECENCY_NONE);
        if (ways <= 64 || step % 64 == 0)
            check_order(words, ways, list);
    }
    assert_int_equal(words[recency_words(ways)], behind);
}

static void test_recency(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof ways_tried / sizeof ways_tried[0]; i++)
        check_recency(ways_tried[i]);
}

/* The lines of a set, the most recently used first; EMPTY: no line. */
#define EMPTY UINT64_MAX
static struct {
    uint64_t line[MOST_WAYS];
    uint64_t note[MOST_WAYS * 2 + 1]; /* of each line, as long as it stays */
} sets[SETS];

static void take_line(struct tags *tags, uint32_t set, uint64_t line, bool notes)
{
    uint64_t *list = sets[set].line, evicted;
    uint32_t at = 0;
    while (at < tags->ways && list[at] != line)
        at++;
    const uint32_t found = tags_find(tags, set, line);
    assert_int_equal(found != TAGS_NONE, at < tags->ways);
    const uint32_t way = tags_take(tags, set, line, &evicted);
    assert_true(way < tags->ways);
    assert_int_equal(tags_line(*tags_entry(tags, set, way)), line);
    if (found == TAGS_NONE) {
        at = tags->ways - 1;
        assert_int_equal(evicted == TAGS_EMPTY, list[at] == EMPTY);
        if (list[at] != EMPTY)
            assert_int_equal(tags_line(evicted), list[at]);
        assert_int_equal(tags_valid(*tags_entry(tags, set, way)), 0);
    } else {
        assert_int_equal(way, found);
        assert_int_equal(evicted, TAGS_EMPTY);
        if (notes)
            assert_int_equal(*tags_note(tags, set, way), sets[set].note[line]);
    }
    list[at] = line;
    to_front(list, at);
}

static void check_tags(uint32_t ways, bool notes)
{
    struct arena arena = {0};
    struct tags tags;
    uint32_t seed = ways;
    assert_true(tags_init(&tags, &arena, SETS, ways, notes));
    memset(sets, 0xFF, sizeof sets);
    for (uint32_t step = 0; step < 2 * STEPS; step++) {
        const uint32_t set = next(&seed) % SETS;
        const uint64_t line = next(&seed) % (2 * ways + 1);
        if (step == STEPS) {
            tags_clear(&tags);
            memset(sets, 0xFF, sizeof sets);
        }
        take_line(&tags, set, line, notes);
        if (notes)
            *tags_note(&tags, set, tags_find(&tags, set, line)) = sets[set].note[line] = step;
        *tags_entry(&tags, set, tags_find(&tags, set, line)) |= 1 + step % 15;
    }
    arena_free(&arena);
}

static void test_tags(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof ways_tried / sizeof ways_tried[0]; i++) {
        check_tags(ways_tried[i], false);
        check_tags(ways_tried[i], true);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_recency), cmocka_unit_test(test_tags)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
