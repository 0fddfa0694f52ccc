/* The state of a GPU, and the functions that the files of this folder share. */
#ifndef SIM_GPU_GPU_STATE_H
#define SIM_GPU_GPU_STATE_H

#include "base/pool.h"
#include "core/sm.h"
#include "front/clusters.h"
#include "gpu/crew.h"
#include "gpu/gpu.h"
#include "gpu/gpu_gap.h"
#include "mem/mem.h"

enum { GPU_PLACES = 64, GPU_SMS = 1024 }; /* most block places of one SM, most SMs */

/* A grid on the GPU. */
struct gpu_grid {
    struct sm_grid seen; /* what SMs see of it; the first member */
    struct gpu_grid *next;
    struct inst *own_code; /* in place of the front's (what_if.fp64_as_fp32); NULL: none */
    const struct simsm_occupancy *occupancy;
    int priority;
    uint64_t number; /* in the order of arrival */
    uint64_t blocks; /* to run: all of the grid, unless the launch has been cut */
    uint64_t placed, done;
    uint64_t block_cycles_sum, block_cycles_min, block_cycles_max;
    uint64_t first_start, latest_start,
        latest_end,                 /* of a block; the end as the dispatcher has noted it */
        latest_retired;             /* the end itself */
    uint32_t *resident;             /* [sms] blocks */
    uint64_t *since;                /* [sms] cycle since which a block is resident */
    uint64_t active;                /* cycles with a resident block, sum of all SMs */
    bool clusters;                  /* it has clusters, or code that waits for one */
    uint64_t *met;                  /* bit per SM that has had a block of it */
    struct simsm_line_stats *lines; /* [code_size] sums of seen.lines after parts_sum */
};

struct gpu_sm {
    struct sm *sm;        /* NULL: it has had no block yet */
    uint64_t empty_until; /* cycle up to which it has been counted as such */
    struct bus bus;
    struct gap gap;
    uint64_t last_start; /* start of the last block placed in this SM */
    uint64_t
        starting[GPU_PLACES]; /* a ring: starts of placed blocks that have not been accounted */
    uint32_t starting_head, starting_count;
    bool started;                      /* a block has been placed in this SM */
    uint32_t blocks;                   /* resident, of all grids */
    uint32_t warps, registers, shared; /* that the resident blocks hold */
    uint32_t carveout;         /* of several grids: bytes of shared memory that the SM is set to */
    uint32_t l1_carveout;      /* and that its L1 leaves */
    struct sm_account account; /* sums at the dispatcher's last tick */
};

struct gpu_retired {
    struct sm_retired block;
    uint32_t sm, sequence;
};

/* The data that one thread writes during a window, on host cache lines of their own. */
struct gpu_part {
    _Alignas(64) struct tally tally; /* counts of the thread's SMs since the last parts_sum */
    uint64_t reached;                /* by all its SMs in this window */
};

struct gpu {
    struct arena arena; /* holds the state of the GPU, of its SMs and of their memory */
    struct gpu_setup setup;
    const struct gpu_cut *cut; /* NULL: all blocks of the grid run */
    bool count_for_cut;        /* call cut->window_counted at the end of this window */
    struct sm_setup sm_setup;
    struct tally tally;           /* sum over all SMs after parts_sum */
    struct crew *crew;            /* NULL: one thread simulates all SMs */
    struct gpu_part *part;        /* [threads] */
    uint32_t threads, neighbours; /* neighbours: consecutive SMs that one thread has */
    uint64_t window_end;          /* end of the window that is being simulated */
    struct mem *mem;
    struct supply *supply; /* what SMs share of instructions and constants */
    struct gpu_sm *sm;     /* [sms] */
    uint64_t *begun;       /* bit per SM that has a state */
    uint32_t sms;
    uint64_t now, window, cycles;
    uint64_t epoch; /* windows do not cross its multiples if the front exchanges what SMs do */
    uint64_t next_exchange; /* multiple of the epoch; SM_NEVER: the front exchanges nothing */
    bool exchanged;         /* and no window has run since */
    uint64_t due; /* multiple of the epoch at which the exchange lets warps go on; or SM_NEVER */
    struct gpu_grid *grids; /* a list in the order of arrival */
    struct gpu_grid *first; /* the grid for which the GPU was made; stays as long as it does */
    struct gpu_grid *head;  /* the grid whose blocks are placed next; NULL: all have been placed */
    uint64_t arrivals;      /* grids that have come */
    uint64_t running;       /* grids with blocks that have not ended */
    bool interrupted;       /* gpu_step returns: a grid has ended, or gpu_interrupt was called */
    uint64_t last_noted;    /* last end of a block, as the dispatcher has noted it */
    double noted;           /* last_noted with its fraction of a cycle */
    bool refused, no_memory, faulty, over;
    bool stuck;        /* all warps wait for one another: found at the last exchange */
    struct pool codes; /* struct gpu_code: where code lies for the caches */
    uint32_t code_end;
    bool front_failed;                 /* found at the last exchange */
    uint64_t sample_step, next_sample; /* SM_NEVER: no observer wants samples */
    struct simsm_sm_view *view;        /* [sms], what the dispatcher sees */
    uint32_t *order;                   /* [sms]: order in which SMs get blocks */
    struct gpu_retired *retired;       /* [sms x GPU_PLACES] */
    void *dispatcher_state;
    struct simsm_policy_setup policy;
    uint16_t *group;             /* [sms] in which clusters run (gpcs_groups) */
    uint32_t groups, group_turn; /* the group that gets the next cluster */
    struct gpu_cluster *cluster; /* [clusters]; owned (clusters.c) */
    uint32_t clusters, cluster_free;
    uint32_t filling;     /* cluster of which not all blocks have been placed */
    uint32_t room;        /* free places of all SMs, for blocks of the head */
    uint64_t next_tick;   /* next tick of the dispatcher; SM_NEVER: none */
    uint32_t idle_ticks;  /* consecutive ticks without an event and without a placed block */
    uint64_t fault_cycle; /* first answer of the dispatcher that was not allowed; SM_NEVER: none */
    uint32_t fault_sm;    /* SM of that answer; it has no room or does not exist */
};

