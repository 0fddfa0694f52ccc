/* `simsm check-speed`: is a program as fast as its baseline says? For continuous integration. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/outfile.h"
#include "cli/cli.h"
#include "cli/diff_inputs.h"
#include "cli/signals.h"
#include "diff/baseline.h"

enum { NAME = 256 };

struct speed_request {
    struct given_options given;
    struct diff_subject subject; /* config NULL: `file` has the run */
    const char *file, *baseline;
    double most;
    bool write, markdown;
};

static const struct argp_option options[] = {
    {"baseline", 'b', "FILE", 0, "the baseline: JSON lines, one for each kernel", 0},
    {"max-slowdown", 'm', "PERCENT", 0, "how much longer a kernel may take (default: 1 %)", 0},
    {"write", 'w', NULL, 0, "write or renew the baseline instead of checking against it", 0},
    {"markdown", 'M', NULL, 0, "print Markdown, for a comment on a change", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static void take_words(struct speed_request *r, struct argp_state *state)
{
    char **words = state->argv + state->next;
    const int count = state->argc - state->next;
    const bool program = state->quoted > 0;
    if (count == 1 && !program)
        r->file = words[0];
    else if (count == 2 || (program && count > 2))
        r->subject = (struct diff_subject){words[0], words + 1, count - 1, program};
    else
        argp_error(state, "name what to check: CONFIG -- ./app, CONFIG TRACE, or RUN.json");
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct speed_request *r = state->input;
    switch (key) {
    case 'b':
        r->baseline = text;
        return 0;
    case 'm':
        r->most = diff_inputs_share("max-slowdown", text, state);
        return 0;
    case 'w':
        r->write = true;
        return 0;
    case 'M':
        r->markdown = true;
        return 0;
    case ARGP_KEY_ARGS:
        take_words(r, state);
        return 0;
    case ARGP_KEY_END:
        if (!r->file && !r->subject.config)
            argp_error(state, "name what to check: CONFIG -- ./app, CONFIG TRACE, or RUN.json");
        if (!r->baseline)
            argp_error(state, "name the baseline: --baseline FILE");
        if (r->file && diff_inputs_option(&r->given))
            argp_error(state, "--%s is for a run that is simulated here; %s is a file",
                       diff_inputs_option(&r->given), r->file);
        return 0;
    default:
        return given_options_take(&r->given, key, text, state);
    }
}

static enum simsm_status read_run(const struct speed_request *r, struct diff_run *run,
                                  char name[NAME], struct simsm_error *error)
{
    if (r->file) {
        (void)snprintf(name, NAME, "%s", r->file);
        return diff_run_read(run, r->file, NULL, error);
    }
    diff_inputs_name(&r->subject, name, NAME);
    return diff_inputs_simulate(run, &r->subject, &r->given, NULL, error);
}

static enum simsm_status write_baseline(const struct speed_request *r, const struct diff_run *run,
                                        struct simsm_error *error)
{
    struct outfile out;
    enum simsm_status status = outfile_open(&out, r->baseline, error);
    if (status != SIMSM_OK)
        return status;
    status = baseline_write(out.file, run, error);
    if (status == SIMSM_OK)
        status = outfile_commit(&out, error);
    else
        outfile_abandon(&out);
    if (status == SIMSM_OK && !outfile_is_stdout(r->baseline))
        (void)printf("%s: wrote %zu kernels, %.0f cycles\n", r->baseline, run->kernels,
                     run->total.cycles);
    return status;
}

static enum simsm_status read_baseline(const struct speed_request *r, struct diff_run *baseline,
                                       struct simsm_error *error)
{
    if (access(r->baseline, F_OK) != 0)
        return err_at(error, SIMSM_BAD_INPUT, r->baseline, 0, 0,
                      "there is no such baseline; write it with --write");
    return diff_run_read(baseline, r->baseline, NULL, error);
}

/* Returns SIMSM_BAD_INPUT if the run and its baseline cannot be compared. */
static enum simsm_status check_same(const struct speed_request *r, const struct diff_run *baseline,
                                    const struct diff_run *run, struct simsm_error *error)
{
    const struct {
        const char *what, *before, *after;
    } same[] = {{"GPU is", baseline->gpu, run->gpu},
                {"settings are", baseline->settings, run->settings}};
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
        if (!same[i].before || !same[i].after || strcmp(same[i].before, same[i].after) != 0)
            return err_at(error, SIMSM_BAD_INPUT, r->baseline, 0, 0,
                          "is of another run: its %s '%s', and '%s' here; use the same, or renew "
                          "the baseline with --write",
                          same[i].what, same[i].before ? same[i].before : "",
                          same[i].after ? same[i].after : "");
    return SIMSM_OK;
}

/* Sets *within to whether the run is within its budget. */
static enum simsm_status check(const struct speed_request *r, bool *within,
                               struct simsm_error *error)
{
    struct diff_run run = {0}, baseline = {0};
    struct diff diff = {0};
    char name[NAME];
    enum simsm_status status = r->write ? SIMSM_OK : read_baseline(r, &baseline, error);
    if (status == SIMSM_OK)
        status = read_run(r, &run, name, error);
    if (status == SIMSM_OK && r->write) {
        status = write_baseline(r, &run, error);
    } else if (status == SIMSM_OK) {
        const struct budget budget = {.most = r->most, .markdown = r->markdown};
        status = check_same(r, &baseline, &run, error);
        if (status == SIMSM_OK)
            status = diff_find(&diff, &baseline, &run, r->most < 0.01 ? r->most : 0.01, error);
        diff.a_name = r->baseline;
        diff.b_name = name;
        if (status == SIMSM_OK)
            *within = budget_check(stdout, &diff, &budget);
    }
    diff_free(&diff);
    diff_run_free(&run);
    diff_run_free(&baseline);
    return status;
}

const struct command_parser check_speed_parser = {
    .takes = OF_DIFF,
    .group = 1,
    .argp = {.options = options,
             .parser = parse,
             .args_doc = "--baseline FILE CONFIG -- PROGRAM [ARGUMENT...]\n"
                         "--baseline FILE CONFIG TRACE\n--baseline FILE RUN.json",
             .doc = "Simulates a program or trace and compares the time of each kernel with the "
                    "baseline FILE. Ends with status 1 if a kernel, or all together, takes longer "
                    "than allowed, and says why.\vSimulated times do not vary from run to run, so "
                    "that every slowdown above the budget is one of the code, or of another "
                    "version of simsm. RUN.json is a file of --json."},
};

int cmd_check_speed(int argc, char **argv)
{
    struct speed_request request = {.given.takes = OF_DIFF, .most = 0.01};
    struct simsm_error error = {0};
    bool within = true;
    command_parser_run(&check_speed_parser, argc, argv, 0, &request);
    if (request.subject.config)
        signals_listen();
    const enum simsm_status status = check(&request, &within, &error);
    given_options_free(&request.given);
    if (status == SIMSM_INTERRUPTED)
        return cli_finish(cli_fail_stopped(&error));
    if (status != SIMSM_OK)
        return cli_finish(cli_fail(&error));
    return cli_finish(within ? SIMSM_OK : SIMSM_FAILED);
}
