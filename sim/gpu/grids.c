/*
 * MODEL: several grids on the GPU. Blocks are placed grid by grid: first those of the highest
 * priority, among these those that came first. A grid's blocks are not placed before all blocks of
 * the grids before it have been, even if these find no room and its own would.
 * SOURCE: H100, cuda/streams: tail_half, priority_high, full_2. Amert et al., RTSS 2017: queues of
 * grids, only the head of which is dispatched.
 * An SM without blocks takes the carve-out of the next grid.
 * LEFT OUT: which of several streams that can go on at one moment the GPU takes first.
 */
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "core/supply.h"
#include "gpu/gpu_state.h"

/* Code of one kernel in the address space of the instruction caches. */
struct gpu_code {
    char name[sizeof((struct simsm_launch *)0)->name];
    uint32_t size, at;
};

/* Addresses of code and of constants in the caches have 32 bits and may wrap around. */
enum { CODE_UNIT = 1 << 16 };

/* Returns where the front's code lies: where it was when the kernel came before. */
static bool code_place(struct gpu *gpu, const struct front *front, uint32_t *at)
{
    const uint32_t bytes = front->code_size * gpu->setup.config->fetch_instruction_bytes;
    const struct gpu_code *code = gpu->codes.data;
    for (size_t i = 0; i < gpu->codes.count; i++) {
        *at = code[i].at;
        if (code[i].size == front->code_size && strcmp(code[i].name, front->launch.name) == 0)
            return true;
    }
    *at = gpu->code_end;
    struct gpu_code made = {.size = front->code_size, .at = *at};
    memcpy(made.name, front->launch.name, sizeof made.name);
    gpu->codes.size = sizeof made;
    if (!pool_add(&gpu->codes, &made))
        return false;
    gpu->code_end += (bytes / CODE_UNIT + 1) * CODE_UNIT;
    return true;
}

static bool make_lines(const struct gpu *gpu, struct gpu_grid *grid, uint32_t code_size)
{
    const size_t room = code_size ? code_size : 1;
    grid->lines = calloc(room, sizeof *grid->lines);
    grid->seen.lines = calloc(gpu->threads, sizeof(struct simsm_line_stats *));
    bool whole = grid->lines && grid->seen.lines;
    for (uint32_t t = 0; whole && t < gpu->threads; t++) {
        /* one thread counts into the sum */
        grid->seen.lines[t] =
            gpu->threads == 1 ? grid->lines : calloc(room, sizeof *grid->seen.lines[t]);
        whole = grid->seen.lines[t] != NULL;
    }
    return whole;
}

void grids_free(const struct gpu *gpu, struct gpu_grid *grid)
{
    for (uint32_t t = 0; gpu->threads > 1 && grid->seen.lines && t < gpu->threads; t++)
        free(grid->seen.lines[t]);
    free((void *)grid->seen.lines);
    free(grid->lines);
    free(grid->resident);
    free(grid->since);
    free(grid->met);
    free(grid->own_code);
    free(grid);
}

/* Returns whether the instruction converts between single and double precision. */
static bool converts_double(const char *text)
{
    const char *at = text ? strstr(text, "F2F.") : NULL;
    return at && (strncmp(at, "F2F.F64.F32", 11) == 0 || strncmp(at, "F2F.F32.F64", 11) == 0);
}

/*
 * what_if.fp64_as_fp32: replaces the code of the grid by a copy, in which a conversion between
 * single and double precision is a simple instruction: a program in single precision has none.
 * Returns false if memory runs out.
 */
static bool drop_conversions(struct gpu_grid *grid, const struct front *front)
{
    grid->own_code = calloc((size_t)front->code_size + 1, sizeof *grid->own_code);
    if (!grid->own_code)
        return false;
    if (front->code_size)
        memcpy(grid->own_code, front->code, front->code_size * sizeof *front->code);
    for (uint32_t i = 0; i < front->code_size; i++)
        if (converts_double(front->text[i]))
            grid->own_code[i].op = SIMSM_OP_INT;
    grid->seen.code = grid->own_code;
    return true;
}

