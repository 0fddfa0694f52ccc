/*
 * The state of one SM: sub-partitions, warps, blocks. Private to the core.
 *
 * A slot has a *private* state, `own`: what the warp itself waits for, or READY. It is settled
 * whenever something about the warp changes. Whether a ready warp can issue depends in each cycle
 * on what it shares with other warps: dispatch port, pipes, queues, the scheduler's choice. Only
 * ready slots are examined in every cycle. The other slots sleep until a timer or an event wakes
 * them.
 */
#ifndef SIM_CORE_SM_STATE_H
#define SIM_CORE_SM_STATE_H

#include "core/icache.h"
#include "core/op_table.h"
#include "core/sm.h"
#include "core/turn.h"
#include "core/wheel.h"
#include "model/op.h"

enum { MAX_SUBS = 4, MAX_SLOTS = 64, IBUF_MAX = 8, MAX_BARRIERS = 64, MAX_PLACES = 64 };
enum {
    SCOREBOARDS = 6,
    SCOREBOARD_MOST = 63,
    COPY_GROUPS = 8,
    PRODUCT_GROUPS = 8,
    PRODUCT_QUEUE = 16,
    GROUP_WARPS = 4
};
enum { OWN_READY = SIMSM_STATE_COUNT };

struct warp {
    struct warp_inst next;   /* the instruction that the warp issues next; not while it drains */
    const struct inst *code; /* of its grid */
    const struct sm_grid *grid;
    struct simsm_line_stats *lines; /* of its grid, as the SM's host thread counts */
    /* The instruction buffer, a ring: cycles from which its instructions can issue. It holds `next`
     * and the instructions behind it in memory. */
    uint64_t ibuf[IBUF_MAX];
    uint8_t ibuf_head, ibuf_count;
    uint8_t ibuf_turns; /* bit per place in the ring: an instruction that may redirect the warp */
    uint8_t ibuf_past;  /* instructions from the first that always leaves on; 0: there is none */
    uint8_t own;        /* enum simsm_warp_state or OWN_READY */
    uint8_t unit;       /* unit that the next instruction needs (op_table.h); valid while READY */
    uint8_t shown;      /* enum simsm_warp_state of the current cycle */
    bool deps_known;    /* needs_until and needs_pending are those of the next instruction */
    /* Eight bytes that seldom change: compilers test several of them with one load, which would
     * wait for a store of one byte among them. */
    bool alive; /* started, and its last instruction has not drained */
    bool draining, barrier_waiting, fence_waiting;
    bool held;               /* waits at a barrier or fence, or sleeps */
    bool asleep;             /* has no next instruction before others have done something */
    uint8_t barrier;         /* barrier at which the warp waits */
    uint8_t copy_group_open; /* group that new asynchronous copies join */
    bool fetch_timed;        /* the next fetch waits for fetch_at */
    uint8_t needs_pending;   /* bits of enum wait_kind: waits whose end is not known */
    uint8_t scoreboard[SCOREBOARDS], scoreboard_kind[SCOREBOARDS];
    uint8_t counting;                 /* bit per scoreboard above 0 */
    uint16_t copy_group[COPY_GROUPS]; /* copies of each group that are not answered */
    uint32_t place, in_block;         /* place of the block; warp's number in the block */
    uint32_t issued;                  /* instructions, since the warp started */
    uint32_t last_inst;               /* static instruction issued last */
    uint32_t shown_inst; /* static instruction to which the cycles of `shown` are charged */
    uint32_t mask;       /* active lanes as last reported */
    uint32_t loads_out, stores_out; /* memory instructions without an answer */
    uint32_t fence_cycles;          /* cycles of the fence after the answers */
    uint32_t flights;               /* answers and completions that are still due */
    uint32_t sent; /* flights that are sent stores: the warp's end does not wait for them */
    uint64_t constant_until; /* cycle of the next instruction's constant operand */
    uint64_t shown_since;
    uint64_t start_at, needs_until, stall_until, branch_until, barrier_until, fence_until;
    uint64_t sleep_until, fetch_at, fetched_at;
    /* Products of warp groups: the end of the last one, and of the last groups, a ring. */
    uint64_t product_done, group_done[PRODUCT_GROUPS], products_until;
    uint32_t product_groups;   /* closed since the warp started */
    bool group_waiting;        /* at WARPGROUP.ARRIVE, for others of its warp group */
    bool sleeps_for_arrival;   /* NANOSLEEP.SYNCS */
    uint8_t lanes, lanes_due;  /* threads of the warp; of instructions left out (fetch.c) */
    uint32_t cluster_arrivals; /* at the barrier of the cluster */
    uint64_t group_until;      /* cycle at which that is over, once all have come */
    uint32_t copies_issued, copies_done; /* asynchronous copies since the warp started */
    uint32_t waits_issued;               /* waits for phases since the warp started */
    uint32_t wait_answered;              /* low bits of the cycle of the last such answer */
};

