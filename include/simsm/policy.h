/*
 * Policies: which warp issues, where blocks go, what L1 keeps and prefetches, which side of a
 * divergent branch runs first. A policy sees a read-only view and answers with a choice; the core
 * checks it, and a choice that is not allowed ends the run with a message.
 *
 * A policy of one's own needs this header only. It is compiled to a shared object that shows one
 * symbol, simsm_policy_module, and is named by `--policy ./mine.so` or policy.module
 * (docs/policies.md). All its memory is kept by the core: blocks of a declared size, zeroed at the
 * launch. It must have no variables of its own and keep no pointers in its state, so that runs are
 * reproducible, SMs can be simulated by several threads, and a copy of the memory is a snapshot.
 */
#ifndef SIMSM_POLICY_H
#define SIMSM_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct simsm_config;

/* What is the same for a whole run. */
struct simsm_policy_setup {
    const double *param; /* values of the module's parameters, in the order of its table */
    /* For policies that are compiled into simsm: no module knows its layout. */
    const struct simsm_config *config;
    uint64_t blocks;         /* of the grid */
    uint32_t sms;            /* of the GPU */
    uint32_t sub_partitions; /* of an SM */
    uint32_t slots;          /* for warps, of a sub-partition */
    uint32_t blocks_per_sm;  /* of this kernel that fit */
    uint32_t warps_per_block;
    uint32_t instructions; /* static ones, of the kernel */
    uint32_t l1_bytes;     /* that the carve-out leaves */
    uint32_t l1_line_bytes;
    uint32_t seed; /* run.seed */
};

/* What kind of instruction a warp issues next. */
enum simsm_next_kind {
    SIMSM_NEXT_OTHER,
    SIMSM_NEXT_LOAD,   /* of global, local or texture memory; atomics that return a value too */
    SIMSM_NEXT_STORE,  /* to global or local memory; reductions too */
    SIMSM_NEXT_SHARED, /* any access to shared memory */
    SIMSM_NEXT_BRANCH, /* changes which instruction follows, or may */
    SIMSM_NEXT_BARRIER /* of the block */
};

/* The instruction that a warp issues next. */
struct simsm_next {
    uint32_t index; /* in the kernel's code, below setup->instructions */
    uint32_t lanes; /* that execute it */
    uint32_t kind;  /* enum simsm_next_kind */
};

/* One sub-partition at the moment of issue; bit s of a mask is slot s of the sub-partition. */
struct simsm_sched_view {
    uint64_t cycle;
    uint64_t eligible;        /* can issue now; never 0 when pick is called */
    uint64_t resident;        /* hold a warp that has not exited */
    uint64_t memory_pending;  /* wait for global, local or texture data */
    uint64_t synchronizing;   /* wait at a barrier or fence, sleep, or drain after EXIT */
    uint64_t yielded;         /* their last instruction let others issue first: its yield bit */
    uint64_t to_memory;       /* of the eligible: go to global, local or texture memory next */
    const uint64_t *issued;   /* per slot: cycle in which its warp issued last; 0: not yet */
    const uint64_t *launched; /* per slot: rank of the warp's launch in this SM; smaller = older */
    const uint32_t *block;    /* per slot: rank of its block's launch in this SM */
    uint32_t slots;           /* slots of the sub-partition */
    int last;                 /* slot that issued last, -1 if none or its warp is gone */
    uint32_t sm, sub_partition;
    void *sm_state; /* the module's, of this SM, which its schedulers and its L1 policy share */
    const struct simsm_policy_setup *setup;
    /* What an eligible slot issues next. */
    struct simsm_next (*next)(const struct simsm_sched_view *view, uint32_t slot);
    const void *core; /* for `next` */
};

/* Which warp of a sub-partition issues; one `state` for each sub-partition, owned by simsm. */
struct simsm_scheduler {
    const char *name;    /* as in `sm.scheduler` */
    const char *summary; /* one line, for `simsm policies` */
    size_t state_size;   /* bytes for each sub-partition, zeroed at launch */
    /* NULL where not needed: sets up the state. */
    void (*init)(void *state, const struct simsm_policy_setup *setup);
    /*
     * A slot of view->eligible, or -1 to hold back: it is asked again in the next cycle. Not called
     * when nothing is eligible. How often it is called says nothing: use view->cycle.
     */
    int (*pick)(void *state, const struct simsm_sched_view *view);
    /* NULL where not needed: a warp took the slot (filled) or left it. */
    void (*on_slot)(void *state, uint32_t slot, bool filled);
};

/*
 * One SM as the dispatcher sees it. The last three count sub-partition cycles between the last two
 * calls of `tick`, and are 0 without `tick`.
 */
struct simsm_sm_view {
    uint32_t free_blocks;     /* blocks of this kernel that still fit */
    uint32_t resident_blocks; /* blocks that it holds */
    uint32_t visit;           /* of the i-th view: the SM that comes i-th where all get a block */
    uint64_t active;          /* with a resident warp */
    uint64_t idle;            /* of these, without an issue */
    uint64_t memory;          /* of the idle, all warps but those at barriers wait for memory */
};

#define SIMSM_HOLD UINT32_MAX

