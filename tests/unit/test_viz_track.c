/* A timeline at any zoom against every cycle written out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <unistd.h>

#include "often.h"
#include "track/pyramid.h"
#include "track/running_sums.h"
#include "viz_fixture.h"

static const char path[] = "test_viz_track.tmp.smtl";

enum { SLOTS = 12, SUBS = 4, COLUMNS = 200 };

/* The counts of one column or bucket, cycle by cycle. */
struct count {
    uint64_t time[SIMSM_STATE_COUNT], whole;
};

static uint8_t share(uint64_t part, uint64_t whole)
{
    return (uint8_t)((part * 255 + whole / 2) / whole);
}

static bool near(uint8_t one, uint8_t other, int slack)
{
    return abs((int)one - (int)other) <= slack;
}

/* The two most frequent states, and the issues, all to `slack` 1/255. */
static void expect_cell(const struct count *count, const struct pyramid_cell *cell, int slack)
{
    if (!count->whole) {
        assert_int_equal(cell->share, 0);
        return;
    }
    uint64_t most = 0, next = 0;
    for (uint32_t s = 0; s < SIMSM_STATE_COUNT; s++) {
        if (count->time[s] > most) {
            next = most;
            most = count->time[s];
        } else if (count->time[s] > next) {
            next = count->time[s];
        }
    }
    assert_in_range(cell->state, 0, SIMSM_STATE_COUNT - 1);
    assert_true(near(cell->share, share(most, count->whole), slack));
    assert_true(near(cell->second_share, share(next, count->whole), slack));
    assert_true(near(cell->share, share(count->time[cell->state], count->whole), slack));
    if (cell->second_share) /* a share of less than half of 1/255 has no state */
        assert_true(
            near(cell->second_share, share(count->time[cell->second], count->whole), slack));
    assert_true(
        near(cell->issue_share, share(count->time[SIMSM_STATE_ISSUED], count->whole), slack));
}

/* ---- The pyramid alone ---- */

static void expect_level(const struct pyramid *pyramid, uint32_t level, uint32_t slot,
                         const uint8_t *states, uint64_t begin, uint64_t end)
{
    uint32_t shift = pyramid->shift + level;
    for (uint64_t bucket = begin >> shift; bucket <= (end - 1) >> shift; bucket++) {
        struct count count = {.whole = 0};
        for (uint64_t at = bucket << shift; at < (bucket + 1) << shift; at++)
            if (at >= begin && at < end) {
                count.time[states[at - begin]]++;
                count.whole++;
            }
        const struct pyramid_cell *cell = pyramid_at(pyramid, level, slot, bucket);
        assert_non_null(cell);
        expect_cell(&count, cell, 0);
    }
    assert_null(pyramid_at(pyramid, level, slot, ((end - 1) >> shift) + 2));
}

static void check_pyramid(uint64_t begin, uint64_t end, uint64_t seed)
{
    struct pyramid pyramid;
    assert_true(pyramid_create(&pyramid, 2, begin, end));
    uint8_t *states[2];
    for (uint32_t slot = 0; slot < 2; slot++) {
        states[slot] = malloc(end - begin);
        for (uint64_t at = begin; at < end;) {
            uint32_t r = fake_random(&seed);
            uint64_t to = at + 1 + (r % 8 ? r % 20 : r % 3000);
            uint8_t state = (uint8_t)(r >> 16) % SIMSM_STATE_COUNT;
            to = to < end ? to : end;
            memset(states[slot] + (at - begin), state, to - at);
            pyramid_add(&pyramid, slot, (enum simsm_warp_state)state, to);
            at = to;
        }
    }
    pyramid_end(&pyramid);
    for (uint32_t level = 0; level < pyramid.levels; level++)
        for (uint32_t slot = 0; slot < 2; slot++)
            expect_level(&pyramid, level, slot, states[slot], begin, end);
    assert_true((end - 1) >> (pyramid.shift + pyramid.levels - 1) ==
                begin >> (pyramid.shift + pyramid.levels - 1)); /* the top is one bucket */
    free(states[0]);
    free(states[1]);
    pyramid_free(&pyramid);
}

