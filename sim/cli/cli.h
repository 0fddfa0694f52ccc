/* What the commands share. Only this floor prints and exits. */
#ifndef SIM_CLI_CLI_H
#define SIM_CLI_CLI_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/command_parser.h"
#include "simsm/error.h"

/* A command of the program: `simsm NAME ...`; argv[0] is "simsm NAME". Returns the exit status. */
struct command {
    const char *name;
    const char *arguments; /* what its words are, for completion; the last may be repeated */
    const char *summary;
    int (*run)(int argc, char **argv);
    const struct command_parser
        *parser; /* of the options that it takes; NULL: those of another program */
};

/* All commands; an entry without a name ends the table. */
extern const struct command commands[];

/* The command of this name, or NULL. */
const struct command *cli_find_command(const char *name);

/* `text` with the list of commands behind it, to be freed; NULL if memory runs out. */
char *cli_command_list(const char *text);

extern const struct command_parser simulate_parser, run_parser, devices_parser, occupancy_parser,
    timeline_parser, explain_parser, policies_parser, config_parser, trace_parser, record_parser,
    sweep_parser, results_parser, metrics_parser, disasm_parser, report_parser, repeat_parser,
    calibrate_parser, closure_parser, compare_parser, complete_parser;

int cmd_simulate(int argc, char **argv); /* simsm CONFIG TRACE */
int cmd_run(int argc, char **argv);
int cmd_devices(int argc, char **argv);
int cmd_occupancy(int argc, char **argv);
int cmd_timeline(int argc, char **argv);
int cmd_explain(int argc, char **argv);
int cmd_policies(int argc, char **argv);
int cmd_config(int argc, char **argv);
int cmd_trace(int argc, char **argv);
int cmd_record(int argc, char **argv);
int cmd_record_program(int argc, char **argv); /* cmd_record with a program behind "--" */
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
int cmd_complete(int argc, char **argv);
int cmd_help(int argc, char **argv);

/* Prints "simsm: <error>" to stderr and returns the error's status. */
int cli_fail(const struct simsm_error *error);

/* Says on stderr which signal has stopped the command and, if `error` (or NULL) has a message,
 * where; returns the exit status, 128 + the signal, as shells have it. */
int cli_fail_stopped(const struct simsm_error *error);

/* Called once, first: sees to it that no end of the program loses a write error of stdout. */
void cli_begin(void);

/* Flushes stdout and keeps the error for cli_finish; for output that must precede a message. */
void cli_flush(void);

/*
 * Flushes stdout; a failed write (full disk) becomes a message and SIMSM_FAILED, otherwise returns
 * `status`, also if the reader of a pipe has gone. Every command ends with it.
 */
int cli_finish(int status);

/* Returns the columns of the terminal at the standard output; `otherwise` if it is no terminal. */
uint32_t terminal_width(uint32_t otherwise);

/*
 * Sets *colour to whether output on the standard output has colours. `when` is "always", "never" or
 * "auto"; NULL means "auto". "auto" colours on a terminal whose TERM is not "dumb", unless NO_COLOR
 * is set (no-color.org). Returns false if `when` is another text.
 */
bool terminal_colour(const char *when, bool *colour);

/*
 * Starts simsm-view with the arguments `words`, which end with NULL, and waits for its end. Returns
 * its exit status; SIMSM_FAILED, with a message on stderr, if it cannot be started. Ctrl-C goes to
 * simsm-view meanwhile.
 */
int viewer_run(const char *const words[]);

#endif
