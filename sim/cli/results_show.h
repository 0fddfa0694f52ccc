/* The outputs of `simsm results`. */
#ifndef SIM_CLI_RESULTS_SHOW_H
#define SIM_CLI_RESULTS_SHOW_H

#include "results/figure.h"

/* What to show and which files to write. */
struct results_show {
    const char *csv, *json, *svg; /* files to write; "-": the standard output; NULL: none */
    const char *png;
    const char *measured;       /* the CSV file of ncu; NULL: none */
    struct texts titles;        /* of the plots in the picture */
    uint32_t panels;            /* number of metrics to draw; above 1 only for curves */
    const char *command;        /* the command line, which the SVG file keeps */
    struct pivot_request table; /* without rows: a list is shown */
    enum figure_kind kind;      /* FIGURE_KINDS: no picture */
};

/*
 * Prints the list, table or comparison that `show` describes, and writes its files. Filters
 * *results by state for a comparison. Returns a failure if a file cannot be written or the results
 * are damaged.
 */
enum simsm_status results_show(const struct results_show *show, struct results *results,
                               struct simsm_error *error);

#endif
