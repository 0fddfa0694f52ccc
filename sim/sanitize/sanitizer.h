/*
 * Finds what is wrong with the accesses of a program's kernels while they are executed: races,
 * reads of bytes that were never written. Races are found by what happens before what: whatever the
 * order in which threads happen to run. One sanitizer for a program; no function may be called by
 * two threads at once.
 */
#ifndef SIM_SANITIZE_SANITIZER_H
#define SIM_SANITIZE_SANITIZER_H

#include <stdbool.h>
#include <stdint.h>

#include "sanitize/block_order.h"
#include "sanitize/findings.h"
#include "sanitize/grid_order.h"
#include "sanitize/past_access.h"
#include "sanitize/shadow.h"
#include "sanitize/stream_order.h"

enum { SANITIZER_LANES = 32, SANITIZER_RECORDS = 32, SANITIZER_GROUPS = 64 };

/* Writes where instruction `at` of the code is: kernel, file, line, text. */
typedef void sanitizer_place_fn(const void *module, const void *kernel, uint32_t at,
                                struct finding_place *place);

/* What a program does with a word that an instruction loads: compilers load more than they need,
 * and copies of structures have gaps. */
enum sanitizer_use {
    USE_NONE,
    USE_MAYBE, /* under a guard, or in a comparison or a selection, whose outcome may be dropped */
    USE_COPIES,
    USE_COMPUTES
};
typedef enum sanitizer_use sanitizer_uses_fn(const void *module, const void *kernel, uint32_t at,
                                             uint32_t word);

/* A launch, or a copy or fill of the program, that shadow memory may refer to. */
struct sanitizer_launch {
    const void *module, *kernel; /* for sanitizer_place_fn; NULL: a call of the runtime */
    const char *call;            /* its name, static; NULL: a launch */
    struct stream_operation operation;
    uint64_t number;            /* of the launch, from 1 */
    uint32_t stack;             /* of the call that has submitted it */
    bool early;                 /* may begin before the launch in front of it has ended */
    uint32_t block[3], grid[3]; /* threads; blocks */
};

/* Memory of the program in which reads of unwritten bytes are mistakes. */
struct sanitizer_memory {
    uint64_t address, size;
    bool heap;      /* of malloc in a kernel */
    uint32_t stack; /* of the call that has allocated it */
    char name[64];
};

struct sanitizer {
    struct findings findings;
    struct shadow *shadow;
    struct past_table past;
    uint64_t time; /* counts the events that order accesses */
    struct stream_order streams;
    struct stream_clock flags_seen; /* operations whose flags the program may have read */
    bool host_pending;  /* memory of the host that operations touch is watched: accesses are kept */
    struct pool launch; /* struct sanitizer_launch; a record's `launch` is its index */
    struct grid_order order; /* of the running launch */
    uint64_t any_stamp;      /* when `any_record` was made */
    uint32_t any_record;     /* record of a read by several blocks at instruction `any_at` */
    uint32_t any_at;
    struct pool memory;          /* struct sanitizer_memory by address */
    uint32_t stack;              /* of the call of the program that is being served; 0: not known */
    enum finding_kind failed_as; /* of the call that is being served; FINDING_KINDS: not known */
    struct finding_memory named; /* memory that the fault names which is reported next */
    sanitizer_place_fn *place;
    sanitizer_uses_fn *uses;
    struct key_map used; /* (kernel, instruction and word): 1 + what `uses` has returned */
};

struct sanitizer_block;

/* The record that a warp has last made at an instruction. */
struct sanitizer_record {
    uint32_t at, interval, number; /* number 0: none */
    uint32_t generation;           /* of the table's numbers (past_table) */
};

/* Lanes of a warp that have synchronised. */
struct lane_sync {
    uint64_t time;
    uint32_t lanes;
};

/* A strong read that becomes an acquire with the next fence. */
struct strong_read {
    uint64_t object, time;
    uint8_t scope;
};

