/* `simsm why`: says what costs a kernel its time. Each launch that matters is simulated again
 * without one cost at a time (docs/advice.md). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/simsm_front.h"
#include "base/err.h"
#include "base/outfile.h"
#include "cli/cli.h"
#include "cli/cli_files.h"
#include "cli/given_options.h"
#include "cli/signals.h"
#include "cli/why_copies.h"
#include "cli/why_program.h"
#include "cli/why_show.h"
#include "config/config_files.h"
#include "report/progress.h"
#include "sweep/workers.h"

enum { KEY_WHAT_IF = 256, KEY_JSON, KINDS_MOST = 4 };

struct why_request {
    struct given_options given;
    const char *config_name, *what_if, *json;
    char **inputs; /* [input_count] */
    size_t input_count;
    char **program; /* the program and its arguments; ends with NULL; NULL: none */
    struct simsm_config config;
    struct launch_choice choice;
    struct why_program recorded;
    struct experiments experiments;
    struct outfile json_file;
};

static const struct argp_option options[] = {
    {"what-if", KEY_WHAT_IF, "KEY", 0,
     "run only this experiment, a key of section what_if (`simsm config keys` lists them)", 0},
    {"json", KEY_JSON, "FILE", 0, "write all advice with its prices as JSON", 0},
    {0},
};

static void take_word(struct why_request *request, char *text, struct argp_state *state)
{
    char **word = &state->argv[state->next - 1];
    if (!request->config_name) {
        request->config_name = text;
    } else if (strcmp(word[-1], "--") == 0) {
        request->program = word;
        state->next = state->argc;
    } else {
        request->inputs[request->input_count++] = text;
    }
}

static void check(const struct why_request *request, struct argp_state *state)
{
    if (!request->config_name)
        argp_error(state, "name a configuration and a kernel: simsm why t4 a.trace");
    if (!request->program == !request->input_count)
        argp_error(state, "name traces or recordings, or a program after the options: -- ./app");
    if (request->what_if && !experiments_has_key(request->what_if))
        argp_error(state,
                   "--what-if %s: there is no such experiment; `simsm config keys` lists "
                   "the keys of section what_if",
                   request->what_if);
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct why_request *request = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        take_word(request, text, state);
        return 0;
    case KEY_WHAT_IF:
        request->what_if = text;
        return 0;
    case KEY_JSON:
        request->json = text;
        return 0;
    case ARGP_KEY_END:
        check(request, state);
        return 0;
    default:
        return given_options_take(&request->given, key, text, state);
    }
}

static enum simsm_status configure(struct why_request *request, struct simsm_error *error)
{
    const struct option_words *settings = &request->given.settings;
    struct simsm_config *config = &request->config;
    enum simsm_status status = simsm_config_load(config, request->config_name, error);
    for (size_t i = 0; i < settings->count && status == SIMSM_OK; i++)
        status = simsm_config_set(config, settings->item[i], error);
    if (status == SIMSM_OK)
        status = simsm_config_check(config, error);
    return status == SIMSM_OK ? simsm_check_policies(config, error) : status;
}

static enum simsm_status jobs(const struct why_request *request, uint32_t *count,
                              struct simsm_error *error)
{
    const char *text = request->given.value[OPTION_jobs];
    char *end = NULL;
    *count = workers_processors();
    if (!text)
        return SIMSM_OK;
    const unsigned long value = strtoul(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end || value < 1 || value > WORKERS_MOST)
        return err_set(error, SIMSM_BAD_INPUT, "--jobs '%s': expected a whole number from 1 to %d",
                       text, WORKERS_MOST);
    *count = (uint32_t)value;
    return SIMSM_OK;
}

/* Reads --kernels and --launches, and checks that --launch-number does not choose, too. */
static enum simsm_status choose(struct why_request *request, struct simsm_error *error)
{
    const char *const *value = request->given.value;
    if (value[OPTION_launch_number] && (value[OPTION_kernels] || value[OPTION_launches]))
        return err_set(error, SIMSM_BAD_INPUT,
                       "%s and --launch-number both choose launches: leave one of them out",
                       value[OPTION_kernels] ? "--kernels" : "--launches");
    return launch_choice_read(&request->choice, value[OPTION_kernels], value[OPTION_launches],
                              error);
}

static struct progress progress; /* global, as the callback has no context of its own */

static void show_progress(const struct experiments *experiments)
{
    progress_show(&progress, "%u simulations done", experiments->ended);
}

/* Returns how many kinds to examine: the heaviest ones, which make up most of the time. */
static uint32_t heaviest(const struct experiments *experiments)
{
    static const double most = 0.9;
    double all = 0, sum = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < experiments->kinds; i++)
        all += (double)experiments->kind[i].cycles * experiments->kind[i].count;
    for (; count < experiments->kinds && count < KINDS_MOST && sum < most * all; count++)
        sum += (double)experiments->kind[count].cycles * experiments->kind[count].count;
    return count;
}

