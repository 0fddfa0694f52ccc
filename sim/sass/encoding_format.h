/* Reads the format of a row of encodings.def. Private to the decoder. */
#ifndef SIM_SASS_ENCODING_FORMAT_H
#define SIM_SASS_ENCODING_FORMAT_H

#include <stddef.h>

#include "sass/encoding.h"

/*
 * Reads `format` into *encoding, whose form, mask and uniform are filled in. Appends operands and
 * fields to the table's lists and marks the known and required bits. Appends the pieces of the text
 * too, unless the encoding has pieces already (the forms of a row share them). Returns false if the
 * format is invalid.
 */
bool format_read(struct encoding_table *table, struct encoding *encoding, const char *format);

/* Returns the index of the field of this name, or -1. */
int format_field(const struct encoding_table *table, const char *name, size_t length);

#endif
