/*
 * Policies decide which warp issues, which SM gets a block, what L1 keeps and prefetches, and which
 * side of a divergent branch runs first. A policy receives a read-only view and returns a choice.
 * The core checks the choice; one that is not allowed ends the run with a message.
 *
 * A policy plug-in is a shared object that includes only this header and defines one symbol,
 * simsm_policy_module. `--policy ./mine.so` or the key policy.module loads it (docs/policies.md).
 * The core owns the memory of a policy: blocks of a declared size, zeroed at the launch. A plug-in
 * has no variables of its own and keeps no pointers in its state, so that runs can be repeated,
 * several threads can simulate SMs, and a copy of the memory is a snapshot.
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

/* Facts that are the same for a whole run. */
struct simsm_policy_setup {
    const double *param; /* values of the plug-in's parameters, in the order of its table */
    /* For built-in policies only: a plug-in does not know the layout of the struct. */
    const struct simsm_config *config;
    uint64_t blocks;         /* blocks of the grid */
    uint32_t sms;            /* SMs of the GPU */
    uint32_t sub_partitions; /* sub-partitions of an SM */
    uint32_t slots;          /* warp slots of a sub-partition */
    uint32_t blocks_per_sm;  /* blocks of this kernel that fit into an SM */
    uint32_t warps_per_block;
    uint32_t instructions; /* static instructions of the kernel */
    uint32_t l1_bytes;     /* bytes of L1 that the carve-out leaves */
    uint32_t l1_line_bytes;
    uint32_t seed; /* run.seed */
};

/* Kind of the instruction that a warp issues next. */
enum simsm_next_kind {
    SIMSM_NEXT_OTHER,
    SIMSM_NEXT_LOAD,   /* load of global, local or texture memory, or atomic with a result */
    SIMSM_NEXT_STORE,  /* store to global or local memory, or reduction */
    SIMSM_NEXT_SHARED, /* any access to shared memory */
    SIMSM_NEXT_BRANCH, /* may change which instruction follows */
    SIMSM_NEXT_BARRIER /* barrier of the block */
};

/* The instruction that a warp issues next. */
struct simsm_next {
    uint32_t index; /* index of the static instruction, below setup->instructions */
    uint32_t lanes; /* mask of its active lanes, before its guard */
    uint32_t kind;  /* enum simsm_next_kind */
};

/* A sub-partition in the cycle of issue. Bit s of a mask stands for slot s of the sub-partition. */
struct simsm_sched_view {
    uint64_t cycle;
    uint64_t eligible;       /* slots that can issue in this cycle; not 0 when pick is called */
    uint64_t resident;       /* slots with a warp that has not exited */
    uint64_t memory_pending; /* slots that wait for global, local or texture data */
    uint64_t synchronizing;  /* slots that wait at a barrier or fence, sleep, or drain after EXIT */
    uint64_t yielded;        /* slots whose last instruction had the yield bit set */
    uint64_t to_memory;      /* eligible slots whose next instruction accesses global, local or
                                texture memory */
    const uint64_t *issued;  /* [slots] cycle of the warp's last issue; 0: none yet */
    const uint64_t *launched; /* [slots] rank of the warp's launch in this SM; smaller is older */
    const uint32_t *block;    /* [slots] rank of the launch of the warp's block in this SM */
    uint32_t slots;           /* slots of the sub-partition */
    int last;                 /* slot that issued last; -1: none, or its warp has left */
    uint32_t sm, sub_partition;
    void *sm_state; /* state of the plug-in for this SM, shared by its schedulers and L1 policy */
    const struct simsm_policy_setup *setup;
    /* Returns the instruction that an eligible slot issues next. */
    struct simsm_next (*next)(const struct simsm_sched_view *view, uint32_t slot);
    const void *core; /* used by `next` */
};

/* Chooses the warp of a sub-partition that issues. Each sub-partition has one `state`, owned by
 * simsm. */
struct simsm_scheduler {
    const char *name;    /* as in `sm.scheduler` */
    const char *summary; /* one line, for `simsm policies` */
    size_t state_size;   /* bytes for each sub-partition, zeroed at launch */
    /* NULL: not called. Sets up the state. */
    void (*init)(void *state, const struct simsm_policy_setup *setup);
    /*
     * Returns a slot of view->eligible, or -1 to issue nothing in this cycle. Called only in cycles
     * with an eligible slot; cycles may be skipped, so use view->cycle and do not count calls.
     */
    int (*pick)(void *state, const struct simsm_sched_view *view);
    /* NULL: not called. A warp has entered the slot (filled) or left it. */
    void (*on_slot)(void *state, uint32_t slot, bool filled);
};

/*
 * An SM as the dispatcher sees it. `active`, `idle` and `memory` count cycles of its sub-partitions
 * between the last two calls of `tick`; they are 0 without `tick`.
 */
