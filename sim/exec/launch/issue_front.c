/*
 * The front of a launch whose instructions are executed as they issue. Each SM has a copy of the
 * grid with its own scratch, so that SMs can run in different threads; they share code, constants
 * and memory, which changes in `exchange` only.
 */
#include "exec/launch/issue_front.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/err.h"
#include "exec/async/arrivals.h"
#include "exec/async/landing.h"
#include "exec/async/mbarrier.h"
#include "exec/control/cluster.h"
#include "exec/control/early_stop.h"
#include "exec/control/issue.h"
#include "exec/control/vain.h"
#include "exec/memory/pending.h"
#include "front/block_front.h"

/* What one SM has of the launch. */
struct issued_sm {
    struct exec_grid grid; /* shares all arrays but `span` */
    struct pending pending;
    struct exec_block *free;    /* blocks that have ended */
    struct exec_block *leaving; /* and that leave their cluster at the next exchange */
    uint64_t began, ended;      /* blocks */
    uint64_t clocks;            /* exchanges since which a clock was read */
    bool used;
};

struct issued {
    struct exec_grid *grid;
    issued_begin_fn *begin; /* NULL: done, or nothing to do */
    void *context;
    struct issued_sm *sm; /* [sms] */
    uint32_t sms;
    /* Blocks by index: lists at index % buckets. It changes while no SM runs, so blocks that have
     * ended stay in it until their memory serves others. */
    struct exec_block **bucket;
    uint64_t buckets;
    struct exec_cluster *filling; /* of the block placed last */
    struct exec_block *latest;    /* of all blocks that were created: a list over `older` */
    /* For a livelock: number of the last look; changes() then, and with reads of clocks; cycle of
     * the look since which warps only wait for phases, and of the last that asked for it. */
    uint64_t looks, changes, progress, same_since, period_since;
    bool stuck;             /* the last look has found that warps only wait */
    struct exec_warp *room; /* gives registers to late accesses */
    enum simsm_status status;
    struct simsm_error error;
};

struct issued_cursor {
    struct exec_slot *slot;
    struct issued_sm *sm;
};

_Static_assert(sizeof(struct issued_cursor) <= BLOCK_CURSOR, "a cursor of a block front has room");

static void print_later(void *context, const char *text, size_t size)
{
    struct exec_grid *grid = context;
    if (grid->pending->hidden)
        grid->own.print(grid->own.print_context, text, size);
    else
        pending_text(grid, PENDING_PRINT, text, size);
}

static void tolerate_later(void *context, const char *what)
{
    struct exec_grid *grid = context;
    if (grid->pending->hidden)
        grid->own.tolerate(grid->own.tolerate_context, what);
    else
        pending_text(grid, PENDING_WARNING, what, strlen(what) + 1);
}

static bool sm_create_grid(struct issued_sm *sm, const struct exec_grid *grid)
{
    struct exec_grid *own = &sm->grid;
    *own = *grid;
    own->pending = &sm->pending;
    own->races = false;
    own->running = own->free = NULL;
    own->own = grid->options;
    own->options.print = grid->options.print ? print_later : NULL;
    own->options.tolerate = grid->options.tolerate ? tolerate_later : NULL;
    own->options.print_context = own->options.tolerate_context = own;
    own->options.failure = &own->failure;
    own->span = calloc(grid->steps, sizeof *own->span);
    sm->used = own->span && pending_init(&sm->pending);
    return sm->used;
}

enum simsm_status issued_create(struct issued **issued, struct exec_grid *grid,
                                issued_begin_fn *begin, void *context, struct simsm_error *error)
{
    struct issued *made = calloc(1, sizeof *made);
    *issued = NULL;
    if (!made)
        return err_no_memory(error);
    grid->recording = false;
    made->grid = grid;
    made->begin = begin;
    made->context = context;
    made->sms = grid->sms;
    made->sm = calloc(grid->sms, sizeof *made->sm);
    made->buckets = grid->resident ? grid->resident : 1;
    made->bucket = calloc(made->buckets, sizeof(struct exec_block *));
    made->room = exec_warp_create(grid->rows);
    if (!made->sm || !made->bucket || !made->room) {
        issued_destroy(made);
        return err_no_memory(error);
    }
    *issued = made;
    return SIMSM_OK;
}

