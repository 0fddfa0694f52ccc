/* The runs that `simsm diff` and `simsm check-speed` compare: files, or simulations of their own.
 */
#ifndef SIM_CLI_DIFF_INPUTS_H
#define SIM_CLI_DIFF_INPUTS_H

#include "cli/given_options.h"
#include "diff/diff_run.h"

/* What to simulate: a trace, or a program with its arguments. Owns nothing. */
struct diff_subject {
    const char *config;
    char **words; /* [count] the trace, or the program and its arguments */
    int count;
    bool program;
};

/*
 * Simulates a trace or program with the given options, by this command in another process, and
 * adds its launches to *run. What a program prints goes to stderr. Returns SIMSM_BAD_INPUT,
 * SIMSM_FAILED or SIMSM_INTERRUPTED if the simulation fails or is stopped; it has then printed why.
 */
enum simsm_status diff_inputs_simulate(struct diff_run *run, const struct diff_subject *subject,
                                       const struct given_options *given, const regex_t *only,
                                       struct simsm_error *error);

/* Returns the first option that only simulations take; NULL: none is given. */
const char *diff_inputs_option(const struct given_options *given);

/* Writes the name of what is simulated: the words, separated by blanks. */
void diff_inputs_name(const struct diff_subject *subject, char *name, size_t size);

/* Reads a share: "5 %", "5%" or "5" becomes 0.05. Ends the program with a message if the text is no
 * number from 0 to 1000. */
double diff_inputs_share(const char *option, const char *text, struct argp_state *state);

/* Compiles the pattern of an option. Ends the program with a message if it is none. */
void diff_inputs_pattern(const char *option, const char *text, regex_t *pattern,
                         struct argp_state *state);

#endif
