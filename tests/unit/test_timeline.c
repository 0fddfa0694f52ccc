#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "often.h"
#include "timeline_fake.h"

static const char path[] = "test_timeline.tmp.smtl";

struct file {
    uint8_t *bytes;
    size_t size;
};

static struct file slurp(void)
{
    struct file result = {0};
    struct stat known;
    assert_int_equal(stat(path, &known), 0);
    result.size = (size_t)known.st_size;
    result.bytes = malloc(result.size);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(result.bytes, 1, result.size, file), result.size);
    (void)fclose(file);
    return result;
}

static void die(const struct simsm_error *error)
{
    char text[1024];
    fail_msg("%s", simsm_error_text(error, text, sizeof text));
}

/* Writes the events of `sms` SMs, fed in turns of `turn` events. */
static void record(const struct simsm_config *config, const struct timeline_options *options,
                   const struct fake_events *events, uint32_t sms, size_t turn, uint64_t cycles)
{
    struct simsm_error error;
    struct timeline *timeline;
    struct front front;
    struct simsm_occupancy occupancy = {.blocks = 2, .warps = 8};
    fake_front(&front);
    struct timeline_about about = {
        .command_line = "simsm fake fake.trace", .front = &front, .occupancy = &occupancy};
    if (timeline_create(&timeline, path, config, options, &error) != SIMSM_OK ||
        timeline_describe(timeline, &about, &error) != SIMSM_OK)
        die(&error);
    const struct simsm_observer *observer = timeline_observer(timeline);
    size_t at[8] = {0}, left = 1;
    while (left) {
        left = 0;
        for (uint32_t sm = 0; sm < sms; sm++) {
            size_t count = events[sm].count - at[sm] < turn ? events[sm].count - at[sm] : turn;
            if (observer->batch(observer->context, sm, events[sm].list + at[sm], count) != 0) {
                assert_true(timeline_refused(timeline, &error));
                die(&error);
            }
            at[sm] += count;
            left += events[sm].count - at[sm];
        }
    }
    static struct simsm_stats stats;
    stats.cycles = cycles;
    stats.complete = true;
    stats.counter[SIMSM_COUNTER_BARRIERS] = 77;
    if (timeline_finish(timeline, &stats, &error) != SIMSM_OK)
        die(&error);
}

static struct timeline_reader *open_reader(void)
{
    struct simsm_error error;
    struct timeline_reader *reader;
    if (timeline_read_open(&reader, path, &error) != SIMSM_OK)
        die(&error);
    return reader;
}

/* Adds the spans of one chunk to those before it, of one slot: what goes on becomes one. */
static void join_spans(struct timeline_data *all, const struct timeline_data *part, uint32_t slot)
{
    for (uint32_t i = part->span_of[slot]; i < part->span_of[slot + 1]; i++) {
        struct timeline_span *last = all->span_count ? &all->spans[all->span_count - 1] : NULL;
        if (last && last->slot == slot && last->from == part->spans[i].from &&
            last->state == part->spans[i].state) {
            last->to = part->spans[i].to;
            continue;
        }
        all->spans = realloc(all->spans, (all->span_count + 1) * sizeof *all->spans);
        all->spans[all->span_count++] = part->spans[i];
    }
}

static void join_rest(struct timeline_data *all, const struct timeline_data *part, uint32_t slot)
{
    for (uint32_t i = part->issue_of[slot]; i < part->issue_of[slot + 1]; i++) {
        all->issues = realloc(all->issues, (all->issue_count + 1) * sizeof *all->issues);
        all->issues[all->issue_count++] = part->issues[i];
    }
    for (uint32_t i = part->memory_of[slot]; i < part->memory_of[slot + 1]; i++) {
        all->memory = realloc(all->memory, (all->memory_count + 1) * sizeof *all->memory);
        all->memory[all->memory_count++] = part->memory[i];
    }
    for (uint32_t i = part->warp_of[slot] + 1; i < part->warp_of[slot + 1]; i++) {
        all->warps = realloc(all->warps, (all->warp_count + 1) * sizeof *all->warps);
        all->warps[all->warp_count++] = part->warps[i];
    }
}

