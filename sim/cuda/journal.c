/*
 * The journal of a program: numbers and chooses launches, writes the table, sums up for the
 * summary.
 */
#include "cuda/journal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/outfile.h"
#include "cuda/kernel_title.h"
#include "cuda/summary.h"
#include "cuda/transfer_times.h"
#include "export/export.h"
#include "options/launch_choice.h"
#include "report/metrics.h"
#include "report/report.h"

struct journal {
    const struct settings *settings;
    FILE *file; /* reports; NULL: none (--quiet) */
    struct report_style style;
    struct outfile report, table, json, csv;
    double ns; /* of all launches */
    struct launch_choice choice;
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
static void end_row(const struct journal *journal, const char *sampled, const char *range)
{
    const bool samples = setting_flag(journal->settings, SETTING_ID_sample);
    (void)fprintf(journal->table.file, "%s,%s\n", samples ? sampled : "", range);
}

/* Opens the files of the whole program that were asked for. */
static enum simsm_status open_asked(struct journal *journal, struct simsm_error *error)
{
    const struct {
        enum setting_id id;
        struct outfile *file;
    } files[] = {{SETTING_ID_report, &journal->report},
                 {SETTING_ID_table, &journal->table},
                 {SETTING_ID_json, &journal->json},
                 {SETTING_ID_csv, &journal->csv}};
    enum simsm_status status = SIMSM_OK;
    for (size_t i = 0; i < sizeof files / sizeof files[0] && status == SIMSM_OK; i++) {
        const char *path = setting_text(journal->settings, files[i].id);
        if (path)
            status = outfile_open(files[i].file, path, error);
    }
    return status;
}

static enum simsm_status open_files(struct journal *journal, FILE *reports,
                                    struct simsm_error *error)
{
    const char *report = setting_text(journal->settings, SETTING_ID_report);
    const enum simsm_status status = open_asked(journal, error);
    if (status != SIMSM_OK)
        return status;
    /* Of launches that are recorded there are no figures to report beside those of the recording.
     */
    const bool recorded = setting_text(journal->settings, SETTING_ID_record) && !report;
    if (!setting_flag(journal->settings, SETTING_ID_quiet) && !recorded)
        journal->file = report ? journal->report.file : reports;
    if (journal->file)
        journal->style =
            report_style_of(journal->file, setting_flag(journal->settings, SETTING_ID_full),
                            setting_flag(journal->settings, SETTING_ID_ascii),
                            setting_text(journal->settings, SETTING_ID_color));
    if (journal->csv.file)
        export_csv_header(journal->csv.file);
    if (journal->table.file)
        (void)fputs("number,what,name,grid_x,grid_y,grid_z,block_x,block_y,block_z,registers,"
                    "shared_bytes,timed,cycles,ns,warp_instructions,ipc,occupancy_percent,state,"
                    "state_percent,bytes,call,alone",
                    journal->table.file);
    if (journal->table.file)
        end_row(journal, ",mark,same_as", "range");
    return SIMSM_OK;
}

/* Creates the sampler, and the file NAME.sample.json beside the file of --json. */
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
    if (outfile_is_stdout(json))
        return err_set(error, SIMSM_BAD_INPUT,
                       "--json -: --sample writes a second file beside it; name a file");
    const size_t length = strlen(json);
    const char *slash = strrchr(json, '/'), *dot = strrchr(slash ? slash : json, '.');
    const size_t stem = dot && strncmp(dot, ".json", 5) == 0 ? (size_t)(dot - json) : length;
    if (snprintf(path, sizeof path, "%.*s.sample.json", (int)stem, json) >= (int)sizeof path)
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
    made->summary.again = setting_text(settings, SETTING_ID_again);
    enum simsm_status status =
        launch_choice_read(&made->choice, setting_text(settings, SETTING_ID_kernels),
                           setting_text(settings, SETTING_ID_launches), error);
    if (status == SIMSM_OK)
        status = open_files(made, reports, error);
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

/* Commits all files. Returns the first failure, with its message. */
static enum simsm_status commit_files(struct journal *journal, struct simsm_error *error)
{
    struct outfile *const files[] = {&journal->report, &journal->table, &journal->json,
                                     &journal->csv};
    enum simsm_status first = SIMSM_OK;
    struct simsm_error second;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        if (!files[i]->file)
            continue;
        const enum simsm_status status =
            outfile_commit(files[i], first == SIMSM_OK ? error : &second);
        first = first == SIMSM_OK ? status : first;
    }
    const enum simsm_status sample = write_sample(journal, first == SIMSM_OK ? error : &second);
    return first == SIMSM_OK ? sample : first;
}

