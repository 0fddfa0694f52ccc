/*
 * A block of threads while its instructions are executed: its warps, which lanes of them go
 * together, what they wait for, its shared and local memory.
 */
#ifndef SIM_EXEC_CONTROL_EXEC_BLOCK_H
#define SIM_EXEC_CONTROL_EXEC_BLOCK_H

#include "exec/control/exec_warp.h"
#include "front/divergence.h"
#include "front/packed_warp.h"
#include "model/wait.h"

enum { EXEC_BARRIERS = 16 };

enum exec_wait {
    EXEC_READY,
    EXEC_AT_CONVERGENCE, /* BSYNC: for the other lanes of a convergence barrier */
    EXEC_AT_WARPSYNC,    /* for the other lanes of a mask */
    EXEC_AT_BARRIER,     /* BAR: for other warps */
    EXEC_AT_PHASE,       /* SYNCS.PHASECHK: for a phase of a barrier in shared memory to end */
    EXEC_SPINNING        /* re-reads memory until somebody changes it */
};

/* Lanes of a warp that are at one instruction and go on together. */
struct exec_group {
    uint32_t lanes;
    uint32_t at;     /* index of the instruction that comes next, or at which they wait */
    uint8_t wait;    /* enum exec_wait */
    uint8_t barrier; /* the convergence or named barrier */
    bool deferred;   /* set aside at the last branch: goes on as soon as the one that runs waits */
    bool put_away;   /* was set aside so before another branch came: comes back later */
    bool again;      /* has met at a convergence barrier that BMOV wrote, and issues BSYNC again */
    bool collective; /* at a WARPSYNC.COLLECTIVE; EXEC_READY: complete there */
    bool suspect;    /* was found spinning before: look again soon */
    bool watches;    /* is in a loop that reads a clock, which may be a wait */
    bool yields;     /* EXEC_SPINNING or watches: YIELD is in the loop */
    bool polls;      /* EXEC_SPINNING: until words that it polls change (exec_visit_changed) */
    bool yielded;    /* its last instruction was YIELD: no barrier waits for it */
    uint32_t mask;   /* EXEC_AT_WARPSYNC: lanes that are to meet; EXEC_AT_PHASE: that wait */
    uint64_t seen;   /* EXEC_SPINNING: exec_grid.changes when it was found out */
};

/* A warp of a resident block. Of its groups that are ready the last goes on first. */
struct exec_slot {
    struct exec_warp *warp;
    const struct divergence_rules *rules;
    struct exec_group group[EXEC_LANES];
    uint32_t groups;
    uint32_t now;                /* index of the group that runs; EXEC_NOBODY */
    uint32_t resume[EXEC_LANES]; /* where each lane goes on after ENDCOLLECTIVE */
    uint32_t restored;           /* bit b: convergence barrier b was last written by BMOV */
    uint32_t deferred; /* lanes that have arrived at a barrier and will wait at the next */
    bool met_again;    /* the last BSYNC was such a second one */
    bool resting;      /* the turn of the warp is over */
    uint32_t yields;   /* times that a group yielded while memory was as it is since: */
    uint64_t yields_seen;
    uint8_t asked;      /* kernels that race: scoreboards on which answers are to come */
    uint32_t reduction; /* what B2R.RESULT reads */
    struct packed_writer writer;
    struct byte_buffer cursor;
    struct exec_visit *visit; /* NULL: the kernel has no polling loops */
    uint32_t clock_reads;     /* of its stream, so far */
    uint64_t counted_before;  /* cycles, as instructions count them, at the last that was timed */
};

#define EXEC_NOBODY UINT32_MAX

struct exec_barrier {
    uint32_t expected; /* threads; 0: all of the block */
    uint32_t arrived;  /* threads that wait here or have gone on (BAR.ARV) */
    uint32_t count;    /* BAR.RED: threads whose predicate holds */
    uint32_t reducing; /* BAR.RED: threads */
    uint8_t reduction; /* 0 POPC, 1 AND, 2 OR */
};

struct exec_grid;

struct exec_block {
    struct exec_grid *grid; /* of the launch: grid.h */
    uint64_t index;         /* in the grid */
    uint32_t id[3];
    struct exec_slot *slot; /* [warps] */
    uint32_t warps, live;   /* live: threads that have not exited */
    struct exec_barrier barrier[EXEC_BARRIERS];
    uint8_t *shared;  /* [grid->shared_bytes]; machine code addresses it from 0 */
    uint8_t *written; /* [grid->shared_bytes] 1: has been written; NULL: nobody wants to know */
    struct word_table words; /* of shared memory: as exec_grid.words */
    uint8_t *local;          /* [warps][lanes][grid->local_bytes] */
    uint32_t given_up;       /* times that waits for a phase were, since memory was changed */
    uint64_t seen_giving_up;
    uint64_t quiet;    /* warp instructions since it changed memory */
    uint64_t seen;     /* grid->changes when it could not go on */
    uint64_t patience; /* events of the grid before it is tried again, and until then */
    uint64_t retry_at;
    struct exec_block *next; /* of the grid's list: suspended or free */
};

/* Why a block was left. */
enum exec_outcome { EXEC_ENDED, EXEC_SUSPENDED, EXEC_STUCK, EXEC_FAULTED };

/* NULL: out of memory. */
struct exec_block *exec_block_create(struct exec_grid *grid);
void exec_block_destroy(struct exec_block *block);

/* An instruction has been executed: into the stream of its warp, with grid->addresses if it
 * accesses memory, and as a write if grid->wrote, which is taken back. `flags`: enum
 * warp_inst_flags. */
void exec_record(struct exec_grid *grid, struct exec_slot *slot, uint32_t at, uint32_t active,
                 uint32_t lanes, uint32_t flags);

/* Makes it block `index` of the grid, at its first instruction. */
void exec_block_begin(struct exec_block *block, uint64_t index);

/*
 * Runs it until it has ended, until it cannot go on before somebody else changes memory, or for a
 * long time. EXEC_STUCK: nobody else can help it, its threads wait for one another.
 */
enum exec_outcome exec_block_run(struct exec_block *block);

/* Lets each of its warps run until it needs an answer from memory, waits or has run for long. */
enum exec_outcome exec_block_step(struct exec_block *block);

/* Whether exec_block_run would get anywhere. */
bool exec_block_runnable(const struct exec_block *block);

/*
 * Lets lanes go on that wait at a convergence barrier for others which spin. `any`: also where
 * these have said no YIELD, or what follows is not a store. False: there are none.
 */
bool exec_block_overtake(struct exec_block *block, bool any);

/* Writes that it is a deadlock and, a line for each, who waits for what. */
void exec_block_describe(const struct exec_block *block, char *text, size_t size);

#endif
