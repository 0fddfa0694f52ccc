/* `simsm calibrate`: measures points on a GPU, and fits a configuration to measured values. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/outfile.h"
#include "calibrate/fit_write.h"
#include "calibrate/manifest.h"
#include "calibrate/measure.h"
#include "calibrate/worker.h"
#include "cli/calibrate_files.h"
#include "cli/calibrate_transfer.h"
#include "cli/cli.h"
#include "cli/command_line.h"
#include "cli/signals.h"
#include "config/config_files.h"
#include "simsm/simsm.h"

enum { MOST_NAMES = 64, REPEAT = 7, SECONDS = 30 };

struct calibrate_request {
    const char *config_name, *tables, *data, *output, *from;
    const char *names[MOST_NAMES];
    uint32_t name_count, repeat, seconds;
    bool measure, dry, launch, warm, all;
    const char *command;
};

static const struct argp_option options[] = {
    {"measure", 'm', NULL, 0, "run the points on this machine's GPU and write their values", 0},
    {"data", 'd', "DIR", 0,
     "folder with the measured values, calib.csv (default: the newest folder of cuda/data/CONFIG); "
     "with --measure, the folder to write",
     0},
    {"output", 'o', "FILE", 0, "write the configuration to FILE instead of its own file", 0},
    {"launch", 'l', "cold|warm", 0,
     "only launch the points that measure a metric, for a profiler; cuda/calib/profile uses it", 0},
    {"from", 'f', "CONFIG", 0,
     "take values over from a measured configuration by rules, in place of values of less trust",
     0},
    {"all", 'a', NULL, 0, "with --from: also in place of measured and published values", 0},
    {"dry-run", 'n', NULL, 0, "show the changes without writing them", 0},
    {"repeat", 'r', "N", 0, "runs of each point, 1 to 64 (default: 7)", 0},
    {"seconds", 's', "N", 0,
     "time limit in seconds for the runs of a point, 1 to 600 (default: 30)", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static uint32_t number(struct argp_state *state, const char *option, const char *text,
                       uint32_t most)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || !value || value > most)
        argp_error(state, "%s: expected a number from 1 to %u, found '%s'", option, most, text);
    return (uint32_t)value;
}

/* The first argument is the configuration, the others are tables and points. */
static void add_argument(struct calibrate_request *r, char *text, struct argp_state *state)
{
    if (state->arg_num == 0)
        r->config_name = text;
    else if (r->name_count == MOST_NAMES)
        argp_error(state, "too many tables and points, beginning with '%s'", text);
    else
        r->names[r->name_count++] = text;
}

