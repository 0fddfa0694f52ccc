/* `simsm repeat`: repeats the run that a timeline was recorded from, with other settings. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "cli/cli.h"
#include "cli/command_line.h"
#include "cli/given_options.h"
#include "cli/run_launches.h"
#include "cli/run_options.h"
#include "sweep/texts.h"
#include "timeline/timeline_read.h"

struct repeat_request {
    const char *file;
    struct given_options given;
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct repeat_request *request = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        if (request->file)
            argp_error(state, "too many arguments, beginning with '%s'", text);
        request->file = text;
        return 0;
    case ARGP_KEY_END:
        if (!request->file)
            argp_error(state, "name the timeline of the run: a .smtl file");
        if (!request->given.value[OPTION_timeline])
            argp_error(state, "name the timeline to write: --timeline NEW.smtl");
        return 0;
    default:
        return given_options_take(&request->given, key, text, state);
    }
}

static bool is_command(const char *word)
{
    for (const struct command *c = commands; c->name; c++)
        if (strcmp(word, c->name) == 0)
            return true;
    return false;
}

/* Returns SIMSM_BAD_INPUT unless the recorded command line is `simsm CONFIG TRACE ...`. A timeline
 * from somebody else must not be able to start programs. */
static enum simsm_status check_words(const struct timeline_info *info, char **words, int count,
                                     struct simsm_error *error)
{
    if (!words)
        return err_at(error, SIMSM_BAD_INPUT, info->name, 0, 0,
                      "its command line is incomplete: %.400s", info->command_line);
    if (count >= 3 && !is_command(words[1]))
        return SIMSM_OK;
    return err_at(error, SIMSM_BAD_INPUT, info->name, 0, 0,
                  "only a run of `simsm CONFIG TRACE --timeline` can be repeated; this timeline "
                  "was recorded by: %.400s",
                  *info->command_line ? info->command_line : "a program without a command line");
}

static enum simsm_status check_launch(const struct run_options *o, const char *file,
                                      struct simsm_error *error)
{
    bool several = false;
    enum simsm_status status = run_launches_is_list(o, &several, error);
    if (status == SIMSM_OK && several)
        return err_at(
            error, SIMSM_BAD_INPUT, file, 0, 0,
            "shows one of several launches; record it alone first, with --launch-number N");
    return status;
}

/* Runs the recorded command line and writes nothing but the new timeline. The new timeline records
 * the command line with the new settings, so that it can be repeated too. */
static int run_recorded_command(const struct repeat_request *request, char **words, int count)
{
    struct run_options o;
    struct simsm_error error;
    char *line = command_line_text(count, words);
    run_options_parse(&o, count, words);
    o.json = o.csv = o.table = o.dump_config = NULL;
    o.functional = false;
    o.timeline = request->given.value[OPTION_timeline];
    o.quiet = request->given.value[OPTION_quiet] != NULL;
    int status = check_launch(&o, request->file, &error) == SIMSM_OK ? run_with_options(&o, line)
                                                                     : cli_fail(&error);
    run_options_free(&o);
    free(line);
    return status;
}

/* Returns the recorded command line followed by the new settings as --set options. NULL if memory
 * runs out. The caller frees it. */
static char *with_settings(const char *recorded, const struct option_words *settings)
{
    char **words = calloc(2 * settings->count + 1, sizeof *words);
    for (size_t i = 0; words && i < settings->count; i++) {
        words[2 * i + 1] = "--set";
        words[2 * i + 2] = (char *)settings->item[i];
    }
    if (words)
        words[0] = "";
    char *text = words ? command_line_text((int)(2 * settings->count + 1), words) : NULL;
    char *line = text ? text_format("%s%s", recorded, text) : NULL;
    free(text);
    free(words);
    return line;
}

static int repeat(const struct repeat_request *request)
{
    struct timeline_reader *reader;
    struct simsm_error error;
    if (timeline_read_open(&reader, request->file, &error) != SIMSM_OK)
        return cli_fail(&error);
    const struct timeline_info *info = timeline_read_info(reader);
    char *line = with_settings(info->command_line, &request->given.settings);
    int count = 0;
    char **words = line ? command_line_words(line, &count) : NULL;
    enum simsm_status status = check_words(info, words, count, &error);
    timeline_read_close(reader);
    int result =
        status == SIMSM_OK ? run_recorded_command(request, words, count) : cli_fail(&error);
    free(words);
    free(line);
    return result;
}

const struct command_parser repeat_parser = {
    .takes = OF_REPEAT,
    .argp = {.parser = parse,
             .args_doc = "FILE.smtl",
             .doc =
                 "Repeats the run of `simsm CONFIG TRACE --timeline FILE.smtl` with other "
                 "settings, and records a new timeline. Call it in the folder where that command "
                 "ran.\vThe command line comes from FILE.smtl; of its outputs only the timeline is "
                 "written. `simsm view FILE.smtl NEW.smtl` then compares both runs."},
};

int cmd_repeat(int argc, char **argv)
{
    struct repeat_request request = {.given.takes = OF_REPEAT};
    command_parser_run(&repeat_parser, argc, argv, 0, &request);
    int status = repeat(&request);
    given_options_free(&request.given);
    return cli_finish(status);
}