/* Kinds of waiting for a result: fixed latency, short scoreboard, long scoreboard. */
enum wait_kind { WAIT_FIXED = 0, WAIT_SHORT = 1, WAIT_LONG = 2 };

/* What a sub-partition does in a cycle, for dispatchers. */
enum account { ACCOUNT_EMPTY, ACCOUNT_BUSY, ACCOUNT_IDLE, ACCOUNT_MEMORY, ACCOUNT_COUNT };

/* A message of SM `from`. */
struct inbox {
    const struct sm_grid *grid; /* NULL: the entry is free */
    uint32_t from, number;
};

/* The copy engine (copy_engine.c). */
struct copy_engine {
    struct copy *copy;          /* [room]; owned */
    uint32_t room, taken;       /* copies that the engine has taken, and that are not done */
    uint16_t free;              /* list of free entries */
    uint16_t first, last;       /* copies that have not sent all their requests */
    uint64_t busy_until;        /* cycle of the next request */
    uint64_t next;              /* cycle of the next visit */
    struct sm_message *message; /* [message_room]; owned: sent since the last window */
    uint32_t messages, message_room;
    struct inbox *inbox; /* [inbox_room]; owned: messages of other SMs that have yet to be there */
    uint32_t inbox_room;
};

/* A warp arrives and exits in a window at the most. */
enum { CLUSTER_NOTES = 2 * MAX_SUBS * MAX_SLOTS, CLUSTER_BARRIER = 255 };

enum { QUEUE_ENTRIES = 64, BEHIND_ENTRIES = 64, BANKS = 8 };

struct queued {
    uint64_t leave_at;
    struct warp_inst inst;
    uint32_t tag; /* of the instruction in flight */
    uint8_t slot, sub;
    uint16_t place; /* of its addresses in sm.addresses, if it is an access */
};

struct sub {
    /* What every visit of the SM reads comes first, in few lines of the host's caches. */
    _Alignas(64) uint64_t next; /* cycle of the next visit */
    uint64_t first_start;       /* earliest start of a placed warp that has not started */
    uint64_t dirty; /* slots whose private state has been settled since the last classification */
    uint64_t ready;
    uint64_t fetchable, fetch_ahead; /* slots to fetch for; those behind an undecided branch */
    uint64_t dispatch_free;
    uint64_t eligible;      /* slots that could issue in this cycle */
    uint64_t dispatch_held; /* slots that could not issue because the dispatch port was busy */
    uint64_t was_held, was_lost, was_throttled; /* ready slots of the last cycle, by cause */
    int issued, issued_before; /* slot that issues in this cycle; in the cycle before; or -1 */
    uint32_t units;            /* bit per unit that a ready slot needs */
    uint32_t queue_head, queue_count;
    bool visited;           /* in this cycle */
    bool mask_changed;      /* the issued instruction has other active lanes than the one before */
    uint8_t account;        /* enum account of the cycles since `accounted` */
    uint64_t address_free;  /* cycle from which the next instruction can leave the queue */
    uint64_t address_retry; /* L1 has refused the first instruction until this cycle */
    int last_issued, last_fetched;
    struct warp *warp; /* [slots], as are the arrays below */
    uint64_t *launched, *issued_at;
    uint32_t *block_rank;
    uint32_t index, slots;
    uint64_t resident; /* slots held by blocks */
    uint64_t reserved; /* resident slots, and slots of retired blocks that the dispatcher has not
                          released */
    uint64_t placed;   /* resident slots whose warps have not started */
    uint64_t alive;
    uint64_t awaiting;   /* slots that wait for an answer of the GPC's cache; more may be set */
    uint64_t sums_until; /* products with sums of 32 bits run until then */
    uint64_t need[UNIT_COUNT];            /* ready slots, by the unit that they need */
    uint64_t pipe_free[SIMSM_PIPE_COUNT]; /* cycle; FMA: of the half fmalite */
    uint64_t bank_free[BANKS];
    uint64_t memory_pending, synchronizing, yielded; /* slots, as policies see them */
    uint64_t alive_since;                            /* cycle since which a warp is alive */
    uint32_t products;                               /* that have issued */
    uint64_t product_free; /* cycle from which the tensor core begins the next product */
    uint64_t product_read[PRODUCT_QUEUE];    /* when the last ones have left its queue, a ring */
    uint32_t reuse[BANKS][INST_MAX_SOURCES]; /* operand cache: slot, register + 1; 0: empty */
    struct wheel wheel;
    struct queued queue[QUEUE_ENTRIES]; /* the memory-I/O queue, a ring */
    uint64_t *reg_ready;   /* [slots][reg_row]: cycle x 4 + wait_kind, or REG_PENDING + wait_kind */
    uint16_t *reg_readers; /* [slots][reg_row]: queued instructions yet to read it */
    uint32_t reg_row;      /* registers of a warp that the kernel uses; 0: control bits are used */
    unsigned char *cursor; /* [slots][cursor_size]: places in the warps' instruction sequences */
    void *policy_state;
    struct simsm_sched_view view; /* what a policy sees; kept because most of it stays the same */
    uint64_t accounted;           /* cycle up to which `spent` counts */
    uint64_t spent[ACCOUNT_COUNT];
    struct icache icache, constants;
};

