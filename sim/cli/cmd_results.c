/* `simsm results`: what sweeps have found: lists, tables, pictures, and how to run a point again.
 */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/outfile.h"
#include "cli/cli.h"
#include "cli/files.h"
#include "report/metrics.h"
#include "results/list.h"
#include "results/rerun.h"
#include "results/results.h"
#include "sweep/titles.h"

enum {
    KEY_SWEEP = 256,
    KEY_WHERE,
    KEY_FAILED,
    KEY_VALUE,
    KEY_CSV,
    KEY_JSON,
    KEY_RERUN,
    KEY_CONFIG,
    KEY_CHECK
};

struct request {
    const char *file, *sweep, *csv, *json;
    struct texts where, values;
    int64_t rerun, config; /* points; 0: not asked for */
    bool check;
};

static const struct argp_option options[] = {
    {0, 0, NULL, 0, "Which points:", 1},
    {"sweep", KEY_SWEEP, "NAME", 0, "of this sweep, where the file holds several", 0},
    {"where", KEY_WHERE, "KEY=A,B", 0,
     "with one of these values; KEY is config, kernel, launch, state, a key that was varied or any "
     "key of the configuration; several combine",
     0},
    {"failed", KEY_FAILED, NULL, 0, "that have failed: --where state=failed", 0},
    {0, 0, NULL, 0, "What of them:", 2},
    {"value", KEY_VALUE, "METRIC", 0,
     "a metric or counter (repeatable); `simsm metrics` lists them; all, for --csv and --json: all "
     "of them",
     0},
    {"csv", KEY_CSV, "FILE", 0, "write a table", 0},
    {"json", KEY_JSON, "FILE", 0, "write the same as JSON", 0},
    {0, 0, NULL, 0, "One point:", 3},
    {"rerun", KEY_RERUN, "POINT", 0, "print the command that runs it again", 0},
    {"config", KEY_CONFIG, "POINT", 0, "print its complete configuration", 0},
    {"check", KEY_CHECK, NULL, 0, "check the file itself", 4},
    {0},
};

static int64_t point_number(const char *text, struct argp_state *state)
{
    char *end;
    const long long number = strtoll(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || number < 1)
        argp_error(state, "'%s': the number of a point is expected, as the list shows it", text);
    return number;
}

static void add(struct texts *texts, const char *text, struct argp_state *state)
{
    if (!texts_add(texts, text, 0, 0))
        argp_failure(state, SIMSM_FAILED, 0, "out of memory");
}