struct simsm_sm_view {
    uint32_t free_blocks;     /* blocks of this kernel that still fit */
    uint32_t resident_blocks; /* blocks that the SM holds */
    uint32_t visit;           /* in view i: the SM that comes i-th in the order of SMs */
    uint64_t active;          /* cycles with a resident warp */
    uint64_t idle;            /* active cycles without an issue */
    uint64_t memory;          /* idle cycles in which all warps not at a barrier wait for memory */
};

#define SIMSM_HOLD UINT32_MAX

/* Chooses the SM of the next block. The GPU has one `state`, owned by simsm. */
struct simsm_dispatcher {
    const char *name; /* as in `dispatch.policy` */
    const char *summary;
    size_t state_size; /* bytes for the GPU, zeroed at launch */
    /* NULL: not called. Sets up the state. */
    void (*init)(void *state, const struct simsm_policy_setup *setup);
    /*
     * Returns the SM for the next block, which has free_blocks > 0. Called only if there is such an
     * SM. `freed` is the SM whose block has just ended, or -1. SIMSM_HOLD holds the block back
     * until another block ends or `tick` has been called.
     */
    uint32_t (*pick)(void *state, const struct simsm_sm_view *sms, uint32_t count, int freed);
    /*
     * NULL: not called. Called at cycle 0, before the first block is placed, and then in the cycle
     * that its last call returned; a cycle that is not later than `cycle` ends the calls.
     */
    uint64_t (*tick)(void *state, const struct simsm_sm_view *sms, uint32_t count, uint64_t cycle);
};

/* A line that L1 has evicted. */
struct simsm_l1_eviction {
    uint64_t line;
    uint32_t slot; /* slot of the SM (see struct simsm_l1_view) whose load brought the line, or
                      SIMSM_NO_SLOT: a store brought it */
};

#define SIMSM_NO_SLOT UINT32_MAX

/*
 * A load of global, local or texture memory that enters L1; no atomics and no strong loads. The
 * number of a line is its address divided by setup->l1_line_bytes.
 */
struct simsm_l1_view {
    uint64_t cycle;
    const uint64_t *line; /* [lines] lines that the load touches */
    uint32_t lines;
    uint32_t slot;  /* slot of the SM: slot of the sub-partition x sub_partitions + sub-partition */
    uint32_t index; /* index of the static instruction */
    uint64_t present; /* bit i: line[i] is in L1 with all sectors of the load */
    const struct simsm_l1_eviction *evicted; /* evictions since the last access of this SM, in
                                              their order */
    uint32_t evictions;
    uint32_t sm;
    const struct simsm_policy_setup *setup;
};

enum { SIMSM_PREFETCHES = 8 };

/* What L1 does with a load. All zero when on_access is called: the usual. */
struct simsm_l1_answer {
    bool bypass;                         /* true: the lines of the load do not stay in L1 */
    uint32_t prefetches;                 /* at most SIMSM_PREFETCHES */
    uint64_t prefetch[SIMSM_PREFETCHES]; /* lines to fetch; ignored if present or without room */
};

/* Decides what L1 keeps and prefetches. `sm_state` is the state of the plug-in for the SM, owned by
 * simsm. */
struct simsm_l1_policy {
    const char *name; /* as in `policy.l1` */
    const char *summary;
    /* Called for each load, only with memory.model full. */
    void (*on_access)(void *sm_state, const struct simsm_l1_view *view,
                      struct simsm_l1_answer *answer);
};

/* A branch that splits the lanes of a warp. */
struct simsm_split {
    const double *param; /* as in struct simsm_policy_setup */
    uint32_t taken;      /* mask of the lanes that branch */
    uint32_t stay;       /* mask of the lanes that do not */
    bool backward;       /* the branch goes to an earlier instruction */
};

/*
 * Chooses the side of a divergent branch that runs first. Called without time, by any thread, in
 * any order, and its answers may be recorded: an answer must depend on `split` alone.
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
    double value, min, max; /* default and range; 0 or 1 for BOOL */
};

/* Raised when a field changes its meaning and not its size. */
#define SIMSM_POLICY_ABI 1

/* Version and sizes of the structs that a plug-in was compiled with. simsm loads a plug-in only if
 * they equal its own. */
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

/* The content of a plug-in. A kind of policy that it does not have is NULL, its count 0. */
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
    /* NULL: not called. Sets up the state of an SM. */
    void (*sm_init)(void *sm_state, const struct simsm_policy_setup *setup);
};

/* The symbol that a plug-in defines. */
#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
extern const struct simsm_policy_module simsm_policy_module;

/* The built-in policies. NULL ends each list. */
extern const struct simsm_scheduler *const simsm_schedulers[];
extern const struct simsm_dispatcher *const simsm_dispatchers[];

#ifdef __cplusplus
}
#endif

#endif
