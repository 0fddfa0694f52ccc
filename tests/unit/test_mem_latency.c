/* The memory system as the core sees it, unloaded: issue to use, and how long the stage is held. */
#include "mem_rig.h"

/* Offers a request to SM 0 now and runs until it is answered. */
static struct mem_done answer(struct rig *rig, const struct mem_request *request)
{
    struct mem_done done;
    uint64_t start = rig->now;
    assert_true(mem_sm_access(rig->sm[0], start, request).accepted);
    while (mem_sm_collect(rig->sm[0], rig->now, &done, 1) == 0) {
        uint64_t next = mem_sm_next(rig->sm[0]);
        if (next <= rig->now || next - rig->now > mem_window(rig->mem))
            next = rig->now + mem_window(rig->mem);
        mem_exchange(rig->mem, next, &rig->shared);
        rig->now = next;
        assert_true(rig->now - start < 1000000);
    }
    rig->now += 1000; /* let everything settle */
    mem_exchange(rig->mem, rig->now, &rig->shared);
    return done;
}

/* Issue-to-use cycles of a request. */
static uint64_t once(struct rig *rig, const struct mem_request *request)
{
    uint64_t start = rig->now;
    return answer(rig, request).cycle - start + mem_front_cycles(&rig->config);
}

static uint64_t one(struct rig *rig, enum simsm_op_class op, uint32_t width, uint32_t lanes,
                    struct lane_addresses addresses, uint8_t *level)
{
    struct mem_request request = {
        .op = (uint8_t)op, .width = (uint8_t)width, .lanes = lanes, .addresses = &addresses};
    uint64_t start = rig->now;
    struct mem_done done = answer(rig, &request);
    *level = done.level;
    return done.cycle - start + mem_front_cycles(&rig->config);
}

static void expect(struct rig *rig, enum simsm_op_class op, uint32_t width, uint32_t lanes,
                   struct lane_addresses addresses, uint64_t cycles, uint8_t level)
{
    uint8_t found;
    assert_int_equal(one(rig, op, width, lanes, addresses, &found), cycles);
    assert_int_equal(found, level);
}

static void unloaded_latencies(void **state)
{
    (void)state;
    struct rig rig;
    struct simsm_config c = mem_config(SIMSM_FULL_memory_model);
    c.l2_atomic_latency = 17;
    rig_open(&rig, &c, 1);
    expect(&rig, SIMSM_OP_LD_SHARED, 4, UINT32_MAX, affine(0, 4), c.shared_latency,
           SIMSM_LEVEL_SHARED);
    expect(&rig, SIMSM_OP_ATOM_SHARED, 4, UINT32_MAX, affine(0, 4), c.shared_atomic_latency,
           SIMSM_LEVEL_SHARED);
    expect(&rig, SIMSM_OP_LD_GLOBAL, 4, 1, affine(0, 0), c.dram_latency, SIMSM_LEVEL_DRAM);
    expect(&rig, SIMSM_OP_LD_GLOBAL, 4, 1, affine(0, 0), c.l1_latency, SIMSM_LEVEL_L1);
    expect(&rig, SIMSM_OP_ST_GLOBAL, 4, 1, affine(1 << 20, 0),
           mem_front_cycles(&c) + c.xbar_latency, SIMSM_LEVEL_L2);
    expect(&rig, SIMSM_OP_LD_GLOBAL, 4, 1, affine(1 << 20, 0), c.l2_latency, SIMSM_LEVEL_L2);
    expect(&rig, SIMSM_OP_LD_GLOBAL, 4, 1, affine(1 << 20, 0), c.l1_latency, SIMSM_LEVEL_L1);
    expect(&rig, SIMSM_OP_ATOM_GLOBAL, 4, 1, affine(1 << 20, 0), c.l2_latency + c.l2_atomic_latency,
           SIMSM_LEVEL_L2);
    /* Each lane is 32 bytes of a packet, which has to come as a whole; then each takes its turn. */
    uint32_t further = 31 * (32 / c.xbar_request_bytes + (uint32_t)c.l2_atomic_interval);
    expect(&rig, SIMSM_OP_ATOM_GLOBAL, 4, UINT32_MAX, affine(1 << 20, 0),
           c.l2_latency + c.l2_atomic_latency + further, SIMSM_LEVEL_L2);
    /* The atomics have dropped the sector from L1. */
    expect(&rig, SIMSM_OP_LD_GLOBAL, 4, 1, affine(1 << 20, 0), c.l2_latency, SIMSM_LEVEL_L2);
    uint8_t level;
    (void)one(&rig, SIMSM_OP_RED_GLOBAL, 4, 1, affine(1 << 20, 0), &level);
    expect(&rig, SIMSM_OP_LD_GLOBAL, 4, 1, affine(1 << 20, 0), c.l2_latency, SIMSM_LEVEL_L2);
    (void)one(&rig, SIMSM_OP_ST_GLOBAL, 4, 1, affine(1 << 20, 0), &level);
    expect(&rig, SIMSM_OP_LD_GLOBAL, 4, 1, affine(1 << 20, 0), c.l1_latency, SIMSM_LEVEL_L1);
    expect(&rig, SIMSM_OP_LD_LOCAL, 4, 1, affine(2 << 20, 0), c.dram_latency, SIMSM_LEVEL_DRAM);
    expect(&rig, SIMSM_OP_LD_GLOBAL, 4, 0, affine(3 << 20, 0), c.l1_latency, SIMSM_LEVEL_L1);
    assert_int_equal(rig_count(&rig, SIMSM_COUNTER_MEM_REQUESTS_STARTED),
                     rig_count(&rig, SIMSM_COUNTER_MEM_REQUESTS_DONE));
    rig_close(&rig);
}

