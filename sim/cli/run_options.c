#include "cli/run_options.h"

#include <argp.h>
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cuda/settings.h"
#include "plugin/plugin.h"
#include "simsm/simsm.h"
#include "timeline/cycle_selection.h"

enum {
    KEY_JSON = 256,
    KEY_CSV,
    KEY_QUIET,
    KEY_ASCII,
    KEY_SET,
    KEY_PARAM,
    KEY_LAUNCH,
    KEY_FUNCTIONAL,
    KEY_LAUNCH_NUMBER,
    KEY_KERNELS,
    KEY_LAUNCHES,
    KEY_TABLE,
    KEY_BRIEF,
    KEY_DUMP_CONFIG,
    KEY_SEED,
    KEY_SMS,
    KEY_POLICY,
    KEY_POLICY_PARAM,
    KEY_MEMORY,
    KEY_MAX_CYCLES,
    KEY_TIMELINE,
    KEY_TIMELINE_SM,
    KEY_TIMELINE_CYCLES,
    KEY_SAMPLE,
    KEY_FAST,
    KEY_NO_SKIP,
    KEY_THREADS,
    KEY_CHECK
};

static const struct argp_option options[] = {
    {0, 0, 0, 0, "What to write:", 1},
    {"json", KEY_JSON, "FILE", 0, "all counters, metrics, states and lines as JSON", 0},
    {"csv", KEY_CSV, "FILE", 0, "counters and metrics as CSV", 0},
    {"quiet", KEY_QUIET, 0, 0, "no report and no progress", 0},
    {"ascii", KEY_ASCII, 0, 0, "draw with ASCII only", 0},
    {0, 0, 0, 0, "What to simulate:", 2},
    {"set", KEY_SET, "KEY=VALUE", 0,
     "change a key of the configuration, such as sm.scheduler=lrr; may be repeated", 0},
    {"param", KEY_PARAM, "NAME=VALUE", 0,
     "take VALUE for a parameter of the trace; may be repeated", 0},
    {"launch", KEY_LAUNCH, "FILE", 0,
     "TRACE is machine code (a cubin, fatbin or program): FILE says which kernel is launched how",
     0},
    {"functional", KEY_FUNCTIONAL, 0, 0,
     "with --launch: only execute, write output files and count instructions", 0},
    {"policy", KEY_POLICY, "MODULE", 0,
     "policies of one's own: a shared object, such as ./mine.so; what it has is used, unless a "
     "--set "
     "behind it names another",
     0},
    {"policy-param", KEY_POLICY_PARAM, "NAME=VALUE", 0,
     "a parameter of that module: --set policy.params.NAME=VALUE; may be repeated", 0},
    {"memory", KEY_MEMORY, "MODEL", 0, "ideal, fixed, full or fast: --set memory.model=MODEL", 0},
    {"sms", KEY_SMS, "N", 0, "number of SMs: --set gpu.sms=N", 0},
    {"seed", KEY_SEED, "N", 0, "seed of what is random: --set run.seed=N", 0},
    {"dump-config", KEY_DUMP_CONFIG, "FILE", OPTION_ARG_OPTIONAL,
     "write the configuration with all changes, to FILE or the standard output, and stop", 0},
    {"fast", KEY_FAST, 0, 0,
     "fewer queues in the memory system, several times faster: --set memory.model=fast", 0},
    {"sample", KEY_SAMPLE, 0, 0,
     "time representative launches and blocks only, and estimate the others: docs/sampling.md", 0},
    {"max-cycles", KEY_MAX_CYCLES, "N", 0, "stop after N cycles, with exit status 3", 0},
    {"threads", KEY_THREADS, "N", 0, "simulate the SMs on N threads: faster, same results (1)", 0},
    {0, 0, 0, 0, "Recordings and lists of traces, which hold several launches:", 3},
    {"kernels", KEY_KERNELS, "REGEX", 0, "only kernels whose name matches", 0},
    {"launches", KEY_LAUNCHES, "A:B", 0, "only launches A to before B, counted from 1", 0},
    {"launch-number", KEY_LAUNCH_NUMBER, "N", 0,
     "only one, with files as named: launch N, counted from 1; --param launch=N", 0},
    {"brief", KEY_BRIEF, 0, 0, "no report for each launch: the table at the end alone", 0},
    {"table", KEY_TABLE, "FILE", 0, "one CSV file with a row for each launch", 0},
    {0, 0, 0, 0, "Timeline:", 4},
    {"timeline", KEY_TIMELINE, "FILE", 0, "record what every warp slot does in every cycle", 0},
    {"timeline-sm", KEY_TIMELINE_SM, "LIST", 0, "only these SMs: 0,3 or 0:4 (0 to 3)", 0},
    {"timeline-cycles", KEY_TIMELINE_CYCLES, "A:B", 0, "only cycles from A to before B", 0},
    {0, 0, 0, 0, "Checks:", 5},
    {"no-skip", KEY_NO_SKIP, 0, 0, "visit every cycle: slow, same results", 0},
    {"check", KEY_CHECK, 0, 0, "check invariants while running", 0},
    {0},
};

