/* The options of `simsm CONFIG TRACE`. */
#include "cli/run_options.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "plugin/plugin.h"
#include "simsm/simsm.h"
#include "timeline/cycle_selection.h"

static void argument(struct run_options *o, const char *text, struct argp_state *state)
{
    if (!o->config)
        o->config = text;
    else if (!o->trace)
        o->trace = text;
    else
        argp_error(state, "expected one configuration and one trace, but '%s' follows '%s'%s", text,
                   o->trace,
                   o->given.value[OPTION_dump_config] ? "; write --dump-config=FILE, with '='"
                                                      : "");
}

static void check_inputs(const struct run_options *o, struct argp_state *state)
{
    if (!o->config)
        argp_error(state, "name a configuration, such as t4, and a trace");
    if (!o->trace && !o->given.value[OPTION_dump_config])
        argp_error(state,
                   "'%s' is not a command; if it is a configuration, name a trace after it, such "
                   "as traces/divergent.trace",
                   o->config);
    if (o->trace && !*o->trace)
        argp_error(state, "the name of the trace is empty");
}

/* Refuses combinations that settings_check() does not know: of options that `simsm run` lacks, or
 * that mean something else there. */
static void check_together(const char *const *value, struct argp_state *state)
{
    static const enum option_id timed[] = {OPTION_table, OPTION_cycle_limit};
    if (value[OPTION_functional] && !value[OPTION_launch])
        argp_error(state, "--functional needs --launch FILE");
    for (size_t i = 0; i < sizeof timed / sizeof timed[0]; i++)
        if (value[OPTION_functional] && value[timed[i]])
            argp_error(
                state,
                "--%s needs timed launches, and --functional times none: leave one of them out",
                option_rows[timed[i]].option);
    if (value[OPTION_sample] && value[OPTION_cycle_limit])
        argp_error(state, "--sample and --max-cycles do not go together");
}

static void read_limit(struct run_options *o, const char *text, struct argp_state *state)
{
    char *end = NULL;
    errno = 0;
    o->max_cycles = isdigit((unsigned char)text[0]) ? strtoull(text, &end, 10) : 0;
    if (!end || *end || errno || o->max_cycles > UINT64_MAX / 2)
        argp_error(state, "--max-cycles: expected a whole number, found '%s'", text);
}

/* Checks all options together and fills *o. */
static void finish(struct run_options *o, struct argp_state *state)
{
    const char *const *value = o->given.value;
    struct settings settings;
    struct simsm_error error;
    check_inputs(o, state);
    check_together(value, state);
    if (given_options_settings(&o->given, &settings, &error) != SIMSM_OK)
        argp_error(state, "%s", error.message);
    if (value[OPTION_timeline_sm])
        (void)selection_sms(value[OPTION_timeline_sm], &o->timeline_sm, &o->timeline_sm_count,
                            &error);
    if (value[OPTION_timeline_cycles])
        (void)selection_cycles(value[OPTION_timeline_cycles], &o->timeline_from, &o->timeline_to,
                               &error);
    if (value[OPTION_cycle_limit])
        read_limit(o, value[OPTION_cycle_limit], state);
    o->threads = (uint32_t)settings.threads;
    o->json = value[OPTION_json];
    o->csv = value[OPTION_csv];
    o->timeline = value[OPTION_timeline];
    o->dump_config = value[OPTION_dump_config];
    o->kernels = value[OPTION_kernels];
    o->launches = value[OPTION_launches];
    o->table = value[OPTION_table];
    o->quiet = value[OPTION_quiet] != NULL;
    o->full = value[OPTION_full] != NULL;
    o->colour = value[OPTION_color];
    o->ascii = value[OPTION_ascii] != NULL;
    o->functional = value[OPTION_functional] != NULL;
    o->sample = value[OPTION_sample] != NULL;
    o->no_skip = value[OPTION_no_skip] != NULL;
    o->check = value[OPTION_check] != NULL;
    o->settings = o->given.settings;
    o->parameters = o->given.parameters;
    o->spelled = o->given.spelled;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct run_options *o = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        argument(o, text, state);
        return 0;
    case ARGP_KEY_END:
        finish(o, state);
        return 0;
    default:
        return given_options_take(&o->given, key, text, state);
    }
}

/* Adds the list of commands to --help, before the options. */
static char *help(int key, const char *text, void *input)
{
    (void)input;
    return key == ARGP_KEY_HELP_PRE_DOC ? cli_command_list(text) : (char *)text;
}

const struct command_parser simulate_parser = {
    .takes = OF_SIMULATE,
    .titled = true,
    .argp = {.parser = parse,
             .args_doc = "CONFIG TRACE\nCOMMAND ...",
             .doc = "Simulates the kernel in TRACE on the GPU that CONFIG describes, warp by warp "
                    "and cycle by cycle, and reports what its warps did and why.",
             .help_filter = help},
};

void run_options_parse(struct run_options *result, int argc, char **argv)
{
    *result = (struct run_options){.given.takes = OF_SIMULATE, .max_cycles = UINT64_MAX};
    command_parser_run(&simulate_parser, argc, argv, 0, result);
}

void run_options_free(struct run_options *o)
{
    given_options_free(&o->given);
    free(o->timeline_sm);
}