static void test_pyramid(void **state)
{
    (void)state;
    uint64_t seed = 5;
    check_pyramid(0, 64, 1);
    check_pyramid(0, 4096, 2);
    check_pyramid(64, 8192, 3);
    check_pyramid(63, 65, 4);
    check_pyramid(128 + 1, 128 + 2, 4);
    for (int i = 0; i < 60; i++) {
        uint64_t begin = fake_random(&seed) % 5000;
        check_pyramid(begin, begin + 1 + fake_random(&seed) % 20000, seed);
    }
}

static void test_pyramid_level(void **state)
{
    (void)state;
    struct pyramid pyramid;
    assert_true(pyramid_create(&pyramid, 1, 0, 100000));
    for (uint64_t cycles = 64; cycles < 300000; cycles += cycles / 3) {
        uint32_t level = pyramid_level(&pyramid, cycles);
        assert_true((uint64_t)64 << level <= cycles);
        assert_true(level + 1 == pyramid.levels || (uint64_t)128 << level > cycles);
    }
    pyramid_free(&pyramid);
    /* Very long runs have longer buckets, and no more memory. */
    assert_true(pyramid_create(&pyramid, 64, 0, (uint64_t)1 << 40));
    assert_true(pyramid.shift > PYRAMID_LEAST_SHIFT);
    assert_true(pyramid.buckets[0] * 64 < (uint64_t)32 << 20);
    pyramid_free(&pyramid);
}

/* ---- Columns of pixels ---- */

static uint64_t column_begin(uint64_t index, uint64_t cycles_q16)
{
    return index * cycles_q16 >> 16;
}

static struct count count_between(const struct viz_plain *plain, uint32_t slot, uint64_t from,
                                  uint64_t to)
{
    struct count count = {.whole = 0};
    for (uint64_t at = from; at < to; at++)
        if (at >= plain->begin && at < plain->end) {
            count.time[plain->state[slot][at - plain->begin]]++;
            count.whole++;
        }
    return count;
}

static void expect_columns(struct track *track, const struct viz_plain *plain, uint32_t slot,
                           uint64_t first, uint64_t cycles_q16)
{
    struct track_cell cells[COLUMNS];
    struct simsm_error error;
    assert_int_equal(track_cells(track, slot, first, cycles_q16, cells, COLUMNS, &error), SIMSM_OK);
    for (uint32_t i = 0; i < COLUMNS; i++) {
        struct count count = count_between(plain, slot, column_begin(first + i, cycles_q16),
                                           column_begin(first + i + 1, cycles_q16));
        struct pyramid_cell cell = {cells[i].state, cells[i].state_share, cells[i].second,
                                    cells[i].second_share, cells[i].issue_share};
        expect_cell(&count, &cell, cycles_q16 >> 16 < 64 ? 0 : 1);
    }
}

struct fixture {
    struct run *run;
    struct track *track;
    struct viz_plain plain;
};

static void open_chaos(struct fixture *f, uint32_t changes, bool gaps, uint64_t seed)
{
    struct fake_events events = {0};
    uint64_t cycles = fake_chaos(&events, 0, SLOTS, changes, gaps, seed);
    viz_record(path, &events, 1, SLOTS, cycles);
    free(events.list);
    f->run = viz_open(path);
    f->track = viz_track(f->run, 0);
    f->plain = viz_plain_of(f->run, 0);
}

static void close_chaos(struct fixture *f)
{
    viz_plain_free(&f->plain);
    run_close(f->run);
    (void)unlink(path);
}

/* Up to 64 cycles a column is what the columns' cycles hold, at any zoom between whole numbers. */
static void test_columns_are_exact(void **state)
{
    (void)state;
    uint64_t seed = 11;
    for (uint64_t turn = 0; turn < OFTEN(4); turn++) {
        struct fixture f;
        open_chaos(&f, 3000, turn % 2, turn);
        for (int i = 0; i < 60; i++) {
            uint64_t q16 = 65536 + (fake_random(&seed) % (i % 3 ? 63u * 65536 : 3u * 65536));
            uint64_t last = (f.plain.end << 16) / q16;
            uint64_t first = fake_random(&seed) % (last + 10);
            expect_columns(f.track, &f.plain, fake_random(&seed) % SLOTS,
                           first > 20 ? first - 20 : 0, q16);
        }
        expect_columns(f.track, &f.plain, 0, 0, 65536);
        close_chaos(&f);
    }
}

