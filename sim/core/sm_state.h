/*
 * The state of one SM: sub-partitions, warps, blocks. Private to the core.
 *
 * A slot has a *private* state (own): what the warp itself waits for, settled whenever something
 * about it changes, or READY. Whether a ready warp can issue depends in each cycle on what it
 * shares with others: dispatch port, pipes, queues, the scheduler's choice. Only ready slots are
 * looked at in every cycle; the others sleep until a timer or an event wakes them.
 */
#ifndef SIM_CORE_SM_STATE_H
#define SIM_CORE_SM_STATE_H

#include "core/icache.h"
#include "core/op_table.h"
#include "core/sm.h"
#include "core/wheel.h"
#include "model/op.h"

enum { MAX_SUBS = 4, MAX_SLOTS = 64, IBUF_MAX = 8, MAX_BARRIERS = 64, MAX_PLACES = 64 };
enum { SCOREBOARDS = 6, SCOREBOARD_MOST = 63, COPY_GROUPS = 8 };
enum { OWN_READY = SIMSM_STATE_COUNT };

/* An instruction in a warp's buffer, usable from `ready_at` on. */
struct buffered {
    struct warp_inst inst;
    uint64_t ready_at;
};

struct warp {
    struct buffered ibuf[IBUF_MAX]; /* a ring */
    uint8_t ibuf_head, ibuf_count;
    uint8_t own;   /* enum simsm_warp_state or OWN_READY */
    uint8_t unit;  /* what its head needs, see op_table.h; valid while own == OWN_READY */
    uint8_t shown; /* enum simsm_warp_state in the current cycle */
    bool alive;    /* started, and not finished draining */
    bool draining, barrier_waiting, fence_waiting;
    bool held;             /* at a barrier, at a fence or asleep */
    bool fetch_timed;      /* its next fetch waits for fetch_at */
    bool fetched_last;     /* its final EXIT is in the buffer */
    bool deps_known;       /* needs_until and needs_pending hold for the head */
    bool waits, granted;   /* it polls in the pass of a wait; which is over */
    uint8_t needs_pending; /* bits of enum wait_kind: unknown end */
    uint8_t scoreboard[SCOREBOARDS], scoreboard_kind[SCOREBOARDS];
    uint8_t barrier;                  /* at which it waits */
    uint8_t copy_group_open;          /* index of the group that new async copies join */
    uint16_t copy_group[COPY_GROUPS]; /* copies outstanding in each */
    uint32_t place, in_block;         /* block place; warp in the block */
    uint32_t last_inst;               /* static instruction issued last */
    uint32_t shown_inst;              /* static instruction that `shown` is charged to */
    uint32_t mask;                    /* active lanes as last reported */
    uint32_t loads_out, stores_out;   /* memory instructions not yet answered */
    uint32_t fence_cycles;            /* that its fence takes once they have been */
    uint32_t flights;                 /* everything that will still come back to this warp */
    uint32_t sent;           /* of these, stores on their way, which its end does not await */
    uint64_t constant_until; /* its head's constant operand is there; valid as needs_until is */
    uint64_t shown_since;
    uint64_t start_at, needs_until, stall_until, branch_until, barrier_until, fence_until;
    uint64_t sleep_until, fetch_at, fetched_at;
    uint64_t poll_until;                    /* its poll has not been answered before */
    uint32_t clock_reads, pass_clock_reads; /* issued; in the present pass of a wait */
    uint32_t copies_issued, copies_done;    /* asynchronous copies, ever */
    uint32_t wait_first, wait_last;         /* notes of its waits that have not issued (phase.c) */
};

/* Kinds of waiting for a result. */
enum wait_kind { WAIT_FIXED = 0, WAIT_SHORT = 1, WAIT_LONG = 2 };

/* What a sub-partition does in a cycle, as dispatchers want to know. */
enum account { ACCOUNT_EMPTY, ACCOUNT_BUSY, ACCOUNT_IDLE, ACCOUNT_MEMORY, ACCOUNT_COUNT };

enum { QUEUE_ENTRIES = 64, BEHIND_ENTRIES = 64, BANKS = 8 };

struct queued {
    uint64_t leave_at;
    struct warp_inst inst;
    uint32_t tag; /* in flight */
    uint8_t slot, sub;
};

