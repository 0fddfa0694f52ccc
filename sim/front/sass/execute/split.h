/*
 * How the lanes of a warp are split into groups, which wait for one another at convergence
 * barriers. The rules are those of front/divergence.h, without its nesting: machine code spills
 * barrier registers, leaves them early and calls functions in the middle.
 */
#ifndef SIM_FRONT_SASS_EXECUTE_SPLIT_H
#define SIM_FRONT_SASS_EXECUTE_SPLIT_H

#include "front/sass/execute/block.h"

/* All of `lanes` begin together at instruction `at`. */
void split_begin(struct exec_slot *slot, uint32_t lanes, uint32_t at);

/* Lets the group run that was set aside last of those that are ready; false: none is. */
bool split_next(struct exec_slot *slot);

/* The running group goes behind all that are ready. */
void split_rotate(struct exec_slot *slot);

/* The running group: those of its lanes in `taken` go to `target`, the others go on behind the
 * instruction. The side with fewer lanes runs first, on a tie the lanes that go on. */
void split_branch(struct exec_slot *slot, uint32_t taken, uint32_t target);

/* Each lane of the running group goes to target[lane]. The fewest run first. */
void split_scatter(struct exec_slot *slot, const uint32_t target[EXEC_LANES]);

/*
 * `lanes` of the running group wait as `how` says (barrier, mask) at its instruction; the others,
 * if there are any, go on behind it. Nobody runs then unless there are.
 */
void split_wait(struct exec_slot *slot, uint32_t lanes, const struct exec_group *how);

/* If all lanes that convergence barrier `barrier` still has have arrived, they go on together. */
void split_converge(struct exec_slot *slot, uint32_t barrier);

/* If the live lanes of `mask` all wait at instruction `at`, they go on together. */
void split_meet(struct exec_slot *slot, uint32_t mask, uint32_t at);

/* `lanes` of the running group end; who waited only for them goes on. The rest of the group, if
 * there is one, goes on behind the instruction. */
void split_exit(struct exec_slot *slot, uint32_t lanes);

/* Lanes that wait at named barrier `barrier` go on, as one group for each instruction. */
void split_release(struct exec_slot *slot, uint32_t barrier);

static inline struct exec_group *split_running(struct exec_slot *slot)
{
    return &slot->group[slot->now];
}

#endif