static void destroy_sm(struct issued_sm *sm)
{
    pending_free(&sm->pending);
    buffer_free(&sm->grid.parts);
    buffer_free(&sm->grid.landings);
    free(sm->grid.span);
}

void issued_destroy(struct issued *issued)
{
    if (!issued)
        return;
    while (issued->latest) {
        struct exec_block *block = issued->latest;
        issued->latest = block->older;
        exec_block_destroy(block);
    }
    for (uint32_t i = 0; issued->sm && i < issued->sms; i++)
        destroy_sm(&issued->sm[i]);
    free(issued->sm);
    free((void *)issued->bucket);
    free(issued->room);
    free(issued);
}

static void fail(struct issued *issued, enum simsm_status status, const char *what)
{
    if (issued->status == SIMSM_OK)
        issued->status = err_set(&issued->error, status, "%s", what);
}

/* Returns where the table points at the block, or where such a block would be added. */
static struct exec_block **find_block(const struct issued *issued, uint64_t index)
{
    struct exec_block **at = &issued->bucket[index % issued->buckets];
    while (*at && (*at)->index != index)
        at = &(*at)->chain;
    return at;
}

static bool has_ended(const struct exec_block *block)
{
    return block->ended == block->warps;
}

/* Returns the memory of a block of the SM that has ended, or new memory for one. NULL: memory runs
 * out. */
static struct exec_block *block_memory(struct issued *issued, struct issued_sm *sm)
{
    struct exec_block *block = sm->free;
    if (block) {
        sm->free = block->next;
        *find_block(issued, block->index) = block->chain;
        return block;
    }
    if (!sm->used && !sm_create_grid(sm, issued->grid))
        return NULL;
    block = exec_block_create(&sm->grid);
    if (block) {
        block->older = issued->latest;
        issued->latest = block;
    }
    return block;
}

/* The blocks of a cluster are placed one after the other. Returns false if memory runs out. */
static bool join_cluster(struct issued *issued, struct exec_block *block, uint64_t index)
{
    const struct simsm_launch *launch = &issued->grid->launch;
    const uint32_t size = cluster_size(launch), rank = cluster_rank_of(launch, index);
    if (!size)
        return true;
    if (!cluster_join(block, rank, rank ? issued->filling : NULL))
        return false;
    issued->filling = block->cluster;
    return true;
}

/* Returns the block, which begins now if it is new in the SM; NULL: out of memory. */
static struct exec_block *block_of(struct issued *issued, uint64_t index, struct issued_sm *sm)
{
    struct exec_block *block = *find_block(issued, index);
    if (block)
        return block;
    block = block_memory(issued, sm);
    if (!block)
        return NULL;
    exec_block_begin(block, index);
    if (!join_cluster(issued, block, index))
        return NULL;
    block->chain = NULL;
    *find_block(issued, index) = block;
    sm->began++;
    return block;
}

static void place(const struct front *front, uint64_t index, uint32_t warp, uint32_t sm,
                  uint32_t slot)
{
    struct issued *issued = exec_issued_of(front);
    if (issued->status != SIMSM_OK && !*find_block(issued, index))
        return;
    struct exec_block *block = block_of(issued, index, &issued->sm[sm]);
    if (!block) {
        fail(issued, SIMSM_FAILED, "out of memory for the state of a block");
        return;
    }
    block->slot[warp].sm = sm;
    block->slot[warp].place = slot;
}

static void warp_begin(const struct front *front, void *cursor_, uint64_t block, uint32_t warp)
{
    struct issued *issued = exec_issued_of(front);
    struct issued_cursor *cursor = cursor_;
    *cursor = (struct issued_cursor){0};
    struct exec_block *begun = *find_block(issued, block);
    if (!begun)
        return;
    cursor->slot = &begun->slot[warp];
    cursor->sm = &issued->sm[cursor->slot->sm];
}

