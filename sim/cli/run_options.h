/* The options of `simsm CONFIG TRACE`. */
#ifndef SIM_CLI_RUN_OPTIONS_H
#define SIM_CLI_RUN_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/given_options.h"

/* The values of all options. */
struct run_options {
    const char *config, *trace; /* as given; trace may be NULL with dump_config */
    const char *json, *csv, *timeline,
        *dump_config;   /* files to write; NULL: not given; "-": the standard output */
    const char *colour; /* --color; NULL: not given */
    const char *kernels, *launches, *table; /* for a file with several launches; NULL: not given */
    struct option_words settings, parameters, spelled; /* those of `given`, which owns them */
    struct given_options given;
    uint64_t max_cycles;   /* UINT64_MAX: no limit */
    uint32_t threads;      /* threads that simulate the SMs; 0: one */
    uint32_t *timeline_sm; /* [timeline_sm_count] ascending, owned; NULL: all SMs */
    uint32_t timeline_sm_count;
    uint64_t timeline_from, timeline_to; /* half-open range; to = 0: to the end */
    bool no_skip, check, quiet, full, ascii, functional, sample;
};

/* Reads the command line into *options. On a mistake prints a message and exits with
 * SIMSM_BAD_INPUT. Call run_options_free(). */
void run_options_parse(struct run_options *options, int argc, char **argv);

void run_options_free(struct run_options *options);

/* Runs the command with these options and prints its messages. Returns the exit status. The
 * timeline and the report keep `command_line`. */
int run_with_options(const struct run_options *options, const char *command_line);

#endif
