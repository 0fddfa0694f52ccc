/* `simsm sweep`: one trace under several values of some keys; a table, a plot, CSV, SVG. */
#include <argp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/outfile.h"
#include "cli/cli.h"
#include "cli/files.h"
#include "cli/params.h"
#include "cli/signals.h"
#include "cli/sweep.h"
#include "config/config_files.h"
#include "draw/plot.h"

enum { MAX_METRICS = 16, MAX_SETS = 64 };

struct request {
    const char *config_name, *csv, *svg, *plot_name;
    const char *set[MAX_SETS];
    uint32_t sets;
    struct params params;
    unsigned metric[MAX_METRICS]; /* enum metric */
    uint32_t metrics, jobs;
    bool no_plot;
    struct outfile csv_file, svg_file; /* opened before anything runs */
    struct simsm_config config;
    struct sweep sweep;
    struct simsm_error error;
    enum simsm_status status;
};

/* Columns where the user names none, with titles that fit a table. */
static const struct {
    unsigned metric;
    const char *title;
} usual[] = {
    {METRIC_CYCLES_ELAPSED, "cycles"},
    {METRIC_IPC_ACTIVE, "IPC"},
    {METRIC_ISSUE_ACTIVE, "issue active %"},
    {METRIC_OCCUPANCY_ACHIEVED, "achieved occ. %"},
    {METRIC_ELIGIBLE_PER_SCHEDULER, "eligible warps"},
};

static int find_metric(const char *name)
{
    struct simsm_metric metrics[METRIC_COUNT];
    metrics_describe(metrics);
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
        if (strcmp(usual[i].title, name) == 0)
            return (int)usual[i].metric;
    }
    for (int i = 0; i < METRIC_COUNT; i++) {
        if (strcmp(metrics[i].name, name) == 0)
            return i;
    }
    return -1;
}

static const char *title_of(unsigned metric)
{
    static const char *const none = "?";
    struct simsm_metric metrics[METRIC_COUNT];
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
        if (usual[i].metric == metric)
            return usual[i].title;
    }
    metrics_describe(metrics);
    return metric < METRIC_COUNT ? metrics[metric].name : none;
}

static enum simsm_status add_metric(struct request *request, const char *name)
{
    int metric = find_metric(name);
    if (metric < 0)
        return err_set(&request->error, SIMSM_BAD_INPUT,
                       "--metric '%s': there is no such metric; `simsm metrics` lists them", name);
    if (request->metrics == MAX_METRICS)
        return err_set(&request->error, SIMSM_BAD_INPUT, "more than %d metrics", MAX_METRICS);
    request->metric[request->metrics++] = (unsigned)metric;
    return SIMSM_OK;
}

static enum simsm_status number(struct request *request, const char *option, const char *text,
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

static enum simsm_status take_option(struct request *request, int key, char *text)
{
    uint64_t value = 0;
    enum simsm_status status = SIMSM_OK;
    switch (key) {
    case 'v':
        return sweep_vary(&request->sweep, text, &request->error);
    case 'm':
        return add_metric(request, text);
    case 's':
        if (request->sets == MAX_SETS)
            return err_set(&request->error, SIMSM_BAD_INPUT, "more than %d --set", MAX_SETS);
        request->set[request->sets++] = text;
        return SIMSM_OK;
    case 'j':
        status = number(request, "--jobs", text, 1, 256, &value);
        request->jobs = (uint32_t)value;
        return status;
    case 'c':
        return number(request, "--max-cycles", text, 1, UINT64_MAX, &request->sweep.max_cycles);
    default:
        return SIMSM_OK;
    }
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct request *request = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &request->params;
        return 0;
    case 'p':
        request->plot_name = text;
        return 0;
    case 'n':
        request->no_plot = true;
        return 0;
    case 'o':
        request->csv = text;
        return 0;
    case 'g':
        request->svg = text;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 1)
            argp_error(state, "one CONFIG and one TRACE are expected, '%s' is too many", text);
        *(state->arg_num ? &request->sweep.trace : &request->config_name) = text;
        return 0;
    case ARGP_KEY_END:
        if (state->arg_num < 2 || !request->sweep.keys)
            argp_error(state, "CONFIG, TRACE and at least one --vary are needed");
        return 0;
    default:
        if (request->status == SIMSM_OK && key > 0 && key < 128)
            request->status = take_option(request, key, text);
        return key > 0 && key < 128 ? 0 : ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {"vary", 'v', "KEY=A,B,C", 0,
     "Values of a configuration key, or of a parameter of the trace (param.NAME); also "
     "KEY=FROM:TO:STEP. Several --vary combine",
     0},
    {"set", 's', "KEY=VALUE", 0, "Set a configuration key for all points", 0},
    {"metric", 'm', "NAME", 0, "A column of the table (repeatable); see `simsm metrics`", 0},
    {"plot", 'p', "NAME", 0, "The metric to plot; the first column otherwise", 0},
    {"no-plot", 'n', NULL, 0, "Print the table only", 0},
    {"csv", 'o', "FILE", 0, "Write every metric of every point", 0},
    {"svg", 'g', "FILE", 0, "Write the plot as a picture", 0},
    {"jobs", 'j', "N", 0, "Simulate N points at a time (default: all processors)", 0},
    {"max-cycles", 'c', "N", 0, "Stop each point after N cycles; it then fails", 0},
    {0},
};

