/* Packed streams: what is put comes out again, in few bytes, and damage does no harm. */
#include "stream_fixture.h"

#include <stdio.h>
#include <string.h>

#include "front/block_front.h"
#include "random_front.h"
#include "trace/trace.h"

static struct front *open_trace(const char *path)
{
    struct front *front = NULL;
    struct simsm_error error;
    if (trace_open(&front, path, NULL, NULL, &error) != SIMSM_OK)
        fail_msg("%s: %s", path, error.message);
    return front;
}

/* The packed bytes of one warp, unpacked beside the front that made them. */
static void compare_warp(const struct front *front, uint64_t block, uint32_t warp,
                         const struct byte_buffer *bytes)
{
    void *cursor = stream_room(front);
    struct packed_reader reader;
    struct warp_inst inst = {0}, back;
    front->ops->warp_begin(front, cursor, block, warp);
    packed_reader_begin(&reader, front->code, front->code_size, bytes->data, bytes->size);
    while (!(inst.flags & WARP_INST_LAST)) {
        struct lane_addresses a, b;
        front->ops->warp_next(front, cursor, &inst);
        assert_true(packed_next(&reader, &back));
        same_inst(&inst, &back);
        if (!has_addresses(front, &inst))
            continue;
        front->ops->addresses(front, cursor, &inst, &a);
        packed_addresses(&reader, &back, &b);
        same_addresses(&a, &b, inst.exec);
    }
    assert_false(packed_next(&reader, &back)); /* and nothing more */
    assert_true(back.flags & WARP_INST_LAST);
    front_warp_end(front, cursor);
    free(cursor);
}

static void round_trip(const struct front *front, uint64_t blocks, uint64_t *count, uint64_t *size)
{
    uint64_t all = simsm_grid_blocks(&front->launch);
    for (uint64_t b = 0; b < all && b < blocks; b++) {
        for (uint32_t w = 0; w < simsm_block_warps(&front->launch); w++) {
            struct byte_buffer bytes;
            *count += pack_warp(front, b, w, &bytes);
            *size += bytes.size;
            compare_warp(front, b, w, &bytes);
            buffer_free(&bytes);
        }
    }
}

static void test_random_kernels(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct front *front = random_front_open(seed);
        uint64_t count = 0, size = 0;
        round_trip(front, 4, &count, &size);
        front_close(front);
    }
}