#define REG_PENDING (UINT64_MAX << 2)

/* A bit of reg_readers above the count: one of the readers is a global, local or texture access. */
enum { READER_LONG = 0x8000 };

/* An instruction whose result has no fixed latency. */
struct in_flight {
    uint64_t launched; /* launched[] of its warp. The warp may have ended before its store is
                          answered. */
    uint32_t inst;
    uint8_t op; /* enum simsm_op_class */
    uint8_t sub, slot;
    uint8_t copy_group;
    uint8_t level; /* enum simsm_mem_level that has answered it */
    bool is_memory;
    bool phase;       /* an arrival or a wait at an mbarrier */
    bool waits;       /* for the end of a phase */
    bool sent;        /* a store that has left the load/store stage */
    bool late;        /* gets its values in exchange number `exchange` of the front */
    uint16_t copy;    /* of a copy or message its number (copy_engine_note) */
    uint32_t notes;   /* list of notes of the words that it arrives at (phase.c) */
    uint32_t number;  /* of a wait: counts waits in the order of issue */
    uint32_t wait;    /* of a wait with `waits`: counts those of its warp, from 0 */
    uint64_t give_up; /* cycle at which a wait comes back in vain; SM_NEVER: it does not */
    uint32_t next;    /* in the list of free entries, or of waits without an answer */
    uint32_t exchange;
};

/* An LDC that waits for a line of constants that its GPC's cache has not answered. */
struct line_wait {
    uint64_t pending; /* cycle of the line (icache.h) */
    uint64_t rest;    /* cycles from the line to the completion, which is ... */
    uint64_t least;   /* ... at this cycle at the earliest */
    uint64_t order;   /* of the completion, struct due */
    uint32_t tag;
};

enum due_kind {
    DUE_DONE,   /* the instruction in flight `tag` is complete */
    DUE_READ,   /* the queued instruction `tag` of the warp has read its sources */
    DUE_SENT,   /* the data of a store of the warp have left the SM */
    DUE_COPY,   /* copy `tag` of the engine is done */
    DUE_MESSAGE /* message `tag` of engine.inbox is there */
};

/* A completion whose cycle is known when it is scheduled. */
struct due {
    uint64_t cycle;
    uint64_t order; /* ties: scheduled first, served first */
    uint32_t tag;
    uint8_t kind; /* enum due_kind */
    uint8_t sub, slot;
};

/* Of shared memory, by products of warp groups: `used` of each `interval` cycles. */
struct shared_claim {
    uint64_t until;
    uint32_t used, interval;
    uint32_t rest; /* of the last access, in parts of a cycle */
};

struct sm_block {
    bool used;
    bool empties_l1; /* when it starts: what other grids have left there is not valid */
    bool started;
    uint32_t cluster; /* sm_join_cluster; 0: none */
    const struct sm_grid *grid;
    uint64_t linear, start;
    uint32_t rank;
    uint32_t warps_held; /* warps that have not exited */
    uint32_t asleep;     /* warps without a next instruction */
    uint32_t warps;
    uint64_t inst, longest; /* instructions of warps that have exited; of the longest of these */
    uint16_t arrived[MAX_BARRIERS];
    uint8_t met[32 / GROUP_WARPS]; /* warps of each warp group that are at WARPGROUP.ARRIVE */
    uint32_t cluster_opened;       /* how often the barrier of the cluster has opened */
    uint64_t cluster_until;        /* cycle at which it opens */
    uint64_t arrivals_taken;       /* cycle at which the last arrival at a barrier has been taken */
    uint64_t counted;  /* bit per barrier that waits for a number of threads instead of the block */
    uint16_t slot[32]; /* slot of each warp: sub x MAX_SLOTS + slot */
};

