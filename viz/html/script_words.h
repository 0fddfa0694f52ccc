/* The words of the scripts, for pages in other languages than English. */
#ifndef VIZ_HTML_SCRIPT_WORDS_H
#define VIZ_HTML_SCRIPT_WORDS_H

#include <stdio.h>

/* Writes `,"words":{...}`, a key of the page's object "run". Writes nothing if it is English. */
void script_words_write(FILE *file);

#endif
