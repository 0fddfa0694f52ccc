/*
 * MODEL: the block dispatcher. Blocks are dispatched in linear order; the policy chooses the SM.
 * The dispatcher notes the ends of blocks one after another over the whole GPU,
 * dispatch.end_interval cycles each. A freed place is refilled dispatch.block_latency cycles after
 * its end has been noted. Two blocks of one SM start at least dispatch.block_interval cycles apart,
 * or dispatch.block_warp_interval for each warp. There is no barrier between waves.
 * SOURCE: Olmedo et al., RTAS 2020 (order, refill); H200, own measurement: an SM gets a block every
 * 24 cycles, or every 3 cycles for each warp, whatever the other SMs get; ends are noted 1.19
 * cycles apart (cuda/calib/launch: empty grids last as long as that, also grids that fit into the
 * SMs all at once).
 * LEFT OUT: the SMs of a pair start 7 and more cycles apart; clusters.
 */
#include <math.h>

#include "base/check.h"
#include "base/sort.h"
#include "config/gpcs.h"
#include "gpu/gpu_state.h"

static void apply_starts(struct gpu_sm *sm, uint64_t cycle, uint32_t warps)
{
    while (sm->starting_count && sm->starting[sm->starting_head] <= cycle) {
        gap_change(&sm->gap, sm->starting[sm->starting_head], (int32_t)warps);
        sm->starting_head = (sm->starting_head + 1) % GPU_PLACES;
        sm->starting_count--;
    }
}

/* Returns the least cycles between two blocks that start in one SM. */
static uint64_t pace(const struct gpu *gpu)
{
    const struct simsm_config *config = gpu->setup.config;
    uint64_t warps = gpu->setup.occupancy->warps_per_block;
    uint64_t by_warps = warps * config->dispatch_block_warp_interval;
    return by_warps > config->dispatch_block_interval ? by_warps : config->dispatch_block_interval;
}

static void place(struct gpu *gpu, uint32_t index, uint64_t earliest)
{
    struct gpu_sm *sm = &gpu->sm[index];
    uint64_t start = earliest;
    uint64_t paced = sm->last_start + pace(gpu);
    if (sm->started && paced > start)
        start = paced;
    sm->started = true;
    sm->last_start = start;
    SIMSM_CHECK(sm->starting_count < GPU_PLACES, "SM %u: %u blocks are starting", index,
                sm->starting_count);
    sm->starting[(sm->starting_head + sm->starting_count++) % GPU_PLACES] = start;
    sm_place(sm->sm, gpu->blocks_placed++, start);
    gpu->view[index].free_blocks--;
    gpu->view[index].resident_blocks++;
    if (start > gpu->latest_start)
        gpu->latest_start = start;
    if (gpu->blocks_placed == gpu->blocks_total) {
        for (uint32_t i = 0; i < gpu->sms; i++)
            gap_last_start(&gpu->sm[i].gap, gpu->latest_start);
    }
}

/* Asks the policy for the SM of the next block. Returns false if the policy holds the block back or
 * its answer is not allowed. */
static bool pick(struct gpu *gpu, int freed, uint64_t cycle, uint32_t *sm)
{
    *sm = gpu->setup.dispatcher->pick(gpu->dispatcher_state, gpu->view, gpu->sms, freed);
    if (*sm == SIMSM_HOLD)
        return false;
    if (*sm < gpu->sms && gpu->view[*sm].free_blocks)
        return true;
    gpu->faulty = true;
    if (cycle < gpu->fault_cycle) {
        gpu->fault_cycle = cycle;
        gpu->fault_sm = *sm;
    }
    return false;
}

/* Places a block at `cycle`, to start not before `earliest`. Returns false if there is no block or
 * no room, or the policy holds back, or memory runs out. */
static bool place_next(struct gpu *gpu, int freed, uint64_t cycle, uint64_t earliest)
{
    uint32_t sm;
    if (!gpu->room || gpu->blocks_placed == gpu->blocks_total || !pick(gpu, freed, cycle, &sm))
        return false;
    if (!gpu_begin_sm(gpu, sm)) {
        gpu->no_memory = true;
        return false;
    }
    place(gpu, sm, earliest);
    gpu->room--;
    gpu->idle_ticks = 0;
    return true;
}

/* Places blocks until none is left, no room is left, or the policy holds back. */
static void fill(struct gpu *gpu, int freed, uint64_t cycle, uint64_t earliest)
{
    while (place_next(gpu, freed, cycle, earliest))
        freed = -1;
}

static void tick(struct gpu *gpu, uint64_t cycle)
{
    const struct simsm_dispatcher *dispatcher = gpu->setup.dispatcher;
    uint64_t next = dispatcher->tick(gpu->dispatcher_state, gpu->view, gpu->sms, cycle);
    gpu->next_tick = next > cycle ? next : SM_NEVER;
}

void dispatch_tick(struct gpu *gpu)
{
    const uint64_t now = gpu->now;
    gpu->idle_ticks++;
    for (uint32_t i = 0; i < gpu->sms; i++) {
        struct gpu_sm *sm = &gpu->sm[i];
        struct sm_account sum = sm_account(sm->sm, now);
        gpu->view[i].active = sum.active - sm->account.active;
        gpu->view[i].idle = sum.idle - sm->account.idle;
        gpu->view[i].memory = sum.memory - sm->account.memory;
        sm->account = sum;
    }
    tick(gpu, now);
    fill(gpu, -1, now, now + gpu->setup.config->dispatch_block_latency);
    if (gpu->blocks_placed == gpu->blocks_total)
        gpu->next_tick = SM_NEVER; /* no block is left to place */
}

