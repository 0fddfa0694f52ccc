#include "compare/ncu.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/err.h"

/* Columns that identify the launch of a row. All other columns are metrics. */
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
    int column[PLACES]; /* column of each of these; -1: there is none */
    int *metric;        /* [csv.columns] index of the metric in a column; -1: not a metric */
    double *factor;     /* [csv.columns] */
    bool numbered;      /* launches are numbered from 0 in each program */
    size_t first;       /* index in `launches` of the file's first row */
    char id[64];        /* identifier of the launch read last */
};

/* Skips what programs and ncu have printed before the line of titles. */
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

/* Finds the metrics. Every title with "__" is a metric; other columns hold text. */
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

/* Returns the launch of a row: the previous row's launch if it has the same number, else a new
 * one. Returns NULL if memory runs out. */
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
    row->single_pass = r->column[RUN] >= 0;
    read_size(cell(r, GRID), row->grid);
    read_size(cell(r, BLOCK), row->block);
    return row;
}

/* Returns whether a metric is a counter of a hardware unit, which is a number. Metrics of
 * launch__ and device__ may be text. */
static bool is_counter(const char *metric)
{
    static const char *const units[] = {"sm__",   "smsp__", "l1tex__", "lts__",
                                        "dram__", "gpc__",  "gpu__"};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strncmp(metric, units[i], strlen(units[i])) == 0)
            return true;
    return false;
}

/* Returns whether the text is what ncu writes for a missing value, with or without "(!)". */
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

/* Reads the page `raw`: one metric in each column. A row without a number contains units. */
static enum simsm_status read_wide(struct reader *r)
{
    enum simsm_status status = SIMSM_OK;
    const bool units = !*cell(r, ID);
    const char *caches = cell(r, CACHES);
    if (*caches && strcmp(caches, "cold") != 0 && strcmp(caches, "warm") != 0)
        return csv_fail(&r->csv, "caches: cold or warm is expected, found '%.60s'", caches);
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

/* Reads the page `details`: one metric in each row. Rows of rules have no metric. */
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

/* Skips lines of messages such as "==WARNING== ...". */
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
