/* Reads line programs, from section 6.2 of the DWARF standard, versions 2 to 5. */
#include "sass/image/dwarf.h"

#include <string.h>

#include "sass/image/image_bytes.h"

enum { MAX_DIRECTORIES = 4096, MAX_FILES = 4096, MAX_FORMATS = 8 };

/* A place in bytes. Reading past `end` returns 0 and sets `overrun`. */
struct dwarf_cursor {
    const uint8_t *at, *end;
    bool overrun;
};

struct dwarf_format {
    uint64_t content, form;
};

/* The header of one unit, with its tables of directories and files. */
struct dwarf_unit {
    uint16_t version;
    bool wide; /* 64-bit DWARF */
    uint8_t instruction_bytes, line_range, opcode_base;
    int8_t line_base;
    uint8_t operands[256];
    const uint8_t *program;
    const char *directory[MAX_DIRECTORIES];
    struct {
        const char *name;
        uint64_t directory;
    } file[MAX_FILES];
    uint32_t directories, files;
};

struct dwarf_state {
    uint64_t address, file;
    int64_t line;
    uint64_t call; /* as in struct dwarf_row */
    bool wanted;
};

static uint64_t take(struct dwarf_cursor *cursor, unsigned bytes)
{
    uint64_t value = 0;
    if ((size_t)(cursor->end - cursor->at) < bytes) {
        cursor->overrun = true;
        cursor->at = cursor->end;
        return 0;
    }
    for (unsigned i = 0; i < bytes && i < 8; i++)
        value |= (uint64_t)cursor->at[i] << 8 * i;
    cursor->at += bytes;
    return value;
}

static void skip(struct dwarf_cursor *cursor, uint64_t bytes)
{
    if ((uint64_t)(cursor->end - cursor->at) < bytes) {
        cursor->overrun = true;
        cursor->at = cursor->end;
    } else {
        cursor->at += bytes;
    }
}

static uint64_t take_leb(struct dwarf_cursor *cursor, bool is_signed)
{
    uint64_t value = 0, byte;
    unsigned shift = 0;
    do {
        byte = take(cursor, 1);
        if (shift < 64)
            value |= (byte & 0x7f) << shift;
        shift += 7;
    } while (byte & 0x80 && !cursor->overrun);
    if (is_signed && byte & 0x40 && shift < 64)
        value |= UINT64_MAX << shift;
    return value;
}

static const char *take_string(struct dwarf_cursor *cursor)
{
    const uint8_t *begin = cursor->at;
    const uint8_t *zero = memchr(begin, '\0', (size_t)(cursor->end - begin));
    if (!zero) {
        cursor->overrun = true;
        cursor->at = cursor->end;
        return "";
    }
    cursor->at = zero + 1;
    return (const char *)begin;
}

static const char *string_in(const uint8_t *table, uint64_t bytes, uint64_t offset)
{
    if (offset >= bytes || !memchr(table + offset, '\0', bytes - offset))
        return NULL;
    return (const char *)table + offset;
}

/* ---- Tables of directories and files ---- */

static void add_file(struct dwarf_unit *unit, const char *name, uint64_t directory)
{
    if (unit->files == MAX_FILES)
        return;
    unit->file[unit->files].name = name;
    unit->file[unit->files++].directory = directory;
}

/* Reads a name, its directory, time and size: an entry of the table, or of DW_LNE_define_file. */
static bool take_file(struct dwarf_unit *unit, struct dwarf_cursor *cursor)
{
    const char *name = take_string(cursor);
    if (*name == '\0')
        return false;
    uint64_t directory = take_leb(cursor, false);
    (void)take_leb(cursor, false);
    (void)take_leb(cursor, false);
    add_file(unit, name, directory);
    return !cursor->overrun;
}

/* Reads the tables of versions 2 to 4: both count from 1, and directory 0 is the compiler's. */
static void read_tables(struct dwarf_unit *unit, struct dwarf_cursor *cursor)
{
    const char *name;
    unit->directory[unit->directories++] = "";
    while (*(name = take_string(cursor)) != '\0')
        if (unit->directories < MAX_DIRECTORIES)
            unit->directory[unit->directories++] = name;
    add_file(unit, NULL, 0);
    while (take_file(unit, cursor))
        ;
}

/*
 * Reads one field of version 5: a number into *value, or a string into *text. Returns false for an
 * unknown form.
 */
