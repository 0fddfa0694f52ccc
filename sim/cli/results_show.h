/* What `simsm results` shows of the points that were chosen. */
#ifndef SIM_CLI_RESULTS_SHOW_H
#define SIM_CLI_RESULTS_SHOW_H

#include "results/figure.h"

struct results_show {
    const char *csv, *json, *svg; /* files to write, "-": the standard output; NULL: none */
    const char *png;
    const char *measured;       /* what ncu printed, or NULL */
    struct texts titles;        /* of the picture's panels */
    uint32_t panels;            /* metrics that are drawn: several as curves alone */
    const char *command;        /* the command line, which a picture keeps */
    struct pivot_request table; /* rows empty: a list is shown */
    enum figure_kind kind;      /* FIGURE_KINDS: no picture */
};

/* Prints a list, a table or a comparison, and writes the files. */
enum simsm_status results_show(const struct results_show *show, struct results *results,
                               struct simsm_error *error);

#endif
