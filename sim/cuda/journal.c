/*
 * The journal of a program: numbers and chooses launches, writes the table, sums up for the
 * summary.
 */
#include "cuda/journal.h"

#include <math.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/outfile.h"
#include "cuda/kernel_title.h"
#include "cuda/summary.h"
#include "report/metrics.h"

struct journal {
    const struct settings *settings;
    FILE *file; /* reports; NULL: none (--quiet) */
    struct outfile report, table;
    regex_t kernels;
    bool has_kernels; /* --kernels was given */
    uint64_t launches;
    struct summary summary;
    struct sampler *sampler; /* --sample; NULL: every chosen launch is timed */
    struct outfile sample;   /* the sampler's decisions as JSON */
    bool any_chosen;         /* --kernels and --launches chose a launch so far */
};

const char *const journal_transfer_names[TRANSFER_COUNT] = {
#define TRANSFER(id, name) [TRANSFER_##id] = (name),
#include "cuda/transfers.def"
#undef TRANSFER
};

/* Ends a row of the table. `sampled`: the columns that a table has only with --sample. */
static void end_row(const struct journal *journal, const char *sampled)
{
    const bool samples = setting_flag(journal->settings, SETTING_ID_sample);
    (void)fprintf(journal->table.file, "%s\n", samples ? sampled : "");
}

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
    /* Of launches that are recorded there are no figures to report beside those of the recording.
     */
    const bool recorded = setting_text(journal->settings, SETTING_ID_record) && !report;
    if (!setting_flag(journal->settings, SETTING_ID_quiet) && !recorded)
        journal->file = report ? journal->report.file : reports;
    if (table)
        (void)fputs("number,what,name,grid_x,grid_y,grid_z,block_x,block_y,block_z,registers,"
                    "shared_bytes,timed,cycles,ns,warp_instructions,ipc,occupancy_percent,state,"
                    "state_percent,bytes",
                    journal->table.file);
    if (table)
        end_row(journal, ",mark,same_as");
    return SIMSM_OK;
}

/* Creates the sampler, and the file NAME.sample.json beside the JSON files of the launches. */
static enum simsm_status open_sample(struct journal *journal, struct simsm_error *error)
{
    const char *json = setting_text(journal->settings, SETTING_ID_json);
    char path[OUTFILE_PATH];
    if (!setting_flag(journal->settings, SETTING_ID_sample))
        return SIMSM_OK;
    journal->sampler = sampler_new(!setting_flag(journal->settings, SETTING_ID_warm));
    if (!journal->sampler)
        return err_no_memory(error);
    if (!json)
        return SIMSM_OK;
    const size_t length = strlen(json);
    const bool ends = length > 5 && strcmp(json + length - 5, ".json") == 0;
    if (snprintf(path, sizeof path, "%.*s.sample.json", (int)(ends ? length - 5 : length), json) >=
        (int)sizeof path)
        return err_set(error, SIMSM_BAD_INPUT, "--json: the name is too long");
    return outfile_open(&journal->sample, path, error);
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
    enum simsm_status status = open_files(made, reports, error);
    return status == SIMSM_OK ? open_sample(made, error) : status;
}

/* Writes the sampler's decisions as JSON, if the file is open. */
static enum simsm_status write_sample(struct journal *journal, struct simsm_error *error)
{
    if (!journal->sample.file)
        return SIMSM_OK;
    enum simsm_status status = sampler_write_json(journal->sampler, journal->sample.file, error);
    if (status == SIMSM_OK)
        return outfile_commit(&journal->sample, error);
    outfile_abandon(&journal->sample);
    return status;
}