enum { LANE_SYNCS = 16, STRONG_READS = 16, SANITIZER_SCOPES = 4 };

struct sanitizer_warp {
    struct sanitizer_block *block;
    uint32_t ended,
        ended_at; /* lanes that have ended, and the last instruction at which some have */
    /* Shared memory that it has written since its last fence for copies beside the warps. */
    uint64_t unfenced_first, unfenced_end, unfenced_since;
    uint32_t index, interval; /* interval: counts the events that order the warp */
    uint64_t synced;          /* time of the last event that has ordered it with other warps */
    uint64_t fenced[SANITIZER_SCOPES], fenced_synced[SANITIZER_SCOPES]; /* by scope: the last fence,
                                                                          and `synced` then */
    uint64_t lanes_synced;                  /* time of the last synchronisation of all its lanes */
    struct lane_sync lane_sync[LANE_SYNCS]; /* the last ones of some lanes, a ring */
    uint32_t lane_syncs;
    struct strong_read read[STRONG_READS];
    uint32_t reads;
    uint32_t group, groups_done; /* groups of cp.async that were closed, and are complete */
    bool copying;                /* copies were issued since the last group was closed */
    uint64_t group_done[SANITIZER_GROUPS]; /* when, by number modulo SANITIZER_GROUPS */
    struct sanitizer_record global[SANITIZER_RECORDS], shared[SANITIZER_RECORDS];
};

/* A copy beside the warps (TMA). */
struct bulk_state {
    uint64_t object;        /* its mbarrier */
    uint64_t started, done; /* done: when the first warp had waited for it; 0: none has */
    uint32_t waiter;        /* that warp */
};

enum mbarrier_state { MBARRIER_NONE, MBARRIER_LIVE, MBARRIER_ENDED };

struct sanitizer_block {
    struct sanitizer *sanitizer;
    uint64_t index; /* in the grid */
    uint32_t warps, lines;
    struct sanitizer_warp *warp; /* [warps] */
    struct shadow_line *shared;  /* [lines] */
    uint32_t *written;           /* [lines * SHADOW_BITS] */
    struct past_table past;      /* of shared memory */
    struct block_order order;
    bool waited;              /* for the launch in front (griddepcontrol.wait) */
    bool fenced_shared;       /* a warp has executed a fence: atomics may be flags */
    uint64_t fenced;          /* when the fences were noted that releases name */
    uint32_t fences;          /* as in struct grid_event */
    struct key_map mbarriers; /* address: enum mbarrier_state */
    struct pool bulk;         /* struct bulk_state: copies beside the warps into its memory */
    uint32_t bulk_open;       /* of these, how many nobody has waited for */
};

/* What an instruction of a warp accesses. */
struct sanitizer_access {
    uint32_t at; /* index of the instruction */
    uint32_t lanes;
    uint32_t bytes; /* of each lane: 1, 2, 4, 8, 16 */
    uint8_t kind;   /* enum past_kind */
    uint8_t scope;  /* as in struct past_access */
    bool reads, writes;
    bool tolerant;           /* as in struct past_access */
    uint32_t group;          /* PAST_BULK: number of the copy */
    const uint64_t *address; /* [32]; of shared memory: from its begin */
    uint8_t *const *place;   /* [32] where the bytes lie; NULL: not known */
    /* [words] rows of the values that are written; NULL: not known */
    const uint32_t *value[4];
};

/* Creates a sanitizer that looks for `wanted` kinds. `base`, `bytes`: device memory. Returns NULL
 * if memory is short. The caller destroys it. */
struct sanitizer *sanitizer_create(uint64_t base, uint64_t bytes, uint64_t wanted);
void sanitizer_destroy(struct sanitizer *sanitizer);

/* Begins a launch, or a copy of the program; those before that are ordered are forgotten. */
void sanitizer_begin(struct sanitizer *sanitizer, const struct sanitizer_launch *launch,
                     uint64_t stream, bool blocking);

