/* `simsm sweep`: many simulations. SPEC.yaml describes them and a file keeps the results. The short
 * form simulates one trace under several values of some keys and prints a table and a plot. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "cli/cli.h"
#include "cli/cli_files.h"
#include "cli/given_options.h"
#include "cli/signals.h"
#include "cli/sweep_spec.h"
#include "cli/sweep_table.h"
#include "config/config_files.h"
#include "config/suggest.h"
#include "report/metrics.h"
#include "report/progress.h"
#include "sweep/titles.h"
#include "sweep/workers.h"

enum {
    MAX_SETS = 64,
    KEY_RESULTS = 256,
    KEY_RETRY,
    KEY_SLURM,
    KEY_ARRAY_SIZE,
    KEY_PARTITION,
    KEY_SBATCH,
    KEY_NO_WAIT,
    KEY_PRINT_JOBS,
    KEY_COLLECT,
    KEY_TASK
};

struct sweep_command {
    struct sweep_spec spec;
    const char *first; /* CONFIG or SPEC.yaml */
    const char *csv, *svg, *plot_name;
    const char *sbatch[MAX_SETS];
    uint32_t sbatches;
    struct given_options given;
    struct sweep_table table;
    uint32_t jobs;
    bool no_plot, silent; /* silent: an output goes to the standard output */
    const char *of_spec,
        *of_short; /* an option that was given and belongs to one form only; NULL: none */
    struct outfile csv_file, svg_file; /* opened before the first simulation */
    struct simsm_config config;
    struct variants variants;
    struct simsm_error error;
    enum simsm_status status;
};

static enum simsm_status no_metric(struct simsm_error *error, const char *option, const char *name)
{
    char question[SUGGEST_QUESTION];
    if (titles_unit(name))
        return err_set(error, SIMSM_BAD_INPUT,
                       "%s '%s' is a counter, and the table has metrics only; `simsm metrics` "
                       "lists them",
                       option, name);
    return err_set(error, SIMSM_BAD_INPUT,
                   "%s '%s': there is no such metric; `simsm metrics` lists them%s", option, name,
                   suggest_question(titles_nearest(name), question));
}

static enum simsm_status add_metric(struct sweep_command *request, const char *name)
{
    struct sweep_table *table = &request->table;
    int metric = titles_metric(name);
    if (metric < 0)
        return no_metric(&request->error, "--metric", name);
    if (table->metrics == SWEEP_TABLE_METRICS)
        return err_set(&request->error, SIMSM_BAD_INPUT, "more than %d metrics",
                       SWEEP_TABLE_METRICS);
    table->metric[table->metrics++] = (unsigned)metric;
    return SIMSM_OK;
}

static enum simsm_status number(struct sweep_command *request, const char *option, const char *text,
                                uint64_t least, uint64_t most, uint64_t *value)
{
    char *end;
    *value = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end || *value < least || *value > most)
        return err_set(&request->error, SIMSM_BAD_INPUT,
                       "%s '%s': expected a whole number from %llu to %llu", option, text,
                       (unsigned long long)least, (unsigned long long)most);
    return SIMSM_OK;
}

/* Reads the two numbers of --hiding L:C. */
static enum simsm_status hiding(struct sweep_command *request, const char *text)
{
    char *middle, *end = NULL;
    double latency = strtod(text, &middle), work = *middle == ':' ? strtod(middle + 1, &end) : 0;
    if (middle == text || !end || *end || !(latency > 0 && latency <= 1e9) ||
        !(work > 0 && work <= 1e9))
        return err_set(&request->error, SIMSM_BAD_INPUT,
                       "--hiding '%.60s': expected L:C, cycles of waiting and of work, such as "
                       "400:4",
                       text);
    request->table.latency = latency;
    request->table.work = work;
    return SIMSM_OK;
}

static enum simsm_status take_option(struct sweep_command *request, int key, char *text)
{
    uint64_t value = 0;
    enum simsm_status status = SIMSM_OK;
    switch (key) {
    case 'v':
        return variants_add(&request->variants, text, &request->error);
    case 'm':
        return add_metric(request, text);
    case 'j':
        status = number(request, "--jobs", text, 1, WORKERS_MOST, &value);
        request->jobs = (uint32_t)value;
        return status;
    case 'c':
        return number(request, "--max-cycles", text, 1, UINT64_MAX, &request->variants.max_cycles);
    case 'p':
        request->plot_name = text;
        return SIMSM_OK;
    case 'n':
        request->no_plot = true;
        return SIMSM_OK;
    case 'o':
        request->csv = text;
        return SIMSM_OK;
    case 'g':
        request->svg = text;
        return SIMSM_OK;
    case 'l':
        return hiding(request, text);
    default:
        return SIMSM_OK;
    }
}