/* gpu.c. gpu_begin_sm: makes the state of an SM when its first block comes. Returns false if memory
 * runs out. gpu_next_sm: the next SM from `from` on that has a state; gpu->sms if there is none. */
bool gpu_begin_sm(struct gpu *gpu, uint32_t index);
uint32_t gpu_next_sm(const struct gpu *gpu, uint32_t from);

/* parts.c: creates one part with a tally for each thread. Returns false if memory runs out. */
bool parts_create(struct gpu *gpu);
void parts_free(struct gpu *gpu);
/* Returns the thread that simulates SM `sm`; it never changes. */
uint32_t parts_of_sm(const struct gpu *gpu, uint32_t sm);
/* Adds the counts of all threads since the last call to gpu->tally. */
void parts_sum(struct gpu *gpu);
/* Does the same for the counters alone. */
void parts_sum_counters(struct gpu *gpu);

/*
 * dispatch.c. dispatch_first: gets the dispatcher ready. dispatch_begin: places blocks of the head,
 * and of the grids behind it, where there is room. dispatch_refill: replaces the blocks that
 * retired in the last window. dispatch_tick: lets the dispatcher's tick decide; gpu->next_tick must
 * have come.
 */
void dispatch_first(struct gpu *gpu);
void dispatch_begin(struct gpu *gpu);
void dispatch_refill(struct gpu *gpu);
void dispatch_tick(struct gpu *gpu);

/*
 * clusters.c. clusters_used: whether the launch has clusters, or code that waits for one.
 * clusters_init, clusters_free: the groups of SMs; false: out of memory. clusters_choose: SMs for
 * the blocks of a cluster of the head; false: no room. clusters_join: a block has been placed.
 * clusters_block_ended: one has ended. clusters_settle: after a window that ends at
 * `end`, opens barriers.
 */
bool clusters_used(const struct front *front);
bool clusters_init(struct gpu *gpu);
void clusters_free(struct gpu *gpu);
bool clusters_choose(struct gpu *gpu, uint32_t size, uint32_t sm[CLUSTER_BLOCKS]);
void clusters_join(struct gpu *gpu, uint32_t index, uint32_t place, uint32_t rank, uint32_t warps);
void clusters_block_ended(struct gpu *gpu, uint32_t entry);
void clusters_settle(struct gpu *gpu, uint64_t end);
/* Hands over what SMs have sent one another in a window. */
void clusters_deliver(struct gpu *gpu);
/* Returns the longest window, of at most `longest` cycles, within which no SM reaches another. */
uint64_t clusters_window(const struct simsm_config *config, uint64_t longest);

/* faults.c: sets the message about the broken rule; gpu->faulty must be set. */
enum simsm_status faults_report(const struct gpu *gpu, struct simsm_error *error);
/* Returns whether nothing can happen any more because the dispatcher holds blocks back. */
bool faults_held_back(const struct gpu *gpu);
enum simsm_status faults_report_held(const struct gpu *gpu, struct simsm_error *error);

/* dispatch.c: brings the account of empty places up to `cycle`. */
void dispatch_settle(struct gpu_sm *sm, uint64_t cycle, uint32_t warps_per_block);

/*
 * grids.c. grids_add: adds a grid behind all others, or returns NULL if memory runs out.
 * grids_free: frees one that is not in the list any more. grids_head: returns the grid whose blocks
 * are placed next, or NULL. grids_room: returns how many blocks of the grid the SM has room for.
 */
struct gpu_grid *grids_add(struct gpu *gpu, const struct gpu_arrival *arrival);
void grids_free(const struct gpu *gpu, struct gpu_grid *grid);
struct gpu_grid *grids_head(const struct gpu *gpu);
uint32_t grids_room(const struct gpu *gpu, const struct gpu_grid *grid, uint32_t sm);

static inline struct gpu_grid *grids_of(const struct sm_grid *seen)
{
    return (struct gpu_grid *)seen;
}

/* Returns whether no other grid has been on the GPU than the first. */
static inline bool grids_alone(const struct gpu *gpu)
{
    return gpu->arrivals == 1;
}

/*
 * launch_check.c: verifies what must hold of any settled run: states tile time, issues are
 * instructions, requests are answered, the terms of the occupancy gap add up. Returns SIMSM_FAILED
 * and names the broken invariant in *error.
 */
enum simsm_status check_invariants(const struct gpu *gpu, struct simsm_error *error);

#endif