enum simsm_status journal_close(struct journal *journal, struct simsm_error *error)
{
    struct simsm_error second;
    enum simsm_status report = SIMSM_OK, table = SIMSM_OK;
    if (!journal)
        return SIMSM_OK;
    if (journal->file) {
        summary_print(&journal->summary, journal->file);
        if (journal->sampler)
            sampler_print(journal->sampler, journal->file);
        (void)fflush(journal->file);
    }
    if (journal->report.file)
        report = outfile_commit(&journal->report, error);
    if (journal->table.file)
        table = outfile_commit(&journal->table, report == SIMSM_OK ? error : &second);
    enum simsm_status sample =
        write_sample(journal, report == SIMSM_OK && table == SIMSM_OK ? error : &second);
    table = table == SIMSM_OK ? sample : table;
    sampler_free(journal->sampler);
    if (journal->has_kernels)
        regfree(&journal->kernels);
    summary_free(&journal->summary);
    free(journal);
    return report != SIMSM_OK ? report : table;
}

uint64_t journal_launches(const struct journal *journal)
{
    return journal ? journal->launches : 0;
}

uint64_t journal_none_chosen(const struct journal *journal)
{
    return !journal || journal->any_chosen ? 0 : journal->launches;
}

FILE *journal_file(const struct journal *journal)
{
    return journal->file;
}

/* Returns whether --kernels and --launches choose the launch. */
static bool is_chosen(const struct journal *journal, const struct journal_launch *row)
{
    const struct settings *settings = journal->settings;
    return row->number >= settings->first_launch && row->number < settings->end_launch &&
           (!journal->has_kernels || regexec(&journal->kernels, row->launch.name, 0, NULL, 0) == 0);
}

void journal_set_title(struct journal_launch *row, const char *name, const char *title)
{
    char *brief = strdup(title);
    if (brief)
        kernel_title_shorten(brief);
    row->title = title;
    (void)snprintf(row->brief, sizeof row->brief, "%s", brief ? brief : title);
    free(brief);
    row->identity = UINT64_C(0xcbf29ce484222325); /* hash: FNV-1a, 64 bits */
    for (; *name; name++)
        row->identity = (row->identity ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
}

void journal_begin_launch(struct journal *journal, const struct simsm_launch *launch,
                          struct journal_launch *row)
{
    *row = (struct journal_launch){.number = ++journal->launches, .launch = *launch};
    journal_set_title(row, row->launch.name, row->launch.name);
    row->chosen = is_chosen(journal, row);
    journal->any_chosen |= row->chosen;
    row->timed = row->chosen && !setting_flag(journal->settings, SETTING_ID_functional);
}

/* Finds the state in which the resident warps spent most of their cycles, issuing included. */
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
    memcpy(row->counter, stats->counter, sizeof row->counter);
    find_main_state(stats, row);
}

struct sampler *journal_sampler(const struct journal *journal)
{
    return journal->sampler;
}

static struct sample_subject subject_of(const struct journal_launch *row)
{
    struct sample_subject subject = {.number = row->number,
                                     .kernel = row->brief,
                                     .identity = row->identity,
                                     .launch = row->launch};
    subject.launch.untranslated = row->translates;
    return subject;
}

enum simsm_status journal_choose_sample(struct journal *journal, struct journal_launch *row,
                                        const struct sample_signature *signature,
                                        struct simsm_error *error)
{
    struct sample_subject subject = subject_of(row);
    subject.signature = *signature;
    struct sample_choice choice;
    enum simsm_status status = sampler_choose(journal->sampler, &subject, &choice, error);
    row->mark = choice.mark;
    row->like = choice.like;
    if (status != SIMSM_OK || choice.mark == SAMPLE_TIMED)
        return status;
    row->timed = false;
    row->cycles = choice.figures.cycles;
    row->ns = (double)row->cycles * 1e3 / journal->summary.config->gpu_clock_mhz;
    row->ipc = choice.figures.ipc;
    row->occupancy_percent = choice.figures.occupancy_percent;
    row->state = choice.figures.state;
    row->state_percent = choice.figures.state_percent;
    row->warp_instructions = (uint64_t)signature->feature[FEATURE_WARP_INSTRUCTIONS];
    return SIMSM_OK;
}

