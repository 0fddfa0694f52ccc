/* The memory system as the core sees it, under load: bandwidths, conservation, independence. */
#include "mem_rig.h"
#include "often.h"

/* Makes the `index`-th request of SM `sm`. */
typedef void cursor_fn(const struct rig *rig, uint32_t sm, uint32_t index,
                       struct mem_request *request, struct lane_addresses *addresses,
                       uint32_t *in_flight);

/* The earliest cycle at which anything can happen in the SM. */
static uint64_t next_of(const struct rig *rig, uint32_t sm, uint32_t total)
{
    uint64_t next = mem_sm_next(rig->sm[sm]);
    bool offers = rig->sent[sm] < total && !rig->waiting[sm];
    return offers && rig->free_at[sm] < next ? rig->free_at[sm] : next;
}

/* Simulates [now, end) of one SM. `log` may be NULL. */
static void run_sm(struct rig *rig, uint32_t sm, uint64_t end, uint32_t total, cursor_fn *cursor,
                   struct record *log)
{
    for (uint64_t now = rig->now; now < end; now++) {
        struct mem_done done[4];
        unsigned count;
        if (rig->skip) {
            uint64_t next = next_of(rig, sm, total);
            if (next >= end)
                break;
            now = next > now ? next : now;
        }
        do {
            count = mem_sm_collect(rig->sm[sm], now, done, 4);
            for (unsigned i = 0; i < count; i++) {
                assert_true(done[i].cycle <= now);
                if (log != NULL)
                    log[done[i].tag] = (struct record){log[done[i].tag].accepted, done[i].cycle,
                                                       rig->collected[sm], done[i].level};
                rig->collected[sm]++;
            }
        } while (count == 4);
        rig->waiting[sm] = false;
        while (rig->sent[sm] < total && rig->free_at[sm] <= now) {
            struct lane_addresses addresses;
            struct mem_request request = {.tag = rig->sent[sm],
                                          .line_stats = &rig->lines[rig->sent[sm] % 4],
                                          .addresses = &addresses};
            uint32_t in_flight = UINT32_MAX;
            cursor(rig, sm, rig->sent[sm], &request, &addresses, &in_flight);
            rig->waiting[sm] = rig->sent[sm] - rig->collected[sm] >= in_flight;
            if (rig->waiting[sm])
                break;
            struct mem_outcome outcome = mem_sm_access(rig->sm[sm], now, &request);
            assert_true(outcome.accepted || outcome.free_at > now);
            rig->free_at[sm] = outcome.free_at;
            if (!outcome.accepted)
                break;
            if (log != NULL)
                log[rig->sent[sm]].accepted = now;
            rig->sent[sm]++;
        }
    }
}

/* Runs all streams to their end; `window` 0 means the longest. Returns the cycle of the end. */
static uint64_t run_all(struct rig *rig, uint32_t total, uint64_t window, bool backwards,
                        cursor_fn *cursor, struct record *log)
{
    uint32_t left = 1;
    if (window == 0)
        window = mem_window(rig->mem);
    while (left != 0) {
        uint64_t next = rig->skip ? MEM_NEVER : rig->now;
        for (uint32_t i = 0; rig->skip && i < rig->sms; i++) {
            uint64_t at = next_of(rig, i, total);
            next = at < next ? at : next;
        }
        assert_true(next != MEM_NEVER);
        rig->now = next > rig->now ? next : rig->now;
        uint64_t end = rig->now + window;
        for (uint32_t i = 0; i < rig->sms; i++) {
            uint32_t sm = backwards ? rig->sms - 1 - i : i;
            run_sm(rig, sm, end, total, cursor, log != NULL ? log + (size_t)sm * LOG_ROOM : NULL);
        }
        mem_exchange(rig->mem, end, &rig->shared);
        rig->now = end;
        left = 0;
        for (uint32_t i = 0; i < rig->sms; i++)
            left += total - rig->collected[i];
        assert_true(rig->now < 50000000);
    }
    return rig->now;
}

