/*
 * What a launch does, known from executing it without time: what decides how long it takes, as far
 * as it does not depend on time itself.
 */
#ifndef SIM_SAMPLE_SIGNATURE_H
#define SIM_SAMPLE_SIGNATURE_H

#include "front/front.h"

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

struct sample_signature {
    double feature[SAMPLE_FEATURES];
    uint64_t hash; /* of all streams: instructions, lanes, addresses */
    bool known;    /* false: the front is not made of whole blocks, or its code reads clocks */
};

/*
 * Asks `front` for all of its blocks, once and in their order: one that executes has then been
 * executed. Nothing else can be asked of it afterwards. Fails as producing a block does.
 */
enum simsm_status sample_sign(const struct front *front, struct sample_signature *signature,
                              struct simsm_error *error);

/* Whether the front's code reads clocks: what it does then depends on time. */
bool sample_reads_clock(const struct front *front);

/* Whether no feature of the two differs by more than a few percent. */
bool sample_alike(const struct sample_signature *a, const struct sample_signature *b);

#endif
