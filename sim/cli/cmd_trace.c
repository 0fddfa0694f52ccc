/* `simsm trace`: what a kernel's warps execute, without simulating time. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "cli/cli.h"
#include "cli/command_line.h"
#include "cli/foreign_trace.h"
#include "cli/given_options.h"
#include "cli/record_inputs.h"
#include "cli/trace_dump.h"
#include "cli/trace_show.h"
#include "config/suggest.h"
#include "input/front_launches.h"
#include "input/front_open.h"

enum { KEY_CONFIG = 256, KEY_BLOCK, KEY_WARP, KEY_LIMIT };

enum trace_action { INFO, CHECK, DUMP, CONVERT, NO_ACTION };

static const struct {
    const char *name;
    int least, most; /* number of files */
    const char *files;
} actions[NO_ACTION] = {
    [INFO] = {"info", 1, 1, "info takes one trace"},
    [CHECK] = {"check", 1, INT_MAX, ""},
    [DUMP] = {"dump", 1, 1, "dump takes one trace"},
    [CONVERT] = {"convert", 2, 2, "convert takes two files: what to read and what to write"},
};

struct trace_request {
    enum trace_action action;
    const char *config, *command_line;
    struct given_options given;
    char **files;
    int file_count;
    struct trace_dump dump;
};

static const struct argp_option options[] = {
    {"config", KEY_CONFIG, "CONFIG", 0,
     "read the file for this GPU: pipes, divergence, clock, seed (default: the default of every "
     "key)",
     0},
    {"block", KEY_BLOCK, "B", 0, "dump: number of the block in the grid (default: 0)", 0},
    {"warp", KEY_WARP, "W", 0, "dump: the warp of the block (default: all)", 0},
    {"limit", KEY_LIMIT, "N", 0, "dump: at most N instructions of each warp (default: all)", 0},
    {0},
};

static uint64_t number(struct argp_state *state, const char *option, const char *text,
                       uint64_t limit)
{
    char *end = NULL;
    errno = 0;
    unsigned long long value = isdigit((unsigned char)text[0]) ? strtoull(text, &end, 10) : 0;
    if (!end || *end || errno || value > limit)
        argp_error(state, "%s: expected a whole number, at most %llu, found '%s'", option,
                   (unsigned long long)limit, text);
    return value;
}

static void argument(struct trace_request *request, char *value, struct argp_state *state)
{
    if (request->action != NO_ACTION) {
        request->files[request->file_count++] = value;
        return;
    }
    const char *names[NO_ACTION];
    char question[SUGGEST_QUESTION];
    int action = 0;
    for (int i = 0; i < NO_ACTION; i++)
        names[i] = actions[i].name;
    while (action < NO_ACTION && strcmp(value, names[action]) != 0)
        action++;
    if (action == NO_ACTION)
        argp_error(state, "expected info, check, dump or convert, found '%s'%s", value,
                   suggest_question(suggest_nearest(value, names, NO_ACTION), question));
    request->action = (enum trace_action)action;
}

static void check_arguments(const struct trace_request *request, struct argp_state *state)
{
    if (request->action == NO_ACTION)
        argp_error(state, "name an action: info, check, dump or convert");
    else if (request->file_count == 0)
        argp_error(state, "name a trace");
    else if (request->file_count < actions[request->action].least ||
             request->file_count > actions[request->action].most)
        argp_error(state, "%s", actions[request->action].files);
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct trace_request *request = state->input;
    switch (key) {
    case KEY_CONFIG:
        request->config = value;
        return 0;
    case KEY_BLOCK:
        request->dump.block = number(state, "--block", value, UINT64_MAX);
        return 0;
    case KEY_WARP:
        request->dump.warp = (uint32_t)number(state, "--warp", value, 1023);
        return 0;
    case KEY_LIMIT:
        request->dump.limit = number(state, "--limit", value, UINT64_MAX);
        return 0;
    case ARGP_KEY_ARG:
        argument(request, value, state);
        return 0;
    case ARGP_KEY_END:
        check_arguments(request, state);
        return 0;
    default:
        return given_options_take(&request->given, key, value, state);
    }
}

static enum simsm_status convert(const struct trace_request *request,
                                 const struct simsm_config *config, struct simsm_error *error)
{
    if (!request->given.parameters.count && foreign_trace_probe(request->files[0]))
        return foreign_trace_convert(request->files[0], request->files[1], request->command_line,
                                     error);
    const struct record_inputs_request what = {.inputs = request->files,
                                               .input_count = 1,
                                               .output = request->files[1],
                                               .config = config,
                                               .params = request->given.parameters.item,
                                               .command = request->command_line};
    return record_inputs(&what, error);
}