/* Reads the whole recording of a slot, or the events of the SM if `slot` is all slots. */
static void read_slot(struct timeline_reader *reader, uint32_t sm, uint32_t slot, uint32_t slots,
                      struct timeline_data *all)
{
    uint32_t count;
    const struct timeline_chunk *chunks = timeline_read_chunks(reader, sm, &count);
    struct timeline_data part = {0};
    struct simsm_error error;
    *all = (struct timeline_data){0};
    for (uint32_t i = 0; i < count; i++) {
        if (timeline_read_chunk(reader, &chunks[i], &part, &error) != SIMSM_OK)
            die(&error);
        if (slot < slots) {
            join_spans(all, &part, slot);
            join_rest(all, &part, slot);
            continue;
        }
        size_t size = (all->event_count + part.event_count + 1) * sizeof *all->events;
        all->events = realloc(all->events, size);
        if (part.event_count)
            memcpy(all->events + all->event_count, part.events,
                   part.event_count * sizeof *all->events);
        all->event_count += part.event_count;
    }
    timeline_data_free(&part);
}

struct expected {
    uint64_t from, to;
    struct timeline_span span;
    uint32_t mask, at_span, at_issue, at_memory, at_warp, at_event;
};

static void expect_span(struct expected *x, const struct timeline_data *got, uint64_t to)
{
    if (x->span.from >= to || to <= x->from || x->span.from >= x->to)
        return;
    assert_true(x->at_span < got->span_count);
    const struct timeline_span *span = &got->spans[x->at_span++];
    assert_int_equal(span->from, x->span.from);
    assert_int_equal(span->to, to < x->to ? to : x->to);
    assert_int_equal(span->state, x->span.state);
    if (span->state != SIMSM_STATE_ISSUED || span->from >= x->from)
        assert_int_equal(span->pc, x->span.pc);
}

static void expect_event(struct expected *x, const struct timeline_data *got,
                         const struct simsm_event *event)
{
    bool inside = event->cycle >= x->from && event->cycle < x->to;
    switch ((enum simsm_event_kind)event->kind) {
    case SIMSM_EVENT_WARP_STATE:
        expect_span(x, got, event->cycle);
        x->span =
            (struct timeline_span){.from = event->cycle, .pc = event->arg, .state = event->sub};
        return;
    case SIMSM_EVENT_MASK:
        x->mask = event->arg;
        return;
    case SIMSM_EVENT_ISSUE:
        if (!inside)
            return;
        assert_true(x->at_issue < got->issue_count);
        assert_int_equal(got->issues[x->at_issue].cycle, event->cycle);
        assert_int_equal(got->issues[x->at_issue].mask, x->mask);
        assert_int_equal(got->issues[x->at_issue++].pc, event->arg);
        return;
    case SIMSM_EVENT_MEM_START:
    case SIMSM_EVENT_MEM_DONE:
        if (!inside)
            return;
        assert_true(x->at_memory < got->memory_count);
        assert_int_equal(got->memory[x->at_memory].cycle, event->cycle);
        assert_int_equal(got->memory[x->at_memory].done, event->kind == SIMSM_EVENT_MEM_DONE);
        if (event->kind == SIMSM_EVENT_MEM_DONE)
            assert_int_equal(got->memory[x->at_memory].level, event->sub);
        assert_int_equal(got->memory[x->at_memory++].pc, event->arg);
        return;
    case SIMSM_EVENT_WARP_START:
        if (!inside)
            return;
        assert_true(x->at_warp < got->warp_count);
        assert_int_equal(got->warps[x->at_warp].cycle, event->cycle);
        assert_int_equal(got->warps[x->at_warp].block, event->arg);
        assert_int_equal(got->warps[x->at_warp++].warp, event->sub);
        return;
    default:
        if (!inside)
            return;
        assert_true(x->at_event < got->event_count);
        assert_int_equal(got->events[x->at_event].cycle, event->cycle);
        assert_int_equal(got->events[x->at_event].kind, event->kind);
        assert_int_equal(got->events[x->at_event].sub, event->sub);
        assert_int_equal(got->events[x->at_event++].arg, event->arg);
    }
}

