/* Text inside drawings: its width, and escaping. */
#ifndef SIM_DRAW_LABEL_H
#define SIM_DRAW_LABEL_H

#include <stdio.h>

/* Returns the number of characters of a UTF-8 string; 0 for NULL. */
unsigned label_width(const char *text);

/* Writes at most `width` characters, then spaces up to `width`. Control characters become '?'. */
void label_pad(FILE *file, const char *text, unsigned width);

/* Writes text as XML content: markup is escaped; characters that XML forbids and malformed UTF-8
 * become '?'. */
void label_xml(FILE *file, const char *text);

/* Formats a number for an axis or a table: at most 4 digits, no exponent below 1e7. Returns
 * `text`. */
const char *label_number(double value, char *text, size_t size);

/* Formats a number briefly: "1.6M", "214k", "0.943"; at most `digits` digits (3 or more).
 * Returns `text`. */
const char *label_short(double value, int digits, char *text, size_t size);

#endif
