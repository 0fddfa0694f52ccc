/* The state of a block while its instructions are executed: its warps, their groups of lanes, what
 * the groups wait for, shared and local memory. */
#ifndef SIM_EXEC_CONTROL_EXEC_BLOCK_H
#define SIM_EXEC_CONTROL_EXEC_BLOCK_H

#include "base/arena.h"
#include "exec/control/exec_warp.h"
#include "front/divergence.h"
#include "front/packed_warp.h"
#include "model/wait.h"

enum { EXEC_BARRIERS = 16 };

enum exec_wait {
    EXEC_READY,
    EXEC_AT_CONVERGENCE, /* BSYNC: waits for the other lanes of a convergence barrier */
    EXEC_AT_WARPSYNC,    /* WARPSYNC: waits for the other lanes of a mask */
    EXEC_AT_BARRIER,     /* BAR: waits for other warps */
    EXEC_AT_PHASE, /* SYNCS.PHASECHK: waits for the end of a phase of a barrier in shared memory */
    EXEC_SPINNING  /* reads memory again and again until it changes */
};

/* A group: lanes of a warp that stand at the same instruction and execute together. */
struct exec_group {
    uint32_t lanes;
    uint32_t at;     /* index of the next instruction, or of the instruction where the lanes wait */
    uint8_t wait;    /* enum exec_wait */
    uint8_t barrier; /* number of the convergence or named barrier */
    bool deferred;   /* set aside at the last branch: runs as soon as the running group waits */
    bool put_away; /* was set aside before a later branch set another group aside: runs after it */
    bool again;    /* has met at a convergence barrier that BMOV wrote, and issues BSYNC again */
    bool collective; /* at a WARPSYNC.COLLECTIVE; if EXEC_READY, complete there */
    bool suspect;    /* was found to spin earlier: is examined again soon */
    bool watches;    /* is in a loop that reads a clock, which may be a wait */
    bool yields;     /* EXEC_SPINNING or watches: the loop contains YIELD */
    bool polls;      /* EXEC_SPINNING: until the words that it polls change (exec_visit_changed) */
    bool yielded;    /* its last instruction was YIELD: convergence barriers do not wait for it */
    uint32_t mask;   /* EXEC_AT_WARPSYNC: lanes that have to meet; EXEC_AT_PHASE: lanes that wait */
    uint64_t seen;   /* EXEC_SPINNING: exec_grid.changes when the spin was found */
};

/* A warp of a block in execution. Of the ready groups, the last in group[] runs first. */
struct exec_slot {
    struct exec_warp *warp;
    const struct divergence_rules *rules;
    struct exec_group group[EXEC_LANES];
    uint32_t groups;
    uint32_t now;                /* index of the running group; EXEC_NOBODY: no group runs */
    uint32_t resume[EXEC_LANES]; /* where each lane goes on after ENDCOLLECTIVE */
    uint32_t restored;           /* bit b: convergence barrier b was last written by BMOV */
    /* Lanes that have arrived at a BAR, and wait when the rest of their group arrives. */
    uint32_t deferred;
    bool met_again;  /* the last BSYNC was issued for the second time (exec_group.again) */
    bool resting;    /* the warp's turn is over */
    uint32_t yields; /* YIELDs since exec_grid.changes became yields_seen */
    uint64_t yields_seen;
    /* Kernels that race: scoreboards of loads whose answers the warp has not used yet. */
    uint8_t asked;
    uint32_t reduction; /* the result that B2R.RESULT reads */
    struct packed_writer writer;
    struct byte_buffer cursor;
    struct exec_visit *visit; /* passes through polling loops; NULL: the kernel has none */
    /* Of a warp whose instructions are executed as they issue: */
    uint32_t sm, place; /* its SM, and its slot there */
    uint32_t barred;    /* number + 1 of the BAR that the whole warp has gone past; 0: none */
    bool holding;       /* it waits for the exchange */
    uint32_t polls;     /* reads of the addresses `polled` in a row, at L2 or of an mbarrier */
    uint64_t polled[4];
    /* A wait for a phase (SYNCS.PHASECHK.TRYWAIT) without an answer: */
    const struct exec_step *phase;    /* NULL: there is none */
    bool phase_tests;                 /* it looks once */
    uint32_t phase_lanes, phase_bits; /* its lanes, and the phases that they wait for the end of */
    uint8_t *phase_word[EXEC_LANES];
};

