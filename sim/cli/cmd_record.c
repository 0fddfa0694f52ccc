/* `simsm record`: writes what the warps of a kernel execute into one self-contained file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/simsm_front.h"
#include "base/err.h"
#include "base/outfile.h"
#include "cli/cli.h"
#include "cli/command_line.h"
#include "cli/given_options.h"
#include "cli/record_inputs.h"
#include "plugin/plugin.h"
#include "simsm/simsm.h"

struct record_request {
    const char *config;
    char **inputs;
    int input_count;
    struct given_options given;
};

static void check(const struct record_request *request, struct argp_state *state)
{
    const char *output = request->given.value[OPTION_output];
    if (!request->input_count)
        argp_error(state, "name a configuration and a kernel: simsm record t4 a.trace -o a.smtr");
    if (!output)
        argp_error(state, "name the recording to write: -o FILE.smtr");
    else if (outfile_is_stdout(output))
        argp_error(state, "--output -: a recording cannot go to the standard output; name a file");
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct record_request *request = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        if (state->arg_num == 0)
            request->config = value;
        else
            request->inputs[request->input_count++] = value;
        return 0;
    case ARGP_KEY_END:
        check(request, state);
        return 0;
    default:
        return given_options_take(&request->given, key, value, state);
    }
}

static enum simsm_status configure(const struct record_request *request,
                                   struct simsm_config *config, struct simsm_error *error)
{
    enum simsm_status status = simsm_config_load(config, request->config, error);
    for (size_t i = 0; i < request->given.settings.count && status == SIMSM_OK; i++)
        status = simsm_config_set(config, request->given.settings.item[i], error);
    if (status == SIMSM_OK)
        status = simsm_config_check(config, error);
    return status == SIMSM_OK ? simsm_check_policies(config, error) : status;
}

static int record(const struct record_request *request, const char *command_line)
{
    struct simsm_config config;
    struct simsm_error error = {0};
    enum simsm_status status = configure(request, &config, &error);
    if (status == SIMSM_OK) {
        const struct record_inputs_request what = {.inputs = request->inputs,
                                                   .input_count = request->input_count,
                                                   .output = request->given.value[OPTION_output],
                                                   .config = &config,
                                                   .params = request->given.parameters.item,
                                                   .command = command_line,
                                                   .quiet =
                                                       request->given.value[OPTION_quiet] != NULL};
        status = record_inputs(&what, &error);
    }
    if (status == SIMSM_INTERRUPTED)
        return cli_fail_stopped(&error);
    return status == SIMSM_OK ? SIMSM_OK : cli_fail(&error);
}

/* Returns whether "--" announces a program. */
static bool has_program(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--") == 0)
            return true;
    }
    return false;
}

const struct command_parser record_parser = {
    .takes = OF_RECORD,
    .argp = {.parser = parse_option,
             .args_doc =
                 "CONFIG INPUT... -o FILE.smtr\nCONFIG -o FILE.smtr -- PROGRAM [ARGUMENT...]",
             .doc = "Records what all warps of a kernel execute: instructions, active lanes, "
                    "addresses. `simsm CONFIG FILE.smtr` simulates the recording under any "
                    "configuration. Three things come from the CONFIG of the recording: which side "
                    "of a branch runs first, how many cycles a nanosecond has, and random numbers. "
                    "Several inputs become several launches of one file, and so do the launches of "
                    "a CUDA program (`simsm record -- --help` lists the options)."},
};

int cmd_record(int argc, char **argv)
{
    if (has_program(argc, argv))
        return cmd_record_program(argc, argv);
    char *command_line = command_line_text(argc, argv); /* before argp reorders argv */
    struct record_request request = {.given.takes = OF_RECORD,
                                     .inputs = calloc((size_t)argc + 1, sizeof(char *))};
    int status = SIMSM_FAILED;
    if (!command_line || !request.inputs) {
        struct simsm_error error;
        (void)err_no_memory(&error);
        status = cli_fail(&error);
    } else {
        command_parser_run(&record_parser, argc, argv, 0, &request);
        status = record(&request, command_line);
    }
    free(command_line);
    given_options_free(&request.given);
    free(request.inputs);
    return cli_finish(status);
}