/* The file says of one slot exactly what was told within [from, to). */
static void compare_slot(struct timeline_reader *reader, const struct fake_events *events,
                         uint32_t sm, uint32_t slot, uint32_t slots, uint64_t from, uint64_t to)
{
    struct timeline_data got;
    struct expected x = {.from = from, .to = to};
    read_slot(reader, sm, slot, slots, &got);
    for (size_t i = 0; i < events->count; i++) {
        const struct simsm_event *event = &events->list[i];
        bool own = event->kind == SIMSM_EVENT_BLOCK_START || event->kind == SIMSM_EVENT_BLOCK_END ||
                   event->kind == SIMSM_EVENT_BARRIER_RELEASE;
        if (own ? slot == slots : event->unit % SIMSM_SLOTS_PER_SM == slot)
            expect_event(&x, &got, event);
    }
    if (slot < slots)
        expect_span(&x, &got, to);
    assert_int_equal(x.at_span, got.span_count);
    assert_int_equal(x.at_issue, got.issue_count);
    assert_int_equal(x.at_memory, got.memory_count);
    assert_int_equal(x.at_warp, got.warp_count);
    assert_int_equal(x.at_event, got.event_count);
    timeline_data_free(&got);
}

static void free_events(struct fake_events *events, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        free(events[i].list);
}

/* Random events of three SMs, and as they are recorded: in full or terse. */
static uint64_t make_chaos(uint64_t seed, uint64_t *r, uint32_t slots, struct fake_events events[3],
                           struct fake_events told[3])
{
    uint64_t cycles = 0;
    for (uint32_t sm = 0; sm < 3; sm++) {
        uint64_t end = fake_chaos(&events[sm], sm, slots, 300 + fake_random(r) % 3000,
                                  seed % 4 != 0, seed + sm);
        fake_tell(&events[sm], &told[sm], 4, seed % 5 < 3);
        cycles = end > cycles ? end : cycles;
    }
    return cycles;
}

static void random_events_come_back(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= OFTEN(40); seed++) {
        struct simsm_config config;
        struct fake_events events[3] = {0}, told[3] = {0};
        uint64_t r = seed * 77;
        uint32_t slots = 1 + fake_random(&r) % 64, sms[2] = {0, 2};
        fake_config(&config, 3, slots);
        uint64_t cycles = make_chaos(seed, &r, slots, events, told);
        struct timeline_options options = {0};
        if (seed % 3 == 1)
            options = (struct timeline_options){.sm = sms, .sm_count = 2};
        if (seed % 2) {
            options.from = fake_random(&r) % cycles;
            options.to = options.from + 1 + fake_random(&r) % (cycles - options.from);
        }
        record(&config, &options, told, 3, 1 + fake_random(&r) % 500, cycles);
        struct timeline_reader *reader = open_reader();
        const struct timeline_info *info = timeline_read_info(reader);
        assert_null(info->damage);
        assert_int_equal(info->sm_count, options.sm ? 2 : 3);
        for (uint32_t sm = 0; sm < 3; sm++) {
            uint32_t count;
            (void)timeline_read_chunks(reader, sm, &count);
            if (options.sm && sm == 1) {
                assert_int_equal(count, 0);
                continue;
            }
            for (uint32_t slot = 0; slot <= slots; slot++)
                compare_slot(reader, &events[sm], sm, slot, slots, options.from,
                             options.to ? options.to : cycles);
        }
        timeline_read_close(reader);
        free_events(events, 3);
        free_events(told, 3);
    }
}

