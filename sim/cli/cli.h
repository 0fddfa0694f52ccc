/*
 * The table of commands, and the functions that all commands share. Only sim/cli prints and exits.
 */
#ifndef SIM_CLI_CLI_H
#define SIM_CLI_CLI_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/command_parser.h"
#include "simsm/error.h"

/* A command, `simsm NAME ...`. `run` gets "simsm NAME" as argv[0] and returns the exit status. */
struct command {
    const char *name;
    const char *arguments; /* its arguments, for completions; the last may be repeated */
    const char *summary;
    int (*run)(int argc, char **argv);
    const struct command_parser *parser; /* of its options; NULL: another program parses them */
};

/* All commands. The table ends with an entry whose name is NULL. */
extern const struct command commands[];

/* Returns the command of this name; NULL if there is none. */
const struct command *cli_find_command(const char *name);

/* Returns `text` followed by the list of commands. The caller frees it. NULL if memory runs out. */
char *cli_command_list(const char *text);

extern const struct command_parser simulate_parser, run_parser, env_parser, check_parser,
    devices_parser, occupancy_parser, timeline_parser, explain_parser, policies_parser,
    config_parser, trace_parser, record_parser, sweep_parser, results_parser, metrics_parser,
    disasm_parser, report_parser, repeat_parser, calibrate_parser, closure_parser, compare_parser,
    complete_parser, diff_parser, check_speed_parser, why_parser, threads_parser, learn_parser,
    smi_parser;

/* The functions of the commands, as in struct command. */
int cmd_simulate(int argc, char **argv); /* simsm CONFIG TRACE */
int cmd_run(int argc, char **argv);
int cmd_env(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_devices(int argc, char **argv);
int cmd_smi(int argc, char **argv);
int cmd_occupancy(int argc, char **argv);
int cmd_timeline(int argc, char **argv);
int cmd_explain(int argc, char **argv);
int cmd_policies(int argc, char **argv);
int cmd_config(int argc, char **argv);
int cmd_trace(int argc, char **argv);
int cmd_record(int argc, char **argv);
int cmd_record_program(int argc, char **argv); /* `simsm record ... -- PROGRAM` */
int cmd_threads(int argc, char **argv);
int cmd_learn(int argc, char **argv);
int cmd_sweep(int argc, char **argv);
int cmd_results(int argc, char **argv);
int cmd_metrics(int argc, char **argv);
int cmd_disasm(int argc, char **argv);
int cmd_view(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_tui(int argc, char **argv);
int cmd_repeat(int argc, char **argv);
int cmd_calibrate(int argc, char **argv);
int cmd_closure(int argc, char **argv);
int cmd_compare(int argc, char **argv);
int cmd_why(int argc, char **argv);
int cmd_diff(int argc, char **argv);
int cmd_check_speed(int argc, char **argv);
int cmd_complete(int argc, char **argv);
int cmd_help(int argc, char **argv);

/* Prints "simsm: <error>" to stderr. Returns the status of the error. */
int cli_fail(const struct simsm_error *error);

/*
 * Prints to stderr which signal stopped the command, followed by the message of `error`, if `error`
 * is not NULL and has a message. Returns the exit status: 128 + the number of the signal, as shells
 * do.
 */
int cli_fail_stopped(const struct simsm_error *error);

/* Prepares stdout so that a failed write becomes a message and a status, however the program ends.
 * Call it first in main(). */
void cli_begin(void);

/* Flushes stdout and keeps an error for cli_finish(). Call it before a message on stderr that must
 * appear after the output. */
void cli_flush(void);

/*
 * Flushes stdout. Every command ends with this call. Prints a message and returns SIMSM_FAILED if a
 * write failed (disk full); otherwise returns `status`. A pipe that its reader has closed is no
 * failure.
 */
int cli_finish(int status);

/*
 * Starts simsm-view with the arguments `words`, which end with NULL, and waits for its end. Returns
 * its exit status; SIMSM_FAILED, with a message on stderr, if it cannot be started. Ctrl-C goes to
 * simsm-view meanwhile.
 */
int viewer_run(const char *const words[]);

#endif
