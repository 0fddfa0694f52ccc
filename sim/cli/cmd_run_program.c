/* `simsm run CONFIG [options] -- PROGRAM ...`: starts a CUDA program with our runtime in it. */
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
#include "cli/cli.h"
#include "cli/cli_files.h"
#include "cli/cli_program.h"
#include "cli/command_line.h"
#include "config/config_files.h"
#include "cuda/outputs.h"
#include "cuda/settings.h"
#include "plugin/plugin.h"
#include "simsm/config.h"

enum {
    KEY_SETTING = 256, /* + enum setting_id */
    KEY_MEMORY = KEY_SETTING + SETTING_ID_COUNT,
    KEY_SMS,
    KEY_SEED,
    KEY_POLICY,
    KEY_POLICY_PARAM,
    KEY_FAST,
    KEY_ANY,
    KEY_OUTPUT = 'o'
};

struct request {
    char *value[SETTING_ID_COUNT]; /* owned; NULL: not given */
    const char *config;
    char **program; /* with its arguments; NULL ends them */
    bool any;
};

static const struct argp_option further[] = {
    {"policy", KEY_POLICY, "MODULE", 0,
     "policies of one's own: a shared object, such as ./mine.so; what it has is used, unless a "
     "--set "
     "behind it names another",
     2},
    {"policy-param", KEY_POLICY_PARAM, "NAME=VALUE", 0,
     "a parameter of that module: --set policy.params.NAME=VALUE; may be repeated", 2},
    {"memory", KEY_MEMORY, "MODEL", 0, "ideal, fixed, full or fast: --set memory.model=MODEL", 2},
    {"fast", KEY_FAST, 0, 0, "short for --set memory.model=fast", 2},
    {"sms", KEY_SMS, "N", 0, "number of SMs: --set gpu.sms=N", 2},
    {"seed", KEY_SEED, "N", 0, "seed of what is random: --set run.seed=N", 2},
    {"any", KEY_ANY, 0, 0, "start PROGRAM also if it shows no CUDA runtime itself", 3},
    {0},
};

/* The three texts as one. */
static char *format(struct argp_state *state, const char *before, const char *between,
                    const char *text)
{
    const size_t first = strlen(before), second = strlen(between), third = strlen(text);
    char *made = malloc(first + second + third + 1);
    if (!made) {
        argp_failure(state, SIMSM_FAILED, 0, "out of memory");
        return NULL;
    }
    memcpy(made, before, first);
    memcpy(made + first, between, second);
    memcpy(made + first + second, text, third + 1);
    return made;
}

/* Adds a line to an option that may be repeated. */
static void add_line(struct argp_state *state, const char *key, const char *text)
{
    struct request *request = state->input;
    char **value = &request->value[SETTING_ID_set];
    char *line = format(state, key, *key ? "=" : "", text);
    char *all = *value ? format(state, *value, "\n", line) : line;
    if (*value) {
        free(line);
        free(*value);
    }
    *value = all;
}

static void choose(void *context, const char *key, const char *value)
{
    add_line(context, key, value);
}

static void add_parameter(struct argp_state *state, const char *text)
{
    char *line = format(state, "policy.params", ".", text);
    add_line(state, "", line);
    free(line);
}

static void set(struct argp_state *state, enum setting_id id, const char *text)
{
    struct request *request = state->input;
    const struct setting *setting = &settings_table[id];
    struct settings scratch;
    struct simsm_error error;
    if (setting->kind == SETTING_LINES) {
        add_line(state, "", text);
        return;
    }
    if (request->value[id] && setting->kind != SETTING_FLAG)
        argp_error(state, "--%s is given twice: '%s' and '%s'", setting->option, request->value[id],
                   text);
    if (setting->argument && !*text)
        argp_error(state, "--%s: expected %s, found nothing", setting->option, setting->argument);
    if (settings_set(&scratch, id, text ? text : "", &error) != SIMSM_OK)
        argp_error(state, "%s", error.message);
    free(request->value[id]);
    if (setting->kind == SETTING_PATH && outfile_is_stdout(text))
        argp_error(state, "--%s -: the standard output is the program's; name a file",
                   setting->option);
    if (setting->kind == SETTING_PATH && text[0] != '/') {
        char folder[4096]; /* the program may change its own */
        if (!getcwd(folder, sizeof folder))
            argp_failure(state, SIMSM_FAILED, errno, "the current folder");
        request->value[id] = format(state, folder, "/", text);
    } else {
        request->value[id] = format(state, "", "", text ? text : "1");
    }
}