static void full_chunks_make_room_for_others(void **state)
{
    (void)state;
    struct simsm_config config;
    struct fake_events events = {0};
    uint32_t count;
    fake_config(&config, 1, 4);
    uint64_t cycles = fake_chaos(&events, 0, 4, 30000, false, 3), shortest = UINT64_MAX;
    record(&config, NULL, &events, 1, 1024, cycles);
    struct timeline_reader *reader = open_reader();
    const struct timeline_chunk *chunks = timeline_read_chunks(reader, 0, &count);
    for (uint32_t i = 0; i + 1 < count; i++) {
        uint64_t length = chunks[i].end - chunks[i].begin;
        shortest = length < shortest && chunks[i].raw > 20000 ? length : shortest;
    }
    assert_true(shortest < 65536);
    for (uint32_t slot = 0; slot <= 4; slot++)
        compare_slot(reader, &events, 0, slot, 4, 0, cycles);
    timeline_read_close(reader);
    free(events.list);
}

static void a_plain_memory_is_called_one(void **state)
{
    (void)state;
    struct simsm_config config;
    struct fake_events events = {0};
    fake_config(&config, 1, 16);
    config.memory_model = SIMSM_FIXED_memory_model;
    uint64_t cycles = fake_kernel(&events, 0, 16, 6, 4, 3, 5);
    record(&config, NULL, &events, 1, 100, cycles);
    struct timeline_reader *reader = open_reader();
    const struct timeline_info *info = timeline_read_info(reader);
    assert_string_equal(info->levels[SIMSM_LEVEL_SHARED], "shared memory");
    assert_string_equal(info->levels[SIMSM_LEVEL_L1], "a memory of fixed latency without caches");
    timeline_read_close(reader);
    free_events(&events, 1);
}

/* Slots that share a pipe change all together: more changes than bytes. */
static void slots_change_together(void **state)
{
    (void)state;
    struct simsm_config config;
    struct fake_events events = {0}, told = {0};
    fake_config(&config, 1, 64);
    for (uint64_t cycle = 0; cycle < 5000; cycle++) {
        for (uint32_t s = 0; s < 64; s++) {
            uint32_t ready = s % 3 ? SIMSM_STATE_NOT_SELECTED : SIMSM_STATE_LG_THROTTLE;
            fake_emit(&events, SIMSM_EVENT_WARP_STATE, cycle, s,
                      cycle % 2 ? SIMSM_STATE_MATH_PIPE_THROTTLE : ready, 0);
        }
    }
    fake_tell(&events, &told, 4, true);
    assert_true(told.count < events.count / 8);
    record(&config, NULL, &told, 1, 1000, 5000);
    struct timeline_reader *reader = open_reader();
    uint32_t count;
    assert_null(timeline_read_info(reader)->damage);
    const struct timeline_chunk *chunk = timeline_read_chunks(reader, 0, &count);
    assert_true(count && chunk->changes > chunk->raw);
    for (uint32_t slot = 0; slot <= 64; slot++)
        compare_slot(reader, &events, 0, slot, 64, 0, 5000);
    timeline_read_close(reader);
    free(events.list);
    free(told.list);
}

/* Terse or not, the totals of the states are what the events say. */
static void states_are_summed(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        struct simsm_config config;
        struct fake_events events = {0}, told = {0};
        uint64_t spent[SIMSM_STATE_COUNT] = {0}, since[40] = {0};
        uint8_t now[40] = {0};
        fake_config(&config, 1, 40);
        uint64_t cycles = fake_chaos(&events, 0, 40, 4000, seed % 3 != 0, seed);
        for (size_t i = 0; i < events.count; i++) {
            const struct simsm_event *event = &events.list[i];
            if (event->kind != SIMSM_EVENT_WARP_STATE)
                continue;
            spent[now[event->unit]] += event->cycle - since[event->unit];
            since[event->unit] = event->cycle;
            now[event->unit] = event->sub;
        }
        for (uint32_t s = 0; s < 40; s++)
            spent[now[s]] += cycles - since[s];
        fake_tell(&events, &told, 4, seed % 2);
        record(&config, NULL, &told, 1, 100, cycles);
        struct timeline_reader *reader = open_reader();
        const struct timeline_info *info = timeline_read_info(reader);
        for (uint32_t s = 0; s < SIMSM_STATE_COUNT; s++)
            assert_int_equal(info->totals[0].states[s], spent[s]);
        timeline_read_close(reader);
        free(events.list);
        free(told.list);
    }
}

