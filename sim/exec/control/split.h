/*
 * How the lanes of a warp split into groups, and how groups wait for one another at convergence
 * barriers. A group is the lanes of a warp that stand at the same instruction and execute together
 * (struct exec_group). The rules are those of front/divergence.h but for nesting: machine code
 * saves barrier registers, leaves barriers early and calls functions while lanes wait.
 */
#ifndef SIM_EXEC_CONTROL_SPLIT_H
#define SIM_EXEC_CONTROL_SPLIT_H

#include "exec/control/exec_block.h"

/* Begins a warp: all of `lanes` form one group at instruction `at`, which runs. */
void split_begin(struct exec_slot *slot, uint32_t lanes, uint32_t at);

/* Makes a ready group the running group: of the ready groups the last in slot->group. Returns false
 * if no group can run. */
bool split_next(struct exec_slot *slot);

/* Returns whether the group that split_next() would choose was put away, that is set aside at a
 * branch before a later branch set another group aside. */
bool split_next_was_put_away(const struct exec_slot *slot);

/*
 * Stops the running group; it stays ready and is the next to run. Another group must not overtake
 * it without need: the paused group may be in a function that has saved barrier registers of lanes
 * which wait in a caller.
 */
void split_pause(struct exec_slot *slot);

/*
 * YIELD: moves the running group behind its instruction and behind all other ready groups. Before
 * that, lanes go on that wait at a convergence barrier for yielding lanes only. If no other group
 * is ready, the running group simply runs on.
 */
void split_yield(struct exec_slot *slot);

/* Returns the lanes whose last instruction was YIELD and that let other groups run. */
uint32_t split_yielded(const struct exec_slot *slot);

/* Branches: the lanes of the running group in `taken` go to `target`, its other lanes go on behind
 * the instruction. The configuration key divergence.first names the side that runs first. */
void split_branch(struct exec_slot *slot, uint32_t taken, uint32_t target);

/* As split_branch(), but the lanes that do not go to `target` go on at `stay`. */
void split_leave(struct exec_slot *slot, uint32_t leaving, uint32_t target, uint32_t stay);

/*
 * Makes `lanes` of the running group wait at its instruction; `how` has the kind of wait and the
 * barrier or mask. The other lanes of the group, if there are any, go on behind the instruction.
 * Without other lanes no group runs.
 */
void split_wait(struct exec_slot *slot, uint32_t lanes, const struct exec_group *how);

/* Moves `lanes` of the running group behind its instruction. The other lanes of the group stay at
 * the instruction, and issue it again when `lanes` wait or end. */
void split_advance(struct exec_slot *slot, uint32_t lanes);

/*
 * Lets the lanes of convergence barrier `barrier` go on together if all lanes that the barrier
 * register still has have arrived. `again`: the lanes go on at the BSYNC, and issue it once more.
 * An H200 counts so where lanes have left the barrier (BREAK) in place of arriving; for lanes that
 * have exited the same is assumed.
 */
void split_converge(struct exec_slot *slot, uint32_t barrier, bool again);

/* If all live lanes of `mask` wait at instruction `at`, a WARPSYNC: lets them issue it once more,
 * all together. An H200 counts warp and thread instructions so. */
void split_meet(struct exec_slot *slot, uint32_t mask, uint32_t at);

/*
 * WARPSYNC.COLLECTIVE: if all live lanes of `mask` wait at such instructions, which may be
 * different ones, lets them issue the instruction `at`, where the last of them wait, as one group.
 * ENDCOLLECTIVE parts the lanes again.
 */
void split_collect(struct exec_slot *slot, uint32_t mask, uint32_t at);

/* ENDCOLLECTIVE: each lane of the running group goes on at slot->resume[lane]. The lanes that go on
 * behind the instruction run first (measured on an H200). */
void split_scatter(struct exec_slot *slot);

/* Ends `lanes` of the running group. Lanes that waited only for these lanes go on. The rest of the
 * group goes on behind the instruction. */
void split_exit(struct exec_slot *slot, uint32_t lanes);

/* Lets the lanes that wait at named barrier `barrier` go on, as one group for each instruction. */
void split_release(struct exec_slot *slot, uint32_t barrier);

/* Returns whether a group that does not run could. */
bool split_others_ready(const struct exec_slot *slot);

/* Returns whether lanes wait at `at`, a BAR, while other lanes of their warp are ready. The warp
 * has then not arrived at the barrier. */
bool split_waits_in_part(const struct exec_slot *slot, uint32_t at);

static inline struct exec_group *split_running(struct exec_slot *slot)
{
    return &slot->group[slot->now];
}

#endif