static void check_request(const struct calibrate_request *r, struct argp_state *state)
{
    if (!r->config_name)
        argp_error(state, "name a configuration, such as h200");
    if (r->measure && !r->data)
        argp_error(state, "--measure needs --data DIR, the folder for what it measures");
    if (r->from && (r->measure || r->launch || r->data))
        argp_error(state,
                   "--from is an action of its own: leave out --measure, --launch and --data");
    if (r->all && !r->from)
        argp_error(state, "--all belongs to --from");
    if (!r->measure && !r->launch && r->name_count)
        argp_error(state, "a fit uses all tables: leave out '%s', or add --measure", r->names[0]);
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct calibrate_request *r = state->input;
    switch (key) {
    case 'm':
        r->measure = true;
        return 0;
    case 'd':
        r->data = text;
        return 0;
    case 't':
        r->tables = text;
        return 0;
    case 'o':
        r->output = text;
        return 0;
    case 'l':
        r->launch = true;
        r->warm = strcmp(text, "warm") == 0;
        return 0;
    case 'f':
        r->from = text;
        return 0;
    case 'a':
        r->all = true;
        return 0;
    case 'n':
        r->dry = true;
        return 0;
    case 'r':
        r->repeat = number(state, "--repeat", text, WORKER_RUNS);
        return 0;
    case 's':
        r->seconds = number(state, "--seconds", text, 600);
        return 0;
    case ARGP_KEY_ARG:
        add_argument(r, text, state);
        return 0;
    case ARGP_KEY_END:
        check_request(r, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void print_row(void *context, const struct record_row *row)
{
    (void)context;
    (void)printf("%s/%s  ", row->file, row->point);
    if (!row->has_value)
        (void)printf("no value: %s\n", row->note);
    else if (row->is_list)
        (void)printf("%s  %s\n", row->list, row->note);
    else
        (void)printf("%.6g (%.6g to %.6g) %s\n", row->value, row->min, row->max, row->unit);
    cli_flush();
}

/* Prints one point as a line of CSV for cuda/calib/profile, the script that runs a profiler. */
static void print_launch(const struct table *table, const struct point *point)
{
    const struct result *r = &point->result;
    (void)printf("%s,\"%s\",%s,%s,%s,%.9g,%.9g,%.9g\n", table->name, point->name, point->unit,
                 point->plan.kernel, r->metric, r->offset, r->over, r->per);
}

static enum simsm_status launch_all(const struct calibrate_request *r, const struct tables *tables,
                                    struct simsm_error *error)
{
    const struct measure what = {
        .tables = tables, .repeat = r->repeat, .warm = r->warm, .launched = print_launch};
    return measure_launch(&what, error);
}

/* Fails if a file cannot be written to the folder of --data. Checked before measuring takes GPU
 * time. */
static enum simsm_status check_folder(const char *folder, const char *csv,
                                      struct simsm_error *error)
{
    if (!calibrate_exists(folder))
        return err_at(error, SIMSM_BAD_INPUT, folder, 0, 0,
                      "this folder does not exist; create it, or name another one with --data");
    return outfile_check(csv, error);
}

/*
 * Measures the points and writes their values and the manifest. If measuring fails part way, the
 * values measured so far are still written, because GPU time is expensive. Writes nothing if the
 * GPU is not the one of the configuration.
 */
static enum simsm_status measure_all(const struct calibrate_request *r,
                                     const struct simsm_config *config, const struct tables *tables,
                                     struct record *record, struct simsm_error *error)
{
    char csv[CALIBRATE_PATH], manifest[CALIBRATE_PATH];
    struct gpu_about about = {.sms = 0};
    struct simsm_error second;
    const struct measure what = {.tables = tables,
                                 .config = config,
                                 .repeat = r->repeat,
                                 .seconds = (int)r->seconds,
                                 .stop = signals_first,
                                 .told = print_row};
    enum simsm_status status = calibrate_path(csv, r->data, "calib.csv", error);
    if (status == SIMSM_OK)
        status = calibrate_path(manifest, r->data, "MANIFEST.calib", error);
    if (status == SIMSM_OK)
        status = check_folder(r->data, csv, error);
    if (status == SIMSM_OK && r->name_count && calibrate_exists(csv))
        status = record_read(record, csv, error);
    if (status == SIMSM_OK)
        status = measure(&what, record, &about, error);
    if (!about.sms || !record->rows)
        return status;
    enum simsm_status written = record_write(record, csv, status == SIMSM_OK ? error : &second);
    if (written == SIMSM_OK)
        written = manifest_write(manifest, &about, r->command, r->repeat,
                                 status == SIMSM_OK ? error : &second);
    return status == SIMSM_OK ? written : status;
}

static void show_fit(const struct fit *fit)
{
    (void)printf("%-30s %10s %10s  %s\n", "key", "before", "after", "from");
    for (uint32_t i = 0; i < fit->rows; i++) {
        const struct fit_row *row = &fit->row[i];
        (void)printf("%-30s %10s %10s  %s/%s", row->rule->key, row->before, row->after,
                     row->rule->table, row->rule->point);
        if (row->fact)
            (void)printf(": %.6g %s", row->fact->value, row->fact->unit);
        else
            (void)printf(": not measured");
        if (row->other)
            (void)printf(" less %s: %.6g", row->rule->other, row->other->value);
        if (row->rule->how == FIT_BY_SOLVE && row->fact)
            (void)printf("; simulated %.6g%s", row->simulated,
                         row->out_of_range ? ", the nearest possible value" : "");
        (void)printf("\n");
    }
}

/* Returns SIMSM_BAD_INPUT if the data hold no point that a rule needs. */
static enum simsm_status check_fit(const struct fit *fit, const char *data,
                                   struct simsm_error *error)
{
    for (uint32_t i = 0; i < fit->rows; i++)
        if (fit->row[i].fact)
            return SIMSM_OK;
    return err_at(error, SIMSM_BAD_INPUT, data, 0, 0,
                  "has no measured point that a rule is fitted to; measure on the GPU with "
                  "--measure, or take values over with --from");
}

/* Writes the GPU and the name of the data folder, "H200 2026-11-21", into `origin`. */
static void name_origin(const struct simsm_config *config, const char *data, char origin[160])
{
    char folder[CALIBRATE_PATH];
    (void)snprintf(folder, sizeof folder, "%s", data);
    size_t length = strlen(folder);
    while (length && folder[length - 1] == '/')
        folder[--length] = '\0';
    const char *slash = strrchr(folder, '/');
    (void)snprintf(origin, 160, "%.*s %.100s", (int)strcspn(config->gpu_name, "-"),
                   config->gpu_name, slash ? slash + 1 : folder);
}

static enum simsm_status write_config(const struct calibrate_request *r, const struct fit *fit,
                                      const char *path, const char *origin,
                                      struct simsm_error *error)
{
    char *text = NULL;
    size_t size = 0;
    enum simsm_status status = fit_write(fit, path, origin, &text, &size, error);
    return status == SIMSM_OK ? calibrate_write(path, r->output, text, size, error) : status;
}

static enum simsm_status fit_all(const struct calibrate_request *r, struct simsm_config *config,
                                 const struct tables *tables, struct simsm_error *error)
{
    char data[CALIBRATE_PATH], path[CONFIG_PATH], origin[160];
    struct facts facts = {.facts = 0};
    struct fit fit = {.rows = 0};
    const struct fit_task task = {
        .rules = fit_rules, .tables = tables, .facts = &facts, .stop = signals_first};
    enum simsm_status status = calibrate_data(data, r->data, r->config_name, error);
    if (status == SIMSM_OK)
        status = config_files_find(r->config_name, path, error);
    if (status == SIMSM_OK)
        status = facts_read(&facts, data, error);
    if (status == SIMSM_OK)
        status = fit_run(&fit, &task, config, error);
    if (status == SIMSM_OK)
        status = check_fit(&fit, data, error);
    if (status == SIMSM_OK) {
        show_fit(&fit);
        name_origin(config, data, origin);
    }
    if (status == SIMSM_OK && !r->dry)
        status = write_config(r, &fit, path, origin, error);
    fit_free(&fit);
    facts_free(&facts);
    return status;
}

static int run(const struct calibrate_request *r)
{
    struct simsm_config config;
    struct simsm_error error;
    struct tables tables = {.count = 0};
    struct record record = {.rows = 0};
    if (r->from)
        return calibrate_transfer(r->config_name, r->from, r->all, r->dry, r->output);
    enum simsm_status status = simsm_config_load(&config, r->config_name, &error);
    if (status == SIMSM_OK)
        status = tables_open(&tables, r->tables, r->names, r->name_count, &error);
    if (status == SIMSM_OK && r->launch)
        status = launch_all(r, &tables, &error);
    else if (status == SIMSM_OK)
        status = r->measure ? measure_all(r, &config, &tables, &record, &error)
                            : fit_all(r, &config, &tables, &error);
    record_free(&record);
    tables_close(&tables);
    if (status == SIMSM_INTERRUPTED)
        return cli_fail_stopped(&error);
    return status == SIMSM_OK ? cli_finish(SIMSM_OK) : cli_fail(&error);
}

const struct command_parser calibrate_parser = {
    .takes = OF_CALIBRATE,
    .argp = {.options = options,
             .parser = parse,
             .args_doc = "CONFIG [--data DIR]\nCONFIG --from CONFIG [--all]\nCONFIG --measure "
                         "--data DIR [TABLE | TABLE/POINT]...",
             .doc = "Fits a configuration to micro-benchmarks that were measured on its GPU. With "
                    "--measure, measures them. With --from, takes values over from another GPU.\vA "
                    "point is a micro-benchmark with its launch and "
                    "the value that it yields; docs/calibration.md explains how points are written "
                    "and what they show."},
};

int cmd_calibrate(int argc, char **argv)
{
    struct calibrate_request request = {
        .tables = CALIBRATE_TABLES, .repeat = REPEAT, .seconds = SECONDS};
    char *line = command_line_text(argc, argv);
    request.command = line ? line : "";
    command_parser_run(&calibrate_parser, argc, argv, 0, &request);
    signals_listen();
    int status = run(&request);
    free(line);
    return status;
}