static void a_kernel_is_described_and_summed(void **state)
{
    (void)state;
    struct simsm_config config;
    struct fake_events events = {0};
    fake_config(&config, 1, 16);
    uint64_t cycles = fake_kernel(&events, 0, 16, 6, 4, 3, 5), issues = 0, sum = 0;
    record(&config, NULL, &events, 1, 100, cycles);
    struct timeline_reader *reader = open_reader();
    const struct timeline_info *info = timeline_read_info(reader);
    for (size_t i = 0; i < events.count; i++)
        issues += events.list[i].kind == SIMSM_EVENT_ISSUE;
    assert_true(info->ended && info->complete);
    assert_string_equal(info->command_line, "simsm fake fake.trace");
    assert_string_equal(info->launch.name, "fake_kernel");
    assert_string_equal(info->trace, "traces/fake.trace");
    assert_non_null(strstr(info->config, "warp_slots: 16"));
    assert_int_equal(info->launch.block[0], 128);
    assert_int_equal(info->occupancy.warps, 8);
    assert_int_equal(info->cycles, cycles);
    assert_int_equal(info->totals[0].issues, issues);
    for (uint32_t s = 0; s < info->state_count; s++) {
        assert_string_equal(info->states[s].name, simsm_states[s].name);
        sum += info->totals[0].states[s];
    }
    assert_int_equal(sum, cycles * 16);
    assert_int_equal(info->totals[0].states[SIMSM_STATE_ISSUED], issues);
    assert_int_equal(info->line_count, FAKE_CODE);
    assert_string_equal(info->lines[FAKE_LDG].text, "LDG R4, [R2]");
    assert_int_equal(info->lines[FAKE_LDG].destination[0].first, 4);
    assert_int_equal(info->ops[info->lines[FAKE_LDG].op].known, SIMSM_OP_LD_GLOBAL);
    assert_string_equal(info->levels[SIMSM_LEVEL_DRAM], "DRAM");
    assert_string_equal(info->counters[SIMSM_COUNTER_BARRIERS].name,
                        simsm_counters[SIMSM_COUNTER_BARRIERS].name);
    assert_int_equal(info->counters[SIMSM_COUNTER_BARRIERS].value, 77);
    timeline_read_close(reader);
    free(events.list);
}

static void a_change_takes_at_most_three_bytes(void **state)
{
    (void)state;
    struct simsm_config config;
    struct fake_events events[4] = {0};
    uint64_t cycles = 0, changes = 0, issues = 0;
    fake_config(&config, 4, 32);
    for (uint32_t sm = 0; sm < 4; sm++) {
        uint64_t end = fake_kernel(&events[sm], sm, 32, 60, 8, 20, sm + 1);
        cycles = end > cycles ? end : cycles;
    }
    struct timespec start, end;
    (void)clock_gettime(CLOCK_MONOTONIC, &start);
    record(&config, NULL, events, 4, 1024, cycles);
    (void)clock_gettime(CLOCK_MONOTONIC, &end);
    struct file file = slurp();
    struct timeline_reader *reader = open_reader();
    for (uint32_t sm = 0; sm < 4; sm++) {
        changes += timeline_read_info(reader)->totals[sm].changes;
        issues += timeline_read_info(reader)->totals[sm].issues;
    }
    double bytes = (double)file.size / (double)changes;
    double ns = (double)(end.tv_sec - start.tv_sec) * 1e9 + (double)(end.tv_nsec - start.tv_nsec);
    print_message("%zu bytes, %llu changes, %llu issues: %.3f bytes per change, %.1f ns per "
                  "issue\n",
                  file.size, (unsigned long long)changes, (unsigned long long)issues, bytes,
                  ns / (double)issues);
    assert_true(changes > 100000);
    assert_true(bytes <= 3.0);
    timeline_read_close(reader);
    free(file.bytes);
    free_events(events, 4);
}