static bool take_form(struct dwarf_cursor *cursor, uint64_t form, bool wide,
                      const struct dwarf_strings *strings, uint64_t *value, const char **text)
{
    unsigned offset = wide ? 8 : 4;
    switch (form) {
    case 0x08: /* string */
        *text = take_string(cursor);
        return true;
    case 0x0e: /* strp */
        *text = string_in(strings->other, strings->other_bytes, take(cursor, offset));
        return true;
    case 0x1f: /* line_strp */
        *text = string_in(strings->line, strings->line_bytes, take(cursor, offset));
        return true;
    case 0x0b: /* data1 */
        *value = take(cursor, 1);
        return true;
    case 0x05: /* data2 */
        *value = take(cursor, 2);
        return true;
    case 0x06: /* data4 */
        *value = take(cursor, 4);
        return true;
    case 0x07: /* data8 */
        *value = take(cursor, 8);
        return true;
    case 0x1e: /* data16 */
        skip(cursor, 16);
        return true;
    case 0x0f: /* udata */
        *value = take_leb(cursor, false);
        return true;
    case 0x09: /* block */
        skip(cursor, take_leb(cursor, false));
        return true;
    default:
        return false;
    }
}

/* Reads one table of version 5, which begins with the format of its entries. */
static bool read_table(struct dwarf_unit *unit, struct dwarf_cursor *cursor, bool files,
                       const struct dwarf_strings *strings)
{
    enum { CONTENT_PATH = 1, CONTENT_DIRECTORY = 2 };
    struct dwarf_format format[MAX_FORMATS];
    uint64_t formats = take(cursor, 1);
    if (formats > MAX_FORMATS)
        return false;
    for (uint64_t i = 0; i < formats; i++) {
        format[i].content = take_leb(cursor, false);
        format[i].form = take_leb(cursor, false);
    }
    uint64_t count = take_leb(cursor, false);
    for (uint64_t i = 0; i < count && formats && !cursor->overrun; i++) {
        const char *name = NULL;
        uint64_t directory = 0;
        for (uint64_t f = 0; f < formats; f++) {
            uint64_t value = 0;
            const char *text = NULL;
            if (!take_form(cursor, format[f].form, unit->wide, strings, &value, &text))
                return false;
            if (format[f].content == CONTENT_PATH)
                name = text;
            else if (format[f].content == CONTENT_DIRECTORY)
                directory = value;
        }
        if (files)
            add_file(unit, name, directory);
        else if (unit->directories < MAX_DIRECTORIES)
            unit->directory[unit->directories++] = name;
    }
    return !cursor->overrun;
}

/* ---- Header ---- */

/*
 * Reads the header of a unit. Leaves *cursor at the line program, ending at the unit's end. Returns
 * NULL, or what is wrong.
 */
static const char *read_header(struct dwarf_unit *unit, struct dwarf_cursor *cursor,
                               const struct dwarf_strings *strings)
{
    memset(unit, 0, sizeof *unit);
    uint64_t length = take(cursor, 4);
    unit->wide = length == 0xffffffff;
    if (unit->wide)
        length = take(cursor, 8);
    if (cursor->overrun || length > (uint64_t)(cursor->end - cursor->at))
        return "a unit of lines is longer than its section";
    cursor->end = cursor->at + length;
    unit->version = (uint16_t)take(cursor, 2);
    if (unit->version < 2 || unit->version > 5)
        return "lines are neither of DWARF 2, 3, 4 nor 5";
    if (unit->version == 5)
        skip(cursor, 2); /* sizes of addresses and segment selectors */
    length = take(cursor, unit->wide ? 8 : 4);
    if (length > (uint64_t)(cursor->end - cursor->at))
        return "the header of a unit of lines is longer than the unit";
    unit->program = cursor->at + length;
    unit->instruction_bytes = (uint8_t)take(cursor, 1);
    skip(cursor, unit->version >= 4 ? 2 : 1); /* operations per instruction; default_is_stmt */
    unit->line_base = (int8_t)(uint8_t)take(cursor, 1);
    unit->line_range = (uint8_t)take(cursor, 1);
    unit->opcode_base = (uint8_t)take(cursor, 1);
    for (unsigned i = 1; i < unit->opcode_base; i++)
        unit->operands[i] = (uint8_t)take(cursor, 1);
    if (unit->version < 5)
        read_tables(unit, cursor);
    else if (!read_table(unit, cursor, false, strings) || !read_table(unit, cursor, true, strings))
        return "a table of files has a form that is not known";
    cursor->at = unit->program;
    return cursor->overrun || unit->line_range == 0 ? "the header of a unit of lines is damaged"
                                                    : NULL;
}

/* ---- Programs ---- */

static bool emit_row(const struct dwarf_unit *unit, const struct dwarf_state *state, bool end,
                     const struct dwarf_sink *sink)
{
    struct dwarf_row row = {.address = state->address, .end = end, .call = state->call};
    if (!state->wanted)
        return true;
    if (!end && state->line > 0 && state->line <= UINT32_MAX && state->file < unit->files) {
        uint64_t directory = unit->file[state->file].directory;
        row.line = (uint32_t)state->line;
        row.file = unit->file[state->file].name;
        row.directory = directory < unit->directories ? unit->directory[directory] : NULL;
    }
    return sink->row(sink->context, &row);
}

