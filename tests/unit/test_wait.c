/* Waits in streams, and the account of the words that they are for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "front/packed_warp.h"
#include "model/wait.h"

static void test_words(void **state)
{
    (void)state;
    struct word_table table = {0};
    assert_null(word_find(&table, 64));
    for (uint64_t i = 0; i < 1000; i++)
        assert_true(word_written(&table, 4096 + 4 * i, (uint32_t)(i % 3 + 1)));
    for (uint64_t i = 0; i < 1000; i++)
        assert_int_equal(word_find(&table, 4096 + 4 * i)->count, i % 3 + 1);
    assert_null(word_find(&table, 4));
    word_table_clear(&table);
    assert_null(word_find(&table, 4096));
    word_table_free(&table);
}

static void test_counts(void **state)
{
    (void)state;
    struct word_table table = {0};
    struct wait wait = {
        .length = 1,
        .words = 2,
        .word = {{.address = 8, .count = 2}, {.address = 8, .shared = true, .count = 1}}};
    assert_true(word_written(&table, 8, 1));
    assert_false(wait_is_over(&table, &wait, false));
    assert_true(wait_is_over(&table, &wait, true));
    assert_true(word_written(&table, 8, 1));
    assert_true(wait_is_over(&table, &wait, false));
    word_table_free(&table);
}

static void test_lock(void **state)
{
    (void)state;
    struct word_table table = {0};
    struct wait take = {.length = 1, .words = 1, .word = {{.address = 8, .kind = WAIT_TAKE}}};
    struct wait look = {.length = 1, .words = 1, .word = {{.address = 8, .kind = WAIT_FREE}}};
    assert_true(wait_is_over(&table, &take, false));
    assert_true(wait_take(&table, &take, false));
    assert_false(wait_is_over(&table, &take, false));
    assert_false(wait_is_over(&table, &look, false));
    assert_true(wait_take(&table, &look, false)); /* takes nothing */
    assert_true(wait_take(&table, &take, false));
    assert_true(word_written(&table, 8, 1));
    assert_false(wait_is_over(&table, &take, false)); /* it was taken twice */
    assert_true(word_written(&table, 8, 5));          /* gives it back, and no more than that */
    assert_true(wait_is_over(&table, &take, false));
    word_table_free(&table);
}

enum { LOAD, TEST, BACK, STORE, END, CODE };

static const struct inst code[CODE] = {
    {.op = SIMSM_OP_LD_GLOBAL, .width = 4}, {.op = SIMSM_OP_INT},  {.op = SIMSM_OP_BRANCH},
    {.op = SIMSM_OP_ST_GLOBAL, .width = 4}, {.op = SIMSM_OP_EXIT},
};

static const struct wait flag = {
    .length = 3,
    .words = 3,
    .word = {{.address = 4096, .count = 7},
             {.address = UINT64_MAX - 3, .kind = WAIT_TAKE},
             {.address = 16, .count = UINT32_MAX, .kind = WAIT_FREE, .shared = true}}};

static void put(struct packed_writer *writer, uint32_t index, uint32_t flags)
{
    struct lane_addresses addresses = {.affine = true, .base = 4096 + index, .stride = 4};
    const struct warp_inst inst = {.index = index, .active = 0xffff, .exec = 0xff, .flags = flags};
    packed_put(writer, &inst, &addresses);
}

static void write_cursor(struct byte_buffer *bytes)
{
    struct packed_writer writer;
    packed_writer_begin(&writer, code, bytes);
    put(&writer, TEST, 0);
    packed_put_wait(&writer, &flag);
    put(&writer, LOAD, 0);
    put(&writer, TEST, 0);
    put(&writer, BACK, 0);
    put(&writer, STORE, WARP_INST_WRITES);
    put(&writer, END, 0);
    packed_writer_end(&writer);
    assert_false(bytes->failed);
}

static struct warp_inst next(struct packed_reader *reader, uint32_t index, uint32_t flags)
{
    const uint32_t all = (1u << 6) - 1;
    struct warp_inst inst;
    assert_true(packed_next(reader, &inst));
    assert_int_equal(inst.index, index);
    assert_int_equal(inst.active, 0xffff);
    assert_int_equal(inst.flags & all, flags);
    return inst;
}

static void read_pass(struct packed_reader *reader)
{
    struct lane_addresses addresses;
    struct warp_inst load = next(reader, LOAD, WARP_INST_WAITS);
    packed_addresses(reader, &load, &addresses);
    assert_int_equal(lane_address(&addresses, 3), 4096 + 12);
    (void)next(reader, TEST, WARP_INST_WAITS);
    (void)next(reader, BACK, WARP_INST_WAITS | WARP_INST_DECIDES | WARP_INST_TAKEN);
}

/* The pass comes again as often as it is asked for, and what follows it is the same. */
static void test_repeat(void **state)
{
    (void)state;
    struct byte_buffer bytes = {0};
    write_cursor(&bytes);
    for (int turns = 0; turns < 4; turns++) {
        struct packed_reader reader;
        struct wait wait;
        packed_reader_begin(&reader, code, CODE, bytes.data, bytes.size);
        (void)next(&reader, TEST, WARP_INST_TAKEN);
        for (int turn = 0; turn <= turns; turn++) {
            if (turn)
                packed_repeat(&reader);
            read_pass(&reader);
            packed_wait(&reader, &wait);
            assert_int_equal(wait.length, flag.length);
            assert_int_equal(wait.words, flag.words);
            assert_memory_equal(wait.word, flag.word, 3 * sizeof wait.word[0]);
        }
        (void)next(&reader, STORE, WARP_INST_WRITES);
        (void)next(&reader, END, WARP_INST_LAST);
    }
    buffer_free(&bytes);
}

/* Whatever the bytes are, the stream ends, and nothing is read out of bounds. */
static void test_damage(void **state)
{
    (void)state;
    struct byte_buffer bytes = {0};
    write_cursor(&bytes);
    for (size_t at = 0; at < bytes.size; at++) {
        for (unsigned value = 0; value < 256; value++) {
            uint8_t *copy = test_malloc(bytes.size);
            memcpy(copy, bytes.data, bytes.size);
            copy[at] = (uint8_t)value;
            struct packed_reader reader;
            struct warp_inst inst = {0};
            packed_reader_begin(&reader, code, CODE, copy, bytes.size);
            for (int n = 0; !(inst.flags & WARP_INST_LAST); n++) {
                assert_true(n < 1000);
                (void)packed_next(&reader, &inst);
                struct wait wait;
                if (inst.flags & WARP_INST_WAITS)
                    packed_wait(&reader, &wait);
                if ((inst.flags & WARP_INST_DECIDES) && n < 100)
                    packed_repeat(&reader);
            }
            test_free(copy);
        }
    }
    buffer_free(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),  cmocka_unit_test(test_counts), cmocka_unit_test(test_lock),
        cmocka_unit_test(test_repeat), cmocka_unit_test(test_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
