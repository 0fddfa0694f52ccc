/* Pages: what their data decodes to, and that nothing from a file gets out of its place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "html/html.h"
#include "html/markup.h"
#include "html/pack.h"
#include "html/recolour.h"
#include "model/op.h"
#include "report/metrics.h"
#include "viz_fixture.h"

static const char path[] = "test_viz_html.tmp.smtl";

static uint64_t take(const uint8_t **at, const uint8_t *end)
{
    uint64_t value;
    *at = bytes_take_varint(*at, end, &value);
    assert_non_null(*at);
    return value;
}

struct head {
    uint64_t kind, shift, begin, cycles, slots;
};

static struct head take_head(const uint8_t **at, const uint8_t *end)
{
    struct head head;
    uint64_t *const fields[] = {&head.kind, &head.shift, &head.begin, &head.cycles, &head.slots};
    for (size_t i = 0; i < 5; i++)
        *fields[i] = take(at, end);
    return head;
}

/* ---- Exact: every cycle ---- */

static void expect_warps(const struct history_slot *slot, const uint8_t **at, const uint8_t *end)
{
    uint64_t cycle = 0;
    uint32_t known = 0;
    for (uint64_t left = take(at, end); left; left--, known++) {
        cycle += take(at, end);
        while (known < slot->warp_count && !slot->warps[known].started)
            known++;
        assert_true(known < slot->warp_count);
        assert_int_equal(cycle, slot->warps[known].cycle);
        assert_int_equal(take(at, end), slot->warps[known].block);
        assert_int_equal(take(at, end), slot->warps[known].warp);
    }
    assert_int_equal(known, slot->warp_count);
}

/* The instruction that a warp has at its head: where it issues, the one that it issues. */
static uint32_t pc_at(const struct history *history, uint32_t slot, uint64_t cycle)
{
    uint32_t issue = history_issues_until(history, slot, cycle);
    const struct timeline_issue *last = &history->slot[slot].issues[issue - 1];
    if (issue && last->cycle == cycle)
        return last->pc;
    return history_span_at(history, slot, cycle)->pc;
}

static void expect_spans(const struct run *run, const struct history *history, uint32_t slot,
                         const uint8_t **at, const uint8_t *end, const struct head *head)
{
    uint64_t cycle = head->begin;
    uint32_t expected = 0;
    for (uint64_t left = take(at, end); left; left--) {
        uint64_t code = take(at, end);
        uint64_t length = code >> 6;
        uint32_t state = code & 31;
        int64_t jump = code & 32 ? bytes_unzigzag(take(at, end)) : 0;
        uint32_t pc = (uint32_t)(expected + jump);
        bool issues = state == SIMSM_STATE_ISSUED;
        for (uint64_t i = 0; i < length; i++, cycle++) {
            const struct timeline_span *span = history_span_at(history, slot, cycle);
            assert_int_equal(state, run_known_state(run, span->state));
            if (state != SIMSM_STATE_EMPTY && state != SIMSM_STATE_EXITED)
                assert_int_equal(pc + (issues ? (uint32_t)i : 0), pc_at(history, slot, cycle));
        }
        expected = pc + (issues ? (uint32_t)length : 0);
    }
    assert_int_equal(cycle, head->begin + head->cycles);
}

/* Each memory instruction with its answer, as the explanations find it. */
static void expect_flights(const struct history *history, uint32_t slot, const uint8_t **at,
                           const uint8_t *end)
{
    uint64_t cycle = 0;
    uint64_t left = take(at, end);
    for (uint32_t i = 0; i < history->slot[slot].issue_count; i++) {
        const struct timeline_issue *issue = &history->slot[slot].issues[i];
        if (!op_is_memory(history_op(history, issue->pc)))
            continue;
        struct history_flight flight = history_flight_of(history, slot, i);
        assert_true(left-- > 0);
        cycle += take(at, end);
        assert_int_equal(cycle, issue->cycle);
        uint64_t answer = take(at, end);
        if (flight.done == HISTORY_NEVER)
            assert_int_equal(answer, 0);
        else
            assert_int_equal(answer, (flight.done - cycle) * 4 + flight.level);
    }
    assert_int_equal(left, 0);
}

static void packs_every_cycle(void **state)
{
    (void)state;
    struct simsm_error error;
    viz_simulate(path, "configs/t4.yaml", "traces/divergent.trace", NULL);
    struct run *run = viz_open(path);
    struct byte_buffer bytes = {0};
    struct history history;
    uint32_t shift = 99;
    assert_int_equal(pack_sm(run, 3, SIZE_MAX, &bytes, &shift, &error), SIMSM_OK);
    assert_int_equal(shift, 0);
    assert_int_equal(history_load(&history, run_reader(run), 3, 0, UINT64_MAX, &error), SIMSM_OK);
    const uint8_t *at = bytes.data;
    const uint8_t *end = bytes.data + bytes.size;
    struct head head = take_head(&at, end);
    assert_int_equal(head.kind, 0);
    assert_int_equal(head.begin, history.begin);
    assert_int_equal(head.cycles, history.end - history.begin);
    assert_int_equal(head.slots, run_info(run)->slots);
    for (uint32_t slot = 0; slot < head.slots; slot++) {
        expect_warps(&history.slot[slot], &at, end);
        expect_spans(run, &history, slot, &at, end, &head);
        expect_flights(&history, slot, &at, end);
    }
    assert_ptr_equal(at, end);
    history_free(&history);
    buffer_free(&bytes);
    run_close(run);
}

