/* What is counted of a launch, or of a part of it, without timing. */
#ifndef SIM_SAMPLE_FEATURE_H
#define SIM_SAMPLE_FEATURE_H

enum sample_feature {
    FEATURE_WARP_INSTRUCTIONS,
    FEATURE_THREAD_INSTRUCTIONS, /* active lanes, summed: divergence */
    FEATURE_LONGEST_WARP,        /* its instructions */
    FEATURE_SECTORS,             /* of 32 bytes, of accesses to global and local memory */
    FEATURE_LINES,               /* distinct lines of 128 bytes; estimated */
    FEATURE_ATOMICS,             /* atomics, global and shared, lanes summed */
    FEATURE_SHARED,              /* instructions that access shared memory */
    SAMPLE_FEATURES
};

extern const char *const sample_feature_names[SAMPLE_FEATURES];

#endif
