/* main() of `simsm`: finds the command that the first argument names. */
#include <argp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "cli/cli.h"
#include "config/config_files.h"
#include "config/suggest.h"
#include "simsm/simsm.h"

static const struct command_parser help_parser;

const struct command commands[] = {
    {"run", "CONFIG PROGRAM", "run a CUDA program on a simulated GPU, and report its kernels",
     cmd_run, &run_parser},
    {"env", "CONFIG", "print the environment in which programs find a simulated GPU", cmd_env,
     &env_parser},
    {"why", "CONFIG TRACE|PROGRAM", "say what costs a kernel its time, each cost with its price",
     cmd_why, &why_parser},
    {"check", "CONFIG PROGRAM", "find races and other mistakes in the kernels of a CUDA program",
     cmd_check, &check_parser},
    {"devices", "", "list the GPUs on which programs can run", cmd_devices, &devices_parser},
    {"smi", "CONFIG", "print what nvidia-smi would of a GPU", cmd_smi, &smi_parser},
    {"occupancy", "CONFIG", "compute how many blocks fit into an SM and what limits them",
     cmd_occupancy, &occupancy_parser},
    {"threads", "SHAPE", "show which threads of a block form a warp, or a sum by shuffles",
     cmd_threads, &threads_parser},
    {"learn", "N", "go through the lessons: predict, run, solve exercises", cmd_learn,
     &learn_parser},
    {"sweep", "SPEC.yaml|CONFIG TRACE", "run many simulations, or one trace under several values",
     cmd_sweep, &sweep_parser},
    {"results", "FILE", "show the results of a sweep: lists, tables, pictures", cmd_results,
     &results_parser},
    {"trace", "info|check|dump|convert FILE",
     "show and check what the warps of a trace or recording execute", cmd_trace, &trace_parser},
    {"record", "CONFIG INPUT", "record what all warps execute, into a file to simulate", cmd_record,
     &record_parser},
    {"disasm", "FILE", "list the GPU machine code in a program or cubin", cmd_disasm,
     &disasm_parser},
    {"view", "CONFIG|FILE.smtl TRACE",
     "simulate a trace and show it in a window, or open a timeline", cmd_view, &simulate_parser},
    {"tui", "FILE.smtl", "show a timeline in this terminal, over SSH too", cmd_tui, NULL},
    {"report", "FILE.smtl", "write a timeline as a page for a browser", cmd_report, &report_parser},
    {"repeat", "FILE.smtl", "repeat the run of a timeline with other settings", cmd_repeat,
     &repeat_parser},
    {"timeline", "FILE.smtl", "print a timeline as letters: warp slots by cycle", cmd_timeline,
     &timeline_parser},
    {"explain", "FILE.smtl|WORD", "explain why a warp slot was in its state, or what a word means",
     cmd_explain, &explain_parser},
    {"config", "list|show|keys CONFIG",
     "show configurations, their values with sources, and all keys", cmd_config, &config_parser},
    {"calibrate", "CONFIG", "fit a configuration to micro-benchmarks measured on its GPU",
     cmd_calibrate, &calibrate_parser},
    {"closure", "CONFIG", "simulate micro-benchmarks and compare them with the hardware",
     cmd_closure, &closure_parser},
    {"compare", "RUN.jsonl|NCU.csv", "compare simulated launches with counters of Nsight Compute",
     cmd_compare, &compare_parser},
    {"diff", "A.json|CONFIG B.json", "say whether a change made kernels faster, and why", cmd_diff,
     &diff_parser},
    {"check-speed", "CONFIG PROGRAM", "compare the time of kernels with a baseline, for CI",
     cmd_check_speed, &check_speed_parser},
    {"policies", "PLUGIN", "list the warp schedulers and block dispatchers", cmd_policies,
     &policies_parser},
    {"metrics", "", "list every counter and metric: name, unit, meaning", cmd_metrics,
     &metrics_parser},
    {"complete", "", "print completions of a command line, for shells", cmd_complete,
     &complete_parser},
    {"help", "COMMAND", "show what a command does; without COMMAND, this list", cmd_help, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

const struct command *cli_find_command(const char *name)
{
    const struct command *command = commands;
    while (command->name && strcmp(command->name, name) != 0)
        command++;
    return command->name ? command : NULL;
}

char *cli_command_list(const char *text)
{
    char *list = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&list, &size);
    if (!file)
        return NULL;
    (void)fprintf(file, "%s\n\nCommands (simsm COMMAND --help shows more):\n", text);
    for (const struct command *c = commands; c->name; c++)
        (void)fprintf(file, "  %-11s %s\n", c->name, c->summary);
    (void)fprintf(file, "\nOptions of simsm CONFIG TRACE:");
    if (fclose(file) == 0)
        return list;
    free(list);
    return NULL;
}

/* Returns the command whose name is nearest to `word`; NULL if no command has a similar name. */
static const char *nearest_command(const char *word)
{
    const char *names[sizeof commands / sizeof commands[0]];
    size_t count = 0;
    for (const struct command *c = commands; c->name; c++)
        names[count++] = c->name;
    return suggest_nearest(word, names, count);
}

static int run_command(const struct command *command, int argc, char **argv)
{
    char name[32]; /* usage messages show argv[0] */
    (void)snprintf(name, sizeof name, "simsm %s", command->name);
    argv[0] = name;
    return command->run(argc, argv);
}

static error_t parse_help(int key, char *text, struct argp_state *state)
{
    const char **name = state->input;
    if (key != ARGP_KEY_ARG)
        return ARGP_ERR_UNKNOWN;
    if (*name)
        argp_error(state, "expected one COMMAND, but found '%s' as well", text);
    *name = text;
    char question[SUGGEST_QUESTION];
    if (!cli_find_command(text))
        argp_error(state, "there is no command '%s' (`simsm help` lists them)%s", text,
                   suggest_question(nearest_command(text), question));
    return 0;
}

static const struct command_parser help_parser = {
    .argp = {.parser = parse_help,
             .args_doc = "[COMMAND]",
             .doc = "Shows what COMMAND does and its options, as `simsm COMMAND --help` does. "
                    "Without COMMAND, lists all commands and the options of `simsm CONFIG TRACE`."},
};

int cmd_help(int argc, char **argv)
{
    static char option[] = "--help", program[] = "simsm";
    char *words[] = {program, option, NULL};
    const char *name = NULL;
    command_parser_run(&help_parser, argc, argv, 0, &name);
    return name ? run_command(cli_find_command(name), 2, words) : cmd_simulate(2, words);
}

/* Returns whether `word` is a misspelt command: no configuration has this name, and a command has a
 * similar one. Then *error has the message. */
static bool is_misspelt(const char *word, struct simsm_error *error)
{
    char path[CONFIG_PATH];
    struct simsm_error none;
    const char *near = *word == '-' ? NULL : nearest_command(word);
    if (!near || config_files_find(word, path, &none) == SIMSM_OK)
        return false;
    char question[SUGGEST_QUESTION];
    (void)err_set(error, SIMSM_BAD_INPUT, "'%s' is neither a command nor a configuration%s", word,
                  suggest_question(near, question));
    return true;
}

int main(int argc, char **argv)
{
    cli_begin();
    argp_err_exit_status = SIMSM_BAD_INPUT;
    (void)signal(SIGPIPE, SIG_IGN); /* a closed pipe or a full quota makes the write fail, */
    (void)signal(SIGXFSZ, SIG_IGN); /* which becomes a message */
    if (argc > 1 && strcmp(argv[1], "--version") == 0) {
        (void)printf("simsm %s\n", SIMSM_VERSION);
        return cli_finish(SIMSM_OK);
    }
    struct simsm_error error;
    const struct command *command = argc > 1 ? cli_find_command(argv[1]) : NULL;
    if (command)
        return run_command(command, argc - 1, argv + 1);
    if (argc > 1 && is_misspelt(argv[1], &error))
        return cli_finish(cli_fail(&error));
    return cmd_simulate(argc, argv);
}
