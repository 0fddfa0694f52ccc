/*
 * Clock reads in kernels yield simulated time: the cycles at which the timing core has issued them.
 * What a kernel does is done once all the same.
 */
#include <stdlib.h>

#include "api/simsm_front.h"
#include "exec/memory/undo.h"
#include "exec_rig.h"

enum { BLOCKS = 5, WARPS = 2, READS = 4096, SLOTS = 8 * SIMSM_SLOTS_PER_SM };

/* The cycles at which each warp's clock reads were issued, as an observer is told. */
struct issued {
    const struct front *front;
    uint32_t slot[SLOTS];          /* warp of the launch that is in the slot */
    uint32_t unit[BLOCKS * WARPS]; /* slot that the warp was in */
    uint32_t count[BLOCKS * WARPS];
    uint64_t cycle[BLOCKS * WARPS][READS];
};

struct timed {
    struct rig rig;
    struct issued issued;
    struct simsm_observer observer;
    const struct simsm_observer *observers[2];
    struct simsm_options options;
    struct simsm *simulation;
    char printed[4096];
};

static int on_events(void *context, uint32_t sm, const struct simsm_event *events, size_t count)
{
    struct issued *issued = context;
    (void)sm;
    for (size_t i = 0; i < count; i++) {
        const struct simsm_event *event = &events[i];
        uint32_t *warp = &issued->slot[event->unit];
        if (event->kind == SIMSM_EVENT_WARP_START) {
            *warp = event->arg * WARPS + event->sub;
            issued->unit[*warp] = event->unit;
        } else if (issued->front->code[event->arg].reads_clock)
            issued->cycle[*warp][issued->count[*warp]++] = event->cycle;
    }
    return 0;
}

static void print(void *context, const char *text, size_t size)
{
    char *printed = context;
    assert_true(strlen(printed) + size < sizeof((struct timed *)0)->printed);
    strncat(printed, text, size);
}

static struct timed *timed_open(uint32_t sm)
{
    struct timed *timed = calloc(1, sizeof *timed);
    assert_non_null(timed);
    rig_open_code(&timed->rig, "clocks", sm);
    timed->rig.config.gpu_sms = 3;
    timed->rig.options.print = print;
    timed->rig.options.print_context = timed->printed;
    timed->observer =
        (struct simsm_observer){.wants = 1u << SIMSM_EVENT_ISSUE | 1u << SIMSM_EVENT_WARP_START,
                                .batch = on_events,
                                .context = &timed->issued};
    timed->observers[0] = &timed->observer;
    timed->options.observers = timed->observers;
    timed->options.check = true;
    return timed;
}

static void timed_close(struct timed *timed)
{
    rig_close(&timed->rig);
    free(timed);
}

static void begin(struct timed *timed, const char *kernel, uint32_t grid, uint32_t block,
                  const uint64_t *arguments)
{
    struct exec_launch launch;
    struct front *front;
    uint8_t params[256] = {0};
    rig_prepare(&timed->rig, &launch, params, kernel, grid, block, arguments);
    memset(&timed->issued, 0, sizeof timed->issued);
    assert_int_equal(exec_front_open(&front, &launch, &timed->rig.error), SIMSM_OK);
    timed->issued.front = front;
    assert_int_equal(simsm_open_front(&timed->simulation, &timed->rig.config, front,
                                      &timed->options, &timed->rig.error),
                     SIMSM_OK);
}

static void end(struct timed *timed)
{
    if (simsm_run(timed->simulation, UINT64_MAX, &timed->rig.error) != SIMSM_OK)
        fail_msg("%s", timed->rig.error.message);
}

/* Runs a launch to its end; its simulation stays open. */
static void run(struct timed *timed, const char *kernel, uint32_t grid, uint32_t block,
                const uint64_t *arguments)
{
    begin(timed, kernel, grid, block, arguments);
    end(timed);
}