static error_t parse_argument(struct argp_state *state, const char *text)
{
    struct request *request = state->input;
    if (!request->config) {
        request->config = text;
        return 0;
    }
    /* What follows belongs to the program. */
    request->program = &state->argv[state->next - 1];
    state->next = state->argc;
    return 0;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct request *request = state->input;
    struct simsm_error error;
    if (key >= KEY_SETTING && key < KEY_MEMORY) {
        set(state, (enum setting_id)(key - KEY_SETTING), text);
        return 0;
    }
    switch (key) {
    case KEY_MEMORY:
        add_line(state, "memory.model", text);
        return 0;
    case KEY_SMS:
        add_line(state, "gpu.sms", text);
        return 0;
    case KEY_POLICY:
        if (module_choices(text, choose, state, &error) != SIMSM_OK)
            argp_failure(state, SIMSM_BAD_INPUT, 0, "%s", error.message);
        return 0;
    case KEY_POLICY_PARAM:
        add_parameter(state, text);
        return 0;
    case KEY_SEED:
        add_line(state, "run.seed", text);
        return 0;
    case KEY_FAST:
        add_line(state, "memory.model", "fast");
        return 0;
    case KEY_ANY:
        request->any = true;
        return 0;
    case KEY_OUTPUT:
        set(state, SETTING_ID_record, text);
        return 0;
    case ARGP_KEY_ARG:
        return parse_argument(state, text);
    case ARGP_KEY_END:
        if (!request->config)
            argp_error(state, "which GPU? Name a configuration, such as t4, and a program");
        if (!request->program)
            argp_error(state, "which program? Write it after the options: -- ./program");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* What `simsm record` has of settings.def: nothing that is about time. */
static bool is_for_record(unsigned id)
{
    return id == SETTING_ID_set || id == SETTING_ID_quiet || id == SETTING_ID_kernels ||
           id == SETTING_ID_launches || id == SETTING_ID_device_memory;
}

/* The options of the command: rows of settings.def that have one, and some of our own. */
static void list_options(struct argp_option options[], bool record)
{
    static const struct argp_option output = {
        "output", KEY_OUTPUT, "FILE.smtr", 0, "the recording to write", 1};
    size_t count = 0;
    if (record)
        options[count++] = output;
    for (unsigned id = 0; id < SETTING_ID_COUNT; id++) {
        const struct setting *setting = &settings_table[id];
        if (setting->option && (!record || is_for_record(id)))
            options[count++] = (struct argp_option){.name = setting->option,
                                                    .key = KEY_SETTING + (int)id,
                                                    .arg = setting->argument,
                                                    .doc = setting->help,
                                                    .group = 1};
    }
    memcpy(options + count, further, sizeof further);
}

static enum simsm_status load_config(const struct request *request, char path[CONFIG_PATH],
                                     struct simsm_config *config, struct simsm_error *error)
{
    enum simsm_status status = config_files_find(request->config, path, error);
    if (status == SIMSM_OK)
        status = simsm_config_load(config, path, error);
    const char *line = request->value[SETTING_ID_set];
    while (line && *line && status == SIMSM_OK) {
        char assignment[1024];
        int length = (int)strcspn(line, "\n");
        (void)snprintf(assignment, sizeof assignment, "%.*s", length, line);
        status = simsm_config_set(config, assignment, error);
        line += length + (line[length] == '\n');
    }
    if (status == SIMSM_OK)
        status = simsm_config_check(config, error);
    return status == SIMSM_OK ? simsm_check_policies(config, error) : status;
}

/* Refuses files that would be written over one another, or over what is read. */
static enum simsm_status check_files(const struct settings *settings, const char *config,
                                     const char *program, struct simsm_error *error)
{
    static const enum setting_id written[] = {SETTING_ID_report,   SETTING_ID_table,
                                              SETTING_ID_json,     SETTING_ID_csv,
                                              SETTING_ID_timeline, SETTING_ID_record};
    struct cli_file files[2 + sizeof written / sizeof written[0]] = {
        {"the configuration", config, true}, {"the program", program, true}};
    char what[sizeof written / sizeof written[0]][32];
    size_t count = 2;
    for (size_t i = 0; i < sizeof written / sizeof written[0]; i++) {
        (void)snprintf(what[i], sizeof what[i], "--%s", settings_table[written[i]].option);
        files[count++] = (struct cli_file){what[i], setting_text(settings, written[i]), false};
    }
    return cli_files_check(files, count, error);
}

/* Says what is wrong before the program starts; a mistake of ours is not to look like one of its.
 */
static enum simsm_status check(const struct request *request, char path[CONFIG_PATH],
                               struct program *program, struct simsm_error *error)
{
    struct simsm_config config;
    struct settings settings;
    enum simsm_status status = load_config(request, path, &config, error);
    settings_begin(&settings);
    for (unsigned id = 0; id < SETTING_ID_COUNT && status == SIMSM_OK; id++)
        if (request->value[id])
            status = settings_set(&settings, (enum setting_id)id, request->value[id], error);
    if (status == SIMSM_OK)
        status = settings_check(&settings, error);
    if (status == SIMSM_OK)
        status = outputs_check(&settings, &config, error);
    if (status == SIMSM_OK)
        status = program_inspect(program, request->program[0], error);
    if (status == SIMSM_OK && !request->any)
        status = program_check(program, error);
    else if (status == SIMSM_OK)
        program_warn(program);
    if (status == SIMSM_OK)
        program_warn_library(program);
    return status == SIMSM_OK ? check_files(&settings, path, program->path, error) : status;
}

/* Writes FIRST, or FIRST:SECOND, into a variable of the environment. */
static bool set_list(const char *variable, const char *first, const char *second)
{
    char text[8192];
    const char *colon = *first && *second ? ":" : "";
    int length = snprintf(text, sizeof text, "%s%s%s", first, colon, second);
    return length > 0 && (size_t)length < sizeof text && setenv(variable, text, 1) == 0;
}

static const char *variable_of(const char *name)
{
    const char *value = getenv(name);
    return value ? value : "";
}

/* Puts our runtime first on the way that the loader looks, and into the program where it has a way
 * of its own that goes before. A program that names no runtime may have one inside, as those that
 * it starts: cuda/preload replaces that. */
static bool lead_loader(const struct program *program, const char *folder)
{
    char library[4096 + sizeof program->runtime];
    if (!set_list("LD_LIBRARY_PATH", folder, variable_of("LD_LIBRARY_PATH")))
        return false;
    if (program->runtime[0] && !program->rpath[0])
        return true;
    (void)snprintf(library, sizeof library, "%s/%s", folder,
                   program->runtime[0] ? program->runtime : SIMSM_PRELOAD);
    return set_list("LD_PRELOAD", variable_of("LD_PRELOAD"), library);
}

static enum simsm_status prepare(struct request *request, struct program *program,
                                 struct simsm_error *error)
{
    char path[CONFIG_PATH], folder[4096], here[4096] = "";
    enum simsm_status status = check(request, path, program, error);
    if (status == SIMSM_OK)
        status = program_runtime_folder(folder, sizeof folder, error);
    if (status != SIMSM_OK)
        return status;
    char whole[sizeof here + sizeof path];
    if (path[0] != '/' && !getcwd(here, sizeof here)) /* the program may change its folder */
        return err_set(error, SIMSM_FAILED, "the current folder has no name: %s", strerror(errno));
    (void)snprintf(whole, sizeof whole, "%s%s%s", here, here[0] ? "/" : "", path);
    bool done = setenv(settings_table[SETTING_ID_config].variable, whole, 1) == 0;
    for (unsigned id = SETTING_ID_config + 1; id < SETTING_ID_COUNT && done; id++) {
        const char *variable = settings_table[id].variable;
        done = request->value[id] ? setenv(variable, request->value[id], 1) == 0
                                  : unsetenv(variable) == 0;
    }
    if (!done || !lead_loader(program, folder))
        return err_set(error, SIMSM_FAILED, "the environment of the program cannot be set");
    return SIMSM_OK;
}

/* Becomes the program; returns an exit status only if that fails. */
static int start(struct request *request, char *command_line)
{
    struct program program;
    struct simsm_error error;
    request->value[SETTING_ID_command] = command_line;
    enum simsm_status status = command_line ? SIMSM_OK : err_no_memory(&error);
    if (status == SIMSM_OK)
        status = prepare(request, &program, &error);
    if (status == SIMSM_OK) {
        (void)signal(SIGPIPE, SIG_DFL); /* as main found them */
        (void)signal(SIGXFSZ, SIG_DFL);
        (void)execv(program.path, request->program);
        (void)err_at(&error, SIMSM_FAILED, program.path, 0, 0, "cannot be started: %s",
                     strerror(errno));
    }
    for (unsigned id = 0; id < SETTING_ID_COUNT; id++)
        free(request->value[id]);
    return cli_finish(cli_fail(&error));
}

int cmd_run_program(int argc, char **argv)
{
    struct argp_option options[SETTING_ID_COUNT + sizeof further / sizeof further[0]];
    list_options(options, false);
    const struct argp parser = {
        .options = options,
        .parser = parse,
        .args_doc = "CONFIG [--] PROGRAM [ARGUMENT...]",
        .doc = "Starts a CUDA program, as nvcc has built it, with simsm in the place of "
               "the GPU: it runs to its own end, and its kernels are simulated.",
    };
    struct request request = {0};
    char *command_line = command_line_text(argc, argv);
    if (argp_parse(&parser, argc, argv, ARGP_IN_ORDER, NULL, &request) != 0)
        return SIMSM_BAD_INPUT;
    return start(&request, command_line);
}

int cmd_record_program(int argc, char **argv)
{
    struct argp_option options[1 + SETTING_ID_COUNT + sizeof further / sizeof further[0]];
    list_options(options, true);
    const struct argp parser = {
        .options = options,
        .parser = parse,
        .args_doc = "CONFIG -o FILE.smtr -- PROGRAM [ARGUMENT...]",
        .doc = "Starts a CUDA program, as nvcc has built it, with simsm in the place "
               "of the GPU, and writes down what the warps of its launches execute.",
    };
    struct request request = {0};
    char *command_line = command_line_text(argc, argv);
    if (argp_parse(&parser, argc, argv, ARGP_IN_ORDER, NULL, &request) != 0)
        return SIMSM_BAD_INPUT;
    if (!request.value[SETTING_ID_record]) {
        struct simsm_error error;
        free(command_line);
        (void)err_set(&error, SIMSM_BAD_INPUT, "say where to write: -o FILE.smtr before the --");
        return cli_finish(cli_fail(&error));
    }
    request.value[SETTING_ID_functional] = strdup("1");
    if (!request.value[SETTING_ID_quiet])
        request.value[SETTING_ID_brief] = strdup("1");
    return start(&request, command_line);
}
