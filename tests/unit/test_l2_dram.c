/* L2 slices and DRAM channels, asked directly. */
#include "mem_fixture.h"

#include "mem/l2.h"

static struct arena arena;

enum { EXTRA = 300 };

struct device {
    struct simsm_config config;
    struct l2 l2;
    struct tally tally;
};

static void device_open(struct device *d, const struct simsm_config *config)
{
    memset(d, 0, sizeof *d);
    d->config = *config;
    assert_true(l2_init(&d->l2, &arena, &arena, config, EXTRA));
}

static uint32_t get(struct device *d, uint64_t cycle, uint64_t line, uint32_t mask,
                    struct l2_reply reply[L2_REPLIES])
{
    struct l2_request request = {cycle, line, l2_places(&d->l2, line, 0), mask, UINT64_MAX};
    return l2_read(&d->l2, &d->tally, &request, reply);
}

/* `repeat` lanes on one address of each sector. */
static uint64_t add(struct device *d, uint64_t cycle, uint64_t line, uint32_t mask, uint32_t repeat,
                    struct l2_reply *reply)
{
    struct l2_request request = {cycle, line, l2_places(&d->l2, line, 0), mask, UINT64_MAX};
    uint32_t turns = repeat * (uint32_t)__builtin_popcount(mask);
    struct l2_work work = {repeat, turns, 0, ATOMIC_INTEGER};
    return l2_atomic(&d->l2, &d->tally, &request, &work, reply);
}

static uint64_t put(struct device *d, uint64_t cycle, uint64_t line, uint32_t mask)
{
    struct l2_request request = {cycle, line, l2_places(&d->l2, line, 0), mask, UINT64_MAX};
    return l2_write(&d->l2, &d->tally, &request);
}

static uint64_t counted(const struct device *d, enum simsm_counter id)
{
    return d->tally.counter[id];
}

static void hits_and_misses(void **state)
{
    (void)state;
    struct device d;
    struct l2_reply reply[L2_REPLIES];
    struct simsm_config c = mem_config(SIMSM_FULL_memory_model);
    c.l2_fetch_bytes = 64;
    device_open(&d, &c);
    assert_int_equal(get(&d, 100, 5, 1, reply), 1);
    assert_int_equal(reply[0].cycle, 100 + EXTRA + 1); /* the second sector takes a fraction more */
    assert_int_equal(reply[0].level, SIMSM_LEVEL_DRAM);
    assert_int_equal(counted(&d, SIMSM_COUNTER_DRAM_READ_BYTES), 64);
    /* The neighbouring sector is read together with it: no second read. */
    assert_int_equal(get(&d, 150, 5, 2, reply), 1);
    assert_int_equal(reply[0].cycle, 100 + EXTRA + 1);
    assert_int_equal(reply[0].level, SIMSM_LEVEL_DRAM);
    assert_int_equal(counted(&d, SIMSM_COUNTER_DRAM_READ_BYTES), 64);
    assert_int_equal(counted(&d, SIMSM_COUNTER_L2_READ_HITS), 1); /* it counts as found */
    /* Later both are there; the other half of the line is not. */
    assert_int_equal(get(&d, 1000, 5, 7, reply), 2);
    assert_int_equal(reply[0].mask, 3);
    assert_int_equal(reply[0].level, SIMSM_LEVEL_L2);
    assert_int_equal(reply[0].cycle, 1002); /* 96 bytes at 32 a cycle */
    assert_int_equal(reply[1].mask, 4);
    assert_int_equal(reply[1].level, SIMSM_LEVEL_DRAM);
    assert_int_equal(counted(&d, SIMSM_COUNTER_L2_READ_SECTORS), 5);
    assert_int_equal(counted(&d, SIMSM_COUNTER_L2_READ_HITS), 3);
    assert_int_equal(counted(&d, SIMSM_COUNTER_DRAM_READ_BYTES), 128);
    /* A sector that a store has written is not read from DRAM. */
    (void)put(&d, 2000, 6, 1);
    (void)get(&d, 2100, 6, 2, reply);
    assert_int_equal(counted(&d, SIMSM_COUNTER_DRAM_READ_BYTES), 160);
    arena_free(&arena);
}