static void ascending(const struct rig *rig, uint32_t sm, uint32_t index,
                      struct mem_request *request, struct lane_addresses *addresses,
                      uint32_t *in_flight)
{
    *addresses = affine((uint64_t)(index * rig->sms + sm) * 128, 4);
    *in_flight = 200;
    request->op = SIMSM_OP_LD_GLOBAL;
    request->width = 4;
    request->lanes = UINT32_MAX;
}

static void ascending_store(const struct rig *rig, uint32_t sm, uint32_t index,
                            struct mem_request *request, struct lane_addresses *addresses,
                            uint32_t *in_flight)
{
    ascending(rig, sm, index, request, addresses, in_flight);
    request->op = SIMSM_OP_ST_GLOBAL;
}

/* All SMs read the same 512 KiB over and over, which L2 holds and L1 does not. */
static void in_l2(const struct rig *rig, uint32_t sm, uint32_t index, struct mem_request *request,
                  struct lane_addresses *addresses, uint32_t *in_flight)
{
    ascending(rig, sm, index, request, addresses, in_flight);
    *addresses = affine((uint64_t)(index + sm * 512) % 4096 * 128, 4);
}

static void in_l1(const struct rig *rig, uint32_t sm, uint32_t index, struct mem_request *request,
                  struct lane_addresses *addresses, uint32_t *in_flight)
{
    ascending(rig, sm, index, request, addresses, in_flight);
    *addresses = affine((uint64_t)(index % 64) * 128, 4);
}

static void within(double value, double expected, double tolerance)
{
    if (value < expected * (1 - tolerance) || value > expected * (1 + tolerance))
        fail_msg("%g is not within %g %% of %g", value, tolerance * 100, expected);
}

static void bandwidth_of_l1(void **state)
{
    (void)state;
    struct rig rig;
    struct simsm_config c = mem_config(SIMSM_FULL_memory_model);
    for (uint32_t interval = 1; interval <= 2; interval++) {
        c.mio_stage_interval = interval;
        rig_open(&rig, &c, 1);
        uint64_t end = run_all(&rig, 40000, 0, false, in_l1, NULL);
        within(40000.0 * 128 / (double)end, 128.0 / interval, 0.02);
        rig_close(&rig);
    }
}

static void bandwidth_of_l2(void **state)
{
    (void)state;
    struct rig rig;
    struct simsm_config c = mem_config(SIMSM_FULL_memory_model);
    c.dram_bandwidth_gbs = 100000;
    c.l2_slices = 4;
    rig_open(&rig, &c, MAX_SMS);
    (void)run_all(&rig, 8000, 0, false, in_l2, NULL); /* slices are the limit */
    uint64_t start = rig.now;
    uint64_t end = run_all(&rig, 24000, 0, false, in_l2, NULL);
    within(16000.0 * MAX_SMS * 128 / (double)(end - start), 4.0 * c.l2_slice_bytes, 0.02);
    rig_close(&rig);
    c.l2_slices = 64;
    rig_open(&rig, &c, 2);
    (void)run_all(&rig, 8000, 0, false, in_l2, NULL); /* the SM's port is the limit */
    start = rig.now;
    end = run_all(&rig, 24000, 0, false, in_l2, NULL);
    within(16000.0 * 2 * 128 / (double)(end - start), 2.0 * c.xbar_reply_bytes, 0.02);
    rig_close(&rig);
}