/* A metric, also by the title that it has in tables. */
static void add_value(struct request *request, const char *text, struct argp_state *state)
{
    struct simsm_metric metrics[METRIC_COUNT];
    const int metric = titles_metric(text);
    metrics_describe(metrics);
    add(&request->values, metric < 0 ? text : metrics[metric].name, state);
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct request *r = state->input;
    switch (key) {
    case KEY_SWEEP:
        r->sweep = text;
        return 0;
    case KEY_WHERE:
        add(&r->where, text, state);
        return 0;
    case KEY_FAILED:
        add(&r->where, "state=failed", state);
        return 0;
    case KEY_VALUE:
        add_value(r, text, state);
        return 0;
    case KEY_CSV:
        r->csv = text;
        return 0;
    case KEY_JSON:
        r->json = text;
        return 0;
    case KEY_RERUN:
        r->rerun = point_number(text, state);
        return 0;
    case KEY_CONFIG:
        r->config = point_number(text, state);
        return 0;
    case KEY_CHECK:
        r->check = true;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num)
            argp_error(state, "one file of results is expected, '%s' is too many", text);
        r->file = text;
        return 0;
    case ARGP_KEY_END:
        if (!r->file)
            argp_error(state, "name a file of results, as `simsm sweep` writes it");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static enum simsm_status check(const struct request *request, struct simsm_error *error)
{
    struct store *store;
    enum simsm_status status = store_read(&store, request->file, error);
    if (status == SIMSM_OK)
        status = store_check(store, error);
    if (status == SIMSM_OK)
        (void)printf("%s: the file is whole\n", request->file);
    store_close(store);
    return status;
}

/* The metrics of the list: those that are named, all for files where none are, the usual ones. */
static enum simsm_status choose_metrics(struct request *request, struct simsm_error *error)
{
    const bool all = request->values.count == 1 && texts_find(&request->values, "all");
    struct simsm_metric metrics[METRIC_COUNT];
    if (all || (!request->values.count && (request->csv || request->json))) {
        texts_free(&request->values);
        return results_all_metrics(request->file, &request->values, error);
    }
    metrics_describe(metrics);
    for (size_t i = 0; !request->values.count || (i && i < TITLES_USUAL); i++) {
        if (!texts_add(&request->values, metrics[titles_usual[i]].name, 0, 0))
            return err_no_memory(error);
        if (request->values.count == TITLES_USUAL)
            break;
    }
    return SIMSM_OK;
}

static enum simsm_status write_json(FILE *file, struct results *results, struct simsm_error *error)
{
    return list_json(file, results, error);
}

static enum simsm_status write_csv(FILE *file, struct results *results, struct simsm_error *error)
{
    (void)error;
    list_csv(file, results);
    return SIMSM_OK;
}

/* Writes to a file, or to the standard output for "-". */
static enum simsm_status write_file(const char *path, struct results *results,
                                    enum simsm_status (*write)(FILE *, struct results *,
                                                               struct simsm_error *),
                                    struct simsm_error *error)
{
    struct outfile out = {0};
    if (!path)
        return SIMSM_OK;
    if (cli_is_stdout(path))
        return write(stdout, results, error);
    enum simsm_status status = outfile_open(&out, path, error);
    if (status == SIMSM_OK)
        status = write(out.file, results, error);
    if (status == SIMSM_OK)
        return outfile_commit(&out, error);
    outfile_abandon(&out);
    return status;
}

static enum simsm_status list(struct request *request, struct simsm_error *error)
{
    struct results results = {0};
    enum simsm_status status = choose_metrics(request, error);
    if (status == SIMSM_OK)
        status = results_open(&results, request->file, request->sweep, &request->values, error);
    for (uint32_t i = 0; i < request->where.count && status == SIMSM_OK; i++)
        status = results_where(&results, request->where.item[i].text, error);
    if (status == SIMSM_OK)
        status = write_file(request->csv, &results, write_csv, error);
    if (status == SIMSM_OK)
        status = write_file(request->json, &results, write_json, error);
    if (status == SIMSM_OK && !request->csv && !request->json)
        list_text(stdout, &results);
    results_close(&results);
    return status;
}

static enum simsm_status run(struct request *request, struct simsm_error *error)
{
    const struct cli_file files[] = {{"the results", request->file, true},
                                     {"--csv", request->csv, false},
                                     {"--json", request->json, false}};
    enum simsm_status status = cli_files_check(files, sizeof files / sizeof files[0], error);
    if (status != SIMSM_OK)
        return status;
    if (request->check)
        return check(request, error);
    if (request->config)
        return rerun_config(stdout, request->file, request->config, error);
    if (request->rerun)
        return rerun_command(stdout, request->file, request->rerun, error);
    return list(request, error);
}

int cmd_results(int argc, char **argv)
{
    static const struct argp parser = {
        .options = options,
        .parser = parse,
        .args_doc = "FILE",
        .doc =
            "Shows what `simsm sweep SPEC.yaml` has found: one line for each point of the sweep, "
            "or what the options ask for (docs/sweeps.md).",
    };
    struct request request = {0};
    struct simsm_error error = {0};
    (void)argp_parse(&parser, argc, argv, 0, NULL, &request);
    enum simsm_status status = run(&request, &error);
    texts_free(&request.where);
    texts_free(&request.values);
    return cli_finish(status == SIMSM_OK ? SIMSM_OK : cli_fail(&error));
}
