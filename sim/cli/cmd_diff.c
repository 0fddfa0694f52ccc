/* `simsm diff`: is one run faster than another, and why? */
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/outfile.h"
#include "cli/cli.h"
#include "cli/cli_files.h"
#include "cli/diff_inputs.h"
#include "cli/signals.h"
#include "diff/diff.h"

enum { SIDES = 2, NAME = 256 };

enum diff_key { KEY_KERNELS_A = 256, KEY_KERNELS_B };

struct diff_request {
    struct given_options given;
    char **words; /* [count] without "--" */
    int count;
    bool program, markdown, all;
    const char *json;
    double threshold;
    regex_t only[SIDES];
    bool chosen[SIDES]; /* only[] is set */
    struct diff_subject subject[SIDES];
};

static const struct argp_option options[] = {
    {"json", 'j', "FILE", 0, "write everything as JSON", 0},
    {"markdown", 'M', NULL, 0, "print Markdown, for a comment on a change", 0},
    {"all", 'a', NULL, 0, "show all kernels, and all lines of their code", 0},
    {"threshold", 't', "PERCENT", 0, "leave out differences below this (default: 1 %)", 0},
    {"kernels-a", KEY_KERNELS_A, "REGEX", 0, "of A, take only kernels whose name matches", 0},
    {"kernels-b", KEY_KERNELS_B, "REGEX", 0, "of B, take only kernels whose name matches", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

/* Divides "CONFIG OLD : NEW" or "CONFIG -- OLD ARGUMENT... : NEW ARGUMENT..." into both sides. */
static void divide(struct diff_request *r, int colon, struct argp_state *state)
{
    const int first = colon - 1, second = r->count - colon - 1;
    if (first < 1 || second < 1)
        argp_error(state, "name what to compare on both sides of the colon: CONFIG OLD.trace : "
                          "NEW.trace, or CONFIG -- ./old : ./new");
    if (!r->program && (first > 1 || second > 1))
        argp_error(state,
                   "expected one trace on each side of the colon, found '%s' as well; write "
                   "-- before a program",
                   first > 1 ? r->words[2] : r->words[colon + 2]);
    r->subject[0] = (struct diff_subject){r->words[0], r->words + 1, first, r->program};
    r->subject[1] = (struct diff_subject){r->words[0], r->words + colon + 1, second, r->program};
}

static void check(struct diff_request *r, struct argp_state *state)
{
    int colon = 0;
    while (colon < r->count && strcmp(r->words[colon], ":") != 0)
        colon++;
    if (colon < r->count)
        divide(r, colon, state);
    else if (r->count != SIDES || r->program)
        argp_error(state, "name two runs, A.json and B.json of --json, or simulate both: CONFIG -- "
                          "./old : ./new");
    else if (diff_inputs_option(&r->given))
        argp_error(state, "--%s is for runs that are simulated here; these are files",
                   diff_inputs_option(&r->given));
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct diff_request *r = state->input;
    switch (key) {
    case 'j':
        r->json = text;
        return 0;
    case 'M':
        r->markdown = true;
        return 0;
    case 'a':
        r->all = true;
        return 0;
    case 't':
        r->threshold = diff_inputs_share("threshold", text, state);
        return 0;
    case KEY_KERNELS_A:
    case KEY_KERNELS_B: {
        const int side = key - KEY_KERNELS_A;
        diff_inputs_pattern(side ? "kernels-b" : "kernels-a", text, &r->only[side], state);
        r->chosen[side] = true;
        return 0;
    }
    case ARGP_KEY_ARGS:
        r->words = state->argv + state->next;
        r->count = state->argc - state->next;
        r->program = state->quoted > 0;
        return 0;
    case ARGP_KEY_END:
        check(r, state);
        return 0;
    default:
        return given_options_take(&r->given, key, text, state);
    }
}

static enum simsm_status check_files(struct diff_request *r, bool *silent,
                                     struct simsm_error *error)
{
    const bool files = !r->subject[0].config;
    const struct cli_file all[] = {{"A", files ? r->words[0] : NULL, true},
                                   {"B", files ? r->words[1] : NULL, true},
                                   {"--json", r->json, false}};
    const size_t count = sizeof all / sizeof all[0];
    *silent = cli_files_take_stdout(all, count);
    return files || r->json ? cli_files_check(all + (files ? 0 : 2), files ? count : 1, error)
                            : SIMSM_OK;
}

static enum simsm_status read_side(struct diff_request *r, int side, struct diff_run *run,
                                   char name[NAME], struct simsm_error *error)
{
    const regex_t *only = r->chosen[side] ? &r->only[side] : NULL;
    if (!r->subject[side].config) {
        (void)snprintf(name, NAME, "%s", r->words[side]);
        return diff_run_read(run, r->words[side], only, error);
    }
    diff_inputs_name(&r->subject[side], name, NAME);
    return diff_inputs_simulate(run, &r->subject[side], &r->given, only, error);
}

static enum simsm_status write_json(const char *path, const struct diff *diff,
                                    struct simsm_error *error)
{
    struct outfile out;
    enum simsm_status status = outfile_open(&out, path, error);
    if (status != SIMSM_OK)
        return status;
    status = diff_show_json(out.file, diff, error);
    if (status == SIMSM_OK)
        return outfile_commit(&out, error);
    outfile_abandon(&out);
    return status;
}

static enum simsm_status show(const struct diff_request *r, const struct diff *diff, bool silent,
                              struct simsm_error *error)
{
    enum simsm_status status = r->json ? write_json(r->json, diff, error) : SIMSM_OK;
    if (status != SIMSM_OK || silent)
        return status;
    return (r->markdown ? diff_show_markdown : diff_show_text)(stdout, diff, r->all, error);
}

static enum simsm_status compare(struct diff_request *r, struct simsm_error *error)
{
    struct diff_run run[SIDES] = {{0}, {0}};
    char name[SIDES][NAME];
    struct diff diff = {0};
    bool silent = false;
    enum simsm_status status = check_files(r, &silent, error);
    for (int i = 0; i < SIDES && status == SIMSM_OK; i++)
        status = read_side(r, i, &run[i], name[i], error);
    if (status == SIMSM_OK)
        status = diff_find(&diff, &run[0], &run[1], r->threshold, error);
    if (status == SIMSM_OK) {
        diff.a_name = name[0];
        diff.b_name = name[1];
        status = show(r, &diff, silent, error);
    }
    diff_free(&diff);
    for (int i = 0; i < SIDES; i++) {
        diff_run_free(&run[i]);
        if (r->chosen[i])
            regfree(&r->only[i]);
    }
    return status;
}

const struct command_parser diff_parser = {
    .takes = OF_DIFF,
    .group = 1,
    .argp = {.options = options,
             .parser = parse,
             .args_doc = "A.json B.json\nCONFIG -- OLD [ARGUMENT...] : NEW [ARGUMENT...]\n"
                         "CONFIG OLD.trace : NEW.trace",
             .doc = "Says in a sentence whether B is faster than A and why, and shows what "
                    "changed: kernels, figures, warp states, lines of the source.\vA and B are "
                    "files of --json, timelines (.smtl), baselines of check-speed, or folders "
                    "with files of --json. With a colon, both programs or traces are simulated "
                    "first."},
};

int cmd_diff(int argc, char **argv)
{
    struct diff_request request = {.given.takes = OF_DIFF, .threshold = 0.01};
    struct simsm_error error = {0};
    command_parser_run(&diff_parser, argc, argv, 0, &request);
    if (request.subject[0].config)
        signals_listen();
    const enum simsm_status status = compare(&request, &error);
    given_options_free(&request.given);
    if (status == SIMSM_INTERRUPTED)
        return cli_finish(cli_fail_stopped(&error));
    return cli_finish(status == SIMSM_OK ? SIMSM_OK : cli_fail(&error));
}
