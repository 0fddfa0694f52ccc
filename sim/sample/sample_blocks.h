/*
 * Which blocks of one launch are timed, and what the others take.
 *
 * While the launch runs, the time of each wave (as many ends of blocks as the GPU has places) is
 * noted, the first waves left out. As soon as their mean is known well enough the launch is cut
 * short: further blocks are placed until those that are left are whole waves, so that the end of
 * the grid is simulated as it will be. Each wave that is left takes the mean. docs/sampling.md says
 * when that is not done, and why.
 */
#ifndef SIM_SAMPLE_SAMPLE_BLOCKS_H
#define SIM_SAMPLE_SAMPLE_BLOCKS_H

#include "gpu/gpu.h"
#include "sample/signature.h"

struct simsm;

enum { BLOCK_WAVES = 512 /* measured at most */, BLOCK_TEXT = 160 };

enum block_reason {
    BLOCKS_NOT_ASKED, /* nobody has */
    BLOCKS_SAMPLED,   /* the only one with which not all blocks are timed */
    BLOCKS_UNKNOWN,   /* what they do depends on time, or is asked for as a whole */
    BLOCKS_WAIT,      /* they wait for one another */
    BLOCKS_FEW,       /* there are too few waves of them */
    BLOCKS_FILL,      /* what they access fills L2, too late */
    BLOCKS_DIFFER,    /* those that are left do not do what the others did */
    BLOCKS_DRIFT,     /* waves become slower or faster */
    BLOCKS_SPREAD,    /* the mean of waves was not known well enough in time */
    BLOCK_REASONS
};

extern const char *const block_reason_names[BLOCK_REASONS];

/* What came of it. All zero: nobody asked. */
struct block_outcome {
    enum block_reason reason;
    char text[BLOCK_TEXT];  /* the reason, for people */
    uint64_t timed, blocks; /* of the grid */
    /* Of all blocks, estimated; the rest is 0 if all were timed: */
    double cycles;
    double variance, freedom; /* of `cycles`, in cycles squared, and its degrees of freedom */
    /* Of the waves that stand for those left; `wave_change`: by how much these may differ. */
    double waves_timed, wave_cycles, wave_deviation, wave_change;
    double counter[SIMSM_COUNTER_COUNT]; /* of all blocks */
};

struct block_count {
    uint64_t done; /* blocks */
    uint64_t counter[SIMSM_COUNTER_COUNT];
};

struct block_sampler {
    struct gpu_cut cut; /* what the simulation asks */
    const struct sample_profile *profile;
    uint64_t wave;  /* blocks that the GPU has places for */
    uint64_t start; /* ends of blocks after which waves are measured */
    uint64_t last;  /* cycle of the last end of the wave before */
    double cycles[BLOCK_WAVES];
    uint32_t waves;
    uint64_t limit; /* blocks that are to be timed; UINT64_MAX: not decided */
    bool begun;     /* `from` is to be counted */
    struct block_count from, to;
    struct block_outcome outcome;
};

/*
 * Before a launch with this profile is simulated; *profile outlives the simulation. `why_not`: for
 * people, why all of its blocks must be timed; NULL: nothing speaks against it.
 */
void block_sampler_begin(struct block_sampler *sampler, const struct sample_profile *profile,
                         const char *why_not);

/* The simulation of the launch, which has not begun, asks the sampler from now on. */
void block_sampler_attach(struct block_sampler *sampler, struct simsm *simulation,
                          const struct simsm_config *config);

/* The same for a GPU with places for `wave` blocks and `l2_lines` lines in L2. */
void block_sampler_place(struct block_sampler *sampler, uint64_t wave, double l2_lines);

/* The launch has ended; fills sampler->outcome. */
void block_sampler_end(struct block_sampler *sampler, const struct simsm_stats *stats);

#endif