static enum simsm_status configure(struct request *request)
{
    struct simsm_error *error = &request->error;
    enum simsm_status status = simsm_config_load(&request->config, request->config_name, error);
    for (uint32_t i = 0; status == SIMSM_OK && i < request->sets; i++)
        status = simsm_config_set(&request->config, request->set[i], error);
    request->sweep.config = &request->config;
    request->sweep.params = request->params.list;
    request->sweep.param_count = request->params.count;
    for (size_t i = 0; !request->metrics && i < sizeof usual / sizeof *usual; i++)
        request->metric[i] = usual[i].metric;
    if (!request->metrics)
        request->metrics = sizeof usual / sizeof *usual;
    if (status == SIMSM_OK && request->plot_name && find_metric(request->plot_name) < 0)
        return err_set(error, SIMSM_BAD_INPUT, "--plot '%s': there is no such metric",
                       request->plot_name);
    return status;
}

static int column_width(const char *title)
{
    int width = (int)strlen(title);
    return width < 10 ? 10 : width;
}

static int key_width(const struct sweep_key *key)
{
    int width = column_width(key->name);
    for (uint32_t i = 0; i < key->count; i++) {
        int value = (int)strlen(key->value[i]);
        width = value > width ? value : width;
    }
    return width;
}

static void print_head(const struct request *request)
{
    const struct sweep *sweep = &request->sweep;
    for (uint32_t k = 0; k < sweep->keys; k++)
        (void)printf("%-*s  ", key_width(&sweep->key[k]), sweep->key[k].name);
    for (uint32_t m = 0; m < request->metrics; m++) {
        const char *title = title_of(request->metric[m]);
        (void)printf("%s%*s", m ? "  " : "", column_width(title), title);
    }
    (void)printf("\n");
}

static void print_value(const struct request *request, uint32_t point, uint32_t column)
{
    unsigned metric = request->metric[column];
    int width = column_width(title_of(metric));
    double value = request->sweep.point[point].metric[metric].value;
    (void)printf("%s", column ? "  " : "");
    if (isnan(value))
        (void)printf("%*s", width, "-");
    else if (value == floor(value) && fabs(value) < 1e15)
        (void)printf("%*.0f", width, value);
    else
        (void)printf("%*.3f", width, value);
}

static void print_table(const struct request *request)
{
    const struct sweep *sweep = &request->sweep;
    print_head(request);
    for (uint32_t i = 0; i < sweep->points; i++) {
        for (uint32_t k = 0; k < sweep->keys; k++)
            (void)printf("%-*s  ", key_width(&sweep->key[k]), sweep_value(sweep, i, k));
        if (sweep->point[i].status == SIMSM_OK) {
            for (uint32_t m = 0; m < request->metrics; m++)
                print_value(request, i, m);
        } else {
            char text[1200];
            (void)printf("failed: %s", simsm_error_text(&sweep->point[i].error, text, sizeof text));
        }
        (void)printf("\n");
    }
}

static bool is_number(const char *text, double *value)
{
    char *end;
    *value = strtod(text, &end);
    return end != text && !*end;
}