#define EXEC_NOBODY UINT32_MAX

struct exec_barrier {
    uint32_t expected; /* threads; 0: all live threads of the block */
    uint32_t arrived;  /* threads that wait here, or have gone on after BAR.ARV */
    uint32_t count;    /* BAR.RED: threads whose predicate holds */
    uint32_t reducing; /* BAR.RED: threads that have arrived */
    uint8_t reduction; /* BAR.RED: 0 POPC, 1 AND, 2 OR */
};

struct exec_grid;
struct exec_step;

struct exec_block {
    struct exec_grid *grid; /* the launch: exec_grid.h */
    uint64_t index;         /* index of the block in the grid */
    uint64_t serial;        /* counts the blocks that have had this state */
    uint32_t ended;         /* warps that have left the SM */
    uint32_t id[3];
    struct exec_slot *slot; /* [warps] */
    struct arena registers; /* of all warps */
    uint32_t warps, live;   /* live: threads that have not exited */
    struct exec_barrier barrier[EXEC_BARRIERS];
    uint8_t *shared;  /* [grid->shared_bytes]; machine code addresses it from 0 */
    uint8_t *written; /* [grid->shared_bytes] 1: the byte has been written; NULL: not tracked */
    struct word_table words; /* words of shared memory, as exec_grid.words */
    uint8_t *local;          /* [warps][lanes][grid->local_bytes] */
    uint32_t given_up;       /* times that waits for a phase were given up since memory changed */
    uint64_t seen_giving_up;
    uint64_t quiet;          /* warp instructions since the block changed memory */
    uint64_t seen;           /* grid->changes when the block last ran */
    uint64_t patience;       /* suspended: events of the grid between two tries */
    uint64_t retry_at;       /* suspended: number of the event of the next try */
    struct exec_block *next; /* next block in the grid's list of suspended or free blocks */
};

/* Why the execution of a block stopped: all threads have ended; it may go on later; its threads
 * wait for one another for ever; the launch has failed. */
enum exec_outcome { EXEC_ENDED, EXEC_SUSPENDED, EXEC_STUCK, EXEC_FAULTED };

/* Creates the state of a block, which exec_block_begin makes a block of the grid. Returns NULL if
 * memory is short. The caller destroys it. */
struct exec_block *exec_block_create(struct exec_grid *grid);
void exec_block_destroy(struct exec_block *block);

/*
 * Records an executed instruction in the instruction sequence of its warp. A memory access takes
 * its addresses from grid->addresses. It counts as a write if grid->wrote, which is reset.
 * `active`: the lanes of the group; `lanes`: those whose guard holds; `flags`: enum
 * warp_inst_flags.
 */
void exec_record(struct exec_grid *grid, struct exec_slot *slot, uint32_t at, uint32_t active,
                 uint32_t lanes, uint32_t flags);

/* Begins block `index` of the grid at the kernel's first instruction, with zeroed memory and
 * registers. */
void exec_block_begin(struct exec_block *block, uint64_t index);

/*
 * Runs the block until it has ended, until it cannot go on before another block changes memory, or
 * until it has run for a long time without changing memory. EXEC_STUCK: no other block can help, as
 * its threads wait for one another.
 */
enum exec_outcome exec_block_run(struct exec_block *block);

/* Gives each warp of the block one turn: until it needs an answer from memory, waits, or has run
 * for long. */
enum exec_outcome exec_block_step(struct exec_block *block);

/* Returns whether exec_block_run could make progress. */
bool exec_block_runnable(const struct exec_block *block);

/*
 * Lets a group go on that waits at a convergence barrier for lanes which spin. `any`: also if the
 * spinning lanes have not executed YIELD, or if no store follows the barrier. Returns false if
 * there is no such group.
 */
bool exec_block_overtake(struct exec_block *block, bool any);

/* Fails the launch at an instruction that cannot be executed, unless such instructions are skipped.
 * Returns whether the launch has failed. */
bool exec_refuse(struct exec_block *block, struct exec_slot *slot, const struct exec_step *step);

/* Writes a message for a deadlock of the block to `text`: a line for each group that waits, with
 * what it waits for. */
void exec_block_describe(const struct exec_block *block, char *text, size_t size);

#endif
