/*
 * How the lanes of a warp are split into groups, which wait for one another at convergence
 * barriers. The rules are those of front/divergence.h, without its nesting: machine code spills
 * barrier registers, leaves them early and calls functions in the middle.
 */
#ifndef SIM_EXEC_CONTROL_SPLIT_H
#define SIM_EXEC_CONTROL_SPLIT_H

#include "exec/control/exec_block.h"

/* All of `lanes` begin together at instruction `at`. */
void split_begin(struct exec_slot *slot, uint32_t lanes, uint32_t at);

/* Lets the group run that was set aside last of those that are ready; false: none is. */
bool split_next(struct exec_slot *slot);

/* Whether the group that split_next() would choose was put away: it was set aside at a branch, and
 * another one after it. */
bool split_next_was_put_away(const struct exec_slot *slot);

/*
 * The running group is left, to go on as the next one. Others must not overtake it without need: in
 * a function it may have saved barrier registers for those that wait in a caller.
 */
void split_pause(struct exec_slot *slot);

/* The group that would go on next goes behind all others that are ready. */
void split_rotate(struct exec_slot *slot);

/*
 * YIELD: the running group goes on behind the others, first of all those that have waited at
 * convergence barriers for no others than yielding lanes. Without others it simply goes on.
 */
void split_yield(struct exec_slot *slot);

/* Lanes whose last instruction was YIELD, and that let others run. */
uint32_t split_yielded(const struct exec_slot *slot);

/* The running group: those of its lanes in `taken` go to `target`, the others go on behind the
 * instruction. The side that divergence.first names runs first. */
void split_branch(struct exec_slot *slot, uint32_t taken, uint32_t target);

/* Likewise, but the lanes that do not go to `target` go on at `stay`. */
void split_leave(struct exec_slot *slot, uint32_t leaving, uint32_t target, uint32_t stay);

/*
 * `lanes` of the running group wait as `how` says (barrier, mask) at its instruction; the others,
 * if there are any, go on behind it. Nobody runs then unless there are.
 */
void split_wait(struct exec_slot *slot, uint32_t lanes, const struct exec_group *how);

/* Moves `lanes` of the running group behind its instruction. The other lanes of the group stay at
 * the instruction, and issue it again when `lanes` wait or end. */
void split_advance(struct exec_slot *slot, uint32_t lanes);

/*
 * If all lanes that convergence barrier `barrier` still has have arrived, they go on together.
 * `again`: at the BSYNC, which they issue once more, as an H200 counts where lanes have left the
 * barrier (BREAK) instead of arriving; taken to be so where they have exited.
 */
void split_converge(struct exec_slot *slot, uint32_t barrier, bool again);

/* If the live lanes of `mask` all wait at instruction `at`, a WARPSYNC, they issue it once more,
 * all together: so an H200 counts (warp and thread instructions). */
void split_meet(struct exec_slot *slot, uint32_t mask, uint32_t at);

/* WARPSYNC.COLLECTIVE: if the live lanes of `mask` all wait at one, whichever, they go on as one
 * group behind `at`, the one at which the last of them wait; ENDCOLLECTIVE parts them again. */
void split_collect(struct exec_slot *slot, uint32_t mask, uint32_t at);

/* ENDCOLLECTIVE: each lane of the running group goes on where slot->resume says. Those that do so
 * behind the instruction are first (H200). */
void split_scatter(struct exec_slot *slot);

/* `lanes` of the running group end; who waited only for them goes on. The rest of the group, if
 * there is one, goes on behind the instruction. */
void split_exit(struct exec_slot *slot, uint32_t lanes);

/* Lanes that wait at named barrier `barrier` go on, as one group for each instruction. */
void split_release(struct exec_slot *slot, uint32_t barrier);

/* Whether lanes wait at `at`, a BAR, while others of their warp have yet to go on: the warp has not
 * arrived there. */
bool split_waits_in_part(const struct exec_slot *slot, uint32_t at);

static inline struct exec_group *split_running(struct exec_slot *slot)
{
    return &slot->group[slot->now];
}

#endif
