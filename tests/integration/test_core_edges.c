/* Cases at the edges of the core that pictures cannot show well. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "simsm/simsm.h"

struct run {
    struct simsm *simulation;
    const struct simsm_stats *stats;
};

/* Runs a trace given as text on a T4; `setting` may be NULL. */
static struct run run_text(const char *text, const char *setting)
{
    struct simsm_config config;
    struct simsm_error error;
    struct run run = {0};
    char path[] = "/tmp/simsm-edge-XXXXXX";
    int descriptor = mkstemp(path);
    FILE *file = fdopen(descriptor, "w");
    assert_non_null(file);
    (void)fputs(text, file);
    (void)fclose(file);
    assert_int_equal(simsm_config_load(&config, "t4", &error), SIMSM_OK);
    if (setting)
        assert_int_equal(simsm_config_set(&config, setting, &error), SIMSM_OK);
    struct simsm_options options = {.check = true};
    enum simsm_status status = simsm_open(&run.simulation, &config, path, &options, &error);
    if (status == SIMSM_OK)
        status = simsm_run(run.simulation, UINT64_MAX, &error);
    (void)unlink(path);
    if (status != SIMSM_OK)
        fail_msg("%s", error.message);
    run.stats = simsm_stats(run.simulation);
    return run;
}

/* Four warps arrive in one cycle at a barrier for two: it opens twice. */
static void a_counted_barrier_opens_once_for_each_full_count(void **state)
{
    (void)state;
    struct run run = run_text("kernel pairs\ngrid 1\nblock 128\nregisters 32\n"
                              "BAR.SYNC 1, 64\nFADD R3, R2, R2\n",
                              "fetch.ideal=true");
    assert_int_equal(run.stats->counter[SIMSM_COUNTER_BARRIERS], 2);
    simsm_close(run.simulation);
}

/* More loads on one scoreboard than its counter can hold: the consumer still waits for the last. */
static void a_scoreboard_counter_does_not_overflow(void **state)
{
    (void)state;
    struct run run = run_text("kernel many\ngrid 1\nblock 32\nregisters 32\n"
                              "buffer x = 16777216\n"
                              "repeat 300 as i {\n"
                              "LDG R2, [R4.64 + x + 128*thread + 4096*i] ; stall=1 write=0\n"
                              "}\n"
                              "FADD R3, R2, R2 ; stall=4 wait=0\n"
                              "EXIT ; stall=5\n",
                              "memory.model=fixed");
    assert_int_equal(run.stats->lines[0].issues, 300);
    assert_true(run.stats->lines[1].states[SIMSM_STATE_LONG_SCOREBOARD] > 300);
    simsm_close(run.simulation);
}

/* SMs that wait for their next block between two are not a tail. */
static void waiting_for_the_next_block_is_no_tail(void **state)
{
    (void)state;
    struct run run = run_text("kernel tiny\ngrid 2000\nblock 32\nregisters 32\nNOP\n", "gpu.sms=2");
    const struct simsm_gap *gap = &run.stats->gap;
    uint64_t all = run.stats->cycles * run.stats->sms * run.stats->occupancy.warps;
    assert_true(gap->idle + gap->few_blocks + gap->partial_wave + gap->across_blocks < all / 20);
    assert_true(gap->refill > gap->capacity / 4);
    simsm_close(run.simulation);
}

/* Without loads DRAM is read for the launch alone: its own bytes, and code in pieces of 256. */
static void a_launch_reads_its_code_from_dram(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t bytes;
    } launches[] = {
        {"kernel short\ngrid 1\nblock 32\nregisters 32\nNOP\n", 1000 + 256},
        {"kernel long\ngrid 1\nblock 32\nregisters 32\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\n"
         "NOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\n",
         1000 + 512}, /* 17 instructions of 16 bytes */
    };
    for (size_t i = 0; i < sizeof launches / sizeof launches[0]; i++) {
        struct run run = run_text(launches[i].text, "dram.launch_bytes=1000");
        assert_int_equal(run.stats->counter[SIMSM_COUNTER_DRAM_READ_BYTES], launches[i].bytes);
        simsm_close(run.simulation);
    }
    struct run run = run_text(launches[0].text, "dram.launch_bytes=0");
    assert_int_equal(run.stats->counter[SIMSM_COUNTER_DRAM_READ_BYTES], 0);
    simsm_close(run.simulation);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_counted_barrier_opens_once_for_each_full_count),
        cmocka_unit_test(a_scoreboard_counter_does_not_overflow),
        cmocka_unit_test(waiting_for_the_next_block_is_no_tail),
        cmocka_unit_test(a_launch_reads_its_code_from_dram),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