/* The statistics in the file have the same sums as those of the run. */
static void keeps_the_statistics(void **state)
{
    (void)state;
    struct run *run = viz_open(path);
    const struct simsm_stats *stats = run_info(run)->stats;
    assert_non_null(stats);
    uint64_t issues = 0, waits = 0, lanes = 0;
    for (uint32_t i = 0; i < stats->line_count; i++) {
        issues += stats->lines[i].issues;
        for (unsigned s = SIMSM_STATE_ISSUED; s < SIMSM_STATE_COUNT; s++)
            waits += stats->lines[i].states[s];
    }
    for (unsigned n = 0; n <= SIMSM_WARP_LANES; n++)
        lanes += stats->lanes[n];
    assert_int_equal(issues, stats->counter[SIMSM_COUNTER_INST_EXECUTED]);
    assert_int_equal(lanes, issues);
    assert_int_equal(waits, metrics_resident_cycles(stats));
    const struct simsm_gap *gap = &stats->gap;
    assert_true(gap->alive > 0);
    assert_int_equal(gap->capacity, gap->alive + gap->within_blocks + gap->refill +
                                        gap->few_blocks + gap->partial_wave + gap->across_blocks);
    assert_int_equal(stats->blocks_done, 320);
    assert_true(stats->block_cycles_min > 0 && stats->launch_cycles == 1525);
    run_close(run);
}

/* ---- Buckets ---- */

static void expect_bucket(const struct run *run, const struct history *history, uint32_t slot,
                          uint64_t from, uint64_t to, uint32_t cell)
{
    uint64_t time[SIMSM_STATE_COUNT] = {0};
    from = from < history->begin ? history->begin : from;
    to = to > history->end ? history->end : to;
    for (uint64_t cycle = from; cycle < to; cycle++)
        time[run_known_state(run, history_span_at(history, slot, cycle)->state)]++;
    double whole = (double)(to - from);
    double main = 127.0 * (double)time[cell & 31] / whole;
    double second = 127.0 * (double)time[cell >> 5 & 31] / whole;
    double issued = 127.0 * (double)time[SIMSM_STATE_ISSUED] / whole;
    assert_true(fabs(main - (cell >> 10 & 127)) <= 1.5);
    assert_true(!(cell >> 17 & 127) || fabs(second - (cell >> 17 & 127)) <= 1.5);
    assert_true(fabs(issued - (cell >> 24 & 127)) <= 1.5);
    for (uint32_t s = 0; s < SIMSM_STATE_COUNT; s++)
        assert_true(time[s] <= time[cell & 31]);
}

static void packs_buckets_where_room_is_short(void **state)
{
    (void)state;
    enum { ROOM = 6000 };
    struct simsm_error error;
    struct run *run = viz_open(path);
    struct byte_buffer bytes = {0};
    struct history history;
    uint32_t shift = 0;
    assert_int_equal(pack_sm(run, 3, ROOM, &bytes, &shift, &error), SIMSM_OK);
    assert_in_range(bytes.size, ROOM / 8, ROOM);
    assert_int_equal(history_load(&history, run_reader(run), 3, 0, UINT64_MAX, &error), SIMSM_OK);
    const uint8_t *at = bytes.data;
    const uint8_t *end = bytes.data + bytes.size;
    struct head head = take_head(&at, end);
    assert_int_equal(head.kind, 1);
    assert_int_equal(head.shift, shift);
    uint64_t buckets = (head.begin + head.cycles - 1) / (1u << shift) + 1;
    for (uint32_t slot = 0; slot < head.slots; slot++) {
        uint64_t bucket = head.begin >> shift;
        for (uint64_t runs = take(&at, end); runs; runs--) {
            uint64_t count = take(&at, end);
            uint32_t cell = bytes_get_u32(at);
            at += 4;
            for (; count; count--, bucket++)
                expect_bucket(run, &history, slot, bucket << shift, (bucket + 1) << shift, cell);
        }
        assert_int_equal(bucket, buckets);
    }
    assert_ptr_equal(at, end);
    history_free(&history);
    buffer_free(&bytes);
    run_close(run);
}

/* ---- Texts ---- */

static char *written(void (*write)(FILE *file, const char *text), const char *text)
{
    char *result;
    size_t size;
    FILE *file = open_memstream(&result, &size);
    write(file, text);
    assert_int_equal(fclose(file), 0);
    return result;
}

