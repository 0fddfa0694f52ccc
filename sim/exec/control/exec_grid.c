/*
 * MODEL: which blocks of a grid run, without time. Blocks begin in the order of their indices, the
 * blocks of a cluster together. In a
 * kernel that races, as many blocks as the GPU holds take turns, each until its warps need answers
 * from memory. Of other kernels one block runs to its end, and another begins only if none can go
 * on. SOURCE: own choice; limits on threads and local memory: CUDA C++ Programming Guide. Shared
 * memory from 0x400 on for sm_90: compiled code. LEFT OUT: time: how many turns a block takes until
 * another one has ended.
 */
#include "exec/control/exec_grid.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/err.h"
#include "config/gpcs.h"
#include "exec/control/cluster.h"
#include "exec/control/exec_code.h"
#include "exec/control/fault.h"
#include "exec/control/issue.h"
#include "exec/memory/constant_bank.h"
#include "exec/memory/module_load.h"
#include "simsm/occupancy.h"

enum {
    FEW_BYTES = 1 << 20, /* of registers: large pages would take longer to clear than they save */
    SHARED_FIRST_90 = 0x400, /* the system's reserved bytes lie below */
    LOCAL_MOST = 512 << 10,  /* bytes of local memory of a thread (CUDA C++ Programming Guide) */
    AHEAD = 4 /* blocks that may end before an older one, in multiples of what the GPU holds */
};

static enum simsm_status check_clusters(const struct exec_grid *grid, struct simsm_error *error)
{
    const struct simsm_launch *launch = &grid->launch;
    const uint32_t size = cluster_size(launch);
    bool fits = size <= CLUSTER_BLOCKS;
    for (size_t i = 0; size && i < 3; i++)
        fits &= launch->grid[i] % launch->cluster[i] == 0;
    if (fits && (!size || grid->sm >= 90))
        return SIMSM_OK;
    return err_set(
        error, SIMSM_BAD_INPUT,
        "%s: a grid of (%u,%u,%u) blocks in clusters of (%u,%u,%u); clusters have at most %d "
        "blocks, fill the grid, and are of compute capability 9.0 on",
        grid->kernel->name, launch->grid[0], launch->grid[1], launch->grid[2], launch->cluster[0],
        launch->cluster[1], launch->cluster[2], CLUSTER_BLOCKS);
}

static enum simsm_status check_launch(const struct exec_grid *grid, struct simsm_error *error)
{
    const struct sass_kernel *kernel = grid->kernel;
    const struct simsm_launch *launch = &grid->launch;
    uint64_t threads = (uint64_t)launch->block[0] * launch->block[1] * launch->block[2];
    uint64_t blocks = simsm_grid_blocks(launch);
    if (!threads || !blocks || threads > 1024)
        return err_set(error, SIMSM_BAD_INPUT,
                       "%s: a grid of %llu blocks of %llu threads; there must be at least one "
                       "block, and 1 to 1024 threads in it",
                       kernel->name, (unsigned long long)blocks, (unsigned long long)threads);
    if (kernel->max_threads && threads > kernel->max_threads)
        return err_set(error, SIMSM_BAD_INPUT,
                       "%s: blocks of %llu threads, but it was compiled for at most %u",
                       kernel->name, (unsigned long long)threads, kernel->max_threads);
    for (size_t i = 0; i < 3; i++)
        if (kernel->required[i] && kernel->required[i] != launch->block[i])
            return err_set(error, SIMSM_BAD_INPUT,
                           "%s: blocks of (%u,%u,%u) threads, but it was compiled for (%u,%u,%u)",
                           kernel->name, launch->block[0], launch->block[1], launch->block[2],
                           kernel->required[0], kernel->required[1], kernel->required[2]);
    const enum simsm_status status = check_clusters(grid, error);
    if (status != SIMSM_OK)
        return status;
    if (grid->local_bytes > LOCAL_MOST)
        return err_set(error, SIMSM_BAD_INPUT,
                       "%s: a stack of %u bytes; a thread has at most %d of local memory",
                       kernel->name, grid->local_bytes, LOCAL_MOST);
    return SIMSM_OK;
}

