/* The sanitizer without machine code: accesses and events of made-up warps, and what it finds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sanitize/findings_write.h"
#include "sanitize/host_order.h"
#include "sanitize/sanitizer.h"

#define BASE UINT64_C(0x200000000000)
enum {
    SIZE = 1 << 20,
    WARPS = 4,
    SHARED = 4096,
    FULL = -1,
    DEVICE = 2,
    STREAM_A = 5,
    STREAM_B = 6
};

static struct sanitizer *san;
static struct sanitizer_block *block[2];

static void place(const void *module, const void *kernel, uint32_t at, struct finding_place *to)
{
    (void)module;
    (void)snprintf(to->kernel, sizeof to->kernel, "%s", (const char *)kernel);
    (void)snprintf(to->file, sizeof to->file, "made-up.cu");
    (void)snprintf(to->code, sizeof to->code, "instruction %u", at);
    to->line = at + 1;
}

static enum sanitizer_use uses(const void *module, const void *kernel, uint32_t at, uint32_t word)
{
    (void)module;
    (void)kernel;
    (void)word;
    return at == 77 ? USE_NONE : USE_COMPUTES; /* instruction 77 loads more than it needs */
}

static const struct host_stack *stack_of(void *context, uint32_t stack)
{
    static const struct host_stack stacks[] = {
        {2, {{"make", "made-up.cpp", "/bin/made-up", 7, 16, 4096}, {"main", "", "", 0, 32, 8192}}},
        {1, {{"main", "made-up.cpp", "/bin/made-up", 40, 16, 4096}}}};
    assert_null(context);
    return stack ? &stacks[stack - 1] : NULL;
}

static void begin_launch(uint64_t stream)
{
    const struct sanitizer_launch launch = {
        .kernel = "kernel", .number = 1, .block = {128, 1, 1}, .grid = {2, 1, 1}};
    sanitizer_begin(san, &launch, stream, false);
    for (uint64_t i = 0; i < 2; i++)
        sanitizer_block_begin(block[i], i);
}

static int begin(void **state)
{
    (void)state;
    san = sanitizer_create(BASE, SIZE, UINT64_MAX);
    assert_non_null(san);
    san->place = place;
    san->uses = uses;
    san->findings.stack_of = stack_of;
    for (int i = 0; i < 2; i++) {
        block[i] = sanitizer_block_create(san, WARPS, SHARED);
        assert_non_null(block[i]);
    }
    begin_launch(STREAM_LEGACY);
    return 0;
}

static int end(void **state)
{
    (void)state;
    sanitizer_block_destroy(block[0]);
    sanitizer_block_destroy(block[1]);
    sanitizer_destroy(san);
    return 0;
}

/* Lane `lane` of a warp accesses the word at `address`; instructions differ by `at`. */
static void access_word(struct sanitizer_warp *warp, bool shared, uint64_t address, bool writes,
                        uint8_t scope, uint32_t at, uint32_t lane)
{
    uint64_t addresses[SANITIZER_LANES] = {0};
    const struct sanitizer_access access = {.at = at,
                                            .lanes = UINT32_C(1) << lane,
                                            .bytes = 4,
                                            .kind = scope ? PAST_ATOMIC : PAST_PLAIN,
                                            .scope = scope,
                                            .reads = !writes,
                                            .writes = writes,
                                            .address = addresses};
    addresses[lane] = address;
    if (shared)
        sanitizer_shared(warp, warp->block, &access);
    else
        sanitizer_global(warp, &access);
}

static void write_shared(uint32_t warp, uint64_t address, uint32_t lane)
{
    access_word(&block[0]->warp[warp], true, address, true, 0, 1, lane);
}

static void read_shared(uint32_t warp, uint64_t address, uint32_t lane)
{
    access_word(&block[0]->warp[warp], true, address, false, 0, 2, lane);
}

static void write_global(uint32_t b, uint32_t warp, uint64_t offset)
{
    access_word(&block[b]->warp[warp], false, BASE + offset, true, 0, 3, 0);
}

static void read_global(uint32_t b, uint32_t warp, uint64_t offset)
{
    access_word(&block[b]->warp[warp], false, BASE + offset, false, 0, 4, 0);
}

/* Returns how many findings of a kind there are; the others of the list must be none. */
static uint64_t found(enum finding_kind kind)
{
    const struct finding *list = san->findings.list.data;
    uint64_t count = 0;
    for (size_t i = 0; i < san->findings.list.count; i++)
        count += list[i].kind == kind;
    return count;
}