static void warp_next(const struct front *front, void *cursor_, struct warp_inst *inst)
{
    const struct issued_cursor *cursor = cursor_;
    uint32_t at = 0, active = 1; /* of a failed launch: any instruction ends the warp */
    uint32_t flags = 0;
    (void)front;
    if (cursor->slot && cursor->sm->grid.status == SIMSM_OK) {
        const uint32_t steps = cursor->sm->grid.steps;
        active = 0;
        if (issue_next(cursor->slot, &at, &active)) {
            issue_prefetch(&cursor->sm->grid, cursor->slot, at);
            at = at < steps ? at : steps - 1;
        } else if (cursor->slot->holding)
            flags = WARP_INST_WAITS;
    }
    *inst = (struct warp_inst){.index = at, .active = active, .flags = flags};
}

static void issue(const struct front *front, void *cursor_, uint64_t cycle, struct warp_inst *inst)
{
    struct issued_cursor *cursor = cursor_;
    (void)front;
    if (!cursor->slot || cursor->sm->grid.status != SIMSM_OK) {
        inst->exec = 0;
        inst->flags = WARP_INST_LAST;
        return;
    }
    cursor->sm->grid.cycle = cycle;
    issue_execute(&cursor->sm->grid, cursor->slot, inst);
    if (cursor->sm->grid.status != SIMSM_OK)
        cursor->sm->grid.failed_at = cycle;
}

/* Adds the SMs that lanes reach to their addresses: LANE_SM_BIT. */
static void add_sms(const struct exec_slot *slot, uint32_t lanes, uint64_t address[EXEC_LANES])
{
    const struct exec_cluster *cluster = slot->warp->block->cluster;
    for (; lanes; lanes &= lanes - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(lanes);
        const uint32_t at = (uint32_t)address[lane], rank = at >> CLUSTER_RANK_BIT;
        const struct exec_block *block =
            cluster && rank < CLUSTER_BLOCKS ? cluster->block[rank] : NULL;
        const uint64_t sm = (uint64_t)(block ? block->slot[0].sm : slot->sm);
        address[lane] = sm << LANE_SM_BIT | at;
    }
}

/* Addresses of lanes that lie a constant distance apart need no list. */
static void addresses_of(const struct front *front, const void *cursor_,
                         const struct warp_inst *inst, struct lane_addresses *addresses)
{
    const struct issued_cursor *cursor = cursor_;
    (void)front;
    addresses->affine = true;
    addresses->base = 0;
    addresses->stride = 0;
    if (!inst->exec || !cursor->sm)
        return;
    uint64_t *lane = cursor->sm->grid.addresses.lane;
    if (inst->flags & WARP_INST_REMOTE)
        add_sms(cursor->slot, inst->exec, lane);
    const uint32_t first = (uint32_t)__builtin_ctz(inst->exec),
                   rest = inst->exec & (inst->exec - 1);
    if (rest) {
        const uint32_t second = (uint32_t)__builtin_ctz(rest);
        addresses->stride = (int64_t)(lane[second] - lane[first]) / (int64_t)(second - first);
    }
    addresses->base = lane[first] - first * (uint64_t)addresses->stride;
    for (uint32_t left = rest; left && addresses->affine; left &= left - 1) {
        const unsigned l = (unsigned)__builtin_ctz(left);
        addresses->affine = lane[l] == lane_address(addresses, l);
    }
    if (!addresses->affine)
        memcpy(addresses->lane, lane, sizeof addresses->lane);
}

