/* `simsm closure`: simulates micro-benchmarks and compares them with values of the hardware. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/outfile.h"
#include "calibrate/closure.h"
#include "calibrate/reasons.h"
#include "cli/calibrate_files.h"
#include "cli/cli.h"
#include "cli/closure_show.h"
#include "cli/signals.h"
#include "report/progress.h"
#include "simsm/simsm.h"

enum { MOST_NAMES = 64, MOST_SETS = 64, MOST_JOBS = 256, WRITE_KNOWN = 256 };

struct closure_request {
    const char *config_name, *tables, *data, *known, *csv, *json;
    const char *names[MOST_NAMES], *set[MOST_SETS];
    uint32_t name_count, sets, jobs;
    bool only_off, times, quick, write_known;
};

/* Everything that one run of the command has read or computed. */
struct closure_session {
    const struct closure_request *request;
    char data[CALIBRATE_PATH], known_path[CALIBRATE_PATH];
    struct simsm_config config;
    struct tables tables;
    struct facts facts;
    struct known known;
    struct reasons reasons;
    struct closure closure;
};

static const struct argp_option options[] = {
    {"data", 'd', "DIR", 0,
     "folder with calib.csv or published.csv (default: the newest folder of cuda/data/CONFIG)", 0},
    {"off", 'o', NULL, 0,
     "show only the points that need attention: off and not known, worse than known, known without "
     "need, or failed",
     0},
    {"quick", 'q', NULL, 0, "leave out points that take seconds to simulate", 0},
    {"times", 'T', NULL, 0, "show how long each point took to simulate", 0},
    {"known", 'k', "FILE", 0,
     "list of the points known to be off (default: closure-known.csv in the data folder)", 0},
    {"write-known", WRITE_KNOWN, NULL, 0, "write that list with all points that are off", 0},
    {"csv", 'c', "FILE", 0, "write every point as a row of CSV", 0},
    {"json", 'J', "FILE", 0, "write every point as JSON", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static void take_word(struct closure_request *r, struct argp_state *state, const char *text)
{
    if (state->arg_num == 0)
        r->config_name = text;
    else if (r->name_count == MOST_NAMES)
        argp_error(state, "too many tables and points, beginning with '%s'", text);
    else
        r->names[r->name_count++] = text;
}

static void take_number(struct closure_request *r, struct argp_state *state, const char *text)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || !value || value > MOST_JOBS)
        argp_error(state, "--jobs: expected a number from 1 to %d, found '%s'", MOST_JOBS, text);
    r->jobs = (uint32_t)value;
}

static void take_setting(struct closure_request *r, struct argp_state *state, const char *text)
{
    if (r->sets == MOST_SETS)
        argp_error(state, "more than %d options --set", MOST_SETS);
    else
        r->set[r->sets++] = text;
}

