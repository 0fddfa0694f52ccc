/* The state of a GPU. Private to this floor. */
#ifndef SIM_GPU_GPU_STATE_H
#define SIM_GPU_GPU_STATE_H

#include "core/sm.h"
#include "gpu/crew.h"
#include "gpu/gpu.h"
#include "gpu/gpu_gap.h"
#include "mem/mem.h"
#include "model/wait.h"

enum { GPU_PLACES = 64 }; /* most block places of one SM */

struct gpu_sm {
    struct sm *sm;
    struct bus bus;
    struct gap gap;
    uint64_t last_start;           /* of a block in this SM */
    uint64_t starting[GPU_PLACES]; /* blocks placed whose start has not been accounted: a ring */
    uint32_t starting_head, starting_count;
    bool started;              /* a block has ever been placed */
    struct sm_account account; /* at the dispatcher's last tick */
};

struct gpu_retired {
    struct sm_retired block;
    uint32_t sm, sequence;
};

/* A write or a poll of a word that warps wait for. */
struct gpu_post {
    struct sm_post post;
    uint32_t sm, sequence;
};

/* What one thread writes while a window is simulated; apart from others' in the cache. */
struct gpu_part {
    _Alignas(64) struct tally tally; /* of its SMs, since parts_sum */
};

struct gpu {
    struct arena arena; /* of its state, that of the SMs and their memory */
    struct gpu_setup setup;
    const struct gpu_cut *cut; /* NULL: nobody cuts the launch short */
    bool count_for_cut;        /* at the end of this window */
    struct sm_setup sm_setup;
    struct tally tally;           /* of all: after parts_sum */
    struct crew *crew;            /* NULL: one thread does it all */
    struct gpu_part *part;        /* [threads] */
    uint32_t threads, neighbours; /* SMs with numbers in a row that one thread has */
    uint64_t window_end;          /* of the window that is being simulated */
    struct mem *mem;
    struct gpu_sm *sm; /* [sms] */
    uint32_t sms;
    uint64_t now, window, cycles;
    uint64_t blocks_total; /* to be run: all of the grid, unless it has been cut */
    uint64_t blocks_placed, blocks_done;
    uint64_t block_cycles_sum, block_cycles_min, block_cycles_max;
    uint64_t latest_start, last_noted; /* the last end of a block, as the dispatcher has noted it */
    double noted;                      /* the same, with its fraction of a cycle */
    struct word_table words;           /* of global memory, that warps wait for */
    struct gpu_post *post;             /* [post_room] of a window */
    uint32_t post_room;
    bool refused, no_memory, faulty, over;
    uint64_t sample_step, next_sample; /* SM_NEVER: no observer wants samples */
    struct simsm_sm_view *view;        /* [sms], what the dispatcher sees */
    uint32_t *order;                   /* [sms], in which they are given blocks */
    struct gpu_retired *retired;       /* [sms x GPU_PLACES] */
    void *dispatcher_state;
    struct simsm_policy_setup policy;
    uint32_t room;        /* free places of all SMs */
    uint64_t next_tick;   /* of the dispatcher; SM_NEVER: none */
    uint32_t idle_ticks;  /* in a row, at which nothing could happen and nothing was placed */
    uint64_t fault_cycle; /* the dispatcher has done what it must not; SM_NEVER: it has not */
    uint32_t fault_sm;    /* it chose this one, which has no room */
};

/* parts.c: one for each thread, with its own tally. False: memory has run out. */
bool parts_create(struct gpu *gpu);
void parts_free(struct gpu *gpu);
/* The thread that simulates SM `sm`, always the same. */
uint32_t parts_of_sm(const struct gpu *gpu, uint32_t sm);
/* Adds what the threads have counted since the last time to gpu->tally. */
void parts_sum(struct gpu *gpu);
/* The same of the counters alone. */
void parts_sum_counters(struct gpu *gpu);

/* dispatch.c: the first fill, the replacement of blocks that retired in the last window, and the
 * dispatcher's own turn at gpu->next_tick, which has come. */
void dispatch_first(struct gpu *gpu);
void dispatch_refill(struct gpu *gpu);
void dispatch_tick(struct gpu *gpu);

/* faults.c: the message, where gpu->faulty: a policy has done what it must not. */
enum simsm_status faults_report(const struct gpu *gpu, struct simsm_error *error);
/* Nothing can happen any more because the dispatcher holds blocks back. */
bool faults_held_back(const struct gpu *gpu);
enum simsm_status faults_report_held(const struct gpu *gpu, struct simsm_error *error);

/* waits.c: the polls and writes of the last window; after the replacement of blocks. */
void waits_exchange(struct gpu *gpu);

/* Brings the account of empty places up to `cycle`. */
void dispatch_settle(struct gpu_sm *sm, uint64_t cycle, uint32_t warps_per_block);

/* launch_check.c */
/*
 * Verifies what must hold of any run that has been settled: states tile time, issues are
 * instructions, requests are answered, the occupancy gap's terms add up. Names the broken one.
 */
enum simsm_status check_invariants(const struct gpu *gpu, struct simsm_error *error);

#endif