static void values_are_the_cycles_of_issue(void **state)
{
    (void)state;
    const struct simsm_options ways[] = {{0}, {.no_skip = true}, {.window = 3}};
    for (uint32_t i = 0; i < 6; i++) {
        struct timed *timed = timed_open(i % 2 ? 75 : 90);
        uint64_t *out;
        float *sink;
        const uint64_t arguments[] = {rig_buffer(&timed->rig, "out", sizeof *out * 32, &out),
                                      rig_buffer(&timed->rig, "sink", 4096, &sink), 0};
        timed->options.no_skip = ways[i / 2].no_skip;
        timed->options.window = ways[i / 2].window;
        run(timed, "chain", BLOCKS, 32 * WARPS, arguments);
        for (uint32_t w = 0; w < BLOCKS * WARPS; w++) {
            assert_int_equal(timed->issued.count[w], 4);
            assert_int_equal(out[2 * w], timed->issued.cycle[w][2]);
            assert_int_equal(out[2 * w + 1], timed->issued.cycle[w][3]);
            assert_true(out[2 * w + 1] - out[2 * w] >= 64 * 4 - 4);
            assert_true(out[2 * w + 1] - out[2 * w] < 64 * 4 + 100);
        }
        simsm_close(timed->simulation);
        timed_close(timed);
    }
}

/* 32 bits, 64 bits and nanoseconds; and atomics have counted each thread once. */
static void all_clocks_and_what_was_written_once(void **state)
{
    (void)state;
    for (uint32_t sm = 75; sm <= 90; sm += 15) {
        struct timed *timed = timed_open(sm);
        const double mhz = timed->rig.config.gpu_clock_mhz;
        uint64_t *out;
        uint32_t *counter, *in;
        timed->rig.options.start_cycle = UINT64_C(5) << 32;
        const uint64_t arguments[] = {rig_buffer(&timed->rig, "out", 640, &out),
                                      rig_buffer(&timed->rig, "counter", 4, &counter),
                                      rig_buffer(&timed->rig, "in", 4096, &in)};
        *counter = 7;
        run(timed, "kinds", BLOCKS, 32 * WARPS, arguments);
        assert_int_equal(*counter, 7 + BLOCKS * WARPS * 32);
        uint32_t added = 0;
        for (uint32_t w = 0; w < BLOCKS * WARPS; w++) {
            const uint64_t *mine = &out[5 * w], *cycle = timed->issued.cycle[w];
            assert_int_equal(timed->issued.count[w], 4);
            assert_int_equal(mine[0], cycle[0]);
            assert_int_equal(mine[1], (UINT64_C(5) << 32) + cycle[1]);
            assert_int_equal(mine[2], (UINT64_C(5) << 32) + cycle[3]);
            double ns = ((double)(UINT64_C(5) << 32) + (double)cycle[2]) * 1e3 / mhz;
            assert_true((double)mine[3] <= ns && (double)mine[3] > ns - 33);
            assert_int_equal(mine[4] % 32, 7); /* who comes first is a matter of time */
            added |= UINT32_C(1) << (mine[4] - 7) / 32;
        }
        assert_int_equal(added, (1u << BLOCKS * WARPS) - 1);
        simsm_close(timed->simulation);
        timed_close(timed);
    }
}

/* A warp's slot is not its number in the block.
 */
static void warps_know_their_places(void **state)
{
    (void)state;
    for (uint32_t sm = 75; sm <= 90; sm += 15) {
        struct timed *timed = timed_open(sm);
        uint32_t *out, others = 0;
        const uint64_t arguments[] = {rig_buffer(&timed->rig, "out", 1280, &out)};
        run(timed, "places", BLOCKS, 32 * WARPS, arguments);
        for (uint32_t w = 0; w < BLOCKS * WARPS; w++) {
            assert_int_equal(out[2 * w], timed->issued.unit[w] / SIMSM_SLOTS_PER_SM);
            assert_int_equal(out[2 * w + 1], timed->issued.unit[w] % SIMSM_SLOTS_PER_SM);
            others += out[2 * w + 1] != w % WARPS;
        }
        assert_true(others > 0);
        simsm_close(timed->simulation);
        timed_close(timed);
    }
}

