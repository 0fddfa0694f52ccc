/* Finds warps that poll in vain: they read the same few words again and again while memory stays as
 * it is. Without time such warps sleep until memory changes. */
#ifndef SIM_EXEC_CONTROL_VAIN_H
#define SIM_EXEC_CONTROL_VAIN_H

#include "exec/control/exec_block.h"

struct exec_grid;

struct exec_vain;

/* `rows`: exec_grid.rows. Returns NULL if memory is short. */
struct exec_vain *vain_create(uint32_t rows);
/* NULL is allowed. */
void vain_destroy(struct exec_vain *vain);

/* Notes that the warp has executed `step`, a load or an atomic operation that takes a lock.
 * Returns whether its turn is over, because it sleeps now. */
bool vain_poll(struct exec_grid *grid, struct exec_slot *slot, const struct exec_step *step,
               uint32_t lanes);

/* Returns whether the warp sleeps and memory has not changed. */
bool vain_asleep(const struct exec_grid *grid, const struct exec_slot *slot);

/* From here on until vain_relent(), the warp, which sleeps, sleeps only again if it polls for ever.
 * Returns false if that is known of it. */
bool vain_insist(struct exec_grid *grid, struct exec_slot *slot);
void vain_relent(struct exec_grid *grid);

#endif
