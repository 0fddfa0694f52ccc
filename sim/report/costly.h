/* The static instructions at which warps spend most of their time. */
#ifndef SIM_REPORT_COSTLY_H
#define SIM_REPORT_COSTLY_H

#include "simsm/stats.h"

enum { COSTLY_LINES = 10 };

struct costly_line {
    uint32_t line;               /* index into stats->lines */
    enum simsm_warp_state state; /* the state with most of these cycles */
    uint64_t cycles; /* warp cycles with the instruction at the head: issuing or waiting */
};

/* Fills `lines` with the instructions that have most cycles, in descending order. Returns their
 * number; instructions without cycles are left out. */
unsigned costly_lines(const struct simsm_stats *stats, struct costly_line lines[COSTLY_LINES]);

#endif
