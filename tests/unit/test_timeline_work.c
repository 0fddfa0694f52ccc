/* Work beside the warps in a timeline: copies and products come back as they were told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sys/stat.h>
#include <unistd.h>

#include "timeline/explain.h"
#include "timeline_fake.h"

static const char path[] = "test_timeline_work.tmp.smtl";

enum { TMA, HGMMA, DEPBAR, CLUSTER, WAIT, BRANCH, CODE };
static const struct inst code[CODE] = {
    [TMA] = {.op = SIMSM_OP_TMA_LOAD, .line = 7},
    [HGMMA] = {.op = SIMSM_OP_GMMA, .pc = 16, .line = 9},
    [DEPBAR] = {.op = SIMSM_OP_DEPBAR, .pc = 32, .line = 10},
    [CLUSTER] = {.op = SIMSM_OP_CLUSTER_WAIT, .pc = 48, .line = 11},
    [WAIT] = {.op = SIMSM_OP_MBARRIER_WAIT,
              .pc = 64,
              .line = 12,
              .n_destinations = 1,
              .destination = {{REG_P0, 1, 0}}},
    [BRANCH] =
        {.op = SIMSM_OP_BRANCH, .pc = 80, .line = 12, .n_sources = 1, .source = {{REG_P0, 1, 0}}},
};
static const char *const text[CODE] = {
    [TMA] = "UTMALDG.2D [UR8], [UR6]",       [HGMMA] = "HGMMA.64x64x16.F32 R24",
    [DEPBAR] = "WARPGROUP.DEPBAR.LE gsb0",   [CLUSTER] = "UCGABAR_WAIT",
    [WAIT] = "SYNCS.PHASECHK P0, [UR9], R4", [BRANCH] = "@!P0 BRA 0x40",
};

static void die(const struct simsm_error *error)
{
    char words[1024];
    fail_msg("%s", simsm_error_text(error, words, sizeof words));
}

static void copy(struct fake_events *events, uint64_t cycle, uint32_t slot, uint32_t name,
                 uint32_t bytes, uint32_t reach)
{
    fake_emit(events, SIMSM_EVENT_WORK_SIZE, cycle, slot, reach, bytes);
    fake_emit(events, SIMSM_EVENT_COPY_START, cycle, slot, name, TMA);
}

static void product(struct fake_events *events, uint64_t cycle, uint32_t slot, uint32_t before,
                    uint32_t cycles)
{
    fake_emit(events, SIMSM_EVENT_WORK_SIZE, cycle, slot, 0, before << 16 | cycles);
    fake_emit(events, SIMSM_EVENT_PRODUCT, cycle, slot, 0, HGMMA);
}

/* Two copies at once, one of which lasts over two ends of chunks, and a product over one. */
static struct fake_events told(void)
{
    struct fake_events events = {0};
    copy(&events, 100, 5, 31, 4096, 0);
    copy(&events, 110, 6, 30, 8192, 4);
    fake_emit(&events, SIMSM_EVENT_COPY_WAKE, 700, 9, 31, 0);
    fake_emit(&events, SIMSM_EVENT_COPY_END, 700, 0, 31, 0);
    copy(&events, 800, 5, 29, 16, 0);
    fake_emit(&events, SIMSM_EVENT_COPY_END, 900, 0, 29, 0);
    fake_emit(&events, SIMSM_EVENT_COPY_WAKE, 950, 9, 255, 0);
    product(&events, 60000, 6, 0, 100);
    product(&events, 65600, 2, 4410, 90);
    fake_emit(&events, SIMSM_EVENT_WARP_STATE, 70000, 3, SIMSM_STATE_WAIT, 0);
    fake_emit(&events, SIMSM_EVENT_WARP_STATE, 140000, 3, SIMSM_STATE_EMPTY, 0);
    fake_emit(&events, SIMSM_EVENT_COPY_END, 140010, 0, 30, 0);
    fake_emit(&events, SIMSM_EVENT_WARP_STATE, 140020, 3, SIMSM_STATE_WAIT, 0);
    return events;
}