/* Fills *row with cycles and counters that are extrapolated from the timed blocks to all blocks. */
static void extrapolate(const struct journal *journal, struct journal_launch *row,
                        const struct block_outcome *blocks)
{
    row->mark = SAMPLE_BLOCKS;
    row->cycles = (uint64_t)llround(blocks->cycles);
    row->ns = blocks->cycles * 1e3 / journal->summary.config->gpu_clock_mhz;
    for (unsigned i = 0; i < SIMSM_COUNTER_COUNT; i++)
        row->counter[i] = (uint64_t)llround(blocks->counter[i]);
    row->warp_instructions = row->counter[SIMSM_COUNTER_INST_EXECUTED];
}

enum simsm_status journal_add_sampled(struct journal *journal, struct journal_launch *row,
                                      const struct block_outcome *blocks, struct simsm_error *error)
{
    const uint64_t simulated = row->cycles;
    row->blocks_timed = blocks->timed;
    if (blocks->reason == BLOCKS_SAMPLED)
        extrapolate(journal, row, blocks);
    struct sample_figures figures = {.cycles = row->cycles,
                                     .simulated = simulated,
                                     .variance = blocks->variance,
                                     .freedom = blocks->freedom,
                                     .blocks_timed = blocks->timed,
                                     .ipc = row->ipc,
                                     .occupancy_percent = row->occupancy_percent,
                                     .state_percent = row->state_percent,
                                     .state = row->state};
    memcpy(figures.counter, row->counter, sizeof figures.counter);
    memcpy(figures.blocks_text, blocks->text, sizeof figures.blocks_text);
    return sampler_timed(journal->sampler, &figures, error);
}

/*
 * Writes the row of a launch. The kernel's name is quoted, because names of C++ functions contain
 * commas.
 */
static void write_launch(const struct journal *journal, const struct journal_launch *row)
{
    FILE *file = journal->table.file;
    char sampled[64];
    const struct simsm_launch *l = &row->launch;
    (void)fprintf(file, "%llu,kernel,\"%s\",%u,%u,%u,%u,%u,%u,%u,%u,%d,",
                  (unsigned long long)row->number, row->title, l->grid[0], l->grid[1], l->grid[2],
                  l->block[0], l->block[1], l->block[2], l->registers,
                  l->shared_static + l->shared_dynamic, row->timed);
    if (journal_has_figures(row))
        (void)fprintf(file, "%llu,%.3f,%llu,%.4f,%.2f,%s,%.2f,", (unsigned long long)row->cycles,
                      row->ns, (unsigned long long)row->warp_instructions, row->ipc,
                      row->occupancy_percent, simsm_states[row->state].name, row->state_percent);
    else
        (void)fprintf(file, ",,%llu,,,,,", (unsigned long long)row->warp_instructions);
    (void)snprintf(sampled, sizeof sampled, ",%s,",
                   row->chosen ? sample_mark_names[row->mark] : "");
    if (row->like)
        (void)snprintf(sampled, sizeof sampled, ",%s,%llu", sample_mark_names[row->mark],
                       (unsigned long long)row->like);
    end_row(journal, sampled);
    (void)fflush(file);
}

void journal_end_launch(struct journal *journal, const struct journal_launch *row)
{
    summary_add_launch(&journal->summary, row);
    if (journal->table.file)
        write_launch(journal, row);
}

void journal_add_transfer(struct journal *journal, enum journal_transfer kind, uint64_t bytes,
                          double ns)
{
    summary_add_transfer(&journal->summary, kind, bytes, ns);
    if (!journal->table.file)
        return;
    (void)fprintf(journal->table.file, ",copy,%s,,,,,,,,,,,%.3f,,,,,,%llu",
                  journal_transfer_names[kind], ns, (unsigned long long)bytes);
    end_row(journal, ",,");
}
