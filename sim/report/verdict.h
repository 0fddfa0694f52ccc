/*
 * What limits a kernel, in one sentence: the first rule of a table (verdict.c) whose conditions all
 * hold. The table is printed into docs/metrics.md, so that the text cannot drift from the code.
 */
#ifndef SIM_REPORT_VERDICT_H
#define SIM_REPORT_VERDICT_H

#include <stdio.h>

#include "report/metrics.h"

enum { VERDICT_MAX = 24 };

struct verdict_finding {
    const char *name;   /* of the rule */
    char sentence[320]; /* with the figures that support it */
    const char *hint;   /* what to try */
};

/*
 * Fills `findings`, what limits most first, and returns their number, at least 1: the last rule
 * always holds and is left out when another one does.
 */
unsigned verdict_find(const struct simsm_config *config, const struct simsm_stats *stats,
                      const struct simsm_metric metrics[METRIC_COUNT],
                      struct verdict_finding findings[VERDICT_MAX]);

/* The rules as a Markdown table. */
void verdict_markdown(FILE *file);

#endif