/*
 * Runs an extended opcode: 0, a length, the opcode, operands. NVIDIA's own opcode, written by ptxas
 * of CUDA 11.2 and later, gives for inlined code the row that calls it (and the function's name,
 * which is not used).
 */
static bool run_extended(struct dwarf_unit *unit, struct dwarf_state *state,
                         struct dwarf_cursor *cursor, const uint8_t *section,
                         const struct dwarf_sink *sink)
{
    enum { END_SEQUENCE = 1, SET_ADDRESS = 2, DEFINE_FILE = 3, NVIDIA_INLINED_CALL = 0x90 };
    uint64_t length = take_leb(cursor, false);
    if (length == 0 || length > (uint64_t)(cursor->end - cursor->at))
        return length == 0;
    const uint8_t *next = cursor->at + length;
    bool goes_on = true;
    switch (take(cursor, 1)) {
    case END_SEQUENCE:
        goes_on = emit_row(unit, state, true, sink);
        *state = (struct dwarf_state){.file = 1, .line = 1};
        break;
    case SET_ADDRESS:
        if (length <= 9) {
            uint64_t offset = (uint64_t)(cursor->at - section);
            state->address = take(cursor, (unsigned)length - 1);
            state->wanted = sink->address(sink->context, offset, state->address);
        }
        break;
    case DEFINE_FILE:
        (void)take_file(unit, cursor);
        break;
    case NVIDIA_INLINED_CALL:
        state->call = take_leb(cursor, false);
        break;
    default:
        break;
    }
    cursor->at = next;
    return goes_on;
}

static void run_standard(const struct dwarf_unit *unit, struct dwarf_state *state,
                         struct dwarf_cursor *cursor, uint8_t opcode)
{
    enum { ADVANCE_PC = 2, ADVANCE_LINE, SET_FILE, CONST_ADD_PC = 8, FIXED_ADVANCE_PC };
    switch (opcode) {
    case ADVANCE_PC:
        state->address += take_leb(cursor, false) * unit->instruction_bytes;
        break;
    case ADVANCE_LINE:
        state->line = (int64_t)((uint64_t)state->line + take_leb(cursor, true));
        break;
    case SET_FILE:
        state->file = take_leb(cursor, false);
        break;
    case CONST_ADD_PC:
        state->address +=
            (uint64_t)((255 - unit->opcode_base) / unit->line_range) * unit->instruction_bytes;
        break;
    case FIXED_ADVANCE_PC:
        state->address += take(cursor, 2);
        break;
    default: /* columns, flags, unknown opcodes: the header gives the number of operands */
        for (unsigned i = 0; i < unit->operands[opcode]; i++)
            (void)take_leb(cursor, false);
    }
}

static bool run_program(struct dwarf_unit *unit, struct dwarf_cursor *cursor,
                        const uint8_t *section, const struct dwarf_sink *sink)
{
    enum { EXTENDED = 0, COPY = 1 };
    struct dwarf_state state = {.file = 1, .line = 1};
    bool goes_on = true;
    while (goes_on && cursor->at < cursor->end) {
        uint8_t opcode = (uint8_t)take(cursor, 1);
        if (opcode >= unit->opcode_base) {
            unsigned step = (unsigned)opcode - unit->opcode_base;
            state.address += (uint64_t)(step / unit->line_range) * unit->instruction_bytes;
            state.line = (int64_t)((uint64_t)state.line + step % unit->line_range +
                                   (uint64_t)(int64_t)unit->line_base);
            goes_on = emit_row(unit, &state, false, sink);
        } else if (opcode == EXTENDED) {
            goes_on = run_extended(unit, &state, cursor, section, sink);
        } else if (opcode == COPY) {
            goes_on = emit_row(unit, &state, false, sink);
        } else {
            run_standard(unit, &state, cursor, opcode);
        }
    }
    return goes_on && !cursor->overrun;
}

const char *dwarf_lines(const uint8_t *data, uint64_t bytes, const struct dwarf_strings *strings,
                        const struct dwarf_sink *sink)
{
    struct dwarf_unit unit;
    const uint8_t *end = data + bytes;
    struct dwarf_cursor cursor = {.at = data, .end = end};
    while (cursor.at < end) {
        const char *wrong = read_header(&unit, &cursor, strings);
        if (wrong)
            return wrong;
        if (!run_program(&unit, &cursor, data, sink))
            return "a program of lines is damaged";
        cursor = (struct dwarf_cursor){.at = cursor.end, .end = end};
    }
    return NULL;
}