static void races_of_warps_end_at_barriers(void **state)
{
    (void)state;
    write_shared(0, 64, 0);
    sanitizer_all_met(block[0]);
    read_shared(1, 64, 5);
    assert_int_equal(found(FINDING_RACE_SHARED), 0);
    write_shared(2, 64, 0); /* behind the read, without a barrier */
    assert_int_equal(found(FINDING_RACE_SHARED), 1);
    const struct finding *race = san->findings.list.data;
    assert_int_equal(race->place[0].thread[0], 64);
    assert_int_equal(race->place[1].thread[0], 37);
    assert_int_equal(race->place[1].line, 3);
}

static void lanes_meet_by_masks(void **state)
{
    (void)state;
    write_shared(0, 0, 1);
    sanitizer_lanes_met(&block[0]->warp[0], 0x3, UINT32_MAX);
    read_shared(0, 0, 0);
    assert_int_equal(found(FINDING_RACE_SHARED), 0);
    read_shared(0, 0, 2); /* not in the mask */
    assert_int_equal(found(FINDING_RACE_SHARED), 1);
}

static void a_chain_of_meetings_orders(void **state)
{
    (void)state;
    write_shared(0, 0, 0);
    sanitizer_lanes_met(&block[0]->warp[0], 0x3, UINT32_MAX);
    sanitizer_lanes_met(&block[0]->warp[0], 0x6, UINT32_MAX);
    read_shared(0, 0, 2);
    assert_int_equal(found(FINDING_RACE_SHARED), 0);
}

static void named_barriers_order_those_that_meet(void **state)
{
    (void)state;
    write_shared(0, 0, 0);
    sanitizer_release(&block[0]->warp[0], 100);
    sanitizer_acquire(&block[0]->warp[1], 100);
    read_shared(1, 0, 0);
    assert_int_equal(found(FINDING_RACE_SHARED), 0);
    read_shared(2, 0, 0);
    assert_int_equal(found(FINDING_RACE_SHARED), 1);
}

static void copies_are_there_when_their_group_is(void **state)
{
    (void)state;
    uint64_t address[SANITIZER_LANES] = {[3] = 128};
    const struct sanitizer_access copy = {.at = 9,
                                          .lanes = 1 << 3,
                                          .bytes = 4,
                                          .kind = PAST_COPIED,
                                          .writes = true,
                                          .address = address};
    sanitizer_shared(&block[0]->warp[0], block[0], &copy);
    sanitizer_group_close(&block[0]->warp[0]);
    sanitizer_group_wait(&block[0]->warp[0], 0);
    read_shared(0, 128, 3);
    assert_int_equal(found(FINDING_RACE_ASYNC), 0);
    address[3] = 256;
    sanitizer_shared(&block[0]->warp[0], block[0], &copy);
    sanitizer_group_close(&block[0]->warp[0]);
    sanitizer_group_wait(&block[0]->warp[0], 1); /* one may be under way */
    sanitizer_all_met(block[0]);
    read_shared(0, 256, 3);
    assert_int_equal(found(FINDING_RACE_ASYNC), 1);
}

/* One block writes data, then a flag; the other reads the flag, then the data. The scopes of the
 * fences between, 0: there is none. */
static void hand_over(uint8_t before, uint8_t behind)
{
    struct sanitizer_warp *from = &block[0]->warp[0], *to = &block[1]->warp[2];
    write_global(0, 0, 0);
    if (before)
        sanitizer_fence(from, before);
    const struct grid_event release = {.time = ++san->time,
                                       .object = 1,
                                       .block = 0,
                                       .own = from->fenced[DEVICE],
                                       .shared = from->fenced_synced[DEVICE]};
    access_word(from, false, BASE + 512, true, DEVICE, 5, 0);
    grid_order_release(&san->order, &release);
    access_word(to, false, BASE + 512, false, DEVICE, 6, 0);
    to->read[to->reads++] = (struct strong_read){1, ++san->time, DEVICE};
    if (behind)
        sanitizer_fence(to, behind);
    read_global(1, 2, 0);
}

static void flags_with_fences_order_blocks(void **state)
{
    (void)state;
    hand_over(DEVICE, DEVICE);
    assert_int_equal(found(FINDING_RACE_GLOBAL), 0);
    read_global(1, 3, 0); /* another warp, which has not met the one that has read the flag */
    assert_int_equal(found(FINDING_RACE_GLOBAL), 1);
}

static void flags_need_both_fences(void **state)
{
    (void)state;
    hand_over(DEVICE, 0);
    assert_int_equal(found(FINDING_RACE_GLOBAL), 1);
}

static void flags_need_a_fence_in_front(void **state)
{
    (void)state;
    hand_over(0, DEVICE);
    assert_int_equal(found(FINDING_RACE_GLOBAL), 1);
}

