/* The picture and the explanations of a small history that is told event by event. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <unistd.h>

#include "timeline/cycle_selection.h"
#include "timeline/explain.h"
#include "timeline/timeline_picture.h"
#include "timeline_fake.h"

static const char path[] = "test_timeline_text.tmp.smtl";

struct told {
    uint64_t cycle;
    uint8_t kind, slot, sub;
    uint32_t arg;
};

#define STATE(cycle, slot, state, pc)                                                              \
    {                                                                                              \
        cycle, SIMSM_EVENT_WARP_STATE, slot, SIMSM_STATE_##state, pc                               \
    }
#define ISSUE(cycle, slot, pc)                                                                     \
    {                                                                                              \
        cycle, SIMSM_EVENT_ISSUE, slot, 0, pc                                                      \
    }
#define MASK(cycle, slot, mask)                                                                    \
    {                                                                                              \
        cycle, SIMSM_EVENT_MASK, slot, 0, mask                                                     \
    }
#define WARP(cycle, slot, block, w)                                                                \
    {                                                                                              \
        cycle, SIMSM_EVENT_WARP_START, slot, w, block                                              \
    }
#define START(cycle, slot, pc)                                                                     \
    {                                                                                              \
        cycle, SIMSM_EVENT_MEM_START, slot, 0, pc                                                  \
    }
#define DONE(cycle, slot, pc, level)                                                               \
    {                                                                                              \
        cycle, SIMSM_EVENT_MEM_DONE, slot, SIMSM_LEVEL_##level, pc                                 \
    }

/*
 * Two sub-partitions of two slots. Block 7 has warps in slots 0, 1, 2: warps 0 and 2 load and
 * compute, warp 1 waits for them at a barrier. Slot 3 gets a warp of block 8 late.
 */
static const struct told history[] = {
    WARP(10, 0, 7, 0),
    WARP(10, 1, 7, 1),
    WARP(10, 2, 7, 2),
    STATE(10, 0, NO_INSTRUCTION, 2),
    STATE(10, 1, NO_INSTRUCTION, 6),
    STATE(10, 2, NO_INSTRUCTION, 2),
    STATE(12, 0, ISSUED, 2),
    STATE(12, 2, NOT_SELECTED, 2),
    MASK(12, 0, 0xffffu),
    ISSUE(12, 0, 2),
    STATE(13, 0, LONG_SCOREBOARD, 3),
    STATE(13, 2, ISSUED, 2),
    MASK(13, 2, 0xffffffffu),
    ISSUE(13, 2, 2),
    STATE(14, 2, LONG_SCOREBOARD, 3),
    STATE(15, 1, ISSUED, 6),
    MASK(15, 1, 0xffffffffu),
    ISSUE(15, 1, 6),
    STATE(16, 1, BARRIER, 7),
    START(20, 0, 2),
    START(22, 2, 2),
    DONE(30, 0, 2, DRAM),
    STATE(30, 0, ISSUED, 3),
    ISSUE(30, 0, 3),
    STATE(31, 0, WAIT, 4),
    STATE(34, 0, ISSUED, 4),
    ISSUE(34, 0, 4),
    ISSUE(35, 0, 5),
    ISSUE(36, 0, 6),
    STATE(37, 0, BARRIER, 7),
    START(38, 0, 5),
    DONE(40, 0, 5, SHARED),
    DONE(40, 2, 2, L2),
    STATE(40, 2, ISSUED, 3),
    ISSUE(40, 2, 3),
    STATE(41, 2, MATH_PIPE_THROTTLE, 4),
    STATE(42, 2, ISSUED, 6),
    ISSUE(42, 2, 6),
    STATE(43, 2, BARRIER, 7),
    STATE(45, 0, ISSUED, 10),
    STATE(45, 1, ISSUED, 11),
    STATE(45, 2, NOT_SELECTED, 11),
    ISSUE(45, 0, 10),
    ISSUE(45, 1, 11),
    STATE(46, 0, DRAIN, 11),
    STATE(46, 1, EXITED, 11),
    STATE(46, 2, ISSUED, 11),
    ISSUE(46, 2, 11),
    STATE(47, 2, EXITED, 11),
    START(48, 0, 10),
    DONE(55, 0, 10, L2),
    STATE(55, 0, EXITED, 11),
    STATE(56, 0, EMPTY, 11),
    STATE(56, 1, EMPTY, 11),
    STATE(56, 2, EMPTY, 11),
    WARP(57, 3, 8, 0),
    STATE(57, 3, NO_INSTRUCTION, 0),
};

static void check(enum simsm_status status, const struct simsm_error *error)
{
    char text[1024];
    if (status != SIMSM_OK)
        fail_msg("%s", simsm_error_text(error, text, sizeof text));
}

