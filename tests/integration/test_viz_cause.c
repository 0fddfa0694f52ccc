/* The causes from which the timeline draws arrows, and the source lines of instructions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "timeline/explain.h"
#include "viz_fixture.h"

enum { CYCLES = 12000 };

/* The issue of `slot` at exactly `cycle`. */
static const struct timeline_issue *issue_at(const struct history *history, uint32_t slot,
                                             uint64_t cycle)
{
    uint32_t n = history_issues_until(history, slot, cycle);
    const struct timeline_issue *issue = n ? &history->slot[slot].issues[n - 1] : NULL;
    return issue && issue->cycle == cycle ? issue : NULL;
}

/* Another warp of the block issues a barrier instruction at the end of the wait. */
static void check_barrier(const struct history *history, uint32_t slot,
                          const struct timeline_span *span, const struct explain_link *link)
{
    const struct timeline_issue *issue = issue_at(history, link->slot, link->cycle);
    assert_true(link->slot != slot && issue);
    assert_int_equal(history_op(history, issue->pc), SIMSM_OP_BARRIER);
    assert_true(link->cycle < span->to);
    assert_int_equal(history_warp_at(history, link->slot, link->cycle)->block,
                     history_warp_at(history, slot, span->from)->block);
}

/* Every wait for data begins at an earlier issue of the same slot, which its text names. */
static void test_waits_have_a_producer(void **state)
{
    (void)state;
    static const char path[] = "test_viz_cause.smtl";
    struct simsm_error error;
    const struct history *history;
    uint32_t linked = 0, barriers = 0;
    viz_simulate(path, "configs/teaching.yaml", "traces/divergent.trace", NULL);
    struct run *run = viz_open(path);
    struct track *track = run_track(run, 0, UINT32_MAX, &error);
    assert_int_equal(track_history(track, 0, CYCLES, &history, &error), SIMSM_OK);
    for (uint32_t slot = 0; slot < history->info->slots; slot++)
        for (uint32_t i = 0; i < history->slot[slot].span_count; i++) {
            const struct timeline_span *span = &history->slot[slot].spans[i];
            struct explain_link link;
            uint32_t known = history_state(history, span);
            bool found = explain_link(history, slot, span->from, &link);
            if (known == SIMSM_STATE_EMPTY || known == SIMSM_STATE_ISSUED)
                assert_false(found);
            if (known == SIMSM_STATE_BARRIER && found) {
                check_barrier(history, slot, span, &link);
                barriers++;
            }
            if (known != SIMSM_STATE_LONG_SCOREBOARD || !found)
                continue;
            const struct timeline_issue *issue = issue_at(history, slot, link.cycle);
            assert_int_equal(link.slot, slot);
            assert_true(issue && link.cycle < span->from && link.done >= span->from);
            assert_non_null(strstr(link.text, history_line(history, issue->pc)->text));
            linked++;
        }
    assert_true(linked > 10 && barriers > 10);
    run_close(run);
    (void)remove(path);
}

static void write_timeline(const char *path, const char *const *source)
{
    struct simsm_error error;
    struct simsm_config config;
    struct timeline *timeline;
    struct front front;
    static struct simsm_stats stats;
    const struct simsm_occupancy occupancy = {0};
    viz_need(simsm_config_load(&config, "configs/teaching.yaml", &error) == SIMSM_OK, &error);
    fake_front(&front);
    front.source = source;
    const struct timeline_about about = {
        .command_line = "", .front = &front, .occupancy = &occupancy};
    viz_need(timeline_create(&timeline, path, &config, NULL, &error) == SIMSM_OK, &error);
    viz_need(timeline_describe(timeline, &about, &error) == SIMSM_OK, &error);
    viz_need(timeline_finish(timeline, &stats, &error) == SIMSM_OK, &error);
}

/* Files are named for each instruction; a line is found where its file lies beside the timeline. */
static void test_source_lines(void **state)
{
    (void)state;
    static const char path[] = "test_viz_source.smtl";
    struct front front;
    fake_front(&front);
    const char **source = calloc(front.code_size, sizeof *source);
    source[0] = "/no/such/folder/test_viz_source.cu";
    for (uint32_t i = 2; i < front.code_size; i++)
        source[i] = "/dev/zero"; /* no ordinary file: it would never end */
    FILE *text = fopen("test_viz_source.cu", "w");
    assert_non_null(text);
    for (uint32_t i = 1; i <= 200; i++)
        (void)fprintf(text, "line\t%u\n", i);
    (void)fclose(text);
    write_timeline(path, source);
    struct run *run = viz_open(path);
    const struct timeline_info *info = run_info(run);
    char expected[32];
    assert_string_equal(info->lines[0].file, source[0]);
    assert_null(info->lines[1].file);
    assert_null(run_source_line(run, 1));
    assert_null(run_source_line(run, 2));
    assert_null(run_source_line(run, info->line_count));
    (void)snprintf(expected, sizeof expected, "line %u", info->lines[0].line);
    assert_string_equal(run_source_line(run, 0), expected);
    run_close(run);
    free(source);
    (void)remove(path);
    (void)remove("test_viz_source.cu");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_waits_have_a_producer),
        cmocka_unit_test(test_source_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