static void out_of_memory(struct argp_state *state)
{
    argp_failure(state, SIMSM_FAILED, 0, "out of memory");
}

static char *format(struct argp_state *state, const char *form, const char *a, const char *b)
{
    size_t size = strlen(form) + strlen(a) + strlen(b) + 1;
    char *text = malloc(size);
    if (!text)
        out_of_memory(state);
    else
        (void)snprintf(text, size, "%s%s%s", a, form, b);
    return text;
}

static uint64_t number(struct argp_state *state, const char *option, const char *text,
                       uint64_t limit)
{
    char *end = NULL;
    errno = 0;
    unsigned long long value = isdigit((unsigned char)text[0]) ? strtoull(text, &end, 10) : 0;
    if (!end || *end || errno || value > limit)
        argp_error(state, "%s: expected a whole number, at most %llu, found '%s'", option,
                   (unsigned long long)limit, text);
    return value;
}

/* An option that changes the run: kept as it was given, for the report. */
static void spell(struct argp_state *state, const char *option, const char *text)
{
    struct run_options *o = state->input;
    o->spelled[o->spelled_count++] = format(state, " ", option, text);
}

static void setting(struct argp_state *state, const char *option, const char *key, const char *text)
{
    struct run_options *o = state->input;
    spell(state, option, text);
    o->settings[o->setting_count++] =
        key ? format(state, "=", key, text) : format(state, "", text, "");
}

static void choose(void *context, const char *key, const char *value)
{
    struct argp_state *state = context;
    struct run_options *o = state->input;
    o->settings[o->setting_count++] = format(state, "=", key, value);
}

/* --policy: its module and what that has, as if each had been set. */
static void policy(struct argp_state *state, const char *name)
{
    struct run_options *o = state->input;
    struct simsm_error error;
    if (o->policy)
        argp_error(state, "--policy is given twice: '%s' and '%s'; a run has one module", o->policy,
                   name);
    if (*name == '\0')
        argp_error(state, "--policy: expected a module, found nothing");
    o->policy = name;
    spell(state, "--policy", name);
    if (module_choices(name, choose, state, &error) != SIMSM_OK)
        argp_failure(state, SIMSM_BAD_INPUT, 0, "%s", error.message);
}

/* Ends the program if an option that can be given once comes twice. */
static void once(struct argp_state *state, const char *option, const char **field, const char *text)
{
    if (*field)
        argp_error(state, "%s is given twice: '%s' and '%s'", option, *field, text);
    if (*text == '\0')
        argp_error(state, "%s: expected the name of a file, found nothing", option);
    *field = text;
}

static void sm_list(struct argp_state *state, const char *text)
{
    struct run_options *o = state->input;
    struct simsm_error error;
    if (o->timeline_sm)
        argp_error(state, "--timeline-sm is given twice; write one list: 0,3,8:12");
    if (selection_sms(text, &o->timeline_sm, &o->timeline_sm_count, &error) != SIMSM_OK)
        argp_error(state, "--timeline-sm: %s", error.message);
}

static void cycles(struct argp_state *state, const char *text)
{
    struct run_options *o = state->input;
    struct simsm_error error;
    o->timeline_cycles = true;
    if (selection_cycles(text, &o->timeline_from, &o->timeline_to, &error) != SIMSM_OK)
        argp_error(state, "--timeline-cycles: %s", error.message);
}

