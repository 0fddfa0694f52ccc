/*
 * MODEL: which blocks of a grid run. Blocks begin in the order of their indices. A block that waits
 * for other blocks is suspended, at most as many as the GPU holds, and tried again less and less
 * often.
 * SOURCE: own choice; limits on threads and local memory: CUDA C++ Programming Guide. Shared memory
 * from 0x400 on for sm_90: compiled code.
 * LEFT OUT: that blocks run at the same time; waiting/race.c does so for kernels whose results
 * depend on it.
 */
#include "exec/control/exec_grid.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/err.h"
#include "exec/control/fault.h"
#include "exec/control/prepare.h"
#include "exec/memory/constant_bank.h"
#include "exec/memory/module_load.h"
#include "exec/waiting/race.h"
#include "simsm/occupancy.h"

enum {
    SHARED_FIRST_90 = 0x400, /* the system's reserved bytes lie below */
    LOCAL_MOST = 512 << 10   /* bytes of local memory of a thread (CUDA C++ Programming Guide) */
};

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
    if (grid->local_bytes > LOCAL_MOST)
        return err_set(error, SIMSM_BAD_INPUT,
                       "%s: a stack of %u bytes; a thread has at most %d of local memory",
                       kernel->name, grid->local_bytes, LOCAL_MOST);
    return SIMSM_OK;
}

/* Finds how many blocks the GPU holds at a time. Of a cooperative launch all blocks must be
 * resident, as they may wait for one another. */
static enum simsm_status find_resident(struct exec_grid *grid, const struct simsm_config *config,
                                       struct simsm_error *error)
{
    struct simsm_occupancy occupancy;
    enum simsm_status status = simsm_occupancy(config, &grid->launch, &occupancy, error);
    grid->sms = config->gpu_sms;
    grid->resident = (uint64_t)occupancy.blocks * config->gpu_sms;
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
    grid->spin.rows = kernel->registers + 8 < SASS_RZ ? kernel->registers + 8 : SASS_RZ;
    void *picture = NULL;
    if (posix_memalign(&picture, 64, sizeof(struct exec_warp)) != 0)
        return err_no_memory(error);
    grid->spin.picture = picture;
    enum simsm_status status = check_launch(grid, error);
    if (status == SIMSM_OK)
        status = find_resident(grid, launch->config, error);
    if (status == SIMSM_OK)
        status = exec_constants_make(grid, launch->params, error);
    if (status == SIMSM_OK)
        status = exec_prepare(grid, error);
    return status;
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
    made->memory = launch->module->memory;
    made->sm = launch->module->module->sm;
    made->recording = recording;
    made->clock_mhz = launch->config->gpu_clock_mhz;
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
    destroy_list(grid->suspended);
    destroy_list(grid->free);
    ended_clear(&grid->ended);
    free(grid->spin.picture);
    free(grid->constant0);
    free(grid->decoded);
    free(grid->lowered);
    free(grid->source);
    free(grid->span);
    free(grid->loop);
    free(grid->spare);
    word_table_free(&grid->words);
    free(grid->step);
    divergence_rules_close(&grid->rules);
    free(grid);
}

/* Inserts a block into a list ordered by block index. */
static void insert(struct exec_block **list, struct exec_block *block)
{
    while (*list && (*list)->index < block->index)
        list = &(*list)->next;
    block->next = *list;
    *list = block;
}

/* Takes a block out of the list of suspended blocks, in which it is. */
static void take_suspended(struct exec_grid *grid, const struct exec_block *block)
{
    struct exec_block **at = &grid->suspended;
    while (*at && *at != block)
        at = &(*at)->next;
    SIMSM_CHECK(*at && grid->suspended_count, "block %llu is not among %llu suspended blocks",
                (unsigned long long)block->index, (unsigned long long)grid->suspended_count);
    *at = block->next;
    grid->suspended_count--;
}

void exec_grid_stuck(struct exec_grid *grid, const struct exec_block *block)
{
    char text[720];
    exec_block_describe(block, text, sizeof text);
    exec_stop(grid, SIMSM_FAILED, "%s", text);
}

void exec_grid_block_ended(struct exec_grid *grid, struct exec_block *block)
{
    if (grid->recording && !ended_keep(&grid->ended, block))
        exec_stop(grid, SIMSM_FAILED, "out of memory for the instructions of block %llu",
                  (unsigned long long)block->index);
    block->next = grid->free;
    grid->free = block;
}