/* Shared memory: lanes on one word take turns, of compare-and-swap each as long as so many. */
static void swaps(void **state)
{
    (void)state;
    struct rig rig;
    struct simsm_config c = mem_config(SIMSM_FULL_memory_model);
    c.shared_atomic_interval = 1;
    c.shared_cas_latency = c.shared_atomic_latency + 4;
    c.shared_cas_passes = 2;
    c.mio_pass_interval = 2;
    rig_open(&rig, &c, 1);
    for (unsigned lanes = 1; lanes <= 32; lanes *= 2) {
        struct lane_addresses same = affine(0, 0);
        for (unsigned kind = 0; kind < ATOMIC_KINDS; kind++) {
            struct mem_request request = {.op = SIMSM_OP_ATOM_SHARED,
                                          .width = 4,
                                          .lanes = UINT32_MAX >> (32 - lanes),
                                          .atomic = (uint8_t)kind,
                                          .addresses = &same};
            uint32_t turns = kind == ATOMIC_CAS ? 4 * (lanes - 1) + 4 : 2 * (lanes - 1);
            assert_int_equal(once(&rig, &request), c.shared_atomic_latency + turns);
        }
    }
    rig_close(&rig);
}

/* The cycle at which the last of `count` reductions on one word has been taken. */
static uint64_t last_taken(const struct simsm_config *config, unsigned count)
{
    struct rig rig;
    struct mem_done done;
    struct lane_addresses same = affine(0, 0);
    struct mem_request request = {
        .op = SIMSM_OP_RED_GLOBAL, .width = 4, .lanes = 1, .addresses = &same};
    rig_open(&rig, config, 1);
    while (count != 0 && rig.now < 1000000) {
        while (mem_sm_collect(rig.sm[0], rig.now, &done, 1) != 0)
            ;
        struct mem_outcome outcome = mem_sm_access(rig.sm[0], rig.now, &request);
        count -= outcome.accepted;
        if (count == 0)
            break;
        uint64_t next = outcome.free_at > rig.now ? outcome.free_at : rig.now + 1;
        if (next - rig.now > mem_window(rig.mem))
            next = rig.now + mem_window(rig.mem);
        mem_exchange(rig.mem, next, &rig.shared);
        rig.now = next;
    }
    rig_close(&rig);
    return rig.now;
}

/* The number of lines of reductions that may wait is limited; lines on their way do not count. */
static void reductions_wait(void **state)
{
    (void)state;
    struct simsm_config c = mem_config(SIMSM_FULL_memory_model);
    c.l2_atomic_interval = 100;
    assert_true(last_taken(&c, 64) < 400);
    c.l2_atomic_queue = 8;
    uint64_t bounded = last_taken(&c, 256);
    assert_true(bounded > 150 * 100 && bounded < 256 * 100);
    c.l2_atomic_queue = 64;
    assert_true(last_taken(&c, 256) < bounded);
}

