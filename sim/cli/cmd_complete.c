/* `simsm complete`: completions of a command line for shells, from the tables of the parsers. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "config/config_files.h"
#include "config/schema.h"
#include "report/metrics.h"
#include "simsm/simsm.h"

/* The word to complete. `before` is the unchanged part, such as "--json=" in "--json=x"; `begin` is
 * the part that is completed. */
struct completion_word {
    const char *before, *begin;
    int before_length;
};

static void offer(const struct completion_word *word, const char *text, const char *behind,
                  const char *help)
{
    if (strncmp(text, word->begin, strlen(word->begin)) == 0)
        (void)printf("%.*s%s%s\t%s\n", word->before_length, word->before, text, behind, help);
}

/* Offers a configuration, unless an earlier folder has a configuration of the same name. */
static void offer_config(const char *name, const char *path, void *word)
{
    char found[CONFIG_PATH];
    struct simsm_error error;
    if (config_files_find(name, found, &error) == SIMSM_OK && strcmp(found, path) == 0)
        offer(word, name, "", "a configuration");
}

static void offer_commands(const struct completion_word *word)
{
    for (const struct command *c = commands; c->name; c++)
        offer(word, c->name, "", c->summary);
}

/* Offers the keys of the configuration; after KEY= the values of the key. */
static void offer_keys(const struct completion_word *word)
{
    char path[SCHEMA_PATH];
    const size_t key = strcspn(word->begin, "="); /* length of the key */
    for (int i = 0; i < SCHEMA_ROWS; i++) {
        const struct schema_row *row = &schema_rows[i];
        (void)schema_path(row, path);
        if (!word->begin[key]) {
            offer(word, path, "=", "");
            continue;
        }
        const struct completion_word value = {word->before, word->begin + key + 1,
                                              (int)(word->begin + key + 1 - word->before)};
        if (strlen(path) == key && strncmp(path, word->begin, key) == 0)
            for (const struct schema_choice *c = row->choices; c && c->name; c++)
                offer(&value, c->name, "", c->meaning);
    }
}

static void offer_metrics(const struct completion_word *word)
{
    struct simsm_metric metrics[METRIC_COUNT];
    metrics_describe(metrics);
    for (unsigned i = 0; i < METRIC_COUNT; i++)
        offer(word, metrics[i].name, "", metrics[i].unit);
    for (unsigned i = 0; i < SIMSM_COUNTER_COUNT; i++)
        offer(word, simsm_counters[i].name, "", simsm_counters[i].unit);
}

static void offer_files(const struct completion_word *word)
{
    (void)word;
    (void)puts("@files");
}

static void offer_configs(const struct completion_word *word)
{
    config_files_each(offer_config, (void *)word);
    if (strchr(word->begin, '/') || *word->begin == '.')
        offer_files(word);
}

/* Offers one alternative of an argument (the alternatives stand between '|'). An alternative in
 * capitals is a kind, such as FILE; one in small letters is offered as it is. */
static void offer_alternative(const struct completion_word *word, const char *text)
{
    static const struct {
        const char *begin;
        void (*offer)(const struct completion_word *word);
    } kinds[] = {{"FILE", offer_files},      {"DIR", offer_files},      {"PLUGIN", offer_files},
                 {"NCU", offer_files},       {"INPUT", offer_files},    {"SPEC", offer_files},
                 {"RUN", offer_files},       {"TRACE", offer_files},    {"PROGRAM", offer_files},
                 {"KEY", offer_keys},        {"CONFIG", offer_configs}, {"METRIC", offer_metrics},
                 {"COMMAND", offer_commands}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strncmp(text, kinds[i].begin, strlen(kinds[i].begin)) == 0)
            kinds[i].offer(word);
    if (*text >= 'a' && *text <= 'z')
        offer(word, text, "", "");
}

/* Offers all alternatives of the argument that --help shows, such as "FILE.smtr" or "cold|warm". */
static void offer_argument(const struct completion_word *word, const char *argument)
{
    char text[64];
    while (*argument && *argument != ' ') {
        const size_t length = strcspn(argument, "| ");
        (void)snprintf(text, sizeof text, "%.*s", (int)length, argument);
        offer_alternative(word, text);
        argument += length + (argument[length] == '|');
    }
}

static bool is_end(const struct argp_option *o)
{
    return !o->name && !o->doc && !o->key;
}