/* Columns that are buckets are exact at every zoom. */
static void test_aligned_columns_are_exact(void **state)
{
    (void)state;
    struct fixture f;
    open_chaos(&f, 1500, true, 9);
    for (uint32_t slot = 0; slot < SLOTS; slot += 4)
        for (uint32_t level = 0; level < 16; level++) {
            uint64_t q16 = (uint64_t)64 << level << 16;
            uint64_t last = (f.plain.end << 16) / q16;
            expect_columns(f.track, &f.plain, slot, last > COLUMNS / 2 ? last - COLUMNS / 2 : 0,
                           q16);
        }
    close_chaos(&f);
}

/*
 * Other columns take parts of buckets. Where all is one state they say so, they never name a state
 * that is not there, and over a whole row no issue is lost.
 */
static void expect_coarse(const struct fixture *f, uint32_t slot, uint64_t q16)
{
    static struct track_cell cells[20000];
    struct simsm_error error;
    uint64_t shift = 6;
    while ((uint64_t)2 << shift <= q16 >> 16)
        shift++;
    uint32_t count = (uint32_t)((f->plain.end << 16) / q16 + 1);
    count = count < 20000 ? count : 20000;
    assert_int_equal(track_cells(f->track, slot, 0, q16, cells, count, &error), SIMSM_OK);
    double shown = 0, issued = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t from = column_begin(i, q16);
        uint64_t to = column_begin(i + 1, q16);
        struct count inside = count_between(&f->plain, slot, from, to);
        struct count around = count_between(&f->plain, slot, from >> shift << shift,
                                            (to + (1u << shift) - 1) >> shift << shift);
        shown += cells[i].issue_share / 255.0 * (double)inside.whole;
        issued += (double)inside.time[SIMSM_STATE_ISSUED];
        if (!inside.whole)
            continue;
        assert_true(around.time[cells[i].state] > 0);
        assert_true(cells[i].state_share > 0);
        assert_true(cells[i].state_share + cells[i].second_share <= 256);
        if (around.time[cells[i].state] == around.whole) {
            assert_int_equal(cells[i].state_share, 255);
            assert_int_equal(cells[i].second_share, 0);
        }
    }
    assert_true(fabs(shown - issued) <= 0.02 * issued + 0.002 * (double)(f->plain.end));
}

static void test_coarse_columns(void **state)
{
    (void)state;
    uint64_t seed = 21;
    struct fixture f;
    open_chaos(&f, 2000, true, 33);
    for (int i = 0; i < 15; i++) {
        uint64_t q16 = ((uint64_t)64 << 16) + (((uint64_t)fake_random(&seed) << 4) % (3000u << 16));
        expect_coarse(&f, (uint32_t)i % SLOTS, q16);
    }
    close_chaos(&f);
}

/* Panning by whole columns shows the same columns elsewhere: nothing shimmers. */
static void test_panning_does_not_shimmer(void **state)
{
    (void)state;
    struct fixture f;
    struct simsm_error error;
    uint64_t seed = 4;
    open_chaos(&f, 3000, true, 8);
    for (int i = 0; i < 50; i++) {
        struct track_cell one[COLUMNS], other[COLUMNS];
        uint64_t q16 = 65536 + ((uint64_t)fake_random(&seed) << (i % 7)) % (2000u << 16);
        uint64_t first = fake_random(&seed) % ((f.plain.end << 16) / q16 + 1);
        uint32_t by = fake_random(&seed) % COLUMNS;
        (void)track_cells(f.track, 3, first, q16, one, COLUMNS, &error);
        (void)track_cells(f.track, 3, first + by, q16, other, COLUMNS, &error);
        assert_memory_equal(one + by, other, (COLUMNS - by) * sizeof *one);
    }
    close_chaos(&f);
}