static void test_traces(void **state)
{
    static const struct {
        const char *path;
        double most; /* bytes of an instruction, before zstd */
    } cases[] = {
        {"traces/divergent.trace", 2.5},
        {"traces/lessons/sort.trace", 3.2},
        {"traces/lessons/matmul_tiled16.trace", 1.8},
        {"traces/lessons/matmul_naive.trace", 1.2},
        {"traces/lessons/sum_shuffle.trace", 2.4},
        {"traces/lessons/grid_stride.trace", 1.0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct front *front = open_trace(cases[i].path);
        uint64_t count = 0, size = 0;
        round_trip(front, 16, &count, &size);
        double bytes = (double)size / (double)count;
        (void)printf("%s: %.3f bytes for each instruction\n", cases[i].path, bytes);
        assert_true(bytes <= cases[i].most);
        front_close(front);
    }
}

enum { CODE = 4 };

static const struct inst code[CODE] = {
    {.op = SIMSM_OP_LD_GLOBAL, .width = 4},
    {.op = SIMSM_OP_INT},
    {.op = SIMSM_OP_ST_SHARED, .width = 8},
    {.op = SIMSM_OP_EXIT},
};

/* Packs and unpacks one instruction with these addresses. Returns its size. */
static size_t one_access(struct packed_writer *writer, uint32_t exec,
                         const struct lane_addresses *put)
{
    size_t before = writer->out->size;
    packed_put(writer, &(struct warp_inst){.active = UINT32_MAX, .exec = exec}, put);
    return writer->out->size - before;
}

static struct lane_addresses strided(uint64_t base, int64_t stride)
{
    struct lane_addresses addresses = {.base = 0};
    for (unsigned l = 0; l < 32; l++)
        addresses.lane[l] = base + (uint64_t)stride * l;
    return addresses;
}

static struct lane_addresses scattered(uint64_t seed, uint64_t range)
{
    struct lane_addresses addresses = {.base = 0};
    for (unsigned l = 0; l < 32; l++)
        addresses.lane[l] = UINT64_C(0x7f0000000000) + random_next(&seed) % range * 4;
    return addresses;
}

static void test_address_forms(void **state)
{
    const struct lane_addresses forms[] = {
        strided(UINT64_C(0x7f0000000000), 4),
        strided(UINT64_C(0x7f0000000080), 4),
        strided(UINT64_C(0x7f0000000100), 4),
        strided(0, 0),
        strided(UINT64_MAX - 3, 4), /* wraps around */
        strided(1000, -12345),
        strided(7, INT64_MIN),
        scattered(1, 60),
        scattered(1, 60),
        scattered(2, 16000),
        scattered(3, UINT64_C(1) << 40),
        scattered(3, UINT64_C(1) << 60),
        {.affine = true, .base = 96, .stride = 16},
        {.affine = true, .base = 96, .stride = INT64_MAX},
    };
    const uint32_t masks[] = {UINT32_MAX, 1, 0x80000000u, 0x80000001u, 0x00ff00f0u};
    enum { FORMS = sizeof forms / sizeof *forms, MASKS = 5 };
    struct byte_buffer bytes = {0};
    struct packed_writer writer;
    struct packed_reader reader;
    (void)state;
    packed_writer_begin(&writer, code, &bytes);
    for (unsigned i = 0; i < FORMS * MASKS; i++)
        (void)one_access(&writer, masks[i / FORMS], &forms[i % FORMS]);
    packed_writer_end(&writer);
    packed_reader_begin(&reader, code, CODE, bytes.data, bytes.size);
    struct warp_inst inst[FORMS * MASKS];
    for (unsigned i = 0; i < FORMS * MASKS; i++)
        assert_true(packed_next(&reader, &inst[i]));
    for (unsigned i = 0; i < FORMS * MASKS; i++) { /* long after they were yielded */
        struct lane_addresses back;
        packed_addresses(&reader, &inst[i], &back);
        assert_int_equal(inst[i].exec, masks[i / FORMS]);
        same_addresses(&forms[i % FORMS], &back, inst[i].exec);
    }
    buffer_free(&bytes);
}

/* The number of distinct values of a MATCH.ANY, or of addresses of an LDC: different values, and
 * a run of equal ones. */
static void check_values(uint8_t op)
{
    const struct inst matches[] = {{.op = op}, {.op = SIMSM_OP_EXIT}};
    static const uint32_t values[] = {32, 1, 0, 7};
    struct byte_buffer bytes = {0};
    struct packed_writer writer;
    struct packed_reader reader;
    struct warp_inst inst;
    packed_writer_begin(&writer, matches, &bytes);
    for (size_t i = 0; i < 4; i++)
        packed_put(&writer,
                   &(struct warp_inst){
                       .active = UINT32_MAX, .exec = i == 3 ? 5 : UINT32_MAX, .token = values[i]},
                   NULL);
    packed_put(&writer, &(struct warp_inst){.index = 1, .active = 1, .exec = 1, .token = 9}, NULL);
    packed_writer_end(&writer);
    packed_reader_begin(&reader, matches, 2, bytes.data, bytes.size);
    for (size_t i = 0; i < 4; i++) {
        assert_true(packed_next(&reader, &inst));
        assert_int_equal(inst.token, values[i] > 1 ? values[i] : 0);
    }
    assert_true(packed_next(&reader, &inst));
    assert_int_equal(inst.token, 0);
    buffer_free(&bytes);
}

/* Which lines an LDC with a register in its address reads. */
static void test_constant_lines(void **state)
{
    (void)state;
    const struct inst load = {.op = SIMSM_OP_LD_CONST};
    const uint64_t steps = UINT64_C(0x80000000005) << (64 - INST_STEPS);
    const uint64_t tokens[] = {inst_constant_token(32, 1000, 4) | steps,
                               inst_constant_token(1, 0, 0) | UINT64_C(1) << (64 - INST_STEPS)};
    struct byte_buffer bytes = {0};
    struct packed_writer writer;
    struct packed_reader reader;
    struct warp_inst inst;
    packed_writer_begin(&writer, &load, &bytes);
    for (size_t i = 0; i < 2; i++)
        packed_put(
            &writer,
            &(struct warp_inst){.active = UINT32_MAX, .exec = UINT32_MAX, .token = tokens[i]},
            NULL);
    packed_writer_end(&writer);
    packed_reader_begin(&reader, &load, 1, bytes.data, bytes.size);
    assert_true(packed_next(&reader, &inst));
    assert_int_equal(inst_token_values(inst.token), 32);
    assert_int_equal(inst_token_line(inst.token), 1000);
    assert_int_equal(inst_token_step(inst.token), 4);
    assert_true(inst_token_steps(inst.token) == UINT64_C(0x80000000005));
    assert_true(packed_next(&reader, &inst));
    assert_true(inst_token_values(inst.token) <= 1); /* one address need not be written */
    assert_true(inst_token_steps(inst.token) == 1);
    buffer_free(&bytes);
}

/* The number and threads of a BAR that has them in a register. */
static void test_barrier_numbers(void **state)
{
    (void)state;
    const struct inst bar = {.op = SIMSM_OP_BARRIER, .barrier_threads = 32};
    const struct {
        uint64_t token;
        bool good;
    } all[] = {{inst_bar_token(15, 1024), true},
               {inst_bar_token(0, 64), true},
               {0, true},
               {inst_bar_token(16, 64), false},
               {inst_bar_token(1, 64) | 2, false}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        struct byte_buffer bytes = {0};
        struct packed_writer writer;
        struct packed_reader reader;
        struct warp_inst inst;
        packed_writer_begin(&writer, &bar, &bytes);
        packed_put(
            &writer,
            &(struct warp_inst){.active = UINT32_MAX, .exec = UINT32_MAX, .token = all[i].token},
            NULL);
        packed_writer_end(&writer);
        packed_reader_begin(&reader, &bar, 1, bytes.data, bytes.size);
        assert_int_equal(packed_next(&reader, &inst), all[i].good);
        if (all[i].good)
            assert_true(inst.token == all[i].token);
        buffer_free(&bytes);
    }
    const uint64_t token = inst_bar_token(15, 1024);
    assert_int_equal(inst_barrier(&bar, token, 9), 15);
    assert_int_equal(inst_barrier_threads(&bar, token), 1024);
    assert_int_equal(inst_barrier_threads(&bar, 0), 32);
}

static void test_values(void **state)
{
    (void)state;
    check_values(SIMSM_OP_MATCH);
    check_values(SIMSM_OP_LD_CONST);
}

/* The packed size of accesses that are typical of kernels. */
static void test_address_sizes(void **state)
{
    struct byte_buffer bytes = {0};
    struct packed_writer writer;
    struct lane_addresses addresses;
    (void)state;
    packed_writer_begin(&writer, code, &bytes);
    for (uint64_t i = 0; i < 100; i++) {
        addresses = strided(UINT64_C(0x7f0000000000) + 128 * i, 4);
        size_t size = one_access(&writer, UINT32_MAX, &addresses);
        assert_true(size <= (i ? 6 : 12)); /* jump back, run, record */
        assert_true(i < 2 || size == 4);
    }
    addresses = scattered(1, 60);
    (void)one_access(&writer, UINT32_MAX, &addresses);
    addresses = scattered(1, 60); /* the same places again */
    assert_true(one_access(&writer, UINT32_MAX, &addresses) <= 5);
    addresses = scattered(9, 16000);
    assert_true(one_access(&writer, UINT32_MAX, &addresses) <= 2 * 32 + 8);
    buffer_free(&bytes);
}

/* Reads to the end what may be anything; the reader has to come to an end. */
static void read_anything(const struct front *front, const uint8_t *data, size_t size)
{
    struct packed_reader reader;
    struct warp_inst inst = {0};
    uint64_t most = (uint64_t)size * 128 + 2;
    packed_reader_begin(&reader, front->code, front->code_size, data, size);
    while (packed_next(&reader, &inst)) {
        struct lane_addresses addresses;
        assert_true(inst.index < front->code_size);
        assert_true(inst.active != 0 && (inst.exec & ~inst.active) == 0);
        packed_addresses(&reader, &inst, &addresses);
        assert_true(most-- > 0);
    }
    assert_true(inst.flags & WARP_INST_LAST);
    assert_true(inst.index < front->code_size && inst.active != 0);
}

static void test_damage(void **state)
{
    struct front *front = open_trace("traces/divergent.trace");
    struct byte_buffer bytes;
    uint64_t random = 1;
    (void)state;
    (void)pack_warp(front, 3, 1, &bytes);
    for (size_t cut = 0; cut < bytes.size; cut++) {
        uint8_t *copy = malloc(cut ? cut : 1); /* so that a read beyond is seen */
        assert_non_null(copy);
        memcpy(copy, bytes.data, cut);
        read_anything(front, copy, cut);
        free(copy);
    }
    for (int i = 0; i < 20000; i++) {
        uint32_t at = random_below(&random, (uint32_t)bytes.size);
        uint8_t old = bytes.data[at];
        bytes.data[at] = (uint8_t)random_next(&random);
        read_anything(front, bytes.data, bytes.size);
        if (i % 16)
            bytes.data[at] = old;
    }
    buffer_free(&bytes);
    front_close(front);
}

/* A source that packs the blocks of another front. */
struct copying {
    struct front *from;
    uint64_t produced, fail_at;
    bool closed;
};

static enum simsm_status copy_block(void *context, uint64_t block, struct byte_buffer *warp,
                                    uint32_t warps, struct simsm_error *error)
{
    struct copying *copying = context;
    copying->produced++;
    if (block == copying->fail_at) {
        error->status = SIMSM_FAILED;
        (void)snprintf(error->message, sizeof error->message, "block 5 hurts");
        return SIMSM_FAILED;
    }
    for (uint32_t w = 0; w < warps; w++) {
        buffer_free(&warp[w]); /* memory of a block before */
        (void)pack_warp(copying->from, block, w, &warp[w]);
    }
    return SIMSM_OK;
}

static void close_copying(void *context)
{
    ((struct copying *)context)->closed = true;
}

static struct front *open_copying(struct copying *copying)
{
    const struct block_source source = {
        .produce = copy_block, .close = close_copying, .context = copying};
    const struct front *from = copying->from;
    struct front *front = NULL;
    struct simsm_error error;
    assert_int_equal(block_front_open(&front, &source, &from->launch, from->code, from->text,
                                      from->code_size, "copy", &error),
                     SIMSM_OK);
    return front;
}

static void test_block_front(void **state)
{
    struct copying copying = {.from = open_trace("traces/divergent.trace"), .fail_at = UINT64_MAX};
    struct front *front = open_copying(&copying);
    (void)state;
    for (uint64_t b = 0; b < 3; b++)
        same_block(copying.from, front, b);
    assert_int_equal(copying.produced, 3); /* once each, though its warps were read one by one */
    same_block(copying.from, front, 1);
    assert_int_equal(copying.produced, 4); /* it had been freed */
    assert_int_equal(front_status(front, NULL), SIMSM_OK);
    void *cursor = stream_room(front);
    front->ops->warp_begin(front, cursor, 7, 0); /* left in the middle: the front frees it */
    free(cursor);
    front_close(front);
    assert_true(copying.closed);
    front_close(copying.from);
}

static void test_block_front_failure(void **state)
{
    struct copying copying = {.from = open_trace("traces/divergent.trace"), .fail_at = 5};
    struct front *front = open_copying(&copying);
    struct simsm_error error;
    struct warp_inst inst;
    void *cursor = stream_room(front);
    (void)state;
    for (uint64_t b = 5; b < 7; b++) { /* the failing block, and one after it */
        front->ops->warp_begin(front, cursor, b, 0);
        front->ops->warp_next(front, cursor, &inst);
        assert_true(inst.flags & WARP_INST_LAST);
        assert_int_equal(front->code[inst.index].op, SIMSM_OP_EXIT);
        front_warp_end(front, cursor);
    }
    assert_int_equal(front_status(front, &error), SIMSM_FAILED);
    assert_string_equal(error.message, "block 5 hurts");
    assert_int_equal(copying.produced, 1);
    free(cursor);
    front_close(front);
    front_close(copying.from);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),          cmocka_unit_test(test_constant_lines),
        cmocka_unit_test(test_barrier_numbers), cmocka_unit_test(test_random_kernels),
        cmocka_unit_test(test_traces),          cmocka_unit_test(test_address_forms),
        cmocka_unit_test(test_address_sizes),   cmocka_unit_test(test_damage),
        cmocka_unit_test(test_block_front),     cmocka_unit_test(test_block_front_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