static const struct argp_option options[] = {
    {0, 0, NULL, 0, "With SPEC.yaml:", 2},
    {"results", KEY_RESULTS, "FILE", 0,
     "keep the results in FILE instead of the file that SPEC.yaml names", 0},
    {"retry", KEY_RETRY, NULL, 0, "simulate failed points again", 0},
    {"verbose", 'V', NULL, 0, "print a line for each point that has ended", 0},
    {"quiet", 'q', NULL, 0, "print no progress and no summary", 0},
    {0, 0, NULL, 0, "With SPEC.yaml, on other machines that share the folders of all files:", 3},
    {"slurm", KEY_SLURM, NULL, 0,
     "simulate the points in an array of Slurm jobs, and wait for them; each job simulates --jobs "
     "points at a time (default: 1)",
     0},
    {"array-size", KEY_ARRAY_SIZE, "N", 0, "divide the points among N tasks (default: up to 256)",
     0},
    {"partition", KEY_PARTITION, "NAME", 0, "the Slurm partition", 0},
    {"sbatch", KEY_SBATCH, "OPTION", 0,
     "add an option for sbatch, such as --sbatch=--time=1:00:00; may be repeated", 0},
    {"no-wait", KEY_NO_WAIT, NULL, 0,
     "with --slurm: submit the jobs and exit; a later --slurm waits for them", 0},
    {"print-jobs", KEY_PRINT_JOBS, NULL, 0,
     "print the commands of the tasks, for another scheduler or GNU parallel, and exit", 0},
    {"collect", KEY_COLLECT, NULL, 0, "store the results that tasks have left, and exit", 0},
    {"task", KEY_TASK, "BATCH.TASK", 0, "simulate the points of one task", 0},
    {0, 0, NULL, 0, "With CONFIG TRACE:", 4},
    {"vary", 'v', "KEY=A,B,C", 0,
     "values of a configuration key, or of a parameter of the trace (param.NAME); KEY=FROM:TO:STEP "
     "gives a range; several --vary combine",
     0},
    {"metric", 'm', "METRIC", 0,
     "add a column to the table; `simsm metrics` lists the metrics; may be repeated", 0},
    {"plot", 'p', "METRIC", 0, "metric of the plot (default: the first column)", 0},
    {"no-plot", 'n', NULL, 0, "print the table only", 0},
    {"csv", 'o', "FILE", 0, "write every metric of every point as CSV", 0},
    {"svg", 'g', "FILE", 0, "write the plot as SVG", 0},
    {"hiding", 'l', "L:C", 0,
     "draw the formula of latency hiding beside the points, in a plot of issue active % by warps: "
     "n C / (L + C), with L cycles of waiting for each C cycles of work",
     0},
    {0},
};

static const char *name_of(int key)
{
    const enum option_id id = command_parser_row(OF_SWEEP, key);
    const struct argp_option *option = options;
    while (id == OPTION_COUNT && option->key != key)
        option++;
    return id == OPTION_COUNT ? option->name : option_rows[id].option;
}

static error_t take_argument(struct sweep_command *request, const char *text,
                             struct argp_state *state)
{
    if (state->arg_num > 1)
        argp_error(state, "expected SPEC.yaml, or CONFIG and TRACE, but found '%s' as well", text);
    *(state->arg_num ? &request->variants.trace : &request->first) = text;
    return 0;
}

static void check_where(const struct sweep_command *request, struct argp_state *state)
{
    const struct sweep_request *r = &request->spec.request;
    if (r->where != SWEEP_SLURM && (request->sbatches || r->leave))
        argp_error(state, "--partition, --sbatch and --no-wait need --slurm");
    if (r->where != SWEEP_SLURM && r->where != SWEEP_PRINT && r->tasks)
        argp_error(state, "--array-size needs --slurm or --print-jobs");
}

static void take_where(struct sweep_command *request, enum sweep_where where,
                       struct argp_state *state)
{
    if (request->spec.request.where != SWEEP_HERE)
        argp_error(state, "give only one of --slurm, --print-jobs, --collect and --task");
    request->spec.request.where = where;
}

/* Adds an option for sbatch. */
static enum simsm_status add_sbatch(struct sweep_command *request, const char *prefix,
                                    const char *text)
{
    if (request->sbatches == MAX_SETS)
        return err_set(&request->error, SIMSM_BAD_INPUT, "more than %d options for sbatch",
                       MAX_SETS);
    char *option = text_format("%s%s", prefix, text);
    if (!option)
        return err_no_memory(&request->error);
    request->sbatch[request->sbatches++] = option;
    return SIMSM_OK;
}