/* ---- Sums ---- */

static double counted(const struct viz_plain *plain, uint32_t sub, uint32_t wanted, uint64_t from,
                      uint64_t to)
{
    double sum = 0;
    for (uint32_t slot = 0; slot < plain->slots; slot++)
        if (sub == UINT32_MAX || slot % SUBS == sub)
            sum += (double)count_between(plain, slot, from, to).time[wanted];
    return sum;
}

static void expect_states(const struct fixture *f, uint32_t sub, uint64_t from, uint64_t width,
                          uint32_t count)
{
    double sums[16 * SIMSM_STATE_COUNT];
    struct simsm_error error;
    assert_int_equal(track_states(f->track, sub, (double)from, (double)(from + width * count), sums,
                                  NULL, count, &error),
                     SIMSM_OK);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t s = 0; s < SIMSM_STATE_COUNT; s++) {
            double expected = counted(&f->plain, sub, s, from + width * i, from + width * (i + 1));
            assert_true(fabs(sums[i * SIMSM_STATE_COUNT + s] - expected) < 1e-3);
        }
}

static void test_states_over_time(void **state)
{
    (void)state;
    uint64_t seed = 77;
    struct fixture f;
    open_chaos(&f, 4000, true, 12);
    for (int i = 0; i < 30; i++) {
        uint32_t sub = i % 5 == 4 ? UINT32_MAX : (uint32_t)i % SUBS;
        expect_states(&f, sub, fake_random(&seed) % f.plain.end, 1 + fake_random(&seed) % 200, 16);
        expect_states(&f, sub, f.plain.begin + 256 * (fake_random(&seed) % 40), 1024, 16);
    }
    /* No states before and behind the run. */
    expect_states(&f, 0, f.plain.end - 10, 4, 16);
    close_chaos(&f);
}

/* Totals over the whole run equal a second count. */
static void test_totals(void **state)
{
    (void)state;
    struct fixture f;
    open_chaos(&f, 3000, false, 6);
    const struct viz_plain *p = &f.plain;
    for (uint32_t sub = 0; sub < SUBS; sub++) {
        uint32_t count;
        const uint64_t *ready = track_ready_histogram(f.track, sub, &count);
        uint64_t expected[SLOTS + 1] = {0}, busy = 0;
        assert_int_equal(count, SLOTS / SUBS + 1);
        for (uint64_t at = 0; at < p->end - p->begin; at++) {
            uint32_t eligible = 0, resident = 0;
            for (uint32_t slot = sub; slot < SLOTS; slot += SUBS) {
                uint8_t s = p->state[slot][at];
                eligible += s == SIMSM_STATE_ISSUED || s == SIMSM_STATE_NOT_SELECTED;
                resident += s != SIMSM_STATE_EMPTY && s != SIMSM_STATE_EXITED;
            }
            busy += resident > 0;
            expected[eligible] += resident > 0;
        }
        for (uint32_t i = 0; i < count; i++)
            assert_int_equal(ready[i], expected[i]);
        assert_int_equal((uint64_t)track_busy_cycles(f.track, sub), busy);
    }
    const struct track_line *lines = track_lines(f.track);
    for (uint32_t line = 0; line < run_info(f.run)->line_count; line++)
        for (uint32_t s = SIMSM_STATE_ISSUED; s < SIMSM_STATE_COUNT; s++) {
            uint64_t expected = 0;
            for (uint32_t slot = 0; slot < SLOTS; slot++)
                for (uint64_t at = 0; at < p->end - p->begin; at++)
                    expected += p->state[slot][at] == s && p->pc[slot][at] == line;
            assert_int_equal(lines[line].states[s], expected);
        }
    close_chaos(&f);
}

