/* The command line as one line of text. */
#ifndef SIM_CLI_COMMAND_LINE_H
#define SIM_CLI_COMMAND_LINE_H

/* Returns the words as a user would type them, quoted where a shell needs it. NULL if memory runs
 * out. The caller frees it. Call it before argp reorders argv. */
char *command_line_text(int argc, char **argv);

/*
 * Splits such a line into its words. The array ends with NULL; *count gets the number of words
 * (`count` may be NULL). The caller frees the array, which includes the characters. Returns NULL if
 * memory runs out or a quotation is not closed.
 */
char **command_line_words(const char *line, int *count);

#endif
