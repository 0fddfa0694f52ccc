/* The command line as text. */
#ifndef SIM_CLI_COMMAND_LINE_H
#define SIM_CLI_COMMAND_LINE_H

/*
 * The words as a user would type them again, quoted where a shell needs it; the caller frees it.
 * NULL if memory runs out. To be called before argp reorders the words.
 */
char *command_line_text(int argc, char **argv);

/*
 * The words of such a line, with NULL behind them; *count may be NULL. The caller frees the array,
 * which holds the letters too. NULL if memory runs out or the line ends inside a quotation.
 */
char **command_line_words(const char *line, int *count);

#endif
