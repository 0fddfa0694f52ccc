/* `simsm compare`: simulated launches beside the counters of Nsight Compute. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/err.h"
#include "base/outfile.h"
#include "cli/cli.h"
#include "cli/cli_files.h"
#include "compare/ncu.h"
#include "compare/repeat.h"
#include "compare/runs.h"
#include "compare/show.h"
#include "config/suggest.h"

struct compare_request {
    char **files; /* [count] the last is the measured table */
    int count;
    const char *metric, *csv, *json, *svg;
    const char *more_runs; /* --runs: further runs of the measured launches; NULL: none */
    bool warm, spread;
    enum show_table table; /* --markdown; SHOW_TABLES: no table */
    bool all;
    bool silent; /* an output goes to the standard output: print nothing else */
};

enum { KEY_CACHES = 256, KEY_SPREAD };

static const struct argp_option options[] = {
    {"metric", 'm', "METRIC", 0, "metric of the list of launches and of --svg (default: cycles)",
     0},
    {"all", 'a', NULL, 0, "show every launch with every metric, not only the largest errors", 0},
    {"csv", 'c', "FILE", 0, "write every metric of every launch as CSV", 0},
    {"json", 'j', "FILE", 0, "write every metric of every launch as JSON, with the errors", 0},
    {"svg", 's', "FILE", 0, "write a scatter plot, simulated over measured, as SVG", 0},
    {"runs", 'r', "FILE", 0,
     "further runs of the measured launches: each launch is compared with the median of its runs",
     0},
    {"caches", KEY_CACHES, "cold|warm", 0,
     "use the measured runs with these caches; cold: flushed before each launch (default: cold)",
     0},
    {"spread", KEY_SPREAD, NULL, 0, "compare the measured runs of each launch with each other", 0},
    {"markdown", 'M', "summary|programs|launches|metrics", 0, "print this table as Markdown", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static enum show_table table_named(const char *name)
{
    enum show_table table = SHOW_SUMMARY;
    while (table < SHOW_TABLES && strcmp(name, show_table_names[table]) != 0)
        table++;
    SIMSM_CHECK(table < SHOW_TABLES, "'%s' is none of %d tables", name, SHOW_TABLES);
    return table;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct compare_request *r = state->input;
    switch (key) {
    case 'm':
        r->metric = text;
        return 0;
    case 'a':
        r->all = true;
        return 0;
    case 'c':
        r->csv = text;
        return 0;
    case 'j':
        r->json = text;
        return 0;
    case 's':
        r->svg = text;
        return 0;
    case 'r':
        r->more_runs = text;
        return 0;
    case KEY_CACHES:
        r->warm = strcmp(text, "warm") == 0;
        return 0;
    case KEY_SPREAD:
        r->spread = true;
        return 0;
    case 'M':
        r->table = table_named(text);
        return 0;
    case ARGP_KEY_ARGS:
        r->files = state->argv + state->next;
        r->count = state->argc - state->next;
        return 0;
    case ARGP_KEY_END:
        if (r->spread && r->count != 1)
            argp_error(state, "--spread compares the runs of one measured table: name one file");
        if (!r->spread && r->count < 2)
            argp_error(state, "name the simulated runs, files of --json, and last the measured "
                              "table, the output of `ncu --csv --page raw`");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static bool is_csv(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && strcmp(dot, ".csv") == 0;
}

static enum simsm_status read_measured(const struct compare_request *r, struct launches *launches,
                                       struct simsm_error *error)
{
    const char *path = r->files[r->count - 1];
    enum simsm_status status = ncu_read(launches, path, error);
    if (status == SIMSM_OK && r->more_runs)
        status = ncu_read(launches, r->more_runs, error);
    if (status != SIMSM_OK || !(launches->repeated || r->more_runs || r->warm || r->spread))
        return status;
    if (!launches->repeated)
        return err_at(error, SIMSM_BAD_INPUT, r->more_runs ? r->more_runs : path, 0, 0,
                      "has no repeated runs of a launch: expected a column \"run\"");
    return SIMSM_OK;
}

/* Replaces both sides by pairs of measured runs of the same launch, for --spread. */
static enum simsm_status pair_runs(const struct compare_request *r, struct launches *simulated,
                                   struct launches *measured, struct simsm_error *error)
{
    struct launches all = *measured;
    *measured = (struct launches){0};
    const bool done = repeat_pairs(&all, r->warm, simulated, measured);
    launches_free(&all);
    if (done && !measured->rows)
        return err_at(error, SIMSM_BAD_INPUT, r->files[0], 0, 0,
                      "has no launch with two runs with %s caches", r->warm ? "warm" : "cold");
    return done ? SIMSM_OK : err_no_memory(error);
}

/* Merges the runs of each measured launch into one row with their medians. */
static enum simsm_status merge_runs(const struct compare_request *r, struct launches *measured,
                                    struct simsm_error *error)
{
    if (measured->repeated && !repeat_merge(measured, r->warm))
        return err_no_memory(error);
    if (!measured->rows)
        return err_at(error, SIMSM_BAD_INPUT, r->files[r->count - 1], 0, 0,
                      "has no launch with %s caches", r->warm ? "warm" : "cold");
    return SIMSM_OK;
}

static enum simsm_status read_simulated(const struct compare_request *r, struct launches *launches,
                                        char gpu[RUNS_GPU], struct simsm_error *error)
{
    enum simsm_status status = SIMSM_OK;
    bool runs = false;
    for (int i = 0; i + 1 < r->count && status == SIMSM_OK; i++) {
        const bool table = is_csv(r->files[i]);
        runs |= !table;
        status = table ? ncu_read(launches, r->files[i], error)
                       : runs_read(launches, r->files[i], gpu, error);
    }
    if (runs && status == SIMSM_OK)
        runs_sort(launches);
    return status;
}

/* Writes the content of the file of --csv, --json or --svg. */
static enum simsm_status fill(FILE *file, const struct compare_request *r, const char *path,
                              const struct shown *shown, struct simsm_error *error)
{
    if (path == r->json)
        return show_json(file, shown, error);
    if (path == r->svg)
        return show_svg(file, shown, error);
    show_csv(file, shown);
    return SIMSM_OK;
}

static enum simsm_status write_files(const struct compare_request *r, const struct shown *shown,
                                     struct simsm_error *error)
{
    const char *const paths[] = {r->csv, r->json, r->svg};
    enum simsm_status status = SIMSM_OK;
    for (size_t i = 0; i < sizeof paths / sizeof *paths && status == SIMSM_OK; i++) {
        struct outfile out;
        if (!paths[i])
            continue;
        status = outfile_open(&out, paths[i], error);
        if (status != SIMSM_OK)
            return status;
        status = fill(out.file, r, paths[i], shown, error);
        if (status == SIMSM_OK)
            status = outfile_commit(&out, error);
        else
            outfile_abandon(&out);
    }
    return status;
}

/* Fills *error with the reason why no launch or no metric could be compared. */
static enum simsm_status fail_no_match(const struct compare_request *r, const struct match *match,
                                       struct simsm_error *error)
{
    char simulated[KERNEL_NAME], measured[KERNEL_NAME];
    if (match->pairs)
        return err_at(error, SIMSM_BAD_INPUT, r->files[r->count - 1], 0, 0,
                      "has no metric that simsm counts; `simsm metrics` lists them, and `ncu "
                      "--metrics NAME,...` measures them");
    return err_at(
        error, SIMSM_BAD_INPUT, r->warm && r->more_runs ? r->more_runs : r->files[r->count - 1], 0,
        0,
        "no measured launch%s matches a simulated launch: the first measured kernel is %.60s, the "
        "first simulated kernel is %.60s; kernel, grid and block must be equal",
        r->warm ? " with warm caches" : "",
        kernel_function(match->measured->row[0].kernel, measured),
        kernel_function(match->simulated->row[0].kernel, simulated));
}

static enum simsm_status choose(const struct compare_request *r, struct shown *shown,
                                struct simsm_error *error)
{
    const struct figures *figures = shown->figures;
    char question[SUGGEST_QUESTION];
    shown->chosen = &figures->figure[figures->headline < 0 ? 0 : figures->headline];
    if (r->metric)
        shown->chosen = figures_named(figures, r->metric);
    return shown->chosen ? SIMSM_OK
                         : err_set(error, SIMSM_BAD_INPUT,
                                   "--metric: '%.100s' is not a metric of both sides; without "
                                   "--metric all metrics of both sides are shown%s",
                                   r->metric,
                                   suggest_question(figures_nearest(figures, r->metric), question));
}

static enum simsm_status show(const struct compare_request *r, const struct match *match,
                              const char *gpu, struct simsm_error *error)
{
    struct figures figures;
    enum simsm_status status = figures_find(&figures, match, error);
    if (status == SIMSM_OK && (!match->pairs || !figures.count))
        status = fail_no_match(r, match, error);
    struct shown shown = {.match = match,
                          .figures = &figures,
                          .gpu = gpu,
                          .measured_name = r->files[r->count - 1],
                          .all = r->all};
    if (status == SIMSM_OK)
        status = choose(r, &shown, error);
    if (status == SIMSM_OK)
        status = write_files(r, &shown, error);
    if (status == SIMSM_OK && !r->silent)
        status = r->table == SHOW_TABLES ? show_text(stdout, &shown, error)
                                         : show_markdown(stdout, &shown, r->table, error);
    figures_free(&figures);
    return status;
}

/* Returns SIMSM_BAD_INPUT if an output would overwrite another output or a measured table. */
static enum simsm_status check_files(struct compare_request *r, struct simsm_error *error)
{
    const struct cli_file files[] = {{"the measured table", r->files[r->count - 1], true},
                                     {"--runs", r->more_runs, true},
                                     {"--csv", r->csv, false},
                                     {"--json", r->json, false},
                                     {"--svg", r->svg, false}};
    const size_t count = sizeof files / sizeof files[0];
    r->silent = cli_files_take_stdout(files, count);
    return cli_files_check(files, count, error);
}

static enum simsm_status compare(struct compare_request *r, struct simsm_error *error)
{
    struct launches simulated = {0}, measured = {0};
    struct match match = {0};
    char gpu[RUNS_GPU] = "";
    enum simsm_status status = check_files(r, error);
    if (status == SIMSM_OK)
        status = read_simulated(r, &simulated, gpu, error);
    if (status == SIMSM_OK)
        status = read_measured(r, &measured, error);
    if (status == SIMSM_OK)
        status = r->spread ? pair_runs(r, &simulated, &measured, error)
                           : merge_runs(r, &measured, error);
    if (status == SIMSM_OK)
        status = match_launches(&match, &simulated, &measured, error);
    if (status == SIMSM_OK)
        status = show(r, &match, gpu, error);
    match_free(&match);
    launches_free(&simulated);
    launches_free(&measured);
    return status;
}

const struct command_parser compare_parser = {
    .argp = {.options = options,
             .parser = parse,
             .args_doc = "RUN.jsonl... NCU.csv\n--spread NCU.csv",
             .doc = "Compares simulated launches with the counters of Nsight Compute, metric by "
                    "metric.\vRUN.jsonl is a file of --json, or a table such as the measured one. "
                    "NCU.csv is the output of `ncu --csv --page raw` or `--page details` for the "
                    "same program and size. Launches are matched by kernel, grid, block and order. "
                    "If a table has columns `caches` and `run`, or --runs is given, a launch is "
                    "compared with the median of its runs."},
};

int cmd_compare(int argc, char **argv)
{
    struct compare_request request = {.table = SHOW_TABLES};
    struct simsm_error error;
    command_parser_run(&compare_parser, argc, argv, 0, &request);
    return cli_finish(compare(&request, &error) == SIMSM_OK ? SIMSM_OK : cli_fail(&error));
}
