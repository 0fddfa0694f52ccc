/* Simulates what `simsm diff` and `simsm check-speed` compare. */
#include "cli/diff_inputs.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/companion.h"
#include "base/err.h"
#include "base/printable.h"
#include "cli/signals.h"

enum { FOLDER_ROOM = 2048, PATH_ROOM = 4096 };

/* A list of words for a command line. It owns no word. */
struct word_list {
    const char **item; /* ends with NULL */
    size_t count, room;
};

static void add_word(struct word_list *list, const char *word)
{
    if (list->count + 1 < list->room)
        list->item[list->count++] = word;
}

/* Adds the options of the table that are given: assignments as --set, others as they are named. */
static void add_options(struct word_list *list, const struct given_options *given, char **owned)
{
    for (size_t i = 0; i < given->settings.count; i++) {
        add_word(list, "--set");
        add_word(list, given->settings.item[i]);
    }
    for (size_t i = 0; i < given->parameters.count; i++) {
        add_word(list, "--param");
        add_word(list, given->parameters.item[i]);
    }
    for (enum option_id id = 0; id < OPTION_COUNT; id++) {
        const enum option_kind kind = option_rows[id].kind;
        if (!given->value[id] || kind >= OPTION_KIND_ASSIGN)
            continue;
        const size_t size = strlen(option_rows[id].option) + 3;
        owned[id] = malloc(size);
        if (!owned[id])
            continue;
        (void)snprintf(owned[id], size, "--%s", option_rows[id].option);
        add_word(list, owned[id]);
        if (kind != OPTION_KIND_FLAG)
            add_word(list, given->value[id]);
    }
}

/* Runs simsm with the words and waits for its end. */
static enum simsm_status run(const struct diff_subject *subject, const struct word_list *list,
                             struct simsm_error *error)
{
    struct companion companion;
    int result = 0;
    enum simsm_status status =
        companion_start(&companion, "simsm", list->item,
                        subject->program ? STDERR_FILENO : COMPANION_SILENT, STDERR_FILENO, error);
    if (status != SIMSM_OK)
        return status;
    status = companion_wait(&companion, signals_first, &result);
    if (status != SIMSM_OK)
        return err_set(error, status, "%s", "");
    if (result == 0)
        return SIMSM_OK;
    char name[256];
    diff_inputs_name(subject, name, sizeof name);
    return err_set(error, result == SIMSM_BAD_INPUT ? SIMSM_BAD_INPUT : SIMSM_FAILED,
                   "%s ended with status %d, so there is nothing to compare", name, result);
}

static enum simsm_status simulate_into(const char *folder, const struct diff_subject *subject,
                                       const struct given_options *given, struct simsm_error *error)
{
    char json[PATH_ROOM];
    char *owned[OPTION_COUNT] = {NULL};
    struct word_list list = {.room = 16 + 2 * given->settings.count + 2 * given->parameters.count +
                                     2 * (size_t)OPTION_COUNT + (size_t)subject->count};
    (void)snprintf(json, sizeof json, "%s/run.json", folder);
    list.item = calloc(list.room, sizeof *list.item);
    if (!list.item)
        return err_no_memory(error);
    if (subject->program)
        add_word(&list, "run");
    add_word(&list, subject->config);
    add_word(&list, "--quiet");
    add_word(&list, "--json");
    add_word(&list, json);
    add_options(&list, given, owned);
    add_word(&list, "--");
    for (int i = 0; i < subject->count; i++)
        add_word(&list, subject->words[i]);
    enum simsm_status status = run(subject, &list, error);
    for (size_t i = 0; i < OPTION_COUNT; i++)
        free(owned[i]);
    free((void *)list.item);
    return status;
}

static void remove_folder(const char *folder)
{
    DIR *entries = opendir(folder);
    for (const struct dirent *entry; entries && (entry = readdir(entries));) {
        char path[PATH_ROOM];
        (void)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        (void)unlink(path); /* "." and ".." fail */
    }
    if (entries)
        (void)closedir(entries);
    (void)rmdir(folder);
}

enum simsm_status diff_inputs_simulate(struct diff_run *run_of, const struct diff_subject *subject,
                                       const struct given_options *given, const regex_t *only,
                                       struct simsm_error *error)
{
    const char *base = getenv("TMPDIR");
    char folder[FOLDER_ROOM];
    (void)snprintf(folder, sizeof folder, "%s/simsm-diff-XXXXXX", base && *base ? base : "/tmp");
    if (!mkdtemp(folder))
        return err_set(error, SIMSM_FAILED,
                       "cannot make a folder for the figures of a run: %s; set TMPDIR to a folder "
                       "that can be written to",
                       strerror(errno));
    enum simsm_status status = simulate_into(folder, subject, given, error);
    if (status == SIMSM_OK)
        status = diff_run_read(run_of, folder, only, error);
    if (status == SIMSM_BAD_INPUT && error->file[0] && !run_of->kernels) {
        char name[256];
        diff_inputs_name(subject, name, sizeof name);
        (void)snprintf(error->file, sizeof error->file, "%s", name);
    }
    remove_folder(folder);
    return status;
}

const char *diff_inputs_option(const struct given_options *given)
{
    for (enum option_id id = 0; id < OPTION_COUNT; id++)
        if (given->value[id])
            return option_rows[id].option;
    return NULL;
}

void diff_inputs_name(const struct diff_subject *subject, char *name, size_t size)
{
    size_t used = 0;
    name[0] = '\0';
    for (int i = 0; i < subject->count && used < size; i++) {
        const int n = snprintf(name + used, size - used, "%s%s", i ? " " : "", subject->words[i]);
        used += n > 0 ? (size_t)n : 0;
    }
    (void)printable(name, name, size);
}

double diff_inputs_share(const char *option, const char *text, struct argp_state *state)
{
    char *end;
    const double percent = strtod(text, &end);
    const bool number = end != text && percent >= 0 && percent <= 1000;
    end += strspn(end, " ");
    if (!number || (*end && strcmp(end, "%") != 0))
        argp_error(state, "--%s: expected a percentage from 0 to 1000, such as 5%%, found '%s'",
                   option, text);
    return percent / 100;
}

void diff_inputs_pattern(const char *option, const char *text, regex_t *pattern,
                         struct argp_state *state)
{
    const int wrong = regcomp(pattern, text, REG_EXTENDED | REG_NOSUB);
    if (wrong) {
        char why[128];
        (void)regerror(wrong, pattern, why, sizeof why);
        argp_error(state, "--%s: '%s' is no regular expression: %s", option, text, why);
    }
}
