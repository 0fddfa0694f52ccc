/* Line programs of DWARF 2 to 5: the rows of the matrix that they stand for. */
#ifndef SIM_SASS_IMAGE_DWARF_H
#define SIM_SASS_IMAGE_DWARF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dwarf_row {
    uint64_t address; /* in the sequence's section */
    uint32_t line;    /* 0: unknown, or the end of the sequence */
    bool end;
    uint64_t call; /* of inlined code: the row of the sequence, from 1, that calls it; 0: none */
    const char *directory, *file; /* NULL: unknown. An absolute file needs no directory */
};

struct dwarf_sink {
    /* A sequence begins whose address is to be found at byte `offset` of the section, where a
     * relocation may apply to it. Returns false if its rows are not wanted. */
    bool (*address)(void *context, uint64_t offset, uint64_t value);
    /* False ends the reading: out of memory. */
    bool (*row)(void *context, const struct dwarf_row *row);
    void *context;
};

/* The tables of strings that DWARF 5 refers to; may be empty. */
struct dwarf_strings {
    const uint8_t *line, *other; /* .debug_line_str, .debug_str */
    uint64_t line_bytes, other_bytes;
};

/*
 * Reads all line programs of a section. NULL, or what is wrong with them (static text); rows that
 * came before were given.
 */
const char *dwarf_lines(const uint8_t *data, uint64_t bytes, const struct dwarf_strings *strings,
                        const struct dwarf_sink *sink);

#endif
