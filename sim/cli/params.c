#include "cli/params.h"

#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simsm/error.h"

/* Keys far from those of the parsers that this one is a child of. */
enum { KEY_PARAM = 4096, KEY_LAUNCH, KEY_NUMBER };

static const char launch[] = "launch=";

static const struct argp_option options[] = {
    {"param", KEY_PARAM, "NAME=VALUE", 0,
     "take VALUE for a parameter of the trace, or for an argument of the launch file; may be "
     "repeated",
     0},
    {"launch", KEY_LAUNCH, "FILE", 0,
     "the input is machine code (a cubin, fatbin or program): FILE says which kernel is launched "
     "how",
     0},
    {"launch-number", KEY_NUMBER, "N", 0,
     "of a recording or a list of traces: launch N, counted from 1", 0},
    {0},
};

static void add(struct params *params, const char *text, struct argp_state *state)
{
    const char **list = realloc((void *)params->list, (params->count + 2) * sizeof *list);
    if (!list) {
        argp_failure(state, SIMSM_FAILED, 0, "out of memory");
        return;
    }
    params->list = list;
    params->list[params->count++] = text;
    params->list[params->count] = NULL;
}

static void add_launch(struct params *params, const char *file, struct argp_state *state)
{
    const size_t size = sizeof launch + strlen(file);
    if (params->launch_file)
        argp_error(state, "--launch is given twice: '%s' and '%s'",
                   params->launch_file + strlen(launch), file);
    params->launch_file = malloc(size);
    if (!params->launch_file) {
        argp_failure(state, SIMSM_FAILED, 0, "out of memory");
        return;
    }
    (void)snprintf(params->launch_file, size, "%s%s", launch, file);
    add(params, params->launch_file, state);
}

static void add_number(struct params *params, const char *text, struct argp_state *state)
{
    char *end = NULL;
    errno = 0;
    unsigned long number = isdigit((unsigned char)text[0]) ? strtoul(text, &end, 10) : 0;
    if (!end || *end || errno || !number || number > INT32_MAX)
        argp_error(state, "--launch-number: expected the number of a launch, from 1, found '%s'",
                   text);
    if (params->number[0])
        argp_error(state, "--launch-number is given twice: '%s' and '%s'",
                   params->number + strlen(launch), text);
    (void)snprintf(params->number, sizeof params->number, "%s%lu", launch, number);
    add(params, params->number, state);
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    switch (key) {
    case KEY_PARAM:
        add(state->input, text, state);
        return 0;
    case KEY_LAUNCH:
        add_launch(state->input, text, state);
        return 0;
    case KEY_NUMBER:
        add_number(state->input, text, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp params_argp = {.options = options, .parser = parse};

void params_free(struct params *params)
{
    free((void *)params->list);
    free(params->launch_file);
    *params = (struct params){0};
}
