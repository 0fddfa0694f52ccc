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
 * Of several grids, the head (grids.c) gets the places.
 * LEFT OUT: the SMs of a pair start 7 and more cycles apart.
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

/* Returns the least cycles between two blocks that start in one SM, of which the second is of
 * `grid`. */
static uint64_t pace(const struct gpu *gpu, const struct gpu_grid *grid)
{
    const struct simsm_config *config = gpu->setup.config;
    uint64_t warps = grid->seen.warps_per_block;
    uint64_t by_warps = warps * config->dispatch_block_warp_interval;
    return by_warps > config->dispatch_block_interval ? by_warps : config->dispatch_block_interval;
}

/* Counts what `blocks` more blocks of the grid hold in the SM. */
static void hold(struct gpu_sm *sm, const struct gpu_grid *grid, int32_t blocks)
{
    const struct simsm_occupancy *needs = grid->occupancy;
    const int32_t warps = blocks * (int32_t)needs->warps_per_block;
    sm->blocks += (uint32_t)blocks;
    sm->warps += (uint32_t)warps;
    sm->registers += (uint32_t)warps * needs->registers_per_warp;
    sm->shared += (uint32_t)blocks * needs->shared_per_block;
}

/* Notes that a block of the grid has been placed in the SM, to start in cycle `start`. */
static void count_placed(struct gpu *gpu, struct gpu_grid *grid, uint32_t index, uint64_t start)
{
    hold(&gpu->sm[index], grid, 1);
    if (!grid->resident[index]++)
        grid->since[index] = start;
    grid->placed++;
    gpu->view[index].free_blocks--;
    gpu->view[index].resident_blocks++;
    if (start > grid->latest_start)
        grid->latest_start = start;
    if (start < grid->first_start)
        grid->first_start = start;
    if (grid->placed < grid->blocks)
        return;
    for (uint32_t i = 0; grids_alone(gpu) && i < gpu->sms; i++)
        gap_last_start(&gpu->sm[i].gap, grid->latest_start);
}

/* Returns the cycle in which a block of the head would start in the SM. */
static uint64_t start_in(const struct gpu *gpu, uint32_t index, uint64_t earliest)
{
    const struct gpu_sm *sm = &gpu->sm[index];
    const struct gpu_grid *grid = gpu->head;
    const uint64_t first = grid->seen.first > earliest ? grid->seen.first : earliest;
    const uint64_t paced = sm->last_start + pace(gpu, grid);
    return sm->started && paced > first ? paced : first;
}

