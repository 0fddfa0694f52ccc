/* Recordings: what is written is read again, what is damaged is refused with a reason. */
#include "stream_fixture.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "input/front_open.h"
#include "often.h"
#include "random_front.h"
#include "record/record_front.h"
#include "record/recording_format.h"
#include "record/recording_front.h"
#include "simsm/simsm.h"
#include "trace/trace.h"

static char path[] = "/tmp/simsm_test_record_XXXXXX";

static int make_path(void **state)
{
    (void)state;
    int file = mkstemp(path);
    return file < 0 ? -1 : close(file);
}

static int remove_path(void **state)
{
    (void)state;
    return unlink(path);
}

static void ok(enum simsm_status status, const struct simsm_error *error)
{
    char text[1200];
    if (status != SIMSM_OK)
        fail_msg("%s", simsm_error_text(error, text, sizeof text));
}

static void refused(enum simsm_status status, const struct simsm_error *error, const char *part)
{
    assert_int_equal(status, SIMSM_BAD_INPUT);
    if (!strstr(error->message, part))
        fail_msg("\"%s\" does not contain \"%s\"", error->message, part);
}

static struct front *open_trace(const char *name)
{
    struct front *front = NULL;
    struct simsm_error error;
    ok(trace_open(&front, name, NULL, NULL, &error), &error);
    return front;
}

static struct recording_writer *create(void)
{
    struct recording_writer *writer = NULL;
    struct simsm_error error;
    ok(recording_create(&writer, path, "test", &error), &error);
    return writer;
}

/* Records fronts as the launches of one file. */
static void record(struct front *const *fronts, size_t count)
{
    struct recording_writer *writer = create();
    struct simsm_error error;
    for (size_t i = 0; i < count; i++)
        ok(record_front(writer, fronts[i], NULL, NULL, &error), &error);
    ok(recording_finish(writer, &error), &error);
}

static struct front *replay(const char *const *params)
{
    struct front *front = NULL;
    struct simsm_error error;
    ok(front_open(&front, path, NULL, params, &error), &error); /* finds out what it is */
    return front;
}

static void same_ranges(const struct reg_range *a, const struct reg_range *b, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        assert_int_equal(a[i].first, b[i].first);
        assert_int_equal(a[i].count, b[i].count);
        assert_int_equal(a[i].reuse, b[i].reuse);
    }
}

static void same_control(const struct control_bits *a, const struct control_bits *b)
{
    assert_int_equal(a->present, b->present);
    if (!a->present)
        return;
    assert_int_equal(a->stall, b->stall);
    assert_int_equal(a->write_barrier, b->write_barrier);
    assert_int_equal(a->read_barrier, b->read_barrier);
    assert_int_equal(a->wait_mask, b->wait_mask);
    assert_int_equal(a->yield, b->yield);
}

static void same_static(const struct inst *a, const struct inst *b)
{
    assert_int_equal(a->op, b->op);
    assert_int_equal(a->width, b->width);
    assert_int_equal(a->n_sources, b->n_sources);
    assert_int_equal(a->n_destinations, b->n_destinations);
    same_ranges(a->source, b->source, a->n_sources);
    same_ranges(a->destination, b->destination, a->n_destinations);
    same_control(&a->control, &b->control);
    assert_int_equal(a->barrier, b->barrier);
    assert_int_equal(a->barrier_arrive, b->barrier_arrive);
    assert_int_equal(a->barrier_threads, b->barrier_threads);
    assert_int_equal(a->depbar_index, b->depbar_index);
    assert_int_equal(a->depbar_count, b->depbar_count);
    assert_int_equal(a->scope, b->scope);
    assert_int_equal(a->atomic, b->atomic);
    assert_int_equal(a->conditional, b->conditional);
    assert_int_equal(a->constant, b->constant);
    assert_int_equal(a->guarded, b->guarded);
    assert_int_equal(a->pc, b->pc);
    assert_int_equal(a->line, b->line);
    assert_int_equal(a->sleep, b->sleep);
}

static void same_memory(const struct front_memory *a, const struct front_memory *b)
{
    assert_int_equal(a->known, b->known);
    assert_int_equal(a->local_bytes, b->local_bytes);
    assert_int_equal(a->local_base, b->local_base);
    assert_int_equal(a->buffers, b->buffers);
    for (uint32_t i = 0; i < a->buffers; i++) {
        assert_string_equal(a->buffer[i].name, b->buffer[i].name);
        assert_int_equal(a->buffer[i].base, b->buffer[i].base);
        assert_int_equal(a->buffer[i].bytes, b->buffer[i].bytes);
    }
}

