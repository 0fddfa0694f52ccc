/* The state of a block while its instructions are executed: its warps, their groups of lanes, what
 * the groups wait for, shared and local memory. */
#ifndef SIM_EXEC_CONTROL_EXEC_BLOCK_H
#define SIM_EXEC_CONTROL_EXEC_BLOCK_H

#include "base/byte_buffer.h"
#include "exec/control/exec_warp.h"
#include "front/divergence.h"
#include "model/wait.h"

struct heard;

/* The named barriers of a block (BAR), and behind them one for each of its warp groups
 * (WARPGROUP.ARRIVE and WARPGROUP.WAIT). */
enum { EXEC_NAMED_BARRIERS = INST_BARRIERS, EXEC_BARRIERS = EXEC_NAMED_BARRIERS + 8 };

enum exec_wait {
    EXEC_READY,
    EXEC_AT_CONVERGENCE, /* BSYNC: waits for the other lanes of a convergence barrier */
    EXEC_AT_WARPSYNC,    /* WARPSYNC: waits for the other lanes of a mask */
    EXEC_AT_BARRIER,     /* BAR: waits for other warps */
    EXEC_AT_PHASE, /* SYNCS.PHASECHK: waits for the end of a phase of a barrier in shared memory */
    EXEC_AT_CLUSTER,   /* UCGABAR_WAIT: waits for other blocks of the cluster */
    EXEC_AT_REGISTERS, /* USETMAXREG: waits for registers of other warps */
    EXEC_SPINNING      /* of a launch that has failed: reads memory again and again in vain */
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
    bool yielded;    /* its last instruction was YIELD: convergence barriers do not wait for it */
    uint32_t mask;   /* EXEC_AT_WARPSYNC: lanes that have to meet; EXEC_AT_PHASE: lanes that wait */
};

/* The state of a warp at one of its loads, to find out whether the warp comes back to it. vain.c */
struct exec_lap {
    const struct exec_step *step; /* the load; NULL: no state is known */
    uint64_t quick, state;        /* hashes: of the registers of one lane, of the whole state */
    uint32_t loads;               /* loads since the search has begun */
    uint32_t times;               /* times that the warp has come back to the state */
};

/* A warp of a block in execution. Of the ready groups, the last in group[] runs first. */
struct exec_slot {
    struct exec_warp *warp;
    const struct divergence_rules *rules;
    uint32_t groups;
    uint32_t now; /* index of the running group; EXEC_NOBODY: no group runs */
    /* Of a warp whose instructions are executed as they issue: */
    uint32_t sm, place; /* its SM, and its slot there */
    uint32_t barred;    /* number + 1 of the BAR that the whole warp has gone past; 0: none. The
                           timing model holds it there */
    uint32_t barred_at; /* index of that BAR */
    /* Of timed launches: UCGABAR_WAIT (index + 1) behind which the warp has not gone on, and how
     * often it has arrived at the barrier of the cluster. */
    uint32_t clustered, cluster_arrivals;
    uint32_t watched;    /* loads at which the warp is still looked at for `lap` */
    bool holding;        /* it waits for the exchange */
    uint64_t held_until; /* cycle before which it does not go on, in the list of pending.held */
    struct exec_slot *next_held;
    struct exec_group group[EXEC_LANES];
    uint32_t resume[EXEC_LANES]; /* where each lane goes on after ENDCOLLECTIVE */
    uint32_t restored;           /* bit b: convergence barrier b was last written by BMOV */
    /* Lanes that have arrived at a BAR, and wait when the rest of their group arrives. */
    uint32_t deferred;
    bool met_again;     /* the last BSYNC was issued for the second time (exec_group.again) */
    uint32_t reduction; /* the result that B2R.RESULT reads */
    /* Polls in vain, vain.c: */
    uint32_t polls;        /* reads in a row that came back to the same words */
    uint32_t polled_words; /* reads from word to word, when a read last came back to `polled` */
    uint64_t polled;       /* a word that was read; reads since; after how many another is taken */
    uint32_t since, reach;
    uint32_t own_changes; /* how often it has changed its local memory, or come to a BAR */
    struct exec_lap lap;
    /* Of a warp that is executed without time: */
    bool resting;                 /* its turn is over */
    bool asleep;                  /* it has polled in vain: goes on when memory changes */
    bool hopeless;                /* asleep, and would poll for ever while memory stays as it is */
    uint64_t changes;             /* exec_grid.changes at its last poll */
    uint32_t quiet;               /* loads since memory has changed */
    const struct exec_step *poll; /* its last poll */
    uint8_t asked;       /* kernels that race: scoreboards of answers that it has not used yet */
    struct heard *heard; /* what is recorded; NULL: not recorded */
    /* The barrier of the cluster: lanes that have arrived, and its phase when they did. */
    uint32_t cluster_arrived, cluster_phase;
    /* A wait for a phase (SYNCS.PHASECHK.TRYWAIT) without an answer: */
    const struct exec_step *phase;        /* NULL: there is none */
    bool phase_tests;                     /* it looks once */
    const struct exec_step *phase_waited; /* its last such wait of late, or NULL */
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
    bool only_meets;   /* WARPGROUP.ARRIVE: accesses to memory are not ordered */
};