/* The rule that a policy has broken: picked a slot that cannot issue, held back too long, asked for
 * too many prefetches. */
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
    struct mem_sm *memory;
    struct supply_port *port;
    uint64_t now;
    uint64_t next;       /* next visit, apart from events of the memory system */
    uint64_t queue_next; /* no instruction leaves a queue before this cycle */
    uint64_t visited;    /* cycles simulated */
    struct due *due;     /* binary heap by (cycle, order) */
    uint32_t due_count;
    uint32_t subs;
    uint64_t barrier_check; /* bit per place in which a warp arrived or exited in this cycle */
    uint32_t phase_unanswered,
        phase_unanswered_last; /* list of flights: waits whose phase has not ended */
    struct bus *bus;
    struct tally *tally;
    bool soon; /* a sub-partition must be visited in the next cycle */
    bool queue_bypass;
    uint32_t part; /* host thread that simulates the SM */
    uint32_t index, places;
    struct op_table op;
    struct sub sub[MAX_SUBS];
    struct sm_block *block;       /* [places] */
    uint32_t blocks, block_count; /* resident; placed since the launch began */
    uint64_t launch_count;        /* warps placed since the launch began */
    uint32_t alive;               /* warps */
    uint64_t alive_since;
    uint64_t unit_free[UNIT_COUNT];       /* cycle at which each SM-wide unit is free */
    uint32_t queue_mask;                  /* length of the queues' rings, a power of two, less 1 */
    struct queued behind[BEHIND_ENTRIES]; /* accesses behind a store, from all queues; a ring */
    uint32_t behind_head, behind_count;
    uint32_t behind_limit; /* most accesses behind a store; 0: the model has no such queue */
    /* Addresses of the accesses in queues. The place that was used last is taken first: it is still
     * in the processor's caches. */
    struct lane_addresses *addresses; /* [address_places] */
    uint16_t *address_free;           /* [address_frees] places without an access */
    uint32_t address_places, address_frees;
    uint64_t behind_from; /* cycle from which a further access can enter `behind` */
    struct shared_claim claim;
    uint64_t memory_free; /* cycle from which L1 takes a further access */
    uint32_t stage_turn;  /* sub-partition whose queue is served first */
    struct in_flight *flight;
    uint32_t flight_free; /* head of the free list, or NO_FLIGHT */
    uint64_t due_order;
    struct sm_retired retired[MAX_PLACES * 2];
    uint32_t retired_count;
    struct icache_chain code_levels, constant_levels;
    struct icache indexed;  /* the cache of LDC */
    uint64_t *indexed_due;  /* [lines of this cache]: cycle at which a line is there if L1 has it */
    double indexed_free;    /* cycle from which an LDC's misses have their turn */
    struct pool line_waits; /* struct line_wait: LDCs whose lines have not come */
    struct phase_note *phase; /* [phase_room]; owned; notes in lists, see phase.c */
    uint32_t phase_room, phase_free, phase_copies;
    uint32_t phase_number; /* number of the wait issued last */
    bool arrival_wakes;    /* a warp may sleep until something arrives at a barrier */
    uint32_t last_arrival; /* low bits of the cycle of the last arrival at one */
    struct copy_engine engine;
    struct sm_cluster_note *cluster_note; /* [CLUSTER_NOTES] in the arena; NULL: no cluster yet */
    uint32_t cluster_notes;
    bool no_memory;
    void *policy_state; /* state that the policies of a plugin share */
    struct fault fault;
    uint64_t last_answer; /* cycle of the last completion */
    uint64_t last_store;  /* of a store or reduction; 0: none */
    uint64_t busy_at;     /* last cycle in which a warp started, ended, or issued */
};

/* Instructions of one SM that can be in flight. While all are, none can enter a queue. Each has at
 * most three known completions. */
enum { FLIGHTS = 1024, DUE_MAX = 3 * FLIGHTS + 256 };
#define NO_FLIGHT UINT32_MAX

