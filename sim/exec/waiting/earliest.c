/* Finds which write a wait needed: executes the pass that ended the wait again, with earlier values
 * of the polled word. */
#include <string.h>

#include "exec/control/exec_grid.h"

static void copy(const struct exec_grid *grid, struct exec_warp *to, const struct exec_warp *from)
{
    memcpy(to->r, from->r, grid->spin.rows * sizeof from->r[0]);
    memcpy(to->p, from->p, sizeof from->p);
    memcpy(to->ur, from->ur, sizeof from->ur);
    memcpy(to->up, from->up, sizeof from->up);
}

/* Lanes that a branch takes out of the loop; *at is the next instruction for the others. */
static uint32_t branch(const struct exec_warp *warp, const struct exec_step *step,
                       const struct exec_loop *loop, uint32_t active, uint32_t *at)
{
    uint32_t taken = exec_guarded(warp, &step->inst, active) &
                     exec_predicate(warp, &step->inst.pp) & exec_predicate(warp, &step->inst.pq);
    bool out = step->target < loop->peel || step->target > loop->jump;
    uint32_t leaving = (out ? taken : 0) | (*at == loop->jump ? active & ~taken : 0);
    *at = taken == active ? step->target : *at + 1;
    return leaving;
}

/* Returns whether a pass of the loop, with memory as it is, lets `leaving` leave the loop. */
static bool lets_go(struct exec_grid *grid, struct exec_slot *slot, uint32_t leaving)
{
    struct exec_warp *warp = slot->warp;
    const struct exec_loop *loop = &grid->loop[slot->visit->loop - 1];
    uint32_t active = slot->visit->lanes, at = loop->head;
    for (uint32_t n = 0; n < EXEC_LOOP_MAX && at >= loop->head && at <= loop->jump; n++) {
        const struct exec_step *step = &grid->step[at];
        if (step->kind == EXEC_BRANCH) {
            uint32_t left = branch(warp, step, loop, active, &at);
            if (left || at == loop->head)
                return left && (left & leaving) == leaving;
            continue;
        }
        uint32_t lanes = exec_guarded(warp, &step->inst, active);
        if (lanes && step->kind != EXEC_CONTROL)
            step->inst.run(warp, &step->inst, lanes);
        at++;
    }
    return false;
}

uint32_t exec_visit_earliest(struct exec_grid *grid, struct exec_slot *slot,
                             const struct exec_polled *poll, uint32_t missed, uint32_t leaving)
{
    const struct word_state *word =
        word_find(poll->shared ? &slot->warp->block->words : &grid->words, poll->address);
    const uint8_t bytes = poll->bytes;
    uint8_t *place = poll->place, now[8];
    uint32_t low = missed > word->first ? missed : word->first, high = poll->count;
    memcpy(now, place, bytes);
    copy(grid, grid->spare, slot->warp);
    while (high - low > 1) { /* not enough; enough */
        uint32_t middle = low + (high - low) / 2;
        memcpy(place, &word->value[middle - word->first - 1], bytes);
        if (lets_go(grid, slot, leaving))
            high = middle;
        else
            low = middle;
        copy(grid, slot->warp, grid->spare);
    }
    memcpy(place, now, bytes);
    return high;
}
