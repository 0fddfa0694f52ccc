/* The overview of the whole GPU: written and read again; damaged; asked by the viewer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "timeline/timeline_overview.h"
#include "viz_fixture.h"

enum { SMS = 5, MOST = 4000 };

struct stay {
    uint64_t start, end;
    uint32_t block, sm, place;
};

/* Blocks in random places one after another; returns their number. The last ones stay open. */
static uint32_t place_blocks(struct overview *overview, struct stay *stays, uint64_t seed)
{
    uint32_t open[SMS][4] = {{0}}, count = 0;
    uint64_t now = 0;
    while (count < MOST) {
        uint32_t sm = fake_random(&seed) % SMS, place = fake_random(&seed) % 4;
        now += 1 + fake_random(&seed) % 50;
        uint32_t at = open[sm][place];
        struct simsm_event event = {.cycle = now, .sub = (uint8_t)place};
        if (at) {
            event.kind = SIMSM_EVENT_BLOCK_END;
            event.arg = stays[at - 1].block;
            stays[at - 1].end = now;
            open[sm][place] = 0;
        } else {
            event.kind = SIMSM_EVENT_BLOCK_START;
            event.arg = fake_random(&seed);
            stays[count] = (struct stay){now, UINT64_MAX, event.arg, sm, place};
            open[sm][place] = ++count;
        }
        overview_event(overview, sm, &event);
    }
    return count;
}

static struct smtl_cursor cursor_of(const struct byte_buffer *payload, size_t size)
{
    return (struct smtl_cursor){.at = payload->data, .end = payload->data + size};
}

static void write_all(struct byte_buffer *payload, struct stay *stays, uint32_t samples)
{
    struct overview overview;
    uint64_t counters[SIMSM_COUNTER_COUNT] = {0};
    assert_true(overview_init(&overview, SMS));
    (void)place_blocks(&overview, stays, 17);
    for (uint32_t i = 0; i < samples; i++) {
        for (uint32_t k = 0; k < SIMSM_COUNTER_COUNT; k++)
            counters[k] += (i * 31 + k * 7) % 100;
        overview_sample(&overview, (uint64_t)(i + 1) * 64, counters);
    }
    overview_payload(&overview, payload);
    overview_free(&overview);
}

static const struct overview_block *find(const struct overview_view *view, const struct stay *stay)
{
    for (uint32_t i = 0; i < view->block_count; i++)
        if (view->blocks[i].sm == stay->sm && view->blocks[i].place == stay->place &&
            view->blocks[i].start == stay->start && view->blocks[i].block == stay->block &&
            view->blocks[i].end == stay->end)
            return &view->blocks[i];
    return NULL;
}

static void test_round_trip(void **state)
{
    (void)state;
    static struct stay stays[MOST];
    struct byte_buffer payload = {0};
    struct overview_data data;
    write_all(&payload, stays, 100);
    assert_null(overview_read(&data, cursor_of(&payload, payload.size), SMS));
    assert_int_equal(data.view.block_count, MOST);
    assert_false(data.view.cut);
    for (uint32_t i = 0; i < MOST; i += 7)
        assert_non_null(find(&data.view, &stays[i]));
    assert_int_equal(data.view.rows, 100);
    assert_in_range(data.view.columns, 20, SIMSM_COUNTER_COUNT - 1);
    for (uint32_t column = 0; column < data.view.columns; column++) {
        uint64_t sum = 0;
        uint32_t k = 0;
        while (strcmp(simsm_counters[k].name, data.view.names[column]) != 0)
            assert_true(++k < SIMSM_COUNTER_COUNT);
        assert_int_not_equal(k, SIMSM_COUNTER_SM_CYCLES_ACTIVE); /* a counter of time */
        for (uint32_t i = 0; i < 100; i++) {
            sum += (i * 31 + k * 7) % 100;
            assert_int_equal(data.view.cycle[i], (i + 1) * 64);
            assert_int_equal(data.view.values[i * data.view.columns + column], sum);
        }
    }
    overview_data_free(&data);
    buffer_free(&payload);
}

