/*
 * The verdict: what limits a kernel, in one sentence for each fault of advice.def that costs much
 * of the time, and for each rule of verdict.c whose conditions hold. docs/metrics.md contains a
 * copy of both that a test compares.
 */
#ifndef SIM_REPORT_VERDICT_H
#define SIM_REPORT_VERDICT_H

#include <stdio.h>

#include "report/metrics.h"

enum { VERDICT_MAX = 48 };

struct verdict_finding {
    const char *name;   /* name of the rule */
    char sentence[640]; /* the sentence with its figures */
    const char *hint;   /* advice */
};

/*
 * Fills `findings`, the strongest limit first. Returns their number, at least 1: the last rule
 * always holds, and is left out if another rule holds.
 */
unsigned verdict_find(const struct simsm_config *config, const struct simsm_stats *stats,
                      const struct simsm_metric metrics[METRIC_COUNT],
                      struct verdict_finding findings[VERDICT_MAX]);

/* Prints the rules as a Markdown table. */
void verdict_markdown(FILE *file);

#endif