/* To which SM the next block goes; one `state` for the GPU, owned by simsm. */
struct simsm_dispatcher {
    const char *name; /* as in `dispatch.policy` */
    const char *summary;
    size_t state_size; /* bytes for the GPU, zeroed at launch */
    /* NULL where not needed: sets up the state. */
    void (*init)(void *state, const struct simsm_policy_setup *setup);
    /*
     * The SM for the next block: one with free_blocks > 0. Called only while there is one.
     * `freed` is the SM whose block has just retired, or -1. SIMSM_HOLD holds the block back until
     * the next block retires or `tick` has been called.
     */
    uint32_t (*pick)(void *state, const struct simsm_sm_view *sms, uint32_t count, int freed);
    /*
     * NULL where not needed: called before the first block is placed, at cycle 0, and then in the
     * cycle that it has answered last; one that is not later: not again.
     */
    uint64_t (*tick)(void *state, const struct simsm_sm_view *sms, uint32_t count, uint64_t cycle);
};

/* A line that L1 has given up. */
struct simsm_l1_eviction {
    uint64_t line;
    uint32_t slot; /* of the SM, as below, that it was brought for; SIMSM_NO_SLOT: a store's */
};

#define SIMSM_NO_SLOT UINT32_MAX

/*
 * A load of global, local or texture memory as it enters L1, atomics and strong loads excepted. A
 * line's number is its address divided by setup->l1_line_bytes.
 */
struct simsm_l1_view {
    uint64_t cycle;
    const uint64_t *line; /* [lines] that it touches */
    uint32_t lines;
    uint32_t slot;    /* of the SM: slot of the sub-partition x sub_partitions + sub-partition */
    uint32_t index;   /* of the instruction */
    uint64_t present; /* bit i: line[i] is in L1 with all that is asked for */
    const struct simsm_l1_eviction *evicted; /* since the last access of this SM, in their order */
    uint32_t evictions;
    uint32_t sm;
    const struct simsm_policy_setup *setup;
};

enum { SIMSM_PREFETCHES = 8 };

/* All zero when on_access is called: nothing out of the ordinary. */
struct simsm_l1_answer {
    bool bypass;                         /* of a load: what it brings does not stay in L1 */
    uint32_t prefetches;                 /* at most SIMSM_PREFETCHES */
    uint64_t prefetch[SIMSM_PREFETCHES]; /* lines; dropped if they are there or no room is left */
};

/* What L1 keeps and fetches ahead; `sm_state` is the module's for the SM, owned by simsm. */
struct simsm_l1_policy {
    const char *name; /* as in `policy.l1` */
    const char *summary;
    /* Only under memory.model full. */
    void (*on_access)(void *sm_state, const struct simsm_l1_view *view,
                      struct simsm_l1_answer *answer);
};

/* A branch that splits the lanes of a warp. */
struct simsm_split {
    const double *param; /* as in struct simsm_policy_setup */
    uint32_t taken;      /* lanes that branch */
    uint32_t stay;       /* lanes that do not */
    bool backward;       /* it goes to an earlier instruction */
};

/*
 * Which side runs first. Streams are made without time, by any thread and in any order, and may be
 * recorded: the answer must follow from `split` alone.
 */
struct simsm_path_order {
    const char *name;
    const char *summary;
    bool (*taken_first)(const struct simsm_split *split);
};

enum simsm_param_type { SIMSM_PARAM_WHOLE, SIMSM_PARAM_REAL, SIMSM_PARAM_BOOL };

/* A parameter: `--policy-param NAME=VALUE`, or policy.params in a configuration. */
struct simsm_policy_param {
    const char *name;    /* letters, digits and _ */
    const char *meaning; /* one line, for `simsm policies` */
    enum simsm_param_type type;
    double value, min, max; /* default and range; of BOOL 0 or 1 */
};

/* Bumped when what has the same size comes to mean something else. */
#define SIMSM_POLICY_ABI 1

/* What a module was compiled against; simsm takes only its own. */
struct simsm_policy_head {
    uint32_t abi, module, setup, param, sched_view, next, scheduler, sm_view, dispatcher;
    uint32_t l1_view, l1_answer, l1_policy, split, path_order;
};

#define SIMSM_POLICY_HEAD                                                                          \
    {                                                                                              \
        SIMSM_POLICY_ABI, sizeof(struct simsm_policy_module), sizeof(struct simsm_policy_setup),   \
            sizeof(struct simsm_policy_param), sizeof(struct simsm_sched_view),                    \
            sizeof(struct simsm_next), sizeof(struct simsm_scheduler),                             \
            sizeof(struct simsm_sm_view), sizeof(struct simsm_dispatcher),                         \
            sizeof(struct simsm_l1_view), sizeof(struct simsm_l1_answer),                          \
            sizeof(struct simsm_l1_policy), sizeof(struct simsm_split),                            \
            sizeof(struct simsm_path_order)                                                        \
    }

/* What a module holds; what it has none of is NULL and 0. */
struct simsm_policy_module {
    struct simsm_policy_head head; /* SIMSM_POLICY_HEAD */
    const char *name;
    const char *summary;
    const struct simsm_policy_param *params; /* [param_count] */
    const struct simsm_scheduler *schedulers;
    const struct simsm_dispatcher *dispatchers;
    const struct simsm_l1_policy *l1_policies;
    const struct simsm_path_order *path_order;
    uint32_t param_count, scheduler_count, dispatcher_count, l1_policy_count;
    size_t sm_state_size; /* bytes for each SM, zeroed at launch */
    /* NULL where not needed: sets up the state of an SM. */
    void (*sm_init)(void *sm_state, const struct simsm_policy_setup *setup);
};

/* The symbol that a module defines. */
#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
extern const struct simsm_policy_module simsm_policy_module;

/* The policies that come with simsm; NULL ends each list. */
extern const struct simsm_scheduler *const simsm_schedulers[];
extern const struct simsm_dispatcher *const simsm_dispatchers[];

#ifdef __cplusplus
}
#endif

#endif
