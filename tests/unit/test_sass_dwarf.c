/* Line programs, written by hand as the DWARF standard describes them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "sass/image/dwarf.h"

enum { ROOM = 512 };

/* A unit that is written; the lengths in its head are filled in by finish. */
struct writer {
    uint8_t data[ROOM];
    size_t size, header_at, program_at;
};

static void put(struct writer *writer, uint64_t value, unsigned bytes)
{
    assert_true(writer->size + bytes <= ROOM);
    for (unsigned i = 0; i < bytes; i++)
        writer->data[writer->size++] = (uint8_t)(value >> 8 * i);
}

static void put_text(struct writer *writer, const char *text)
{
    size_t size = strlen(text) + 1;
    assert_true(writer->size + size <= ROOM);
    memcpy(writer->data + writer->size, text, size);
    writer->size += size;
}

/* Up to the tables: instructions of 1 byte, lines from -5 in 14, 10 standard opcodes. */
static void begin(struct writer *writer, unsigned version)
{
    static const uint8_t operands[] = {0, 1, 1, 1, 1, 0, 0, 0, 1};
    *writer = (struct writer){0};
    put(writer, 0, 4);
    put(writer, version, 2);
    if (version == 5)
        put(writer, 0x0008, 2);
    writer->header_at = writer->size;
    put(writer, 0, 4);
    put(writer, 1, 1);
    put(writer, 0x0101, version >= 4 ? 2 : 1);
    put(writer, 0xfb, 1);
    put(writer, 14, 1);
    put(writer, 10, 1);
    for (unsigned i = 0; i < sizeof operands; i++)
        put(writer, operands[i], 1);
}

static void end_tables(struct writer *writer)
{
    writer->program_at = writer->size;
}

static void finish(struct writer *writer)
{
    uint32_t unit = (uint32_t)writer->size - 4;
    uint32_t header = (uint32_t)(writer->program_at - writer->header_at - 4);
    for (unsigned i = 0; i < 4; i++) {
        writer->data[i] = (uint8_t)(unit >> 8 * i);
        writer->data[writer->header_at + i] = (uint8_t)(header >> 8 * i);
    }
}

static void old_tables(struct writer *writer)
{
    put_text(writer, "dir");
    put(writer, 0, 1);
    put_text(writer, "a.cu");
    put(writer, 0x000001, 3); /* directory 1, no time, no size */
    put_text(writer, "/abs/b.cu");
    put(writer, 0, 3);
    put(writer, 0, 1);
    end_tables(writer);
}

static void set_address(struct writer *writer, uint64_t address)
{
    put(writer, 0x020900, 3);
    put(writer, address, 8);
}

/* Collects rows as text: "address file:line" each, "address end". */
struct rows {
    char text[1024];
    uint64_t offset; /* of the last address */
    bool unwanted;
};

static bool take_address(void *context, uint64_t offset, uint64_t value)
{
    struct rows *rows = context;
    (void)value;
    rows->offset = offset;
    return !rows->unwanted;
}

static bool take_row(void *context, const struct dwarf_row *row)
{
    struct rows *rows = context;
    size_t used = strlen(rows->text);
    if (row->end)
        (void)snprintf(rows->text + used, sizeof rows->text - used, "%llx end\n",
                       (unsigned long long)row->address);
    else
        (void)snprintf(rows->text + used, sizeof rows->text - used, "%llx %s/%s:%u\n",
                       (unsigned long long)row->address, row->directory ? row->directory : "?",
                       row->file ? row->file : "?", row->line);
    return true;
}

static const char *read_rows(const struct writer *writer, struct rows *rows)
{
    static const uint8_t line_text[] = "work\0x.cu";
    struct dwarf_strings strings = {.line = line_text, .line_bytes = sizeof line_text};
    struct dwarf_sink sink = {.address = take_address, .row = take_row, .context = rows};
    return dwarf_lines(writer->data, writer->size, &strings, &sink);
}

/* A copy, an advance of line and address, a special opcode, another file, the end. */
static void program(struct writer *writer)
{
    set_address(writer, 0x100);
    put(writer, 0x1003, 2);          /* advance line by 16: two bytes, as in all of these */
    put(writer, 1, 1);               /* copy */
    put(writer, 0x018002, 3);        /* advance address by 128 */
    put(writer, 0x7d03, 2);          /* advance line by -3 */
    put(writer, 10 + 14 * 2 + 6, 1); /* address + 2, line + 1 */
    put(writer, 0x0204, 2);          /* file 2 */
    put(writer, 8, 1);               /* address + 17, as opcode 255 adds it */
    put(writer, 0x000009, 3);        /* a fixed advance by 0 */
    put(writer, 1, 1);
    put(writer, 0x010100, 3);
}

static const char expected[] = "100 dir/a.cu:17\n"
                               "182 dir/a.cu:15\n"
                               "193 //abs/b.cu:15\n"
                               "193 end\n";

static void versions_2_to_4_are_read(void **state)
{
    (void)state;
    for (unsigned version = 2; version <= 4; version++) {
        struct writer writer;
        struct rows rows = {0};
        begin(&writer, version);
        old_tables(&writer);
        program(&writer);
        finish(&writer);
        assert_null(read_rows(&writer, &rows));
        assert_string_equal(rows.text, expected);
        assert_int_equal(rows.offset, writer.program_at + 3);
    }
}

