#include "cuda/journal.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/outfile.h"
#include "cuda/summary.h"
#include "cuda/title.h"
#include "report/metrics.h"

struct journal {
    const struct settings *settings;
    FILE *file; /* reports; NULL: --quiet */
    struct outfile report, table;
    regex_t kernels;
    bool has_kernels; /* --kernels was given and compiled */
    uint64_t launches;
    struct summary summary;
};

const char *const journal_transfer_names[TRANSFER_COUNT] = {
#define TRANSFER(id, name) [TRANSFER_##id] = (name),
#include "cuda/transfers.def"
#undef TRANSFER
};

static enum simsm_status open_files(struct journal *journal, FILE *reports,
                                    struct simsm_error *error)
{
    const char *report = setting_text(journal->settings, SETTING_ID_report);
    const char *table = setting_text(journal->settings, SETTING_ID_table);
    enum simsm_status status = SIMSM_OK;
    if (report)
        status = outfile_open(&journal->report, report, error);
    if (status == SIMSM_OK && table)
        status = outfile_open(&journal->table, table, error);
    if (status != SIMSM_OK)
        return status;
    /* Of launches that are only recorded there is nothing to say that the recording does not. */
    const bool recorded = setting_flag(journal->settings, SETTING_ID_functional) &&
                          setting_text(journal->settings, SETTING_ID_record) && !report;
    if (!setting_flag(journal->settings, SETTING_ID_quiet) && !recorded)
        journal->file = report ? journal->report.file : reports;
    if (table)
        (void)fputs("number,what,name,grid_x,grid_y,grid_z,block_x,block_y,block_z,registers,"
                    "shared_bytes,timed,cycles,ns,warp_instructions,ipc,occupancy_percent,state,"
                    "state_percent,bytes\n",
                    journal->table.file);
    return SIMSM_OK;
}

enum simsm_status journal_open(struct journal **journal, const struct settings *settings,
                               const struct simsm_config *config, FILE *reports,
                               struct simsm_error *error)
{
    struct journal *made = calloc(1, sizeof *made);
    *journal = made;
    if (!made)
        return err_no_memory(error);
    made->settings = settings;
    made->summary.config = config;
    const char *kernels = setting_text(settings, SETTING_ID_kernels);
    made->has_kernels = kernels && regcomp(&made->kernels, kernels, REG_EXTENDED | REG_NOSUB) == 0;
    return open_files(made, reports, error);
}

enum simsm_status journal_close(struct journal *journal, struct simsm_error *error)
{
    struct simsm_error second;
    enum simsm_status report = SIMSM_OK, table = SIMSM_OK;
    if (!journal)
        return SIMSM_OK;
    if (journal->file) {
        summary_print(&journal->summary, journal->file);
        (void)fflush(journal->file);
    }
    if (journal->report.file)
        report = outfile_commit(&journal->report, error);
    if (journal->table.file)
        table = outfile_commit(&journal->table, report == SIMSM_OK ? error : &second);
    if (journal->has_kernels)
        regfree(&journal->kernels);
    summary_free(&journal->summary);
    free(journal);
    return report != SIMSM_OK ? report : table;
}

FILE *journal_file(const struct journal *journal)
{
    return journal->file;
}

static bool is_chosen(const struct journal *journal, const struct journal_launch *row)
{
    const struct settings *settings = journal->settings;
    return row->number >= settings->first_launch && row->number < settings->end_launch &&
           (!journal->has_kernels || regexec(&journal->kernels, row->launch.name, 0, NULL, 0) == 0);
}

void journal_entitle(struct journal_launch *row, const char *name, const char *title)
{
    char *brief = strdup(title);
    if (brief)
        title_shorten(brief);
    row->title = title;
    (void)snprintf(row->brief, sizeof row->brief, "%s", brief ? brief : title);
    free(brief);
    row->identity = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
    for (; *name; name++)
        row->identity = (row->identity ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
}

void journal_begin_launch(struct journal *journal, const struct simsm_launch *launch,
                          struct journal_launch *row)
{
    *row = (struct journal_launch){.number = ++journal->launches, .launch = *launch};
    journal_entitle(row, row->launch.name, row->launch.name);
    row->chosen = is_chosen(journal, row);
    row->timed = row->chosen && !setting_flag(journal->settings, SETTING_ID_functional);
}

/* The state in which the resident warps spent most of their cycles. */
static void find_main_state(const struct simsm_stats *stats, struct journal_launch *row)
{
    unsigned most = SIMSM_STATE_ISSUED;
    for (unsigned s = SIMSM_STATE_ISSUED; s < SIMSM_STATE_COUNT; s++) {
        if (stats->states[s] > stats->states[most])
            most = s;
    }
    double all = (double)metrics_resident_cycles(stats);
    row->state = (enum simsm_warp_state)most;
    row->state_percent = all > 0 ? 100 * (double)stats->states[most] / all : 0;
}

void journal_measure(struct journal_launch *row, const struct simsm_config *config,
                     const struct simsm_stats *stats)
{
    struct simsm_metric metrics[METRIC_COUNT];
    metrics_compute(config, stats, metrics);
    row->cycles = stats->cycles;
    row->ns = (double)stats->cycles * 1e3 / config->gpu_clock_mhz;
    row->warp_instructions = stats->counter[SIMSM_COUNTER_INST_EXECUTED];
    row->ipc = metrics[METRIC_IPC_ACTIVE].value;
    row->occupancy_percent = metrics[METRIC_OCCUPANCY_ACHIEVED].value;
    find_main_state(stats, row);
}

/* A name between quotation marks: those of the source may have commas. */
static void write_launch(FILE *file, const struct journal_launch *row)
{
    const struct simsm_launch *l = &row->launch;
    (void)fprintf(file, "%llu,kernel,\"%s\",%u,%u,%u,%u,%u,%u,%u,%u,%d,",
                  (unsigned long long)row->number, row->title, l->grid[0], l->grid[1], l->grid[2],
                  l->block[0], l->block[1], l->block[2], l->registers,
                  l->shared_static + l->shared_dynamic, row->timed);
    if (row->timed)
        (void)fprintf(file, "%llu,%.3f,%llu,%.4f,%.2f,%s,%.2f,\n", (unsigned long long)row->cycles,
                      row->ns, (unsigned long long)row->warp_instructions, row->ipc,
                      row->occupancy_percent, simsm_states[row->state].name, row->state_percent);
    else
        (void)fprintf(file, ",,%llu,,,,,\n", (unsigned long long)row->warp_instructions);
    (void)fflush(file);
}

void journal_end_launch(struct journal *journal, const struct journal_launch *row)
{
    summary_add_launch(&journal->summary, row);
    if (journal->table.file)
        write_launch(journal->table.file, row);
}

void journal_add_transfer(struct journal *journal, enum journal_transfer kind, uint64_t bytes,
                          double ns)
{
    summary_add_transfer(&journal->summary, kind, bytes, ns);
    if (journal->table.file)
        (void)fprintf(journal->table.file, ",copy,%s,,,,,,,,,,,%.3f,,,,,,%llu\n",
                      journal_transfer_names[kind], ns, (unsigned long long)bytes);
}
