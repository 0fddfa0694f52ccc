/*
 * Sampling of launches: chooses which launches of a program are timed and estimates the time of the
 * others.
 *
 * A group consists of launches of one kernel with the same grid and block and with similar work
 * (signature.h). The first launches of a group are timed until their mean is known well enough, and
 * sometimes one more. A launch whose instruction sequences equal those of a timed launch, to the
 * last address, takes the same time. The mean of the group stands for the others
 * (docs/sampling.md).
 */
#ifndef SIM_SAMPLE_SAMPLER_H
#define SIM_SAMPLE_SAMPLER_H

#include <stdio.h>

#include "sample/sample_blocks.h"
#include "sample/signature.h"
#include "simsm/config.h"
#include "simsm/stats.h"

enum sample_mark {
    SAMPLE_TIMED,
    SAMPLE_BLOCKS,   /* timed, but not all of its blocks */
    SAMPLE_COPY,     /* not timed: executes exactly what a timed launch executed */
    SAMPLE_ESTIMATED /* not timed: the mean of its group stands for it */
};

enum sample_reason {
    SAMPLE_FIRST,    /* timed: the first launch of its group */
    SAMPLE_SPREAD,   /* timed: the mean of its group is not yet known well enough */
    SAMPLE_CONTROL,  /* timed: to see whether the group has changed */
    SAMPLE_UNKNOWN,  /* timed: its work is not known in advance, or depends on time */
    SAMPLE_SAME,     /* a copy */
    SAMPLE_IN_GROUP, /* estimated */
    SAMPLE_REASONS
};

extern const char *const sample_mark_names[];
extern const char *const sample_reason_texts[SAMPLE_REASONS];

/* Figures of a timed launch for tables. If only some blocks were timed, cycles and counters are
 * estimates for all blocks. */
struct sample_figures {
    uint64_t cycles;
    double variance, freedom; /* variance of `cycles`; 0: all blocks were timed */
    uint64_t blocks_timed;
    char blocks_text[BLOCK_TEXT]; /* why so many blocks; "": sampling of blocks was not asked for */
    uint64_t simulated;           /* simulated cycles */
    double ipc, occupancy_percent, state_percent;
    enum simsm_warp_state state;
    uint64_t counter[SIMSM_COUNTER_COUNT];
};

struct sample_subject {
    uint64_t number;    /* of the launch */
    const char *kernel; /* name for the user; copied */
    uint64_t identity;  /* of the kernel */
    struct simsm_launch launch;
    struct sample_signature signature;
};

struct sample_choice {
    enum sample_mark mark;
    enum sample_reason reason;
    uint32_t group;                /* from 0 */
    uint64_t like;                 /* for a copy the number of the timed launch, else 0 */
    struct sample_figures figures; /* figures of a launch that is not timed */
};

struct sampler;

/*
 * Returns a new sampler, or NULL if memory runs out. `exact`: launches with the same instruction
 * sequences take the same time, because L2 is empty when a launch begins.
 */
struct sampler *sampler_new(bool exact);
void sampler_free(struct sampler *sampler);

/* Decides how the next launch is handled. */
enum simsm_status sampler_choose(struct sampler *sampler, const struct sample_subject *subject,
                                 struct sample_choice *choice, struct simsm_error *error);

/* Reports that the chosen launch has been timed. A launch without this call has failed and counts
 * for nothing. */
enum simsm_status sampler_timed(struct sampler *sampler, const struct sample_figures *figures,
                                struct simsm_error *error);

/* Sums over all launches. */
struct sample_total {
    uint64_t launches, timed, copies, estimated;
    uint64_t parts;        /* timed launches with untimed blocks */
    uint64_t timed_cycles; /* simulated cycles */
    double cycles;
    double half; /* the 95 % interval is cycles +- half */
};

struct sample_total sampler_total(const struct sampler *sampler);

/* Returns an estimate of the sum of a counter over all launches. */
double sampler_counter(const struct sampler *sampler, unsigned counter);

/* Prints which launches were timed, and which launches they stand for. */
void sampler_print(const struct sampler *sampler, FILE *file);
enum simsm_status sampler_write_json(const struct sampler *sampler, FILE *file,
                                     struct simsm_error *error);

#endif