/* The warp has left the SM. Its block's memory serves other blocks when all its warps have. */
static void warp_end(const struct front *front, void *cursor_)
{
    struct issued_cursor *cursor = cursor_;
    (void)front;
    if (!cursor->slot)
        return;
    struct exec_block *block = cursor->slot->warp->block;
    block->ended++;
    if (!has_ended(block))
        return;
    cursor->sm->ended++;
    /* Other SMs may look at the blocks of the cluster before the exchange. */
    struct exec_block **list = block->cluster ? &cursor->sm->leaving : &cursor->sm->free;
    block->next = *list;
    *list = block;
}

static void arrive(const struct front *front, void *cursor_, uint32_t index, uint64_t address,
                   uint32_t lanes)
{
    struct issued_cursor *cursor = cursor_;
    (void)front;
    if (cursor->slot)
        arrivals_count(cursor->slot, &cursor->sm->grid.step[index], address, lanes);
}

static void copy_of(const struct front *front, const void *cursor_, const struct warp_inst *inst,
                    struct front_copy *copy)
{
    const struct issued_cursor *cursor = cursor_;
    (void)front;
    *copy = (struct front_copy){0};
    if (!cursor->sm || !inst->exec)
        return;
    const bool copies = cursor->sm->grid.step[inst->index].kind == EXEC_COPY;
    if (!copies && !(inst->flags & WARP_INST_MESSAGE))
        return;
    const struct exec_grid *grid = &cursor->sm->grid;
    const struct exec_cluster *cluster = cursor->slot->warp->block->cluster;
    copy->part = (const struct front_part *)(const void *)grid->parts.data;
    copy->parts = (uint32_t)(grid->parts.size / sizeof *copy->part);
    copy->number = grid->copy_number;
    copy->between = grid->between;
    copy->filled = grid->filled;
    for (uint32_t left = cluster ? grid->target_ranks : 0; left; left &= left - 1) {
        const struct exec_block *block = cluster->block[__builtin_ctz(left)];
        if (block)
            copy->target[copy->targets++] = (uint16_t)block->slot[0].sm;
    }
}

static void copied(const struct front *front, uint32_t sm, uint32_t from, uint32_t number)
{
    landing_count(&exec_issued_of(front)->sm[sm].grid, from, number);
}

/* A warp has one such wait at a time: exec_phase_check(). */
static bool phase_over(const struct front *front, void *cursor_, uint32_t number, bool give_up)
{
    struct issued_cursor *cursor = cursor_;
    (void)front;
    (void)number;
    return !cursor->slot || exec_phase_over(cursor->slot, give_up);
}

static enum simsm_status status_of(const struct front *front, struct simsm_error *error)
{
    const struct issued *issued = exec_issued_of(front);
    if (issued->status != SIMSM_OK && error)
        *error = issued->error;
    return issued->status;
}

/* Takes the failure of an SM over. */
static void take_failure(struct issued *issued, const struct exec_grid *grid)
{
    if (issued->grid->options.failure)
        *issued->grid->options.failure = grid->failure;
    issued->status = grid->status;
    issued->error = grid->error;
}

/* Returns the least cycle of a failure, or of an entry that has not been executed; UINT64_MAX:
 * there is none. */
static uint64_t first_entry(const struct issued *issued)
{
    uint64_t first = UINT64_MAX;
    for (uint32_t i = 0; i < issued->sms; i++) {
        const struct issued_sm *sm = &issued->sm[i];
        const struct pending_entry *next = pending_next(&sm->pending);
        first = next && next->cycle < first ? next->cycle : first;
        if (sm->grid.status != SIMSM_OK && sm->grid.failed_at < first)
            first = sm->grid.failed_at;
    }
    return first;
}

/* Instructions may remember allocations that a kernel has freed. */
static void forget_allocations(struct issued *issued)
{
    for (uint32_t i = 0; i < issued->sms; i++)
        if (issued->sm[i].used)
            memset(issued->sm[i].grid.span, 0,
                   issued->grid->steps * sizeof *issued->sm[i].grid.span);
}

