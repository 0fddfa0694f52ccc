/* Shows the instructions that order accesses to the sanitizer of a launch (sim/sanitize). */
#ifndef SIM_EXEC_CONTROL_WATCHED_STEPS_H
#define SIM_EXEC_CONTROL_WATCHED_STEPS_H

#include "exec/control/exec_grid.h"
#include "sanitize/sanitizer.h"

/* Puts functions that tell the sanitizer in the place of those without effect on values: fences,
 * waits for copies, NOP. */
void watch_steps(struct exec_grid *grid);

/* Lanes with this mask have met at a WARPSYNC. */
void watch_meeting(struct exec_slot *slot, uint32_t lanes);

/* Lanes `waiting` of the slot's running group execute a WARPSYNC with these masks. */
void watch_masks(struct exec_slot *slot, const struct exec_inst *inst,
                 const uint32_t mask[EXEC_LANES], uint32_t waiting);
/* `lanes` of the slot's running group end. */
void watch_exit(struct exec_slot *slot, uint32_t lanes);

/* `lanes` of the slot's running group execute a BAR for `threads` threads (0: the block). */
void watch_bar(struct exec_slot *slot, const struct exec_inst *inst, uint32_t number,
               uint32_t threads, uint32_t lanes, bool waits);
/* Barrier `number` opens; `waiting`: the warps (bit w: warp w) that have waited, at instruction
 * `at`. */
void watch_barrier_opens(struct exec_block *block, uint32_t number, uint32_t waiting, uint32_t at);

/* A phase of an mbarrier of `owner` has ended: arrivals from here on are of the next. */
void watch_phase(const struct exec_block *owner, uint64_t address);
/* A lane arrives at an mbarrier of `owner`, or has seen its phase end. */
void watch_arrival(struct exec_warp *warp, const struct exec_block *owner, uint64_t address);
void watch_phase_end(struct exec_warp *warp, uint64_t address);

/* All blocks of a cluster have met. */
struct exec_cluster;
void watch_cluster(struct exec_cluster *cluster);

/* Writes the place of an instruction (sanitizer_place_fn). */
struct finding_place;
void watch_place(const void *module, const void *kernel, uint32_t at, struct finding_place *place);

/* Returns what the kernel does with word `word` of what instruction `at` loads (sanitizer_uses_fn).
 */
enum sanitizer_use watch_uses(const void *module, const void *kernel, uint32_t at, uint32_t word);

#endif