static struct timeline_reader *recorded(void)
{
    struct simsm_config config;
    struct simsm_error error;
    struct timeline *timeline;
    struct timeline_reader *reader;
    struct front front;
    struct simsm_occupancy occupancy = {.warps_per_block = 3};
    struct simsm_stats *stats = calloc(1, sizeof *stats);
    fake_config(&config, 1, 4);
    config.sm_sub_partitions = 2;
    fake_front(&front);
    front.launch.grid[0] = 9;
    struct timeline_about about = {.front = &front, .occupancy = &occupancy};
    check(timeline_create(&timeline, path, &config, NULL, &error), &error);
    check(timeline_describe(timeline, &about, &error), &error);
    const struct simsm_observer *observer = timeline_observer(timeline);
    for (size_t i = 0; i < sizeof history / sizeof *history; i++) {
        const struct told *t = &history[i];
        struct simsm_event event = {
            .cycle = t->cycle, .arg = t->arg, .unit = t->slot, .kind = t->kind, .sub = t->sub};
        assert_int_equal(observer->batch(observer->context, 0, &event, 1), 0);
    }
    stats->cycles = 60;
    check(timeline_finish(timeline, stats, &error), &error);
    free(stats);
    check(timeline_read_open(&reader, path, &error), &error);
    return reader;
}

static char *picture(const struct picture_options *options)
{
    struct timeline_reader *reader = recorded();
    struct simsm_error error;
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    check(picture_write(reader, options, file, &error), &error);
    (void)fclose(file);
    timeline_read_close(reader);
    return text;
}

static void the_picture_is_as_drawn(void **state)
{
    (void)state;
    struct picture_options options = {
        .sm = UINT32_MAX, .range = true, .from = 8, .to = 60, .width = 70, .ascii = true};
    char *text = picture(&options);
    assert_string_equal(text,
                        "test_timeline_text.tmp.smtl: kernel fake_kernel on Fake, SM 0, cycles\n"
                        "  8 to 60 of 0 to 60\n"
                        "One column is one cycle.\n"
                        "\n"
                        "cycle        10        20        30        40        50\n"
                        "slot warp    |         |         |         |         |\n"
                        "sub-partition 0: issued in 10 of 52 cycles, 19 %\n"
                        "issue      ....##................#...###...#.#..##.............\n"
                        " 0  b7 w0  ..NN#LLLLLLLLLLLLLLLLL#www###BBBBBBBB#DDDDDDDDDx....\n"
                        " 1  b7 w2  ..NN+#LLLLLLLLLLLLLLLLLLLLLLLLLL#m#BB+#xxxxxxxxx....\n"
                        "\n"
                        "sub-partition 1: issued in 2 of 52 cycles, 4 %\n"
                        "issue      .......#.............................#..............\n"
                        " 0  b7 w1  ..NNNNN#BBBBBBBBBBBBBBBBBBBBBBBBBBBBB#xxxxxxxxxx....\n"
                        " 1  b8 w0  .................................................NNN\n"
                        "\n"
                        "L  long_scoreboard     30.5 %  waits for data from global, local or\n"
                        "                               texture memory, or for a phase of an\n"
                        "                               mbarrier\n"
                        "B  barrier             27.7 %  waits for other warps of its block or\n"
                        "                               cluster at a barrier, or for products\n"
                        "                               of its warp group\n"
                        "x  exited              14.2 %  the warp has ended; its block still\n"
                        "                               holds the slot\n"
                        "#  selected             8.5 %  issued an instruction\n"
                        "N  no_instruction       8.5 %  its next instruction has not been\n"
                        "                               fetched: instruction-cache miss or\n"
                        "                               fetch arbitration\n"
                        "D  drain                6.4 %  has executed EXIT and waits until its\n"
                        "                               loads have been answered and its stores\n"
                        "                               have left the SM\n"
                        "w  wait                 2.1 %  waits out a fixed latency: the result\n"
                        "                               of an earlier arithmetic instruction\n"
                        "+  not_selected         1.4 %  could issue, but the scheduler chose\n"
                        "                               another warp or held back\n"
                        "m  math_pipe_throttle   0.7 %  could issue, but the arithmetic pipe is\n"
                        "                               busy\n"
                        ".  empty                       no warp lives in the slot\n"
                        "Shares are of the time that warps held these slots.\n"
                        "b, w: block, and warp in it, that hold the slot.\n");
    free(text);
}