static enum simsm_status inspect_launch(const struct trace_request *request,
                                        const struct simsm_config *config, const char *file,
                                        const char *const *params, struct simsm_error *error)
{
    struct front *front;
    enum simsm_status status = front_open(&front, file, config, params, error);
    if (status != SIMSM_OK)
        return status;
    foreign_trace_warn(front);
    if (request->action == INFO)
        status = trace_info(front, config, error);
    else if (request->action == CHECK)
        status = trace_check(front, error);
    else
        status = trace_dump(front, &request->dump, error);
    front_close(front);
    return status;
}

/* Checks all launches of a file and prints a result for each, also after a launch with findings. */
static enum simsm_status check_launches(const struct trace_request *request,
                                        const struct simsm_config *config, const char *file,
                                        const struct front_launches *launches,
                                        struct simsm_error *error)
{
    enum simsm_status worst = SIMSM_OK;
    for (uint32_t i = 0; i < launches->count; i++) {
        char parameter[32];
        struct simsm_error one;
        (void)snprintf(parameter, sizeof parameter, "launch=%u", i + 1);
        (void)printf("launch %u, kernel %s\n", i + 1, launches->launch[i].name);
        enum simsm_status status =
            inspect_launch(request, config, file, (const char *const[]){parameter, NULL}, &one);
        if (status == SIMSM_OK)
            continue;
        *error = one;
        worst = status;
        if (status != SIMSM_FAILED) /* findings of one launch do not end the checks */
            break;
    }
    return worst;
}

static enum simsm_status inspect_file(const struct trace_request *request,
                                      const struct simsm_config *config, const char *file,
                                      struct simsm_error *error)
{
    struct front_launches launches = {0};
    enum simsm_status status = SIMSM_OK;
    if (!request->given.parameters.count && request->action != DUMP)
        status = front_launches_read(&launches, file, error);
    if (status != SIMSM_OK)
        return status;
    if (launches.count < 2)
        status = inspect_launch(request, config, file, request->given.parameters.item, error);
    else if (request->action == INFO)
        trace_launches(file, &launches);
    else
        status = check_launches(request, config, file, &launches, error);
    front_launches_free(&launches);
    return status;
}

static int perform(const struct trace_request *request, const struct simsm_config *config,
                   const char *file)
{
    struct simsm_error error = {0};
    enum simsm_status status = request->action == CONVERT
                                   ? convert(request, config, &error)
                                   : inspect_file(request, config, file, &error);
    if (status == SIMSM_INTERRUPTED)
        return cli_fail_stopped(&error);
    if (status == SIMSM_OK)
        return SIMSM_OK;
    (void)fflush(stdout);
    return cli_fail(&error);
}

static int perform_all(const struct trace_request *request)
{
    struct simsm_error error;
    struct simsm_config config;
    int worst = SIMSM_OK, count = request->action == CONVERT ? 1 : request->file_count;
    if (request->config && (simsm_config_load(&config, request->config, &error) != SIMSM_OK ||
                            simsm_config_check(&config, &error) != SIMSM_OK))
        return cli_fail(&error);
    for (int i = 0; i < count; i++) {
        int status = perform(request, request->config ? &config : NULL, request->files[i]);
        worst = status > worst ? status : worst;
    }
    return worst;
}

const struct command_parser trace_parser = {
    .takes = OF_TRACE,
    .argp = {.options = options,
             .parser = parse_option,
             .args_doc = "info FILE\ncheck FILE...\ndump FILE\nconvert FILE FILE.smtr",
             .doc =
                 "Reads traces and recordings without simulating time. info shows the launch, the "
                 "code with its generated branches, and how many instructions warps execute. check "
                 "executes the warps of some blocks and finds barriers that never open, and "
                 "addresses that are misaligned or outside the kernel's memory. dump prints the "
                 "instructions that the warps of a block execute, with active lanes, executing "
                 "lanes (=: all active lanes) and addresses. convert writes a recording."},
};

int cmd_trace(int argc, char **argv)
{
    char *command_line = command_line_text(argc, argv);
    struct trace_request request = {.action = NO_ACTION,
                                    .given.takes = OF_TRACE,
                                    .command_line = command_line,
                                    .files = calloc((size_t)argc + 1, sizeof(char *)),
                                    .dump = {.warp = UINT32_MAX, .limit = UINT64_MAX}};
    int status = SIMSM_FAILED;
    if (!request.files || !command_line) {
        struct simsm_error error;
        (void)err_no_memory(&error);
        status = cli_fail(&error);
    } else {
        command_parser_run(&trace_parser, argc, argv, 0, &request);
        status = perform_all(&request);
    }
    given_options_free(&request.given);
    free(request.files);
    free(command_line);
    return cli_finish(status);
}
