/* The options of the table that a command line gives. */
#ifndef SIM_CLI_GIVEN_H
#define SIM_CLI_GIVEN_H

#include <argp.h>
#include <stddef.h>

#include "cuda/settings.h"
#include "options/options.h"

struct words {
    const char **item; /* [count], each owned; NULL ends them; or NULL: none */
    size_t count;
};

/* Begins as {.takes = ...}. */
struct given {
    unsigned takes;                  /* enum option_commands: as the parser's */
    const char *value[OPTION_COUNT]; /* as given, "1" of a flag; NULL: not given; not owned */
    struct words settings;           /* "key=value" for the configuration, in the order given */
    struct words parameters;         /* "name=value" for the trace */
    struct words spelled;            /* the options that change what a run computes, as given */
};

/* Takes one option: a parser's function calls it for keys that are not the command's own. */
error_t given_take(struct given *given, int key, char *text, struct argp_state *state);

/* Reads the settings among the options, and checks that they go together. */
enum simsm_status given_settings(const struct given *given, struct settings *settings,
                                 struct simsm_error *error);

void given_free(struct given *given);

#endif
