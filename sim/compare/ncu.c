#include "compare/ncu.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/err.h"

/* Columns that say which launch a row is of; the others are metrics. */
enum place {
    ID,
    PROCESS,
    PROGRAM,
    KERNEL,
    GRID,
    BLOCK,
    CACHES,
    RUN,
    SECTION,
    NAME,
    UNIT,
    VALUE,
    PLACES
};

static const char *const titles[PLACES][2] = {
    [ID] = {"ID", "launch"},
    [PROCESS] = {"Process ID", ""},
    [PROGRAM] = {"Process Name", "program"},
    [KERNEL] = {"Kernel Name", "kernel"},
    [GRID] = {"Grid Size", "grid"},
    [BLOCK] = {"Block Size", "block"},
    [CACHES] = {"", "caches"},
    [RUN] = {"", "run"},
    [SECTION] = {"Section Name", ""},
    [NAME] = {"Metric Name", ""},
    [UNIT] = {"Metric Unit", ""},
    [VALUE] = {"Metric Value", ""},
};

struct reader {
    struct csv_reader csv;
    struct launches *launches;
    int column[PLACES]; /* -1: there is none */
    int *metric;        /* [csv.columns] number of the metric in a column; -1: it is none */
    double *factor;     /* [csv.columns] */
    bool numbered;      /* launches have numbers, from 0 in each program */
    size_t first;       /* row of `launches` that is the file's first */
    char id[64];        /* of the launch read last */
};

/* Goes to the line of titles, past what programs and ncu have printed before it. */
static enum simsm_status find_titles(struct csv_reader *csv)
{
    static const char *const begins[] = {"\"ID\",", "ID,", "program,", "\"program\","};
    for (char *at = csv->at; at; at = strchr(at, '\n')) {
        if (*at == '\n') {
            at++;
            csv->next_line++;
        }
        for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
            csv->at = at;
            if (strncmp(at, begins[i], strlen(begins[i])) == 0)
                return SIMSM_OK;
        }
    }
    csv->line = 0;
    return csv_fail(csv, "no line begins with \"ID\", as what `ncu --csv --page raw` or `--page "
                         "details` prints");
}

static int find_column(const struct csv_reader *csv, enum place place)
{
    for (uint32_t i = 0; i < csv->cells; i++)
        for (int k = 0; k < 2; k++)
            if (*titles[place][k] && strcmp(csv->cell[i], titles[place][k]) == 0)
                return (int)i;
    return -1;
}

static const char *cell(const struct reader *r, enum place place)
{
    return r->column[place] < 0 ? "" : r->csv.cell[r->column[place]];
}

/* Every title with "__" is a metric's; ncu writes stray words in others. */
static enum simsm_status name_metrics(struct reader *r)
{
    struct csv_reader *csv = &r->csv;
    uint32_t found = 0;
    r->metric = malloc(csv->cells * sizeof *r->metric);
    r->factor = malloc(csv->cells * sizeof *r->factor);
    if (!r->metric || !r->factor)
        return err_no_memory(csv->error);
    for (uint32_t i = 0; i < csv->cells; i++) {
        r->metric[i] = -1;
        r->factor[i] = 1.0;
        if (!strstr(csv->cell[i], "__"))
            continue;
        r->metric[i] = launches_metric(r->launches, csv->cell[i]);
        if (r->metric[i] < 0)
            return err_no_memory(csv->error);
        found++;
    }
    if (!found && r->column[NAME] < 0)
        return csv_fail(csv, "no column is a metric, such as sm__cycles_active.avg: print it with "
                             "`ncu --csv --page raw`");
    return SIMSM_OK;
}

static enum simsm_status read_titles(struct reader *r)
{
    enum simsm_status status = find_titles(&r->csv);
    if (status != SIMSM_OK || !csv_next(&r->csv, &status))
        return status;
    for (enum place place = ID; place < PLACES; place++)
        r->column[place] = find_column(&r->csv, place);
    if (r->column[ID] < 0 || r->column[KERNEL] < 0)
        return csv_fail(&r->csv, "the columns \"ID\" and \"Kernel Name\" are expected");
    if (r->column[NAME] >= 0 && r->column[VALUE] < 0)
        return csv_fail(&r->csv, "the column \"Metric Value\" is expected");
    r->numbered = strcmp(r->csv.cell[r->column[ID]], titles[ID][1]) == 0;
    r->launches->repeated |= r->column[RUN] >= 0;
    r->csv.columns = r->csv.cells;
    return name_metrics(r);
}

static void read_size(const char *text, uint32_t size[3])
{
    unsigned x = 0, y = 1, z = 1;
    if (sscanf(text + strspn(text, "( "), "%9u, %9u, %9u", &x, &y, &z) >= 1) {
        size[0] = x;
        size[1] = y;
        size[2] = z;
    }
}