/* Returns the bytes of all registers of the blocks that are resident at a time. */
static uint64_t register_bytes(const struct exec_grid *grid)
{
    const uint64_t blocks = simsm_grid_blocks(&grid->launch);
    return (blocks < grid->resident ? blocks : grid->resident) * simsm_block_warps(&grid->launch) *
           exec_warp_bytes(grid->rows);
}

/* Finds how many blocks the GPU holds at a time. Of a cooperative launch all blocks must be
 * resident, as they may wait for one another. */
static enum simsm_status find_resident(struct exec_grid *grid, const struct simsm_config *config,
                                       struct simsm_error *error)
{
    struct simsm_occupancy occupancy;
    enum simsm_status status = simsm_occupancy(config, &grid->launch, &occupancy, error);
    grid->sms = config->gpu_sms;
    const uint32_t size = cluster_size(&grid->launch);
    grid->resident = size ? gpcs_clusters(config, size, occupancy.blocks) * size
                          : (uint64_t)occupancy.blocks * config->gpu_sms;
    if (status == SIMSM_OK && grid->options.cooperative &&
        simsm_grid_blocks(&grid->launch) > grid->resident)
        return err_set(error, SIMSM_BAD_INPUT,
                       "%s: a cooperative launch of %llu blocks, but only %llu can be resident at "
                       "a time",
                       grid->kernel->name, (unsigned long long)simsm_grid_blocks(&grid->launch),
                       (unsigned long long)grid->resident);
    return status;
}

static enum simsm_status fill(struct exec_grid *grid, const struct exec_launch *launch,
                              struct simsm_error *error)
{
    const struct sass_kernel *kernel = launch->kernel;
    uint32_t stack = kernel->local_bytes;
    if (launch->options.stack_bytes > stack)
        stack = launch->options.stack_bytes;
    grid->local_bytes = (stack + 15) / 16 * 16;
    grid->shared_first = grid->sm >= 90 ? SHARED_FIRST_90 : 0;
    uint32_t shared = kernel->shared_static;
    if (shared < grid->shared_first)
        shared = grid->shared_first;
    grid->shared_bytes = shared + grid->launch.shared_dynamic;
    grid->registers = calloc(1, sizeof *grid->registers);
    if (!grid->registers)
        return err_no_memory(error);
    enum simsm_status status = check_launch(grid, error);
    if (status == SIMSM_OK)
        status = find_resident(grid, launch->config, error);
    if (status == SIMSM_OK)
        status = exec_constants_make(grid, launch->params, error);
    if (status == SIMSM_OK)
        status = exec_code_take(grid, error);
    if (status == SIMSM_OK)
        grid->registers->only_small = register_bytes(grid) < FEW_BYTES;
    return status;
}

/* A fence must not end before others see the stores in front of it. */
static uint32_t store_effect(const struct simsm_config *config)
{
    return config->l2_store_effect < config->barrier_fence_device ? config->l2_store_effect
                                                                  : config->barrier_fence_device;
}

enum simsm_status exec_grid_create(struct exec_grid **grid, const struct exec_launch *launch,
                                   bool recording, struct simsm_error *error)
{
    *grid = NULL;
    struct exec_grid *made = calloc(1, sizeof *made);
    if (!made)
        return err_no_memory(error);
    made->module = launch->module;
    made->kernel = launch->kernel;
    made->launch = launch->launch;
    made->options = launch->options;
    made->undo = launch->options.undo;
    made->random = launch->options.schedule * UINT64_C(0x9e3779b97f4a7c15);
    made->memory = launch->module->memory;
    made->sm = launch->module->module->sm;
    made->recording = recording;
    made->clock_mhz = launch->config->gpu_clock_mhz;
    made->store_effect = store_effect(launch->config);
    enum simsm_status status = divergence_rules_open(&made->rules, launch->config, error);
    if (status == SIMSM_OK)
        status = fill(made, launch, error);
    if (status != SIMSM_OK) {
        exec_grid_destroy(made);
        return status;
    }
    *grid = made;
    return SIMSM_OK;
}

