/* The command line of `simsm CONFIG TRACE [options]`. */
#ifndef SIM_CLI_RUN_OPTIONS_H
#define SIM_CLI_RUN_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct run_options {
    const char *config, *trace; /* as given; trace may be NULL with dump_config */
    const char *json, *csv, *timeline, *dump_config; /* files to write, or NULL; "-" is stdout */
    const char **settings;   /* [setting_count] "section.key=value", in the order given */
    const char **spelled;    /* [spelled_count] options that change the run, as given */
    const char **parameters; /* "name=value" for the trace; NULL ends them */
    size_t setting_count, spelled_count, parameter_count;
    char *launch_file;                      /* "launch=FILE", one of parameters; NULL: not given */
    char launch_number[32];                 /* the parameter that --launch-number stands for */
    const char *policy;                     /* name of a module, or NULL; among the settings, too */
    const char *kernels, *launches, *table; /* of a recording with several launches, or NULL */
    uint64_t max_cycles;                    /* UINT64_MAX: none */
    uint32_t threads;                       /* that simulate the SMs; 0 is 1 */
    uint32_t *timeline_sm;                  /* [timeline_sm_count] ascending; NULL: all */
    uint32_t timeline_sm_count;
    uint64_t timeline_from, timeline_to; /* half-open; to = 0: until the end */
    bool timeline_cycles;                /* they were given */
    bool no_skip, check, quiet, brief, ascii, functional, sample;
};

/* Reads the command line; a mistake ends the program with a message and SIMSM_BAD_INPUT. */
void run_options_parse(struct run_options *options, int argc, char **argv);

void run_options_free(struct run_options *options);

/* Carries them out, with messages, as `simsm CONFIG TRACE` does; returns the exit status. */
int run_as_told(const struct run_options *options, const char *command_line);

#endif
