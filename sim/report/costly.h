/* The static instructions at which warps spend most of their time. */
#ifndef SIM_REPORT_COSTLY_H
#define SIM_REPORT_COSTLY_H

#include "simsm/stats.h"

enum { COSTLY_LINES = 10 };

struct costly_line {
    uint32_t line;               /* index into stats->lines */
    enum simsm_warp_state state; /* the one in which warps spend most of that */
    uint64_t cycles;             /* warp cycles issuing or waiting there */
};

/* Fills `lines`, most cycles first, and returns how many there are; those without any are none. */
unsigned costly_lines(const struct simsm_stats *stats, struct costly_line lines[COSTLY_LINES]);

#endif
