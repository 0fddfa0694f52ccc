/* `simsm run CONFIG [options] -- PROGRAM ...`: starts a CUDA program with the runtime library of
 * simsm in place of NVIDIA's. `simsm record CONFIG -- PROGRAM` does the same and records, `simsm
 * check CONFIG -- PROGRAM` looks for mistakes, and `simsm env CONFIG` prints the environment that a
 * program needs. */
#include <argp.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/simsm_front.h"
#include "base/err.h"
#include "base/outfile.h"
#include "cli/again_line.h"
#include "cli/cli.h"
#include "cli/cli_files.h"
#include "cli/command_line.h"
#include "cli/command_parser.h"
#include "cli/given_options.h"
#include "cli/host_program.h"
#include "config/config_files.h"
#include "cuda/outputs.h"
#include "sanitize/findings_choose.h"
#include "simsm/config.h"
#include "sweep/texts.h"

struct run_request {
    struct given_options given;
    const char *config;
    char **program; /* [0] is the program; ends with NULL */
    bool marked;    /* "--" precedes the program */
};

/* Takes the configuration, then the program. All words after the program are its arguments. */
static void take_word(struct run_request *request, const char *text, struct argp_state *state)
{
    if (!request->config) {
        request->config = text;
        return;
    }
    request->program = &state->argv[state->next - 1];
    request->marked = strcmp(request->program[-1], "--") == 0;
    state->next = state->argc;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct run_request *request = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        take_word(request, text, state);
        return 0;
    case ARGP_KEY_END:
        if (!request->config)
            argp_error(state, "name a configuration, such as t4, and a program");
        if (!request->program)
            argp_error(state,
                       "name a configuration and a program, such as t4 -- ./app, but not only '%s'",
                       request->config);
        return 0;
    default:
        return given_options_take(&request->given, key, text, state);
    }
}

/* Warns of the first option of simsm that stands after a program without "--" before it: the option
 * goes to the program. */
static void warn_misplaced(const struct run_request *request)
{
    for (char **word = request->program + 1; !request->marked && *word; word++) {
        const size_t length = strcspn(*word, "=");
        for (enum option_id id = 0; strncmp(*word, "--", 2) == 0 && id < OPTION_COUNT; id++) {
            const struct option_row *row = &option_rows[id];
            if (!(row->commands & request->given.takes) || strlen(row->option) != length - 2 ||
                strncmp(*word + 2, row->option, length - 2) != 0)
                continue;
            (void)fprintf(stderr,
                          "simsm: warning: --%s after the program's name is an argument of the "
                          "program; write it before %s, or write -- before the program\n",
                          row->option, request->program[0]);
            return;
        }
    }
}

static enum simsm_status load_config(const struct run_request *request, char path[CONFIG_PATH],
                                     struct simsm_config *config, struct simsm_error *error)
{
    const struct option_words *settings = &request->given.settings;
    enum simsm_status status = config_files_find(request->config, path, error);
    if (status == SIMSM_OK)
        status = simsm_config_load(config, path, error);
    for (size_t i = 0; i < settings->count && status == SIMSM_OK; i++)
        status = simsm_config_set(config, settings->item[i], error);
    if (status == SIMSM_OK)
        status = simsm_config_check(config, error);
    return status == SIMSM_OK ? simsm_check_policies(config, error) : status;
}

/* Returns SIMSM_BAD_INPUT if an output would overwrite another output, the configuration or the
 * program. NULL: there is no program yet. */
static enum simsm_status check_files(const struct settings *settings, const char *config,
                                     const char *program, struct simsm_error *error)
{
    static const enum setting_id written[] = {
        SETTING_ID_report, SETTING_ID_table,    SETTING_ID_json,
        SETTING_ID_csv,    SETTING_ID_timeline, SETTING_ID_record,
        SETTING_ID_sarif,  SETTING_ID_junit,    SETTING_ID_findings};
    struct cli_file files[2 + sizeof written / sizeof written[0]] = {
        {"the configuration", config, true}, {"the program", program ? program : "", true}};
    char what[sizeof written / sizeof written[0]][32];
    size_t count = 2;
    for (size_t i = 0; i < sizeof written / sizeof written[0]; i++) {
        (void)snprintf(what[i], sizeof what[i], "--%s", option_rows[written[i]].option);
        files[count++] = (struct cli_file){what[i], setting_text(settings, written[i]), false};
    }
    return cli_files_check(files, count, error);
}

