/* Reads line programs of DWARF 2 to 5 and returns the rows of their line tables. */
#ifndef SIM_SASS_IMAGE_DWARF_H
#define SIM_SASS_IMAGE_DWARF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dwarf_row {
    uint64_t address; /* in the section of the sequence */
    uint32_t line;    /* 0: unknown, or the end of the sequence */
    bool end;
    uint64_t call; /* inlined code: row of the sequence, from 1, that calls it; 0: none */
    const char *directory, *file; /* NULL: unknown. An absolute file name needs no directory */
};

struct dwarf_sink {
    /*
     * Begins a sequence. Its address `value` stands at byte `offset` of the section, where a
     * relocation may apply. Returns false if the rows of the sequence are not wanted.
     */
    bool (*address)(void *context, uint64_t offset, uint64_t value);
    /* Receives a row. Returns false to end the reading, if memory has run out. */
    bool (*row)(void *context, const struct dwarf_row *row);
    void *context;
};

/* The string tables that DWARF 5 refers to; may be empty. */
struct dwarf_strings {
    const uint8_t *line, *other; /* .debug_line_str, .debug_str */
    uint64_t line_bytes, other_bytes;
};

/*
 * Reads all line programs of a section. Returns NULL, or what is wrong as static text; the sink has
 * then received the rows before the damage.
 */
const char *dwarf_lines(const uint8_t *data, uint64_t bytes, const struct dwarf_strings *strings,
                        const struct dwarf_sink *sink);

#endif
