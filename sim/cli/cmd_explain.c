/* `simsm explain`: why a warp slot was in its state at a cycle, in sentences; or what a word means.
 */
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/terminal.h"
#include "cli/cli.h"
#include "config/suggest.h"
#include "language/language.h"
#include "report/glossary.h"
#include "timeline/cycle_selection.h"
#include "timeline/explain.h"

enum explain_key { KEY_CYCLE = 256, KEY_SLOT, KEY_MARKDOWN };
enum { LEAST_WIDTH = 40, MOST_WIDTH = 100 };

struct explain_request {
    const char *file, *cycle, *slot; /* file: the timeline, or a word of the glossary */
    bool markdown;
};

static const struct argp_option options[] = {
    {"cycle", KEY_CYCLE, "C", 0, "the cycle, counted from the launch", 0},
    {"slot", KEY_SLOT, "SM:SUB:SLOT", 0,
     "SM, sub-partition and slot, as `simsm timeline` shows them", 0},
    {"markdown", KEY_MARKDOWN, NULL, 0, "print the tables of docs/glossary.md", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct explain_request *request = state->input;
    switch (key) {
    case KEY_CYCLE:
        request->cycle = text;
        return 0;
    case KEY_SLOT:
        request->slot = text;
        return 0;
    case KEY_MARKDOWN:
        request->markdown = true;
        return 0;
    case ARGP_KEY_ARG:
        if (request->file)
            argp_error(state, "too many arguments, beginning with '%s'", text);
        request->file = text;
        return 0;
    case ARGP_KEY_END:
        if (!request->file && !request->markdown)
            argp_error(state, "name a word, or the timeline: a .smtl file that --timeline wrote");
        if (request->file && request->markdown)
            argp_error(state, "--markdown prints the whole glossary; leave out '%s'",
                       request->file);
        if (request->file && !request->cycle != !request->slot)
            argp_error(state, "name the cycle and the slot: --cycle C --slot SM:SUB:SLOT");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static enum simsm_status read_question(const struct explain_request *request,
                                       struct explain_question *question, struct simsm_error *error)
{
    uint32_t slot[3];
    enum simsm_status status = selection_slot(request->slot, slot, error);
    if (status != SIMSM_OK)
        return status;
    if (selection_number(request->cycle, &question->cycle, NULL) != SIMSM_OK)
        return err_set(error, SIMSM_BAD_INPUT, "--cycle '%s': expected the number of a cycle",
                       request->cycle);
    question->sm = slot[0];
    question->sub = slot[1];
    question->index = slot[2];
    question->width = terminal_width(stdout, MOST_WIDTH);
    if (question->width < LEAST_WIDTH)
        question->width = LEAST_WIDTH;
    if (question->width > MOST_WIDTH)
        question->width = MOST_WIDTH;
    return SIMSM_OK;
}

const struct command_parser explain_parser = {
    .takes = OF_LANGUAGE,
    .argp = {.options = options,
             .parser = parse,
             .args_doc = "FILE.smtl --cycle C --slot SM:SUB:SLOT\nWORD",
             .doc = "Explains the state of a warp slot at a cycle, with the chain of causes; or a "
                    "word: a state, a counter, a metric, or a word of the field.\v`simsm timeline "
                    "FILE.smtl` shows the cycles and slots of a run."},
};

/* Explains a word of the glossary. */
static enum simsm_status explain_word(const char *word, struct simsm_error *error)
{
    char question[SUGGEST_QUESTION];
    size_t length = strlen(word);
    if (glossary_show(stdout, word))
        return SIMSM_OK;
    if (length > 5 && strcmp(word + length - 5, ".smtl") == 0)
        return err_set(error, SIMSM_BAD_INPUT,
                       "name the cycle and the slot: --cycle C --slot SM:SUB:SLOT");
    return err_set(error, SIMSM_BAD_INPUT,
                   "'%.60s' is neither a word of docs/glossary.md nor a timeline (.smtl)%s", word,
                   suggest_question(glossary_nearest(word), question));
}

int cmd_explain(int argc, char **argv)
{
    struct explain_request request = {0};
    struct explain_question question;
    struct simsm_error error;
    struct timeline_reader *reader;
    command_parser_run(&explain_parser, argc, argv, 0, &request);
    if (request.markdown) {
        glossary_markdown(stdout);
        return cli_finish(SIMSM_OK);
    }
    if (!request.cycle)
        return cli_finish(explain_word(request.file, &error) == SIMSM_OK ? SIMSM_OK
                                                                         : cli_fail(&error));
    enum simsm_status status = read_question(&request, &question, &error);
    if (status != SIMSM_OK)
        return cli_fail(&error);
    if (timeline_read_open(&reader, request.file, &error) != SIMSM_OK)
        return cli_fail(&error);
    status = explain_write(reader, &question, stdout, &error);
    const struct timeline_info *info = timeline_read_info(reader);
    if (info->damage)
        (void)fprintf(stderr, "simsm: %s: %s\n", info->name, info->damage);
    timeline_read_close(reader);
    return cli_finish(status == SIMSM_OK ? SIMSM_OK : cli_fail(&error));
}
