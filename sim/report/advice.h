/*
 * Advice about a launch: faults that cost it time, each with its price, the figure that shows it
 * and the line responsible. advice_find() estimates prices from the statistics alone; `simsm why`
 * replaces estimates by what experiments (section what_if of the configuration) measure.
 * docs/advice.md describes both.
 */
#ifndef SIM_REPORT_ADVICE_H
#define SIM_REPORT_ADVICE_H

#include "report/metrics.h"

enum advice_id {
#define ADVICE(id, ...) ADVICE_##id,
#include "report/advice.def"
#undef ADVICE
    ADVICE_COUNT
};

enum advice_kind {
    ADVICE_FAULT,   /* another program for the same task need not have this cost */
    ADVICE_UNSURE,  /* as FAULT, but its share is not known without an experiment */
    ADVICE_GENERAL, /* many programs must have it; ranks behind faults that explain it */
    ADVICE_FIXED    /* each launch has it; ranks as GENERAL, and is part of the verdict */
};

struct advice_row {
    const char *name;       /* for JSON */
    const char *experiment; /* key of section what_if; "": none */
    enum advice_kind kind;
    const char *title, *remedy;
};

extern const struct advice_row advice_rows[ADVICE_COUNT];

enum { ADVICE_FIGURE = 200, ADVICE_PLACE = 200 };

struct advice {
    enum advice_id id;
    double share;    /* of the launch's time, 0 to 1 */
    double estimate; /* the share as the statistics tell it, before an experiment */
    bool measured;   /* the share is an experiment's; false: it is the estimate */
    uint32_t line;   /* index into stats->lines; ADVICE_NO_LINE: no line */
    char
        figure[ADVICE_FIGURE]; /* what shows the fault: "32.0 sectors a request where 4 would do" */
    char place[ADVICE_PLACE]; /* the line: "app.cu line 12: LDG.E R2, [R4.64]", or "at 0x30: ..." if
                                 the source is unknown; "": no line */
};

#define ADVICE_NO_LINE UINT32_MAX

/* Fills `advice` with what costs the launch time, the greatest share first. Returns the number of
 * entries. Shares are estimates, of which each assumes that nothing else changes. */
unsigned advice_find(const struct simsm_config *config, const struct simsm_stats *stats,
                     const struct simsm_metric metrics[METRIC_COUNT],
                     struct advice advice[ADVICE_COUNT]);

/* Sorts advice by rank: by share, but GENERAL advice comes behind each fault that has at least a
 * third of its share. */
void advice_rank(struct advice *advice, unsigned count);

/* The busiest resource of a launch. */
struct advice_roof {
    char name[40];    /* "DRAM", "the issue slots", "the fma pipe", ... */
    const char *pipe; /* "fma"; NULL: no pipe, and there is a translation of the name */
    double share;     /* of what the resource sustains, over the whole launch: 0 to 1 */
};

struct advice_roof advice_roof(const struct simsm_config *config, const struct simsm_stats *stats,
                               const struct simsm_metric metrics[METRIC_COUNT]);

#endif