/* Runs a block that is in no list, and puts it into the list for its outcome. */
static void run(struct exec_grid *grid, struct exec_block *block)
{
    uint64_t before = grid->changes;
    enum exec_outcome outcome = exec_block_run(block);
    grid->events++;
    switch (outcome) {
    case EXEC_ENDED:
        exec_grid_block_ended(grid, block);
        return;
    case EXEC_STUCK:
        exec_grid_stuck(grid, block);
        break;
    case EXEC_SUSPENDED:
    case EXEC_FAULTED:
        break;
    }
    /* A block that waits without success is tried less and less often. */
    block->patience = grid->changes != before ? 1 : block->patience * 2;
    block->retry_at = grid->events + block->patience;
    insert(&grid->suspended, block);
    grid->suspended_count++;
}

struct exec_block *exec_grid_new_block(struct exec_grid *grid)
{
    struct exec_block *block = grid->free;
    if (block)
        grid->free = block->next;
    else
        block = exec_block_create(grid);
    if (!block)
        exec_stop(grid, SIMSM_FAILED, "out of memory for the state of block %llu",
                  (unsigned long long)grid->next);
    return block;
}

/* Begins and runs the next block. Returns false if there is none, or if as many blocks wait as the
 * GPU holds. */
static bool start_next(struct exec_grid *grid)
{
    if (grid->next >= simsm_grid_blocks(&grid->launch) || grid->suspended_count >= grid->resident)
        return false;
    struct exec_block *block = exec_grid_new_block(grid);
    if (!block)
        return false;
    exec_block_begin(block, grid->next++);
    run(grid, block);
    return true;
}

/* Runs a suspended block whose next try is due, or any runnable suspended block if `all`. Returns
 * false if there is none. */
static bool resume_one(struct exec_grid *grid, bool all)
{
    struct exec_block *chosen = NULL;
    for (struct exec_block *block = grid->suspended; block; block = block->next) {
        if (!exec_block_runnable(block) || (!all && block->retry_at > grid->events))
            continue;
        if (!chosen || block->retry_at < chosen->retry_at)
            chosen = block;
    }
    if (!chosen)
        return false;
    take_suspended(grid, chosen);
    run(grid, chosen);
    return true;
}

/* The last resort: lets lanes that wait for spinning lanes of their warp overtake them. Returns
 * false if there are none. */
static bool overtake_one(struct exec_grid *grid)
{
    for (struct exec_block *block = grid->suspended; block; block = block->next) {
        if (!exec_block_overtake(block, true))
            continue;
        take_suspended(grid, block);
        run(grid, block);
        return true;
    }
    return false;
}

/* Fails the launch: no suspended block can go on. */
static void deadlock(struct exec_grid *grid)
{
    char text[640];
    SIMSM_CHECK(grid->suspended, "no block waits; %llu of %llu have begun",
                (unsigned long long)grid->next,
                (unsigned long long)simsm_grid_blocks(&grid->launch));
    exec_block_describe(grid->suspended, text, sizeof text);
    uint64_t others = grid->suspended_count - 1;
    uint64_t left = simsm_grid_blocks(&grid->launch) - grid->next;
    exec_stop(grid, SIMSM_FAILED, "%s\n  %llu other blocks wait, %llu cannot start while they do",
              text, (unsigned long long)others, (unsigned long long)left);
}

/* Returns whether block `index` has begun and ended. */
static bool has_ended(const struct exec_grid *grid, uint64_t index)
{
    if (index >= grid->next)
        return false;
    const struct exec_block *block = grid->suspended;
    while (block && block->index < index)
        block = block->next;
    return !block || block->index != index;
}

bool exec_grid_ended(const struct exec_grid *grid)
{
    return grid->next == simsm_grid_blocks(&grid->launch) && !grid->suspended;
}

enum simsm_status exec_grid_finish(struct exec_grid *grid, uint64_t index,
                                   struct byte_buffer *cursor, struct simsm_error *error)
{
    SIMSM_CHECK(index < simsm_grid_blocks(&grid->launch), "block %llu of %llu",
                (unsigned long long)index, (unsigned long long)simsm_grid_blocks(&grid->launch));
    while (grid->status == SIMSM_OK && !has_ended(grid, index)) {
        if (grid->races && exec_race_round(grid))
            continue;
        if (!resume_one(grid, false) && !start_next(grid) && grid->status == SIMSM_OK &&
            !resume_one(grid, true) && !overtake_one(grid))
            deadlock(grid);
    }
    if (grid->status != SIMSM_OK) {
        if (error)
            *error = grid->error;
        return grid->status;
    }
    if (!grid->recording)
        return SIMSM_OK;
    if (!ended_take(&grid->ended, index, cursor))
        return err_set(error, SIMSM_FAILED,
                       "%s: the instructions of block %llu were read before; they can be read once",
                       grid->kernel->name, (unsigned long long)index);
    return SIMSM_OK;
}