static void offer_options(const struct completion_word *word, const struct argp_option *options)
{
    char name[64];
    for (const struct argp_option *o = options; o && !is_end(o); o++) {
        (void)snprintf(name, sizeof name, "--%s", o->name ? o->name : "");
        if (o->name)
            offer(word, name, "", o->doc);
    }
    offer(word, "--help", "", "what the command does and its options");
}

/* Returns the option that the first `length` characters of `word` name; NULL if there is none. */
static const struct argp_option *find_option(const struct argp_option *options, const char *word,
                                             size_t length)
{
    const struct argp_option *o = options;
    const bool is_long = length > 2 && strncmp(word, "--", 2) == 0;
    for (; o && !is_end(o); o++)
        if ((is_long && o->name && strlen(o->name) == length - 2 &&
             strncmp(o->name, word + 2, length - 2) == 0) ||
            (!is_long && length == 2 && word[0] == '-' && o->key == word[1]))
            return o;
    return NULL;
}

static bool takes_next_word(const struct argp_option *o)
{
    return o && o->arg && !(o->flags & OPTION_ARG_OPTIONAL);
}

/* Returns the position of the last word among the words that are neither options nor their values.
 * `words` are the arguments of a command. */
static int place_of_last(const struct argp_option *options, int count, char **words)
{
    int place = 0;
    for (int i = 0; i + 1 < count; i++) {
        if (takes_next_word(find_option(options, words[i], strlen(words[i]))))
            i++;
        else if (words[i][0] != '-')
            place++;
    }
    return place;
}

/* Offers the argument at position `place` of the command. The last argument may be repeated. */
static void offer_place(const struct completion_word *word, const char *arguments, int place)
{
    const char *space;
    for (; place > 0 && (space = strchr(arguments, ' ')); place--)
        arguments = space + 1;
    offer_argument(word, arguments);
}

/* Returns whether the last word is an argument of the program that the command line starts. */
static bool is_of_program(const struct command *command, int place, int count, char **words)
{
    bool marked = false;
    for (int i = 0; i + 1 < count; i++)
        marked = marked || strcmp(words[i], "--") == 0;
    return marked || (strstr(command->arguments, "PROGRAM") && place > 1);
}

/* Completes the last of `words`, which are the arguments of `command`. */
static void complete(const struct command *command, int count, char **words)
{
    struct argp_option *options = command->parser ? command_parser_options(command->parser) : NULL;
    const char *last = words[count - 1], *equals = strchr(last, '=');
    const struct completion_word word = {last, last, 0};
    const struct argp_option *before =
        count > 1 ? find_option(options, words[count - 2], strlen(words[count - 2])) : NULL;
    const struct argp_option *of_word =
        equals ? find_option(options, last, (size_t)(equals - last)) : NULL;
    const int place = place_of_last(options, count, words);
    if (is_of_program(command, place, count, words)) {
        offer_files(&word);
    } else if (takes_next_word(before)) {
        offer_argument(&word, before->arg);
    } else if (of_word && of_word->arg) {
        const struct completion_word value = {last, equals + 1, (int)(equals + 1 - last)};
        offer_argument(&value, of_word->arg);
    } else if (*last == '-') {
        offer_options(&word, options);
    } else {
        offer_place(&word, command->arguments, place);
    }
    free(options);
}

struct complete_request {
    int count;
    char **words;
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct complete_request *request = state->input;
    (void)text;
    if (key != ARGP_KEY_ARG)
        return ARGP_ERR_UNKNOWN;
    request->words = &state->argv[state->next - 1];
    request->count = state->argc - state->next + 1;
    state->next = state->argc;
    return 0;
}

const struct command_parser complete_parser = {
    .argp = {.parser = parse,
             .args_doc = "-- [WORD...]",
             .doc = "Prints the possible completions of the last WORD of a command line, each "
                    "followed by a tab and its meaning; @files stands for file names. The "
                    "completions of bash, zsh and fish call this command. WORDs are the words "
                    "after `simsm`; the last WORD may be empty."},
};

int cmd_complete(int argc, char **argv)
{
    static const struct command simulate = {"", "CONFIG TRACE", "", cmd_simulate, &simulate_parser};
    struct complete_request request = {0};
    command_parser_run(&complete_parser, argc, argv, ARGP_IN_ORDER, &request);
    const struct command *command = request.count > 1 ? cli_find_command(request.words[0]) : NULL;
    if (request.count == 1 && *request.words[0] != '-')
        offer_commands(&(struct completion_word){request.words[0], request.words[0], 0});
    if (command)
        complete(command, request.count - 1, request.words + 1);
    else if (request.count)
        complete(&simulate, request.count, request.words);
    return cli_finish(SIMSM_OK);
}