static void version_5_is_read(void **state)
{
    (void)state;
    struct writer writer;
    struct rows rows = {0};
    begin(&writer, 5);
    put(&writer, 1, 1); /* directories: a path, as line_strp */
    put(&writer, 0x1f01, 2);
    put(&writer, 1, 1);
    put(&writer, 0, 4);
    put(&writer, 3, 1); /* files: path as string, directory as udata, MD5 as data16 */
    put(&writer, 0x0801, 2);
    put(&writer, 0x0f02, 2);
    put(&writer, 0x1e05, 2);
    put(&writer, 2, 1);
    for (unsigned i = 0; i < 2; i++) {
        put_text(&writer, i ? "b.cu" : "a.cu");
        put(&writer, 0, 1);
        put(&writer, 0, 8);
        put(&writer, 0, 8);
    }
    end_tables(&writer);
    set_address(&writer, 0);
    put(&writer, 1, 1); /* the file is 1, which is the second in this version */
    put(&writer, 0x0004, 2);
    put(&writer, 1, 1);
    put(&writer, 0x010100, 3);
    finish(&writer);
    assert_null(read_rows(&writer, &rows));
    assert_string_equal(rows.text, "0 work/b.cu:1\n0 work/a.cu:1\n0 end\n");
}

static void units_follow_each_other(void **state)
{
    (void)state;
    struct writer writer, both;
    struct rows rows = {0};
    begin(&writer, 2);
    old_tables(&writer);
    set_address(&writer, 0x10);
    put(&writer, 1, 1);
    put(&writer, 0x010100, 3);
    finish(&writer);
    both = writer;
    memcpy(both.data + writer.size, writer.data, writer.size);
    both.size = 2 * writer.size;
    assert_null(read_rows(&both, &rows));
    assert_string_equal(rows.text, "10 dir/a.cu:1\n10 end\n10 dir/a.cu:1\n10 end\n");
}

static void unknown_opcodes_are_passed_over(void **state)
{
    (void)state;
    struct writer writer;
    struct rows rows = {0};
    begin(&writer, 2);
    old_tables(&writer);
    set_address(&writer, 0x10);
    put(&writer, 0x01900300, 4); /* NVIDIA's: an inlined call, with two operands */
    put(&writer, 0x02, 1);
    put(&writer, 0x0705, 2); /* a column */
    put(&writer, 6, 1);      /* a flag */
    put(&writer, 1, 1);
    put(&writer, 0x010100, 3);
    finish(&writer);
    assert_null(read_rows(&writer, &rows));
    assert_string_equal(rows.text, "10 dir/a.cu:1\n10 end\n");
}

static void a_file_can_be_defined_in_the_program(void **state)
{
    (void)state;
    struct writer writer;
    struct rows rows = {0};
    begin(&writer, 3);
    old_tables(&writer);
    set_address(&writer, 0);
    put(&writer, 0x030900, 3);
    put_text(&writer, "c.cu");
    put(&writer, 0x000001, 3);
    put(&writer, 0x0304, 2);
    put(&writer, 1, 1);
    put(&writer, 0x010100, 3);
    finish(&writer);
    assert_null(read_rows(&writer, &rows));
    assert_string_equal(rows.text, "0 dir/c.cu:1\n0 end\n");
}

static void rows_of_other_sections_are_not_given(void **state)
{
    (void)state;
    struct writer writer;
    struct rows rows = {.unwanted = true};
    begin(&writer, 2);
    old_tables(&writer);
    program(&writer);
    finish(&writer);
    assert_null(read_rows(&writer, &rows));
    assert_string_equal(rows.text, "");
}

static void damage_is_told(void **state)
{
    (void)state;
    struct writer writer, damaged;
    struct rows rows = {0};
    begin(&writer, 2);
    old_tables(&writer);
    program(&writer);
    finish(&writer);
    for (size_t size = 1; size < writer.size; size++) {
        damaged = writer;
        damaged.size = size;
        assert_non_null(read_rows(&damaged, &rows));
    }
    damaged = writer;
    damaged.data[4] = 6;
    assert_non_null(strstr(read_rows(&damaged, &rows), "neither of DWARF 2, 3, 4 nor 5"));
    damaged = writer;
    damaged.data[damaged.header_at + 4 + 3] = 0; /* line_range */
    assert_non_null(strstr(read_rows(&damaged, &rows), "header of a unit of lines is damaged"));
    damaged = writer;
    damaged.data[damaged.header_at + 1] = 0xff;
    assert_non_null(strstr(read_rows(&damaged, &rows), "longer than the unit"));
    damaged = writer;
    damaged.data[damaged.program_at + 1] = 0x7f; /* bytes of the extended opcode */
    assert_non_null(strstr(read_rows(&damaged, &rows), "program of lines is damaged"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(versions_2_to_4_are_read),
        cmocka_unit_test(version_5_is_read),
        cmocka_unit_test(units_follow_each_other),
        cmocka_unit_test(unknown_opcodes_are_passed_over),
        cmocka_unit_test(a_file_can_be_defined_in_the_program),
        cmocka_unit_test(rows_of_other_sections_are_not_given),
        cmocka_unit_test(damage_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