static void bandwidth_of_dram(void **state)
{
    (void)state;
    struct rig rig;
    struct simsm_config c = mem_config(SIMSM_FULL_memory_model);
    enum { LOADS = 16000 };
    double bytes = (double)LOADS * MAX_SMS * 128;
    c.dram_row_miss_ns = 0;
    rig_open(&rig, &c, MAX_SMS);
    uint64_t end = run_all(&rig, LOADS, 0, false, ascending, NULL);
    assert_int_equal(rig_count(&rig, SIMSM_COUNTER_DRAM_READ_BYTES), (uint64_t)bytes);
    /* At 1 GHz a GB/s is a byte a cycle. */
    within(bytes / (double)end, c.dram_bandwidth_gbs * c.dram_efficiency, 0.02);
    rig_close(&rig);
    c.dram_row_miss_ns = 10;
    rig_open(&rig, &c, MAX_SMS);
    end = run_all(&rig, LOADS, 0, false, ascending, NULL);
    double misses = (double)rig_count(&rig, SIMSM_COUNTER_DRAM_ROW_MISSES);
    assert_true(misses >= bytes / c.dram_row_bytes);
    within((double)end,
           bytes / (c.dram_bandwidth_gbs * c.dram_efficiency) + misses * 10 / c.dram_channels,
           0.02);
    rig_close(&rig);
    /* Stores beyond the size of L2 come out at the same rate, if the SMs' ports allow it. */
    c.dram_row_miss_ns = 0;
    c.dram_bandwidth_gbs = 160;
    c.dram_turnaround_ns = 0;
    rig_open(&rig, &c, MAX_SMS);
    (void)run_all(&rig, LOADS, 0, false, ascending_store, NULL);
    uint64_t start = rig.now, written = rig_count(&rig, SIMSM_COUNTER_DRAM_WRITE_BYTES);
    end = run_all(&rig, 2 * LOADS, 0, false, ascending_store, NULL);
    written = rig_count(&rig, SIMSM_COUNTER_DRAM_WRITE_BYTES) - written;
    within((double)written / (double)(end - start), c.dram_bandwidth_gbs * c.dram_efficiency, 0.02);
    rig_close(&rig);
}

/* Any operation, pattern, width and mask; the same for the same SM and index. */
static void anything(const struct rig *rig, uint32_t sm, uint32_t index,
                     struct mem_request *request, struct lane_addresses *addresses,
                     uint32_t *in_flight)
{
    static const uint8_t ops[] = {SIMSM_OP_LD_GLOBAL, SIMSM_OP_LD_GLOBAL,   SIMSM_OP_LD_GLOBAL,
                                  SIMSM_OP_ST_GLOBAL, SIMSM_OP_ATOM_GLOBAL, SIMSM_OP_RED_GLOBAL,
                                  SIMSM_OP_LD_LOCAL,  SIMSM_OP_ST_LOCAL,    SIMSM_OP_TEX,
                                  SIMSM_OP_LD_SHARED, SIMSM_OP_ST_SHARED,   SIMSM_OP_ATOM_SHARED,
                                  SIMSM_OP_COPY_ASYNC};
    uint64_t random = rig->config.run_seed * 1000003ull + sm * 7919ull + index * 104729ull;
    uint64_t range = UINT64_C(256) << next_random(&random) % 16;
    uint32_t width = 1u << next_random(&random) % 5;
    *addresses = next_random(&random) % 2
                     ? scattered(&random, 0, range, next_random(&random) % 8 ? width : 1)
                     : affine(next_random(&random) % range / width * width,
                              (int64_t)(next_random(&random) % 200) - 60);
    *in_flight = 1 + index / 64 % 5 * 60;
    request->op = ops[next_random(&random) % sizeof ops];
    request->width = (uint8_t)width;
    request->lanes = next_random(&random) % 3 ? UINT32_MAX : (uint32_t)next_random(&random);
    if (next_random(&random) % 32 == 0)
        request->lanes = 0;
}

/* A device so small that everything is short: registers, merges, sets, banks, queues. */
static struct simsm_config cramped(enum simsm_memory_model model)
{
    struct simsm_config c = mem_config(model);
    c.sm_l1_shared_bytes = FIXTURE_SHARED + 5 * 1024;
    c.l1_ways = 3;
    c.l1_mshrs = 20;
    c.l1_mshr_merges = 3;
    c.l2_bytes = 96 * 1024;
    c.l2_slices = 5;
    c.l2_ways = 7;
    c.l2_fetch_bytes = 64;
    c.xbar_request_bytes = 24;
    c.xbar_latency = 37;
    c.dram_channels = 3;
    c.dram_bandwidth_gbs = 60;
    c.dram_banks = 3;
    return c;
}

