/* The prose of a lesson in a terminal: Markdown without its marks, in lines of the terminal's
 * width. */
#ifndef SIM_CLI_LESSON_PROSE_H
#define SIM_CLI_LESSON_PROSE_H

/*
 * Prints the paragraph, list entry, row of a table or picture at `text`, which no blank precedes.
 * Returns where it ends, at most `end`. [words](link) becomes words, marks of emphasis and code go;
 * of a picture its title and file are printed.
 */
const char *lesson_prose(const char *text, const char *end);

#endif