static void argument(struct argp_state *state, const char *text)
{
    struct run_options *o = state->input;
    if (!o->config)
        o->config = text;
    else if (!o->trace)
        o->trace = text;
    else
        argp_error(state, "one configuration and one trace are enough: '%s' comes after '%s'%s",
                   text, o->trace, o->dump_config ? "; write --dump-config=FILE, with '='" : "");
}

static void check_options(struct argp_state *state)
{
    struct run_options *o = state->input;
    const struct {
        const char *option;
        bool given;
    } timed[] = {{"--json", o->json != NULL},
                 {"--csv", o->csv != NULL},
                 {"--timeline", o->timeline != NULL},
                 {"--table", o->table != NULL},
                 {"--max-cycles", o->max_cycles != UINT64_MAX}};
    if (!o->config)
        argp_error(state, "which GPU? Name a configuration, such as configs/t4.yaml, and a trace");
    if (!o->trace && !o->dump_config)
        argp_error(state,
                   "'%s' is no command, so it is a configuration: name a trace behind it, "
                   "such as traces/divergent.trace",
                   o->config);
    if (o->trace && !*o->trace)
        argp_error(state, "the name of the trace is empty");
    if (o->functional && !o->launch_file)
        argp_error(state, "--functional needs --launch FILE");
    for (size_t i = 0; o->functional && i < sizeof timed / sizeof timed[0]; i++) {
        if (timed[i].given)
            argp_error(state, "--functional has no timing, so that there is nothing for %s",
                       timed[i].option);
    }
    if (o->quiet && o->brief)
        argp_error(state, "--brief keeps the table at the end, and --quiet leaves that out, too: "
                          "leave one of them out");
    if (o->sample && o->max_cycles != UINT64_MAX)
        argp_error(state, "--sample and --max-cycles do not go together");
    if (!o->timeline && (o->timeline_sm || o->timeline_cycles))
        argp_error(state, "%s needs --timeline FILE",
                   o->timeline_sm ? "--timeline-sm" : "--timeline-cycles");
}

static void launch_file(struct argp_state *state, const char *text)
{
    struct run_options *o = state->input;
    if (o->launch_file)
        argp_error(state, "--launch is given twice: '%s' and '%s'",
                   o->launch_file + strlen("launch="), text);
    spell(state, "--launch", text);
    o->launch_file = format(state, "launch=", "", text);
    o->parameters[o->parameter_count++] = o->launch_file;
}