/* Checks the files and records the program; then adds all launches. */
static enum simsm_status prepare(struct why_request *request, struct simsm_error *error)
{
    struct experiments *experiments = &request->experiments;
    enum simsm_status status = configure(request, error);
    for (size_t i = 0; i < request->input_count && status == SIMSM_OK; i++) {
        const struct cli_file files[] = {{"the input", request->inputs[i], true},
                                         {"--json", request->json, false}};
        status = cli_files_check(files, 2, error);
    }
    if (status == SIMSM_OK)
        status = jobs(request, &experiments->jobs, error);
    if (status == SIMSM_OK)
        status = choose(request, error);
    if (status == SIMSM_OK && request->json)
        status = outfile_open(&request->json_file, request->json, error);
    if (status == SIMSM_OK && request->program)
        status = why_program_record(&request->recorded, request->program, &request->given,
                                    &request->config, error);
    experiments->config = &request->config;
    experiments->params = request->given.parameters.item;
    experiments->only = request->what_if;
    experiments->choice =
        request->program ? NULL : &request->choice; /* `simsm record` has chosen */
    experiments->stop = signals_first;
    experiments->progress = progress.terminal ? show_progress : NULL;
    if (status == SIMSM_OK && request->program)
        status = experiments_add(experiments, request->recorded.recording, error);
    for (size_t i = 0; i < request->input_count && status == SIMSM_OK; i++)
        status = experiments_add(experiments, request->inputs[i], error);
    return status;
}

static enum simsm_status show(struct why_request *request, uint32_t kinds,
                              struct simsm_error *error)
{
    struct copy_price copies;
    const bool whole = request->program && !request->choice.has_kernels &&
                       !request->given.value[OPTION_launches] && !request->what_if;
    const struct why why = {
        .experiments = &request->experiments,
        .copies = whole && why_copies_price(request->recorded.table, &request->experiments, &copies)
                      ? &copies
                      : NULL,
        .config_name = request->config_name,
        .kinds = kinds,
        .program = request->program != NULL};
    if (!request->json || !outfile_is_stdout(request->json))
        why_print(stdout, &why);
    if (!request->json)
        return SIMSM_OK;
    if (!why_json(request->json_file.file, &why))
        return err_no_memory(error);
    return outfile_commit(&request->json_file, error);
}

static enum simsm_status examine(struct why_request *request, struct simsm_error *error)
{
    struct experiments *experiments = &request->experiments;
    uint32_t kinds = 0;
    signals_listen();
    progress_begin(&progress, stderr);
    enum simsm_status status = prepare(request, error);
    if (status == SIMSM_OK)
        status = experiments_run_plain(experiments, error);
    if (status == SIMSM_OK)
        kinds = heaviest(experiments);
    if (status == SIMSM_OK)
        status = experiments_run(experiments, kinds, error);
    progress_clear(&progress);
    if (status == SIMSM_OK && !kinds)
        return err_set(error, SIMSM_FAILED, "%s",
                       request->choice.has_kernels || request->choice.first > 1
                           ? "--kernels and --launches choose no launch"
                           : "the program launched no kernel");
    return status == SIMSM_OK ? show(request, kinds, error) : status;
}

const struct command_parser why_parser = {
    .takes = OF_WHY,
    .argp = {.options = options,
             .parser = parse,
             .args_doc = "CONFIG TRACE|RECORDING...\nCONFIG -- PROGRAM [ARGUMENT...]",
             .doc = "Says what costs a kernel its time. Simulates each launch that matters again "
                    "without one cost at a time: uncoalesced accesses, bank conflicts, divergence "
                    "and others. Prints at most five advices, each with its price, the line "
                    "responsible, and what to do.\vA program is executed once and recorded; the "
                    "experiments simulate the recording."},
};

int cmd_why(int argc, char **argv)
{
    struct simsm_error error = {0};
    struct why_request request = {.given.takes = OF_WHY,
                                  .inputs = calloc((size_t)argc + 1, sizeof(char *))};
    enum simsm_status status = request.inputs ? SIMSM_OK : err_no_memory(&error);
    if (status == SIMSM_OK) {
        command_parser_run(&why_parser, argc, argv, ARGP_IN_ORDER, &request);
        status = examine(&request, &error);
    }
    int result = (int)status;
    if (status == SIMSM_INTERRUPTED)
        result = cli_fail_stopped(&error);
    else if (status != SIMSM_OK)
        result = cli_fail(&error);
    outfile_abandon(&request.json_file);
    why_program_remove(&request.recorded);
    experiments_free(&request.experiments);
    launch_choice_free(&request.choice);
    given_options_free(&request.given);
    free(request.inputs);
    return cli_finish(result);
}