static void compare_runs(const struct simsm_config *config)
{
    enum { TOTAL = 1500, SMS = 4 };
    static struct record first[SMS * LOG_ROOM], other[SMS * LOG_ROOM];
    static const struct {
        uint64_t window;
        bool backwards, skip;
    } ways[] = {{0, false, false}, {0, true, false}, {1, false, false}, {7, true, false},
                {0, false, true},  {1, true, true},  {7, false, true}};
    struct rig rig, reference;
    for (unsigned i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct record *log = i == 0 ? first : other;
        memset(log, 0, sizeof first);
        rig_open(&rig, config, SMS);
        rig.skip = ways[i].skip;
        (void)run_all(&rig, TOTAL, ways[i].window, ways[i].backwards, anything, log);
        rig_close(&rig);
        assert_int_equal(rig_count(&rig, SIMSM_COUNTER_MEM_REQUESTS_STARTED), TOTAL * SMS);
        assert_int_equal(rig_count(&rig, SIMSM_COUNTER_MEM_REQUESTS_DONE), TOTAL * SMS);
        if (i == 0) {
            reference = rig;
            continue;
        }
        assert_memory_equal(first, other, sizeof first);
        assert_memory_equal(rig.tally, reference.tally, sizeof rig.tally);
        assert_memory_equal(&rig.shared, &reference.shared, sizeof rig.shared);
    }
}

static void independent_of_window_and_order(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= OFTEN(2); seed++) {
        struct simsm_config c = mem_config(SIMSM_FULL_memory_model);
        c.run_seed = seed;
        compare_runs(&c);
        c = cramped(SIMSM_FULL_memory_model);
        c.run_seed = seed;
        compare_runs(&c);
        c.l2_latency = mem_front_cycles(&c) + 2 * c.xbar_latency; /* replies come back at once */
        compare_runs(&c);
        c.l1_global_loads = false;
        c.l1_line_bytes = 64;
        c.l2_line_bytes = 32;
        compare_runs(&c);
        c.l1_line_bytes = 32;
        c.l2_line_bytes = 128;
        c.sm_l1_shared_bytes = FIXTURE_SHARED;
        compare_runs(&c);
        c = cramped(SIMSM_FIXED_memory_model);
        compare_runs(&c);
        c = cramped(SIMSM_IDEAL_memory_model);
        compare_runs(&c);
    }
}

static void completions_are_ordered(void **state)
{
    (void)state;
    enum { TOTAL = 3000 };
    static struct record log[LOG_ROOM];
    static const struct record *by_order[TOTAL];
    for (int model = 0; model < SIMSM_COUNT_memory_model; model++) {
        struct simsm_config c = cramped((enum simsm_memory_model)model);
        struct rig rig;
        memset(log, 0, sizeof log);
        rig_open(&rig, &c, 1);
        (void)run_all(&rig, TOTAL, 0, false, anything, log);
        for (uint32_t i = 0; i < TOTAL; i++)
            by_order[log[i].order] = &log[i];
        for (uint32_t i = 1; i < TOTAL; i++) {
            assert_true(by_order[i - 1]->done <= by_order[i]->done);
            if (by_order[i - 1]->done == by_order[i]->done)
                assert_true(by_order[i - 1] < by_order[i]); /* order of acceptance */
        }
        rig_close(&rig);
    }
}

