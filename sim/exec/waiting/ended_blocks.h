/*
 * The streams of blocks that have ended before they were asked for.
 */
#ifndef SIM_EXEC_WAITING_ENDED_BLOCKS_H
#define SIM_EXEC_WAITING_ENDED_BLOCKS_H

#include "exec/control/exec_block.h"

enum { ENDED_BUCKETS = 1024 };

struct exec_ended; /* of one block */

/* By index; begins with all NULL. Memory goes round: a block that has ended leaves its streams here
 * and gets those that the reader of an earlier block has left. */
struct ended_table {
    struct exec_ended *bucket[ENDED_BUCKETS];
    struct exec_ended *spare;
};

/* Takes the streams of `block`, which has ended, and leaves it empty ones. False: out of memory. */
bool ended_keep(struct ended_table *table, struct exec_block *block);

/* Exchanges those of block `index` for the ones in stream[0..warps-1], whose content is lost;
 * false: they are not there. */
bool ended_take(struct ended_table *table, uint64_t index, struct byte_buffer *cursor);

/* Frees all of it. */
void ended_clear(struct ended_table *table);

#endif