/* Issues, lanes, requests in flight and blocks of an ordinary kernel. */
static void test_kernel(void **state)
{
    (void)state;
    struct fake_events events = {0};
    uint64_t cycles = fake_kernel(&events, 0, 16, 9, 4, 3, 42);
    viz_record(path, &events, 1, 16, cycles);
    struct run *run = viz_open(path);
    struct track *track = viz_track(run, 0);
    struct simsm_error error;
    double share[64];
    uint64_t issues = 0, in_sub = 0, flying = 0, middle = cycles / 2, blocks = 0;
    for (size_t i = 0; i < events.count; i++) {
        const struct simsm_event *event = &events.list[i];
        bool before = event->cycle < middle;
        issues += event->kind == SIMSM_EVENT_ISSUE && before;
        in_sub += event->kind == SIMSM_EVENT_ISSUE && event->unit % 4 == 2 &&
                  event->cycle >= middle && event->cycle < middle + 64;
        flying += before && event->kind == SIMSM_EVENT_MEM_START;
        flying -= before && event->kind == SIMSM_EVENT_MEM_DONE;
        blocks += event->kind == SIMSM_EVENT_BLOCK_START;
    }
    assert_int_equal(
        track_issue_share(track, 2, (double)middle, (double)middle + 64, share, 64, &error),
        SIMSM_OK);
    double sum = 0;
    for (int i = 0; i < 64; i++)
        sum += share[i];
    double lanes[2], mean;
    uint64_t active = 0, issued = 0;
    for (uint32_t i = 0; i < run_info(run)->line_count; i++) {
        active += track_lines(track)[i].threads;
        issued += track_lines(track)[i].issues;
    }
    track_lanes(track, UINT32_MAX, 0, (double)run_end(run), &mean, 1);
    assert_true(active < 32 * issued && fabs(mean - (double)active / (double)issued) < 1e-9);
    track_lanes(track, 1, (double)run_end(run), (double)run_end(run) + 20, lanes, 2);
    assert_true(isnan(lanes[0]) && isnan(lanes[1])); /* nothing is issued behind the end */
    assert_true(fabs(sum - (double)in_sub) < 1e-9);
    assert_true(fabs(track_issued_until(track, (double)middle) - (double)issues) < 260);
    double flight[32];
    assert_int_equal(
        track_flights(track, UINT32_MAX, (double)middle - 32, (double)middle, flight, 32, &error),
        SIMSM_OK);
    assert_true(fabs(flight[31] - (double)flying) < 1e-6);
    uint32_t count;
    bool all;
    const struct run_block *list = run_blocks(run, &count, &all, &error);
    assert_non_null(list);
    assert_true(all);
    assert_int_equal(count, blocks);
    for (uint32_t i = 0; i < count; i++) {
        assert_true(list[i].start < list[i].end && list[i].end <= cycles);
        for (uint32_t k = 0; k < i; k++) {
            bool apart = list[i].start >= list[k].end || list[k].start >= list[i].end;
            assert_true(list[i].place != list[k].place || apart);
            if (list[i].place == list[k].place)
                assert_true((list[i].start > list[k].start) == (list[i].wave > list[k].wave));
        }
    }
    run_close(run);
    free(events.list);
    (void)unlink(path);
}

/* A recording that begins later knows of what was in flight then, if it sees the answer. */
static void test_flights_before(void **state)
{
    (void)state;
    enum { FROM = 2000, TO = 3500, PART = 1000 };
    const struct timeline_options later = {.from = FROM, .to = TO};
    /* Memory takes 400 cycles there: all are answered in time. */
    double all[PART], flight[PART];
    struct simsm_error error;
    const char *const trace = "traces/lessons/latency.trace";
    for (int i = 0; i < 2; i++) {
        viz_simulate_part(path, "configs/teaching.yaml", trace, NULL, i ? &later : NULL);
        struct run *run = viz_open(path);
        assert_int_equal(run_begin(run), i ? FROM : 0);
        assert_int_equal(track_flights(viz_track(run, 0), UINT32_MAX, FROM, FROM + PART,
                                       i ? flight : all, PART, &error),
                         SIMSM_OK);
        run_close(run);
    }
    double most = 0;
    for (int i = 0; i < PART; i++) {
        assert_true(fabs(flight[i] - all[i]) < 1e-6);
        most = flight[i] > most ? flight[i] : most;
    }
    assert_true(most > 0);
    (void)unlink(path);
}

