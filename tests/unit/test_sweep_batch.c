/* Files through which machines with a shared folder work together: lists of tasks, and results
 * of points. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "sweep/batch.h"
#include "sweep/fragment.h"

static const char first[HASH_TEXT] =
    "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
static const char second[HASH_TEXT] =
    "ff112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

static char folder[] = "/tmp/test_sweep_batch.XXXXXX";

static void path_of(const char *identity, char path[160])
{
    (void)snprintf(path, 160, "%s/%s.point", folder, identity);
}

static struct fragment *some_fragment(void)
{
    struct fragment *f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->seconds = 0.1;
    f->outcome.wall_seconds = 1.0 / 3;
    f->outcome.peak_bytes = UINT64_C(123456789012);
    (void)snprintf(f->outcome.kernel, sizeof f->outcome.kernel, "a \"kernel\" <T>");
    for (unsigned i = 0; i < SIMSM_COUNTER_COUNT; i++)
        f->outcome.counter[i] = (UINT64_C(1) << 62) - i;
    for (unsigned i = 0; i < METRIC_COUNT; i++)
        f->outcome.metric[i] = i % 5 == 3 ? NAN : 1e-3 / (i + 1);
    for (uint32_t i = 0; i < 3; i++) {
        f->outcome.grid[i] = UINT32_MAX - i;
        f->outcome.block[i] = i + 1;
    }
    return f;
}

#define SAME(a, b) assert_memory_equal(&(a), &(b), sizeof(a))

/* To the bit, so that figures do not depend on where a point was run. */
static void test_round_trip(void **state)
{
    (void)state;
    struct fragment *f = some_fragment(), *back = calloc(1, sizeof *back);
    struct simsm_error error = {.message = ""};
    assert_int_equal(fragment_write(folder, first, f, &error), SIMSM_OK);
    assert_true(fragment_exists(folder, first));
    assert_int_equal(fragment_read(folder, first, back, &error), SIMSM_OK);
    SAME(f->outcome.counter, back->outcome.counter);
    SAME(f->outcome.grid, back->outcome.grid);
    SAME(f->outcome.block, back->outcome.block);
    SAME(f->seconds, back->seconds);
    SAME(f->outcome.wall_seconds, back->outcome.wall_seconds);
    SAME(f->outcome.peak_bytes, back->outcome.peak_bytes);
    assert_string_equal(f->outcome.kernel, back->outcome.kernel);
    assert_string_equal(back->reason, "");
    for (unsigned i = 0; i < METRIC_COUNT; i++) {
        assert_int_equal(isnan(f->outcome.metric[i]) != 0, isnan(back->outcome.metric[i]) != 0);
        if (!isnan(f->outcome.metric[i]))
            SAME(f->outcome.metric[i], back->outcome.metric[i]);
    }
    (void)snprintf(f->reason, sizeof f->reason, "crashed:\n\"signal\" 11");
    assert_int_equal(fragment_write(folder, first, f, &error), SIMSM_OK);
    assert_int_equal(fragment_read(folder, first, back, &error), SIMSM_OK);
    assert_string_equal(f->reason, back->reason);
    fragment_remove(folder, first);
    assert_false(fragment_exists(folder, first));
    free(f);
    free(back);
}

/* Cut short anywhere, of another point, or of one that was done but lacks counters. */
static void test_damage(void **state)
{
    (void)state;
    struct fragment *f = some_fragment(), *back = calloc(1, sizeof *back);
    struct simsm_error error = {.message = ""};
    char path[160], other[160];
    path_of(first, path);
    path_of(second, other);
    assert_int_equal(fragment_write(folder, first, f, &error), SIMSM_OK);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char text[1 << 16];
    const size_t size = fread(text, 1, sizeof text, file);
    (void)fclose(file);
    assert_in_range(size, 1000, sizeof text - 1);
    for (size_t cut = 0; cut < size; cut += cut % 97 + 1) {
        file = fopen(path, "wb");
        (void)fwrite(text, 1, cut, file);
        (void)fclose(file);
        assert_int_equal(fragment_read(folder, first, back, &error), SIMSM_BAD_INPUT);
    }
    assert_int_equal(fragment_write(folder, first, f, &error), SIMSM_OK);
    assert_int_equal(rename(path, other), 0);
    assert_int_equal(fragment_read(folder, second, back, &error), SIMSM_BAD_INPUT);
    assert_non_null(strstr(error.message, "damaged"));
    text[size] = '\0';
    char *counter = strstr(text, simsm_counters[SIMSM_COUNTER_COUNT - 1].name);
    assert_non_null(counter);
    counter[0] = '?';
    file = fopen(path, "wb");
    (void)fwrite(text, 1, size, file);
    (void)fclose(file);
    assert_int_equal(fragment_read(folder, first, back, &error), SIMSM_BAD_INPUT);
    (void)unlink(path);
    (void)unlink(other);
    free(f);
    free(back);
}

static void test_names(void **state)
{
    (void)state;
    char identity[HASH_TEXT], name[160];
    (void)snprintf(name, sizeof name, "%s.point", first);
    assert_true(fragment_name(name, identity));
    assert_string_equal(identity, first);
    (void)snprintf(name, sizeof name, "%s.point.77.part", first);
    assert_false(fragment_name(name, identity));
    assert_false(fragment_name("1.tasks", identity));
    assert_false(fragment_name("..", identity));
}

/* Each point is in one task; numbers of batches are not used twice. */
static void test_batch(void **state)
{
    (void)state;
    struct sweep_batch batch = {.tasks = 4}, next = {.tasks = 1}, read = {0};
    struct simsm_error error = {.message = ""};
    for (uint32_t i = 0; i < 10; i++) {
        struct batch_point point = {.number = UINT64_C(1) << i, .launch = i};
        memcpy(point.identity, i % 2 ? first : second, sizeof point.identity);
        assert_true(batch_add(&batch, &point));
    }
    assert_int_equal(batch_write(&batch, folder, &error), SIMSM_OK);
    assert_true(batch_add(&next, &batch.point[0]));
    assert_int_equal(batch_write(&next, folder, &error), SIMSM_OK);
    assert_int_equal(batch.number, 1);
    assert_int_equal(next.number, 2);
    uint32_t seen = 0;
    for (uint32_t task = 1; task <= 4; task++) {
        char name[16];
        (void)snprintf(name, sizeof name, "1.%u", task);
        assert_int_equal(batch_read(&read, folder, name, &error), SIMSM_OK);
        for (uint32_t i = 0; i < read.count; i++) {
            const uint32_t launch = read.point[i].launch;
            seen |= 1u << launch;
            assert_int_equal(read.point[i].number, UINT64_C(1) << launch);
            assert_string_equal(read.point[i].identity, launch % 2 ? first : second);
        }
        assert_in_range(read.count, 2, 3);
        batch_free(&read);
    }
    assert_int_equal(seen, (1u << 10) - 1);
    static const char *const wrong[] = {"1.5", "1.0", "3.1", "1", "1.1x", "", "a.b"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(batch_read(&read, folder, wrong[i], &error), SIMSM_BAD_INPUT);
        batch_free(&read);
    }
    batch_free(&batch);
    batch_free(&next);
    for (int i = 1; i <= 2; i++) {
        char path[160];
        (void)snprintf(path, sizeof path, "%s/%d.tasks", folder, i);
        assert_int_equal(unlink(path), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_batch),
    };
    if (!mkdtemp(folder))
        return 1;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    (void)rmdir(folder);
    return failed;
}
