/* What the commands share. Only this floor prints and exits. */
#ifndef SIM_CLI_CLI_H
#define SIM_CLI_CLI_H

#include "simsm/error.h"

/* A command of the program: `simsm NAME ...`; argv[0] is "simsm NAME". Returns the exit status. */
struct command {
    const char *name, *arguments, *summary;
    int (*run)(int argc, char **argv);
};

/* All commands; an entry without a name ends the table. */
extern const struct command commands[];

int cmd_run(int argc, char **argv);
int cmd_occupancy(int argc, char **argv);
int cmd_timeline(int argc, char **argv);
int cmd_explain(int argc, char **argv);
int cmd_policies(int argc, char **argv);
int cmd_config(int argc, char **argv);
int cmd_trace(int argc, char **argv);
int cmd_sweep(int argc, char **argv);
int cmd_metrics(int argc, char **argv);

/* Prints "simsm: <error>" to stderr and returns the error's status. */
int cli_fail(const struct simsm_error *error);

/*
 * Flushes stdout; a failed write (full disk, closed pipe) becomes a message and SIMSM_FAILED,
 * otherwise returns `status`. Every command ends with it.
 */
int cli_finish(int status);

#endif