static void place(struct gpu *gpu, uint32_t index, uint64_t earliest)
{
    struct gpu_sm *sm = &gpu->sm[index];
    struct gpu_grid *grid = gpu->head;
    const uint64_t start = start_in(gpu, index, earliest);
    sm->started = true;
    sm->last_start = start;
    SIMSM_CHECK(sm->starting_count < GPU_PLACES, "SM %u: %u blocks are starting", index,
                sm->starting_count);
    if (gpu->setup.several && !sm->blocks) {
        sm->carveout = grid->occupancy->carveout;
        if (sm->l1_carveout != sm->carveout &&
            mem_sm_carve(gpu->mem, index, sm->carveout)) /* not while stores are under way */
            sm->l1_carveout = sm->carveout;
    }
    if (grids_alone(gpu))
        sm->starting[(sm->starting_head + sm->starting_count++) % GPU_PLACES] = start;
    uint64_t *met = &grid->met[index / 64], bit = UINT64_C(1) << index % 64;
    uint32_t rank;
    const uint64_t block = cluster_block(&grid->seen.front->launch, grid->placed, &rank);
    const uint32_t at = sm_place(sm->sm, &grid->seen, block, start, !(*met & bit));
    if (grid->clusters)
        clusters_join(gpu, index, at, rank, grid->seen.warps_per_block);
    *met |= bit;
    count_placed(gpu, grid, index, start);
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

/* Tells the dispatcher the order in which SMs get the next `blocks`, at most one each. */
static void set_visit_order(struct gpu *gpu, uint64_t blocks)
{
    gpcs_order(gpu->setup.config, blocks, gpu->order);
    for (uint32_t i = 0; i < gpu->sms; i++)
        gpu->view[i].visit = gpu->order[i];
}

/* Chooses the grid whose blocks are placed next, and counts the places for them. */
static void choose_head(struct gpu *gpu)
{
    gpu->head = grids_head(gpu);
    gpu->room = 0;
    for (uint32_t i = 0; i < gpu->sms; i++) {
        gpu->view[i].free_blocks = gpu->head ? grids_room(gpu, gpu->head, i) : 0;
        gpu->room += gpu->view[i].free_blocks;
    }
    if (gpu->head && !grids_alone(gpu))
        set_visit_order(gpu, gpu->head->blocks - gpu->head->placed);
}

/* Places a block in the SM. Returns false if memory runs out. */
static bool place_in(struct gpu *gpu, uint32_t sm, uint64_t earliest)
{
    if (!gpu_begin_sm(gpu, sm)) {
        gpu->no_memory = true;
        return false;
    }
    place(gpu, sm, earliest);
    gpu->room--;
    gpu->idle_ticks = 0;
    if (gpu->head->placed == gpu->head->blocks)
        choose_head(gpu);
    return true;
}

/* Places the blocks of a cluster, which start together. The policy is not asked. */
static bool place_cluster(struct gpu *gpu, uint32_t size, uint64_t earliest)
{
    uint32_t sm[CLUSTER_BLOCKS];
    if (!clusters_choose(gpu, size, sm))
        return false;
    for (uint32_t i = 0; i < size; i++) {
        const uint64_t start = start_in(gpu, sm[i], earliest);
        earliest = start > earliest ? start : earliest;
    }
    for (uint32_t i = 0; i < size; i++)
        if (!place_in(gpu, sm[i], earliest))
            return false;
    return true;
}

/* Places a block at `cycle`, to start not before `earliest`. Returns false if there is no block or
 * no room, or the policy holds back, or memory runs out. */
static bool place_next(struct gpu *gpu, int freed, uint64_t cycle, uint64_t earliest)
{
    uint32_t sm;
    if (!gpu->room || !gpu->head)
        return false;
    const uint32_t size = cluster_size(&gpu->head->seen.front->launch);
    if (size > 1)
        return place_cluster(gpu, size, earliest);
    return pick(gpu, freed, cycle, &sm) && place_in(gpu, sm, earliest);
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
    if (!gpu->head)
        gpu->next_tick = SM_NEVER; /* no block is left to place */
}

void dispatch_first(struct gpu *gpu)
{
    const uint64_t most = (uint64_t)gpu->sms * gpu->setup.occupancy->blocks;
    choose_head(gpu);
    set_visit_order(gpu, gpu->head->blocks < most ? gpu->head->blocks : most);
    if (gpu->setup.dispatcher->init)
        gpu->setup.dispatcher->init(gpu->dispatcher_state, &gpu->policy);
    if (gpu->setup.dispatcher->tick)
        tick(gpu, 0);
    dispatch_begin(gpu);
}

void dispatch_begin(struct gpu *gpu)
{
    if (!grids_alone(gpu))
        choose_head(gpu);
    const uint64_t left = gpu->head ? gpu->head->blocks - gpu->head->placed : 0;
    const uint64_t blocks = left < gpu->room ? left : gpu->room;
    for (uint64_t i = 0; i < blocks; i++) {
        if (i == blocks / gpu->sms * gpu->sms)
            set_visit_order(gpu, blocks - i);
        if (!place_next(gpu, -1, gpu->now, 0))
            return;
    }
    fill(gpu, -1, gpu->now, 0); /* blocks of the grids behind it */
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

/* Counts the free places of an SM of which a block has ended. */
static void count_room(struct gpu *gpu, uint32_t index)
{
    struct simsm_sm_view *view = &gpu->view[index];
    view->resident_blocks--;
    gpu->room -= view->free_blocks;
    view->free_blocks = gpu->head ? grids_room(gpu, gpu->head, index) : 0;
    gpu->room += view->free_blocks;
}

/* Notes the end of a block. Returns its grid. */
static struct gpu_grid *account_retired(struct gpu *gpu, const struct gpu_retired *retired)
{
    struct gpu_sm *sm = &gpu->sm[retired->sm];
    struct gpu_grid *grid = grids_of(sm_release(sm->sm, retired->block.place));
    uint32_t warps = grid->seen.warps_per_block;
    uint64_t cycles = retired->block.cycle - retired->block.start;
    if (grids_alone(gpu)) {
        apply_starts(sm, retired->block.cycle, warps);
        gap_change(&sm->gap, retired->block.cycle, -(int32_t)warps);
    }
    SIMSM_CHECK(grid->resident[retired->sm] != 0 && grid->done < grid->placed,
                "SM %u: %llu of %llu blocks have ended", retired->sm,
                (unsigned long long)grid->done, (unsigned long long)grid->placed);
    hold(sm, grid, -1);
    clusters_block_ended(gpu, retired->block.cluster);
    if (!--grid->resident[retired->sm])
        grid->active += retired->block.cycle - grid->since[retired->sm];
    count_room(gpu, retired->sm);
    grid->done++;
    grid->block_cycles_sum += cycles;
    if (retired->block.cycle > grid->latest_retired)
        grid->latest_retired = retired->block.cycle;
    if (cycles < grid->block_cycles_min)
        grid->block_cycles_min = cycles;
    if (cycles > grid->block_cycles_max)
        grid->block_cycles_max = cycles;
    return grid;
}

/* Asks the launch's cut, if there is one, how many blocks are to run. */
static void consult_cut(struct gpu *gpu, uint64_t cycle)
{
    struct gpu_grid *grid = gpu->first;
    const struct gpu_progress progress = {
        .cycle = cycle, .done = grid->done, .placed = grid->placed};
    if (!gpu->cut || grid->placed == grid->blocks)
        return;
    uint64_t blocks = gpu->cut->block_ended(gpu->cut->context, &progress, &gpu->count_for_cut);
    if (blocks <= grid->placed)
        blocks = grid->placed + 1; /* the last block is known when it is placed */
    if (blocks < grid->blocks)
        grid->blocks = blocks;
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
        struct gpu_grid *grid = account_retired(gpu, retired);
        consult_cut(gpu, retired->block.cycle);
        gpu->last_noted = grid->latest_end = note_end(gpu, retired->block.cycle);
        if (grid->done == grid->blocks) {
            gpu->running--;
            gpu->interrupted = true;
        }
        fill(gpu, (int)retired->sm, retired->block.cycle,
             gpu->last_noted + gpu->setup.config->dispatch_block_latency);
    }
}

void dispatch_settle(struct gpu_sm *sm, uint64_t cycle, uint32_t warps_per_block)
{
    apply_starts(sm, cycle, warps_per_block);
    gap_settle(&sm->gap, cycle);
}
