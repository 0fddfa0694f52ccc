/* Static instructions, or lines of the source, by the time that warps spend at them. */
#ifndef SIM_REPORT_COSTLY_H
#define SIM_REPORT_COSTLY_H

#include "simsm/stats.h"

/* Rows of a report's table. */
enum { COSTLY_LINES = 10 };

enum costly_kind {
    COSTLY_INSTRUCTIONS,
    COSTLY_SOURCE /* lines of source files, each the sum of its instructions */
};

struct costly_line {
    const struct simsm_line_info *info; /* of the first instruction */
    uint32_t line;                      /* index of the first instruction in stats->lines */
    enum simsm_warp_state state;        /* the state with most of these cycles */
    uint64_t cycles;       /* warp cycles with an instruction at the head: issuing or waiting */
    uint64_t requests;     /* issues of instructions that access memory */
    uint64_t load_sectors; /* sectors of loads that L1 may have */
    struct simsm_line_stats sums;
};

/*
 * Returns the lines in descending order of cycles, and their number in *count. Lines without issues
 * and cycles are left out. The caller frees the result. Returns NULL if memory runs out.
 */
struct costly_line *costly_lines(const struct simsm_stats *stats, enum costly_kind kind,
                                 uint32_t *count);

/* Fills *line for instruction `index`. */
void costly_instruction(const struct simsm_stats *stats, uint32_t index, struct costly_line *line);

/* Adds the sums of `more` to a line. */
void costly_add(struct costly_line *line, const struct costly_line *more);

enum { COSTLY_STATES = 3 };

/* Fills `order` with the states that have most cycles, in descending order. Returns their number;
 * states below 1 % are left out. */
unsigned costly_states(const struct costly_line *line, enum simsm_warp_state order[COSTLY_STATES]);

/* Per request: sectors of global memory, or passes of shared memory. NaN: no memory instruction. */
double costly_sectors(const struct costly_line *line);
double costly_sectors_least(const struct costly_line *line);

/* Returns the share of sectors that L1 had, in per cent. NaN: no load through L1. */
double costly_hit_percent(const struct costly_line *line);

#endif