/* Executes the entries of one SM and cycle. The launch may fail by it. */
static void execute_entries(struct issued *issued, struct issued_sm *sm, uint64_t cycle)
{
    const struct pending_entry *next;
    while ((next = pending_next(&sm->pending)) && next->cycle == cycle) {
        bool call = next->kind == PENDING_CALL;
        enum simsm_status before = sm->grid.status;
        sm->grid.status = SIMSM_OK;
        for (uint32_t i = 0; call && i < issued->sms; i++) /* before free() takes the memory */
            if (issued->sm[i].used)
                pending_execute_stores(&issued->sm[i].grid, cycle);
        pending_execute(&sm->grid, issued->room);
        if (sm->grid.status != SIMSM_OK) {
            take_failure(issued, &sm->grid);
            return;
        }
        sm->grid.status = before;
        if (call)
            forget_allocations(issued);
    }
    if (sm->grid.status != SIMSM_OK && sm->grid.failed_at == cycle)
        take_failure(issued, &sm->grid);
}

static void count(struct issued *issued)
{
    struct exec_counts sum = {0};
    for (uint32_t i = 0; i < issued->sms; i++) {
        sum.warp_instructions += issued->sm[i].grid.counts.warp_instructions;
        sum.thread_instructions += issued->sm[i].grid.counts.thread_instructions;
        sum.thread_instructions_pred_on += issued->sm[i].grid.counts.thread_instructions_pred_on;
    }
    issued->grid->counts = sum;
}

/* Returns the block with the lowest index of those that have not ended, or NULL. *others: how many
 * there are besides. */
static struct exec_block *first_block(const struct issued *issued, uint64_t *others)
{
    struct exec_block *first = NULL;
    *others = 0;
    for (struct exec_block *block = issued->latest; block; block = block->older) {
        if (has_ended(block))
            continue;
        *others += first != NULL;
        if (!first || block->index < first->index)
            first = block;
    }
    return first;
}

/* Ends the launch at its limit, or if the user wants so. */
static void watch(struct issued *issued)
{
    struct exec_grid *grid = issued->grid;
    uint64_t others;
    count(issued);
    const enum simsm_status why = exec_early_end(grid);
    if (why == SIMSM_OK)
        return;
    struct exec_block *block = first_block(issued, &others);
    struct exec_slot *slot = block ? block->slot : NULL;
    if (block)
        issue_show_waits(block);
    for (uint32_t i = 0; block && i < block->warps; i++)
        if (block->slot[i].groups && block->slot[i].group[0].wait == EXEC_READY)
            slot = &block->slot[i];
    exec_end_early(grid, why, slot);
    issued->status = grid->status;
    issued->error = grid->error;
}

/* Describes the first block that waits. */
static void describe_stuck(const struct front *front, struct simsm_error *error)
{
    const struct issued *issued = exec_issued_of(front);
    uint64_t others;
    char text[640];
    struct exec_block *first = first_block(issued, &others);
    SIMSM_CHECK(first, "no block of %llu waits",
                (unsigned long long)simsm_grid_blocks(&issued->grid->launch));
    issue_show_waits(first);
    exec_block_describe(first, text, sizeof text);
    (void)err_set(error, SIMSM_FAILED, "%s\n  %llu other blocks wait", text,
                  (unsigned long long)others);
}

/* Returns how often memory has changed, and blocks have begun or ended. */
static uint64_t changes(const struct issued *issued)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < issued->sms; i++)
        sum += issued->sm[i].grid.changes + issued->sm[i].began + issued->sm[i].ended;
    return sum;
}

/* Returns how often SMs have read clocks, as far as it matters: it grows if they have. */
static uint64_t clock_reads(struct issued *issued)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < issued->sms; i++) {
        issued->sm[i].clocks += issued->sm[i].grid.clock_read;
        issued->sm[i].grid.clock_read = false;
        sum += issued->sm[i].clocks;
    }
    return sum;
}

/* Returns whether something that has issued has yet to change memory, or a warp has yet to leave.
 */
