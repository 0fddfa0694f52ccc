/* `simsm record`: what the warps of a kernel execute, in one file that needs nothing else. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/simsm_front.h"
#include "base/err.h"
#include "base/outfile.h"
#include "cli/cli.h"
#include "cli/command_line.h"
#include "cli/params.h"
#include "cli/recording.h"
#include "plugin/plugin.h"
#include "simsm/simsm.h"
#include "sweep/texts.h"

enum { KEY_SET = 256, KEY_QUIET, KEY_POLICY, KEY_POLICY_PARAM };

struct request {
    const char *config, *output;
    char **inputs;
    struct texts settings; /* "key=value" */
    struct params params;
    int input_count;
    bool quiet;
};

static const struct argp_option options[] = {
    {"output", 'o', "FILE.smtr", 0, "the recording to write", 0},
    {"set", KEY_SET, "KEY=VALUE", 0,
     "change a key of the configuration, such as divergence.first=more; may be repeated", 0},
    {"policy", KEY_POLICY, "MODULE", 0,
     "use a module of policies, whose order of paths decides which side of a branch runs first", 0},
    {"policy-param", KEY_POLICY_PARAM, "NAME=VALUE", 0,
     "a parameter of that module: --set policy.params.NAME=VALUE; may be repeated", 0},
    {"quiet", KEY_QUIET, 0, 0, "print nothing", 0},
    {0},
};

static void set(struct argp_state *state, const char *before, const char *between,
                const char *after)
{
    struct request *request = state->input;
    char *text = text_format("%s%s%s", before, between, after);
    if (!text || !texts_add(&request->settings, text, 0, 0))
        argp_failure(state, SIMSM_FAILED, 0, "out of memory");
    free(text);
}

static void choose(void *state, const char *key, const char *value)
{
    set(state, key, "=", value);
}

/* A module and what it has, as if each had been set. */
static void policy(struct argp_state *state, const char *name)
{
    struct simsm_error error;
    if (module_choices(name, choose, state, &error) != SIMSM_OK)
        argp_failure(state, SIMSM_BAD_INPUT, 0, "%s", error.message);
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct request *request = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &request->params;
        return 0;
    case 'o':
        if (request->output)
            argp_error(state, "--output is given twice: '%s' and '%s'", request->output, value);
        if (!*value)
            argp_error(state, "--output: expected the name of a file, found nothing");
        if (outfile_is_stdout(value))
            argp_error(state, "--output -: a recording cannot go to the standard output; name a "
                              "file");
        request->output = value;
        return 0;
    case KEY_SET:
        set(state, "", "", value);
        return 0;
    case KEY_POLICY:
        policy(state, value);
        return 0;
    case KEY_POLICY_PARAM:
        set(state, "policy.params", ".", value);
        return 0;
    case KEY_QUIET:
        request->quiet = true;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num == 0)
            request->config = value;
        else
            request->inputs[request->input_count++] = value;
        return 0;
    case ARGP_KEY_END:
        if (!request->input_count)
            argp_error(state, "name a configuration and a kernel: simsm record t4 a.trace -o "
                              "a.smtr");
        if (!request->output)
            argp_error(state, "say where to write: -o FILE.smtr");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static enum simsm_status configure(const struct request *request, struct simsm_config *config,
                                   struct simsm_error *error)
{
    enum simsm_status status = simsm_config_load(config, request->config, error);
    for (uint32_t i = 0; i < request->settings.count && status == SIMSM_OK; i++)
        status = simsm_config_set(config, request->settings.item[i].text, error);
    if (status == SIMSM_OK)
        status = simsm_config_check(config, error);
    return status == SIMSM_OK ? simsm_check_policies(config, error) : status;
}

static int record(const struct request *request, const char *command_line)
{
    struct simsm_config config;
    struct simsm_error error = {0};
    enum simsm_status status = configure(request, &config, &error);
    if (status == SIMSM_OK) {
        const struct recording_request what = {.inputs = request->inputs,
                                               .input_count = request->input_count,
                                               .output = request->output,
                                               .config = &config,
                                               .params = request->params.list,
                                               .command = command_line,
                                               .quiet = request->quiet};
        status = recording_make(&what, &error);
    }
    if (status == SIMSM_INTERRUPTED)
        return cli_stopped(&error);
    return status == SIMSM_OK ? SIMSM_OK : cli_fail(&error);
}

/* Whether a program follows. */
static bool has_program(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--") == 0)
            return true;
    }
    return false;
}

int cmd_record(int argc, char **argv)
{
    if (has_program(argc, argv))
        return cmd_record_program(argc, argv);
    static const struct argp_child children[] = {{.argp = &params_argp}, {0}};
    static const struct argp parser = {
        .options = options,
        .parser = parse_option,
        .children = children,
        .args_doc = "CONFIG INPUT... -o FILE.smtr\nCONFIG -o FILE.smtr -- PROGRAM [ARGUMENT...]",
        .doc = "Writes down what all warps of a kernel execute: instructions, active lanes, "
               "addresses. `simsm CONFIG FILE.smtr` then simulates that, under any "
               "configuration; what CONFIG decides while recording is which side of a branch runs "
               "first, how long a nanosecond is, and what is random. Several inputs become "
               "several kernel launches of one file, and so do the launches of a CUDA program "
               "(`simsm record -- --help` has the options).",
    };
    char *command_line = command_line_text(argc, argv); /* before argp reorders the words */
    struct request request = {.inputs = calloc((size_t)argc + 1, sizeof(char *))};
    int status = SIMSM_FAILED;
    if (!command_line || !request.inputs) {
        struct simsm_error error;
        (void)err_no_memory(&error);
        status = cli_fail(&error);
    } else if (argp_parse(&parser, argc, argv, 0, NULL, &request) == 0) {
        status = record(&request, command_line);
    }
    free(command_line);
    texts_free(&request.settings);
    params_free(&request.params);
    free(request.inputs);
    return cli_finish(status);
}