/* Wide loads from L1: 2 cycles more for 64 bits and 6 for 128, as measured on Ampere. */
static void wide_loads(void **state)
{
    (void)state;
    struct rig rig;
    uint8_t level;
    struct simsm_config c = mem_config(SIMSM_FULL_memory_model);
    c.mio_stage_interval = 2;
    rig_open(&rig, &c, 1);
    (void)one(&rig, SIMSM_OP_LD_GLOBAL, 16, UINT32_MAX, affine(0, 16), &level);
    expect(&rig, SIMSM_OP_LD_GLOBAL, 4, UINT32_MAX, affine(0, 4), c.l1_latency, SIMSM_LEVEL_L1);
    expect(&rig, SIMSM_OP_LD_GLOBAL, 8, UINT32_MAX, affine(0, 8), c.l1_latency + 2, SIMSM_LEVEL_L1);
    expect(&rig, SIMSM_OP_LD_GLOBAL, 16, UINT32_MAX, affine(0, 16), c.l1_latency + 6,
           SIMSM_LEVEL_L1);
    expect(&rig, SIMSM_OP_LD_SHARED, 8, UINT32_MAX, affine(0, 8), c.shared_latency,
           SIMSM_LEVEL_SHARED);
    expect(&rig, SIMSM_OP_LD_SHARED, 16, UINT32_MAX, affine(0, 16), c.shared_latency + 2,
           SIMSM_LEVEL_SHARED);
    rig_close(&rig);
}

static void flat_latencies(void **state)
{
    (void)state;
    struct rig rig;
    struct simsm_config c = mem_config(SIMSM_IDEAL_memory_model);
    c.memory_ideal_latency = 3;
    rig_open(&rig, &c, 1);
    expect(&rig, SIMSM_OP_LD_GLOBAL, 4, UINT32_MAX, affine(0, 4096), 3, SIMSM_LEVEL_L1);
    expect(&rig, SIMSM_OP_LD_SHARED, 4, UINT32_MAX, affine(0, 128), 3, SIMSM_LEVEL_SHARED);
    assert_int_equal(rig_count(&rig, SIMSM_COUNTER_GLOBAL_LD_SECTORS), 32);
    assert_int_equal(rig_count(&rig, SIMSM_COUNTER_SHARED_LD_WAVEFRONTS), 32);
    assert_int_equal(rig_count(&rig, SIMSM_COUNTER_SHARED_LD_CONFLICTS), 31);
    rig_close(&rig);
    c.memory_model = SIMSM_FIXED_memory_model;
    rig_open(&rig, &c, 1);
    expect(&rig, SIMSM_OP_ST_GLOBAL, 4, UINT32_MAX, affine(0, 4096), c.memory_fixed_latency,
           SIMSM_LEVEL_L1);
    expect(&rig, SIMSM_OP_TEX, 4, UINT32_MAX, affine(0, 4), c.memory_fixed_latency, SIMSM_LEVEL_L1);
    expect(&rig, SIMSM_OP_LD_SHARED, 4, UINT32_MAX, affine(0, 128), c.shared_latency,
           SIMSM_LEVEL_SHARED);
    rig_close(&rig);
}

static void stage_occupancy(void **state)
{
    (void)state;
    static const struct {
        uint32_t width;
        int64_t stride;
        uint32_t cycles; /* per load from L1: RRZE gpu-strides on A100 and H200, rounded */
    } cases[] = {{4, 4, 1}, {4, 8, 2}, {4, 16, 4}, {4, 32, 8}, {4, 132, 8}, {4, 20, 2}, {8, 8, 2}};
    struct simsm_config c = mem_config(SIMSM_FULL_memory_model);
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct rig rig;
        struct lane_addresses a = affine(0, cases[i].stride);
        struct mem_request request = {.op = SIMSM_OP_LD_GLOBAL,
                                      .width = (uint8_t)cases[i].width,
                                      .lanes = UINT32_MAX,
                                      .addresses = &a};
        rig_open(&rig, &c, 1);
        struct mem_outcome outcome = mem_sm_access(rig.sm[0], 100, &request);
        assert_true(outcome.accepted);
        assert_int_equal(outcome.free_at, 100 + cases[i].cycles);
        rig_close(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reductions_wait),    cmocka_unit_test(swaps),
        cmocka_unit_test(unloaded_latencies), cmocka_unit_test(wide_loads),
        cmocka_unit_test(flat_latencies),     cmocka_unit_test(stage_occupancy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