enum simsm_status journal_close(struct journal *journal, struct simsm_error *error)
{
    if (!journal)
        return SIMSM_OK;
    if (journal->file) {
        summary_print(&journal->summary, &journal->style, journal->file);
        if (journal->sampler)
            sampler_print(journal->sampler, journal->file);
        (void)fflush(journal->file);
    }
    const enum simsm_status status = commit_files(journal, error);
    sampler_free(journal->sampler);
    launch_choice_free(&journal->choice);
    summary_free(&journal->summary);
    free(journal);
    return status;
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

bool journal_is_full(const struct journal *journal)
{
    return journal->file && journal->style.full;
}

double journal_ns(const struct journal *journal)
{
    return journal->ns;
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

uint32_t journal_range(struct journal *journal)
{
    return ranges_now(&journal->summary.ranges);
}

void journal_begin_launch(struct journal *journal, const struct simsm_launch *launch,
                          struct journal_launch *row)
{
    *row = (struct journal_launch){.number = ++journal->launches, .launch = *launch};
    journal_set_title(row, row->launch.name, row->launch.name);
    row->range = journal_range(journal);
    row->chosen = launch_choice_takes(&journal->choice, row->number, row->launch.name);
    journal->any_chosen |= row->chosen;
    row->timed = row->chosen && !setting_flag(journal->settings, SETTING_ID_functional);
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
    const double all = (double)metrics_resident_cycles(stats);
    row->state = metrics_main_state(stats);
    row->state_percent = all > 0 ? 100 * (double)stats->states[row->state] / all : 0;
}

enum simsm_status journal_add_figures(struct journal *journal, struct journal_launch *row,
                                      const struct run_info *info, const struct simsm_stats *stats,
                                      struct simsm_error *error)
{
    char range[256];
    struct run_info whole = *info;
    whole.number = row->number;
    whole.range = ranges_path(&journal->summary.ranges, row->range, range, sizeof range);
    if (journal_is_full(journal)) {
        report_print(journal->file, &whole, stats, journal->style.ascii);
        (void)fputc('\n', journal->file);
        (void)fflush(journal->file);
    }
    if (journal->file && (row->digest = malloc(sizeof *row->digest)) != NULL)
        digest_make(row->digest, &whole, stats);
    if (journal->csv.file)
        (void)export_csv_launch(journal->csv.file, &whole, stats, error);
    return journal->json.file ? export_json_line(journal->json.file, &whole, stats, error)
                              : SIMSM_OK;
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

/* Writes a text as a field of CSV. */
static void quote(const char *text, char *field)
{
    *field++ = '"';
    for (; *text; text++) {
        if (*text == '"')
            *field++ = '"';
        *field++ = *text;
    }
    *field++ = '"';
    *field = '\0';
}

enum { RANGE_PATH = 256, RANGE_FIELD = 2 * RANGE_PATH + 3 };

/* Writes the path of a range as a field of the table, empty for number 0. Returns `field`. */
static const char *range_field(const struct journal *journal, uint32_t range,
                               char field[RANGE_FIELD])
{
    char path[RANGE_PATH];
    field[0] = '\0';
    if (ranges_path(&journal->summary.ranges, range, path, sizeof path))
        quote(path, field);
    return field;
}

/*
 * Writes the row of a launch. The kernel's name is quoted, because names of C++ functions contain
 * commas.
 */
static void write_launch(const struct journal *journal, const struct journal_launch *row)
{
    FILE *file = journal->table.file;
    char sampled[64], range[RANGE_FIELD];
    const struct simsm_launch *l = &row->launch;
    (void)fprintf(file, "%llu,kernel,\"%s\",%u,%u,%u,%u,%u,%u,%u,%u,%d,",
                  (unsigned long long)row->number, row->title, l->grid[0], l->grid[1], l->grid[2],
                  l->block[0], l->block[1], l->block[2], l->registers,
                  l->shared_static + l->shared_dynamic, row->timed);
    if (journal_has_figures(row))
        (void)fprintf(file, "%llu,%.3f,%llu,%.4f,%.2f,%s,%.2f,,,", (unsigned long long)row->cycles,
                      row->ns, (unsigned long long)row->warp_instructions, row->ipc,
                      row->occupancy_percent, simsm_states[row->state].name, row->state_percent);
    else
        (void)fprintf(file, ",,%llu,,,,,,,", (unsigned long long)row->warp_instructions);
    (void)snprintf(sampled, sizeof sampled, ",%s,",
                   row->chosen ? sample_mark_names[row->mark] : "");
    if (row->like)
        (void)snprintf(sampled, sizeof sampled, ",%s,%llu", sample_mark_names[row->mark],
                       (unsigned long long)row->like);
    end_row(journal, sampled, range_field(journal, row->range, range));
    (void)fflush(file);
}

/* Corrects the short report of a launch of which only some blocks were timed. */
static void extrapolate_digest(const struct journal_launch *row)
{
    struct digest *digest = row->digest;
    digest->cycles = row->cycles;
    digest->ns = row->ns;
    (void)snprintf(digest->interrupted, sizeof digest->interrupted,
                   "%llu of %llu blocks were timed (--sample): the time is extrapolated, the other "
                   "figures cover these blocks",
                   (unsigned long long)row->blocks_timed,
                   (unsigned long long)simsm_grid_blocks(&row->launch));
}

void journal_end_launch(struct journal *journal, struct journal_launch *row)
{
    if (row->digest && row->mark == SAMPLE_BLOCKS)
        extrapolate_digest(row);
    journal->ns += row->ns;
    summary_add_launch(&journal->summary, row);
    if (journal->table.file)
        write_launch(journal, row);
}

void journal_add_shares(struct journal *journal, const struct activity_shares *shares)
{
    journal->summary.shares = *shares;
}

void journal_add_transfer(struct journal *journal, const struct transfer *transfer, double ns,
                          uint32_t range)
{
    char quoted[RANGE_FIELD];
    struct copy_row copy = {.to_device = transfer->kind == TRANSFER_HOST_TO_DEVICE,
                            .alone = transfer->alone,
                            .bytes = transfer->bytes,
                            .ns = ns};
    (void)snprintf(copy.call, sizeof copy.call, "%s", transfer->call);
    (void)snprintf(copy.what, sizeof copy.what, "%s", journal_transfer_names[transfer->kind]);
    summary_add_transfer(&journal->summary, transfer->kind, transfer->bytes, ns, range);
    journal->summary.failed |= !copy_overlap_add(&journal->summary.overlap, &copy);
    if (!journal->table.file)
        return;
    (void)fprintf(journal->table.file, ",copy,%s,,,,,,,,,,,%.3f,,,,,,%llu,%s,%s", copy.what, ns,
                  (unsigned long long)copy.bytes, copy.call, copy_alone_names[copy.alone]);
    end_row(journal, ",,", range_field(journal, range, quoted));
}