/* The key along which to plot: the last one all of whose values are ascending numbers, or -1. */
static int plotted_key(const struct sweep *sweep)
{
    for (int k = (int)sweep->keys - 1; k >= 0; k--) {
        const struct sweep_key *key = &sweep->key[k];
        double last = -INFINITY, value;
        uint32_t good = 0;
        while (good < key->count && is_number(key->value[good], &value) && value > last) {
            last = value;
            good++;
        }
        if (good == key->count && good > 1)
            return k;
    }
    return -1;
}

/* One line of the plot for each combination of the other keys' values. */
struct lines {
    struct plot_series *series;
    double *values; /* x and y of all series, and no more */
    char (*label)[128];
    size_t count;
};

static void free_lines(struct lines *lines)
{
    free(lines->series);
    free(lines->values);
    free(lines->label);
}

static void label_line(const struct sweep *sweep, uint32_t point, int key, char label[128])
{
    size_t used = 0;
    label[0] = '\0';
    for (uint32_t k = 0; k < sweep->keys; k++) {
        if ((int)k == key || used >= 120)
            continue;
        int n = snprintf(label + used, 128 - used, "%s%s", used ? " " : "",
                         sweep_value(sweep, point, k));
        used += n > 0 ? (size_t)n : 0;
    }
}

static bool gather_lines(const struct sweep *sweep, int key, unsigned metric, struct lines *lines)
{
    uint32_t stride = 1, length = sweep->key[key].count;
    for (uint32_t k = (uint32_t)key + 1; k < sweep->keys; k++)
        stride *= sweep->key[k].count;
    lines->count = sweep->points / length;
    lines->series = calloc(lines->count, sizeof *lines->series);
    lines->values = calloc((size_t)sweep->points * 2, sizeof *lines->values);
    lines->label = calloc(lines->count, sizeof *lines->label);
    if (!lines->series || !lines->values || !lines->label)
        return false;
    for (uint32_t line = 0; line < lines->count; line++) {
        uint32_t first = line / stride * stride * length + line % stride;
        double *x = lines->values + (size_t)line * length * 2, *y = x + length;
        for (uint32_t i = 0; i < length; i++) {
            const struct sweep_point *point = &sweep->point[first + i * stride];
            (void)is_number(sweep->key[key].value[i], &x[i]);
            y[i] = point->status == SIMSM_OK ? point->metric[metric].value : NAN;
        }
        label_line(sweep, first, key, lines->label[line]);
        lines->series[line] = (struct plot_series){
            .label = lines->label[line][0] ? lines->label[line] : NULL,
            .x = x,
            .y = y,
            .count = length,
        };
    }
    return true;
}

static enum simsm_status draw(struct request *request)
{
    struct sweep *sweep = &request->sweep;
    int key = plotted_key(sweep);
    unsigned metric =
        request->plot_name ? (unsigned)find_metric(request->plot_name) : request->metric[0];
    struct lines lines = {0};
    if (key < 0)
        return request->svg ? err_set(&request->error, SIMSM_BAD_INPUT,
                                      "--svg: no key has ascending numbers to plot along")
                            : SIMSM_OK;
    enum simsm_status status = SIMSM_OK;
    if (!gather_lines(sweep, key, metric, &lines)) {
        status = err_no_memory(&request->error);
    } else {
        struct plot plot = {.title = title_of(metric),
                            .x_label = sweep->key[key].name,
                            .series = lines.series,
                            .series_count = lines.count,
                            .dots = sweep->key[key].count <= 24};
        if (!request->no_plot) {
            (void)printf("\n");
            plot_text(stdout, &plot, (struct plot_area){.width = 80, .height = 20});
        }
        if (request->svg) {
            plot_svg(request->svg_file.file, &plot, 1, 800, 480);
            status = outfile_commit(&request->svg_file, &request->error);
        }
    }
    free_lines(&lines);
    return status;
}

static const char *point_status(const struct sweep_point *point)
{
    return point->status == SIMSM_OK            ? "ok"
           : point->status == SIMSM_INTERRUPTED ? "stopped"
                                                : "failed";
}

