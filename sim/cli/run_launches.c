/* Runs several launches of one file in order, with one report of all of them at the end. */
#include "cli/run_launches.h"
#include "input/front_open.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/outfile.h"
#include "cli/again_line.h"
#include "cli/run_kernel.h"
#include "cli/run_outputs.h"
#include "cli/signals.h"
#include "cuda/journal.h"
#include "cuda/outputs.h"
#include "input/front_launches.h"

enum { PATH_ROOM = 4096 };

/* The options of one launch: the command's options with numbered files and the launch's number.
 * Owns the two arrays of words that it extends. */
struct single_launch {
    struct run_options options;
    char timeline[PATH_ROOM];
    char parameter[32], spelled[32];
};

/* The launches of options->trace. */
struct launch_list {
    struct front_launches all;
    bool only; /* the file has a single launch, without a number */
};

static bool has_number(const struct run_options *options)
{
    for (size_t i = 0; i < options->parameters.count; i++) {
        if (strncmp(options->parameters.item[i], "launch=", strlen("launch=")) == 0)
            return true;
    }
    return false;
}

/* Returns an option that was given and needs a list of launches, such as --kernels; NULL if there
 * is none. */
static const char *launch_list_option(const struct run_options *options)
{
    if (options->kernels || options->launches)
        return options->kernels ? "--kernels" : "--launches";
    if (options->sample)
        return "--sample";
    return options->table ? "--table" : NULL;
}

/* Returns SIMSM_BAD_INPUT if --launch-number is given for a file without several launches. */
static enum simsm_status check_number(const struct run_options *options, struct simsm_error *error)
{
    struct front_launches launches = {0};
    if (!options->given.value[OPTION_launch_number])
        return SIMSM_OK;
    enum simsm_status status = front_launches_read(&launches, options->trace, error);
    const bool has_launches = launches.count > 0;
    front_launches_free(&launches);
    if (status != SIMSM_OK || has_launches)
        return status;
    return err_at(error, SIMSM_BAD_INPUT, options->trace, 0, 0,
                  "--launch-number needs a recording or a list of traces; this file is neither");
}

enum simsm_status run_launches_is_list(const struct run_options *options, bool *wanted,
                                       struct simsm_error *error)
{
    const char *given = launch_list_option(options);
    *wanted = false;
    if (has_number(options)) {
        if (!given)
            return check_number(options, error);
        return err_set(
            error, SIMSM_BAD_INPUT,
            "%s is for several launches, and --launch-number chooses one: leave one of them out",
            given);
    }
    struct front_launches launches;
    enum simsm_status status = front_launches_read(&launches, options->trace, error);
    const bool one_sampled = options->sample && !options->kernels && !options->launches;
    if (status == SIMSM_OK && given && !launches.count && !one_sampled)
        status = err_at(error, SIMSM_BAD_INPUT, options->trace, 0, 0,
                        "%s needs a recording or a list of traces; this file is neither", given);
    *wanted = status == SIMSM_OK && (launches.count > 1 || given);
    front_launches_free(&launches);
    return status;
}

static const char *numbered(const char *path, char room[PATH_ROOM], uint64_t number)
{
    if (!path)
        return NULL;
    outfile_numbered(room, PATH_ROOM, path, number);
    return room;
}

/* Returns a copy of `words` with `word` behind it. The copy does not own its words; .item is NULL
 * if memory runs out. */
static struct option_words append_word(const struct option_words *words, const char *word)
{
    struct option_words more = {calloc(words->count + 2, sizeof(char *)), words->count};
    if (!more.item)
        return more;
    if (words->count)
        memcpy((void *)more.item, words->item, words->count * sizeof(char *));
    more.item[more.count++] = word;
    return more;
}

/* Fills *one for launch `number`. `only`: the file has a single launch and takes no number. */
static enum simsm_status choose(struct single_launch *one, const struct run_options *all,
                                uint64_t number, bool only, struct simsm_error *error)
{
    one->options.json = one->options.csv = NULL; /* the journal writes them for all launches */
    one->options.timeline = numbered(all->timeline, one->timeline, number);
    (void)snprintf(one->parameter, sizeof one->parameter, "launch=%llu",
                   (unsigned long long)number);
    (void)snprintf(one->spelled, sizeof one->spelled, "--launch-number %llu",
                   (unsigned long long)number);
    if (only)
        return SIMSM_OK;
    one->options.parameters = append_word(&all->parameters, one->parameter);
    one->options.spelled = append_word(&all->spelled, one->spelled);
    return one->options.parameters.item && one->options.spelled.item ? SIMSM_OK
                                                                     : err_no_memory(error);
}

static void free_one(struct single_launch *one, const struct run_options *all)
{
    if (one->options.parameters.item != all->parameters.item)
        free((void *)one->options.parameters.item);
    if (one->options.spelled.item != all->spelled.item)
        free((void *)one->options.spelled.item);
}

/* Computes the signature of a launch without timing it, and decides with the journal whether to
 * time the launch (row->timed). */
static enum simsm_status sample(struct journal *journal, const struct run_options *options,
                                const struct simsm_config *config, struct sample_profile *profile,
                                struct block_sampler *blocks, struct journal_launch *row,
                                struct simsm_error *error)
{
    struct front *front;
    struct sample_signature signature;
    enum simsm_status status =
        front_open(&front, options->trace, config, options->parameters.item, error);
    if (status != SIMSM_OK)
        return status;
    front_stop_when(front, signals_first);
    status = sample_sign(front, &signature, profile, error);
    front_close(front);
    block_sampler_begin(blocks, profile,
                        signature.known ? NULL : sample_reason_texts[SAMPLE_UNKNOWN]);
    return status == SIMSM_OK ? journal_choose_sample(journal, row, &signature, error) : status;
}

