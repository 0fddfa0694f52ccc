/* `simsm results`: results of sweeps as lists, tables and pictures, and the command that repeats a
 * point. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/err.h"
#include "cli/cli.h"
#include "cli/cli_files.h"
#include "cli/command_line.h"
#include "cli/results_show.h"
#include "report/metrics.h"
#include "results/results_rerun.h"
#include "sweep/titles.h"

enum {
    KEY_SWEEP = 256,
    KEY_WHERE,
    KEY_FAILED,
    KEY_VALUE,
    KEY_ROWS,
    KEY_COLUMNS,
    KEY_REDUCE,
    KEY_BASELINE,
    KEY_SPEEDUP,
    KEY_MEASURED,
    KEY_DRAW,
    KEY_SVG,
    KEY_PNG,
    KEY_TITLE,
    KEY_CSV,
    KEY_JSON,
    KEY_RERUN,
    KEY_CONFIG,
    KEY_CHECK
};

struct results_request {
    const char *file, *sweep;
    struct texts where, values;
    struct results_show show;
    int64_t rerun, config; /* numbers of points; 0: not asked for */
    bool check;
};

static const struct argp_option options[] = {
    {0, 0, NULL, 0, "Which points:", 1},
    {"sweep", KEY_SWEEP, "NAME", 0, "points of this sweep, if the file holds several", 0},
    {"where", KEY_WHERE, "KEY=A,B", 0,
     "points with one of these values; KEY is config, kernel, launch, state, a varied key or any "
     "key of the configuration; several --where combine",
     0},
    {"failed", KEY_FAILED, NULL, 0, "points that have failed; same as --where state=failed", 0},
    {"value", KEY_VALUE, "METRIC", 0,
     "show this metric or counter (`simsm metrics` lists them), or all; may be repeated in a list, "
     "and for curves one below the other",
     0},
    {0, 0, NULL, 0, "Table of one metric:", 2},
    {"rows", KEY_ROWS, "KEY", 0, "a row for each value of KEY; several combine", 0},
    {"columns", KEY_COLUMNS, "KEY", 0, "a column for each value of KEY; several combine", 0},
    {"reduce", KEY_REDUCE, "mean|geomean|sum|min|max", 0,
     "how to combine several points in one cell (default: mean)", 0},
    {"baseline", KEY_BASELINE, "KEY=VALUE", 0,
     "divide by the point that has VALUE and is otherwise the same", 0},
    {"speedup", KEY_SPEEDUP, NULL, 0, "with --baseline: divide the baseline by the figure instead",
     0},
    {0, 0, NULL, 0, "Picture:", 3},
    {"draw", KEY_DRAW, "bars|curves|stack|scatter", 0,
     "bars or curves: the table; stack: what warps spent their cycles on; scatter: the points of "
     "--measured",
     0},
    {"svg", KEY_SVG, "FILE", 0, "write the picture to FILE as SVG", 0},
    {"title", KEY_TITLE, "TEXT", 0,
     "title of the picture; may be repeated for several plots of curves", 0},
    {"png", KEY_PNG, "FILE", 0, "write the picture to FILE as PNG; needs rsvg-convert", 0},
    {0, 0, NULL, 0, "Comparison with a GPU:", 4},
    {"measured", KEY_MEASURED, "NCU.csv", 0,
     "compare the points with the output of `ncu --csv`, as `simsm compare` does", 0},
    {0, 0, NULL, 0, "Files:", 5},
    {"csv", KEY_CSV, "FILE", 0, "write the list, table or comparison as CSV", 0},
    {"json", KEY_JSON, "FILE", 0, "write the list or comparison as JSON", 0},
    {0, 0, NULL, 0, "One point, or the file itself:", 6},
    {"rerun", KEY_RERUN, "POINT", 0, "print the command that simulates the point again", 0},
    {"config", KEY_CONFIG, "POINT", 0, "print the complete configuration of the point", 0},
    {"check", KEY_CHECK, NULL, 0, "check the file for damage", 0},
    {0},
};

static int64_t point_number(const char *text, struct argp_state *state)
{
    char *end;
    const long long number = strtoll(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || number < 1)
        argp_error(state, "'%s': expected the number of a point, as the list shows it", text);
    return number;
}

