/* The options --param, --launch and --launch-number, which several commands have. */
#ifndef SIM_CLI_PARAMS_H
#define SIM_CLI_PARAMS_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>

/* What an input is opened with. Starts as {0}. */
struct params {
    const char **list; /* [count] "name=value"; NULL ends them, or NULL: none were given */
    size_t count;
    char *launch_file; /* "launch=FILE", one of them; NULL: --launch was not given */
    char number[32];   /* "launch=N", one of them; "": --launch-number was not given */
};

/* A child for a command's parser, whose input for it is a struct params. */
extern const struct argp params_argp;

void params_free(struct params *params);

#endif