static enum simsm_status check_paths(const struct given_options *given, struct simsm_error *error)
{
    for (unsigned id = 0; id < SETTING_ID_COUNT; id++)
        if (option_rows[id].kind == OPTION_KIND_PATH && given->value[id] &&
            outfile_is_stdout(given->value[id]))
            return err_set(error, SIMSM_BAD_INPUT,
                           "--%s -: the standard output belongs to the program; name a file",
                           option_rows[id].option);
    return SIMSM_OK;
}

/* Checks all options and the program before the program starts, so that a mistake in simsm's
 * options cannot look like an error of the program. */
static enum simsm_status check(const struct run_request *request, char path[CONFIG_PATH],
                               struct host_program *program, struct simsm_error *error)
{
    struct simsm_config config;
    struct settings settings;
    enum simsm_status status = check_paths(&request->given, error);
    if (status == SIMSM_OK)
        status = load_config(request, path, &config, error);
    if (status == SIMSM_OK)
        status = given_options_settings(&request->given, &settings, error);
    if (status == SIMSM_OK)
        status = outputs_check(&settings, &config, error);
    if (status == SIMSM_OK)
        status = findings_check_options(setting_text(&settings, SETTING_ID_tool),
                                        setting_text(&settings, SETTING_ID_as),
                                        setting_text(&settings, SETTING_ID_suppressions), error);
    if (status == SIMSM_OK && !request->program)
        return check_files(&settings, path, NULL, error);
    if (status == SIMSM_OK)
        status = host_program_inspect(program, request->program[0], error);
    if (status == SIMSM_OK && !request->given.value[OPTION_any])
        status = host_program_check(program, error);
    else if (status == SIMSM_OK)
        host_program_warn(program);
    return status == SIMSM_OK ? check_files(&settings, path, program->path, error) : status;
}

/* Sets an environment variable to FIRST, or to FIRST:SECOND if both are not empty. */
static bool set_list(const char *variable, const char *first, const char *second)
{
    char *text = text_format("%s%s%s", first, *first && *second ? ":" : "", second);
    const bool done = text && setenv(variable, text, 1) == 0;
    free(text);
    return done;
}

static const char *variable_of(const char *name)
{
    const char *value = getenv(name);
    return value ? value : "";
}

/*
 * Makes the dynamic loader find simsm's libraries before NVIDIA's: libcudart, and libcuda, which a
 * runtime that is linked into the program loads. LD_LIBRARY_PATH is enough, unless the program has
 * a DT_RPATH, which the loader searches first; then LD_PRELOAD names libcudart. NVTX, as part of
 * the program, loads the library that NVTX_INJECTION64_PATH names.
 */
static bool lead_loader(const struct host_program *program, const char *folder)
{
    char library[4096 + sizeof program->runtime];
    (void)snprintf(library, sizeof library, "%s/" SIMSM_NVTX, folder);
    if (!set_list("LD_LIBRARY_PATH", folder, variable_of("LD_LIBRARY_PATH")) ||
        setenv("NVTX_INJECTION64_PATH", library, 1) != 0)
        return false;
    if (!program->runtime[0] || !program->rpath[0])
        return true;
    (void)snprintf(library, sizeof library, "%s/%s", folder, program->runtime);
    return set_list("LD_PRELOAD", variable_of("LD_PRELOAD"), library);
}

/*
 * Returns the value of a setting for the environment of the program; NULL if the setting is not
 * given or memory runs out. Paths become absolute, because the program may change its folder. The
 * caller frees it.
 */
static char *value_for_program(const struct given_options *given, unsigned id, const char *here)
{
    const struct option_row *row = &option_rows[id];
    if (!given->value[id])
        return NULL;
    if (row->kind == OPTION_KIND_PATH && given->value[id][0] != '/')
        return text_format("%s/%s", here, given->value[id]);
    return text_format("%s", given->value[id]);
}

/* Returns all assignments, one per line, including the assignments of options such as --fast. NULL
 * if memory runs out. The caller frees it. */
static char *assignments(const struct option_words *settings)
{
    char *lines = NULL;
    size_t size;
    FILE *file = open_memstream(&lines, &size);
    for (size_t i = 0; file && i < settings->count; i++)
        (void)fprintf(file, "%s%s", i ? "\n" : "", settings->item[i]);
    return file && fclose(file) == 0 ? lines : NULL;
}

/* Makes Python read what fits PyTorch and Triton to a simulated device. */
static bool lead_python(const char *folder)
{
    char python[4096 + sizeof "/python"];
    (void)snprintf(python, sizeof python, "%s/python", folder);
    return set_list("PYTHONPATH", python, variable_of("PYTHONPATH"));
}

