/* Finds warps that poll in vain: they read the same words again and again while memory stays as it
 * is. Without time such warps sleep until memory changes. */
#ifndef SIM_EXEC_CONTROL_VAIN_H
#define SIM_EXEC_CONTROL_VAIN_H

#include "exec/control/exec_grid.h"

/* Notes that the warp has read `address`, which others may write. */
void vain_read(struct exec_slot *slot, uint64_t address);
/* Notes that the warp executes the load `step` in its present state. Returns whether it has come
 * back to this state several times: while memory stays as it is, it will do so for ever. */
bool vain_returns(struct exec_slot *slot, const struct exec_step *step);
/* Forgets what both have noted: memory has changed. */
void vain_forget(struct exec_slot *slot);
/* Returns whether the warp, by what both have noted, only goes on when memory changes. */
bool vain_for_ever(const struct exec_slot *slot);

/* Without time. */

/* Notes that the warp has executed `step`, a load or an atomic operation with a result. Returns
 * whether its turn is over, because it sleeps now. */
bool vain_poll(struct exec_grid *grid, struct exec_slot *slot, const struct exec_step *step,
               uint32_t lanes);

/* Returns whether the warp sleeps and memory has not changed. */
bool vain_asleep(const struct exec_grid *grid, const struct exec_slot *slot);

/* From here on until vain_relent(), the warp, which sleeps, sleeps only again if it polls for ever.
 * Returns false if that is known of it. */
bool vain_insist(struct exec_grid *grid, struct exec_slot *slot);
void vain_relent(struct exec_grid *grid);

#endif