struct exec_cluster;
struct exec_grid;
struct sanitizer_block;
struct exec_step;

struct exec_block {
    struct exec_grid *grid;       /* the launch: exec_grid.h */
    uint64_t index;               /* index of the block in the grid */
    uint64_t order;               /* how many blocks had begun before */
    struct exec_cluster *cluster; /* NULL: not launched in clusters. cluster.h */
    uint32_t rank;                /* in the cluster */
    uint64_t serial;              /* counts the blocks that have had this state */
    uint32_t ended;               /* warps that have left the SM */
    uint32_t id[3];
    struct exec_slot *slot;  /* [warps] */
    uint32_t warps, live;    /* live: threads that have not exited */
    uint32_t free_registers; /* of a thread, times warps, that warps have given back */
    struct exec_barrier barrier[EXEC_BARRIERS];
    uint8_t *shared;                 /* [grid->shared_bytes]; machine code addresses it from 0 */
    struct word_table words;         /* recordings: arrivals at barriers in shared memory */
    struct byte_buffer arrivals;     /* that have issued and have yet to count (async/arrivals.h) */
    struct sanitizer_block *watched; /* what the sanitizer knows of it; NULL: there is none */
    uint8_t *local_written; /* [warps][lanes][grid->local_bytes] 1: written; NULL: not tracked */
    uint8_t *local;         /* [warps][lanes][grid->local_bytes] */
    bool asked;             /* in this turn a warp has needed an answer from memory */
    uint32_t given_up;      /* times that waits for a phase were given up since memory changed */
    uint64_t seen_giving_up;
    struct exec_block *next; /* next block in the grid's list of running or free blocks */
    /* Executed at issue: the next block of the table by index, and the one created before. */
    struct exec_block *chain, *older;
};

/* Why the turn of a block is over: all threads have ended; it goes on later; none of its warps
 * could run before others change memory; its threads wait for one another for ever; the launch has
 * failed.
 */
enum exec_outcome { EXEC_ENDED, EXEC_SUSPENDED, EXEC_ASLEEP, EXEC_STUCK, EXEC_FAULTED };

/* Creates the state of a block, which exec_block_begin makes a block of the grid. Returns NULL if
 * memory is short. The caller destroys it. */
struct exec_block *exec_block_create(struct exec_grid *grid);
void exec_block_destroy(struct exec_block *block);

/* Begins block `index` of the grid, not yet in a cluster, at the kernel's first instruction, with
 * zeroed memory and registers. */
void exec_block_begin(struct exec_block *block, uint64_t index);

/*
 * Gives the block a turn: until it has ended, until no warp can go on before others change memory,
 * until a warp has needed an answer from memory (exec_step.asks), or until it has run for long
 * without a change of memory. EXEC_STUCK: no other block can help, as its threads wait for one
 * another.
 */
enum exec_outcome exec_block_turn(struct exec_block *block);

/*
 * Runs a warp that sleeps, although memory has not changed: it may stop polling by itself. Returns
 * false if all warps of the block are hopeless.
 */
bool exec_block_insist(struct exec_block *block);

/* Fails the launch at an instruction that cannot be executed, unless such instructions are skipped.
 * Returns whether the launch has failed. */
bool exec_refuse(struct exec_block *block, struct exec_slot *slot, const struct exec_step *step);

/* Writes a message for a deadlock of the block to `text`: a line for each group that waits, with
 * what it waits for. */
void exec_block_describe(const struct exec_block *block, char *text, size_t size);

#endif