static void add(struct texts *texts, const char *text, struct argp_state *state)
{
    if (!texts_add(texts, text, 0, 0))
        argp_failure(state, SIMSM_FAILED, 0, "out of memory");
}

/* Adds a metric by its name or by its title in tables. */
static void add_value(struct results_request *request, const char *text, struct argp_state *state)
{
    struct simsm_metric metrics[METRIC_COUNT];
    const int metric = titles_metric(text);
    metrics_describe(metrics);
    add(&request->values, metric < 0 ? text : metrics[metric].name, state);
}

/* Returns the index of `text` in names[count]. */
static unsigned choice(const char *text, const char *const *names, unsigned count)
{
    unsigned chosen = 0;
    while (chosen < count && strcmp(names[chosen], text) != 0)
        chosen++;
    SIMSM_CHECK(chosen < count, "'%s' is none of %u words", text, count);
    return chosen;
}

/* Refuses options that do not go together. */
static void check_request(struct results_request *r, struct argp_state *state)
{
    const struct results_show *show = &r->show;
    const bool table = show->table.rows.count > 0, draws = show->kind != FIGURE_KINDS;
    const bool of_table = draws && (show->kind == FIGURE_BARS || show->kind == FIGURE_CURVES);
    if (!r->file)
        argp_error(state, "name a file of results that `simsm sweep` wrote");
    if (!table && (show->table.columns.count || show->table.baseline || (draws && !show->measured)))
        argp_error(state, "name the key of the rows, such as --rows kernel");
    if (show->table.inverse && !show->table.baseline)
        argp_error(state, "--speedup needs --baseline KEY=VALUE");
    if (draws != (show->svg || show->png))
        argp_error(state, draws ? "--draw needs --svg FILE or --png FILE"
                                : "--svg and --png need --draw KIND");
    if ((show->kind == FIGURE_SCATTER) != (draws && show->measured))
        argp_error(
            state,
            "--draw scatter needs --measured NCU.csv, and --measured allows no other --draw");
    if (show->measured && table)
        argp_error(state, "--measured compares launches and --rows makes a table of points: leave "
                          "one of them out");
    if (table && show->json)
        argp_error(state, "--json cannot write a table; use --csv");
    const bool panels = show->kind == FIGURE_CURVES && !show->csv;
    if (!panels && (of_table || (table && !draws) || show->measured) && r->values.count > 1)
        argp_error(state, "give one --value: only a list and curves show several");
}

static error_t parse_show(int key, char *text, struct argp_state *state)
{
    struct results_request *r = state->input;
    struct results_show *show = &r->show;
    switch (key) {
    case KEY_ROWS:
        add(&show->table.rows, text, state);
        return 0;
    case KEY_COLUMNS:
        add(&show->table.columns, text, state);
        return 0;
    case KEY_REDUCE:
        show->table.reduce = (enum pivot_reduce)choice(text, pivot_reduce_names, PIVOT_REDUCES);
        return 0;
    case KEY_BASELINE:
        show->table.baseline = text;
        return 0;
    case KEY_SPEEDUP:
        show->table.inverse = true;
        return 0;
    case KEY_MEASURED:
        show->measured = text;
        return 0;
    case KEY_DRAW:
        show->kind = (enum figure_kind)choice(text, figure_names, FIGURE_KINDS);
        return 0;
    case KEY_SVG:
        show->svg = text;
        return 0;
    case KEY_PNG:
        show->png = text;
        return 0;
    case KEY_TITLE:
        add(&show->titles, text, state);
        return 0;
    case KEY_CSV:
        show->csv = text;
        return 0;
    case KEY_JSON:
        show->json = text;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct results_request *r = state->input;
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
            argp_error(state, "expected one file of results, but found '%s' as well", text);
        r->file = text;
        return 0;
    case ARGP_KEY_END:
        check_request(r, state);
        return 0;
    default:
        return parse_show(key, text, state);
    }
}

static enum simsm_status check(const struct results_request *request, struct simsm_error *error)
{
    struct store *store;
    enum simsm_status status = store_read(&store, request->file, error);
    if (status == SIMSM_OK)
        status = store_check(store, error);
    if (status == SIMSM_OK)
        (void)printf("%s: the file is not damaged\n", request->file);
    store_close(store);
    return status;
}

