/* Shows a comparison as text, Markdown, a table, or a picture. */
#ifndef SIM_COMPARE_SHOW_H
#define SIM_COMPARE_SHOW_H

#include <stdbool.h>
#include <stdio.h>

#include "compare/compare_figures.h"

/* What is shown. The struct owns nothing. */
struct shown {
    const struct match *match;
    const struct figures *figures;
    const struct figure *chosen;     /* metric for the list of launches and for the picture */
    const char *gpu, *measured_name; /* name of the simulated GPU; file of the measurements */
    bool all; /* show all launches with all metrics; otherwise only the worst launches */
};

/* All functions write to `file`, leave write errors in it (ferror), and fail only if memory runs
 * out. */

/* Writes text for a terminal. */
enum simsm_status show_text(FILE *file, const struct shown *shown, struct simsm_error *error);

enum show_table { SHOW_SUMMARY, SHOW_PROGRAMS, SHOW_LAUNCHES, SHOW_METRICS, SHOW_TABLES };

extern const char *const show_table_names[SHOW_TABLES];

/* Writes one table in Markdown: errors of time over all launches and over long ones, or one row
 * for each program, launch or metric. */
enum simsm_status show_markdown(FILE *file, const struct shown *shown, enum show_table table,
                                struct simsm_error *error);

/* Writes CSV rows program,launch,kernel,metric,unit,simulated,measured,error for all metrics of
 * all launches. */
void show_csv(FILE *file, const struct shown *shown);

enum simsm_status show_json(FILE *file, const struct shown *shown, struct simsm_error *error);

/* Writes a scatter plot of shown->chosen as SVG, with a colour for each program, or for each
 * kernel if there is one program. */
enum simsm_status show_svg(FILE *file, const struct shown *shown, struct simsm_error *error);

#endif