struct sub {
    uint32_t index, slots;
    uint64_t resident; /* slots held by blocks */
    uint64_t
        reserved; /* those and the slots of retired blocks that the dispatcher has not released */
    uint64_t placed; /* of these, warps that have not started */
    uint64_t alive, ready, fetchable;
    uint64_t dirty; /* slots whose private state was settled since the last classification */
    uint64_t need[UNIT_COUNT];            /* ready slots by the unit that they need */
    uint32_t units;                       /* bit per unit with a ready slot */
    uint64_t pipe_free[SIMSM_PIPE_COUNT]; /* fma: of the half that is not fmaheavy */
    uint64_t dispatch_free;
    uint64_t bank_free[BANKS];
    uint32_t reuse[BANKS][INST_MAX_SOURCES]; /* operand cache: slot x REG_COUNT + register + 1 */
    struct wheel wheel;
    uint64_t next;        /* cycle of the next visit */
    uint64_t first_start; /* of a warp placed since the last visit */
    int last_issued, last_fetched;
    int issued, issued_before; /* slot that issued in this cycle, and in the one before; or -1 */
    bool mask_changed;         /* it did so with other lanes than before */
    uint64_t eligible;         /* slots that could issue in this cycle */
    uint64_t was_held, was_lost,
        was_throttled;    /* ready slots in the last cycle, by what held them up */
    bool dispatch_held;   /* none could, because the dispatch port was busy */
    bool visited;         /* in this cycle */
    uint64_t alive_since; /* cycle since which some warp is alive */
    uint64_t memory_pending, synchronizing, yielded; /* slots, as policies see them */
    struct queued queue[QUEUE_ENTRIES];              /* memory-I/O queue, a ring */
    uint32_t queue_head, queue_count;
    uint64_t address_free;  /* cycle from which its next instruction can leave */
    uint64_t address_retry; /* not to be offered again before this cycle */
    /* arrays over the slots */
    struct warp *warp;
    uint64_t *launched, *issued_at;
    uint32_t *block_rank;
    uint64_t *reg_ready;   /* [slots][reg_row]: cycle x 4 + kind, or PENDING + kind */
    uint16_t *reg_readers; /* [slots][reg_row]: queued instructions that still have to read it */
    uint32_t reg_row;      /* registers of a warp that its kernel uses; 0: control bits are used */
    unsigned char *cursor; /* [slots][stream_size] */
    void *policy_state;
    struct simsm_sched_view view; /* what a policy sees; kept, as most of it stays the same */
    uint64_t accounted;           /* cycle up to which `spent` counts */
    uint64_t spent[ACCOUNT_COUNT];
    uint8_t account; /* enum account since then */
    struct icache icache, constants;
};

#define REG_PENDING (UINT64_MAX << 2)

/* In reg_readers, above the count: one of them is a global, local or texture access. */
enum { READER_LONG = 0x8000 };

/* An instruction whose result comes when it comes. */
struct in_flight {
    uint64_t launched; /* of the warp, which may have left before its store is answered */
    uint32_t inst;
    uint8_t sub, slot;
    uint8_t copy_group;
    uint8_t level; /* enum simsm_level that has answered it */
    bool is_memory;
    bool phase;     /* an arrival at a barrier in shared memory, or a wait for its phase */
    bool sent;      /* a store that is on its way */
    uint32_t notes; /* list of notes of what it arrives at or waits for (phase.c) */
    uint32_t next;  /* in the list of free ones, or of waits that have been asked */
};

/* A completion or release whose cycle is known when it is scheduled. */
struct due {
    uint64_t cycle;
    uint64_t order; /* ties: first scheduled first */
    uint32_t tag;
    bool read; /* the sources of a queued instruction have been read */
    bool sent; /* the data of a store has left the SM */
    uint8_t sub, slot;
};

struct sm_block {
    bool used;
    uint64_t linear, start;
    uint32_t rank;
    bool started;
    uint32_t warps_held; /* warps that have not exited */
    uint32_t warps;
    uint16_t arrived[MAX_BARRIERS];
    uint64_t arrivals_taken; /* cycle in which its last arrival at a barrier has been taken */
    uint64_t counted;  /* bit per barrier that waits for a number of threads, not for the block */
    uint16_t slot[32]; /* of each warp: sub x MAX_SLOTS + slot */
    struct word_table words; /* of its shared memory */
};

/* What a policy has done that it must not. */
enum fault_kind { FAULT_NONE, FAULT_PICK, FAULT_HELD, FAULT_PREFETCH };

struct fault {
    enum fault_kind kind;
    uint64_t cycle;
    uint64_t eligible; /* slots */
    int64_t answer;
    uint32_t sub;
};