static void same_front(const struct front *a, const struct front *b, uint64_t blocks)
{
    uint64_t all = simsm_grid_blocks(&a->launch);
    assert_memory_equal(&a->launch.grid, &b->launch.grid, sizeof a->launch.grid);
    assert_memory_equal(&a->launch.block, &b->launch.block, sizeof a->launch.block);
    assert_string_equal(a->launch.name, b->launch.name);
    assert_int_equal(a->launch.registers, b->launch.registers);
    assert_int_equal(a->launch.shared_static, b->launch.shared_static);
    assert_int_equal(a->launch.shared_dynamic, b->launch.shared_dynamic);
    assert_int_equal(a->launch.carveout, b->launch.carveout);
    same_memory(&a->memory, &b->memory);
    assert_int_equal(a->code_size, b->code_size);
    for (uint32_t i = 0; i < a->code_size; i++) {
        same_static(&a->code[i], &b->code[i]);
        assert_string_equal(a->text[i], b->text[i]);
    }
    for (uint64_t i = 0; i < blocks && i < all; i++) /* here and there */
        same_block(a, b, i * 7919 % all);
}

static void test_random_kernels(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < OFTEN(60); seed++) {
        struct front *front = random_front_open(seed), *again;
        record(&front, 1);
        again = replay(NULL);
        same_front(front, again, 50);
        front_close(again);
        front_close(front);
    }
}

static void test_traces(void **state)
{
    static const char *const names[] = {
        "traces/divergent.trace", "traces/lessons/matmul_naive.trace",
        "traces/lessons/walkthrough.trace", "traces/lessons/imbalance_across.trace"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct front *front = open_trace(names[i]), *again;
        struct recording_about about;
        record(&front, 1);
        again = replay(NULL);
        same_front(front, again, 100);
        assert_true(again->memory.known);
        assert_true(recording_about(again, &about));
        assert_string_equal(about.source, names[i]);
        assert_string_equal(about.command, "test");
        assert_false(recording_about(front, &about));
        front_close(again);
        front_close(front);
    }
}

static void test_launches(void **state)
{
    struct front *fronts[3] = {random_front_open(1), open_trace("traces/lessons/branch.trace"),
                               random_front_open(2)};
    static const char *const launch[3][2] = {{"launch=1"}, {"launch=2"}, {"launch=3"}};
    struct front *again = NULL;
    struct simsm_error error;
    (void)state;
    record(fronts, 3);
    for (int i = 0; i < 3; i++) {
        again = replay(launch[i]);
        same_front(fronts[i], again, 20);
        front_close(again);
        front_close(fronts[i]);
    }
    refused(front_open(&again, path, NULL, NULL, &error), &error, "holds 3 kernel launches");
    refused(front_open(&again, path, NULL, (const char *const[]){"launch=4", NULL}, &error), &error,
            "launches 1 to 3");
    refused(front_open(&again, path, NULL, (const char *const[]){"n=3", NULL}, &error), &error,
            "only the parameter launch=N");
}

/* The blocks of a front, in an order of its own, enough for several chunks. */
static void test_order(void **state)
{
    struct front *front = open_trace("traces/divergent.trace");
    const struct recording_launch launch = {.launch = &front->launch,
                                            .code = front->code,
                                            .text = front->text,
                                            .code_size = front->code_size,
                                            .memory = &front->memory};
    struct recording_writer *writer = create();
    struct simsm_error error;
    uint64_t blocks = simsm_grid_blocks(&front->launch);
    size_t bytes = 0;
    (void)state;
    ok(recording_begin(writer, &launch, &error), &error);
    for (uint64_t i = 0; i < blocks; i++) {
        struct byte_buffer warp[4];
        uint64_t block = i < 100 ? blocks - 1 - i : (i - 100) * 7 % (blocks - 100);
        for (uint32_t w = 0; w < 4; w++) {
            (void)pack_warp(front, block, w, &warp[w]);
            bytes += warp[w].size;
        }
        ok(recording_put_block(writer, block, warp, 4, &error), &error);
        for (uint32_t w = 0; w < 4; w++)
            buffer_free(&warp[w]);
    }
    assert_true(bytes > SMTR_CHUNK_BYTES); /* or the test would not test chunks */
    ok(recording_finish(writer, &error), &error);
    struct front *again = replay(NULL);
    same_front(front, again, blocks);
    front_close(again);
    front_close(front);
}

/* A launch of two blocks with one warp each, that only ends. */
static const struct inst exits = {.op = SIMSM_OP_EXIT};
static const char *const exits_text = "EXIT";
static const struct simsm_launch two_blocks = {
    .name = "two", .grid = {2, 1, 1}, .block = {32, 1, 1}, .registers = 16};

