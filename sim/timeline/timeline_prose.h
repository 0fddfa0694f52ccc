/* Text in lines of a given width, wrapped at words, with an indentation. */
#ifndef SIM_TIMELINE_TIMELINE_PROSE_H
#define SIM_TIMELINE_TIMELINE_PROSE_H

#include <stdint.h>
#include <stdio.h>

/*
 * Writes `text`, wrapped at words into lines of at most `width` columns, and a newline at the end.
 * The first line begins at column `at`: the caller has written what is before it. The other lines
 * begin with `indent` blanks.
 */
void prose_wrap(FILE *file, const char *text, uint32_t at, uint32_t indent, uint32_t width);

#endif
