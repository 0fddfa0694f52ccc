/* The glossary: words of the field, states of warps, counters and metrics, each with its meaning.
 */
#ifndef SIM_REPORT_GLOSSARY_H
#define SIM_REPORT_GLOSSARY_H

#include <stdbool.h>
#include <stdio.h>

/* Writes the entry of `word` to `file`: of a term or its other names, of a state by name or title,
 * of a counter or metric by name. Letters count alike in upper and lower case. A word that only
 * another language has is explained in that language, which then is the chosen one. Returns false if
 * there is no entry. */
bool glossary_show(FILE *file, const char *word);

/* Returns the word of the glossary that is nearest to `word`; NULL if none is similar. */
const char *glossary_nearest(const char *word);

/* Writes docs/glossary.md below its head. */
void glossary_markdown(FILE *file);

#endif