static bool set_variable(const struct given_options *given, unsigned id, const char *here)
{
    const bool all = id == SETTING_ID_set && given->settings.count;
    char *value = all ? assignments(&given->settings) : value_for_program(given, id, here);
    const bool wanted = all || given->value[id];
    bool done = wanted ? value && setenv(option_rows[id].variable, value, 1) == 0
                       : unsetenv(option_rows[id].variable) == 0;
    free(value);
    return done;
}

static enum simsm_status prepare(struct run_request *request, struct host_program *program,
                                 struct simsm_error *error)
{
    char path[CONFIG_PATH], folder[4096], here[4096];
    enum simsm_status status = host_program_runtime_folder(folder, sizeof folder, error);
    if (status == SIMSM_OK && !set_list("PATH", folder, variable_of("PATH"))) /* nvidia-smi */
        return err_no_memory(error);
    if (status == SIMSM_OK)
        status = check(request, path, program, error);
    if (status != SIMSM_OK)
        return status;
    if (!getcwd(here, sizeof here))
        return err_set(error, SIMSM_FAILED, "the current folder cannot be determined: %s",
                       strerror(errno));
    char whole[sizeof here + sizeof path];
    (void)snprintf(whole, sizeof whole, "%s%s%s", path[0] == '/' ? "" : here,
                   path[0] == '/' ? "" : "/", path);
    request->given.value[SETTING_ID_config] = whole;
    bool done = true;
    for (unsigned id = 0; id < SETTING_ID_COUNT && done; id++)
        done = set_variable(&request->given, id, here);
    request->given.value[SETTING_ID_config] = NULL;
    if (!done || !lead_loader(program, folder) || !lead_python(folder))
        return err_set(error, SIMSM_FAILED, "the environment of the program cannot be set");
    return SIMSM_OK;
}

/* Returns the command line with the options that the program needs to run as it does, but without
 * those of outputs. NULL if memory runs out. The caller frees it. */
static char *again_of(const struct run_request *request)
{
    static const enum option_id kept[] = {OPTION_warm, OPTION_lenient, OPTION_device_memory,
                                          OPTION_max_instructions, OPTION_any};
    enum { KEPT = sizeof kept / sizeof kept[0] };
    const struct option_words *spelled = &request->given.spelled;
    struct option_words all = {calloc(spelled->count + KEPT + 1, sizeof(char *)), spelled->count};
    char room[KEPT][96];
    if (!all.item)
        return NULL;
    if (spelled->count)
        memcpy((void *)all.item, spelled->item, spelled->count * sizeof(char *));
    for (size_t i = 0; i < KEPT; i++) {
        const struct option_row *row = &option_rows[kept[i]];
        const bool flag = row->kind == OPTION_KIND_FLAG;
        if (!request->given.value[kept[i]])
            continue;
        (void)snprintf(room[i], sizeof room[i], "--%s%s%s", row->option, flag ? "" : " ",
                       flag ? "" : request->given.value[kept[i]]);
        all.item[all.count++] = room[i];
    }
    char *line = again_line("simsm run", request->config, NULL, &all, request->program);
    free((void *)all.item);
    return line;
}

/* Replaces this process by the program. Returns an exit status only if that fails. */
static int start(struct run_request *request, char *command_line)
{
    struct host_program program;
    struct simsm_error error;
    char *again = again_of(request);
    request->given.value[SETTING_ID_command] = command_line;
    request->given.value[SETTING_ID_again] = again;
    enum simsm_status status = command_line && again ? SIMSM_OK : err_no_memory(&error);
    if (status == SIMSM_OK)
        status = prepare(request, &program, &error);
    if (status == SIMSM_OK) {
        warn_misplaced(request);
        (void)signal(SIGPIPE, SIG_DFL); /* as main() found the signals */
        (void)signal(SIGXFSZ, SIG_DFL);
        (void)execv(program.path, request->program);
        (void)err_at(&error, SIMSM_FAILED, program.path, 0, 0, "cannot be started: %s",
                     strerror(errno));
    }
    given_options_free(&request->given);
    free(command_line);
    free(again);
    return cli_finish(cli_fail(&error));
}

const struct command_parser run_parser = {
    .takes = OF_RUN,
    .titled = true,
    .argp = {.parser = parse,
             .args_doc = "CONFIG [--] PROGRAM [ARGUMENT...]",
             .doc = "Starts a CUDA program, as nvcc built it, with simsm in place of the GPU. The "
                    "program runs to its end with its own results, and its kernels are simulated."},
};

int cmd_run(int argc, char **argv)
{
    struct run_request request = {.given.takes = OF_RUN};
    char *command_line = command_line_text(argc, argv);
    command_parser_run(&run_parser, argc, argv, ARGP_IN_ORDER, &request);
    return start(&request, command_line);
}

