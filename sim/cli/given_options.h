/* The options of the table of options that a command line gives. */
#ifndef SIM_CLI_GIVEN_OPTIONS_H
#define SIM_CLI_GIVEN_OPTIONS_H

#include <argp.h>
#include <stddef.h>

#include "cuda/settings.h"
#include "options/options.h"

/* A list of words. */
struct option_words {
    const char **item; /* [count] owned; NULL ends the array; NULL: no words */
    size_t count;
};

/* All options that were given. Begins as {.takes = ...}; given_options_free() ends it. */
struct given_options {
    unsigned takes; /* enum option_commands: same as in the parser */
    const char
        *value[OPTION_COUNT];       /* the last value; "1" for a flag; NULL: not given; not owned */
    struct option_words settings;   /* "key=value" for the configuration, in order */
    struct option_words parameters; /* "name=value" for the trace */
    struct option_words spelled;    /* options that change the results, as they were written */
};

/*
 * Takes one option. The function of a parser calls it for keys that are not its own. Returns
 * ARGP_ERR_UNKNOWN if no row of the table has this key. Ends the program with a message on a wrong
 * value.
 */
error_t given_options_take(struct given_options *given, int key, char *text,
                           struct argp_state *state);

/* Fills *settings from the options that are settings, and checks that they go together. Returns
 * SIMSM_BAD_INPUT if they do not. */
enum simsm_status given_options_settings(const struct given_options *given,
                                         struct settings *settings, struct simsm_error *error);

void given_options_free(struct given_options *given);

#endif