/* Sectors, requests and wavefronts do not depend on the grade. */
static void grades_count_alike(void **state)
{
    (void)state;
    static const enum simsm_counter same[] = {
        SIMSM_COUNTER_GLOBAL_LD_REQUESTS,   SIMSM_COUNTER_GLOBAL_LD_SECTORS,
        SIMSM_COUNTER_GLOBAL_LD_BYTES,      SIMSM_COUNTER_GLOBAL_ST_SECTORS,
        SIMSM_COUNTER_GLOBAL_ATOM_REQUESTS, SIMSM_COUNTER_GLOBAL_ATOM_SECTORS,
        SIMSM_COUNTER_LOCAL_SECTORS,        SIMSM_COUNTER_SHARED_LD_WAVEFRONTS,
        SIMSM_COUNTER_SHARED_ST_CONFLICTS,  SIMSM_COUNTER_SHARED_ATOM_WAVEFRONTS,
        SIMSM_COUNTER_LDGSTS_INST,          SIMSM_COUNTER_LDGSTS_SECTORS,
        SIMSM_COUNTER_LDGSTS_BYTES,
    };
    uint64_t value[SIMSM_COUNT_memory_model][sizeof same / sizeof *same];
    struct simsm_line_stats lines[SIMSM_COUNT_memory_model][4];
    memset(lines, 0, sizeof lines);
    for (int model = 0; model < SIMSM_COUNT_memory_model; model++) {
        struct simsm_config c = cramped((enum simsm_memory_model)model);
        struct rig rig;
        rig_open(&rig, &c, 1);
        (void)run_all(&rig, 3000, 0, false, anything, NULL);
        for (unsigned i = 0; i < sizeof same / sizeof *same; i++)
            value[model][i] = rig_count(&rig, same[i]);
        memcpy(lines[model], rig.lines, sizeof rig.lines);
        for (unsigned i = 0; i < 4; i++)
            lines[model][i].sector_hits = 0; /* only grades with caches have hits */
        assert_true(value[model][1] > 0);
        rig_close(&rig);
    }
    assert_memory_equal(value[0], value[1], sizeof value[0]);
    assert_memory_equal(value[0], value[2], sizeof value[0]);
    assert_memory_equal(lines[0], lines[1], sizeof lines[0]);
    assert_memory_equal(lines[0], lines[2], sizeof lines[0]);
    assert_true(lines[0][0].sectors > 0);
}

/* 160 LDGSTS of 8 bytes a lane, then 80 LDG of 4. */
static void copies_and_loads(const struct rig *rig, uint32_t sm, uint32_t index,
                             struct mem_request *request, struct lane_addresses *addresses,
                             uint32_t *in_flight)
{
    (void)rig;
    (void)sm;
    bool copies = index < 160;
    request->op = copies ? SIMSM_OP_COPY_ASYNC : SIMSM_OP_LD_GLOBAL;
    request->width = copies ? 8 : 4;
    request->lanes = UINT32_MAX;
    *addresses = affine(index * 256, request->width);
    *in_flight = 1;
}

/*
 * L1 counts LDGSTS among the loads; the counters of instructions have it apart.
 * SOURCE: H200, Nsight Compute, a kernel of these 240 instructions; the hit rate is another there.
 */
static void copies_are_counted_apart(void **state)
{
    (void)state;
    static const struct {
        enum simsm_counter id;
        uint64_t value;
    } measured[] = {
        {SIMSM_COUNTER_GLOBAL_LD_REQUESTS, 240}, {SIMSM_COUNTER_GLOBAL_LD_SECTORS, 1600},
        {SIMSM_COUNTER_GLOBAL_LD_BYTES, 10240},  {SIMSM_COUNTER_LDGSTS_INST, 160},
        {SIMSM_COUNTER_LDGSTS_SECTORS, 1280},    {SIMSM_COUNTER_LDGSTS_BYTES, 40960},
    };
    struct simsm_config c = mem_config(SIMSM_FULL_memory_model);
    struct rig rig;
    rig_open(&rig, &c, 1);
    (void)run_all(&rig, 240, 0, false, copies_and_loads, NULL);
    for (unsigned i = 0; i < sizeof measured / sizeof *measured; i++)
        if (rig_count(&rig, measured[i].id) != measured[i].value)
            fail_msg("%s is %llu, measured %llu", simsm_counters[measured[i].id].name,
                     (unsigned long long)rig_count(&rig, measured[i].id),
                     (unsigned long long)measured[i].value);
    rig_close(&rig);
}

/* Skipping to what mem_sm_next says changes nothing, idle SMs with packets on their way included.
 */
