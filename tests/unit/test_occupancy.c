/* Theoretical occupancy on known kernels, its refusals, carve-outs, better values, launch bounds.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "occupancy/bounds.h"
#include "occupancy/vary.h"
#include "simsm/occupancy.h"

enum {
    KIB = 1024,
    W = 1 << SIMSM_LIMIT_WARPS,
    R = 1 << SIMSM_LIMIT_REGISTERS,
    S = 1 << SIMSM_LIMIT_SHARED,
    B = 1 << SIMSM_LIMIT_BLOCKS
};

static struct simsm_config gpu(unsigned capability, unsigned warps, unsigned blocks,
                               unsigned shared_kib, unsigned optin_kib)
{
    bool reserves = capability >= 80;
    return (struct simsm_config){
        .gpu_compute_capability = capability,
        .sm_sub_partitions = 4,
        .sm_warp_slots = warps,
        .sm_max_blocks = blocks,
        .sm_max_threads = warps * 32,
        .sm_max_threads_per_block = 1024,
        .sm_registers = 65536,
        .sm_registers_per_block = 65536,
        .sm_max_registers_per_thread = 255,
        .sm_register_unit = 256,
        .sm_warp_unit = 4,
        .sm_l1_shared_bytes = (shared_kib + 32) * KIB,
        .sm_shared_bytes = shared_kib * KIB,
        .sm_shared_per_block = 48 * KIB,
        .sm_shared_per_block_optin = optin_kib * KIB,
        .sm_shared_reserved = reserves ? 1024 : 0,
        .sm_shared_unit = reserves ? 128 : 256,
        .sm_carveouts = {shared_kib * KIB},
        .sm_carveouts_count = 1,
        .sm_carveout_policy = SIMSM_FIT_carveout_policy,
    };
}

static struct simsm_config t4(void)
{
    struct simsm_config config = gpu(75, 32, 16, 64, 64);
    config.sm_carveouts[0] = 32 * KIB;
    config.sm_carveouts[1] = 64 * KIB;
    config.sm_carveouts_count = 2;
    return config;
}

static struct simsm_config gtx1080(void)
{
    return gpu(61, 64, 32, 96, 48);
}

static struct simsm_config ada(void)
{
    static const uint32_t kib[] = {0, 8, 16, 32, 64, 100};
    struct simsm_config config = gpu(89, 48, 24, 100, 99);
    for (uint32_t i = 0; i < 6; i++)
        config.sm_carveouts[i] = kib[i] * KIB;
    config.sm_carveouts_count = 6;
    return config;
}

static struct simsm_config h100(void)
{
    static const uint32_t kib[] = {0, 8, 16, 32, 64, 100, 132, 164, 196, 228};
    struct simsm_config config = gpu(90, 64, 32, 228, 227);
    for (uint32_t i = 0; i < 10; i++)
        config.sm_carveouts[i] = kib[i] * KIB;
    config.sm_carveouts_count = 10;
    return config;
}

static struct simsm_launch kernel(uint32_t threads, uint32_t registers, uint32_t shared)
{
    return (struct simsm_launch){.grid = {1, 1, 1},
                                 .block = {threads, 1, 1},
                                 .registers = registers,
                                 .shared_dynamic = shared,
                                 .carveout = SIMSM_CARVEOUT_DEFAULT};
}

static struct simsm_occupancy run(const struct simsm_config *config, struct simsm_launch launch)
{
    struct simsm_occupancy result;
    struct simsm_error error = {0};
    if (simsm_occupancy(config, &launch, &result, &error) != SIMSM_OK)
        fail_msg("%s", error.message);
    return result;
}

/* Kernels whose occupancy has been worked out by hand and measured. */
static void test_known_kernels(void **state)
{
    (void)state;
    static const struct {
        struct simsm_config (*config)(void);
        uint32_t threads, registers, shared, blocks, warps, max_warps, limiters;
    } rows[] = {
        {t4, 128, 71, 512, 7, 28, 32, R},
        {t4, 32, 16, 0, 16, 16, 32, B},
        {gtx1080, 1024, 39, 0, 1, 32, 64, R},
        {gtx1080, 512, 39, 0, 3, 48, 64, R},
        {gtx1080, 768, 39, 0, 2, 48, 64, R | W},
        {ada, 70, 16, 0, 16, 48, 48, W}, /* three warps, the last one with 6 lanes */
        {ada, 32, 16, 0, 24, 24, 48, B},
        {ada, 256, 16, 0, 6, 48, 48, W},
        {ada, 160, 16, 0, 9, 45, 48, W},
        {ada, 128, 51, 0, 9, 36, 48, R},
        {ada, 128, 90, 0, 5, 20, 48, R}, /* 21 warps by registers alone, 20 by sub-partitions */
        {ada, 128, 16, 5000, 12, 48, 48, W},
        {h100, 128, 40, 0, 12, 48, 64, R},
        {h100, 256, 40, 8192, 6, 48, 64, R},
        {h100, 512, 40, 8192, 3, 48, 64, R},
        {h100, 128, 32, 0, 16, 64, 64, R | W},
        {h100, 256, 32, 0, 8, 64, 64, R | W},
        {h100, 512, 32, 0, 4, 64, 64, R | W},
        {h100, 1024, 20, 8448, 2, 64, 64, R | W},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct simsm_config config = rows[i].config();
        struct simsm_occupancy o =
            run(&config, kernel(rows[i].threads, rows[i].registers, rows[i].shared));
        assert_int_equal(o.blocks, rows[i].blocks);
        assert_int_equal(o.warps, rows[i].warps);
        assert_int_equal(o.max_warps, rows[i].max_warps);
        assert_int_equal(o.limiters, rows[i].limiters);
    }
}

