/* Reading the format of a row of encodings.def. Inner to the decoder. */
#ifndef SIM_SASS_ENCODING_FORMAT_H
#define SIM_SASS_ENCODING_FORMAT_H

#include <stddef.h>

#include "sass/encoding.h"

/*
 * Adds what `format` says to *encoding, whose form, mask and uniform are filled: operands and
 * fields at the ends of the table's lists, and the bits that are known or required. The pieces of
 * the text are added too unless the encoding has some already (forms of one row share them). False:
 * the format cannot be understood.
 */
bool format_read(struct encoding_table *table, struct encoding *encoding, const char *format);

/* The field of that name; -1 if there is none. */
int format_field(const struct encoding_table *table, const char *name, size_t length);

#endif
