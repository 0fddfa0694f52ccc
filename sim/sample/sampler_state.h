/* Private to this folder: what a sampler knows. */
#ifndef SIM_SAMPLE_SAMPLER_STATE_H
#define SIM_SAMPLE_SAMPLER_STATE_H

#include "sample/sampler.h"

struct sample_timed {
    uint64_t number, hash; /* hash 0: not known */
    uint64_t copies;
    struct sample_figures figures;
};

struct sample_group {
    struct sample_subject first;
    char kernel[64];
    struct sample_timed *timed; /* [count] */
    uint32_t count, room;
    uint64_t estimated, members; /* members: copies too */
};

/* One launch: what became of it. */
struct sample_row {
    uint64_t number, like, cycles;
    uint32_t group;
    uint8_t mark, reason;
};

struct sampler {
    bool exact, pending; /* pending: the last row is to be timed */
    struct sample_group *group;
    uint32_t groups, group_room;
    struct sample_row *row;
    size_t rows, row_room;
    uint64_t hash; /* of the pending one */
};

/* What the timed launches of a group say of one that is not. */
struct sample_estimate {
    double mean, deviation; /* cycles; deviation: of one launch, never less than a floor */
    double half;            /* of the 95 % interval of the mean; infinite for one value */
};

struct sample_estimate sample_estimate(const struct sample_group *group);

/* The 95 % interval of a timed launch's cycles: 0 if all of its blocks were timed. */
double sample_half(const struct sample_figures *figures);

#endif