static void destroy_list(struct exec_block *list)
{
    while (list) {
        struct exec_block *next = list->next;
        exec_block_destroy(list);
        list = next;
    }
}

void exec_grid_destroy(struct exec_grid *grid)
{
    if (!grid)
        return;
    destroy_list(grid->running);
    destroy_list(grid->free);
    ended_clear(&grid->ended);
    free(grid->constant0);
    exec_code_leave(grid);
    word_table_free(&grid->words);
    if (grid->registers)
        arena_free(grid->registers);
    free(grid->registers);
    divergence_rules_close(&grid->rules);
    free(grid);
}

static void stuck(struct exec_grid *grid, const struct exec_block *block)
{
    char text[720];
    exec_block_describe(block, text, sizeof text);
    exec_deadlock(grid, block);
    exec_stop(grid, SIMSM_FAILED, "%s", text);
}

/* Takes the instructions of a block that has ended, and keeps its state for reuse. */
static void block_ended(struct exec_grid *grid, struct exec_block *block)
{
    if (grid->recording && !ended_keep(&grid->ended, block))
        exec_stop(grid, SIMSM_FAILED, "out of memory for the instructions of block %llu",
                  (unsigned long long)block->index);
    cluster_leave(block);
    block->next = grid->free;
    grid->free = block;
}

/* Returns whether the GPU holds another block, or another cluster. */
static bool has_room(const struct exec_grid *grid)
{
    const uint64_t size = cluster_size(&grid->launch);
    return !grid->running || grid->running_count + (size ? size : 1) <= grid->resident;
}

/* Begins the next block, which becomes *at, the last of the list. Returns false if there is none,
 * or if as many blocks run as the GPU holds. */
static bool begin_next(struct exec_grid *grid, struct exec_block **at)
{
    const struct exec_block *oldest = grid->running;
    const uint32_t size = cluster_size(&grid->launch);
    if (grid->next >= simsm_grid_blocks(&grid->launch) || (!grid->filling && !has_room(grid)) ||
        (oldest && grid->next - oldest->order >= AHEAD * grid->resident))
        return false;
    struct exec_block *block = grid->free;
    if (block)
        grid->free = block->next;
    else
        block = exec_block_create(grid);
    if (!block) {
        exec_stop(grid, SIMSM_FAILED, "out of memory for the state of block %llu",
                  (unsigned long long)grid->next);
        return false;
    }
    uint32_t rank;
    block->order = grid->next++;
    exec_block_begin(block, cluster_block(&grid->launch, block->order, &rank));
    if (size && !cluster_join(block, rank, grid->filling)) {
        exec_stop(grid, SIMSM_FAILED, "out of memory for the state of a cluster");
        return false;
    }
    grid->filling = size && rank + 1 < size ? block->cluster : NULL;
    block->next = NULL;
    *at = block;
    grid->running_count++;
    return true;
}

/* Gives each block its turn. Sets *at to the end of the list. Returns whether a block could run. */
static bool give_turns(struct exec_grid *grid, struct exec_block ***at)
{
    bool ran = false;
    for (*at = &grid->running; **at && grid->status == SIMSM_OK;) {
        struct exec_block *block = **at;
        if (grid->random && exec_random(grid) & 1) { /* its turn comes later */
            *at = &block->next;
            ran = true;
            continue;
        }
        enum exec_outcome outcome = exec_block_turn(block);
        if (outcome == EXEC_STUCK)
            stuck(grid, block);
        ran |= outcome != EXEC_ASLEEP;
        if (outcome != EXEC_ENDED) {
            *at = &block->next;
            continue;
        }
        **at = block->next;
        grid->running_count--;
        block_ended(grid, block);
    }
    return ran;
}

