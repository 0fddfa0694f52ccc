/* Takes the options of the table from a command line, and checks them one by one. */
#include "cli/given_options.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command_parser.h"
#include "plugin/plugin.h"

/* Appends the concatenation of three texts to `words`. Ends the program if memory runs out. */
static void add(struct argp_state *state, struct option_words *words, const char *before,
                const char *between, const char *text)
{
    const size_t size = strlen(before) + strlen(between) + strlen(text) + 1;
    const char **list = realloc((void *)words->item, (words->count + 2) * sizeof *list);
    char *word = malloc(size);
    if (list)
        words->item = list;
    if (!list || !word) {
        free(word);
        argp_failure(state, SIMSM_FAILED, 0, "out of memory");
        return;
    }
    (void)snprintf(word, size, "%s%s%s", before, between, text);
    list[words->count++] = word;
    list[words->count] = NULL;
}

struct policy_settings {
    struct given_options *given;
    struct argp_state *state;
};

static void add_policy_setting(void *context, const char *key, const char *value)
{
    const struct policy_settings *choosing = context;
    add(choosing->state, &choosing->given->settings, key, "=", value);
}

/* Selects all policies of a plugin, as one --set for each of them would. */
static void take_policy(struct given_options *given, const char *name, struct argp_state *state)
{
    struct policy_settings choosing = {given, state};
    struct simsm_error error;
    if (plugin_choices(name, add_policy_setting, &choosing, &error) != SIMSM_OK)
        argp_failure(state, SIMSM_BAD_INPUT, 0, "%s", error.message);
}

/* Refuses two options that set the same key of the configuration, such as --fast and --memory. */
static void check_key(const struct given_options *given, enum option_id id,
                      struct argp_state *state)
{
    const char *prefix = option_rows[id].prefix;
    const size_t length = strcspn(prefix ? prefix : "", "=");
    for (enum option_id other = 0; other < OPTION_COUNT && prefix && prefix[length]; other++)
        if (other != id && given->value[other] && option_rows[other].kind == OPTION_KIND_ASSIGN &&
            option_rows[other].prefix &&
            strncmp(prefix, option_rows[other].prefix, length + 1) == 0)
            argp_error(state, "--%s and --%s both set %.*s: leave one of them out",
                       option_rows[other].option, option_rows[id].option, (int)length, prefix);
}

/* Refuses a second value for an option that takes one value, and an empty value. */
static void check_once(const struct given_options *given, enum option_id id, const char *text,
                       struct argp_state *state)
{
    const struct option_row *row = &option_rows[id];
    if (given->value[id])
        argp_error(state, "--%s is given twice: '%s' and '%s'", row->option, given->value[id],
                   text);
    if (!*text)
        argp_error(state, "--%s: expected %s, found nothing", row->option,
                   row->kind == OPTION_KIND_PATH ? "the name of a file" : row->argument);
}

static void check_number(const char *text, struct argp_state *state)
{
    char *end;
    const unsigned long number = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || !number || number > INT32_MAX)
        argp_error(state, "--launch-number: expected the number of a launch, from 1, found '%s'",
                   text);
}

static bool is_repeatable(const struct option_row *row)
{
    return row->kind == OPTION_KIND_FLAG || !row->argument ||
           ((row->kind == OPTION_KIND_ASSIGN || row->kind == OPTION_KIND_PARAMETER) &&
            !strchr(row->prefix ? row->prefix : "", '='));
}

/* Records an option that changes the results of the run, as it was written, for the report. */
static void record_spelling(struct given_options *given, enum option_id id, const char *text,
                            struct argp_state *state)
{
    char name[64];
    const char *argument = option_rows[id].argument;
    (void)snprintf(name, sizeof name, "--%s", option_rows[id].option);
    add(state, &given->spelled, name, argument ? " " : "", argument ? text : "");
}

error_t given_options_take(struct given_options *given, int key, char *text,
                           struct argp_state *state)
{
    const enum option_id id = command_parser_row(given->takes, key);
    if (id == OPTION_COUNT)
        return ARGP_ERR_UNKNOWN;
    const struct option_row *row = &option_rows[id];
    struct settings scratch;
    struct simsm_error error;
    const char *value = text ? text : row->kind == OPTION_KIND_OPTIONAL_PATH ? "-" : "";
    if (!is_repeatable(row))
        check_once(given, id, value, state);
    if (id == OPTION_launch_number)
        check_number(value, state);
    if (row->variable && settings_set(&scratch, (enum setting_id)id, value, &error) != SIMSM_OK)
        argp_error(state, "%s", error.message);
    if (row->kind == OPTION_KIND_ASSIGN) {
        check_key(given, id, state);
        add(state, &given->settings, row->prefix ? row->prefix : "", "", value);
    } else if (row->kind == OPTION_KIND_PARAMETER) {
        add(state, &given->parameters, row->prefix, "", value);
    } else if (row->kind == OPTION_KIND_POLICY) {
        take_policy(given, value, state);
    }
    if (row->kind >= OPTION_KIND_ASSIGN || id == OPTION_cycle_limit)
        record_spelling(given, id, value, state);
    given->value[id] = row->kind == OPTION_KIND_FLAG ? "1" : value;
    return 0;
}

enum simsm_status given_options_settings(const struct given_options *given,
                                         struct settings *settings, struct simsm_error *error)
{
    enum simsm_status status = SIMSM_OK;
    settings_begin(settings);
    for (unsigned id = 0; id < SETTING_ID_COUNT && status == SIMSM_OK; id++)
        if (given->value[id])
            status = settings_set(settings, (enum setting_id)id, given->value[id], error);
    return status == SIMSM_OK ? settings_check(settings, error) : status;
}

static void free_words(struct option_words *words)
{
    for (size_t i = 0; i < words->count; i++)
        free((void *)words->item[i]);
    free((void *)words->item);
}

void given_options_free(struct given_options *given)
{
    free_words(&given->settings);
    free_words(&given->parameters);
    free_words(&given->spelled);
    *given = (struct given_options){.takes = given->takes};
}
