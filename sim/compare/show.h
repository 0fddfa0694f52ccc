/* A comparison as text, as Markdown, as a table and as a picture. */
#ifndef SIM_COMPARE_SHOW_H
#define SIM_COMPARE_SHOW_H

#include <stdbool.h>
#include <stdio.h>

#include "compare/compare_figures.h"

/* What is shown. Nothing is owned. */
struct shown {
    const struct match *match;
    const struct figures *figures;
    const struct figure *chosen;     /* metric of the list of launches and of the picture */
    const char *gpu, *measured_name; /* what was simulated; the file of what was measured */
    bool all; /* all launches, and each with all metrics; else the worst ones of many */
};

/*
 * All write to `file`, whose write errors they leave in it (ferror), and report only that memory
 * has run out.
 */

/* For a terminal. */
enum simsm_status show_text(FILE *file, const struct shown *shown, struct simsm_error *error);

enum show_table { SHOW_SUMMARY, SHOW_PROGRAMS, SHOW_LAUNCHES, SHOW_METRICS, SHOW_TABLES };

extern const char *const show_table_names[SHOW_TABLES];

/* One table in Markdown: errors of time over all launches and over long ones; or one row for each
 * program, launch or metric. */
enum simsm_status show_markdown(FILE *file, const struct shown *shown, enum show_table table,
                                struct simsm_error *error);

/* Rows program,launch,kernel,metric,unit,simulated,measured,error: all launches, all metrics. */
void show_csv(FILE *file, const struct shown *shown);

enum simsm_status show_json(FILE *file, const struct shown *shown, struct simsm_error *error);

/* A scatter plot of shown->chosen, with a colour for each program, or kernel where there is one. */
enum simsm_status show_svg(FILE *file, const struct shown *shown, struct simsm_error *error);

#endif