/* Creates the state of a block with `shared` bytes of shared memory, NULL if memory is short.
 * sanitizer_block_begin makes it block `index`. */
struct sanitizer_block *sanitizer_block_create(struct sanitizer *sanitizer, uint32_t warps,
                                               uint32_t shared);
void sanitizer_block_begin(struct sanitizer_block *block, uint64_t index);
void sanitizer_block_destroy(struct sanitizer_block *block);

/* Looks at an access of global memory, or of the shared memory of `owner`, which may be another
 * block of the cluster. races.c */
void sanitizer_global(struct sanitizer_warp *warp, const struct sanitizer_access *access);
void sanitizer_shared(struct sanitizer_warp *warp, struct sanitizer_block *owner,
                      const struct sanitizer_access *access);

/* The program copies, fills or reads [address, address + bytes) itself. */
void sanitizer_host_access(struct sanitizer *sanitizer, uint64_t address, uint64_t bytes,
                           bool writes);

/* Fills the place of an access of a launch or of a call: `reference` is to the record *past. */
void sanitizer_past_place(const struct sanitizer *sanitizer, const struct sanitizer_launch *launch,
                          const struct past_access *past, uint32_t reference,
                          struct finding_place *place);

/* Memory that begins unwritten, and its end. */
void sanitizer_allocated(struct sanitizer *sanitizer, uint64_t address, uint64_t size,
                         const char *name, bool heap);
void sanitizer_freed(struct sanitizer *sanitizer, uint64_t address);
/* The memory holds values from its begin on, and nobody has to free it. */
void sanitizer_forget_memory(struct sanitizer *sanitizer, uint64_t address);
/* Returns the memory that contains `address`, or NULL. */
struct sanitizer_memory *sanitizer_memory_at(const struct sanitizer *sanitizer, uint64_t address);
/* Reports what was never freed, unless the program was `broken` by an error. Nothing may follow. */
void sanitizer_end(struct sanitizer *sanitizer, bool broken);

/* Fills the place of the running launch's instruction `at`, executed by a lane of a warp. */
void sanitizer_place_of(const struct sanitizer_warp *warp, uint32_t at, uint32_t lane,
                        const char *what, struct finding_place *place);

/*
 * Events that order accesses, events.c. `object` names what orders them: any number that is its
 * own. All warps of the block have met at a barrier, whose opening ends a wait of each; a warp
 * releases into an object, or acquires from it; `lanes` of a warp have met.
 */
void sanitizer_all_met(struct sanitizer_block *block);
void sanitizer_release(struct sanitizer_warp *warp, uint64_t object);
void sanitizer_acquire(struct sanitizer_warp *warp, uint64_t object);
void sanitizer_lanes_met(struct sanitizer_warp *warp, uint32_t lanes, uint32_t live);
/* A fence of this scope (as in struct past_access). */
void sanitizer_fence(struct sanitizer_warp *warp, uint8_t scope);
/* Makes the strong reads of the warp acquires, as a barrier behind them does. */
void sanitizer_acquire_reads(struct sanitizer_warp *warp);
/* cp.async: closes the group of what was issued since the last; waits until at most `left` groups
 * are not complete; counts all that was issued as complete (an mbarrier counts them). */
void sanitizer_group_close(struct sanitizer_warp *warp);
void sanitizer_group_wait(struct sanitizer_warp *warp, uint32_t left);
void sanitizer_copies_counted(struct sanitizer_warp *warp);
/* Blocks of a cluster have met. */
void sanitizer_cluster_met(struct sanitizer_block *const *block, uint32_t blocks);

/* A copy beside the warps into shared memory of `owner`, which the mbarrier `object` counts:
 * returns its number. sanitizer_acquire of the object completes it. */
uint32_t sanitizer_bulk(struct sanitizer_block *owner, uint64_t object);

#endif