static void fences_of_a_block_release_nothing_to_others(void **state)
{
    (void)state;
    hand_over(1, DEVICE);
    assert_int_equal(found(FINDING_RACE_GLOBAL), 1);
}

static void fences_of_a_block_acquire_nothing_of_others(void **state)
{
    (void)state;
    hand_over(DEVICE, 1);
    assert_int_equal(found(FINDING_RACE_GLOBAL), 1);
}

static void atomics_reach_as_far_as_their_scope(void **state)
{
    (void)state;
    access_word(&block[0]->warp[0], false, BASE, true, DEVICE, 5, 0);
    access_word(&block[1]->warp[0], false, BASE, true, DEVICE, 5, 0);
    assert_int_equal(found(FINDING_RACE_GLOBAL), 0);
    access_word(&block[0]->warp[0], false, BASE, true, 1, 6, 0);
    assert_int_equal(found(FINDING_RACE_GLOBAL), 1);
}

static void a_plain_store_races_with_later_atomics_of_others(void **state)
{
    (void)state;
    write_global(0, 0, 0);
    access_word(&block[0]->warp[0], false, BASE, true, DEVICE, 5, 0);
    access_word(&block[1]->warp[0], false, BASE, true, DEVICE, 5, 0);
    assert_int_equal(found(FINDING_RACE_GLOBAL), 1);
}

static void launches_of_a_stream_are_ordered(void **state)
{
    (void)state;
    write_global(0, 0, 0);
    begin_launch(STREAM_LEGACY);
    read_global(1, 0, 0);
    assert_int_equal(found(FINDING_RACE_STREAMS), 0);
}

static void launches_of_two_streams_need_an_event(void **state)
{
    (void)state;
    struct stream_clock event;
    begin_launch(STREAM_A);
    write_global(0, 0, 0);
    stream_order_record(&san->streams, STREAM_A, false, &event);
    begin_launch(STREAM_B);
    read_global(1, 0, 0);
    assert_int_equal(found(FINDING_RACE_STREAMS), 1);
    stream_order_wait(&san->streams, STREAM_B, false, &event);
    begin_launch(STREAM_B);
    access_word(&block[0]->warp[0], false, BASE, false, 0, 8, 0);
    assert_int_equal(found(FINDING_RACE_STREAMS), 1);
}

static void a_stream_that_waits_for_all_is_ordered(void **state)
{
    (void)state;
    begin_launch(STREAM_A);
    write_global(0, 0, 0);
    stream_order_wait_all(&san->streams, STREAM_B, false);
    begin_launch(STREAM_B);
    read_global(1, 0, 0);
    assert_int_equal(found(FINDING_RACE_STREAMS), 0);
    begin_launch(STREAM_A);
    write_global(0, 0, 0);
    assert_int_equal(found(FINDING_RACE_STREAMS), 1);
}

static void streams_that_end_make_room_for_others(void **state)
{
    (void)state;
    for (uint64_t id = 100; id < 100 + 2 * STREAM_SLOTS; id++) {
        begin_launch(id);
        stream_order_destroy(&san->streams, id);
    }
    begin_launch(STREAM_A);
    write_global(0, 0, 0);
    begin_launch(STREAM_B);
    read_global(1, 0, 0);
    assert_int_equal(found(FINDING_RACE_STREAMS), 1);
}

static void copies_of_the_program_race_with_launches(void **state)
{
    (void)state;
    const struct sanitizer_launch copy = {.call = "cudaMemcpyAsync"};
    begin_launch(STREAM_A);
    write_global(0, 0, 64);
    sanitizer_begin(san, &copy, STREAM_B, false);
    sanitizer_host_access(san, BASE + 128, 64, true);
    assert_int_equal(found(FINDING_RACE_STREAMS), 0);
    sanitizer_host_access(san, BASE, 128, false);
    assert_int_equal(found(FINDING_RACE_STREAMS), 1);
}

static void unwritten_words_count_where_they_are_used(void **state)
{
    (void)state;
    sanitizer_allocated(san, BASE, 4096, "cudaMalloc #1", false);
    write_global(0, 0, 0);
    read_global(0, 0, 0);
    access_word(&block[0]->warp[0], false, BASE + 8, false, 0, 77, 0);
    read_global(0, 0, 8192); /* not an allocation that is watched */
    assert_int_equal(found(FINDING_INIT_GLOBAL), 0);
    read_global(0, 0, 4);
    assert_int_equal(found(FINDING_INIT_GLOBAL), 1);
    read_global(0, 0, 4); /* each word once */
    const struct finding *list = san->findings.list.data;
    assert_int_equal(list[0].times, 1);
    sanitizer_end(san, false);
    assert_int_equal(found(FINDING_LEAK), 1);
}

