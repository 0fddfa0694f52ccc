/* How the core executes each opcode class under one configuration. */
#ifndef SIM_CORE_OP_TABLE_H
#define SIM_CORE_OP_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "simsm/config.h"

/*
 * What an instruction needs to be free at issue: a pipe, or room in the memory-I/O queue. The
 * queue is one; three names for it keep apart the stall reasons that Nsight Compute keeps apart.
 */
enum {
    UNIT_FMA_WHOLE = SIMSM_PIPE_COUNT, /* both halves of fma */
    UNIT_LG,                           /* queue, for global and local accesses */
    UNIT_TEX,
    UNIT_MIO, /* queue, for everything else */
    UNIT_COUNT
};

enum op_path {
    PATH_PIPE,    /* into a pipe; result after a fixed latency */
    PATH_XU,      /* into a pipe of the sub-partition; result awaited by scoreboard */
    PATH_QUEUE,   /* through the queue to a unit of the SM that is not memory */
    PATH_MEMORY,  /* through the queue to the memory system */
    PATH_CONTROL, /* acts on the warp itself */
};

struct op_exec {
    uint8_t path;   /* enum op_path */
    uint8_t unit;   /* what must be free at issue */
    uint8_t stage;  /* behind the queue: the SM-wide unit, an enum simsm_pipe */
    uint8_t wait;   /* enum wait_kind of its result */
    bool is_store;  /* memory without a result: counts for fences and drain */
    bool runs_on;   /* does not wait for a barrier that its warp stands at */
    bool is_posted; /* the end of its warp does not await its answer */
    uint32_t latency, interval;
    uint32_t hold; /* cycles for which nothing else of the sub-partition issues behind it */
};

struct op_table {
    struct op_exec op[SIMSM_OP_COUNT];
    uint32_t tracked_pipes; /* bit per pipe with results that are awaited by scoreboard */
};

void op_table_init(struct op_table *table, const struct simsm_config *config);

#endif