/* Stores stay in L2 until their line gives way, and then go out whole. */
static void dirty_lines_are_written(void **state)
{
    (void)state;
    struct device d;
    struct l2_reply reply[L2_REPLIES];
    struct simsm_config c = mem_config(SIMSM_FULL_memory_model);
    c.l2_slices = 1;
    c.l2_bytes = 4 * 128;
    c.l2_ways = 4;
    device_open(&d, &c);
    assert_int_equal(put(&d, 0, 10, 3), 1);
    assert_int_equal(put(&d, 10, 10, 4), 10);
    assert_int_equal(get(&d, 20, 10, 7, reply), 1);
    assert_int_equal(reply[0].level, SIMSM_LEVEL_L2);
    for (uint64_t line = 11; line < 14; line++)
        (void)get(&d, 100, line, 1, reply);
    assert_int_equal(counted(&d, SIMSM_COUNTER_DRAM_WRITE_BYTES), 0);
    (void)get(&d, 200, 14, 1, reply);
    assert_int_equal(counted(&d, SIMSM_COUNTER_DRAM_WRITE_BYTES), 96);
    for (uint64_t line = 15; line < 30; line++) /* clean lines cost nothing */
        (void)get(&d, 300, line, 1, reply);
    assert_int_equal(counted(&d, SIMSM_COUNTER_DRAM_WRITE_BYTES), 96);
    assert_int_equal(counted(&d, SIMSM_COUNTER_L2_WRITE_SECTORS), 3);
    arena_free(&arena);
}

static void atomics_take_turns(void **state)
{
    (void)state;
    struct device d;
    struct l2_reply reply;
    struct simsm_config c = mem_config(SIMSM_FULL_memory_model);
    device_open(&d, &c);
    (void)put(&d, 0, 8, 15);
    (void)put(&d, 0, 9, 15);
    (void)add(&d, 100, 8, 1, 1, &reply);
    assert_int_equal(reply.cycle, 100);
    assert_int_equal(reply.level, SIMSM_LEVEL_L2);
    uint64_t turn = add(&d, 101, 8, 1, 10, &reply);
    assert_int_equal(turn, 100 + (uint64_t)c.l2_atomic_interval);
    assert_int_equal(reply.cycle, 100 + 10 * (uint64_t)c.l2_atomic_interval);
    (void)add(&d, 102, 9, 1, 1, &reply); /* another address */
    assert_int_equal(reply.cycle, 102);
    (void)add(&d, 103, 8, 2, 1, &reply); /* another sector */
    assert_int_equal(reply.cycle, 103);
    assert_int_equal(counted(&d, SIMSM_COUNTER_L2_ATOM_SECTORS), 4);
    arena_free(&arena);
}

/* Every slice and set gets its share of any aligned run of lines, whatever their numbers. */
static void lines_spread_evenly(void **state)
{
    (void)state;
    static const uint32_t slices[] = {1, 32, 44, 80, 96, 7};
    for (unsigned i = 0; i < 2 * (sizeof slices / sizeof *slices); i++) {
        struct device d;
        struct simsm_config c = mem_config(SIMSM_FULL_memory_model);
        c.l2_slices = slices[i / 2];
        c.l2_bytes = slices[i / 2] * 96 * 1024;
        c.l2_slice_of_four = i % 2 != 0;
        device_open(&d, &c);
        uint32_t sets = d.l2.tags.sets;
        uint64_t lines = (uint64_t)sets * c.l2_ways;
        uint8_t *count = calloc(sets, 1);
        assert_non_null(count);
        for (uint64_t line = 3 * lines; line < 4 * lines; line++)
            count[l2_places(&d.l2, line, 0).near.set]++;
        for (uint32_t set = 0; set < sets; set++)
            assert_int_equal(count[set], c.l2_ways);
        free(count);
        arena_free(&arena);
    }
}

/* l2.slice_of_four: lines 0, 1, 4 and 5 of 8, and the others, unless each has its own. */
static void lines_share_a_slice(void **state)
{
    (void)state;
    static const uint32_t other[8] = {0, 0, 1, 1, 0, 0, 1, 1};
    for (unsigned four = 0; four < 2; four++) {
        struct device d;
        struct simsm_config c = mem_config(SIMSM_FULL_memory_model);
        c.l2_slice_of_four = four != 0;
        device_open(&d, &c);
        for (uint64_t line = 1; line < 8; line++) {
            bool same =
                l2_places(&d.l2, 800 + line, 0).near.slice == l2_places(&d.l2, 800, 0).near.slice;
            assert_int_equal(same, four != 0 && other[line] == 0);
        }
        arena_free(&arena);
    }
}