/* Takes an option that belongs to SPEC.yaml. */
static enum simsm_status take_spec_option(struct sweep_command *request, int key, char *text,
                                          struct argp_state *state)
{
    struct sweep_request *r = &request->spec.request;
    uint64_t value = 0;
    enum simsm_status status = SIMSM_OK;
    switch (key) {
    case KEY_RESULTS:
        r->results = text;
        break;
    case KEY_RETRY:
        r->retry = true;
        break;
    case 'V':
        request->spec.verbose = true;
        break;
    case 'q':
        request->spec.quiet = true;
        break;
    case KEY_SLURM:
        take_where(request, SWEEP_SLURM, state);
        break;
    case KEY_PRINT_JOBS:
        take_where(request, SWEEP_PRINT, state);
        break;
    case KEY_COLLECT:
        take_where(request, SWEEP_NOWHERE, state);
        break;
    case KEY_TASK:
        take_where(request, SWEEP_TASK, state);
        r->task = text;
        break;
    case KEY_ARRAY_SIZE:
        status = number(request, "--array-size", text, 1, 1000000, &value);
        r->tasks = (uint32_t)value;
        break;
    case KEY_PARTITION:
        return add_sbatch(request, "--partition=", text);
    case KEY_SBATCH:
        return add_sbatch(request, "", text);
    default:
        r->leave = true;
    }
    return status;
}

static void check_form(struct sweep_command *request, struct argp_state *state)
{
    const bool is_spec = state->arg_num == 1 && !request->variants.axes.count;
    if (!is_spec && (state->arg_num < 2 || !request->variants.axes.count))
        argp_error(state, "name SPEC.yaml, or CONFIG and TRACE with at least one --vary");
    if (is_spec && request->of_short)
        argp_error(state, "--%s is for the short form CONFIG TRACE; write it into %s",
                   request->of_short, request->first);
    if (!is_spec && request->of_spec)
        argp_error(state, "--%s is for a SPEC.yaml, not for CONFIG TRACE", request->of_spec);
    request->spec.request.spec = is_spec ? request->first : NULL;
    check_where(request, state);
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct sweep_command *request = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        return take_argument(request, text, state);
    case ARGP_KEY_END:
        if (request->status == SIMSM_OK) /* otherwise an option has a message already */
            check_form(request, state);
        return 0;
    default:
        break;
    }
    const bool of_spec = key == 'V' || key == 'q' || (key >= KEY_RESULTS && key <= KEY_TASK);
    const bool of_table = command_parser_row(OF_SWEEP, key) != OPTION_COUNT;
    if (!of_spec && !of_table && (key <= 0 || key >= 128))
        return ARGP_ERR_UNKNOWN;
    if (of_spec)
        request->of_spec = name_of(key);
    else if (key != 'j')
        request->of_short = name_of(key);
    if (of_table && given_options_take(&request->given, key, text, state) != 0)
        return ARGP_ERR_UNKNOWN;
    if (request->status == SIMSM_OK)
        request->status =
            of_spec ? take_spec_option(request, key, text, state) : take_option(request, key, text);
    return 0;
}

static enum simsm_status configure(struct sweep_command *request)
{
    struct simsm_error *error = &request->error;
    struct sweep_table *table = &request->table;
    enum simsm_status status = simsm_config_load(&request->config, request->first, error);
    for (size_t i = 0; status == SIMSM_OK && i < request->given.settings.count; i++)
        status = simsm_config_set(&request->config, request->given.settings.item[i], error);
    request->variants.config = &request->config;
    request->variants.params = request->given.parameters.item;
    request->variants.param_count = request->given.parameters.count;
    table->variants = &request->variants;
    if (!table->metrics)
        sweep_table_usual(table);
    int plotted = request->plot_name ? titles_metric(request->plot_name) : -1;
    if (status == SIMSM_OK && request->plot_name && plotted < 0)
        return no_metric(error, "--plot", request->plot_name);
    table->plotted = plotted < 0 ? table->metric[0] : (unsigned)plotted;
    if (status == SIMSM_OK && table->latency > 0 && table->plotted != METRIC_ISSUE_ACTIVE)
        return err_set(error, SIMSM_BAD_INPUT,
                       "--hiding: the formula gives 'issue active %%'; plot that metric: --plot "
                       "'issue active %%'");
    return status;
}

static struct progress
    progress; /* global, because the callback of variants_run() has no context argument */

static void show_progress(const struct variants *variants, uint32_t ended)
{
    progress_show(&progress, "%u of %u points", ended, variants->points);
}

