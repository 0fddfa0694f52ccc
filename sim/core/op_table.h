/* How the core executes each opcode class under one configuration. */
#ifndef SIM_CORE_OP_TABLE_H
#define SIM_CORE_OP_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "simsm/config.h"

/* The unit that an instruction needs at issue: a pipe, or room in the memory-I/O queue. There is
 * one queue. It has three names because Nsight Compute distinguishes three stall reasons. */
enum {
    UNIT_FMA_WHOLE = SIMSM_PIPE_COUNT, /* both halves of fma */
    UNIT_LG,                           /* the queue, for global and local accesses */
    UNIT_TEX,
    UNIT_MIO, /* the queue, for everything else */
    UNIT_COUNT
};

enum op_path {
    PATH_PIPE,    /* into a pipe; the result comes after a fixed latency */
    PATH_XU,      /* into a pipe of the sub-partition; a scoreboard waits for the result */
    PATH_QUEUE,   /* through the queue to a unit of the SM that is not memory */
    PATH_MEMORY,  /* through the queue to the memory system */
    PATH_CONTROL, /* acts on the warp itself */
};

struct op_exec {
    uint8_t path;   /* enum op_path */
    uint8_t unit;   /* unit that must be free at issue */
    uint8_t stage;  /* SM-wide unit behind the queue, an enum simsm_pipe */
    uint8_t wait;   /* enum wait_kind of the result */
    bool is_store;  /* memory without a result: fences and the warp's end wait for it */
    bool runs_on;   /* issues although its warp waits at a barrier */
    bool is_posted; /* the end of its warp does not wait for the answer */
    uint32_t latency, interval;
    uint32_t hold; /* cycles for which the sub-partition issues nothing after it */
};

struct op_table {
    struct op_exec op[SIMSM_OP_COUNT];
    uint32_t tracked_pipes; /* bit per pipe whose results a scoreboard waits for */
};

void op_table_init(struct op_table *table, const struct simsm_config *config);

#endif
