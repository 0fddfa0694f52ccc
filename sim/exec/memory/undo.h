/* Takes back what a launch has changed in device memory: keeps the old bytes, and notes what the
 * launch allocates and frees. */
#ifndef SIM_EXEC_MEMORY_UNDO_H
#define SIM_EXEC_MEMORY_UNDO_H

#include "exec/memory/device_memory.h"

struct exec_undo;

/* Begins to note changes of `memory`, which must outlive the result. Returns NULL if memory is
 * short. The caller destroys the result. */
struct exec_undo *exec_undo_create(struct device_memory *memory);
void exec_undo_destroy(struct exec_undo *undo);

/* Notes that `bytes` bytes of global memory at `place` on the host are about to be written. */
void exec_undo_note(struct exec_undo *undo, const uint8_t *place, uint32_t bytes);
/* Notes that the allocation at this device address, if there is one, is about to be freed. */
void exec_undo_free(struct exec_undo *undo, uint64_t address);

/* Restores memory to the state when *undo was created. To be called once. Returns false, and
 * restores nothing, if memory ran out while changes were noted. */
bool exec_undo_restore(struct exec_undo *undo);

/* Returns whether exec_undo_repeat could bring the changes back: the launch has allocated and freed
 * nothing. To be called before exec_undo_restore. */
bool exec_undo_repeatable(const struct exec_undo *undo);
/*
 * Brings back the changes that exec_undo_restore has taken back, whatever has been written since.
 */
void exec_undo_repeat(struct exec_undo *undo);

/*
 * Compares two executions of a launch that have both been taken back from the same memory. Returns
 * whether their results differ; *place is then where on the host, and byte_of what each has left
 * there.
 */
bool exec_undo_differ(const struct exec_undo *a, const struct exec_undo *b, const uint8_t **place,
                      uint8_t byte_of[2]);

#endif
