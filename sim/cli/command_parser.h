/* What a command takes on its command line: rows of the table of options, and options of its own.
 */
#ifndef SIM_CLI_COMMAND_PARSER_H
#define SIM_CLI_COMMAND_PARSER_H

#include <argp.h>
#include <stdbool.h>

#include "options/options.h"

struct command_parser {
    unsigned takes;   /* enum option_commands: whose rows of the table */
    bool titled;      /* --help shows the rows under the titles of the table's groups */
    int group;        /* of these rows otherwise, among the command's own options */
    struct argp argp; /* .options: those of its own, or NULL */
};

/* The key of a row without a letter; a row with a letter has that. */
enum { PARSER_KEY = 4096 };

/* The row that a key stands for; OPTION_COUNT: none. */
enum option_id command_parser_row(unsigned takes, int key);

/* All options, with an entry of zeros behind them; the caller frees it. NULL if memory runs out. */
struct argp_option *command_parser_options(const struct command_parser *parser);

/* argp_parse with all options; a mistake ends the program with a message and SIMSM_BAD_INPUT. */
void command_parser_run(const struct command_parser *parser, int argc, char **argv, unsigned flags,
                        void *input);

#endif
