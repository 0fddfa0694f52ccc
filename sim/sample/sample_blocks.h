/*
 * Sampling of blocks: chooses which blocks of a launch are timed and estimates the time of the
 * others.
 *
 * While the launch runs, the sampler notes the time of each wave (as many ends of blocks as the GPU
 * has places), except the first waves. When their mean is known well enough, the launch is
 * shortened: blocks are placed until the remaining ones are whole waves, so that the end of the
 * grid is simulated as it is. Each remaining wave takes the mean. docs/sampling.md says when this
 * is not done, and why.
 */
#ifndef SIM_SAMPLE_SAMPLE_BLOCKS_H
#define SIM_SAMPLE_SAMPLE_BLOCKS_H

#include "gpu/gpu.h"
#include "sample/signature.h"

struct simsm;

enum { BLOCK_WAVES = 512 /* most waves that are measured */, BLOCK_TEXT = 160 };

enum block_reason {
    BLOCKS_NOT_ASKED, /* sampling of blocks was not asked for */
    BLOCKS_SAMPLED,   /* some blocks are timed; with all other values all blocks */
    BLOCKS_UNKNOWN,   /* their work depends on time, or the user wants all of it */
    BLOCKS_WAIT,      /* blocks wait for each other */
    BLOCKS_FEW,       /* too few waves */
    BLOCKS_FILL,      /* their accesses fill L2, but too late */
    BLOCKS_DIFFER,    /* the remaining blocks do other work than the timed ones */
    BLOCKS_DRIFT,     /* waves become slower or faster */
    BLOCKS_SPREAD,    /* the mean of the waves was not known well enough in time */
    BLOCK_REASONS
};

extern const char *const block_reason_names[BLOCK_REASONS];

/* The result. A struct of zeros: sampling of blocks was not asked for. */
struct block_outcome {
    enum block_reason reason;
    char text[BLOCK_TEXT];  /* the reason as a text for the user */
    uint64_t timed, blocks; /* timed blocks, and all blocks of the grid */
    /* Estimates for all blocks. All fields below are 0 if all blocks were timed. */
    double cycles;
    double variance,
        freedom; /* variance of `cycles` in cycles squared, and its degrees of freedom */
    /* The waves that stand for the remaining ones: number, mean, standard deviation, and by how
     * much the remaining waves may differ. */
    double waves_timed, wave_cycles, wave_deviation, wave_change;
    double counter[SIMSM_COUNTER_COUNT]; /* counters of all blocks, estimated */
};

struct block_count {
    uint64_t done; /* blocks */
    uint64_t counter[SIMSM_COUNTER_COUNT];
};

struct block_sampler {
    struct gpu_cut cut; /* functions that the simulation calls */
    const struct sample_profile *profile;
    uint64_t wave;  /* blocks that are resident at a time */
    uint64_t start; /* number of ends of blocks after which waves are measured */
    uint64_t last;  /* cycle of the last end of a block in the previous wave */
    double cycles[BLOCK_WAVES];
    uint32_t waves;
    uint64_t limit; /* number of blocks to time; UINT64_MAX: not decided */
    bool begun;     /* `from` is still to be counted */
    struct block_count from, to;
    struct block_outcome outcome;
};

/*
 * Prepares the sampler for a launch with this profile, which must outlive the simulation. `why_not`
 * is NULL, or a text for the user that says why all blocks must be timed.
 */
void block_sampler_begin(struct block_sampler *sampler, const struct sample_profile *profile,
                         const char *why_not);

/* Connects the sampler with the simulation of the launch, which must not have begun. */
void block_sampler_attach(struct block_sampler *sampler, struct simsm *simulation,
                          const struct simsm_config *config);

/* Tells the sampler the size of the GPU: `wave` resident blocks and `l2_lines` lines in L2. */
void block_sampler_place(struct block_sampler *sampler, uint64_t wave, double l2_lines);

/* Fills sampler->outcome after the end of the launch. */
void block_sampler_end(struct block_sampler *sampler, const struct simsm_stats *stats);

#endif
