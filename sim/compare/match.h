/* Which simulated launch belongs to which measured one. */
#ifndef SIM_COMPARE_MATCH_H
#define SIM_COMPARE_MATCH_H

#include "compare/compare_launches.h"
#include "simsm/error.h"

struct match_pair {
    const struct launch_row *simulated, *measured; /* never both NULL; NULL: there is none */
};

struct match {
    const struct launches *simulated, *measured;
    struct match_pair *pair; /* [pairs] in measured order, then [only_simulated + only_measured] */
    size_t pairs, only_simulated, only_measured;
};

/*
 * The n-th launch of a kernel's function with a grid and a block belongs to the n-th of the same;
 * programs count where the measured ones are of several, sizes where all are known. Call match_free
 * whatever it returns.
 */
enum simsm_status match_launches(struct match *match, const struct launches *simulated,
                                 const struct launches *measured, struct simsm_error *error);
void match_free(struct match *match);

#endif