static void next_misses_nothing(void **state)
{
    (void)state;
    struct simsm_config c = mem_config(SIMSM_FULL_memory_model);
    struct rig rig;
    struct mem_done done;
    struct lane_addresses a = affine(0, 128);
    struct mem_request request = {
        .op = SIMSM_OP_ST_GLOBAL, .width = 4, .lanes = UINT32_MAX, .addresses = &a};
    c.xbar_request_bytes = 1; /* 32 cycles a packet: most leave in later windows */
    rig_open(&rig, &c, 1);
    assert_true(mem_sm_access(rig.sm[0], 0, &request).accepted);
    uint64_t now = 0, visits = 0;
    while (mem_sm_collect(rig.sm[0], now, &done, 1) == 0) {
        uint64_t end = now + mem_window(rig.mem);
        for (uint64_t next = now; next < end; visits++) {
            uint64_t before = next;
            next = mem_sm_next(rig.sm[0]);
            if (next <= before)
                next = before + 1;
            assert_int_equal(mem_sm_collect(rig.sm[0], before, &done, 0), 0);
        }
        mem_exchange(rig.mem, end, &rig.shared);
        uint64_t next = mem_sm_next(rig.sm[0]);
        assert_true(next != MEM_NEVER);
        assert_true(next >= end);
        now = next;
    }
    /* The first leaves L1 after 32 passes of data and 8 of tags. */
    assert_int_equal(done.cycle, 31 + 7 + 31 * 32 + c.xbar_latency);
    assert_true(visits < 200);
    rig_close(&rig);
}

/* Configurations at and near the ends of what the keys allow: nothing hangs, all are answered. */
static void extreme_configurations(void **state)
{
    (void)state;
    uint64_t random = 77;
    for (unsigned round = 0; round < 60; round++) {
        struct simsm_config c = cramped(SIMSM_FULL_memory_model);
        static const uint32_t lines[] = {32, 64, 128, 256};
        struct rig rig;
        c.run_seed = round + 1;
        c.l1_line_bytes = lines[next_random(&random) % 4];
        c.l2_line_bytes = lines[next_random(&random) % 4];
        c.l2_fetch_bytes = lines[next_random(&random) % 4];
        c.l1_ways = next_random(&random) % 2 ? 1 : 1024;
        c.l1_mshrs = next_random(&random) % 2 ? 1 : 4096;
        c.l1_mshr_merges = next_random(&random) % 2 ? 1 : 1024;
        c.l1_tags_per_cycle = next_random(&random) % 2 ? 1 : 32;
        c.l1_latency = next_random(&random) % 2 ? 1 : 1000;
        c.xbar_latency = next_random(&random) % 2 ? 2 : 10000;
        c.xbar_request_bytes = next_random(&random) % 2 ? 1 : 1024;
        c.xbar_reply_bytes = next_random(&random) % 2 ? 1 : 1024;
        c.l2_bytes = next_random(&random) % 2 ? 1024 : 1 << 20;
        c.l2_slices = next_random(&random) % 2 ? 1 : 100;
        c.l2_ways = next_random(&random) % 2 ? 1 : 64;
        c.l2_latency = next_random(&random) % 2 ? 1 : 3000;
        c.l2_slice_bytes = next_random(&random) % 2 ? 1 : 1024;
        c.dram_latency = next_random(&random) % 2 ? 1 : 20000;
        c.dram_channels = next_random(&random) % 2 ? 1 : 256;
        c.dram_banks = next_random(&random) % 2 ? 1 : 256;
        c.dram_row_bytes = next_random(&random) % 2 ? 64 : 65536;
        c.mio_queue_latency = next_random(&random) % 2 ? 0 : 64;
        c.shared_banks = next_random(&random) % 2 ? 1 : 64;
        rig_open(&rig, &c, 2);
        rig.skip = true;
        (void)run_all(&rig, 60, 0, false, anything, NULL);
        assert_int_equal(rig_count(&rig, SIMSM_COUNTER_MEM_REQUESTS_DONE), 120);
        rig_close(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bandwidth_of_l1),
        cmocka_unit_test(bandwidth_of_l2),
        cmocka_unit_test(bandwidth_of_dram),
        cmocka_unit_test(independent_of_window_and_order),
        cmocka_unit_test(completions_are_ordered),
        cmocka_unit_test(grades_count_alike),
        cmocka_unit_test(copies_are_counted_apart),
        cmocka_unit_test(next_misses_nothing),
        cmocka_unit_test(extreme_configurations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