static void test_each_limit(void **state)
{
    (void)state;
    struct simsm_config config = t4();
    struct simsm_launch launch = kernel(128, 71, 512);
    struct simsm_occupancy o = run(&config, launch);
    assert_int_equal(o.limit[SIMSM_LIMIT_WARPS], 8);
    assert_int_equal(o.limit[SIMSM_LIMIT_REGISTERS], 7);
    assert_int_equal(o.limit[SIMSM_LIMIT_SHARED], 128);
    assert_int_equal(o.limit[SIMSM_LIMIT_BLOCKS], 16);
    assert_int_equal(o.registers_per_warp, 2304);
    launch.carveout = 32 * KIB;
    assert_int_equal(run(&config, launch).limit[SIMSM_LIMIT_SHARED], 64);
    launch = kernel(128, 0, 0);
    o = run(&config, launch);
    assert_int_equal(o.limit[SIMSM_LIMIT_REGISTERS], SIMSM_NO_LIMIT);
    assert_int_equal(o.limit[SIMSM_LIMIT_SHARED], SIMSM_NO_LIMIT);
    config = ada();
    assert_int_equal(run(&config, kernel(128, 16, 5000)).shared_per_block, 6144);
    config.sm_max_threads = 1024; /* threads bind before the slots */
    assert_int_equal(run(&config, kernel(128, 16, 0)).max_warps, 32);
}

/* If a kernel asks for no carve-out, the policy chooses it; the policy never changes how many
 * blocks fit. */
static void test_carveout(void **state)
{
    (void)state;
    struct simsm_config config = h100();
    struct simsm_launch launch = kernel(256, 40, 8192); /* 6 blocks x 9 KiB = 54 KiB */
    assert_int_equal(run(&config, launch).carveout, 64 * KIB);
    config.sm_carveout_policy = SIMSM_LARGEST_carveout_policy;
    assert_int_equal(run(&config, launch).carveout, 228 * KIB);
    launch.carveout = 20 * KIB; /* raised to a size that there is */
    assert_int_equal(run(&config, launch).carveout, 32 * KIB);
    assert_int_equal(run(&config, launch).blocks, 3);
    launch.carveout = 0; /* raised until one block fits */
    assert_int_equal(run(&config, launch).carveout, 16 * KIB);
    assert_int_equal(run(&config, launch).blocks, 1);
    config = gtx1080(); /* shared memory of its own: wishes have no effect */
    assert_int_equal(run(&config, launch).carveout, 96 * KIB);
    assert_int_equal(run(&config, kernel(128, 16, 48 * KIB)).blocks, 2);
}

/* Sizes of cuda/calib carve, measured on an H200 for a kernel of few registers. */
static void test_roomy_carveout(void **state)
{
    (void)state;
    static const struct {
        uint32_t threads, shared, kib;
    } measured[] = {
        {32, 0, 32},       {32, 16, 64},     {64, 1025, 100},   {64, 4096, 164},  {96, 2048, 100},
        {128, 16, 32},     {128, 1025, 64},  {128, 8192, 164},  {192, 4096, 100}, {256, 1024, 32},
        {256, 1025, 64},   {256, 8192, 132}, {256, 16384, 164}, {512, 0, 16},     {512, 1025, 32},
        {512, 16384, 132}, {640, 2048, 32},  {896, 2048, 16},   {1024, 0, 8},     {1024, 3072, 8},
        {1024, 16384, 64},
    };
    struct simsm_config config = h100();
    config.sm_carveout_policy = SIMSM_ROOMY_carveout_policy;
    for (size_t i = 0; i < sizeof measured / sizeof *measured; i++) {
        struct simsm_launch launch = kernel(measured[i].threads, 16, measured[i].shared);
        assert_int_equal(run(&config, launch).carveout, measured[i].kib * KIB);
    }
}