struct sm {
    const struct sm_setup *setup;
    const struct simsm_config *config;
    const struct front *front;
    const struct inst *code;
    const struct front_ops *ops;
    struct op_table op;
    struct bus *bus;
    struct mem_sm *memory;
    struct tally *tally;
    uint32_t index, subs, places;
    bool use_control_bits, queue_bypass;
    struct sub sub[MAX_SUBS];
    struct sm_block block[MAX_PLACES];
    uint32_t blocks, block_count; /* resident; ever placed */
    uint64_t launch_count;        /* warps ever placed */
    uint32_t alive;               /* warps */
    uint64_t alive_since;
    uint64_t now;
    uint64_t unit_free[UNIT_COUNT];       /* SM-wide stages behind the queues */
    uint32_t queue_mask;                  /* of the queues' rings: a power of two, less one */
    uint64_t queue_next;                  /* cycle before which none leaves a queue */
    struct queued behind[BEHIND_ENTRIES]; /* behind a store, from all queues; a ring */
    uint32_t behind_head, behind_count;
    uint32_t behind_limit;  /* 0: none go there, as where memory has fewer queues */
    uint64_t behind_from;   /* cycle from which a further one can come */
    uint64_t memory_free;   /* cycle from which L1 takes a further one */
    uint64_t next;          /* the next visit, as far as the memory system does not say */
    bool soon;              /* some sub-partition must be visited in the next cycle */
    uint32_t stage_turn;    /* sub-partition that the shared stage asks first */
    uint64_t barrier_check; /* bit per place: a warp arrived or exited in this cycle */
    struct in_flight *flight;
    uint32_t flight_free; /* head of the free list, or NO_FLIGHT */
    struct due *due;      /* binary heap by (cycle, order) */
    uint32_t due_count;
    uint64_t due_order;
    struct sm_retired retired[MAX_PLACES * 2];
    uint32_t retired_count;
    struct icache_chain code_levels, constant_levels;
    struct icache indexed;    /* constants, for LDC */
    struct phase_note *phase; /* [phase_room]; owned. Lists of them: phase.c */
    uint32_t phase_room, phase_free, phase_copies;
    uint32_t phase_number; /* of the wait fetched last */
    uint32_t phase_unanswered,
        phase_unanswered_last; /* list of flights: waits that have been asked in vain */
    struct sm_post *post;      /* [post_room]; since the last sm_take_posts */
    uint32_t post_count, post_room;
    bool posts_lost;
    void *policy_state; /* of the module */
    struct fault fault;
    uint64_t last_answer; /* cycle of the last completion */
    uint64_t busy_at;
    uint64_t visited; /* cycles simulated */
};

/* Instructions of one SM in flight; when all are, nothing more can enter a queue. */
enum { FLIGHTS = 1024, DUE_MAX = 3 * FLIGHTS };
#define NO_FLIGHT UINT32_MAX

static inline uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t bit64(unsigned n)
{
    return UINT64_C(1) << n;
}

static inline struct buffered *warp_head(struct warp *warp)
{
    return &warp->ibuf[warp->ibuf_head];
}

/* Whether a control instruction sends its lanes elsewhere; a branch to the next instruction does
 * so, too. */
static inline bool warp_inst_is_taken(const struct warp_inst *inst, uint8_t op)
{
    return (inst->flags & WARP_INST_TAKEN) || (op_is_branch(op) && inst->exec == inst->active);
}

/* Wakes a slot at `when`; the sub-partition is visited then, even if it is asleep now. */
static inline void slot_timer(const struct sm *sm, struct sub *sub, unsigned slot, uint64_t when)
{
    uint64_t at = wheel_set(&sub->wheel, slot, when, sm->now);
    if (at < sub->next)
        sub->next = at;
}

/* Cycle from which a sub-partition's pipe takes an instruction that needs `unit`. */
static inline uint64_t pipe_free_at(const struct sub *sub, unsigned unit)
{
    uint64_t lite = sub->pipe_free[SIMSM_PIPE_FMA], heavy = sub->pipe_free[SIMSM_PIPE_FMAHEAVY];
    if (unit == SIMSM_PIPE_FMA)
        return lite < heavy ? lite : heavy;
    if (unit == UNIT_FMA_WHOLE)
        return lite > heavy ? lite : heavy;
    return sub->pipe_free[unit];
}

/* A pipe takes an instruction at `now`. */
static inline void pipe_take(struct sub *sub, const struct op_exec *exec, uint64_t now)
{
    uint64_t *lite = &sub->pipe_free[SIMSM_PIPE_FMA];
    uint64_t *heavy = &sub->pipe_free[SIMSM_PIPE_FMAHEAVY];
    if (exec->unit == SIMSM_PIPE_FMA)
        *(*lite <= now ? lite : heavy) = now + 2;
    else if (exec->unit == UNIT_FMA_WHOLE)
        *lite = *heavy = now + exec->interval;
    else
        sub->pipe_free[exec->unit] = now + exec->interval;
}

