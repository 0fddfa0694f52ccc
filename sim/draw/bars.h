/* Horizontal bar charts as text. */
#ifndef SIM_DRAW_BARS_H
#define SIM_DRAW_BARS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct bar {
    const char *label;
    double value;     /* values below 0 and NaN are drawn as 0 */
    const char *text; /* text behind the bar, such as the value with its unit; may be NULL */
};

/*
 * Writes one line per bar, each `indent` spaces in and at most `width` characters long: label,
 * bar, text, in aligned columns. A bar of value `full` fills its column; full <= 0 stands for the
 * largest value. `ascii` draws with '#', else with block elements down to an eighth of a
 * character. Write errors stay in `file` (ferror).
 */
void bars_text(FILE *file, const struct bar *bars, size_t count, double full, unsigned indent,
               unsigned width, bool ascii);

#endif
