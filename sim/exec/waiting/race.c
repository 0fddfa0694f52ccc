#include "exec/waiting/race.h"

#include "exec/control/exec_grid.h"

enum {
    FENCE = 1 << 6, /* a scoreboard of no instruction: stands for a fence that has to end */
    QUIET = 1024,   /* rounds without a change */
    AHEAD = 4 /* blocks that may end before an older one, in multiples of what the GPU holds */
};

static bool loads(const struct sass_inst *sass)
{
    return sass->op == SASS_OP_LDG || sass->op == SASS_OP_LD;
}

/* A load that sees what other SMs write, or an atomic operation whose result is used. */
static bool races(const struct sass_inst *sass, const struct inst *inst)
{
    const struct sass_operand *result = &sass->operand[SASS_D];
    if (sass->op == SASS_OP_ATOM || sass->op == SASS_OP_ATOMG)
        return result->kind == SASS_REGISTER && result->index != SASS_RZ;
    return loads(sass) && inst->past_l1;
}

void exec_race_find(struct exec_grid *grid)
{
    for (uint32_t i = 0; i < grid->steps && !grid->races; i++)
        grid->races = races(&grid->decoded[i], &grid->lowered[i]);
    for (uint32_t i = 0; i < grid->steps && grid->races; i++) {
        const struct sass_inst *sass = &grid->decoded[i];
        struct exec_step *step = &grid->step[i];
        step->awaits |= sass->control.wait_mask;
        if ((loads(sass) || races(sass, &grid->lowered[i])) && sass->control.write_barrier < 6)
            step->asks = (uint8_t)(1u << sass->control.write_barrier);
        if (sass->op != SASS_OP_MEMBAR || !grid->lowered[i].scope)
            continue;
        step->asks = FENCE;
        grid->step[i + 1].awaits |= FENCE;
    }
}

/* Begins the next block, which becomes *at, the last of the list. */
static bool begin_next(struct exec_grid *grid, struct exec_block **at)
{
    const struct exec_block *oldest = grid->suspended;
    if (grid->next >= simsm_grid_blocks(&grid->launch) || grid->suspended_count >= grid->resident ||
        (oldest && grid->next - oldest->index >= AHEAD * grid->resident))
        return false;
    struct exec_block *block = exec_grid_new_block(grid);
    if (!block)
        return false;
    exec_block_begin(block, grid->next++);
    block->next = NULL;
    *at = block;
    grid->suspended_count++;
    return true;
}

/* Gives the block *at its turn. True: it has ended and left the list. */
static bool give_turn(struct exec_grid *grid, struct exec_block **at)
{
    struct exec_block *block = *at;
    enum exec_outcome outcome = exec_block_step(block);
    if (outcome == EXEC_STUCK)
        exec_grid_stuck(grid, block);
    if (outcome != EXEC_ENDED)
        return false;
    *at = block->next;
    grid->suspended_count--;
    exec_grid_block_ended(grid, block);
    return true;
}

bool exec_race_round(struct exec_grid *grid)
{
    if (grid->quiet_rounds >= QUIET && grid->quiet_changes == grid->changes)
        return false;
    bool moved = false;
    struct exec_block **at = &grid->suspended;
    grid->quiet_changes = grid->changes;
    while (*at && grid->status == SIMSM_OK) {
        if (give_turn(grid, at))
            moved = true;
        else
            at = &(*at)->next;
    }
    while (grid->status == SIMSM_OK && begin_next(grid, at)) {
        moved = true;
        at = &(*at)->next;
    }
    grid->quiet_rounds = moved || grid->changes != grid->quiet_changes ? 0 : grid->quiet_rounds + 1;
    grid->quiet_changes = grid->changes;
    return true;
}