static inline uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t bit64(unsigned n)
{
    return UINT64_C(1) << n;
}

/* Returns the cursor of a slot's warp. */
static inline void *slot_cursor(const struct sm *sm, const struct sub *sub, unsigned slot)
{
    return sub->cursor + (size_t)slot * sm->setup->cursor_size;
}

/* Returns whether a control instruction redirects its lanes. A branch to the next instruction does
 * so, too. */
static inline bool warp_inst_is_taken(const struct warp_inst *inst, uint8_t op)
{
    return (inst->flags & WARP_INST_TAKEN) || (op_is_branch(op) && inst->exec == inst->active);
}

/* Returns the static instruction of an entry of the queue of `sub`; its warp has not ended. */
static inline const struct inst *inst_of(const struct sub *sub, const struct queued *queued)
{
    return &sub->warp[queued->slot].code[queued->inst.index];
}

/* Wakes a slot at `when`. The sub-partition is visited then even if it sleeps. */
static inline void slot_timer(const struct sm *sm, struct sub *sub, unsigned slot, uint64_t when)
{
    uint64_t at = wheel_set(&sub->wheel, slot, when, sm->now);
    if (at < sub->next)
        sub->next = at;
}

/*
 * Returns the cycle from which a pipe of the sub-partition takes an instruction that needs `unit`.
 */
static inline uint64_t pipe_free_at(const struct sub *sub, unsigned unit)
{
    uint64_t lite = sub->pipe_free[SIMSM_PIPE_FMA], heavy = sub->pipe_free[SIMSM_PIPE_FMAHEAVY];
    if (unit == SIMSM_PIPE_FMA)
        return lite < heavy ? lite : heavy;
    if (unit == UNIT_FMA_WHOLE)
        return lite > heavy ? lite : heavy;
    return sub->pipe_free[unit];
}

/* Makes a pipe take an instruction at `now`. */
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

/* Returns the cycle at which an SM-wide unit takes a control instruction that issues now.
 * Instructions take turns at units that the SM has once. */
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

/* slot.c: settles a slot's private state and sets the timer for the cycle in which it ends. */
void slot_refresh(struct sm *sm, struct sub *sub, unsigned slot);

/*
 * depend.c, operands of instructions. depend_row: returns sub.reg_row. depend_evaluate: settles
 * needs_until, needs_pending and constant_until of the slot's next instruction. depend_issue:
 * `inst` issues. depend_read: queued instruction `inst` has read its sources. depend_done: the
 * results of `inst` are there. depend_clear: a new warp has no dependences.
 */
uint32_t depend_row(const struct sm_grid *grid);
void depend_evaluate(struct sm *sm, struct sub *sub, unsigned slot);
void depend_issue(struct sm *sm, struct sub *sub, unsigned slot, const struct warp_inst *inst);
void depend_read(struct sub *sub, unsigned slot, uint32_t inst);
void depend_done(struct sub *sub, unsigned slot, uint32_t inst);
void depend_clear(struct sub *sub, unsigned slot);

/* Returns whether no warp waits for the result of an instruction (what_if.no_load_waits). */
static inline bool depend_ignores(const struct sm *sm, uint8_t op)
{
    return op == SIMSM_OP_LD_GLOBAL && sm->config->what_if_no_load_waits;
}

/*
 * flight.c: instructions in flight, and completions at known cycles. flight_new: returns the tag of
 * a new instruction in flight; one must be free. flight_waits_for_exchange: the next exchange of
 * the front gives the instruction its values. flight_done: the instruction has been answered by
 * `level`. flight_sent: a store has left the stage. due_add: schedules the completion of an
 * instruction in flight. due_reserve: takes the place in the order of completions that a completion
 * of this moment has; due_add_reserved: schedules it. due_add_read: schedules that an instruction
 * has read its sources. due_run: serves what is due now.
 */
uint32_t flight_new(struct sm *sm, struct sub *sub, unsigned slot, uint32_t inst);
void flight_waits_for_exchange(struct sm *sm, uint32_t tag);
void flight_done(struct sm *sm, uint32_t tag, uint8_t level);
void flight_sent(struct sm *sm, uint32_t tag);
bool flights_hold(const struct warp *warp); /* whether flights keep an ended warp from draining */
void due_add(struct sm *sm, uint64_t cycle, uint32_t tag);
uint64_t due_reserve(struct sm *sm);
void due_add_reserved(struct sm *sm, uint64_t cycle, uint32_t tag, uint64_t order);
void due_add_read(struct sm *sm, uint64_t cycle, const struct sub *sub, unsigned slot,
                  uint32_t inst);