/* Gives each block its turn, and begins blocks. Returns false if no block can go on. */
static bool run_round(struct exec_grid *grid)
{
    struct exec_block **at;
    const uint64_t changes = grid->changes;
    bool ran = give_turns(grid, &at);
    bool more = grid->races || grid->random || !grid->running || grid->changes == changes;
    while (more && grid->status == SIMSM_OK && begin_next(grid, at)) {
        at = &(*at)->next;
        more = grid->races || grid->random || grid->filling;
        ran = true;
    }
    for (struct exec_block *block = grid->running; !ran && block; block = block->next)
        ran = exec_block_insist(block);
    return ran;
}

/* Fails the launch: no block can go on. */
static void deadlock(struct exec_grid *grid)
{
    char text[640];
    SIMSM_CHECK(grid->running, "no block waits; %llu of %llu have begun",
                (unsigned long long)grid->next,
                (unsigned long long)simsm_grid_blocks(&grid->launch));
    issue_show_waits(grid->running);
    exec_block_describe(grid->running, text, sizeof text);
    uint64_t others = grid->running_count - 1;
    uint64_t left = simsm_grid_blocks(&grid->launch) - grid->next;
    exec_deadlock(grid, grid->running);
    exec_stop(grid, SIMSM_FAILED, "%s\n  %llu other blocks wait, %llu cannot start while they do",
              text, (unsigned long long)others, (unsigned long long)left);
}

/* Returns whether block `index` has begun and ended, of a grid without clusters. */
static bool has_ended(const struct exec_grid *grid, uint64_t index)
{
    if (index >= grid->next)
        return false;
    const struct exec_block *block = grid->running;
    while (block && block->index < index)
        block = block->next;
    return !block || block->index != index;
}

bool exec_grid_ended(const struct exec_grid *grid)
{
    return grid->next == simsm_grid_blocks(&grid->launch) && !grid->running;
}

static enum simsm_status status_of(const struct exec_grid *grid, struct simsm_error *error)
{
    if (grid->status != SIMSM_OK && error)
        *error = grid->error;
    return grid->status;
}

enum simsm_status exec_grid_run(struct exec_grid *grid, struct simsm_error *error)
{
    while (grid->status == SIMSM_OK && !exec_grid_ended(grid)) {
        if (!run_round(grid) && grid->status == SIMSM_OK)
            deadlock(grid);
    }
    return status_of(grid, error);
}

void exec_grid_take_over(struct exec_grid *grid, struct exec_block *running, uint64_t next,
                         uint64_t cycle)
{
    SIMSM_CHECK(!grid->running && !grid->next, "%llu blocks have begun without time",
                (unsigned long long)grid->next);
    grid->running = running;
    grid->next = next;
    for (struct exec_block *block = running; block; block = block->next) {
        block->grid = grid;
        grid->running_count++;
    }
    /* Clocks go on from `cycle`; without time they count executed instructions. */
    grid->options.start_cycle += cycle - exec_instruction_clock(grid);
}

enum simsm_status exec_grid_finish(struct exec_grid *grid, uint64_t index,
                                   struct byte_buffer *cursor, struct simsm_error *error)
{
    SIMSM_CHECK(index < simsm_grid_blocks(&grid->launch), "block %llu of %llu",
                (unsigned long long)index, (unsigned long long)simsm_grid_blocks(&grid->launch));
    while (grid->status == SIMSM_OK && !has_ended(grid, index)) {
        if (!run_round(grid) && grid->status == SIMSM_OK)
            deadlock(grid);
    }
    if (grid->status != SIMSM_OK || !grid->recording)
        return status_of(grid, error);
    if (!ended_take(&grid->ended, index, cursor))
        return err_set(error, SIMSM_FAILED,
                       "%s: the instructions of block %llu were read before; they can be read once",
                       grid->kernel->name, (unsigned long long)index);
    return SIMSM_OK;
}