static enum simsm_status record(const struct fake_events *events, uint64_t from, bool plain,
                                struct simsm_error *error)
{
    struct simsm_config config;
    struct timeline *timeline;
    struct front front;
    struct simsm_occupancy occupancy = {.blocks = 2, .warps = 8};
    struct timeline_options options = {.from = from};
    static struct simsm_stats stats;
    fake_config(&config, 1, 16);
    fake_front(&front);
    if (!plain) {
        front.code = code;
        front.text = text;
        front.code_size = CODE;
        memcpy(front.launch.cluster, (uint32_t[]){2, 1, 1}, sizeof front.launch.cluster);
    }
    struct timeline_about about = {.front = &front, .occupancy = &occupancy};
    if (timeline_create(&timeline, path, &config, &options, error) != SIMSM_OK ||
        timeline_describe(timeline, &about, error) != SIMSM_OK)
        die(error);
    const struct simsm_observer *observer = timeline_observer(timeline);
    (void)observer->batch(observer->context, 0, events->list, events->count);
    stats.cycles = 150000;
    return timeline_finish(timeline, &stats, error);
}

static struct timeline_reader *load(struct history *history, uint64_t from, uint64_t to)
{
    struct simsm_error error;
    struct timeline_reader *reader;
    if (timeline_read_open(&reader, path, &error) != SIMSM_OK ||
        history_load(history, reader, 0, from, to, &error) != SIMSM_OK)
        die(&error);
    return reader;
}

static void expect(const struct timeline_work *got, uint64_t issued, uint64_t from, uint64_t to,
                   uint32_t slot)
{
    assert_int_equal(got->issued, issued);
    assert_int_equal(got->from, from);
    assert_int_equal(got->to, to);
    assert_int_equal(got->slot, slot);
}

static void work_comes_back(void **state)
{
    (void)state;
    struct fake_events events = told();
    struct history history;
    struct simsm_error error;
    assert_int_equal(record(&events, 0, false, &error), SIMSM_OK);
    struct timeline_reader *reader = load(&history, 0, UINT64_MAX);
    assert_int_equal(history.work_count, 5);
    expect(&history.works[0], 100, 100, 700, 5);
    expect(&history.works[1], 110, 110, 140010, 6);
    expect(&history.works[2], 800, 800, 900, 5);
    expect(&history.works[3], 60000, 60000, 60100, 6);
    expect(&history.works[4], 65600, 70010, 70100, 2);
    const uint8_t numbers[] = {0, 1, 0};
    for (uint32_t i = 0; i < 3; i++) {
        assert_false(history.works[i].product || history.works[i].open);
        assert_int_equal(history.works[i].number, numbers[i]);
        assert_int_equal(history.works[i].pc, TMA);
    }
    assert_int_equal(history.works[1].bytes, 8192);
    assert_int_equal(history.works[1].reach, 4);
    assert_true(history.works[3].product);
    assert_int_equal(history.works[3].pc, HGMMA);
    assert_int_equal(history.wake_count, 2);
    assert_ptr_equal(history_waker(&history, history_wake_in(&history, 9, 0, 701)),
                     &history.works[0]);
    assert_null(history_waker(&history, history_wake_in(&history, 9, 701, 1000)));
    assert_null(history_wake_in(&history, 8, 0, 1000));
    const uint32_t *cluster = timeline_read_info(reader)->launch.cluster;
    assert_true(cluster[0] == 2 && cluster[1] == 1 && cluster[2] == 1);
    history_free(&history);
    timeline_read_close(reader);
    free(events.list);
}

