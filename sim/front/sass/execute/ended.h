/*
 * The streams of blocks that have ended before they were asked for.
 */
#ifndef SIM_FRONT_SASS_EXECUTE_ENDED_H
#define SIM_FRONT_SASS_EXECUTE_ENDED_H

#include "front/sass/execute/block.h"

enum { ENDED_BUCKETS = 1024 };

struct exec_ended; /* of one block */

/* By index; begins with all NULL. */
struct ended_table {
    struct exec_ended *bucket[ENDED_BUCKETS];
};

/* Takes the streams of `block`, which has ended. False: out of memory. */
bool ended_keep(struct ended_table *table, struct exec_block *block);

/* Moves those of block `index` to stream[0..warps-1]; false: they are not there. */
bool ended_take(struct ended_table *table, uint64_t index, struct stream_bytes *stream);

/* Frees what has not been taken. */
void ended_clear(struct ended_table *table);

#endif