/* When a control instruction that issues now is taken: units that the SM has once take turns. */
static inline uint64_t sm_unit_take(struct sm *sm, const struct op_exec *exec)
{
    uint64_t *unit_free = &sm->unit_free[exec->unit];
    uint64_t at = *unit_free > sm->now ? *unit_free : sm->now;
    if (sm->config->pipe_shared[exec->unit])
        *unit_free = at + exec->interval;
    return at;
}

static inline uint32_t sm_slot(const struct sm *sm, const struct sub *sub, unsigned slot)
{
    return slot * sm->subs + sub->index;
}

/* slot.c: settles a slot's private state anew and sets the timer that will end it. */
void slot_refresh(struct sm *sm, struct sub *sub, unsigned slot);

/* depend.c: sub.reg_row; what the head of a warp waits for. */
uint32_t depend_row(const struct sm *sm);
void depend_evaluate(struct sm *sm, struct sub *sub, unsigned slot);
void depend_issue(struct sm *sm, struct sub *sub, unsigned slot, const struct warp_inst *inst);
void depend_read(struct sm *sm, struct sub *sub, unsigned slot, uint32_t inst);
void depend_done(struct sm *sm, struct sub *sub, unsigned slot, const struct in_flight *flight);
void depend_clear(struct sm *sm, struct sub *sub, unsigned slot);

/* flight.c: instructions in flight, and completions at known cycles. */
uint32_t flight_new(struct sm *sm, struct sub *sub, unsigned slot, uint32_t inst);
void flight_done(struct sm *sm, uint32_t tag, uint8_t level);
void flight_sent(struct sm *sm, uint32_t tag);
bool flights_hold(const struct warp *warp); /* an ended warp */
void due_add(struct sm *sm, struct due due);
void due_run(struct sm *sm);

/* fetch.c */
void fetch_cycle(struct sm *sm, struct sub *sub);
void fetch_update(struct sm *sm, struct sub *sub, unsigned slot);

/* issue.c */
void issue_cycle(struct sm *sm, struct sub *sub);

/* regfile.c */
/*
 * Reads the sources of a fixed-latency instruction that issues now. Returns the cycles by which
 * busy bank ports delay it, and with it the next dispatch of the sub-partition.
 */
uint32_t regfile_read(struct sm *sm, struct sub *sub, unsigned slot, const struct inst *inst);

/* choose.c: what a policy sees of a sub-partition; its choice among the eligible, or -1. */
void choose_init(struct sm *sm, struct sub *sub);
int choose_slot(struct sm *sm, struct sub *sub);

/* wait.c: an instruction with WARP_INST_WRITES or WARP_INST_WAITS issues; whether the warp goes on
 * behind the pass that it has come to the end of. */
void wait_issue(struct sm *sm, struct sub *sub, unsigned slot, const struct warp_inst *inst);
bool wait_decide(struct sm *sm, struct sub *sub, unsigned slot);

/*
 * phase.c: barriers in shared memory. The head of the stream has been fetched and is a wait for a
 * phase; an arrival or such a wait has issued and is in flight as `tag`; false: it stays in flight.
 */
bool phase_init(struct sm *sm); /* false: out of memory */
void phase_fetched(struct sm *sm, struct sub *sub, unsigned slot);
void phase_issue(struct sm *sm, struct sub *sub, const struct queued *queued);
bool phase_answer(struct sm *sm, uint32_t tag);
/* Whether the warp has a wait in flight whose phase has not ended. */
bool phase_waits(const struct sm *sm, const struct sub *sub, unsigned slot);
/* A copy of the warp has come to shared memory. */
void phase_copied(struct sm *sm, struct sub *sub, unsigned slot);
void phase_free(struct sm *sm);

/* queue.c */
void queue_push(struct sm *sm, struct sub *sub, unsigned slot, const struct warp_inst *inst);
void queue_cycle(struct sm *sm);

/* block.c */
void block_arrive(struct sm *sm, struct sub *sub, unsigned slot, const struct inst *inst);
void block_check(struct sm *sm);
void warp_start(struct sm *sm, struct sub *sub, unsigned slot);
void warp_exit(struct sm *sm, struct sub *sub, unsigned slot);
void warp_drained(struct sm *sm, struct sub *sub, unsigned slot);

/* classify.c */
/* Accounts the cycles since the last call; called before classify_cycle. */
void account_cycle(struct sm *sm, struct sub *sub);
void classify_cycle(struct sm *sm, struct sub *sub);
void classify_settle(struct sm *sm, struct sub *sub, unsigned slot, uint64_t cycle);

#endif