/* Each chunk tells of all work under way in it. */
static void a_chunk_stands_alone(void **state)
{
    (void)state;
    struct fake_events events = told();
    struct history history;
    struct simsm_error error;
    assert_int_equal(record(&events, 120, false, &error), SIMSM_OK);
    struct timeline_reader *reader = load(&history, 71000, 72000);
    assert_true(history.begin == 70000 && history.end == 140000);
    assert_int_equal(history.work_count, 2);
    expect(&history.works[0], 110, 110, 140000, 6);
    expect(&history.works[1], 65600, 70010, 70100, 2);
    assert_true(history.works[1].product && history.works[1].pc == HGMMA);
    assert_true(history.works[0].open);
    history_free(&history);
    timeline_read_close(reader);
    reader = load(&history, 120, 200); /* both began before the recording */
    assert_int_equal(history.begin, 120);
    expect(&history.works[0], 100, 100, 700, 5);
    expect(&history.works[1], 110, 110, history.end, 6);
    history_free(&history);
    timeline_read_close(reader);
    free(events.list);
}

static uint32_t version(void)
{
    uint8_t bytes[12];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(bytes, 1, sizeof bytes, file), sizeof bytes);
    (void)fclose(file);
    return bytes[8];
}

static void only_kernels_with_such_work_need_the_newer_version(void **state)
{
    (void)state;
    struct fake_events events = {0};
    struct history history;
    struct simsm_error error;
    fake_emit(&events, SIMSM_EVENT_WARP_STATE, 10, 3, SIMSM_STATE_WAIT, 0);
    assert_int_equal(record(&events, 0, true, &error), SIMSM_OK);
    assert_int_equal(version(), 2);
    struct timeline_reader *reader = load(&history, 0, UINT64_MAX);
    assert_int_equal(history.work_count, 0);
    assert_int_equal(timeline_read_info(reader)->launch.cluster[0], 0);
    history_free(&history);
    timeline_read_close(reader);
    assert_int_equal(record(&events, 0, false, &error), SIMSM_OK);
    assert_int_equal(version(), 3);
    free(events.list);
}

static void contradictions_are_refused(void **state)
{
    (void)state;
    static const enum simsm_event_kind kinds[] = {SIMSM_EVENT_COPY_END, SIMSM_EVENT_COPY_WAKE};
    for (size_t i = 0; i < 2; i++) {
        struct fake_events events = {0};
        struct simsm_error error;
        copy(&events, 5, 1, 3, 16, 0);
        fake_emit(&events, kinds[i], 6, 1, 4, 0);
        assert_int_equal(record(&events, 0, false, &error), SIMSM_FAILED);
        assert_non_null(strstr(error.message, "a copy that no warp has issued"));
        free(events.list);
    }
    struct fake_events events = {0};
    struct simsm_error error;
    for (uint32_t i = 0; i < 256; i++)
        copy(&events, 5, 1, i % 255, 16, 0);
    assert_int_equal(record(&events, 0, false, &error), SIMSM_FAILED);
    assert_non_null(strstr(error.message, "more copies"));
    free(events.list);
}

static void enter(struct fake_events *events, uint64_t cycle, uint32_t slot, uint32_t state,
                  uint32_t pc)
{
    fake_emit(events, SIMSM_EVENT_WARP_STATE, cycle, slot, state, pc);
    if (state == SIMSM_STATE_ISSUED)
        fake_emit(events, SIMSM_EVENT_ISSUE, cycle, slot, 0, pc);
}

