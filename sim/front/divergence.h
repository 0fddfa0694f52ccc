/*
 * The lanes of one warp when a branch splits them; divergence.c says what is modelled.
 *
 * A position is a number of the caller's that says where in its program a path stands.
 */
#ifndef SIM_FRONT_DIVERGENCE_H
#define SIM_FRONT_DIVERGENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "simsm/config.h"
#include "simsm/error.h"

struct plugin;

enum {
    DIVERGENCE_BARRIERS = 16, /* B0..B15 */
    DIVERGENCE_PATHS = 31,    /* waiting paths: each has at least one lane, and one path runs */
    DIVERGENCE_STACK = DIVERGENCE_BARRIERS + DIVERGENCE_PATHS
};

#define DIVERGENCE_END UINT32_MAX /* position: no lane is left */

struct divergence_rules {
    enum simsm_divergence_model model;
    enum simsm_divergence_first first;
    struct plugin *plugin; /* the plugin whose path order decides, or NULL; owned */
    char text[128];        /* the rules in words, for listings and recordings */
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
 * Fills *rules from the configuration, or with the default rules if `config` is NULL. Opens the
 * plugin if divergence.first is `module`. On success the caller must call divergence_rules_close().
 */
enum simsm_status divergence_rules_open(struct divergence_rules *rules,
                                        const struct simsm_config *config,
                                        struct simsm_error *error);
void divergence_rules_close(struct divergence_rules *rules);

/*
 * Returns whether the lanes in `taken`, which branch, run before the lanes in `stay`. Neither is
 * empty. `backward`: the branch target is an earlier instruction.
 */
bool divergence_taken_first(const struct divergence_rules *rules, uint32_t taken, uint32_t stay,
                            bool backward);

/* Starts a warp with the lanes `lanes`, which are not 0. */
void divergence_start(struct divergence *state, const struct divergence_rules *rules,
                      uint32_t lanes);

/*
 * BSSY or SSY: the active lanes will reconverge at barrier `barrier` (below DIVERGENCE_BARRIERS)
 * and continue at `resume`, the position after the matching BSYNC or SYNC. Barriers must nest: at
 * most DIVERGENCE_BARRIERS are open at a time.
 */
void divergence_enter(struct divergence *state, const struct divergence_rules *rules,
                      uint32_t barrier, uint32_t resume);

/*
 * A branch: the active lanes in `taken` go to `target`, the other active lanes to `next`. If both
 * sides have lanes, one side becomes a waiting path. Returns the position at which the warp
 * continues.
 */
uint32_t divergence_branch(struct divergence *state, const struct divergence_rules *rules,
                           uint32_t taken, uint32_t target, uint32_t next);

/* BSYNC or SYNC of the running path. Returns the position at which the warp continues. */
uint32_t divergence_sync(struct divergence *state, const struct divergence_rules *rules,
                         uint32_t barrier, uint32_t resume);

/*
 * EXIT of the active lanes in `lanes`; the other active lanes go to `next`. Returns the position at
 * which the warp continues, or DIVERGENCE_END.
 */
uint32_t divergence_exit(struct divergence *state, const struct divergence_rules *rules,
                         uint32_t lanes, uint32_t next);

#endif