static void check_request(const struct closure_request *r, struct argp_state *state)
{
    if (!r->config_name)
        argp_error(state, "name a configuration, such as h200");
    if (r->write_known && r->name_count)
        argp_error(state, "--write-known needs all tables: leave out '%s'", r->names[0]);
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct closure_request *r = state->input;
    switch (key) {
    case 'd':
        r->data = text;
        return 0;
    case 't':
        r->tables = text;
        return 0;
    case 'k':
        r->known = text;
        return 0;
    case 'c':
        r->csv = text;
        return 0;
    case 'J':
        r->json = text;
        return 0;
    case 'o':
        r->only_off = true;
        return 0;
    case 'q':
        r->quick = true;
        return 0;
    case 'T':
        r->times = true;
        return 0;
    case WRITE_KNOWN:
        r->write_known = true;
        return 0;
    case 'j':
        take_number(r, state, text);
        return 0;
    case 's':
        take_setting(r, state, text);
        return 0;
    case ARGP_KEY_ARG:
        take_word(r, state, text);
        return 0;
    case ARGP_KEY_END:
        check_request(r, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static enum simsm_status load_config(struct closure_session *c, struct simsm_error *error)
{
    const struct closure_request *r = c->request;
    enum simsm_status status = simsm_config_load(&c->config, r->config_name, error);
    for (uint32_t i = 0; status == SIMSM_OK && i < r->sets; i++)
        status = simsm_config_set(&c->config, r->set[i], error);
    return status == SIMSM_OK ? simsm_config_check(&c->config, error) : status;
}

static bool is_point(const struct tables *tables, const struct known_miss *miss)
{
    for (uint32_t i = 0; i < tables->count; i++)
        for (uint32_t k = 0; k < tables->table[i].points; k++)
            if (strcmp(tables->table[i].name, miss->file) == 0 &&
                strcmp(tables->table[i].point[k].name, miss->point) == 0)
                return true;
    return false;
}

/* Returns SIMSM_BAD_INPUT if closure-known.csv has a row for a point that no table has. Checked
 * only if all tables were read. */
static enum simsm_status check_known(const struct closure_session *c, struct simsm_error *error)
{
    for (size_t i = 0; !c->request->name_count && i < c->known.misses; i++)
        if (!c->request->write_known && !is_point(&c->tables, &c->known.miss[i]))
            return err_at(error, SIMSM_BAD_INPUT, c->known_path, 0, 0,
                          "there is no point %s/%s; remove the row, or write the file again with "
                          "--write-known",
                          c->known.miss[i].file, c->known.miss[i].point);
    return SIMSM_OK;
}

/* Reads the known misses (closure-known.csv) and their reasons (closure-reasons.csv in the data
 * folder). */
static enum simsm_status read_known(struct closure_session *c, struct simsm_error *error)
{
    char path[CALIBRATE_PATH];
    if (c->request->known && !c->request->write_known && access(c->known_path, F_OK) != 0)
        return err_at(error, SIMSM_BAD_INPUT, c->known_path, 0, 0,
                      "this list does not exist; leave out --known, or add --write-known");
    enum simsm_status status = known_read(&c->known, c->known_path, error);
    if (status == SIMSM_OK)
        status = calibrate_path(path, c->data, "closure-reasons.csv", error);
    if (status == SIMSM_OK)
        status = reasons_read(&c->reasons, path, error);
    for (size_t i = 0; status == SIMSM_OK && i < c->known.misses; i++)
        reasons_give(&c->reasons, &c->known.miss[i]);
    return status == SIMSM_OK ? check_known(c, error) : status;
}

static enum simsm_status open_all(struct closure_session *c, struct simsm_error *error)
{
    const struct closure_request *r = c->request;
    enum simsm_status status = load_config(c, error);
    if (status == SIMSM_OK)
        status = calibrate_data(c->data, r->data, r->config_name, error);
    if (status == SIMSM_OK && !r->known)
        status = calibrate_path(c->known_path, c->data, "closure-known.csv", error);
    else
        (void)snprintf(c->known_path, sizeof c->known_path, "%s", r->known ? r->known : "");
    if (status == SIMSM_OK)
        status = tables_open(&c->tables, r->tables, r->names, r->name_count, error);
    if (status == SIMSM_OK)
        status = facts_read(&c->facts, c->data, error);
    return status == SIMSM_OK ? read_known(c, error) : status;
}

static struct progress
    progress; /* global, because the callback of closure_run() has no context argument */

static void show_progress(const struct closure *closure, uint32_t done)
{
    progress_show(&progress, "%u of %u points", done, closure->rows);
}

static const struct closure_row *row_of(const struct closure_session *c, const struct table *table,
                                        uint32_t index)
{
    for (uint32_t i = 0; i < c->closure.rows; i++)
        if (c->closure.row[i].table == table && c->closure.row[i].index == index)
            return &c->closure.row[i];
    return NULL;
}

static bool is_miss(const struct closure_row *row)
{
    return row->verdict != CLOSURE_WITHIN && row->verdict != CLOSURE_NEEDLESS &&
           row->verdict != CLOSURE_INFO;
}

/*
 * Adds a point to the known misses `now` if this run found it off. A point that was not run keeps
 * its row in the old file. Each row gets its reason from closure-reasons.csv or from the old file.
 * Returns false if memory runs out.
 */
static bool add_miss(const struct closure_session *c, const struct table *table, uint32_t index,
                     struct known *now)
{
    const char *name = table->point[index].name;
    const struct closure_row *row = row_of(c, table, index);
    const struct known_miss *old = known_find(&c->known, table->name, name);
    struct known_miss miss = {.error = row ? row->error : 0.0};
    if (row ? !is_miss(row) : !old)
        return true;
    if (!row)
        return known_add(now, old);
    (void)snprintf(miss.file, sizeof miss.file, "%s", table->name);
    (void)snprintf(miss.point, sizeof miss.point, "%s", name);
    if (old)
        memcpy(miss.reason, old->reason, sizeof miss.reason);
    reasons_give(&c->reasons, &miss);
    return known_add(now, &miss);
}

static enum simsm_status write_known(const struct closure_session *c, struct simsm_error *error)
{
    struct known now = {.misses = 0};
    bool added = true;
    for (uint32_t i = 0; i < c->tables.count; i++)
        for (uint32_t k = 0; added && k < c->tables.table[i].points; k++)
            added = add_miss(c, &c->tables.table[i], k, &now);
    enum simsm_status status =
        added ? known_write(&now, c->known_path, error) : err_no_memory(error);
    known_free(&now);
    return status;
}

static enum simsm_status write_file(const char *path, const struct closure_shown *shown,
                                    bool (*write)(FILE *, const struct closure_shown *),
                                    struct simsm_error *error)
{
    struct outfile out;
    if (!path)
        return SIMSM_OK;
    enum simsm_status status = outfile_open(&out, path, error);
    if (status != SIMSM_OK)
        return status;
    if (write(out.file, shown))
        return outfile_commit(&out, error);
    outfile_abandon(&out);
    return err_no_memory(error);
}

static enum simsm_status show_all(const struct closure_session *c, struct simsm_error *error)
{
    const struct closure_request *r = c->request;
    const struct closure_shown shown = {.closure = &c->closure,
                                        .config = &c->config,
                                        .tables = r->tables,
                                        .data = c->data,
                                        .only_off = r->only_off,
                                        .times = r->times};
    const bool quiet =
        (r->csv && outfile_is_stdout(r->csv)) || (r->json && outfile_is_stdout(r->json));
    if (!quiet)
        closure_show(stdout, &shown);
    enum simsm_status status = write_file(r->csv, &shown, closure_write_csv, error);
    if (status == SIMSM_OK)
        status = write_file(r->json, &shown, closure_write_json, error);
    return status == SIMSM_OK && r->write_known ? write_known(c, error) : status;
}

static int run(struct closure_session *c)
{
    struct simsm_error error;
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    enum simsm_status status = open_all(c, &error);
    progress_begin(&progress, stderr);
    const struct closure_task task = {
        .tables = &c->tables,
        .config = &c->config,
        .facts = &c->facts,
        .known = &c->known,
        .jobs = c->request->jobs ? c->request->jobs : (uint32_t)(processors > 0 ? processors : 1),
        .quick = c->request->quick,
        .stop = signals_first,
        .told = progress.terminal ? show_progress : NULL};
    if (status == SIMSM_OK)
        status = closure_run(&c->closure, &task, &error);
    progress_clear(&progress);
    if (status == SIMSM_INTERRUPTED)
        return cli_fail_stopped(&error);
    if (status == SIMSM_OK)
        status = show_all(c, &error);
    if (status != SIMSM_OK)
        return cli_fail(&error);
    for (uint32_t i = 0; i < c->closure.rows && !c->request->write_known; i++)
        if (!closure_is_good(c->closure.row[i].verdict))
            return cli_finish(SIMSM_FAILED);
    return cli_finish(SIMSM_OK);
}

const struct command_parser closure_parser = {
    .takes = OF_CLOSURE,
    .argp =
        {.options = options,
         .parser = parse,
         .args_doc = "CONFIG [TABLE | TABLE/POINT]...",
         .doc = "Simulates micro-benchmarks and compares their values with values that were "
                "measured on the GPU or published.\vThe exit status is 1 if a point is outside of "
                "the tolerance of its kind (latency: 1 cycle or 2 %; throughput: 3 %; loaded: 5 %; "
                "order, size: none) and not in the list of known points, if it is worse than its "
                "known error, or if it is in the list without need. docs/calibration.md has more."},
};

int cmd_closure(int argc, char **argv)
{
    struct closure_request request = {.tables = CALIBRATE_TABLES};
    command_parser_run(&closure_parser, argc, argv, 0, &request);
    signals_listen();
    struct closure_session *closing = calloc(1, sizeof *closing);
    if (!closing)
        return SIMSM_FAILED;
    closing->request = &request;
    int status = run(closing);
    closure_free(&closing->closure);
    known_free(&closing->known);
    reasons_free(&closing->reasons);
    facts_free(&closing->facts);
    tables_close(&closing->tables);
    free(closing);
    return status;
}
