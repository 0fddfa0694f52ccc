/* Matches simulated launches with measured ones. */
#ifndef SIM_COMPARE_MATCH_H
#define SIM_COMPARE_MATCH_H

#include "compare/compare_launches.h"
#include "simsm/error.h"

struct match_pair {
    const struct launch_row *simulated, *measured; /* NULL: no partner; never both */
};

struct match {
    const struct launches *simulated, *measured;
    struct match_pair *pair; /* [pairs] in measured order, then [only_simulated + only_measured] */
    size_t pairs, only_simulated, only_measured;
};

/*
 * Matches the n-th launch of a kernel's function with a certain grid and block with the n-th such
 * launch of the other side. Programs count if the measured launches have several, sizes if all are
 * known. The caller calls match_free() whatever the result.
 */
enum simsm_status match_launches(struct match *match, const struct launches *simulated,
                                 const struct launches *measured, struct simsm_error *error);
void match_free(struct match *match);

#endif
