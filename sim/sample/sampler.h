/*
 * Which launches of a program are timed, and what the others take.
 *
 * Launches of one kernel, with the same grid and block, that do alike (signature.h) are a group.
 * Its first launches are timed until their mean is known well enough, and now and then one more;
 * one whose streams are those of a timed launch, to the last address, takes as long as that. The
 * others are estimated by the mean. docs/sampling.md says why.
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
    SAMPLE_COPY,     /* not timed: does exactly what a timed launch did */
    SAMPLE_ESTIMATED /* not timed: does about what others of its group did */
};

enum sample_reason {
    SAMPLE_FIRST,    /* timed: nothing like it has been */
    SAMPLE_SPREAD,   /* timed: the mean of its group is not known well enough */
    SAMPLE_CONTROL,  /* timed: to see whether the group has changed */
    SAMPLE_UNKNOWN,  /* timed: what it does is not known before, or depends on time */
    SAMPLE_SAME,     /* a copy */
    SAMPLE_IN_GROUP, /* estimated */
    SAMPLE_REASONS
};

extern const char *const sample_mark_names[];
extern const char *const sample_reason_texts[SAMPLE_REASONS];

/* What a table shows of a timed launch; of one that is timed in part, cycles and counters are
 * estimates for all of its blocks. */
struct sample_figures {
    uint64_t cycles;
    double variance, freedom; /* of `cycles`; 0: it has been timed to its end */
    uint64_t blocks_timed;
    char blocks_text[BLOCK_TEXT]; /* why so many; "": nobody asked */
    uint64_t simulated;           /* of these cycles */
    double ipc, occupancy_percent, state_percent;
    enum simsm_warp_state state;
    uint64_t counter[SIMSM_COUNTER_COUNT];
};

struct sample_subject {
    uint64_t number;    /* of the launch */
    const char *kernel; /* name for people; copied */
    uint64_t identity;  /* of the kernel */
    struct simsm_launch launch;
    struct sample_signature signature;
};

struct sample_choice {
    enum sample_mark mark;
    enum sample_reason reason;
    uint32_t group;                /* from 0 */
    uint64_t like;                 /* a copy: number of the timed launch; else 0 */
    struct sample_figures figures; /* of those that are not timed */
};

struct sampler;

/*
 * `exact`: launches with the same streams take the same time, because L2 is empty when a launch
 * begins. NULL: out of memory.
 */
struct sampler *sampler_new(bool exact);
void sampler_free(struct sampler *sampler);

/* Whether there has been a launch of this kernel and shape. The next one is timed if there has not,
 * whatever it does: subject->signature need not be filled. */
bool sampler_has_seen(const struct sampler *sampler, const struct sample_subject *subject);

/* Decides on the next launch. */
enum simsm_status sampler_choose(struct sampler *sampler, const struct sample_subject *subject,
                                 struct sample_choice *choice, struct simsm_error *error);

/* The launch that was to be timed has been. Without this call (it failed) it counts for nothing. */
enum simsm_status sampler_timed(struct sampler *sampler, const struct sample_figures *figures,
                                struct simsm_error *error);

/* Sums over all launches. */
struct sample_total {
    uint64_t launches, timed, copies, estimated;
    uint64_t parts;        /* of `timed`: those of which not all blocks are timed */
    uint64_t timed_cycles; /* that were simulated */
    double cycles;
    double half; /* the 95 % interval is cycles +- half */
};

struct sample_total sampler_total(const struct sampler *sampler);

/* An estimate of the counter's sum over all launches. */
double sampler_counter(const struct sampler *sampler, unsigned counter);

/* What was timed, and what stands for what. */
void sampler_print(const struct sampler *sampler, FILE *file);
enum simsm_status sampler_write_json(const struct sampler *sampler, FILE *file,
                                     struct simsm_error *error);

#endif