static error_t parse_output(int key, char *text, struct argp_state *state)
{
    struct run_options *o = state->input;
    switch (key) {
    case KEY_JSON:
        once(state, "--json", &o->json, text);
        return 0;
    case KEY_CSV:
        once(state, "--csv", &o->csv, text);
        return 0;
    case KEY_DUMP_CONFIG:
        once(state, "--dump-config", &o->dump_config, text ? text : "-");
        return 0;
    case KEY_TIMELINE:
        once(state, "--timeline", &o->timeline, text);
        return 0;
    case KEY_TIMELINE_SM:
        sm_list(state, text);
        return 0;
    case KEY_TIMELINE_CYCLES:
        cycles(state, text);
        return 0;
    case KEY_QUIET:
        o->quiet = true;
        return 0;
    case KEY_ASCII:
        o->ascii = true;
        return 0;
    case KEY_TABLE:
        once(state, "--table", &o->table, text);
        return 0;
    case KEY_BRIEF:
        o->brief = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* --kernels or --launches, as `simsm run` has them. */
static void choice(struct argp_state *state, enum setting_id id, const char **field,
                   const char *text)
{
    const char *name = settings_table[id].option;
    struct settings scratch;
    struct simsm_error error;
    if (*field)
        argp_error(state, "--%s is given twice: '%s' and '%s'", name, *field, text);
    if (settings_set(&scratch, id, text, &error) != SIMSM_OK)
        argp_error(state, "%s", error.message);
    *field = text;
}

/* Which launches of what there is. */
static error_t parse_launches(int key, char *text, struct argp_state *state)
{
    struct run_options *o = state->input;
    switch (key) {
    case KEY_KERNELS:
        choice(state, SETTING_ID_kernels, &o->kernels, text);
        return 0;
    case KEY_LAUNCHES:
        choice(state, SETTING_ID_launches, &o->launches, text);
        return 0;
    case KEY_LAUNCH_NUMBER:
        spell(state, "--launch-number", text);
        (void)snprintf(o->launch_number, sizeof o->launch_number, "launch=%u",
                       (unsigned)number(state, "--launch-number", text, INT32_MAX));
        o->parameters[o->parameter_count++] = o->launch_number;
        return 0;
    case KEY_LAUNCH:
        launch_file(state, text);
        return 0;
    default:
        return parse_output(key, text, state);
    }
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct run_options *o = state->input;
    switch (key) {
    case KEY_SET:
        setting(state, "--set", NULL, text);
        return 0;
    case KEY_PARAM:
        spell(state, "--param", text);
        o->parameters[o->parameter_count++] = text;
        return 0;
    case KEY_FUNCTIONAL:
        o->functional = true;
        return 0;
    case KEY_POLICY:
        policy(state, text);
        return 0;
    case KEY_POLICY_PARAM:
        spell(state, "--policy-param", text);
        o->settings[o->setting_count++] = format(state, ".", "policy.params", text);
        return 0;
    case KEY_MEMORY:
        setting(state, "--memory", "memory.model", text);
        return 0;
    case KEY_SMS:
        setting(state, "--sms", "gpu.sms", text);
        return 0;
    case KEY_SEED:
        setting(state, "--seed", "run.seed", text);
        return 0;
    case KEY_MAX_CYCLES:
        o->max_cycles = number(state, "--max-cycles", text, UINT64_MAX / 2);
        spell(state, "--max-cycles", text);
        return 0;
    case KEY_THREADS:
        o->threads = (uint32_t)number(state, "--threads", text, SIMSM_THREADS_MAX);
        return 0;
    case KEY_FAST:
        setting(state, "--memory", "memory.model", "fast");
        return 0;
    case KEY_SAMPLE:
        o->sample = true;
        return 0;
    case KEY_NO_SKIP:
        o->no_skip = true;
        return 0;
    case KEY_CHECK:
        o->check = true;
        return 0;
    case ARGP_KEY_ARG:
        argument(state, text);
        return 0;
    case ARGP_KEY_END:
        check_options(state);
        return 0;
    default:
        return parse_launches(key, text, state);
    }
}

/* The end of --help: the other commands, from the table that main() runs on. */
static char *help(int key, const char *text, void *input)
{
    (void)input;
    if (key != ARGP_KEY_HELP_POST_DOC)
        return (char *)text; /* argp's way of saying: as it is */
    char *list = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&list, &size);
    if (!file)
        return NULL;
    (void)fprintf(file, "Commands (simsm COMMAND --help says more):\n");
    for (const struct command *c = commands; c->name; c++)
        (void)fprintf(file, "  %-11s %s\n", c->name, c->summary);
    if (fclose(file) != 0) {
        free(list);
        return NULL;
    }
    return list; /* argp frees it */
}

void run_options_parse(struct run_options *result, int argc, char **argv)
{
    static const struct argp argp = {
        options,
        parse,
        "CONFIG TRACE\nCOMMAND ...",
        "Simulates the kernel in TRACE on the GPU that CONFIG describes, warp by warp and cycle by "
        "cycle, and reports what its warps did and why.\v",
        NULL,
        help,
        NULL};
    *result = (struct run_options){.max_cycles = UINT64_MAX};
    result->settings = calloc((size_t)argc * MODULE_CHOICES, sizeof *result->settings);
    result->spelled = calloc((size_t)argc, sizeof *result->spelled);
    result->parameters = calloc((size_t)argc + 1, sizeof *result->parameters);
    if (!result->settings || !result->spelled || !result->parameters) {
        (void)fprintf(stderr, "simsm: out of memory\n");
        exit(SIMSM_FAILED);
    }
    (void)argp_parse(&argp, argc, argv, 0, NULL, result);
}

void run_options_free(struct run_options *o)
{
    for (size_t i = 0; i < o->setting_count; i++)
        free((void *)o->settings[i]);
    for (size_t i = 0; i < o->spelled_count; i++)
        free((void *)o->spelled[i]);
    free((void *)o->settings);
    free((void *)o->spelled);
    free((void *)o->parameters);
    free(o->launch_file);
    free(o->timeline_sm);
}
