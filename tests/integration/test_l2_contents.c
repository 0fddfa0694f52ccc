/* What L2 has of memory that copies and fills have written before a launch. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "api/simsm_front.h"
#include "cuda/l2_contents.h"
#include "front/front.h"
#include "model/mem_written.h"
#include "simsm/simsm.h"

enum { KB = 1024, BYTES = 512 * KB };

/* Reads each sector of the buffer once. */
static const char text[] = "kernel read\ngrid 16\nblock 1024\nregisters 32\nbuffer x = 512K\n"
                           "LDG R4, [x + 32 * thread + 32768 * block]\n";

static struct simsm *open_read(void)
{
    char path[] = "/tmp/simsm-l2-XXXXXX";
    struct simsm *simulation;
    struct simsm_config config;
    struct simsm_error error;
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    assert_int_equal(write(descriptor, text, sizeof text - 1), sizeof text - 1);
    (void)close(descriptor);
    assert_int_equal(simsm_config_load(&config, "t4", &error), SIMSM_OK);
    if (simsm_open(&simulation, &config, path, NULL, &error) != SIMSM_OK)
        fail_msg("%s", error.message);
    (void)unlink(path);
    return simulation;
}

/* A range that was written: from `kb` on, `size_kb`; by the host: `host_kb`, else 0. */
struct range {
    uint32_t kb, size_kb, host_kb;
};

/* Returns how many KB of the buffer the kernel reads from DRAM after the ranges were written. */
static uint64_t read_after(const struct range *range, size_t count)
{
    struct simsm_error error;
    struct simsm *simulation = open_read();
    struct l2_contents *contents = l2_contents_new();
    const uint64_t base = simsm_front(simulation)->memory.buffer[0].base;
    assert_non_null(contents);
    for (size_t i = 0; i < count; i++)
        l2_contents_add(contents,
                        &(struct mem_written){.address = base + (uint64_t)range[i].kb * KB,
                                              .bytes = (uint64_t)range[i].size_kb * KB,
                                              .kept = (uint64_t)range[i].size_kb * KB,
                                              .by_host = range[i].host_kb != 0},
                        (uint64_t)range[i].host_kb * KB);
    l2_contents_restore(contents, simulation);
    if (simsm_run(simulation, UINT64_MAX, &error) != SIMSM_OK)
        fail_msg("%s", error.message);
    const uint64_t *counter = simsm_stats(simulation)->counter;
    const uint64_t misses =
        counter[SIMSM_COUNTER_L2_READ_SECTORS] - counter[SIMSM_COUNTER_L2_READ_HITS];
    simsm_close(simulation);
    l2_contents_free(contents);
    return misses * 32 / KB;
}

static void fills_stay(void **state)
{
    (void)state;
    assert_int_equal(read_after(NULL, 0), BYTES / KB);
    assert_int_equal(read_after(&(struct range){0, 384, 0}, 1), 128);
}

/* The last `host_kb` of all that the host has copied are there, whatever else was filled. */
static void copies_of_the_host_have_their_share(void **state)
{
    (void)state;
    static const struct range copies[] = {{0, 64, 96}, {256, 128, 0}, {64, 64, 96}};
    assert_int_equal(read_after(&(struct range){0, 384, 96}, 1), 512 - 96);
    assert_int_equal(read_after(copies, 3), 512 - 96 - 128);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fills_stay),
        cmocka_unit_test(copies_of_the_host_have_their_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