static struct byte_buffer one_exit(void)
{
    struct byte_buffer bytes = {0};
    struct packed_writer writer;
    packed_writer_begin(&writer, &exits, &bytes);
    packed_put(&writer, &(struct warp_inst){.active = 3, .exec = 3}, NULL);
    packed_writer_end(&writer);
    return bytes;
}

/* Begins a launch that fails in the middle, behind more than a chunk. */
static void begin_in_vain(struct recording_writer *writer, const struct front *front)
{
    const struct recording_launch launch = {.launch = &front->launch,
                                            .code = front->code,
                                            .text = front->text,
                                            .code_size = front->code_size};
    struct byte_buffer warp[4];
    struct simsm_error error;
    size_t bytes = 0;
    ok(recording_begin(writer, &launch, &error), &error);
    for (uint32_t w = 0; w < 4; w++)
        (void)pack_warp(front, 0, w, &warp[w]);
    for (uint64_t b = 0; bytes <= SMTR_CHUNK_BYTES; b++) {
        ok(recording_put_block(writer, b, warp, 4, &error), &error);
        for (uint32_t w = 0; w < 4; w++)
            bytes += warp[w].size;
    }
    for (uint32_t w = 0; w < 4; w++)
        buffer_free(&warp[w]);
    ok(recording_drop(writer, &error), &error);
}

static void test_drop(void **state)
{
    struct front *kept[2] = {random_front_open(3), random_front_open(4)};
    struct front *failed = open_trace("traces/divergent.trace");
    struct recording_writer *writer = create();
    struct simsm_error error;
    (void)state;
    ok(recording_drop(writer, &error), &error); /* none is open */
    begin_in_vain(writer, failed);
    for (int i = 0; i < 2; i++) {
        ok(record_front(writer, kept[i], NULL, NULL, &error), &error);
        ok(recording_end(writer, &error), &error);
        begin_in_vain(writer, failed);
    }
    ok(recording_finish(writer, &error), &error);
    for (int i = 0; i < 2; i++) {
        struct front *again = replay((const char *const[]){i ? "launch=2" : "launch=1", NULL});
        same_front(kept[i], again, 20);
        front_close(again);
        front_close(kept[i]);
    }
    refused(front_open(&kept[0], path, NULL, NULL, &error), &error, "holds 2 kernel launches");
    front_close(failed);
}

static void test_writer_refuses(void **state)
{
    struct recording_launch launch = {&two_blocks, &exits, &exits_text, 1, NULL, NULL, NULL};
    struct byte_buffer warp = one_exit();
    struct simsm_error error;
    (void)state;
    assert_int_equal(unlink(path), 0);
    struct recording_writer *writer = create();
    refused(recording_put_block(writer, 0, &warp, 1, &error), &error, "block 0 with 1 warps");
    ok(recording_begin(writer, &launch, &error), &error);
    refused(recording_put_block(writer, 2, &warp, 1, &error), &error, "block 2 with 1 warps");
    refused(recording_put_block(writer, 0, &warp, 2, &error), &error, "block 0 with 2 warps");
    ok(recording_put_block(writer, 1, &warp, 1, &error), &error);
    refused(recording_finish(writer, &error), &error, "block 0 has not been recorded");
    writer = create();
    ok(recording_begin(writer, &launch, &error), &error);
    ok(recording_put_block(writer, 1, &warp, 1, &error), &error);
    ok(recording_put_block(writer, 1, &warp, 1, &error), &error);
    refused(recording_begin(writer, &launch, &error), &error, "block 0 has not been recorded");
    recording_abandon(writer);
    writer = create();
    ok(recording_begin(writer, &launch, &error), &error);
    for (uint64_t b = 0; b < 3; b++)
        ok(recording_put_block(writer, b % 2, &warp, 1, &error), &error);
    refused(recording_finish(writer, &error), &error, "block 0 has been recorded twice");
    writer = create();
    refused(recording_finish(writer, &error), &error, "no launch");
    assert_int_not_equal(access(path, F_OK), 0); /* nothing was left of any of them */
    buffer_free(&warp);
    FILE *file = fopen(path, "wb"); /* for the next test, as it was */
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
}

static void test_writer_checks_code(void **state)
{
    static const struct {
        struct inst inst;
        const char *wrong;
    } cases[] = {
        {{.op = SIMSM_OP_COUNT}, "no class"},
        {{.op = SIMSM_OP_INT, .n_sources = 9}, "too many registers"},
        {{.op = SIMSM_OP_INT, .n_destinations = 1, .destination = {{.first = 335, .count = 2}}},
         "does not exist"},
        {{.op = SIMSM_OP_LD_GLOBAL}, "width"},
        {{.op = SIMSM_OP_BARRIER, .barrier = 64}, "barrier"},
        {{.op = SIMSM_OP_NOP}, "EXIT"},
    };
    struct simsm_error error;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct recording_writer *writer = create();
        struct recording_launch launch = {&two_blocks, &cases[i].inst, &exits_text, 1,
                                          "x",         NULL,           NULL};
        refused(recording_begin(writer, &launch, &error), &error, cases[i].wrong);
        recording_abandon(writer);
    }
}