/* Checks everything that can be checked before a point runs, and opens the output files. */
static enum simsm_status prepare(struct sweep_command *request)
{
    struct simsm_error *error = &request->error;
    char config[CONFIG_PATH];
    enum simsm_status status = config_files_find(request->first, config, error);
    const struct cli_file files[] = {
        {"the configuration", config, true},
        {"the trace", request->variants.trace, true},
        {"--csv", request->csv, false},
        {"--svg", request->svg, false},
    };
    const size_t count = sizeof files / sizeof files[0];
    request->silent = cli_files_take_stdout(files, count);
    if (status == SIMSM_OK)
        status = cli_files_check(files, count, error);
    if (status == SIMSM_OK)
        status = configure(request);
    if (status == SIMSM_OK)
        status = variants_prepare(&request->variants, error);
    if (status == SIMSM_OK && request->svg && !sweep_table_can_plot(&request->variants))
        status =
            err_set(error, SIMSM_BAD_INPUT, "--svg: a plot needs a key with ascending numbers");
    if (status == SIMSM_OK && request->csv)
        status = outfile_open(&request->csv_file, request->csv, error);
    if (status == SIMSM_OK && request->svg)
        status = outfile_open(&request->svg_file, request->svg, error);
    return status;
}

/* Adds the signal's name to the error of every point that it stopped. */
static void name_signal(struct variants *variants)
{
    for (uint32_t i = 0; i < variants->points; i++) {
        struct variants_point *point = &variants->point[i];
        if (point->status == SIMSM_INTERRUPTED)
            (void)err_set(&point->error, point->status, "stopped by %s", signals_name());
    }
}

static enum simsm_status sweep_and_show(struct sweep_command *request)
{
    signals_listen();
    enum simsm_status status = prepare(request);
    if (status != SIMSM_OK)
        return status;
    signals_restart();
    progress_begin(&progress, stderr);
    const struct variants_workers workers = {.jobs = request->jobs ? request->jobs
                                                                   : workers_processors(),
                                             .stop = signals_first,
                                             .ended = progress.terminal ? show_progress : NULL};
    enum simsm_status ran = variants_run(&request->variants, &workers, &request->error);
    progress_clear(&progress);
    if (!request->variants.point)
        return ran;
    struct simsm_error failure = request->error;
    name_signal(&request->variants);
    if (!request->silent)
        sweep_table_print(&request->table);
    status = sweep_table_plot(&request->table, !request->no_plot && !request->silent,
                              request->svg ? &request->svg_file : NULL, &request->error);
    if (status == SIMSM_OK && request->csv)
        status = sweep_table_csv(&request->table, &request->csv_file, &request->error);
    if (status == SIMSM_OK && ran != SIMSM_OK) {
        request->error = failure;
        return signals_first() ? SIMSM_INTERRUPTED : ran;
    }
    return status;
}

static enum simsm_status run(struct sweep_command *request)
{
    if (!request->spec.request.spec)
        return sweep_and_show(request);
    request->spec.request.jobs = request->jobs;
    request->spec.request.options = request->sbatch;
    request->spec.request.option_count = request->sbatches;
    return sweep_spec_command(&request->spec, &request->error);
}

const struct command_parser sweep_parser = {
    .takes = OF_SWEEP,
    .group = 4,
    .argp = {.options = options,
             .parser = parse,
             .args_doc = "SPEC.yaml\nCONFIG TRACE",
             .doc =
                 "Runs all simulations that SPEC.yaml describes (docs/sweeps.md) on all processors "
                 "and keeps the results in a file; a point that is done is not simulated again. "
                 "With CONFIG TRACE: simulates TRACE under every combination of the given values, "
                 "and prints a table and, if a key has ascending numbers, a plot."},
};

int cmd_sweep(int argc, char **argv)
{
    struct sweep_command *request = calloc(1, sizeof *request);
    if (!request)
        return SIMSM_FAILED;
    request->variants.max_cycles = UINT64_MAX;
    request->given.takes = OF_SWEEP;
    command_parser_run(&sweep_parser, argc, argv, 0, request);
    if (request->status == SIMSM_OK)
        request->status = run(request);
    int status = (int)request->status;
    if (status == SIMSM_INTERRUPTED) {
        status = cli_fail_stopped(request->spec.request.spec ? &request->error : NULL);
    } else if (status != SIMSM_OK) {
        status = cli_fail(&request->error);
    }
    for (uint32_t i = 0; i < request->sbatches; i++)
        free((char *)request->sbatch[i]);
    outfile_abandon(&request->csv_file);
    outfile_abandon(&request->svg_file);
    variants_free(&request->variants);
    given_options_free(&request->given);
    free(request);
    return cli_finish(status);
}