static void findings_can_be_suppressed(void **state)
{
    (void)state;
    const struct suppression row = {finding_select("race"), "made-up.cu:2"};
    assert_true(pool_add(&san->findings.suppression, &row));
    write_shared(0, 0, 0);
    write_shared(1, 0, 0); /* line 2 */
    assert_int_equal(found(FINDING_RACE_SHARED), 0);
    assert_int_equal(san->findings.suppressed, 1);
    assert_int_equal(findings_serious(&san->findings), 0);
}

static void leaks_of_a_call_are_one_finding(void **state)
{
    (void)state;
    san->stack = 1;
    sanitizer_allocated(san, BASE, 128, "cudaMalloc #1", false);
    sanitizer_allocated(san, BASE + 4096, 128, "cudaMalloc #2", false);
    san->stack = 2;
    sanitizer_allocated(san, BASE + 8192, 128, "cudaMalloc #3", false);
    sanitizer_end(san, false);
    assert_int_equal(found(FINDING_LEAK), 2);
}

static void a_suppression_matches_a_caller(void **state)
{
    (void)state;
    const struct suppression row = {finding_select("leak"), "main"};
    assert_true(pool_add(&san->findings.suppression, &row));
    san->stack = 1;
    sanitizer_allocated(san, BASE, 128, "cudaMalloc #1", false);
    sanitizer_end(san, false);
    assert_int_equal(found(FINDING_LEAK), 0);
}

static void names_select_tools_and_kinds(void **state)
{
    (void)state;
    assert_int_equal(finding_select("race/shared"), UINT64_C(1) << FINDING_RACE_SHARED);
    assert_true(finding_select("race") >> FINDING_RACE_GLOBAL & 1);
    assert_false(finding_select("race") >> FINDING_LEAK & 1);
    assert_int_equal(finding_select("rac"), 0);
    assert_int_equal(finding_select(""), 0);
}

static void all_formats_are_written(void **state)
{
    (void)state;
    static const struct {
        bool (*write)(const struct findings *, const struct findings_subject *, FILE *);
        const char *words;
    } formats[] = {
        {findings_text, "1 error, 2 warnings, 0 notes in 1 launch"},
        {findings_sanitizer, "========= Error: Race reported between Write access at kernel"},
        {findings_sarif, "\"ruleId\": \"race/shared\""},
        {findings_junit, "<failure message=\"Race in shared memory"},
        {findings_text, "allocated at made-up.cpp:7, make"},
        {findings_text, "called at main+0x20"},
        {findings_sanitizer, "Host Frame: make in made-up.cpp:7 [0x1000] in /bin/made-up"},
        {findings_sarif, "\"startLine\": 7"},
        {findings_junit, "allocated at made-up.cpp:7, make"}};
    const struct findings_subject subject = {"simsm check t4 -- ./app", 1};
    write_shared(0, 0, 0);
    write_shared(1, 0, 0);
    san->stack = 1;
    sanitizer_allocated(san, BASE, 128, "cudaMalloc #1", false);
    sanitizer_end(san, false);
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        char *text = NULL;
        size_t size;
        FILE *file = open_memstream(&text, &size);
        assert_non_null(file);
        assert_true(formats[i].write(&san->findings, &subject, file));
        (void)fclose(file);
        if (!strstr(text, formats[i].words))
            fail_msg("no '%s' in:\n%s", formats[i].words, text);
        free(text);
    }
}

/* Memory of the host of `WORDS` words, which lanes of a warp access one after the other. */
#define HOST UINT64_C(0x300000000000)
enum { WORDS = 16 };

static void touch_host(uint32_t words, bool writes, uint8_t scope)
{
    for (uint32_t i = 0; i < words; i++)
        access_word(&block[0]->warp[0], false, HOST + 4 * i, writes, scope, 8, i);
}

static enum host_may host_may(void)
{
    return sanitizer_host_may(san, &san->streams.host, HOST, 4 * WORDS);
}

/* The program accesses word `word`. */
static void by_host(uint32_t word, bool writes)
{
    const struct host_access access = {.address = HOST + 4 * word,
                                       .page = HOST,
                                       .page_bytes = 4 * WORDS,
                                       .writes = writes,
                                       .what = writes ? "write" : "read",
                                       .stack = 1,
                                       .memory = "memory"};
    sanitizer_host_access_at(san, &san->streams.host, &access);
}

