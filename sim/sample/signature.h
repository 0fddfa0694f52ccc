/*
 * What a launch does, known from executing it without time: what decides how long it takes, as far
 * as it does not depend on time itself.
 */
#ifndef SIM_SAMPLE_SIGNATURE_H
#define SIM_SAMPLE_SIGNATURE_H

#include "front/front.h"
#include "sample/profile.h"

struct sample_signature {
    double feature[SAMPLE_FEATURES];
    uint64_t hash; /* of all streams: instructions, lanes, addresses */
    bool known;    /* false: its code reads clocks */
};

/*
 * Asks `front` for all of its blocks, once and in their order: one that executes has then been
 * executed. Nothing else can be asked of it afterwards. *profile is filled if the signature is
 * known. Fails as the front does.
 */
enum simsm_status sample_sign(const struct front *front, struct sample_signature *signature,
                              struct sample_profile *profile, struct simsm_error *error);

/* Whether the front's code reads clocks: what it does then depends on time. */
bool sample_reads_clock(const struct front *front);

/* Whether no feature of the two differs by more than a few percent. */
bool sample_alike(const struct sample_signature *a, const struct sample_signature *b);

#endif
