/* Text inside drawings: how wide it is, and how it is written safely. */
#ifndef SIM_DRAW_LABEL_H
#define SIM_DRAW_LABEL_H

#include <stdio.h>

/* Characters of a UTF-8 string; NULL has none. */
unsigned label_width(const char *text);

/* Writes at most `width` characters, then spaces up to `width`. Control characters become '?'. */
void label_pad(FILE *file, const char *text, unsigned width);

/* Writes text as XML content: markup escaped, what XML forbids and broken UTF-8 as '?'. */
void label_xml(FILE *file, const char *text);

/* Shortest text of a number for an axis or a table: 4 digits, no exponent below 1e7. */
const char *label_number(double value, char *text, size_t size);

/* A number where there is little room: "1.6M", "214k", "0.943"; at most `digits` of 3 or more. */
const char *label_short(double value, int digits, char *text, size_t size);

#endif