static enum simsm_status run_one(struct journal *journal, const struct run_options *options,
                                 const struct simsm_config *config, const char *command_line,
                                 bool only, struct journal_launch *row, struct simsm_error *error)
{
    struct single_launch one = {.options = *options};
    struct sample_profile profile;
    struct block_sampler blocks;
    const bool sampled = journal_sampler(journal) != NULL;
    enum simsm_status status = choose(&one, options, row->number, only, error);
    if (status == SIMSM_OK)
        status = run_outputs_check(&one.options, NULL, error);
    if (status == SIMSM_OK && sampled)
        status = sample(journal, &one.options, config, &profile, &blocks, row, error);
    if (status == SIMSM_OK && row->timed)
        status = run_kernel(&one.options, config, command_line, sampled ? &blocks : NULL, journal,
                            row, error);
    if (status == SIMSM_OK && row->timed && sampled)
        status = journal_add_sampled(journal, row, &blocks.outcome, error);
    free_one(&one, options);
    return status;
}

/* Converts the options about several launches to settings for the journal. */
static enum simsm_status make_settings(const struct run_options *options, const char *again,
                                       struct settings *settings, struct simsm_error *error)
{
    const struct {
        enum setting_id id;
        const char *text;
    } given[] = {{SETTING_ID_kernels, options->kernels},
                 {SETTING_ID_launches, options->launches},
                 {SETTING_ID_table, options->table},
                 {SETTING_ID_json, options->json},
                 {SETTING_ID_csv, options->csv},
                 {SETTING_ID_color, options->colour},
                 {SETTING_ID_ascii, options->ascii ? "1" : NULL},
                 {SETTING_ID_full, options->full ? "1" : NULL},
                 {SETTING_ID_again, again},
                 {SETTING_ID_sample, options->sample ? "1" : NULL},
                 {SETTING_ID_quiet, options->quiet ? "1" : NULL}};
    enum simsm_status status = SIMSM_OK;
    settings_begin(settings);
    for (size_t i = 0; i < sizeof given / sizeof given[0] && status == SIMSM_OK; i++) {
        if (given[i].text)
            status = settings_set(settings, given[i].id, given[i].text, error);
    }
    return status;
}

static enum simsm_status run_chosen(const struct run_options *options,
                                    const struct simsm_config *config, const char *command_line,
                                    struct journal *journal, const struct launch_list *launches,
                                    struct simsm_error *error)
{
    enum simsm_status worst = SIMSM_OK;
    bool chosen = false;
    for (uint32_t i = 0; i < launches->all.count; i++) {
        struct journal_launch row;
        journal_begin_launch(journal, &launches->all.launch[i], &row);
        if (!row.timed)
            continue;
        chosen = true;
        enum simsm_status status =
            run_one(journal, options, config, command_line, launches->only, &row, error);
        if (row.cycles || row.digest)
            journal_end_launch(journal, &row);
        if (status != SIMSM_OK && status != SIMSM_LIMIT)
            return status;
        worst = status == SIMSM_OK ? worst : status;
    }
    if (chosen)
        return worst;
    return err_at(
        error, SIMSM_BAD_INPUT, options->trace, 0, 0,
        "--kernels and --launches choose none of its %u launches; `simsm trace info` lists them",
        launches->all.count);
}

/* Makes a list of one launch for a file without launch numbers, such as a text trace. */
static enum simsm_status read_only(struct launch_list *launches, const struct run_options *options,
                                   const struct simsm_config *config, struct simsm_error *error)
{
    struct front *front;
    enum simsm_status status =
        front_open(&front, options->trace, config, options->parameters.item, error);
    if (status != SIMSM_OK)
        return status;
    launches->only = true;
    launches->all.launch = calloc(1, sizeof *launches->all.launch);
    if (launches->all.launch)
        launches->all.launch[launches->all.count++] = front->launch;
    front_close(front);
    return launches->all.launch ? SIMSM_OK : err_no_memory(error);
}

enum simsm_status run_launches(const struct run_options *options, const struct simsm_config *config,
                               const char *command_line, struct simsm_error *error)
{
    struct launch_list launches = {.only = false};
    struct settings settings;
    struct journal *journal = NULL;
    char *again = again_line("simsm", options->config, options->trace, &options->spelled, NULL);
    enum simsm_status status = make_settings(options, again, &settings, error);
    if (status == SIMSM_OK)
        status = front_launches_read(&launches.all, options->trace, error);
    if (status == SIMSM_OK && !launches.all.count)
        status = read_only(&launches, options, config, error);
    if (status != SIMSM_OK) {
        free(again);
        return status;
    }
    status = journal_open(&journal, &settings, config, stdout, error);
    if (status == SIMSM_OK)
        status = run_chosen(options, config, command_line, journal, &launches, error);
    struct simsm_error second;
    const bool good = status == SIMSM_OK || status == SIMSM_LIMIT;
    enum simsm_status closed = journal_close(journal, good ? error : &second);
    front_launches_free(&launches.all);
    free(again);
    return good && closed != SIMSM_OK ? closed : status;
}