/* A loop that waits for some time to pass: as long as the clock says. */
static void clocks_decide(void **state)
{
    (void)state;
    struct timed *timed = timed_open(90);
    uint32_t *out, turns = 0;
    const uint64_t arguments[] = {rig_buffer(&timed->rig, "out", 256 * 32 * 4, &out), 10000};
    run(timed, "spin", 1, 32, arguments);
    const uint64_t *cycle = timed->issued.cycle[0];
    while (cycle[turns + 1] - cycle[0] < 10000)
        turns++;
    assert_int_equal(turns + 2, timed->issued.count[0]);
    assert_int_equal(out[0], turns);
    simsm_close(timed->simulation);
    timed_close(timed);
}

/* A wait for memory polls as often as it must: what the clock says at the last time counts. */
static void polls_see_the_last_turn(void **state)
{
    (void)state;
    for (uint32_t sm = 75; sm <= 90; sm += 15) {
        struct timed *timed = timed_open(sm);
        uint64_t *out;
        uint32_t *ready;
        const uint64_t arguments[] = {rig_buffer(&timed->rig, "out", 640, &out),
                                      rig_buffer(&timed->rig, "ready", 4, &ready), 600};
        run(timed, "flag", BLOCKS, 32, arguments);
        assert_int_equal(*ready, 6);
        uint64_t set = out[BLOCKS - 1], next = set + 600 * 8;
        for (uint32_t b = 0; b < BLOCKS; b++) {
            const uint32_t count = timed->issued.count[b * WARPS];
            const uint64_t *end = &timed->issued.cycle[b * WARPS][count];
            if (b == BLOCKS - 1) {
                assert_int_equal(count, 1);
                continue;
            }
            assert_true(count > 4);
            assert_int_equal(out[b], end[-2]); /* at the last poll, and behind the loop */
            assert_int_equal(out[32 + b], end[-1]);
            assert_true(out[b] > set - 100 && out[b] < next);
        }
        simsm_close(timed->simulation);
        timed_close(timed);
    }
}

/* printf, malloc and free in the kernel happen once; a second launch frees what the first kept. */
static void prints_and_heap_happen_once(void **state)
{
    (void)state;
    struct timed *timed = timed_open(90);
    uint64_t *kept, used, total, used_then;
    int *given;
    const uint64_t arguments[] = {rig_buffer(&timed->rig, "kept", 3 * 8, &kept),
                                  rig_buffer(&timed->rig, "given", 4, &given)};
    for (uint32_t round = 0; round < 2; round++) {
        char expected[256] = "";
        timed->printed[0] = '\0';
        device_memory_info(timed->rig.memory, &used, &total);
        run(timed, "prints", 1, 3, arguments);
        device_memory_info(timed->rig.memory, &used_then, &total);
        assert_int_equal(used_then, used + (round ? 0 : 3 * 256));
        const uint64_t *cycle = timed->issued.cycle[0];
        assert_int_equal(timed->issued.count[0], 2);
        for (int t = 0; t < 3; t++) {
            (void)snprintf(expected + strlen(expected), sizeof expected - strlen(expected),
                           "%d %d cycles, 0\n", t, (int)(cycle[1] - cycle[0]));
            const uint64_t *mine = device_pointer(timed->rig.memory, kept[t], 16);
            assert_non_null(mine);
            assert_int_equal(mine[0], cycle[0]);
        }
        assert_string_equal(timed->printed, expected);
        simsm_close(timed->simulation);
    }
    timed_close(timed);
}

/* A launch that is stopped before its end prints nothing later, unless it goes on to its end. */
static void stopped_runs_keep_what_they_have(void **state)
{
    (void)state;
    for (uint32_t go_on = 0; go_on < 2; go_on++) {
        struct timed *timed = timed_open(90);
        uint64_t *kept;
        int *given;
        const uint64_t arguments[] = {rig_buffer(&timed->rig, "kept", 3 * 8, &kept),
                                      rig_buffer(&timed->rig, "given", 4, &given)};
        begin(timed, "prints", 1, 3, arguments);
        assert_int_equal(simsm_run(timed->simulation, 3000, &timed->rig.error), SIMSM_LIMIT);
        assert_string_equal(timed->printed, "");
        if (go_on)
            end(timed);
        simsm_close(timed->simulation);
        assert_int_equal(strlen(timed->printed) > 20, go_on);
        timed_close(timed);
    }
}

