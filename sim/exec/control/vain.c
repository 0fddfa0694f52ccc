/*
 * MODEL: a warp sleeps after a few polls in vain. If all warps sleep or wait, one after the other
 * goes on until it stops polling, or is found to poll for ever: its registers are what they were at
 * an earlier poll, or it has polled MANY times.
 * SOURCE: own choice.
 * LEFT OUT: loops that count to more than MANY while they poll, and then stop, are reported.
 */
#include "exec/control/vain.h"

#include <stdlib.h>
#include <string.h>

#include "exec/control/exec_grid.h"
#include "exec/control/issue.h"
#include "exec/control/split.h"

enum { FEW = 8, MANY = 100000 };

struct exec_vain {
    struct exec_warp *picture; /* registers of the warp at a poll */
    struct exec_group group[EXEC_LANES];
    uint32_t groups;
    const struct exec_slot *slot;            /* whose; NULL: there is no picture */
    const struct exec_step *step, *hopeless; /* hopeless: where a warp was found to poll for ever */
    uint64_t changes, hopeless_changes;
    bool insists;
};

struct exec_vain *vain_create(uint32_t rows)
{
    struct exec_vain *vain = calloc(1, sizeof *vain);
    if (vain)
        vain->picture = exec_warp_create(rows);
    if (vain && !vain->picture) {
        free(vain);
        return NULL;
    }
    return vain;
}

void vain_destroy(struct exec_vain *vain)
{
    if (vain)
        free(vain->picture);
    free(vain);
}

static void take_picture(const struct exec_grid *grid, const struct exec_slot *slot,
                         const struct exec_step *step)
{
    struct exec_vain *vain = grid->vain;
    const struct exec_warp *warp = slot->warp;
    memcpy(vain->picture->r, warp->r, grid->rows * sizeof warp->r[0]);
    memcpy(vain->picture->p, warp->p, sizeof warp->p);
    memcpy(vain->picture->ur, warp->ur, sizeof warp->ur);
    memcpy(vain->picture->up, warp->up, sizeof warp->up);
    memcpy(vain->picture->breg, warp->breg, sizeof warp->breg);
    memcpy(vain->group, slot->group, slot->groups * sizeof slot->group[0]);
    vain->groups = slot->groups;
    vain->slot = slot;
    vain->step = step;
    vain->changes = grid->changes;
}

static bool same_as_picture(const struct exec_grid *grid, const struct exec_slot *slot,
                            const struct exec_step *step)
{
    const struct exec_vain *vain = grid->vain;
    const struct exec_warp *warp = slot->warp, *then = vain->picture;
    return vain->slot == slot && vain->step == step && vain->changes == grid->changes &&
           vain->groups == slot->groups &&
           memcmp(vain->group, slot->group, slot->groups * sizeof slot->group[0]) == 0 &&
           memcmp(then->p, warp->p, sizeof warp->p) == 0 &&
           memcmp(then->r, warp->r, grid->rows * sizeof warp->r[0]) == 0 &&
           memcmp(then->ur, warp->ur, sizeof warp->ur) == 0 &&
           memcmp(then->up, warp->up, sizeof warp->up) == 0 &&
           memcmp(then->breg, warp->breg, sizeof warp->breg) == 0;
}

static bool polls_for_ever(const struct exec_grid *grid, struct exec_slot *slot,
                           const struct exec_step *step)
{
    struct exec_vain *vain = grid->vain;
    if (same_as_picture(grid, slot, step))
        return true;
    if (slot->polls > MANY) {
        vain->hopeless = step;
        vain->hopeless_changes = grid->changes;
        return true;
    }
    if (vain->slot != slot || !(slot->polls & (slot->polls - 1)))
        take_picture(grid, slot, step);
    return false;
}

bool vain_poll(struct exec_grid *grid, struct exec_slot *slot, const struct exec_step *step,
               uint32_t lanes)
{
    if (slot->changes != grid->changes || grid->clock_read) {
        slot->polls = 0;
        slot->asleep = slot->hopeless = false;
        slot->changes = grid->changes;
        grid->clock_read = false;
    }
    issue_polled(slot, grid->addresses.lane[__builtin_ctz(lanes)]);
    slot->poll = step;
    if (slot->polls < FEW)
        return false;
    if (grid->vain->insists)
        slot->hopeless = polls_for_ever(grid, slot, step);
    slot->asleep = !grid->vain->insists || slot->hopeless;
    return slot->asleep;
}

bool vain_asleep(const struct exec_grid *grid, const struct exec_slot *slot)
{
    return slot->asleep && slot->changes == grid->changes;
}

bool vain_insist(struct exec_grid *grid, struct exec_slot *slot)
{
    struct exec_vain *vain = grid->vain;
    if (slot->hopeless || (vain->hopeless == slot->poll && vain->hopeless_changes == grid->changes))
        return false;
    vain->insists = true;
    slot->asleep = false;
    return true;
}

void vain_relent(struct exec_grid *grid)
{
    grid->vain->insists = false;
    grid->vain->slot = NULL;
}
