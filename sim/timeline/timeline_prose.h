/* Text in lines of a width: words wrapped, with an indentation. */
#ifndef SIM_TIMELINE_TIMELINE_PROSE_H
#define SIM_TIMELINE_TIMELINE_PROSE_H

#include <stdint.h>
#include <stdio.h>

/*
 * Writes `text` broken between words into lines of at most `width` columns. The first line begins
 * at column `at` (what stands before it has been written), the others with `indent` blanks. Ends
 * with a newline.
 */
void prose_wrap(FILE *file, const char *text, uint32_t at, uint32_t indent, uint32_t width);

#endif