/* Two partitions: each has one of two pieces of 4 KB, and its 47 slices share 256 KB almost evenly.
 */
static void partitions_share_evenly(void **state)
{
    (void)state;
    struct device d;
    struct simsm_config c = mem_config(SIMSM_FULL_memory_model);
    c.l2_partitions = 2;
    c.l2_slices = 94;
    c.l2_slice_of_four = true;
    device_open(&d, &c);
    for (uint64_t begin = 0; begin < 1 << 20; begin += 2048) { /* lines of 256 KB */
        uint32_t count[94] = {0};
        for (uint64_t line = begin; line < begin + 2048; line++)
            count[l2_places(&d.l2, line, l2_owner(&d.l2, line)).own.slice]++;
        for (uint32_t slice = 0; slice < 94; slice++)
            assert_in_range(count[slice], 16, 28); /* 21.8 lines in the mean */
    }
    for (uint64_t line = 0; line < 1 << 16; line++) {
        assert_int_not_equal(l2_owner(&d.l2, line), l2_owner(&d.l2, line ^ 32));
        assert_int_equal(l2_owner(&d.l2, line), l2_owner(&d.l2, line ^ 31));
    }
    arena_free(&arena);
}

/* Lines a large power of two apart do not all meet in one slice. */
static void strides_spread_too(void **state)
{
    (void)state;
    struct device d;
    struct simsm_config c = mem_config(SIMSM_FULL_memory_model);
    device_open(&d, &c);
    for (uint32_t shift = 5; shift < 30; shift++) {
        uint32_t count[32] = {0}, most = 0;
        for (uint64_t i = 0; i < 3200; i++) {
            uint32_t slice = l2_places(&d.l2, i << shift, 0).near.slice;
            most = ++count[slice] > most ? count[slice] : most;
        }
        assert_true(most < 200); /* 100 if perfectly even */
    }
    arena_free(&arena);
}

static void division_is_exact(void **state)
{
    (void)state;
    uint64_t random = 11;
    for (unsigned i = 0; i < 200000; i++) {
        uint32_t n = (uint32_t)(next_random(&random) >> next_random(&random) % 32) | 1;
        uint64_t x = next_random(&random) >> (12 + next_random(&random) % 50);
        struct spread spread = spread_over(n + (uint32_t)(i % 2));
        uint32_t rest;
        uint64_t quotient = spread_divide(&spread, x, &rest);
        assert_true(quotient == x / spread.n && rest == x % spread.n);
        assert_true(spread_place(&spread, x, &quotient) < spread.n);
    }
}

static struct simsm_config one_channel(void)
{
    struct simsm_config c = mem_config(SIMSM_FULL_memory_model);
    c.dram_channels = 1;
    c.dram_bandwidth_gbs = 32; /* at 1 GHz: a sector a cycle */
    c.dram_efficiency = 1;
    c.dram_banks = 2;
    c.dram_row_miss_ns = 10;
    c.dram_turnaround_ns = 7;
    return c;
}

/* Two rows stay open: there are two banks, or more of which two keep their rows open. */
static void channel_rows(void **state)
{
    (void)state;
    enum { ROW = 2048 / 128 };
    for (uint32_t open_rows = 0; open_rows <= 2; open_rows += 2) {
        struct dram dram = {0};
        struct tally tally = {0};
        const uint64_t *counter = tally.counter;
        struct simsm_config c = one_channel();
        c.dram_open_rows = open_rows;
        c.dram_banks = open_rows != 0 ? 16 : 2;
        assert_true(dram_init(&dram, &arena, &c, 128));
        assert_int_equal(dram_read(&dram, &tally, 100, 0, 1), 100);   /* opens row 0 */
        assert_int_equal(dram_read(&dram, &tally, 100, 1, 1), 111);   /* behind it */
        assert_int_equal(dram_read(&dram, &tally, 100, 2, 4), 115);   /* 112 and three more */
        assert_int_equal(dram_read(&dram, &tally, 200, ROW, 1), 200); /* row 1: the second bank */
        assert_int_equal(dram_read(&dram, &tally, 300, 0, 1), 300);
        assert_int_equal(counter[SIMSM_COUNTER_DRAM_ROW_MISSES], 2);
        assert_int_equal(dram_read(&dram, &tally, 400, 2 * ROW, 1), 400); /* row 2 closes row 1 */
        assert_int_equal(dram_read(&dram, &tally, 500, 1, 1), 500);       /* row 0 is still open */
        assert_int_equal(counter[SIMSM_COUNTER_DRAM_ROW_MISSES], 3);
        assert_int_equal(dram_read(&dram, &tally, 600, ROW, 1), 600);
        assert_int_equal(counter[SIMSM_COUNTER_DRAM_ROW_MISSES], 4);
        assert_int_equal(counter[SIMSM_COUNTER_DRAM_ACCESSES], 8);
        arena_free(&arena);
    }
}

