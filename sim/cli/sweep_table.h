/* The short form of `simsm sweep`: its table, its plot, its files. */
#ifndef SIM_CLI_SWEEP_TABLE_H
#define SIM_CLI_SWEEP_TABLE_H

#include "base/outfile.h"
#include "sweep/variants.h"

enum { SWEEP_TABLE_METRICS = 16 };

struct sweep_table {
    const struct variants *variants;
    unsigned metric[SWEEP_TABLE_METRICS]; /* enum metric; the columns */
    uint32_t metrics;
    unsigned plotted; /* enum metric */
};

/* The columns where the user names none. */
void sweep_table_usual(struct sweep_table *table);

/* Whether a key has ascending numbers to plot along. */
bool sweep_table_can_plot(const struct variants *variants);

void sweep_table_print(const struct sweep_table *table);

/* Draws, if it can: on the terminal, and into `svg`, which it commits (NULL: not wanted). */
enum simsm_status sweep_table_plot(const struct sweep_table *table, bool on_terminal,
                                   struct outfile *svg, struct simsm_error *error);

/* Writes every metric of every point, and commits. */
enum simsm_status sweep_table_csv(const struct sweep_table *table, struct outfile *csv,
                                  struct simsm_error *error);

#endif