struct gpu_grid *grids_add(struct gpu *gpu, const struct gpu_arrival *arrival)
{
    struct gpu_grid *grid = calloc(1, sizeof *grid), **at = &gpu->grids;
    const struct front *front = arrival->front;
    uint32_t code_at;
    if (!grid)
        return NULL;
    *grid = (struct gpu_grid){
        .seen = {.front = front,
                 .ops = front->ops,
                 .code = front->code,
                 .came = gpu->now,
                 .first = gpu->now + arrival->launch_cycles,
                 .warps_per_block = arrival->occupancy->warps_per_block,
                 .use_control_bits = sm_uses_control_bits(gpu->setup.config, front),
                 .constants_at = (uint32_t)gpu->arrivals * SUPPLY_CONSTANTS_UNIT},
        .occupancy = arrival->occupancy,
        .priority = arrival->priority,
        .number = gpu->arrivals,
        .blocks = simsm_grid_blocks(&front->launch),
        .clusters = clusters_used(front),
        .block_cycles_min = UINT64_MAX,
        .first_start = SM_NEVER,
        .resident = calloc(gpu->sms, sizeof *grid->resident),
        .since = calloc(gpu->sms, sizeof *grid->since),
        .met = calloc((gpu->sms + 63) / 64, sizeof *grid->met),
    };
    if (!grid->resident || !grid->since || !grid->met || !make_lines(gpu, grid, front->code_size) ||
        !code_place(gpu, front, &code_at) ||
        (gpu->setup.config->what_if_fp64_as_fp32 && !drop_conversions(grid, front))) {
        grids_free(gpu, grid);
        return NULL;
    }
    grid->seen.code_at = code_at;
    supply_bring(gpu->supply, gpu->now, code_at,
                 grid->seen.first + gpu->setup.config->fetch_launch_latency,
                 grid->seen.constants_at, grid->seen.first);
    while (*at)
        at = &(*at)->next;
    *at = grid;
    gpu->arrivals++;
    gpu->running++;
    return grid;
}

struct gpu_grid *grids_head(const struct gpu *gpu)
{
    struct gpu_grid *head = NULL;
    for (struct gpu_grid *grid = gpu->grids; grid; grid = grid->next)
        if (grid->placed < grid->blocks && (!head || grid->priority > head->priority))
            head = grid;
    return head;
}

static uint32_t least_of(uint32_t room, uint32_t free, uint32_t each)
{
    return each && free / each < room ? free / each : room;
}

uint32_t grids_room(const struct gpu *gpu, const struct gpu_grid *grid, uint32_t index)
{
    const struct simsm_config *config = gpu->setup.config;
    const struct simsm_occupancy *needs = grid->occupancy;
    const struct gpu_sm *sm = &gpu->sm[index];
    uint32_t warps = needs->warps_per_block, room = needs->blocks - grid->resident[index];
    if (sm->blocks == grid->resident[index] && (!sm->blocks || sm->carveout >= needs->carveout))
        return room;
    room = least_of(room, config->sm_max_blocks - sm->blocks, 1);
    room = least_of(room, config->sm_warp_slots - sm->warps, warps);
    room = least_of(room, config->sm_registers - sm->registers, needs->registers_per_warp * warps);
    return least_of(room, sm->carveout - sm->shared, needs->shared_per_block);
}

struct gpu_grid *gpu_first(const struct gpu *gpu)
{
    return gpu->first;
}

bool gpu_takes(const struct gpu *gpu, const struct gpu_arrival *arrival)
{
    return !gpu->setup.module && !gpu->setup.dispatcher->tick && !gpu->cut &&
           arrival->front->ops->exchange && gpu->next_exchange != SM_NEVER &&
           arrival->front->cursor_size <= gpu->sm_setup.cursor_size &&
           sm_uses_control_bits(gpu->setup.config, arrival->front);
}

struct gpu_grid *gpu_add(struct gpu *gpu, const struct gpu_arrival *arrival, uint64_t cycle)
{
    SIMSM_CHECK(cycle >= gpu->now, "cycle %llu after %llu", (unsigned long long)cycle,
                (unsigned long long)gpu->now);
    gpu->now = cycle;
    struct gpu_grid *grid = grids_add(gpu, arrival);
    if (!grid)
        return NULL;
    dispatch_begin(gpu);
    return gpu->no_memory ? NULL : grid;
}

struct gpu_grid_times gpu_times(const struct gpu *gpu, const struct gpu_grid *grid)
{
    bool ended = grid->done == grid->blocks;
    uint64_t end = grid->latest_end + gpu->setup.config->gpu_end_cycles;
    return (struct gpu_grid_times){.came = grid->seen.came,
                                   .first_start = grid->first_start,
                                   .last_end = ended ? grid->latest_end : SM_NEVER,
                                   .ended = ended ? end : SM_NEVER};
}

void gpu_remove(struct gpu *gpu, struct gpu_grid *grid)
{
    struct gpu_grid **at = &gpu->grids;
    SIMSM_CHECK(grid->done == grid->blocks, "%llu of %llu blocks have ended",
                (unsigned long long)grid->done, (unsigned long long)grid->blocks);
    while (*at != grid)
        at = &(*at)->next;
    *at = grid->next;
    if (grid == gpu->first) /* SMs that have yet to begin ask for its code */
        return;
    for (uint32_t t = 0; t < gpu->threads; t++)
        mem_forget_lines(gpu->mem, grid->seen.lines[t], grid->seen.front->code_size);
    grids_free(gpu, grid);
}
