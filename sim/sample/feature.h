/* Features: counts of a launch, or of a part of it, that need no timing. */
#ifndef SIM_SAMPLE_FEATURE_H
#define SIM_SAMPLE_FEATURE_H

enum sample_feature {
    FEATURE_WARP_INSTRUCTIONS,
    FEATURE_THREAD_INSTRUCTIONS, /* active lanes, summed: divergence */
    FEATURE_LONGEST_WARP,        /* instructions of the longest warp */
    FEATURE_SECTORS,             /* sectors of accesses to global and local memory */
    FEATURE_LINES,               /* distinct lines of 128 bytes; estimated */
    FEATURE_ATOMICS,             /* lanes of atomics on global and shared memory */
    FEATURE_SHARED,              /* instructions that access shared memory */
    SAMPLE_FEATURES
};

extern const char *const sample_feature_names[SAMPLE_FEATURES];

#endif
