/* The parser of one command: options from the table of options, and options of its own. */
#ifndef SIM_CLI_COMMAND_PARSER_H
#define SIM_CLI_COMMAND_PARSER_H

#include <argp.h>
#include <stdbool.h>

#include "options/options.h"

struct command_parser {
    unsigned takes;   /* enum option_commands: whose rows of the table it takes */
    bool titled;      /* --help shows these rows under the titles of their groups */
    int group;        /* without `titled`: the group of these rows among its own */
    struct argp argp; /* .options: its own options; NULL: none */
};

/* The first key of rows without a letter: row `id` has key PARSER_KEY + id. A row with a letter has
 * the letter as its key. */
enum { PARSER_KEY = 4096 };

/* Returns the row that `key` stands for, among the rows of the commands `takes`; OPTION_COUNT if
 * there is none. */
enum option_id command_parser_row(unsigned takes, int key);

/* Returns all options of the parser; an entry of zeros ends the array. The caller frees it. NULL if
 * memory runs out. */
struct argp_option *command_parser_options(const struct command_parser *parser);

/* Calls argp_parse() with all options. With OF_LANGUAGE in `takes`, chooses the language of the
 * environment or of --lang. On a mistake prints a message and exits with SIMSM_BAD_INPUT. */
void command_parser_run(const struct command_parser *parser, int argc, char **argv, unsigned flags,
                        void *input);

#endif
