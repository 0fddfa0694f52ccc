/*
 * How much faster one run is than another, and why: one sentence. The rules are in
 * speed_causes.def, the figures in speed_figures.def.
 */
#ifndef SIM_REPORT_SPEED_CHANGE_H
#define SIM_REPORT_SPEED_CHANGE_H

#include "report/quantity.h"
#include "simsm/stats.h"

enum speed_figure {
#define FIGURE(id, ...) SPEED_##id,
#include "report/speed_figures.def"
#undef FIGURE
    SPEED_FIGURES
};

/* Sums over launches of one run. Begins as {0}, is filled by speed_side_add(). */
struct speed_side {
    double clock_mhz;
    double calls, cycles, launch_cycles, blocks;
    double counter[SIMSM_COUNTER_COUNT], state[SIMSM_STATE_COUNT];
    double block_threads, registers, shared_bytes, warps_most; /* NaN: launches differ */
};

/* Adds a launch. */
void speed_side_add(struct speed_side *side, const struct simsm_stats *stats, double clock_mhz);

/* Adds the sums of other launches of the same run. */
void speed_side_merge(struct speed_side *side, const struct speed_side *more);

/* Returns the time of all launches in ns. */
double speed_side_time(const struct speed_side *side);

/* Returns the name of a figure (NULL: it is not shown), its value (NaN: not defined), and the value
 * as text. */
const char *speed_figure_name(enum speed_figure figure);
double speed_figure_value(enum speed_figure figure, const struct speed_side *side);
struct quantity speed_figure_text(enum speed_figure figure, double value);

/* Says which counters the figures are computed from. */
void speed_counters(bool used[SIMSM_COUNTER_COUNT]);

enum { SPEED_CAUSES = 2, SPEED_PHRASE = 160, SPEED_SENTENCE = 512 };

/* A reason for a difference in time. */
struct speed_cause {
    const char *rule;          /* name of the rule, or of the warp state */
    double share;              /* what it explains, as a share of the difference; may exceed 1 */
    char phrase[SPEED_PHRASE]; /* "stores went from 32 to 4 sectors a request" */
};

struct speed_change {
    double ratio; /* time of B over time of A */
    bool noise;   /* the difference is below the threshold */
    struct speed_cause cause[SPEED_CAUSES];
    unsigned causes;   /* 0 if `noise` */
    char how_much[64]; /* "4.9 times faster", "12.3 % more time" */
    char sentence[SPEED_SENTENCE];
};

/* Explains the difference between A and B. Differences of time below `threshold`, a share of the
 * time of A such as 0.01, are noise. */
void speed_change_find(const struct speed_side *a, const struct speed_side *b, double threshold,
                       struct speed_change *change);

#endif