static void wide_ranges_keep_issues_visible(void **state)
{
    (void)state;
    struct picture_options options = {
        .sm = 0, .range = true, .from = 0, .to = 60, .slots = 1, .width = 40, .ascii = true};
    char *text = picture(&options);
    assert_non_null(strstr(text, "One column is 4 cycles: # where the"));
    assert_non_null(strstr(text, "\n 0  b7 w0  ..N#LLL###B#DD.\n"));
    assert_null(strstr(text, "\033"));
    assert_null(strstr(text, "sub-partition 1"));
    free(text);
    options.colour = true;
    text = picture(&options);
    assert_non_null(strstr(text, "\033[38;5;231m\033[48;5;61m"));
    free(text);
}

static void a_picture_needs_what_is_recorded(void **state)
{
    (void)state;
    struct timeline_reader *reader = recorded();
    struct simsm_error error;
    struct picture_options options = {.sm = 3, .width = 80};
    assert_int_equal(picture_write(reader, &options, stdout, &error), SIMSM_BAD_INPUT);
    assert_non_null(strstr(error.message, "SM 3 is not recorded"));
    options = (struct picture_options){.sm = 0, .range = true, .from = 60, .to = 70, .width = 80};
    assert_int_equal(picture_write(reader, &options, stdout, &error), SIMSM_BAD_INPUT);
    assert_non_null(strstr(error.message, "cycles 0 to 59 of SM 0 are recorded"));
    timeline_read_close(reader);
}

static char *explanation(uint64_t cycle, uint32_t sub, uint32_t index)
{
    struct timeline_reader *reader = recorded();
    struct simsm_error error;
    struct explain_question question = {.sub = sub, .index = index, .cycle = cycle, .width = 2000};
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    check(explain_write(reader, &question, file, &error), &error);
    (void)fclose(file);
    timeline_read_close(reader);
    return text;
}

/* `...`: sentences that the explanation must have in this order, NULL at the end. */
static void explains(uint64_t cycle, uint32_t sub, uint32_t index, ...)
{
    char *text = explanation(cycle, sub, index);
    const char *at = text, *part;
    va_list parts;
    va_start(parts, index);
    while ((part = va_arg(parts, const char *)) != NULL) {
        const char *found = strstr(at, part);
        if (!found)
            fail_msg("'%s' is not, or not there, in:\n%s", part, text);
        at = found ? found + strlen(part) : at;
    }
    va_end(parts);
    free(text);
}

static void a_load_is_followed_to_its_answer(void **state)
{
    (void)state;
    explains(18, 0, 0, "Warp 0 of block 7 lives there since cycle 10.",
             "state long_scoreboard (L) from cycle 13 to 30, 17 cycles",
             "Its next instruction is `FFMA R5, R4, R4, 1.0` (line 7)",
             "It reads R4, which `LDG R4, [R2]` (line 6) writes. The warp issued that at cycle 12, "
             "6 cycles before.",
             "At cycle 18 that is still on its way to the load/store stage.",
             "enters the load/store stage at cycle 20, 8 cycles after its issue",
             "comes from DRAM: its last part is there at cycle 30, 18 cycles after",
             "At cycle 30 its state becomes selected", NULL);
}

static void a_barrier_leads_to_the_last_warp(void **state)
{
    (void)state;
    explains(32, 1, 0, "state barrier (B) from cycle 16 to 45",
             "It arrived at `BAR.SYNC 0` (line 10) at cycle 15.",
             "Of the 3 warps of its block 2 have not arrived:",
             "warp 0 of block 7 (slot 0 of sub-partition 0): wait since cycle 31",
             "warp 2 of block 7 (slot 1 of sub-partition 0): long_scoreboard since cycle 14",
             "The last to arrive is warp 2 of block 7 (slot 1 of sub-partition 0), at cycle 42; 3 "
             "cycles later",
             "That warp at cycle 32 is in state long_scoreboard:", "It reads R4",
             "comes from L2: its last part is there at cycle 40", NULL);
}

static void other_states_name_their_causes(void **state)
{
    (void)state;
    explains(12, 0, 1, "chose warp 0 of block 7 (slot 0 of sub-partition 0), which issued `LDG",
             NULL);
    explains(12, 0, 0, "It issues `LDG R4, [R2]` (line 6) with 16 of 32 lanes active", NULL);
    explains(11, 0, 0, "The warp has just started", NULL);
    explains(32, 0, 0, "It reads R5, which `FFMA R5, R4, R4, 1.0` (line 7) writes",
             "Class fp32 has a fixed latency of 4 cycles.", NULL);
    explains(41, 0, 1, "Pipe fma takes an instruction of class fp32 every 2 cycles",
             "`FFMA R5, R4, R4, 1.0` (line 7), issued at cycle 40 by warp 2", NULL);
    explains(50, 0, 0, "1 of its accesses has not come back; the last is `STG [R2], R8` (line 15)",
             "answered at cycle 55", NULL);
    explains(50, 1, 0, "Of the 3 warps of this one 1 still runs:", "warp 0 of block 7",
             "drain since cycle 46", NULL);
    explains(30, 1, 1, "none has before", "from cycle 0 to 57",
             "At cycle 57 warp 0 of block 8 takes the slot.", NULL);
    explains(58, 0, 0,
             "No warp lives there. Warp 0 of block 7, which came at cycle 10, had it "
             "until cycle 56.",
             "the end of the recording, 60", NULL);
}

