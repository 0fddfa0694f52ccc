/*
 * A block of threads while its instructions are executed: its warps, which lanes of them go
 * together, what they wait for, its shared and local memory.
 */
#ifndef SIM_FRONT_SASS_EXECUTE_BLOCK_H
#define SIM_FRONT_SASS_EXECUTE_BLOCK_H

#include "front/sass/execute/warp.h"
#include "front/stream/stream.h"

enum { EXEC_BANKS = 32, EXEC_BANK_BYTES = 65536 + 16, EXEC_BARRIERS = 16 };

/* One bank of constant memory. All EXEC_BANK_BYTES of `data` can be read, so that no 16-bit offset
 * is out of bounds; those behind `bytes` are zero. */
struct exec_bank {
    const uint8_t *data;
    uint32_t bytes;
};

enum exec_wait {
    EXEC_READY,
    EXEC_AT_CONVERGENCE, /* BSYNC: for the other lanes of a convergence barrier */
    EXEC_AT_WARPSYNC,    /* for the other lanes of a mask */
    EXEC_AT_BARRIER,     /* BAR: for other warps */
    EXEC_SPINNING        /* re-reads memory until somebody changes it */
};

/* Lanes of a warp that are at one instruction and go on together. */
struct exec_group {
    uint32_t lanes;
    uint32_t at; /* index of the instruction that comes next, or at which they wait */
    uint8_t wait;
    uint8_t barrier; /* convergence or named barrier */
    bool suspect;    /* has been found spinning before: look again soon */
    uint32_t mask;   /* EXEC_AT_WARPSYNC: lanes that are to meet */
    uint64_t seen;   /* EXEC_SPINNING: exec_shared.changes when it was found out */
};

/* A warp and how its lanes are split. The group that was set aside last goes on first. */
struct exec_thread_groups {
    struct exec_group group[EXEC_LANES];
    uint32_t count;
};

struct exec_slot {
    struct exec_warp *warp;
    struct exec_thread_groups split;
    struct stream_writer writer;
    struct stream_bytes stream;
    uint64_t instructions;
    bool done;
};

struct exec_barrier {
    uint32_t expected; /* threads; 0: all of the block */
    uint32_t arrived;  /* threads that arrived without waiting (BAR.ARV) or wait */
    uint32_t count;    /* of BAR.RED.POPC, and its AND and OR */
    bool all, any;
};

struct exec_run_state;

struct exec_block {
    const struct exec_bank *bank; /* [EXEC_BANKS] */
    struct exec_run_state *run;   /* of the launch: launch_state.h */
    uint64_t index;               /* in the grid */
    uint32_t id[3];
    struct exec_slot *slot; /* [warps] */
    uint32_t warps, done;
    struct exec_barrier barrier[EXEC_BARRIERS];
    uint32_t reduction; /* what B2R.RESULT reads */
    uint8_t *shared;    /* [shared_bytes]; machine code addresses it from 0 */
    uint8_t *written;   /* [shared_bytes] 1: has been written; NULL: not asked for */
    uint8_t *local;     /* [warps][lanes][local_bytes] */
};

#endif