/* A track that is built bit by bit ends as one that is built at once. */
static void test_built_in_parts(void **state)
{
    (void)state;
    struct fake_events events = {0};
    uint64_t cycles = fake_chaos(&events, 0, SLOTS, 200000, false, 3);
    viz_record(path, &events, 1, SLOTS, cycles);
    free(events.list);
    struct simsm_error error;
    struct run *whole = viz_open(path);
    struct run *parts = viz_open(path);
    struct track *one = viz_track(whole, 0);
    struct track *other = run_track(parts, 0, 0, &error);
    assert_true(track_built(other) < run_end(parts));
    struct track_cell a[COLUMNS], b[COLUMNS];
    assert_int_equal(track_cells(other, 0, 0, (uint64_t)1000 << 16, b, COLUMNS, &error), SIMSM_OK);
    int turns = 1;
    for (uint64_t built = 0; track_built(other) < run_end(parts); turns++) {
        assert_ptr_equal(run_track(parts, 0, 0, &error), other);
        assert_true(track_built(other) >= built);
        built = track_built(other);
    }
    assert_true(turns > 2 * SLOTS); /* a step is a part of a chunk */
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
        (void)track_cells(one, slot, 0, (uint64_t)1000 << 16, a, COLUMNS, &error);
        (void)track_cells(other, slot, 0, (uint64_t)1000 << 16, b, COLUMNS, &error);
        assert_memory_equal(a, b, sizeof a);
    }
    run_close(parts);
    run_close(whole);
    (void)unlink(path);
}

/* ---- Frames that do not wait ---- */

enum { PARTS = 200, MOST_FRAMES = 100000 };

struct looked {
    struct track_cell cells[COLUMNS];
    double states[PARTS * SIMSM_STATE_COUNT], issues[PARTS], flight[PARTS];
    uint32_t spans; /* of the history */
};

/* Queries the track as a frame does, around a border of chunks. */
static struct looked look(struct track *track, double from, double to)
{
    struct looked l = {.spans = 0};
    struct simsm_error error;
    const struct history *history;
    uint64_t width = (uint64_t)8 << 16;
    viz_need(track_cells(track, 1, (uint64_t)from / 8, width, l.cells, COLUMNS, &error) == SIMSM_OK,
             &error);
    viz_need(track_states(track, UINT32_MAX, from, to, l.states, l.issues, PARTS, &error) ==
                 SIMSM_OK,
             &error);
    viz_need(track_flights(track, 0, from, to, l.flight, PARTS, &error) == SIMSM_OK, &error);
    viz_need(track_slot_history(track, 1, (uint64_t)from, (uint64_t)to, &history, &error) ==
                 SIMSM_OK,
             &error);
    l.spans = history ? history->slot[1].span_count : 0;
    return l;
}

/*
 * Frames that wait for nothing get there in the end. What they show is what is shown to who waits;
 * sums may differ by rows of 16 cycles at the edges of parts.
 */
static void test_frames_do_not_wait(void **state)
{
    (void)state;
    struct fake_events events = {0};
    uint64_t cycles = fake_chaos(&events, 0, SLOTS, 400000, false, 5);
    viz_record(path, &events, 1, SLOTS, cycles);
    free(events.list);
    struct run *patient = viz_open(path);
    struct run *hasty = viz_open(path);
    uint32_t count;
    const struct timeline_chunk *chunks = timeline_read_chunks(run_reader(hasty), 0, &count);
    assert_true(count > 2);
    double from = (double)chunks[0].end - 3000;
    double to = from + 20000; /* longer than what a frame sums up exactly */
    struct looked want = look(viz_track(patient, 0), from, to);
    struct track *track = viz_track(hasty, 0);
    struct looked got;
    uint32_t frames = 0;
    for (bool waits = true; waits; frames++) {
        assert_true(frames < MOST_FRAMES);
        run_frame_begin(hasty, 1);
        got = look(track, from, to);
        waits = run_frame_end(hasty);
        assert_true(frames || (waits && !got.spans));
    }
    assert_memory_equal(got.cells, want.cells, sizeof want.cells);
    assert_int_equal(got.spans, want.spans);
    for (uint32_t i = 0; i < PARTS; i++) {
        for (uint32_t s = 0; s < SIMSM_STATE_COUNT; s++)
            assert_true(fabs(got.states[i * SIMSM_STATE_COUNT + s] -
                             want.states[i * SIMSM_STATE_COUNT + s]) <= 32);
        assert_true(fabs(got.issues[i] - want.issues[i]) <= 16);
        assert_true(fabs(got.flight[i] - want.flight[i]) <= 16);
    }
    run_close(hasty);
    run_close(patient);
    (void)unlink(path);
}

