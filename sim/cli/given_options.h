/* The options of the table that a command line gives. */
#ifndef SIM_CLI_GIVEN_OPTIONS_H
#define SIM_CLI_GIVEN_OPTIONS_H

#include <argp.h>
#include <stddef.h>

#include "cuda/settings.h"
#include "options/options.h"

struct option_words {
    const char **item; /* [count], each owned; NULL ends them; or NULL: none */
    size_t count;
};

/* Begins as {.takes = ...}. */
struct given_options {
    unsigned takes;                  /* enum option_commands: as the parser's */
    const char *value[OPTION_COUNT]; /* as given, "1" of a flag; NULL: not given; not owned */
    struct option_words settings;    /* "key=value" for the configuration, in the order given */
    struct option_words parameters;  /* "name=value" for the trace */
    struct option_words spelled;     /* the options that change what a run computes, as given */
};

/* Takes one option: a parser's function calls it for keys that are not the command's own. */
error_t given_options_take(struct given_options *given, int key, char *text,
                           struct argp_state *state);

/* Reads the settings among the options, and checks that they go together. */
enum simsm_status given_options_settings(const struct given_options *given,
                                         struct settings *settings, struct simsm_error *error);

void given_options_free(struct given_options *given);

#endif
