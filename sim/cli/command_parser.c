/* Gives argp the options of a command: its own, and its rows of the table of options. */
#include "cli/command_parser.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/suggest.h"
#include "language/language.h"
#include "simsm/error.h"

static int key_of(enum option_id id)
{
    return option_rows[id].letter ? option_rows[id].letter : PARSER_KEY + (int)id;
}

enum option_id command_parser_row(unsigned takes, int key)
{
    enum option_id id = 0;
    while (id < OPTION_COUNT && (!(option_rows[id].commands & takes) || key_of(id) != key))
        id++;
    return id;
}

static size_t count_own(const struct argp_option *own)
{
    size_t count = 0;
    while (own && (own[count].name || own[count].doc || own[count].key))
        count++;
    return count;
}

struct argp_option *command_parser_options(const struct command_parser *parser)
{
    size_t count = count_own(parser->argp.options);
    struct argp_option *all = calloc(count + OPTION_COUNT + OPTION_GROUP_COUNT + 1, sizeof *all);
    if (!all)
        return NULL;
    if (count)
        memcpy(all, parser->argp.options, count * sizeof *all);
    bool begun[OPTION_GROUP_COUNT] = {false};
    for (enum option_id id = 0; id < OPTION_COUNT; id++) {
        const struct option_row *row = &option_rows[id];
        if (!(row->commands & parser->takes))
            continue;
        if (parser->titled && !begun[row->group])
            all[count++] = (struct argp_option){.doc = option_group_titles[row->group],
                                                .group = (int)row->group};
        begun[row->group] = true;
        all[count++] = (struct argp_option){
            .name = row->option,
            .key = key_of(id),
            .arg = row->argument,
            .flags = row->kind == OPTION_KIND_OPTIONAL_PATH ? OPTION_ARG_OPTIONAL : 0,
            .doc = row->help,
            .group = parser->titled ? (int)row->group : parser->group};
    }
    return all;
}

/* The input of argp: parse() checks values with a fixed set of words and takes --lang, then calls
 * the command's own function. */
struct parser_input {
    const struct command_parser *parser;
    const struct argp_option *options;
    void *input;
};

enum { MOST_CHOICES = 8, CHOICE_TEXT = 128 };

/* Returns whether `argument`, as --help shows it, lists all words that the value can be
 * ("cold|warm"). */
static bool is_choice(const char *argument)
{
    return argument && strchr(argument, '|') &&
           !argument[strspn(argument, "abcdefghijklmnopqrstuvwxyz|")];
}

/* Ends the program with a message if `value` is none of the words that the option allows. */
static void check_choice(const struct argp_option *option, const char *value,
                         struct argp_state *state)
{
    char text[CHOICE_TEXT], *rest;
    const char *words[MOST_CHOICES], *word;
    size_t count = 0;
    (void)snprintf(text, sizeof text, "%s", option->arg);
    for (word = strtok_r(text, "|", &rest); word && count < MOST_CHOICES;
         word = strtok_r(NULL, "|", &rest)) {
        words[count++] = word;
        if (strcmp(word, value) == 0)
            return;
    }
    char all[CHOICE_TEXT];
    size_t used = 0;
    for (size_t i = 0; i < count && used < sizeof all; i++) {
        const char *before = i == 0 ? "" : i + 1 == count ? " or " : ", ";
        used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", before, words[i]);
    }
    char question[SUGGEST_QUESTION];
    argp_error(state, "--%s: expected %s, found '%s'%s", option->name, all, value,
               suggest_question(suggest_nearest(value, words, count), question));
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    const struct parser_input *running = state->input;
    for (const struct argp_option *o = running->options; text && (o->name || o->doc || o->key); o++)
        if (o->key == key && is_choice(o->arg))
            check_choice(o, text, state);
    if (key == PARSER_KEY + OPTION_lang) {
        if (!language_choose(text))
            argp_error(state, LANGUAGE_UNKNOWN, text, language_names());
        return 0;
    }
    if (!running->parser->argp.parser)
        return ARGP_ERR_UNKNOWN;
    state->input = running->input;
    return running->parser->argp.parser(key, text, state);
}

void command_parser_run(const struct command_parser *parser, int argc, char **argv, unsigned flags,
                        void *input)
{
    struct argp argp = parser->argp;
    struct argp_option *options = command_parser_options(parser);
    if (!options) {
        (void)fprintf(stderr, "simsm: out of memory\n");
        exit(SIMSM_FAILED);
    }
    struct parser_input running = {parser, options, input};
    if (parser->takes & OF_LANGUAGE)
        (void)language_choose(NULL);
    argp.options = options;
    argp.parser = parse;
    if (argp_parse(&argp, argc, argv, flags, NULL, &running) != 0)
        exit(SIMSM_BAD_INPUT);
    free(options);
}