static bool is_under_way(const struct issued *issued)
{
    bool any = false;
    for (uint32_t i = 0; i < issued->sms && !any; i++)
        any = pending_next(&issued->sm[i].pending) || issued->sm[i].pending.held ||
              issued->sm[i].grid.landings.size;
    for (const struct exec_block *block = issued->latest; block && !any; block = block->older) {
        uint32_t ended = 0;
        for (uint32_t w = 0; w < block->warps; w++)
            ended += !block->slot[w].groups;
        any = block->arrivals.size != 0 || ended != block->ended;
    }
    return any;
}

/* Returns whether all that warps have done for MOST cycles is to wait for phases, in each PERIOD,
 * while memory has stayed as it is. They sleep in between, for up to a millisecond. */
static bool only_waited_for_phases(struct issued *issued, uint64_t cycle, bool changed)
{
    enum { PERIOD = 5000000, MOST = 100000000 /* cycles: 50 ms */ };
    bool only_phases = !changed, polls = false;
    if (!changed && cycle - issued->period_since < PERIOD)
        return false;
    issued->period_since = cycle;
    for (const struct exec_block *block = issued->latest; block; block = block->older)
        for (uint32_t w = 0; !has_ended(block) && w < block->warps; w++)
            only_phases = only_phases && (block->slot[w].phase_waited ||
                                          issue_only_waits(&block->slot[w], &polls));
    if (!only_phases)
        issued->same_since = cycle;
    if (cycle - issued->same_since >= MOST)
        return true;
    for (struct exec_block *block = issued->latest; block; block = block->older)
        for (uint32_t w = 0; w < block->warps; w++)
            block->slot[w].phase_waited = NULL;
    return false;
}

/*
 * Looks whether warps only poll memory that nobody changes, or wait for such warps. While
 * nothing changes, some of the loads of each warp are looked at. Warps that read clocks may stop
 * polling by themselves. But code that waits for a phase reads clocks to choose how long to sleep.
 */
static void find_livelock(struct issued *issued, uint64_t cycle)
{
    enum { LOADS = 1024 };
    if (cycle / FRONT_LOOK == issued->looks)
        return;
    issued->looks = cycle / FRONT_LOOK;
    const uint64_t now = changes(issued), reads = clock_reads(issued);
    const bool under_way = is_under_way(issued), changed = now + reads != issued->progress;
    const bool phases = only_waited_for_phases(issued, cycle, under_way || now != issued->changes);
    bool waits = !changed && !under_way, polls = false;
    issued->changes = now;
    issued->progress = now + reads;
    for (struct exec_block *block = issued->latest; block; block = block->older)
        for (uint32_t w = 0; !has_ended(block) && w < block->warps; w++) {
            struct exec_slot *slot = &block->slot[w];
            if (changed)
                vain_forget(slot);
            waits = waits && issue_only_waits(slot, &polls);
            slot->watched = changed ? 0 : LOADS;
        }
    issued->stuck = phases || (waits && polls); /* without polls, memory has yet to answer */
}

static uint64_t due(const struct front *front)
{
    const struct issued *issued = exec_issued_of(front);
    uint64_t cycle = UINT64_MAX;
    for (uint32_t i = 0; i < issued->sms; i++)
        for (const struct exec_slot *slot = issued->sm[i].pending.held; slot;
             slot = slot->next_held)
            cycle = slot->held_until < cycle ? slot->held_until : cycle;
    return cycle;
}

static bool is_stuck(const struct front *front)
{
    return exec_issued_of(front)->stuck;
}

/* Executes what takes effect before `boundary`. Returns whether there was something. */
static bool take_effect(struct issued *issued, uint64_t boundary)
{
    uint64_t cycle;
    bool any = false;
    if (issued->begin)
        issued->status =
            issued->begin(issued->context, issued->grid->options.watch, &issued->error);
    issued->begin = NULL;
    while (issued->status == SIMSM_OK && (cycle = first_entry(issued)) < boundary) {
        any = true;
        for (uint32_t i = 0; i < issued->sms && issued->status == SIMSM_OK; i++)
            execute_entries(issued, &issued->sm[i], cycle);
    }
    for (uint32_t i = 0; i < issued->sms; i++)
        any |= issued->sm[i].used && pending_let_go(&issued->sm[i].pending, boundary);
    for (uint32_t i = 0; i < issued->sms; i++)
        if (issued->sm[i].used && !pending_forget(&issued->sm[i].pending))
            fail(issued, SIMSM_FAILED, "out of memory for accesses to global memory");
    if (issued->status == SIMSM_OK)
        watch(issued);
    return any;
}