/* An idle channel writes until a read comes, but DRAM_WRITES_LEAST at least. */
static void reads_interrupt_writes(void **state)
{
    (void)state;
    struct dram dram;
    struct tally tally;
    struct simsm_config c = one_channel();
    enum { WAITING = 20, LINE = 4 };
    memset(&dram, 0, sizeof dram);
    memset(&tally, 0, sizeof tally);
    assert_true(dram_init(&dram, &arena, &c, 128));
    (void)dram_read(&dram, &tally, 0, 0, 1); /* the channel is busy until 11 */
    for (unsigned i = 0; i < WAITING; i++)
        (void)dram_write(&dram, &tally, 5, 1, LINE);
    /* Idle from 11: turned at 18, four writes until 34, turned back at 41. */
    assert_int_equal(dram_read(&dram, &tally, 20, 2, 1), 18 + DRAM_WRITES_LEAST * LINE + 7);
    /* Idle from 42: turned at 49, until the read at 60 three writes, the fourth until 65. */
    assert_int_equal(dram_read(&dram, &tally, 60, 2, 1), 49 + 4 * LINE + 7);
    /* Idle from 73: turned at 80, six writes until the read at 103. */
    assert_int_equal(dram_read(&dram, &tally, 103, 2, 1), 80 + 6 * LINE + 7);
    assert_int_equal(tally.counter[SIMSM_COUNTER_DRAM_ACCESSES], 4 + 4 + 4 + 6);
    arena_free(&arena);
}

/* A write to a row that is not open takes as long as a read of l2.fetch_bytes from such a row, but
 * a whole line no longer than its bytes: other rows open meanwhile. */
static void rows_of_writes(void **state)
{
    (void)state;
    struct dram dram;
    struct tally tally;
    struct simsm_config c = one_channel();
    enum { ROW = 2048 / 128, LINE = 4 };
    c.l2_fetch_bytes = 64;
    memset(&tally, 0, sizeof tally);
    for (unsigned whole = 0; whole < 2; whole++) {
        c.dram_row_miss_ns = whole ? 2 : 10;
        memset(&dram, 0, sizeof dram);
        assert_true(dram_init(&dram, &arena, &c, 128));
        (void)dram_read(&dram, &tally, 0, 0, 1);
        for (unsigned i = 1; i <= 4; i++)
            (void)dram_write(&dram, &tally, 0, i * ROW, whole ? LINE : 1);
        const uint32_t begin = whole ? 1 + 2 + 7 : 1 + 10 + 7, each = whole ? LINE : 2 + 10;
        assert_int_equal(dram_read(&dram, &tally, 18, 0, 1), begin + 4 * each + 7);
        arena_free(&arena);
    }
}

/* Writes wait, then go out together: the channel turns twice for a whole burst. */
static void channel_writes(void **state)
{
    (void)state;
    struct dram dram;
    struct tally tally;
    struct simsm_config c = one_channel();
    memset(&dram, 0, sizeof dram);
    memset(&tally, 0, sizeof tally);
    assert_true(dram_init(&dram, &arena, &c, 128));
    (void)dram_read(&dram, &tally, 0, 0, 1);
    /* An idle channel writes: what comes within that time waits, and for the turn back. */
    assert_int_equal(dram_write(&dram, &tally, 50, 1, 4), 50);
    assert_int_equal(dram_read(&dram, &tally, 52, 2, 1), 50 + 7 + 4 + 7);
    assert_int_equal(dram_read(&dram, &tally, 90, 2, 1), 90);
    /* A channel that reads lets them wait, but only so many. */
    for (unsigned i = 1; i < DRAM_WRITES; i++)
        assert_int_equal(dram_write(&dram, &tally, 90, 1, 4), 91);
    assert_int_equal(dram_read(&dram, &tally, 90, 2, 1), 91);
    (void)dram_write(&dram, &tally, 90, 1, 4);
    assert_int_equal(dram_read(&dram, &tally, 90, 2, 1), 92 + 7 + DRAM_WRITES * 4 + 7);
    assert_int_equal(tally.counter[SIMSM_COUNTER_DRAM_WRITE_BYTES], (DRAM_WRITES + 1) * 128);
    assert_int_equal(tally.counter[SIMSM_COUNTER_DRAM_ROW_MISSES], 1);
    arena_free(&arena);
}

