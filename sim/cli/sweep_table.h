/* The short form of `simsm sweep`: its table, its plot and its files. */
#ifndef SIM_CLI_SWEEP_TABLE_H
#define SIM_CLI_SWEEP_TABLE_H

#include "base/outfile.h"
#include "sweep/variants.h"

enum { SWEEP_TABLE_METRICS = 16 };

/* The points with the chosen metrics. */
struct sweep_table {
    const struct variants *variants;
    unsigned metric[SWEEP_TABLE_METRICS]; /* enum metric: the columns */
    uint32_t metrics;
    unsigned plotted;     /* enum metric: the metric of the plot */
    double latency, work; /* of the formula that is drawn beside the points; latency 0: none */
};

/* Adds the default columns, for a command line without --metric. */
void sweep_table_usual(struct sweep_table *table);

/* Returns whether some key has ascending numbers, as the x axis of a plot needs. */
bool sweep_table_can_plot(const struct variants *variants);

/* Prints the table to stdout: one row for each point; a point that failed has its error. */
void sweep_table_print(const struct sweep_table *table);

/* Draws the plot: on the terminal, and into `svg` (NULL: not wanted), which it commits. Draws
 * nothing if no key has ascending numbers. */
enum simsm_status sweep_table_plot(const struct sweep_table *table, bool on_terminal,
                                   struct outfile *svg, struct simsm_error *error);

/* Writes every metric of every point as CSV and commits the file. */
enum simsm_status sweep_table_csv(const struct sweep_table *table, struct outfile *csv,
                                  struct simsm_error *error);

#endif