static void host_waits_for_what_it_reads(void **state)
{
    (void)state;
    assert_int_equal(host_may(), HOST_MAY_WRITE);
    touch_host(WORDS - 1, true, 0);
    assert_int_equal(host_may(), HOST_MAY_WRITE); /* the rest is the program's */
    touch_host(WORDS, false, 0);
    assert_int_equal(host_may(), HOST_MAY_READ);
    by_host(WORDS - 1, false); /* both read */
    assert_int_equal(found(FINDING_RACE_HOST), 0);
    touch_host(WORDS, true, 0);
    assert_int_equal(host_may(), HOST_MAY_NOTHING);
    by_host(3, false);
    assert_int_equal(found(FINDING_RACE_HOST), 1);
    const struct finding *race = san->findings.list.data;
    assert_int_equal(race->place[1].thread[0], 3);
    assert_non_null(strstr(race->message, "read after write"));
    stream_order_host_stream(&san->streams, STREAM_LEGACY, true);
    assert_int_equal(host_may(), HOST_MAY_WRITE);
    assert_true(stream_order_host_has_all(&san->streams));
}

static void host_races_outlive_the_next_launch(void **state)
{
    (void)state;
    touch_host(WORDS, true, 0);
    san->host_pending = true;
    begin_launch(STREAM_LEGACY); /* ordered behind the first, as the program is not */
    assert_int_equal(host_may(), HOST_MAY_NOTHING);
    by_host(0, true);
    assert_int_equal(found(FINDING_RACE_HOST), 1);
    san->host_pending = false;
    begin_launch(STREAM_LEGACY);
    assert_int_equal(host_may(), HOST_MAY_WRITE); /* nobody watches: the records are gone */
}

static void flags_order_the_host(void **state)
{
    (void)state;
    enum { SYSTEM = 4 };
    touch_host(WORDS, true, 0);
    for (uint32_t i = 0; i < WORDS; i++) /* flags in other memory, all of it */
        access_word(&block[0]->warp[0], false, HOST + 4096 + 4 * i, true, SYSTEM, 9, i);
    assert_int_equal(sanitizer_host_may(san, &san->streams.host, HOST + 4096, 4 * WORDS),
                     HOST_MAY_NOTHING);
    const struct host_access poll = {.address = HOST + 4096,
                                     .page = HOST + 4096,
                                     .page_bytes = 4 * WORDS,
                                     .what = "read",
                                     .stack = 2,
                                     .memory = ""};
    sanitizer_host_access_at(san, &san->streams.host, &poll);
    by_host(0, false);
    assert_int_equal(found(FINDING_RACE_HOST), 0);
}

static void flags_in_open_memory_count_as_read(void **state)
{
    (void)state;
    enum { SYSTEM = 4 };
    touch_host(WORDS, true, 0);
    access_word(&block[0]->warp[0], false, HOST + 4096, true, SYSTEM, 9, 0);
    assert_int_equal(host_may(), HOST_MAY_NOTHING);
    assert_int_equal(sanitizer_host_may(san, &san->streams.host, HOST + 4096, 4 * WORDS),
                     HOST_MAY_WRITE);
    assert_int_equal(host_may(), HOST_MAY_WRITE);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(races_of_warps_end_at_barriers),
        TEST(lanes_meet_by_masks),
        TEST(a_chain_of_meetings_orders),
        TEST(named_barriers_order_those_that_meet),
        TEST(copies_are_there_when_their_group_is),
        TEST(flags_with_fences_order_blocks),
        TEST(flags_need_both_fences),
        TEST(flags_need_a_fence_in_front),
        TEST(fences_of_a_block_release_nothing_to_others),
        TEST(fences_of_a_block_acquire_nothing_of_others),
        TEST(atomics_reach_as_far_as_their_scope),
        TEST(a_plain_store_races_with_later_atomics_of_others),
        TEST(launches_of_a_stream_are_ordered),
        TEST(launches_of_two_streams_need_an_event),
        TEST(a_stream_that_waits_for_all_is_ordered),
        TEST(streams_that_end_make_room_for_others),
        TEST(copies_of_the_program_race_with_launches),
        TEST(host_waits_for_what_it_reads),
        TEST(host_races_outlive_the_next_launch),
        TEST(flags_order_the_host),
        TEST(flags_in_open_memory_count_as_read),
        TEST(unwritten_words_count_where_they_are_used),
        TEST(findings_can_be_suppressed),
        TEST(leaks_of_a_call_are_one_finding),
        TEST(a_suppression_matches_a_caller),
        TEST(names_select_tools_and_kinds),
        TEST(all_formats_are_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