/* Blocks that have ended leave their clusters. */
static void leave_clusters(struct issued *issued)
{
    for (uint32_t i = 0; i < issued->sms; i++) {
        struct issued_sm *sm = &issued->sm[i];
        for (struct exec_block *block; (block = sm->leaving);) {
            sm->leaving = block->next;
            cluster_leave(block);
            block->next = sm->free;
            sm->free = block;
        }
    }
}

static bool exchange(const struct front *front, uint64_t boundary)
{
    struct issued *issued = exec_issued_of(front);
    const bool any = take_effect(issued, boundary);
    leave_clusters(issued);
    if (issued->status == SIMSM_OK)
        find_livelock(issued, boundary);
    for (uint32_t i = 0; issued->status != SIMSM_OK && i < issued->sms; i++)
        issued->sm[i].grid.status = issued->status;
    return any || issued->status != SIMSM_OK;
}

/*
 * Hands the blocks that have not ended to execution without time. Arrivals count that the timing
 * model would have counted. A wait for a phase that is under way has come back in vain: its
 * predicate is false until the timing model answers it.
 */
static void hand_over(struct issued *issued)
{
    struct exec_block *running = NULL, *older;
    uint64_t began = 0, cycle = 0;
    for (uint32_t i = 0; i < issued->sms; i++) {
        began += issued->sm[i].began;
        issued->sm[i].free = issued->sm[i].leaving = NULL;
        cycle = issued->sm[i].grid.cycle > cycle ? issued->sm[i].grid.cycle : cycle;
    }
    for (struct exec_block *block = issued->latest; block; block = older) {
        older = block->older;
        if (has_ended(block)) {
            exec_block_destroy(block);
            continue;
        }
        arrivals_count_all(block);
        cluster_hand_over(block);
        landing_count_all(block->grid);
        struct exec_block **at = &running;
        while (*at && (*at)->index < block->index)
            at = &(*at)->next;
        block->next = *at;
        *at = block;
    }
    issued->latest = NULL;
    memset((void *)issued->bucket, 0, issued->buckets * sizeof(struct exec_block *));
    exec_grid_take_over(issued->grid, running, began, cycle);
    for (uint32_t i = 0; i < issued->sms; i++)
        if (issued->sm[i].grid.status != SIMSM_OK && issued->status == SIMSM_OK)
            take_failure(issued, &issued->sm[i].grid);
}

enum simsm_status issued_finish(struct issued *issued, struct simsm_error *error)
{
    (void)take_effect(issued, UINT64_MAX);
    if (issued->status == SIMSM_OK) {
        hand_over(issued);
        if (issued->status == SIMSM_OK)
            issued->status = exec_grid_run(issued->grid, &issued->error);
    }
    if (issued->status != SIMSM_OK && error)
        *error = issued->error;
    return issued->status;
}

void issued_ops(struct front_ops *ops)
{
    ops->name = "blocks, executed as they issue";
    ops->warp_begin = warp_begin;
    ops->warp_next = warp_next;
    ops->issue = issue;
    ops->exchange = exchange;
    ops->due = due;
    ops->stuck = is_stuck;
    ops->describe_stuck = describe_stuck;
    ops->addresses = addresses_of;
    ops->warp_end = warp_end;
    ops->arrive = arrive;
    ops->copy = copy_of;
    ops->copied = copied;
    ops->phase_over = phase_over;
    ops->wait = NULL;
    ops->status = status_of;
    ops->place = place;
}