void due_add_copy(struct sm *sm, uint64_t cycle, uint32_t copy);
void due_add_message(struct sm *sm, uint64_t cycle, uint32_t from, uint32_t number, uint32_t entry);
void due_run(struct sm *sm);

/*
 * fetch.c. fetch_cycle: fetches in this cycle. fetch_update: settles whether the slot can be
 * fetched for, or when. fetch_start: a warp starts. fetch_issued: the warp has issued; takes its
 * next instruction from the front. fetch_redirect: the warp goes on at another place, which is
 * fetched from cycle `at` on.
 */
void fetch_cycle(struct sm *sm, struct sub *sub);
void fetch_update(struct sm *sm, struct sub *sub, unsigned slot);
void fetch_start(struct sm *sm, struct sub *sub, unsigned slot);
void fetch_issued(struct sm *sm, struct sub *sub, unsigned slot, uint32_t issued);
/* Lets warps of the block go on that had no next instruction and have one now. */
void fetch_wake(struct sm *sm, struct sm_block *block);
void fetch_redirect(struct warp *warp, uint64_t at);

/* issue.c: chooses a warp and issues its next instruction. */
void issue_cycle(struct sm *sm, struct sub *sub);

/* regfile.c */
/* Reads the source registers of an instruction with a fixed latency that issues now. Returns the
 * cycles by which busy bank ports delay it, and with it the sub-partition's next dispatch. */
uint32_t regfile_read(struct sm *sm, struct sub *sub, unsigned slot, const struct inst *inst);

/* choose.c. choose_init: sets up what the policy sees of a sub-partition. choose_slot: returns the
 * eligible slot that the policy picks, or -1. */
void choose_init(struct sm *sm, struct sub *sub);
int choose_slot(struct sm *sm, struct sub *sub);

/*
 * phase.c: barriers in shared memory (mbarrier). phase_issue: an arrival or a wait for a phase has
 * issued and is in flight.
 * phase_answer: the access in flight as `tag` has been answered; returns false if the instruction
 * stays in flight.
 */
bool phase_init(struct sm *sm); /* false: out of memory */
void phase_issue(struct sm *sm, struct sub *sub, const struct queued *queued);
bool phase_answer(struct sm *sm, uint32_t tag);
/* Ends waits in vain that have lasted too long. */
void phase_give_up(struct sm *sm);
/* Notes that an asynchronous copy of the warp has come to shared memory. */
void phase_copied(struct sm *sm, struct sub *sub, unsigned slot);
/* What a copy has brought to shared memory has been counted. `copy`: its number in events. */
void phase_landed(struct sm *sm, uint32_t copy);
void phase_free(struct sm *sm);

/* queue.c. queue_push: an instruction enters its sub-partition's queue; there must be room.
 * queue_cycle: instructions leave the queues in this cycle. */
void queue_push(struct sm *sm, struct sub *sub, unsigned slot, const struct warp_inst *inst);
void queue_cycle(struct sm *sm);

/*
 * block.c. block_arrive: a warp arrives at a barrier. block_check: opens complete barriers and
 * retires blocks. warp_start, warp_exit: a warp's first cycle; its last EXIT has issued.
 * warp_drained: nothing of an exited warp is in flight that its end waits for.
 */
void block_arrive(struct sm *sm, struct sub *sub, unsigned slot, const struct warp_inst *inst);
void block_check(struct sm *sm);
/* The barrier of the cluster: UCGABAR_ARV, UCGABAR_WAIT. */
void block_cluster_arrive(struct sm *sm, struct warp *warp);
void block_cluster_wait(struct sm *sm, struct warp *warp);
void warp_start(struct sm *sm, struct sub *sub, unsigned slot);
void warp_exit(struct sm *sm, struct sub *sub, unsigned slot);
void warp_drained(struct sm *sm, struct sub *sub, unsigned slot);

/* classify.c. classify_cycle: settles and reports the state of each slot in this cycle.
 * classify_settle: charges the cycles up to `cycle` to the slot's shown state. */
/* Accounts the cycles since the last call, for dispatchers. Is called before classify_cycle. */
void account_cycle(struct sm *sm, struct sub *sub);
void classify_cycle(struct sm *sm, struct sub *sub);
void classify_settle(struct sm *sm, struct sub *sub, unsigned slot, uint64_t cycle);

#endif