/* Lines of a piece wait for each other in one channel; those of different pieces do not. */
static void pieces_share_a_channel(void **state)
{
    (void)state;
    for (uint32_t bytes = 128; bytes <= 512; bytes *= 2) {
        struct dram dram;
        struct tally tally;
        struct simsm_config c = one_channel();
        c.dram_channels = 4;
        c.dram_bandwidth_gbs = 4 * 32;
        c.dram_interleave_bytes = bytes;
        memset(&dram, 0, sizeof dram);
        memset(&tally, 0, sizeof tally);
        assert_true(dram_init(&dram, &arena, &c, 128));
        uint64_t lines = bytes / 128;
        for (uint64_t line = 0; line < 4 * lines; line++) {
            bool at_once = dram_read(&dram, &tally, 100, line, 1) == 100;
            assert_int_equal(at_once, line % lines == 0);
        }
        arena_free(&arena);
    }
}

/* A bank is away for a share of the time; reads that meet this wait until it ends, and no longer.
 */
static void banks_are_refreshed(void **state)
{
    (void)state;
    enum { BUSY = 50, EACH = 400, ROW = 2048 / 128, BANKS = 16 };
    struct dram dram;
    struct tally tally;
    struct simsm_config c = one_channel();
    c.dram_banks = BANKS;
    c.dram_refresh_ns = BUSY;
    c.dram_refresh_interval_ns = EACH;
    memset(&dram, 0, sizeof dram);
    memset(&tally, 0, sizeof tally);
    assert_true(dram_init(&dram, &arena, &c, 128));
    uint64_t end[BANKS];
    for (unsigned bank = 0; bank < BANKS; bank++) {
        unsigned late = 0;
        for (uint64_t cycle = 20000; cycle < 20000 + EACH; cycle++) {
            memset(dram.channel, 0, sizeof *dram.channel); /* idle again */
            uint64_t read = dram_read(&dram, &tally, cycle, (uint64_t)bank * ROW, 1);
            assert_in_range(read, cycle, cycle + BUSY);
            late += read != cycle;
            end[bank] = read != cycle ? read % EACH : end[bank];
        }
        assert_int_equal(late, BUSY);
    }
    for (unsigned bank = 1; bank < BANKS; bank++)
        assert_int_not_equal(end[bank], end[bank - 1]);
    arena_free(&arena);
}

/* Seen from partition 0: half of the lines belong to the other one, as what is counted tells. */
static void partitions_keep_copies(void **state)
{
    (void)state;
    struct device d;
    struct l2_reply reply[L2_REPLIES];
    struct simsm_config c = mem_config(SIMSM_FULL_memory_model);
    c.l2_partitions = 2;
    c.l2_slices = 8;
    c.l2_far_latency = 60;
    uint32_t once = 0, twice = 0;
    for (uint64_t line = 0; line < 64 * 32; line += 32) { /* 4 KB apart */
        device_open(&d, &c);
        assert_int_equal(get(&d, 1000, line, 1, reply), 1);
        uint64_t visits = counted(&d, SIMSM_COUNTER_L2_READ_SECTORS);
        bool far = visits == 2;
        assert_true(visits == 1 || far);
        once += !far;
        twice += far;
        assert_int_equal(reply[0].level, SIMSM_LEVEL_DRAM);
        assert_int_equal(reply[0].cycle, 1000 + EXTRA - 30 + (far ? 60 : 0));
        assert_int_equal(get(&d, 5000, line, 1, reply), 1); /* the copy answers */
        assert_int_equal(reply[0].level, SIMSM_LEVEL_L2);
        assert_int_equal(reply[0].cycle, 5000);
        assert_int_equal(put(&d, 6000, line, 1), 6000 + (far ? 60 : 0));
        assert_int_equal(counted(&d, SIMSM_COUNTER_L2_WRITE_SECTORS), far ? 2 : 1);
        arena_free(&arena);
    }
    assert_in_range(once, 16, 48);
    assert_int_equal(once + twice, 64);
}