static void refused(const struct simsm_config *config, struct simsm_launch launch,
                    const char *message)
{
    struct simsm_occupancy result;
    struct simsm_error error = {0};
    assert_int_equal(simsm_occupancy(config, &launch, &result, &error), SIMSM_BAD_INPUT);
    assert_int_equal(result.blocks, 0);
    if (!strstr(error.message, message))
        fail_msg("'%s' lacks '%s'", error.message, message);
}

static void test_refusals(void **state)
{
    (void)state;
    struct simsm_config config = h100();
    struct simsm_launch launch = kernel(1024, 32, 0);
    refused(&config, kernel(0, 32, 0), "no threads");
    refused(&config, kernel(1056, 32, 0), "the most is 1024, this is 32 too many");
    refused(&config, kernel(32, 256, 0), "the most is 255, this is 1 too many");
    refused(&config, kernel(1024, 65, 0), "73728 registers (32 warps x 2304)");
    refused(&config, kernel(32, 16, 227 * KIB + 1), "this is 128 too many");
    assert_int_equal(run(&config, kernel(32, 16, 227 * KIB)).blocks, 1);
    launch.carveout = 229 * KIB;
    refused(&config, launch, "at most 233472");
    launch.carveout = SIMSM_CARVEOUT_DEFAULT;
    launch.block[0] = launch.block[1] = launch.block[2] = UINT32_MAX; /* the product overflows */
    launch.registers = launch.shared_static = launch.shared_dynamic = UINT32_MAX;
    refused(&config, launch, "threads cannot run");
    launch.block[0] = launch.block[1] = launch.block[2] = 65536; /* 2^48 */
    refused(&config, launch, "threads cannot run");
    config.sm_warp_slots = 8; /* a configuration that no block of 512 fits */
    refused(&config, kernel(512, 16, 0), "16 warps");
}

/* GP100 has two sub-partitions, but a launch is checked as if it had four. */
static void test_gp100_checks_four(void **state)
{
    (void)state;
    struct simsm_config config = gpu(60, 64, 32, 64, 48);
    config.sm_warp_unit = config.sm_sub_partitions = 2;
    refused(&config, kernel(320, 192, 0), "73728 registers (12 warps x 6144)");
    config.gpu_compute_capability = 61; /* ten warps fit a GPU that is checked as it is */
    assert_int_equal(run(&config, kernel(320, 192, 0)).blocks, 1);
    config.gpu_compute_capability = 60;
    config.sm_warp_unit = 8; /* a larger unit stays */
    refused(&config, kernel(288, 160, 0), "81920 registers (16 warps x 5120)");
}

static void test_limits_beside_a_refusal(void **state)
{
    (void)state;
    struct simsm_config config = h100();
    struct simsm_launch launch = kernel(128, 32, 300 * KIB);
    struct simsm_occupancy result;
    assert_int_equal(simsm_occupancy(&config, &launch, &result, NULL), SIMSM_BAD_INPUT);
    assert_int_equal(result.blocks, 0);
    assert_int_equal(result.warps, 0);
    assert_int_equal(result.limiters, S);
    assert_int_equal(result.limit[SIMSM_LIMIT_WARPS], 16);
}

static void better(const struct simsm_config *config, struct simsm_launch launch,
                   enum vary_input input, bool above, uint32_t value, uint32_t warps)
{
    struct vary_point point;
    bool found = vary_next_better(config, &launch, input, above, &point);
    assert_int_equal(found, value != 0);
    if (!found)
        return;
    assert_int_equal(point.value, value);
    assert_int_equal(point.occupancy.warps, warps);
}