/* Prints "export NAME='VALUE'" for a shell; a quote in the value is written as '\''. */
static void print_variable(const char *name)
{
    const char *value = getenv(name);
    if (!value || !*value)
        return;
    (void)printf("export %s='", name);
    for (; *value; value++)
        (void)fputs(*value == '\'' ? "'\\''" : (char[]){*value, '\0'}, stdout);
    (void)puts("'");
}

static error_t parse_env(int key, char *text, struct argp_state *state)
{
    struct run_request *request = state->input;
    if (key == ARGP_KEY_ARG && request->config)
        argp_error(state, "too many arguments: '%s'; the environment is for any program", text);
    if (key == ARGP_KEY_ARG)
        request->config = text;
    else if (key == ARGP_KEY_END && !request->config)
        argp_error(state, "name a configuration, such as h200");
    else
        return key == ARGP_KEY_END ? 0 : given_options_take(&request->given, key, text, state);
    return 0;
}

const struct command_parser env_parser = {
    .takes = OF_RUN,
    .titled = true,
    .argp = {.parser = parse_env,
             .args_doc = "CONFIG",
             .doc = "Prints the environment in which programs find the simulated GPU, for a shell: "
                    "eval \"$(simsm env h200 --functional)\". Until the shell ends, its programs, "
                    "such as notebooks and tests, run on it as under simsm run."},
};

int cmd_env(int argc, char **argv)
{
    struct run_request request = {.given.takes = OF_RUN};
    struct host_program none = {.path = ""};
    struct simsm_error error;
    char *command_line = command_line_text(argc, argv);
    command_parser_run(&env_parser, argc, argv, 0, &request);
    request.given.value[SETTING_ID_command] = command_line;
    const enum simsm_status status =
        command_line ? prepare(&request, &none, &error) : err_no_memory(&error);
    if (status == SIMSM_OK) {
        print_variable("PATH");
        print_variable("LD_LIBRARY_PATH");
        print_variable("NVTX_INJECTION64_PATH");
        print_variable("PYTHONPATH");
        for (unsigned id = 0; id < SETTING_ID_COUNT; id++)
            print_variable(option_rows[id].variable);
    }
    given_options_free(&request.given);
    free(command_line);
    return cli_finish(status == SIMSM_OK ? EXIT_SUCCESS : cli_fail(&error));
}

const struct command_parser check_parser = {
    .takes = OF_CHECK,
    .titled = true,
    .argp = {.parser = parse,
             .args_doc = "CONFIG [--] PROGRAM [ARGUMENT...]",
             .doc = "Runs a CUDA program without timing and without a GPU, and finds what is wrong "
                    "with its kernels: accesses outside of allocations, races in shared and global "
                    "memory, wrong synchronisation, reads of memory that was never written, leaks, "
                    "calls that fail. Exit status 1 if something was found, else the program's "
                    "own."},
};

int cmd_check(int argc, char **argv)
{
    struct run_request request = {.given.takes = OF_CHECK};
    const char **value = request.given.value;
    char *command_line = command_line_text(argc, argv);
    command_parser_run(&check_parser, argc, argv, ARGP_IN_ORDER, &request);
    if (!value[OPTION_tool])
        value[OPTION_tool] = "memory,race,sync,init,leak,api";
    value[OPTION_functional] = "1";
    value[OPTION_quiet] = "1";
    return start(&request, command_line);
}

int cmd_record_program(int argc, char **argv)
{
    static const struct command_parser parser = {
        .takes = OF_RECORD_PROGRAM,
        .titled = true,
        .argp = {.parser = parse,
                 .args_doc = "CONFIG -o FILE.smtr -- PROGRAM [ARGUMENT...]",
                 .doc = "Starts a CUDA program, as nvcc built it, with simsm in place of the GPU, "
                        "and records what the warps of its launches execute."},
    };
    struct run_request request = {.given.takes = OF_RECORD_PROGRAM};
    const char **value = request.given.value;
    char *command_line = command_line_text(argc, argv);
    command_parser_run(&parser, argc, argv, ARGP_IN_ORDER, &request);
    if (!value[OPTION_output]) {
        struct simsm_error error;
        free(command_line);
        given_options_free(&request.given);
        (void)err_set(&error, SIMSM_BAD_INPUT,
                      "name the recording to write: -o FILE.smtr before the --");
        return cli_finish(cli_fail(&error));
    }
    value[OPTION_record] = value[OPTION_output];
    value[OPTION_functional] = "1";
    return start(&request, command_line);
}
