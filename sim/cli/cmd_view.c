/* `simsm view`: simulates a trace and shows its timeline in simsm-view, or shows a recorded
 * timeline. */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/companion.h"
#include "base/err.h"
#include "cli/cli.h"

int viewer_run(const char *const words[])
{
    struct companion viewer;
    struct simsm_error error;
    int result = SIMSM_FAILED;
    if (companion_start(&viewer, "simsm-view", words, STDOUT_FILENO, STDERR_FILENO, &error) !=
        SIMSM_OK)
        return cli_fail(&error);
    (void)signal(SIGINT, SIG_IGN); /* Ctrl-C in the terminal is meant for simsm-view */
    (void)companion_ended(&viewer, false, &result);
    (void)signal(SIGINT, SIG_DFL);
    return result;
}

static const char help[] =
    "Usage: simsm view CONFIG TRACE [options] [-- options of simsm-view]\n   or: simsm view "
    "FILE.smtl [OTHER.smtl] [options of simsm-view]\n   or: simsm view PROGRAM.json [options of "
    "simsm-view]\nSimulates a trace, with the options of `simsm CONFIG TRACE`, and shows what the "
    "warps did\nin a window. Or shows recorded timelines, or the time of a program, as `simsm run\n"
    "--program PROGRAM.json` writes it.\n\nThe "
    "timeline of the run is kept only if --timeline FILE names it. `simsm --help` and\n`simsm-view "
    "--help` list the options.\n";

/* Returns whether a word is the name of a file that ends so. */
static bool is_file(const char *word, const char *end)
{
    const size_t length = strlen(word), size = strlen(end);
    return word[0] != '-' && length > size && strcmp(word + length - size, end) == 0;
}

/* Returns the value of --timeline in either form, "--timeline FILE" or "--timeline=FILE"; NULL if
 * the option is not given. */
static const char *timeline_given(char **words)
{
    static const char option[] = "--timeline";
    const size_t length = sizeof option - 1;
    for (; *words; words++)
        if (strncmp(*words, option, length) == 0 && (!(*words)[length] || (*words)[length] == '='))
            return (*words)[length] ? *words + length + 1 : words[1];
    return NULL;
}

/*
 * Returns whether the words name a timeline to read, or the first one a program: then all words are
 * for simsm-view.
 */
static bool shows_files(char **words)
{
    if (words[0] && is_file(words[0], ".json"))
        return true;
    for (; *words; words++) {
        if (strcmp(*words, "--timeline") == 0 && words[1])
            words++;
        else if (is_file(*words, ".smtl"))
            return true;
    }
    return false;
}

/* Simulates and writes a timeline to `path`. `add`: adds the option --timeline. */
static int record(int count, char **words, const char *path, bool add)
{
    static char option[] = "--timeline";
    char **all = calloc((size_t)count + 4, sizeof *all);
    if (!all)
        return SIMSM_FAILED;
    all[0] = "simsm";
    memcpy(all + 1, words, (size_t)count * sizeof *all);
    if (add) {
        all[count + 1] = option;
        all[count + 2] = (char *)path;
    }
    int status = cmd_simulate(count + (add ? 3 : 1), all);
    free(all);
    return status;
}

static char temporary_path[4096]; /* the timeline that is removed at the end */

static void remove_temporary(void)
{
    (void)unlink(temporary_path);
}

/* Creates the temporary timeline. It is removed when the program ends, also after a mistake in the
 * options. */
static bool make_temporary(void)
{
    const char *folder = getenv("TMPDIR");
    (void)snprintf(temporary_path, sizeof temporary_path, "%s/simsm-XXXXXX",
                   folder && *folder ? folder : "/tmp");
    int file = mkstemp(temporary_path);
    return file >= 0 && close(file) == 0 && atexit(remove_temporary) == 0;
}

/* Simulates, then shows the timeline. `viewer_words` are the words after "--", for simsm-view. */
static int run_and_show(int count, char **words, char **viewer_words)
{
    const char *given = timeline_given(words);
    if (!given && !make_temporary()) {
        struct simsm_error error;
        err_set(&error, SIMSM_FAILED, "%s: the temporary timeline cannot be created",
                temporary_path);
        return cli_fail(&error);
    }
    int status = record(count, words, temporary_path, !given);
    if (status == SIMSM_OK || status == SIMSM_LIMIT) {
        size_t options = 0;
        while (viewer_words[options])
            options++;
        const char **all = calloc(options + 2, sizeof *all);
        if (all) {
            all[0] = given ? given : temporary_path;
            memcpy(all + 1, viewer_words, options * sizeof *all);
            status = viewer_run(all);
        }
        free(all);
    }
    return status;
}

/*
 * Returns an option of simsm-view that stands among the options of the run; NULL if there is none.
 */
static const char *misplaced(char **words)
{
    static const char *const options[] = {
        "--png",    "--svg",  "--csv",    "--html",   "--perfetto", "--perfetto-json",
        "--kanata", "--keys", "--screen", "--select", "--size",     "--scale",
        "--theme",  "--tui",  "--ascii",  "--cycles", "--sm"};
    for (; *words; words++)
        for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
            if (strncmp(*words, options[i], strlen(options[i])) == 0 &&
                strchr("=", (*words)[strlen(options[i])]))
                return options[i];
    return NULL;
}

int cmd_view(int argc, char **argv)
{
    char **words = argv + 1;
    int count = argc - 1;
    if (count == 0 || strcmp(words[0], "--help") == 0 || strcmp(words[0], "--usage") == 0) {
        (void)fputs(help, count ? stdout : stderr);
        return cli_finish(count ? SIMSM_OK : SIMSM_BAD_INPUT);
    }
    if (shows_files(words))
        return cli_finish(viewer_run((const char *const *)words));
    int before = 0;
    while (before < count && strcmp(words[before], "--") != 0)
        before++;
    char **viewer_words = words + before + (before < count);
    words[before] = NULL;
    const char *wrong = misplaced(words);
    if (wrong) {
        struct simsm_error error;
        err_set(&error, SIMSM_BAD_INPUT,
                "%s is an option of simsm-view: write it after --, as in `simsm view CONFIG TRACE "
                "-- %s ...`",
                wrong, wrong);
        return cli_fail(&error);
    }
    return cli_finish(run_and_show(before, words, viewer_words));
}
