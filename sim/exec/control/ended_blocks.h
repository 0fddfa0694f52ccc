/* The instructions of blocks that have ended before the timing model asked for them. */
#ifndef SIM_EXEC_CONTROL_ENDED_BLOCKS_H
#define SIM_EXEC_CONTROL_ENDED_BLOCKS_H

#include "exec/control/exec_block.h"

enum { ENDED_BUCKETS = 1024 };

struct exec_ended; /* the instructions of one block */

/* A hash table by block index, initially all NULL. Buffers are reused: a block that has ended
 * leaves its buffers here and gets buffers that the reader of an earlier block has left. */
struct ended_table {
    struct exec_ended *bucket[ENDED_BUCKETS];
    struct exec_ended *spare;
};

/* Takes the instructions of `block`, which has ended, and leaves it empty buffers. Returns false if
 * memory is short. */
bool ended_keep(struct ended_table *table, struct exec_block *block);

/* Moves the instructions of block `index` to cursor[0..warps-1], whose content is lost. Returns
 * false if the table does not have them. */
bool ended_take(struct ended_table *table, uint64_t index, struct byte_buffer *cursor);

/* Frees all buffers. */
void ended_clear(struct ended_table *table);

#endif