/* Returns whether all metrics are read: on request (--value all), for a comparison, and for a file
 * of the whole list. */
static bool wants_all(const struct results_request *request)
{
    const struct results_show *show = &request->show;
    if (show->measured || texts_find(&request->values, "all"))
        return true;
    return !request->values.count && !show->table.rows.count && (show->csv || show->json);
}

static enum simsm_status choose_metrics(struct results_request *request, struct simsm_error *error)
{
    struct results_show *show = &request->show;
    struct simsm_metric metrics[METRIC_COUNT];
    bool good = true;
    metrics_describe(metrics);
    if (show->kind == FIGURE_STACK) {
        texts_free(&request->values);
        good = figure_states(&request->values);
    } else if (wants_all(request)) {
        show->table.metric =
            show->measured && request->values.count ? request->values.item[0].text : NULL;
        struct texts all = {0};
        if (texts_find(&request->values, "all"))
            texts_free(&request->values);
        enum simsm_status status = results_all_metrics(request->file, &all, error);
        for (uint32_t i = 0; i < all.count && good; i++)
            good = texts_find(&request->values, all.item[i].text) ||
                   texts_add(&request->values, all.item[i].text, 0, 0);
        texts_free(&all);
        if (status != SIMSM_OK)
            return status;
    } else if (!request->values.count) {
        const size_t count = show->table.rows.count ? 1 : TITLES_USUAL;
        for (size_t i = 0; i < count && good; i++)
            good = texts_add(&request->values, metrics[titles_usual[i]].name, 0, 0);
    }
    if (good && !show->measured && request->values.count)
        show->table.metric = request->values.item[0].text;
    return good ? SIMSM_OK : err_no_memory(error);
}

static enum simsm_status show(struct results_request *request, struct simsm_error *error)
{
    struct results results = {0};
    request->show.panels = request->values.count > 1 ? request->values.count : 1;
    enum simsm_status status = choose_metrics(request, error);
    if (status == SIMSM_OK)
        status = results_open(&results, request->file, request->sweep, &request->values, error);
    for (uint32_t i = 0; i < request->where.count && status == SIMSM_OK; i++)
        status = results_where(&results, request->where.item[i].text, error);
    if (status == SIMSM_OK)
        status = results_show(&request->show, &results, error);
    results_close(&results);
    return status;
}

static enum simsm_status run(struct results_request *request, struct simsm_error *error)
{
    const struct results_show *files_of = &request->show;
    const struct cli_file files[] = {
        {"the results", request->file, true}, {"--measured", files_of->measured, true},
        {"--csv", files_of->csv, false},      {"--json", files_of->json, false},
        {"--svg", files_of->svg, false},      {"--png", files_of->png, false}};
    enum simsm_status status = cli_files_check(files, sizeof files / sizeof files[0], error);
    if (status != SIMSM_OK)
        return status;
    if (request->check)
        return check(request, error);
    if (request->config)
        return rerun_config(stdout, request->file, request->config, error);
    if (request->rerun)
        return rerun_command(stdout, request->file, request->rerun, error);
    return show(request, error);
}

const struct command_parser results_parser = {
    .argp = {.options = options,
             .parser = parse,
             .args_doc = "FILE",
             .doc = "Shows the results of `simsm sweep SPEC.yaml` (docs/sweeps.md). Without "
                    "options prints one line for each point of the sweep."},
};

int cmd_results(int argc, char **argv)
{
    char *command = command_line_text(argc, argv); /* before argp reorders argv */
    struct results_request request = {.show = {.kind = FIGURE_KINDS, .command = command}};
    struct simsm_error error = {0};
    command_parser_run(&results_parser, argc, argv, 0, &request);
    enum simsm_status status = command ? run(&request, &error) : err_no_memory(&error);
    free(command);
    texts_free(&request.where);
    texts_free(&request.values);
    texts_free(&request.show.table.rows);
    texts_free(&request.show.table.columns);
    texts_free(&request.show.titles);
    return cli_finish(status == SIMSM_OK ? SIMSM_OK : cli_fail(&error));
}