static void questions_beyond_the_file_are_refused(void **state)
{
    (void)state;
    struct timeline_reader *reader = recorded();
    struct simsm_error error;
    static const struct explain_question questions[] = {
        {.sm = 1}, {.sub = 2}, {.index = 2}, {.index = UINT32_MAX}, {.cycle = 60}};
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
        assert_int_equal(explain_write(reader, &questions[i], stdout, &error), SIMSM_BAD_INPUT);
    assert_non_null(strstr(error.message, "cycles 0 to 59 are"));
    timeline_read_close(reader);
}

static void selections_are_understood(void **state)
{
    (void)state;
    struct simsm_error error;
    uint64_t from, to, mask, number;
    uint32_t slot[3];
    assert_int_equal(selection_cycles("10:20", &from, &to, &error), SIMSM_OK);
    assert_int_equal(from, 10);
    assert_int_equal(to, 20);
    assert_int_equal(selection_cycles(":20", &from, &to, &error), SIMSM_OK);
    assert_int_equal(from, 0);
    assert_int_equal(selection_cycles("7:", &from, &to, &error), SIMSM_OK);
    assert_int_equal(to, 0);
    static const char *const bad[] = {"",    ":",    "5",     "a:b",  "5:5",
                                      "9:5", "1:2x", "1:2:3", "-1:4", "99999999999999999999:1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(selection_cycles(bad[i], &from, &to, &error), SIMSM_BAD_INPUT);
    assert_int_equal(selection_slots("1,0:1-2", 4, 16, &mask, &error), SIMSM_OK);
    assert_int_equal(mask, 0x2222 | 0x0110);
    assert_int_equal(selection_slots("4", 4, 16, &mask, &error), SIMSM_BAD_INPUT);
    assert_int_equal(selection_slots("0:4", 4, 16, &mask, &error), SIMSM_BAD_INPUT);
    assert_int_equal(selection_slots("0:", 4, 16, &mask, &error), SIMSM_BAD_INPUT);
    assert_int_equal(selection_slots("0,", 4, 16, &mask, &error), SIMSM_BAD_INPUT);
    assert_int_equal(selection_slot("1:2:3", slot, &error), SIMSM_OK);
    assert_int_equal(slot[2], 3);
    assert_int_equal(selection_slot("1:2", slot, &error), SIMSM_BAD_INPUT);
    assert_int_equal(selection_slot("1:2:3:4", slot, &error), SIMSM_BAD_INPUT);
    assert_int_equal(selection_number("42", &number, &error), SIMSM_OK);
    assert_int_equal(selection_number("42 ", &number, &error), SIMSM_BAD_INPUT);
}

static void lists_of_sms_are_understood(void **state)
{
    (void)state;
    static const char *const bad[] = {"", "x", "1,", "4:4", "5:4", "1024", "0:1025", "1-3", "-1"};
    struct simsm_error error;
    uint32_t *sm, count;
    assert_int_equal(selection_sms("9,0:3,2,1023", &sm, &count, &error), SIMSM_OK);
    assert_int_equal(count, 5);
    assert_memory_equal(sm, ((const uint32_t[]){0, 1, 2, 9, 1023}), 5 * sizeof *sm);
    free(sm);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(selection_sms(bad[i], &sm, &count, &error), SIMSM_BAD_INPUT);
}

/* A folder of its own, as several builds may be tested at a time. */
static char folder[] = "/tmp/simsm-timeline-XXXXXX";

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
        cmocka_unit_test(the_picture_is_as_drawn),
        cmocka_unit_test(wide_ranges_keep_issues_visible),
        cmocka_unit_test(a_picture_needs_what_is_recorded),
        cmocka_unit_test(a_load_is_followed_to_its_answer),
        cmocka_unit_test(a_barrier_leads_to_the_last_warp),
        cmocka_unit_test(other_states_name_their_causes),
        cmocka_unit_test(questions_beyond_the_file_are_refused),
        cmocka_unit_test(selections_are_understood),
        cmocka_unit_test(lists_of_sms_are_understood),
    };
    return cmocka_run_group_tests(tests, enter_folder, remove_folder);
}