/* Bytes at any place, neighbours that nobody noted, allocations and what was freed. */
static void memory_is_put_back(void **state)
{
    (void)state;
    struct device_memory *memory;
    struct simsm_error error;
    assert_int_equal(device_memory_create(&memory, 1 << 20, &error), SIMSM_OK);
    uint64_t a = device_alloc(memory, 5000, "a"), b = device_alloc(memory, 9000, "b");
    uint8_t *in_a = device_pointer(memory, a, 5000);
    memset(in_a, 1, 5000);
    memset(device_pointer(memory, b, 9000), 2, 9000);
    struct exec_undo *undo = exec_undo_create(memory);
    assert_non_null(undo);
    for (uint32_t i = 0; i < 4000; i += 3) {
        exec_undo_note(undo, in_a + i, 2);
        in_a[i] = in_a[i + 1] = 9;
        in_a[i + 2] = 8; /* somebody else's */
    }
    exec_undo_note(undo, in_a + 60, 16);
    in_a[70] = 7;
    exec_undo_free(undo, b);
    assert_true(device_free(memory, b));
    uint64_t c = device_malloc(memory, 100);
    exec_undo_note(undo, device_pointer(memory, c, 100), 100);
    memset(device_pointer(memory, c, 100), 3, 100);
    assert_true(exec_undo_restore(undo));
    for (uint32_t i = 0; i < 4000; i++)
        assert_int_equal(in_a[i], i % 3 == 2 ? 8 : 1);
    const uint8_t *in_b = device_pointer(memory, b, 9000);
    assert_non_null(in_b);
    for (uint32_t i = 0; i < 9000; i++)
        assert_int_equal(in_b[i], 2);
    assert_null(device_pointer(memory, c, 100));
    assert_int_equal(device_malloc(memory, 100), c);
    assert_int_equal(*(uint8_t *)device_pointer(memory, c, 1), 0);
    exec_undo_destroy(undo);
    device_memory_destroy(memory);
}

/* Memory that was put back has its old contents, whatever was written since, except newly
 * allocated memory. */
static void memory_comes_again(void **state)
{
    (void)state;
    struct device_memory *memory;
    struct simsm_error error;
    assert_int_equal(device_memory_create(&memory, 1 << 20, &error), SIMSM_OK);
    uint8_t *bytes = device_pointer(memory, device_alloc(memory, 1000, "a"), 1000);
    memset(bytes, 1, 1000);
    struct exec_undo *undo = exec_undo_create(memory);
    assert_non_null(undo);
    exec_undo_note(undo, bytes + 10, 200);
    memset(bytes + 10, 9, 200);
    assert_true(exec_undo_repeatable(undo));
    assert_true(exec_undo_restore(undo));
    assert_int_equal(bytes[10], 1);
    memset(bytes + 10, 5, 100);
    exec_undo_repeat(undo);
    for (uint32_t i = 0; i < 1000; i++)
        assert_int_equal(bytes[i], i >= 10 && i < 210 ? 9 : 1);
    exec_undo_destroy(undo);
    undo = exec_undo_create(memory);
    assert_non_null(undo);
    (void)device_malloc(memory, 100);
    assert_false(exec_undo_repeatable(undo));
    exec_undo_destroy(undo);
    device_memory_destroy(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_the_cycles_of_issue),
        cmocka_unit_test(all_clocks_and_what_was_written_once),
        cmocka_unit_test(warps_know_their_places),
        cmocka_unit_test(clocks_decide),
        cmocka_unit_test(polls_see_the_last_turn),
        cmocka_unit_test(prints_and_heap_happen_once),
        cmocka_unit_test(stopped_runs_keep_what_they_have),
        cmocka_unit_test(memory_is_put_back),
        cmocka_unit_test(memory_comes_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