static enum simsm_status write_csv(struct request *request)
{
    const struct sweep *sweep = &request->sweep;
    FILE *out = request->csv_file.file;
    struct simsm_metric all[METRIC_COUNT];
    metrics_describe(all);
    for (uint32_t k = 0; k < sweep->keys; k++)
        (void)fprintf(out, "%s,", sweep->key[k].name);
    (void)fprintf(out, "status");
    for (int m = 0; m < METRIC_COUNT; m++)
        (void)fprintf(out, ",%s", all[m].name);
    (void)fprintf(out, "\n");
    for (uint32_t i = 0; i < sweep->points; i++) {
        for (uint32_t k = 0; k < sweep->keys; k++)
            (void)fprintf(out, "%s,", sweep_value(sweep, i, k));
        (void)fprintf(out, "%s", point_status(&sweep->point[i]));
        for (int m = 0; m < METRIC_COUNT; m++) {
            double value = sweep->point[i].metric[m].value;
            (void)fprintf(out, isnan(value) ? "," : ",%.17g", value);
        }
        (void)fprintf(out, "\n");
    }
    return outfile_commit(&request->csv_file, &request->error);
}

static void show_progress(const struct sweep *sweep, uint32_t finished)
{
    (void)fprintf(stderr, "\r%u of %u points%s", finished, sweep->points,
                  finished == sweep->points ? "\r\033[K" : "");
}

/* Everything that can be wrong before a point runs. */
static enum simsm_status prepare(struct request *request)
{
    struct simsm_error *error = &request->error;
    char config[CONFIG_PATH];
    enum simsm_status status = config_files_find(request->config_name, config, error);
    const struct cli_file files[] = {
        {"the configuration", config, true},
        {"the trace", request->sweep.trace, true},
        {"--csv", request->csv, false},
        {"--svg", request->svg, false},
    };
    if (status == SIMSM_OK)
        status = cli_files_check(files, sizeof files / sizeof files[0], error);
    if (status == SIMSM_OK)
        status = configure(request);
    if (status == SIMSM_OK)
        status = sweep_prepare(&request->sweep, error);
    if (status == SIMSM_OK && request->svg && plotted_key(&request->sweep) < 0)
        status =
            err_set(error, SIMSM_BAD_INPUT, "--svg: no key has ascending numbers to plot along");
    if (status == SIMSM_OK && request->csv)
        status = outfile_open(&request->csv_file, request->csv, error);
    if (status == SIMSM_OK && request->svg)
        status = outfile_open(&request->svg_file, request->svg, error);
    return status;
}

static enum simsm_status sweep_and_show(struct request *request)
{
    signals_listen();
    enum simsm_status status = prepare(request);
    if (status != SIMSM_OK)
        return status;
    if (!request->jobs) {
        long processors = sysconf(_SC_NPROCESSORS_ONLN);
        request->jobs = processors > 0 ? (uint32_t)processors : 1;
    }
    signals_restart();
    enum simsm_status ran =
        sweep_run(&request->sweep, request->jobs, isatty(STDERR_FILENO) ? show_progress : NULL,
                  &request->error);
    if (!request->sweep.point)
        return ran;
    struct simsm_error failure = request->error;
    print_table(request);
    status = draw(request);
    if (status == SIMSM_OK && request->csv)
        status = write_csv(request);
    if (status == SIMSM_OK && ran != SIMSM_OK) {
        request->error = failure;
        return signals_first() ? SIMSM_INTERRUPTED : ran;
    }
    return status;
}

int cmd_sweep(int argc, char **argv)
{
    static const struct argp_child children[] = {{.argp = &params_argp}, {0}};
    static const struct argp parser = {
        .options = options,
        .parser = parse,
        .children = children,
        .args_doc = "CONFIG TRACE",
        .doc = "Simulates TRACE under every combination of the values given, on all processors, "
               "and prints one table and, where a key is a number, one plot.",
    };
    struct request *request = calloc(1, sizeof *request);
    if (!request)
        return SIMSM_FAILED;
    request->sweep.max_cycles = UINT64_MAX;
    if (argp_parse(&parser, argc, argv, 0, NULL, request) != 0)
        request->status = SIMSM_BAD_INPUT;
    if (request->status == SIMSM_OK)
        request->status = sweep_and_show(request);
    int status = (int)request->status;
    if (status == SIMSM_INTERRUPTED) {
        status = cli_stopped(NULL);
    } else if (status != SIMSM_OK) {
        status = cli_fail(&request->error);
    }
    outfile_abandon(&request->csv_file);
    outfile_abandon(&request->svg_file);
    sweep_free(&request->sweep);
    params_free(&request->params);
    free(request);
    return cli_finish(status);
}
