/* Records a CUDA program into a folder that exists only for one command. */
#ifndef SIM_CLI_WHY_PROGRAM_H
#define SIM_CLI_WHY_PROGRAM_H

#include "cli/given_options.h"
#include "simsm/config.h"

enum { WHY_PATH = 4096 };

struct why_program {
    char folder[WHY_PATH], recording[WHY_PATH + 32];
    char table[WHY_PATH + 32]; /* launches and copies of the whole program */
    bool keeps_log;            /* the program failed, and the log says why */
};

/* Runs `words`, a program and its arguments that end with NULL, and records the launches that the
 * options among `given` choose. The program prints into a log, whose last line the message has if
 * it fails. The caller ends it with why_program_remove(), also after a failure. */
enum simsm_status why_program_record(struct why_program *program, char **words,
                                     const struct given_options *given,
                                     const struct simsm_config *config, struct simsm_error *error);

/* Removes the folder and all that is in it, but not the log of a program that has failed. */
void why_program_remove(struct why_program *program);

#endif