static void texts_stay_in_their_place(void **state)
{
    (void)state;
    static const char hostile[] = "</script><b a='1' c=\"2\">&\\\x1b\xff\n\xc3\xa9";
    char *text = written(markup_text, hostile);
    assert_string_equal(text, "&lt;/script&gt;&lt;b a=&#39;1&#39; c=&quot;2&quot;&gt;&amp;\\???é");
    free(text);
    text = written(markup_json, hostile);
    assert_string_equal(text, "\"\\u003c/script\\u003e\\u003cb a='1' "
                              "c=\\u00222\\u0022\\u003e\\u0026\\u005c???é\"");
    free(text);
}

static void base64_of(const char *text, const char *wanted)
{
    char *result;
    size_t size;
    FILE *file = open_memstream(&result, &size);
    markup_base64(file, (const uint8_t *)text, strlen(text));
    assert_int_equal(fclose(file), 0);
    assert_string_equal(result, wanted);
    free(result);
}

static void writes_base64(void **state)
{
    (void)state;
    base64_of("", ""); /* RFC 4648, section 10 */
    base64_of("f", "Zg==");
    base64_of("fo", "Zm8=");
    base64_of("foo", "Zm9v");
    base64_of("foobar", "Zm9vYmFy");
}

static void recoloured(const char *light, const char *dark, const char *wanted,
                       const char *wanted_dark)
{
    struct recolour colours = {.count = 0};
    char *result;
    size_t size;
    FILE *file = open_memstream(&result, &size);
    recolour_write(&colours, light, dark, "p-", file);
    fputc('|', file);
    recolour_variables(&colours, true, file);
    assert_int_equal(fclose(file), 0);
    char *bar = strchr(result, '|');
    *bar = '\0';
    assert_string_equal(result, wanted);
    assert_string_equal(bar + 1, wanted_dark);
    free(result);
}

static void one_picture_serves_two_themes(void **state)
{
    (void)state;
    recoloured("<svg><g clip-path=\"url(#c0)\"/><a id=\"c0\" fill=\"#ffffff\"/>"
               "<b fill=\"#ffffff\" stroke=\"#102030\"/> fill=\"#ffffff\" id=\"x</svg>",
               "<svg><g clip-path=\"url(#c0)\"/><a id=\"c0\" fill=\"#000000\"/>"
               "<b fill=\"#000000\" stroke=\"#102030\"/> fill=\"#ffffff\" id=\"x</svg>",
               "<svg><g clip-path=\"url(#p-c0)\"/><a id=\"p-c0\" fill=\"var(--c0)\"/>"
               "<b fill=\"var(--c0)\" stroke=\"var(--c1)\"/> fill=\"#ffffff\" id=\"x</svg>",
               "--c0:#000000;--c1:#102030;");
    /* Pictures that differ in more than colours: the light one. Its pairs are told apart. */
    recoloured("<svg><a fill=\"#ffffff\"/></svg>", "<svg><b fill=\"#000000\"/></svg>",
               "<svg><a fill=\"var(--c0)\"/></svg>", "--c0:#ffffff;");
}

/* ---- The page ---- */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Collects all texts between `mark` and `end` in `text`, sorted. Returns their number. */
static size_t all_behind(const char *text, const char *mark, char end, char **found, size_t room)
{
    size_t count = 0;
    for (const char *at = strstr(text, mark); at && count < room; at = strstr(at + 1, mark)) {
        const char *begin = at + strlen(mark);
        found[count++] = strndup(begin, (size_t)(strchr(begin, end) - begin));
    }
    qsort(found, count, sizeof *found, by_text);
    return count;
}

static void free_all(char **texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(texts[i]);
}

static void names_of_a_page_are_its_own(void **state)
{
    (void)state;
    enum { ROOM = 20000 };
    static char *ids[ROOM], *uses[ROOM];
    struct simsm_error error;
    struct run *run = viz_open(path);
    char *page;
    size_t size;
    FILE *file = open_memstream(&page, &size);
    assert_int_equal(html_write(run, NULL, NULL, file, &error), SIMSM_OK);
    assert_int_equal(fclose(file), 0);
    size_t id_count = all_behind(page, " id=\"", '"', ids, ROOM);
    size_t use_count = all_behind(page, "url(#", ')', uses, ROOM);
    assert_in_range(id_count, 30, ROOM - 1);
    assert_in_range(use_count, 10, ROOM - 1);
    for (size_t i = 1; i < id_count; i++)
        assert_string_not_equal(ids[i - 1], ids[i]);
    for (size_t i = 0; i < use_count; i++)
        assert_non_null(bsearch(&uses[i], ids, id_count, sizeof *ids, by_text));
    assert_null(strstr(page, "http-equiv=\"refresh\""));
    assert_null(strstr(page, " src=")); /* no other file */
    assert_null(strstr(page, " href="));
    free_all(ids, id_count);
    free_all(uses, use_count);
    free(page);
    run_close(run);
    (void)unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packs_every_cycle),
        cmocka_unit_test(keeps_the_statistics),
        cmocka_unit_test(packs_buckets_where_room_is_short),
        cmocka_unit_test(texts_stay_in_their_place),
        cmocka_unit_test(writes_base64),
        cmocka_unit_test(one_picture_serves_two_themes),
        cmocka_unit_test(names_of_a_page_are_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