/* The file as bytes; the caller frees them. */
static uint8_t *slurp(size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *size = (size_t)ftell(file);
    rewind(file);
    uint8_t *bytes = malloc(*size);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    (void)fclose(file);
    return bytes;
}

/* Opens bytes as a recording, and reads all that is in it: if it can, it has to be `same`. */
static enum simsm_status read_bytes(uint8_t *bytes, size_t size, const struct front *same,
                                    struct simsm_error *error)
{
    struct front *front = NULL;
    FILE *file = fmemopen(bytes, size, "rb");
    assert_non_null(file);
    enum simsm_status status = recording_open_file(&front, file, "x.smtr", NULL, NULL, error);
    if (status != SIMSM_OK)
        return status;
    void *cursor = stream_room(front);
    for (uint64_t b = 0; b < simsm_grid_blocks(&front->launch); b++) {
        for (uint32_t w = 0; w < simsm_block_warps(&front->launch); w++) {
            struct warp_inst inst = {0};
            front->ops->warp_begin(front, cursor, b, w);
            while (!(inst.flags & WARP_INST_LAST))
                front->ops->warp_next(front, cursor, &inst);
            front_warp_end(front, cursor);
        }
    }
    status = front_status(front, error);
    if (status == SIMSM_OK)
        same_front(same, front, UINT64_MAX);
    free(cursor);
    front_close(front);
    return status;
}

static void test_damage(void **state)
{
    struct front *front = open_trace("traces/lessons/walkthrough.trace");
    struct simsm_error error;
    size_t size, harmless = 0;
    (void)state;
    record(&front, 1);
    uint8_t *bytes = slurp(&size);
    ok(read_bytes(bytes, size, front, &error), &error);
    for (size_t cut = 1; cut < size; cut++)
        refused(read_bytes(bytes, cut, front, &error), &error, "cut off");
    for (size_t i = 0; i < size; i++) {
        bytes[i] ^= 1;
        enum simsm_status status = read_bytes(bytes, size, front, &error);
        assert_true(status == SIMSM_OK || status == SIMSM_BAD_INPUT);
        harmless += status == SIMSM_OK; /* zeros at the start, bits that zstd does not use */
        bytes[i] ^= 1;
    }
    assert_true(harmless < 20);
    bytes[8] = 2;
    refused(read_bytes(bytes, size, front, &error), &error, "version 2");
    bytes[8] = 5;
    refused(read_bytes(bytes, size, front, &error), &error, "version 5");
    free(bytes);
    front_close(front);
}

/* A chunk that cannot be read fails the run, with what is wrong and where. */
static void test_damaged_run(void **state)
{
    struct front *front = open_trace("traces/divergent.trace");
    struct simsm_config config;
    struct simsm_error error;
    struct simsm *simulation = NULL;
    size_t size;
    (void)state;
    record(&front, 1);
    front_close(front);
    uint8_t *bytes = slurp(&size);
    bytes[size / 2] ^= 1;
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    free(bytes);
    ok(simsm_config_load(&config, "configs/t4.yaml", &error), &error);
    ok(simsm_open(&simulation, &config, path, NULL, &error), &error);
    refused(simsm_run(simulation, UINT64_MAX, &error), &error, "damaged at byte");
    assert_string_equal(error.file, path);
    simsm_close(simulation);
}

static enum simsm_status stop_at_three(void *context, uint64_t blocks, uint64_t instructions)
{
    *(uint64_t *)context = instructions;
    return blocks == 3 ? SIMSM_INTERRUPTED : SIMSM_OK;
}

static void test_stop(void **state)
{
    struct front *front = open_trace("traces/divergent.trace");
    struct recording_writer *writer = create();
    struct simsm_error error;
    uint64_t instructions = 0;
    const struct record_watch watch = {stop_at_three, &instructions};
    (void)state;
    assert_int_equal(record_front(writer, front, &watch, NULL, &error), SIMSM_INTERRUPTED);
    assert_true(instructions > 0);
    recording_abandon(writer);
    front_close(front);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_kernels),
        cmocka_unit_test(test_traces),
        cmocka_unit_test(test_launches),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_drop),
        cmocka_unit_test(test_writer_refuses),
        cmocka_unit_test(test_writer_checks_code),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_damaged_run),
        cmocka_unit_test(test_stop),
    };
    return cmocka_run_group_tests(tests, make_path, remove_path);
}
