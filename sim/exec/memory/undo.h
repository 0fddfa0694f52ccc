/*
 * What a launch changes in the device's memory, so that it can be taken back: the bytes that were
 * there, what it has allocated and freed.
 */
#ifndef SIM_EXEC_MEMORY_UNDO_H
#define SIM_EXEC_MEMORY_UNDO_H

#include "exec/memory/device_memory.h"

struct exec_undo;

/* NULL: out of memory. `memory` must outlive it. */
struct exec_undo *exec_undo_create(struct device_memory *memory);
void exec_undo_destroy(struct exec_undo *undo);

/* `bytes` bytes of global memory at `place` on the host are about to be written. */
void exec_undo_note(struct exec_undo *undo, const uint8_t *place, uint32_t bytes);
/* The allocation at this device address, if there is one, is about to be freed. */
void exec_undo_free(struct exec_undo *undo, uint64_t address);

/* Memory is again as it was when *undo was created; call it once. False: memory ran out while it
 * was noted, and nothing is taken back. */
bool exec_undo_restore(struct exec_undo *undo);

/* Whether exec_undo_repeat could bring it back: nothing has been allocated or freed. To be asked
 * before it is taken back. */
bool exec_undo_repeatable(const struct exec_undo *undo);
/* Brings back what exec_undo_restore has taken back, whatever has been written since. */
void exec_undo_repeat(struct exec_undo *undo);

#endif
