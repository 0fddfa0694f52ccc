/*
 * What happens to the lanes of one warp when a branch splits them.
 *
 * Modelled: two machines. `barrier` (Volta and later): BSSY notes the lanes that are to meet again
 * in a convergence barrier; a path that reaches BSYNC blocks until every noted lane that is still
 * alive has arrived, and then all go on together. Each path issues its own BSYNC. `stack` (before
 * Volta): SSY pushes the meeting point, a divergent branch pushes the side that has to wait, and
 * SYNC pops one entry. Which side of a split goes first is a rule of the configuration; on an H200
 * it is the side with fewer lanes, and the lanes that do not branch on a tie (measured).
 *
 * Left out: YIELD and the time-out that let a waiting path overtake a spinning one, WARPSYNC
 * barriers of arbitrary lanes, spilled barrier registers. A path runs until it blocks or ends;
 * then the one that was set aside last goes on.
 *
 * A position is a number of the caller's: where in its program a path stands.
 */
#ifndef SIM_FRONT_DIVERGENCE_H
#define SIM_FRONT_DIVERGENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "simsm/config.h"
#include "simsm/error.h"

struct module;

enum {
    DIVERGENCE_BARRIERS = 16, /* B0..B15 */
    DIVERGENCE_PATHS = 31,    /* set aside: each has a lane of its own, and one path runs */
    DIVERGENCE_STACK = DIVERGENCE_BARRIERS + DIVERGENCE_PATHS
};

#define DIVERGENCE_END UINT32_MAX /* as a position: no lane is left */

struct divergence_rules {
    enum simsm_divergence_model model;
    enum simsm_divergence_first first;
    struct module *module; /* whose path order decides, or NULL; owned */
    char text[128];        /* the above, for those who wonder what a stream was made with */
};

struct divergence_path {
    uint32_t lanes, at;
};

struct divergence {
    uint32_t active; /* lanes of the running path; 0 once the warp has ended */
    uint32_t alive;  /* lanes that have not exited */
    uint32_t depth;  /* entries of `waiting` or of `stack` */
    union {
        struct {
            struct divergence_path waiting[DIVERGENCE_PATHS];
            uint32_t member[DIVERGENCE_BARRIERS], arrived[DIVERGENCE_BARRIERS];
            uint32_t resume[DIVERGENCE_BARRIERS];
        } barrier;
        struct divergence_path stack[DIVERGENCE_STACK];
    } as;
};

/*
 * Fills *rules from the configuration; without one (NULL) with its defaults. If divergence.first is
 * `module`, opens that. On success to be closed with divergence_rules_close.
 */
enum simsm_status divergence_rules_open(struct divergence_rules *rules,
                                        const struct simsm_config *config,
                                        struct simsm_error *error);
void divergence_rules_close(struct divergence_rules *rules);

/* Whether of two sides, neither empty, the lanes that branch go first; `backward`: they go to an
 * earlier instruction. */
bool divergence_taken_first(const struct divergence_rules *rules, uint32_t taken, uint32_t stay,
                            bool backward);

/* A warp begins with `lanes`, which are not 0. */
void divergence_start(struct divergence *state, const struct divergence_rules *rules,
                      uint32_t lanes);

/*
 * BSSY or SSY: the active lanes are to meet at barrier `barrier` (below DIVERGENCE_BARRIERS) and
 * go on at `resume`, the position after the matching BSYNC or SYNC. Barriers must nest: at most
 * DIVERGENCE_BARRIERS are open at a time.
 */
void divergence_enter(struct divergence *state, const struct divergence_rules *rules,
                      uint32_t barrier, uint32_t resume);

/*
 * A branch: of the active lanes those in `taken` go to `target`, the others to `next`. Sets aside
 * the side that waits, if both have lanes; returns the position where the warp goes on.
 */
uint32_t divergence_branch(struct divergence *state, const struct divergence_rules *rules,
                           uint32_t taken, uint32_t target, uint32_t next);

/* BSYNC or SYNC of the running path; returns the position where the warp goes on. */
uint32_t divergence_sync(struct divergence *state, const struct divergence_rules *rules,
                         uint32_t barrier, uint32_t resume);

/*
 * EXIT of the active lanes in `lanes`; those that remain go on at `next`. Returns the position
 * where the warp goes on, or DIVERGENCE_END.
 */
uint32_t divergence_exit(struct divergence *state, const struct divergence_rules *rules,
                         uint32_t lanes, uint32_t next);

#endif
