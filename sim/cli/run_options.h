/* The command line of `simsm CONFIG TRACE [options]`. */
#ifndef SIM_CLI_RUN_OPTIONS_H
#define SIM_CLI_RUN_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/given_options.h"

struct run_options {
    const char *config, *trace; /* as given; trace may be NULL with dump_config */
    const char *json, *csv, *timeline, *dump_config; /* files to write, or NULL; "-" is stdout */
    const char *kernels, *launches, *table; /* of a recording with several launches, or NULL */
    struct option_words settings, parameters, spelled; /* as of struct given, which owns them */
    struct given_options given;
    uint64_t max_cycles;   /* UINT64_MAX: none */
    uint32_t threads;      /* that simulate the SMs; 0 is 1 */
    uint32_t *timeline_sm; /* [timeline_sm_count] ascending; NULL: all */
    uint32_t timeline_sm_count;
    uint64_t timeline_from, timeline_to; /* half-open; to = 0: until the end */
    bool no_skip, check, quiet, brief, ascii, functional, sample;
};

/* Reads the command line; a mistake ends the program with a message and SIMSM_BAD_INPUT. */
void run_options_parse(struct run_options *options, int argc, char **argv);

void run_options_free(struct run_options *options);

/* Carries them out, with messages, as `simsm CONFIG TRACE` does; returns the exit status. */
int run_with_options(const struct run_options *options, const char *command_line);

#endif
