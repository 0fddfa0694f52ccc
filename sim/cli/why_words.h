/* Text in lines of a given width. */
#ifndef SIM_CLI_WHY_WORDS_H
#define SIM_CLI_WHY_WORDS_H

#include <stdio.h>

/* Prints `first` and `text` in lines of at most `width` columns, each indented by `indent`. A word
 * that is longer stays whole. Prints nothing if both are empty. */
void why_words(FILE *file, unsigned indent, unsigned width, const char *first, const char *text);

#endif