static void test_sums_alone(void **state)
{
    (void)state;
    struct running_sums sums;
    uint64_t seed = 1;
    static double plain[5000][2];
    const uint64_t begin = 100, end = 5000;
    assert_true(sums_create(&sums, 2, begin, end, 8));
    memset(plain, 0, sizeof plain);
    for (int i = 0; i < 500; i++) {
        uint32_t sub = fake_random(&seed) % 2;
        uint64_t from = fake_random(&seed) % 5200, to = from + fake_random(&seed) % 900;
        sums_add_time(&sums, sub, 3, from, to);
        sums_add(&sums, sub, 3, from, 7);
        for (uint64_t at = from; at < to && at < end; at++)
            plain[at][sub] += at >= begin;
        if (from >= begin && from < end)
            plain[from][sub] += 7;
    }
    assert_true(sums_until(&sums, UINT32_MAX, 3, (double)end) == 0); /* no totals yet */
    sums_end(&sums);
    double total[2] = {0, 0};
    for (uint64_t at = begin; at <= end; at++) {
        bool row = (at - begin) % 256 == 0 || at == end;
        for (uint32_t sub = 0; row && sub < 2; sub++)
            assert_true(fabs(sums_until(&sums, sub, 3, (double)at) - total[sub]) < 1e-6);
        if (row)
            assert_true(fabs(sums_until(&sums, UINT32_MAX, 3, (double)at) - total[0] - total[1]) <
                        1e-6);
        for (int sub = 0; sub < 2 && at < end; sub++)
            total[sub] += plain[at][sub];
    }
    for (double at = 0; at < 6000; at += 37) /* never falls; ends stay */
        assert_true(sums_until(&sums, 0, 3, at) <= sums_until(&sums, 0, 3, at + 37) + 1e-9);
    assert_true(sums_until(&sums, 0, 3, -5) == 0);
    assert_true(sums_until(&sums, 1, 3, 1e18) == total[1]);
    sums_free(&sums);
}

static void test_refusals(void **state)
{
    (void)state;
    struct simsm_error error;
    struct run *run = NULL;
    assert_int_equal(run_open(&run, "no/such/file.smtl", &error), SIMSM_BAD_INPUT);
    assert_string_equal(error.file, "no/such/file.smtl");
    struct fixture f;
    open_chaos(&f, 50, false, 1);
    assert_null(run_track(f.run, 1, UINT32_MAX, &error));
    assert_non_null(strstr(error.message, "there is no SM 1"));
    assert_true(isnan(run_counter_at(f.run, run_counter_column(f.run, "no_such_counter"), 0)));
    close_chaos(&f);
    run_close(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pyramid),
        cmocka_unit_test(test_pyramid_level),
        cmocka_unit_test(test_columns_are_exact),
        cmocka_unit_test(test_aligned_columns_are_exact),
        cmocka_unit_test(test_coarse_columns),
        cmocka_unit_test(test_panning_does_not_shimmer),
        cmocka_unit_test(test_states_over_time),
        cmocka_unit_test(test_totals),
        cmocka_unit_test(test_kernel),
        cmocka_unit_test(test_flights_before),
        cmocka_unit_test(test_built_in_parts),
        cmocka_unit_test(test_frames_do_not_wait),
        cmocka_unit_test(test_sums_alone),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
