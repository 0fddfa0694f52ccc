/* `simsm repeat`: runs again what a timeline was recorded from, with other settings. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "cli/cli.h"
#include "cli/command_line.h"
#include "cli/run_launches.h"
#include "cli/run_options.h"
#include "timeline/timeline_read.h"

enum key { KEY_TIMELINE = 256, KEY_SET, KEY_QUIET };

struct request {
    const char *file, *timeline;
    char **settings; /* [setting_words]: "", then --set and KEY=VALUE by turns */
    int setting_words;
    bool quiet;
};

static const struct argp_option options[] = {
    {"timeline", KEY_TIMELINE, "FILE", 0, "the timeline to write", 0},
    {"set", KEY_SET, "KEY=VALUE", 0,
     "change a key of the configuration, such as sm.max_blocks=1; may be repeated", 0},
    {"quiet", KEY_QUIET, 0, 0, "no report and no progress", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct request *request = state->input;
    switch (key) {
    case KEY_TIMELINE:
        request->timeline = text;
        return 0;
    case KEY_SET:
        request->settings[request->setting_words++] = "--set";
        request->settings[request->setting_words++] = text;
        return 0;
    case KEY_QUIET:
        request->quiet = true;
        return 0;
    case ARGP_KEY_ARG:
        if (request->file)
            argp_error(state, "too many arguments, beginning with '%s'", text);
        request->file = text;
        return 0;
    case ARGP_KEY_END:
        if (!request->file)
            argp_error(state, "name the timeline whose run is to be repeated: a .smtl file");
        if (!request->timeline)
            argp_error(state, "name the timeline to write: --timeline NEW.smtl");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static bool is_command(const char *word)
{
    for (const struct command *c = commands; c->name; c++)
        if (strcmp(word, c->name) == 0)
            return true;
    return false;
}

/* Only a run of the simulator is repeated: a file that one was given must not start programs. */
static enum simsm_status check_words(const struct timeline_info *info, char **words, int count,
                                     struct simsm_error *error)
{
    if (!words)
        return err_at(error, SIMSM_BAD_INPUT, info->name, 0, 0,
                      "the command line in it is not whole: %.400s", info->command_line);
    if (count >= 3 && !is_command(words[1]))
        return SIMSM_OK;
    return err_at(error, SIMSM_BAD_INPUT, info->name, 0, 0,
                  "what `simsm CONFIG TRACE --timeline` recorded can be repeated; this was "
                  "recorded by: %.400s",
                  *info->command_line ? info->command_line : "a program without a command line");
}

static enum simsm_status check_launch(const struct run_options *o, const char *file,
                                      struct simsm_error *error)
{
    bool several = false;
    enum simsm_status status = run_launches_wanted(o, &several, error);
    if (status == SIMSM_OK && several)
        return err_at(error, SIMSM_BAD_INPUT, file, 0, 0,
                      "is one of several launches; record it alone, with --launch-index N");
    return status;
}

/*
 * Does what the recorded words say, and writes nothing but the new timeline. That one has the words
 * with our settings, so that it can be repeated too.
 */
static int run_again(const struct request *request, char **words, int count)
{
    struct run_options o;
    struct simsm_error error;
    char *line = command_line_text(count, words);
    run_options_parse(&o, count, words);
    o.json = o.csv = o.table = o.dump_config = NULL;
    o.functional = false;
    o.timeline = request->timeline;
    o.quiet = request->quiet;
    int status = check_launch(&o, request->file, &error) == SIMSM_OK ? run_as_told(&o, line)
                                                                     : cli_fail(&error);
    run_options_free(&o);
    free(line);
    return status;
}

static int repeat(const struct request *request)
{
    struct timeline_reader *reader;
    struct simsm_error error;
    if (timeline_read_open(&reader, request->file, &error) != SIMSM_OK)
        return cli_fail(&error);
    const struct timeline_info *info = timeline_read_info(reader);
    char *settings = command_line_text(request->setting_words, request->settings);
    size_t room = strlen(info->command_line) + (settings ? strlen(settings) : 0) + 1;
    char *line = malloc(room);
    char **words = NULL;
    int count = 0;
    if (line && settings) {
        (void)snprintf(line, room, "%s%s", info->command_line, settings);
        words = command_line_words(line, &count);
    }
    enum simsm_status status = check_words(info, words, count, &error);
    timeline_read_close(reader);
    int result = status == SIMSM_OK ? run_again(request, words, count) : cli_fail(&error);
    free(words);
    free(line);
    free(settings);
    return result;
}

int cmd_repeat(int argc, char **argv)
{
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "FILE.smtl",
        .doc = "Runs again what `simsm CONFIG TRACE --timeline FILE.smtl` ran, from the same "
               "folder, with other settings, and records that.\v"
               "The command line comes from FILE.smtl; of its outputs only the timeline is "
               "written. Then `simsm view FILE.smtl NEW.smtl` compares both.",
    };
    struct request request = {.setting_words = 1};
    request.settings = calloc(2 * (size_t)argc + 1, sizeof *request.settings);
    if (!request.settings)
        return SIMSM_FAILED;
    request.settings[0] = "";
    int status = SIMSM_BAD_INPUT;
    if (argp_parse(&argp, argc, argv, 0, NULL, &request) == 0)
        status = repeat(&request);
    free(request.settings);
    return cli_finish(status);
}