/* The launch of a row: that of the row before if it has the same number; NULL: no memory. */
static struct launch_row *launch_of(struct reader *r)
{
    struct launches *l = r->launches;
    char id[sizeof r->id];
    (void)snprintf(id, sizeof id, "%.30s %.30s", cell(r, PROCESS), cell(r, ID));
    if (l->rows > r->first && r->column[NAME] >= 0 && strcmp(id, r->id) == 0)
        return &l->row[l->rows - 1];
    memcpy(r->id, id, sizeof id);
    struct launch_row *row = launches_add(l, cell(r, PROGRAM), cell(r, KERNEL));
    if (!row)
        return NULL;
    const bool follows = l->rows - 1 > r->first && strcmp(row[-1].program, row->program) == 0;
    row->number = follows ? row[-1].number + 1 : 1;
    if (r->numbered)
        row->number = (uint32_t)strtoul(cell(r, ID), NULL, 10) + 1;
    row->warm = strcmp(cell(r, CACHES), "warm") == 0;
    read_size(cell(r, GRID), row->grid);
    read_size(cell(r, BLOCK), row->block);
    return row;
}

/* Whether a metric is of a hardware unit and so a number; launch__ and device__ have words, too. */
static bool is_counter(const char *metric)
{
    static const char *const units[] = {"sm__",   "smsp__", "l1tex__", "lts__",
                                        "dram__", "gpc__",  "gpu__"};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strncmp(metric, units[i], strlen(units[i])) == 0)
            return true;
    return false;
}

/* What ncu writes for a value that it could not take; "(!)" may stand before. */
static bool says_none(const char *text)
{
    static const char *const words[] = {"", "n/a", "N/A", "nan", "-nan", "inf", "-inf", "no data"};
    text += strspn(text, "(!) ");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(text, words[i]) == 0)
            return true;
    return false;
}

static enum simsm_status set(struct reader *r, struct launch_row *row, int metric, const char *text,
                             double factor)
{
    double value;
    const char *name = r->launches->metric[metric];
    if (!ncu_number(text, &value) || (isnan(value) && is_counter(name) && !says_none(text)))
        return csv_fail(&r->csv, "%s: a number such as 1,234.5 is expected, found '%.60s'", name,
                        text);
    if (!isnan(value) && !launches_set(row, metric, value * factor))
        return err_no_memory(r->csv.error);
    return SIMSM_OK;
}

/* One metric in each column; a row without a number has units. */
static enum simsm_status read_wide(struct reader *r)
{
    enum simsm_status status = SIMSM_OK;
    const bool units = !*cell(r, ID);
    struct launch_row *row = units ? NULL : launch_of(r);
    if (!units && !row)
        return err_no_memory(r->csv.error);
    for (uint32_t i = 0; i < r->csv.cells && status == SIMSM_OK; i++) {
        if (r->metric[i] < 0)
            continue;
        if (units)
            r->factor[i] = ncu_unit(r->csv.cell[i]);
        else
            status = set(r, row, r->metric[i], r->csv.cell[i], r->factor[i]);
    }
    return status;
}

/* One metric in each row. Rows of rules have none. */
static enum simsm_status read_long(struct reader *r)
{
    const char *name = ncu_label(cell(r, SECTION), cell(r, NAME));
    if (!*cell(r, ID) || !*name)
        return SIMSM_OK;
    struct launch_row *row = launch_of(r);
    const int metric = launches_metric(r->launches, name);
    if (!row || metric < 0)
        return err_no_memory(r->csv.error);
    return set(r, row, metric, cell(r, VALUE), ncu_unit(cell(r, UNIT)));
}

/* Lines that ncu prints among the others, such as "==WARNING== ...". */
static void skip_messages(struct csv_reader *csv)
{
    while (strncmp(csv->at, "==", 2) == 0) {
        csv->at += strcspn(csv->at, "\n");
        if (*csv->at) {
            csv->at++;
            csv->next_line++;
        }
    }
}

static enum simsm_status read_rows(struct reader *r)
{
    enum simsm_status status = read_titles(r);
    while (status == SIMSM_OK) {
        skip_messages(&r->csv);
        if (!csv_next(&r->csv, &status))
            break;
        status = r->column[NAME] >= 0 ? read_long(r) : read_wide(r);
    }
    if (status == SIMSM_OK && r->launches->rows == r->first)
        return csv_fail(&r->csv, "there is no launch in it: did ncu profile a kernel?");
    return status;
}

enum simsm_status ncu_read(struct launches *launches, const char *path, struct simsm_error *error)
{
    struct reader r = {.launches = launches, .first = launches->rows};
    enum simsm_status status =
        csv_open(&r.csv, path, "table of Nsight Compute", NULL, 0, NCU_BYTES, error);
    if (status == SIMSM_OK)
        status = read_rows(&r);
    csv_close(&r.csv);
    free(r.metric);
    free(r.factor);
    return status;
}
