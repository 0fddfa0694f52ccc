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
    const struct wait wait = {.words = 2,
                              .word = {{.address = 8, .count = 2}, {.address = 16, .count = 1}}};
    assert_true(word_written(&table, 8, 2));
    assert_false(wait_is_over(&table, &wait));
    assert_true(word_written(&table, 16, 1));
    assert_true(wait_is_over(&table, &wait));
    word_table_free(&table);
}

enum { LOAD, TEST, BACK, STORE, END, CODE };

static const struct inst code[CODE] = {
    {.op = SIMSM_OP_LD_GLOBAL, .width = 4}, {.op = SIMSM_OP_INT},  {.op = SIMSM_OP_BRANCH},
    {.op = SIMSM_OP_ST_GLOBAL, .width = 4}, {.op = SIMSM_OP_EXIT},
};

static const struct wait flag = {.words = 3,
                                 .word = {{.address = 4096, .count = 7},
                                          {.address = UINT64_MAX - 3, .count = 1},
                                          {.address = 16, .count = UINT32_MAX}}};

static void put(struct packed_writer *writer, uint32_t index, uint32_t flags)
{
    struct lane_addresses addresses = {.affine = true, .base = 4096 + index, .stride = 4};
    const struct warp_inst inst = {.index = index, .active = 0xffff, .exec = 0xff, .flags = flags};
    packed_put(writer, &inst, &addresses);
}

/* TEST, LOAD in vain and TEST, both taken back; LOAD that waits, TEST, STORE, END. */
static void write_cursor(struct byte_buffer *bytes)
{
    struct packed_writer writer;
    struct packed_mark mark;
    packed_writer_begin(&writer, code, bytes);
    put(&writer, TEST, 0);
    packed_mark(&writer, &mark);
    put(&writer, LOAD, 0);
    put(&writer, TEST, 0);
    packed_rewind(&writer, &mark);
    packed_put_wait(&writer, &flag);
    put(&writer, LOAD, 0);
    put(&writer, TEST, 0);
    put(&writer, STORE, WARP_INST_WRITES);
    put(&writer, END, 0);
    packed_writer_end(&writer);
    assert_false(bytes->failed);
}

static void check_wait(const struct wait *wait)
{
    assert_int_equal(wait->words, flag.words);
    for (uint32_t i = 0; i < flag.words; i++) {
        assert_int_equal(wait->word[i].address, flag.word[i].address);
        assert_int_equal(wait->word[i].count, flag.word[i].count);
    }
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

/* What was taken back is not there; the wait is known before its instruction, and with it. */
static void test_reading(void **state)
{
    (void)state;
    struct byte_buffer bytes = {0};
    struct packed_reader reader;
    struct lane_addresses addresses;
    struct wait wait;
    uint32_t index;
    write_cursor(&bytes);
    packed_reader_begin(&reader, code, CODE, bytes.data, bytes.size);
    assert_false(packed_will_wait(&reader, &wait, &index));
    (void)next(&reader, TEST, WARP_INST_TAKEN);
    assert_true(packed_will_wait(&reader, &wait, &index));
    assert_int_equal(index, LOAD);
    check_wait(&wait);
    struct warp_inst load = next(&reader, LOAD, WARP_INST_WAITS);
    packed_addresses(&reader, &load, &addresses);
    assert_int_equal(lane_address(&addresses, 3), 4096 + 12);
    packed_wait(&reader, reader.wait, &wait);
    check_wait(&wait);
    assert_false(packed_will_wait(&reader, &wait, &index));
    (void)next(&reader, TEST, WARP_INST_TAKEN);
    (void)next(&reader, STORE, WARP_INST_WRITES);
    (void)next(&reader, END, WARP_INST_LAST);
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
                uint32_t index;
                if (inst.flags & WARP_INST_WAITS)
                    packed_wait(&reader, reader.wait, &wait);
                (void)packed_will_wait(&reader, &wait, &index);
            }
            test_free(copy);
        }
    }
    buffer_free(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_reading),
        cmocka_unit_test(test_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