/* More samples than are kept: every other one goes, the last one stays about. */
static void test_many_samples(void **state)
{
    (void)state;
    static struct stay stays[MOST];
    struct byte_buffer payload = {0};
    struct overview_data data;
    write_all(&payload, stays, 3 * OVERVIEW_ROWS);
    assert_null(overview_read(&data, cursor_of(&payload, payload.size), SMS));
    assert_in_range(data.view.rows, OVERVIEW_ROWS / 4, OVERVIEW_ROWS);
    for (uint32_t i = 1; i < data.view.rows; i++)
        assert_true(data.view.cycle[i] > data.view.cycle[i - 1]);
    assert_true(data.view.cycle[data.view.rows - 1] > 64 * 3 * OVERVIEW_ROWS * 9 / 10);
    overview_data_free(&data);
    buffer_free(&payload);
}

/* Cut anywhere, changed anywhere: a reason or a view that holds together. */
static void test_damage(void **state)
{
    (void)state;
    static struct stay stays[MOST];
    struct byte_buffer payload = {0};
    uint64_t seed = 5;
    write_all(&payload, stays, 20);
    for (int i = 0; i < 400; i++) {
        size_t size = i % 2 ? payload.size : fake_random(&seed) % payload.size;
        uint8_t *copy = malloc(size ? size : 1); /* so that a read past the end is seen */
        memcpy(copy, payload.data, size);
        for (int k = 0; i % 2 && k < 1 + i % 5; k++)
            copy[fake_random(&seed) % (i % 4 == 1 ? 64 : size)] = (uint8_t)fake_random(&seed);
        struct overview_data data;
        const char *wrong =
            overview_read(&data, (struct smtl_cursor){.at = copy, .end = copy + size}, SMS);
        assert_true(i % 2 || wrong); /* what is cut off is never whole */
        if (wrong) {
            assert_true(wrong[0]);
        } else {
            for (uint32_t k = 0; k < data.view.block_count; k++)
                assert_true(data.view.blocks[k].sm < SMS);
            for (uint32_t k = 1; k < data.view.rows; k++)
                assert_true(data.view.cycle[k] >= data.view.cycle[k - 1]);
            overview_data_free(&data);
        }
        free(copy);
    }
    buffer_free(&payload);
}

/* The overview of a real run has all blocks of all SMs, although only some cycles of one SM are
 * recorded. Counters only grow. */
static void test_of_a_run(void **state)
{
    (void)state;
    static const char path[] = "test_viz_overview.tmp.smtl";
    const uint32_t sm = 3;
    const struct timeline_options part = {.sm = &sm, .sm_count = 1, .from = 3000, .to = 6000};
    viz_simulate_part(path, "configs/t4.yaml", "traces/lessons/waves.trace", NULL, &part);
    struct run *run = viz_open(path);
    const struct timeline_info *info = run_info(run);
    const struct overview_view *overview = run_overview(run);
    assert_non_null(overview);
    struct simsm_error error;
    uint32_t count;
    bool all;
    const struct run_block *blocks = run_blocks(run, &count, &all, &error);
    assert_non_null(blocks);
    assert_true(all);
    for (uint32_t i = 0; i < count; i++)
        assert_true(blocks[i].end != UINT64_MAX); /* the kernel ran to its end */
    assert_int_equal(count, info->launch.grid[0] * info->launch.grid[1] * info->launch.grid[2]);
    for (uint32_t i = 0; i < info->counter_count; i++) {
        double before = 0;
        for (double at = 0; at <= (double)run_end(run); at += (double)run_end(run) / 37) {
            double now = run_counter_at(run, run_counter_column(run, info->counters[i].name), at);
            assert_true(isnan(now) || now >= before);
            before = isnan(now) ? before : now;
        }
        double end = run_counter_at(run, run_counter_column(run, info->counters[i].name),
                                    (double)run_end(run));
        assert_true(isnan(end) || end <= (double)info->counters[i].value);
    }
    assert_true(run_counter_at(run, run_counter_column(run, "smsp__inst_executed.sum"),
                               (double)run_end(run)) > 0);
    run_close(run);
    (void)unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_many_samples),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_of_a_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