static void test_next_better(void **state)
{
    (void)state;
    struct simsm_config config = t4();
    better(&config, kernel(128, 71, 512), VARY_REGISTERS, false, 64, 32);
    better(&config, kernel(128, 71, 512), VARY_THREADS, true, 0, 0);
    better(&config, kernel(128, 71, 512), VARY_SHARED, false, 0, 0);
    better(&config, kernel(32, 16, 0), VARY_THREADS, true, 64, 32);
    better(&config, kernel(512, 71, 0), VARY_THREADS, false, 448, 28);
    struct simsm_launch launch = kernel(128, 32, 12288);
    better(&config, launch, VARY_SHARED, false, 10752, 24); /* 64 KiB / 6, in units of 256 */
    launch.carveout = 32 * KIB;
    better(&config, launch, VARY_CARVEOUT, true, 64 * KIB, 20);
    config = h100(); /* 1 KiB of each block is reserved: 228 KiB / 3 less that */
    better(&config, kernel(128, 32, 100 * KIB), VARY_SHARED, false, 75 * KIB, 12);
    assert_int_equal(vary_room(&config,
                               &(struct simsm_launch){.block = {128, 1, 1},
                                                      .registers = 33,
                                                      .carveout = SIMSM_CARVEOUT_DEFAULT},
                               VARY_REGISTERS),
                     40);
}

/* Every value in between gives the same as the next point of the curve. */
static void test_curves_miss_nothing(void **state)
{
    (void)state;
    struct simsm_config config = ada();
    struct simsm_launch base = kernel(160, 40, 9000);
    static const uint32_t last[] = {1024, 255, 99 * KIB};
    for (int input = 0; input <= VARY_SHARED; input++) {
        struct vary_point *curve = vary_curve(&config, &base, (enum vary_input)input);
        uint32_t value = input == VARY_SHARED ? 0 : 1;
        assert_non_null(curve);
        for (uint32_t i = 0; i < vary_count(&config, (enum vary_input)input); i++) {
            for (; value <= curve[i].value; value++) {
                struct simsm_launch launch = base;
                vary_set(&launch, (enum vary_input)input, value);
                assert_int_equal(vary_get(&launch, (enum vary_input)input), value);
                struct simsm_occupancy o;
                (void)simsm_occupancy(&config, &launch, &o, NULL);
                assert_int_equal(o.blocks, curve[i].occupancy.blocks);
            }
        }
        assert_int_equal(value, last[input] + 1);
        free(curve);
    }
}

/* The budget is the largest register count with which so many blocks are resident. */
static void check_budget(const struct simsm_config *config, uint32_t threads, uint32_t blocks)
{
    struct bounds bounds;
    struct simsm_occupancy o;
    struct simsm_error error;
    assert_int_equal(bounds_registers(config, threads, blocks, &bounds, &error), SIMSM_OK);
    assert_true(run(config, kernel(threads, bounds.registers, 0)).blocks >= blocks);
    struct simsm_launch more = kernel(threads, bounds.registers + 1, 0);
    if (simsm_occupancy(config, &more, &o, NULL) == SIMSM_OK)
        assert_true(o.blocks < blocks);
}

static void test_launch_bounds(void **state)
{
    (void)state;
    struct simsm_config config = h100();
    struct bounds bounds;
    struct simsm_error error = {0};
    assert_int_equal(bounds_registers(&config, 256, 8, &bounds, &error), SIMSM_OK);
    assert_int_equal(bounds.warps, 64);
    assert_int_equal(bounds.registers, 32);
    assert_int_equal(bounds_registers(&config, 256, 9, &bounds, &error), SIMSM_BAD_INPUT);
    assert_non_null(strstr(error.message, "holds 8 at most"));
    assert_int_equal(bounds_registers(&config, 2000, 1, &bounds, &error), SIMSM_BAD_INPUT);
    assert_int_equal(bounds_registers(&config, 32, 0, &bounds, &error), SIMSM_BAD_INPUT);
    for (int pascal = 0; pascal < 2; pascal++) {
        for (uint32_t threads = 1; threads <= 1024; threads += 31) {
            uint32_t most = run(&config, kernel(threads, 1, 0)).blocks;
            for (uint32_t blocks = 1; blocks <= most; blocks++)
                check_budget(&config, threads, blocks);
        }
        config = gpu(60, 64, 32, 64, 48); /* GP100: two sub-partitions */
        config.sm_sub_partitions = config.sm_warp_unit = 2;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_kernels),
        cmocka_unit_test(test_each_limit),
        cmocka_unit_test(test_carveout),
        cmocka_unit_test(test_roomy_carveout),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_gp100_checks_four),
        cmocka_unit_test(test_limits_beside_a_refusal),
        cmocka_unit_test(test_next_better),
        cmocka_unit_test(test_curves_miss_nothing),
        cmocka_unit_test(test_launch_bounds),
    };
    return cmocka_run_group_tests_name("occupancy", tests, NULL, NULL);
}