/* Opens a changed file and decodes what opens; returns a sum over all that it says. */
static uint64_t sum_of(const uint8_t *bytes, size_t size, uint64_t *chunks, bool *damaged)
{
    struct simsm_error error = {0};
    struct timeline_reader *reader;
    uint64_t sum = 0;
    *chunks = 0;
    *damaged = true;
    if (timeline_read_memory(&reader, bytes, size, "changed", &error) != SIMSM_OK) {
        assert_int_equal(error.status, SIMSM_BAD_INPUT);
        assert_true(strlen(error.message) > 10);
        return 0;
    }
    const struct timeline_info *info = timeline_read_info(reader);
    struct timeline_data data = {0};
    *damaged = info->damage != NULL;
    assert_true(info->ended || *damaged);
    for (uint32_t i = 0; i < info->sm_count; i++) {
        uint32_t count;
        const struct timeline_chunk *chunk = timeline_read_chunks(reader, info->sm[i], &count);
        for (; count--; chunk++) {
            if (timeline_read_chunk(reader, chunk, &data, &error) != SIMSM_OK) {
                assert_int_equal(error.status, SIMSM_BAD_INPUT);
                *damaged = true;
                continue;
            }
            ++*chunks;
            for (uint32_t n = 0; n < data.span_count; n++)
                sum = sum * 31 + data.spans[n].from * 5 + data.spans[n].to + data.spans[n].state;
            for (uint32_t n = 0; n < data.issue_count; n++)
                sum = sum * 31 + data.issues[n].cycle * 3 + data.issues[n].pc + data.issues[n].mask;
        }
    }
    timeline_data_free(&data);
    timeline_read_close(reader);
    return sum;
}

/* A small file of two SMs and several chunks. */
static struct file small_file(void)
{
    struct simsm_config config;
    struct fake_events events[2] = {0};
    fake_config(&config, 2, 4);
    uint64_t cycles = 0;
    for (uint32_t sm = 0; sm < 2; sm++) {
        uint64_t end = fake_chaos(&events[sm], sm, 4, 150, true, 18 + sm);
        cycles = end > cycles ? end : cycles;
    }
    record(&config, NULL, events, 2, 50, cycles + 70000);
    free_events(events, 2);
    return slurp();
}

static void every_truncation_is_survived(void **state)
{
    (void)state;
    struct file file = small_file();
    uint64_t whole, chunks, last = 0;
    bool damaged;
    uint64_t sum = sum_of(file.bytes, file.size, &whole, &damaged);
    assert_false(damaged);
    assert_true(whole >= 4);
    for (size_t size = 0; size < file.size; size++) {
        uint8_t *cut = malloc(size ? size : 1); /* of exact size: reads beyond it are found */
        memcpy(cut, file.bytes, size);
        uint64_t seen = sum_of(cut, size, &chunks, &damaged);
        assert_true(damaged);
        assert_true(chunks >= last && chunks <= whole);
        if (chunks == whole)
            assert_int_equal(seen, sum);
        last = chunks;
        free(cut);
    }
    assert_int_equal(last, whole);
    free(file.bytes);
}

static void every_flipped_bit_is_found(void **state)
{
    (void)state;
    struct file file = small_file();
    uint64_t whole, chunks, found = 0;
    bool damaged;
    uint64_t sum = sum_of(file.bytes, file.size, &whole, &damaged);
    for (size_t i = 0; i < file.size; i++) {
        for (size_t turn = 0; turn < OFTEN(3); turn++) {
            const unsigned bit = (i + 3 * turn) % 8;
            file.bytes[i] ^= (uint8_t)(1 << bit);
            uint64_t seen = sum_of(file.bytes, file.size, &chunks, &damaged);
            assert_true(damaged || (seen == sum && chunks == whole));
            found += damaged;
            file.bytes[i] ^= (uint8_t)(1 << bit);
        }
    }
    assert_true(found > file.size * OFTEN(3) * 29 / 30);
    free(file.bytes);
}