/* Tells the dispatcher the order in which SMs get the next `blocks`, at most one each. */
static void set_visit_order(struct gpu *gpu, uint64_t blocks)
{
    gpcs_order(gpu->setup.config, blocks, gpu->order);
    for (uint32_t i = 0; i < gpu->sms; i++)
        gpu->view[i].visit = gpu->order[i];
}

void dispatch_first(struct gpu *gpu)
{
    uint64_t most = (uint64_t)gpu->sms * gpu->setup.occupancy->blocks;
    uint64_t blocks = gpu->blocks_total < most ? gpu->blocks_total : most;
    for (uint32_t i = 0; i < gpu->sms; i++)
        gpu->view[i].free_blocks = gpu->setup.occupancy->blocks;
    gpu->room = (uint32_t)most;
    set_visit_order(gpu, blocks);
    if (gpu->setup.dispatcher->init)
        gpu->setup.dispatcher->init(gpu->dispatcher_state, &gpu->policy);
    if (gpu->setup.dispatcher->tick)
        tick(gpu, 0);
    for (uint64_t i = 0; i < blocks; i++) {
        if (i == blocks / gpu->sms * gpu->sms)
            set_visit_order(gpu, blocks - i);
        if (!place_next(gpu, -1, 0, gpu->setup.config->gpu_launch_cycles))
            break;
    }
}

static int by_time(const void *a, const void *b)
{
    const struct gpu_retired *x = a, *y = b;
    if (x->block.cycle != y->block.cycle)
        return x->block.cycle < y->block.cycle ? -1 : 1;
    if (x->sm != y->sm)
        return x->sm < y->sm ? -1 : 1;
    return x->sequence < y->sequence ? -1 : 1;
}

_Static_assert(sizeof(struct gpu_retired) <= SORT_ITEM, "sort_in_place takes no larger ones");

static uint32_t collect(struct gpu *gpu)
{
    uint32_t total = 0;
    for (uint32_t i = gpu_next_sm(gpu, 0); i < gpu->sms; i = gpu_next_sm(gpu, i + 1)) {
        uint32_t count;
        const struct sm_retired *block = sm_take_retired(gpu->sm[i].sm, &count);
        SIMSM_CHECK(count <= GPU_PLACES, "SM %u: %u blocks have retired in a window", i, count);
        for (uint32_t k = 0; k < count; k++)
            gpu->retired[total++] = (struct gpu_retired){.block = block[k], .sm = i, .sequence = k};
    }
    if (total > 1)
        sort_in_place(gpu->retired, total, sizeof *gpu->retired, by_time);
    return total;
}

static void account_retired(struct gpu *gpu, const struct gpu_retired *retired)
{
    struct gpu_sm *sm = &gpu->sm[retired->sm];
    uint32_t warps = gpu->setup.occupancy->warps_per_block;
    uint64_t cycles = retired->block.cycle - retired->block.start;
    sm_release(sm->sm, retired->block.place);
    apply_starts(sm, retired->block.cycle, warps);
    gap_change(&sm->gap, retired->block.cycle, -(int32_t)warps);
    gpu->view[retired->sm].free_blocks++;
    gpu->room++;
    SIMSM_CHECK(gpu->view[retired->sm].resident_blocks != 0 &&
                    gpu->blocks_done < gpu->blocks_placed,
                "SM %u: %llu of %llu blocks have ended", retired->sm,
                (unsigned long long)gpu->blocks_done, (unsigned long long)gpu->blocks_placed);
    gpu->view[retired->sm].resident_blocks--;
    gpu->blocks_done++;
    gpu->block_cycles_sum += cycles;
    if (cycles < gpu->block_cycles_min)
        gpu->block_cycles_min = cycles;
    if (cycles > gpu->block_cycles_max)
        gpu->block_cycles_max = cycles;
}

/* Asks the launch's cut, if there is one, how many blocks are to run. */
static void consult_cut(struct gpu *gpu, uint64_t cycle)
{
    const struct gpu_progress progress = {
        .cycle = cycle, .done = gpu->blocks_done, .placed = gpu->blocks_placed};
    if (!gpu->cut || gpu->blocks_placed == gpu->blocks_total)
        return;
    uint64_t blocks = gpu->cut->block_ended(gpu->cut->context, &progress, &gpu->count_for_cut);
    if (blocks <= gpu->blocks_placed)
        blocks = gpu->blocks_placed + 1; /* the last block is known when it is placed */
    if (blocks < gpu->blocks_total)
        gpu->blocks_total = blocks;
}

/* Returns the cycle at which the dispatcher has noted an end that happened in `cycle`. Ends are
 * noted one after another. */
static uint64_t note_end(struct gpu *gpu, uint64_t cycle)
{
    double next = gpu->noted + gpu->setup.config->dispatch_end_interval;
    gpu->noted = next > (double)cycle ? next : (double)cycle;
    return (uint64_t)ceil(gpu->noted);
}

void dispatch_refill(struct gpu *gpu)
{
    uint32_t total = collect(gpu);
    for (uint32_t i = 0; i < total; i++) {
        const struct gpu_retired *retired = &gpu->retired[i];
        account_retired(gpu, retired);
        consult_cut(gpu, retired->block.cycle);
        gpu->last_noted = note_end(gpu, retired->block.cycle);
        fill(gpu, (int)retired->sm, retired->block.cycle,
             gpu->last_noted + gpu->setup.config->dispatch_block_latency);
    }
}

void dispatch_settle(struct gpu_sm *sm, uint64_t cycle, uint32_t warps_per_block)
{
    apply_starts(sm, cycle, warps_per_block);
    gap_settle(&sm->gap, cycle);
}