/* Compare-and-swap on several words of a sector keeps the slice's unit longer, on one word not. */
static void several_words_are_tried_longer(void **state)
{
    (void)state;
    struct simsm_config c = mem_config(SIMSM_FULL_memory_model);
    c.l2_slices = 1;
    c.l2_atomic_sector_interval = 40;
    c.l2_cas_factor = 2;
    for (uint64_t words = 1; words <= 0xFF; words += 0xFE) {
        const enum inst_atomic kinds[] = {ATOMIC_INTEGER, ATOMIC_CAS};
        uint64_t took[2];
        for (unsigned i = 0; i < 2; i++) {
            struct device d;
            struct l2_reply reply[L2_REPLIES];
            const struct l2_work work = {1, 1, 0, kinds[i]};
            device_open(&d, &c);
            (void)get(&d, 100, 7, 1, reply);
            for (unsigned turn = 0; turn < 2; turn++) {
                struct l2_request request = {2000, 7, l2_places(&d.l2, 7, 0), 1, words};
                (void)l2_atomic(&d.l2, &d.tally, &request, &work, reply);
            }
            took[i] = reply->cycle;
        }
        assert_int_equal(took[1] - took[0], words == 1 ? 0 : 40);
    }
}

/* A store waits behind lines that come into its slice from DRAM, not behind lines that leave it. */
static void fills_share_the_way_in(void **state)
{
    (void)state;
    enum { LINES = 8, WRITE_BYTES = 32 };
    struct device d;
    struct l2_reply reply[L2_REPLIES];
    struct simsm_config c = mem_config(SIMSM_FULL_memory_model);
    c.l2_slices = 1;
    c.l2_write_bytes = WRITE_BYTES;
    device_open(&d, &c);
    const uint64_t alone = put(&d, 100, 99, 15);
    for (uint64_t line = 0; line < LINES; line++)
        (void)get(&d, 2000, line, 15, reply);
    assert_int_equal(put(&d, 2000, 99, 15) - 2000, alone - 100 + LINES * 128 / WRITE_BYTES);
    for (uint64_t line = 0; line < LINES; line++)
        (void)get(&d, 9000, line, 15, reply); /* hits */
    assert_int_equal(put(&d, 9000, 99, 15) - 9000, alone - 100);
}

/* A store that takes the place of a line with sectors in part waits until DRAM can read these. */
static void parts_wait_for_the_read(void **state)
{
    (void)state;
    struct device d;
    struct l2_reply reply[L2_REPLIES];
    struct simsm_config c = mem_config(SIMSM_FULL_memory_model);
    c.l2_slices = c.dram_channels = 1;
    c.l2_bytes = 128u * c.l2_ways; /* one set */
    c.l2_part_ways = 1;
    c.dram_bandwidth_gbs = 32e-3 * c.gpu_clock_mhz / 100; /* 100 cycles for a sector */
    c.dram_efficiency = 1;
    device_open(&d, &c);
    (void)get(&d, 100, 50, 15, reply); /* the channel is busy until cycle 500 */
    for (uint64_t line = 0; line < 2; line++) {
        struct l2_request request = {100, line, l2_places(&d.l2, line, 0), 1, 1};
        uint64_t done = l2_write(&d.l2, &d.tally, &request);
        assert_true(line == 0 ? done < 200 : done >= 500);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hits_and_misses),         cmocka_unit_test(dirty_lines_are_written),
        cmocka_unit_test(atomics_take_turns),      cmocka_unit_test(partitions_keep_copies),
        cmocka_unit_test(lines_spread_evenly),     cmocka_unit_test(strides_spread_too),
        cmocka_unit_test(division_is_exact),       cmocka_unit_test(channel_rows),
        cmocka_unit_test(reads_interrupt_writes),  cmocka_unit_test(rows_of_writes),
        cmocka_unit_test(channel_writes),          cmocka_unit_test(banks_are_refreshed),
        cmocka_unit_test(pieces_share_a_channel),  cmocka_unit_test(lines_share_a_slice),
        cmocka_unit_test(partitions_share_evenly), cmocka_unit_test(fills_share_the_way_in),
        cmocka_unit_test(parts_wait_for_the_read), cmocka_unit_test(several_words_are_tried_longer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