static void expect_refusal(const char *bytes, size_t size, const char *part)
{
    struct simsm_error error;
    struct timeline_reader *reader;
    assert_int_equal(timeline_read_memory(&reader, bytes, size, "x", &error), SIMSM_BAD_INPUT);
    assert_non_null(strstr(error.message, part));
}

static void strange_files_are_refused(void **state)
{
    (void)state;
    struct file file = small_file();
    expect_refusal("", 0, "empty");
    expect_refusal("SIMSM", 5, "too short");
    expect_refusal("kernel: vecadd, grid 3, block 128", 33, "first bytes are not those");
    file.bytes[8] = 4;
    expect_refusal((const char *)file.bytes, file.size, "format version 4");
    file.bytes[8] = 2;
    expect_refusal((const char *)file.bytes, 200, "cut off");
    free(file.bytes);
    struct simsm_error error;
    struct timeline_reader *reader;
    assert_int_equal(timeline_read_open(&reader, "/nowhere.smtl", &error), SIMSM_BAD_INPUT);
    assert_int_equal(timeline_read_open(&reader, "/", &error), SIMSM_BAD_INPUT);
}

static void contradictions_and_bad_options_are_refused(void **state)
{
    (void)state;
    struct simsm_config config;
    struct simsm_error error;
    struct timeline *timeline;
    struct front front;
    struct simsm_occupancy occupancy = {0};
    uint32_t sm = 5;
    fake_config(&config, 2, 8);
    fake_front(&front);
    struct timeline_options options = {.sm = &sm, .sm_count = 1};
    assert_int_equal(timeline_create(&timeline, path, &config, &options, &error), SIMSM_BAD_INPUT);
    options = (struct timeline_options){.from = 10, .to = 10};
    assert_int_equal(timeline_create(&timeline, path, &config, &options, &error), SIMSM_BAD_INPUT);
    (void)unlink(path);
    assert_int_equal(timeline_create(&timeline, "no/such/folder/x", &config, NULL, &error),
                     SIMSM_BAD_INPUT);
    assert_int_equal(timeline_create(&timeline, path, &config, NULL, &error), SIMSM_OK);
    struct timeline_about about = {.front = &front, .occupancy = &occupancy};
    assert_int_equal(timeline_describe(timeline, &about, &error), SIMSM_OK);
    struct simsm_event events[] = {
        {.cycle = 5, .kind = SIMSM_EVENT_WARP_STATE, .sub = SIMSM_STATE_ISSUED},
        {.cycle = 6, .kind = SIMSM_EVENT_WARP_STATE, .sub = SIMSM_STATE_WAIT},
    };
    const struct simsm_observer *observer = timeline_observer(timeline);
    (void)observer->batch(observer->context, 0, events, 2); /* another thread reads them */
    struct simsm_stats stats = {.cycles = 10};
    assert_int_equal(timeline_finish(timeline, &stats, &error), SIMSM_FAILED);
    assert_non_null(strstr(error.message, "slot 0 of SM 0 was selected without an issue"));
    assert_int_equal(access(path, F_OK), -1);
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
        cmocka_unit_test(random_events_come_back),
        cmocka_unit_test(full_chunks_make_room_for_others),
        cmocka_unit_test(a_plain_memory_is_called_one),
        cmocka_unit_test(states_are_summed),
        cmocka_unit_test(slots_change_together),
        cmocka_unit_test(a_kernel_is_described_and_summed),
        cmocka_unit_test(a_change_takes_at_most_three_bytes),
        cmocka_unit_test(every_truncation_is_survived),
        cmocka_unit_test(every_flipped_bit_is_found),
        cmocka_unit_test(strange_files_are_refused),
        cmocka_unit_test(contradictions_and_bad_options_are_refused),
    };
    return cmocka_run_group_tests(tests, enter_folder, remove_folder);
}
