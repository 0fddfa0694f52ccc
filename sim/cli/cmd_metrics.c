/* `simsm metrics`: names, units and meanings of all counters and metrics, from the simulator's
 * tables. */
#include <stdbool.h>
#include <stdio.h>

#include "cli/cli.h"
#include "report/metrics.h"
#include "report/verdict.h"

static const struct argp_option options[] = {
    {"markdown", 'm', 0, 0, "print the tables of docs/metrics.md, with the rules of the verdict",
     0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    bool *markdown = state->input;
    if (key == 'm')
        *markdown = true;
    else if (key == ARGP_KEY_ARG)
        argp_error(state, "expected no argument, found '%s'", text);
    else
        return ARGP_ERR_UNKNOWN;
    return 0;
}

static void row(const char *name, const char *unit, const char *meaning, bool markdown)
{
    if (markdown)
        (void)printf("| `%s` | %s | %s |\n", name, unit, meaning);
    else
        (void)printf("%s [%s]\n    %s\n", name, unit, meaning);
}

static void title(const char *text, bool markdown)
{
    (void)printf(markdown ? "\n### %s\n\n| name | unit | meaning |\n|---|---|---|\n" : "%s:\n",
                 text);
}

const struct command_parser metrics_parser = {
    .argp = {.options = options,
             .parser = parse,
             .doc = "Lists every counter and metric: name, unit, meaning."},
};

int cmd_metrics(int argc, char **argv)
{
    bool markdown = false;
    command_parser_run(&metrics_parser, argc, argv, 0, &markdown);
    title("Counters", markdown);
    for (unsigned i = 0; i < SIMSM_COUNTER_COUNT; i++)
        row(simsm_counters[i].name, simsm_counters[i].unit, simsm_counters[i].meaning, markdown);
    if (!markdown)
        (void)printf("\n");
    struct simsm_metric metrics[METRIC_COUNT];
    metrics_describe(metrics);
    title("Metrics", markdown);
    for (unsigned i = 0; i < METRIC_COUNT; i++)
        row(metrics[i].name, metrics[i].unit, metrics[i].meaning, markdown);
    if (markdown) {
        (void)printf("\n### Rules of the verdict\n\n");
        verdict_markdown(stdout);
    }
    return cli_finish(SIMSM_OK);
}