/* Slots 0 and 1 are warps 0 and 1 of block 3. Warp 0 copies, multiplies, and waits for each. */
static struct fake_events waits(void)
{
    struct fake_events events = {0};
    for (uint32_t slot = 0; slot < 2; slot++)
        fake_emit(&events, SIMSM_EVENT_WARP_START, 10, slot, slot, 3);
    copy(&events, 20, 0, 7, 4096, 0);
    enter(&events, 20, 0, SIMSM_STATE_ISSUED, TMA);
    enter(&events, 20, 1, SIMSM_STATE_WAIT, HGMMA);
    enter(&events, 21, 0, SIMSM_STATE_ISSUED, WAIT);
    enter(&events, 22, 0, SIMSM_STATE_LONG_SCOREBOARD, BRANCH);
    fake_emit(&events, SIMSM_EVENT_MEM_START, 30, 0, SIMSM_OP_MBARRIER_WAIT, WAIT);
    fake_emit(&events, SIMSM_EVENT_COPY_WAKE, 500, 0, 7, 0);
    fake_emit(&events, SIMSM_EVENT_COPY_END, 500, 0, 7, 0);
    fake_emit(&events, SIMSM_EVENT_MEM_DONE, 510, 0, 0, WAIT);
    enter(&events, 511, 0, SIMSM_STATE_GMMA, HGMMA);
    product(&events, 520, 0, 5, 100);
    enter(&events, 520, 0, SIMSM_STATE_ISSUED, HGMMA);
    enter(&events, 521, 0, SIMSM_STATE_DISPATCH_STALL, DEPBAR);
    enter(&events, 530, 0, SIMSM_STATE_BARRIER, DEPBAR);
    enter(&events, 625, 0, SIMSM_STATE_BARRIER, CLUSTER);
    enter(&events, 700, 0, SIMSM_STATE_WAIT, TMA);
    return events;
}

/* The explanation of slot 0 at a cycle has these words, in a line of any length. */
static void expect_words(struct timeline_reader *reader, uint64_t cycle, const char *words)
{
    struct simsm_error error;
    char *said = NULL;
    size_t size;
    FILE *file = open_memstream(&said, &size);
    const struct explain_question question = {.cycle = cycle, .width = 1000};
    assert_int_equal(explain_write(reader, &question, file, &error), SIMSM_OK);
    (void)fclose(file);
    if (!strstr(said, words))
        fail_msg("'%s' is not in: %s", words, said);
    free(said);
}

static void waits_are_explained(void **state)
{
    (void)state;
    struct fake_events events = waits();
    struct history history;
    struct simsm_error error;
    struct explain_link link;
    assert_int_equal(record(&events, 0, false, &error), SIMSM_OK);
    struct timeline_reader *reader = load(&history, 0, UINT64_MAX);
    expect_words(reader, 20,
                 "It runs beside the warp: TMA load of 4096 bytes by warp 0 of block 3, cycles 20 "
                 "to 500: 480 cycles");
    expect_words(reader, 100, "A copy ends the phase that it waits for at cycle 500: TMA load");
    expect_words(reader, 515,
                 "Of its warp group has not come: warp 1 of block 3 (slot 0 of sub-partition 1), "
                 "which is in state wait");
    expect_words(reader, 524, "The last to issue in the sub-partition was warp 0 of block 3");
    expect_words(reader, 525,
                 "A product of a warp group reads and writes the registers of its sums and leaves "
                 "few cycles to other instructions that read registers: Product by warp 0");
    expect_words(reader, 600,
                 "It waits for products of the tensor core. The last of them: Product by warp 0 of "
                 "block 3, cycles 525 to 625: 100 cycles, issued at 520");
    expect_words(reader, 650, "It waits at the barrier of its cluster");
    assert_true(explain_link(&history, 0, 600, &link));
    assert_true(link.slot == 0 && link.cycle == 520);
    assert_false(explain_link(&history, 0, 650, &link));
    history_free(&history);
    timeline_read_close(reader);
    free(events.list);
}

/* A folder of its own, as several builds may be tested at a time. */
static char folder[] = "/tmp/simsm-work-XXXXXX";

static int enter_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    (void)unlink(path);
    return chdir("/") == 0 && rmdir(folder) == 0 ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_comes_back),
        cmocka_unit_test(a_chunk_stands_alone),
        cmocka_unit_test(only_kernels_with_such_work_need_the_newer_version),
        cmocka_unit_test(contradictions_are_refused),
        cmocka_unit_test(waits_are_explained),
    };
    return cmocka_run_group_tests(tests, enter_folder, remove_folder);
}
