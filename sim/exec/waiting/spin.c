#include "exec/waiting/spin.h"

#include <string.h>

#include "exec/control/exec_grid.h"

/*
 * When the registers of a group are copied and compared to find a spin. The first copy is taken
 * after FIRST jumps backwards and compared at the next LOOKS jumps. Each later copy is taken after
 * twice as many jumps as the copy before, so that loops which do not spin cost little. A spin of
 * few instructions is recorded with FIRST + 1 passes.
 */
enum { FIRST = 32, FIRST_SUSPECT = 1, LOOKS = 64 };

void exec_spin_begin(struct exec_spin *spin, bool suspect)
{
    spin->jumps = 0;
    spin->timed = 0;
    spin->clock = false;
    spin->next = suspect ? FIRST_SUSPECT : FIRST;
    spin->compare = 0;
}

static bool same(const struct exec_spin *spin, const struct exec_warp *warp)
{
    const struct exec_warp *then = spin->picture;
    return memcmp(then->p, warp->p, sizeof warp->p) == 0 &&
           memcmp(then->r, warp->r, spin->rows * sizeof warp->r[0]) == 0 &&
           memcmp(then->ur, warp->ur, sizeof warp->ur) == 0 &&
           memcmp(then->up, warp->up, sizeof warp->up) == 0 &&
           memcmp(then->breg, warp->breg, sizeof warp->breg) == 0;
}

static void take_picture(struct exec_grid *grid, const struct exec_warp *warp, uint32_t at)
{
    struct exec_spin *spin = &grid->spin;
    struct exec_warp *then = spin->picture;
    memcpy(then->r, warp->r, spin->rows * sizeof warp->r[0]);
    memcpy(then->p, warp->p, sizeof warp->p);
    memcpy(then->ur, warp->ur, sizeof warp->ur);
    memcpy(then->up, warp->up, sizeof warp->up);
    memcpy(then->breg, warp->breg, sizeof warp->breg);
    spin->at = at;
    spin->changes = grid->changes;
    spin->own_then = spin->own;
    spin->compare = LOOKS;
    spin->next = spin->jumps * 2;
    spin->yields = false;
    grid->clock_read = false;
}

bool exec_spin_turn(struct exec_grid *grid, const struct exec_warp *warp, uint32_t at)
{
    struct exec_spin *spin = &grid->spin;
    spin->jumps++;
    spin->timed = spin->clock ? spin->timed + 2 : spin->timed ? spin->timed - 1 : 0;
    spin->clock = false;
    if (spin->compare) {
        spin->compare--;
        if (spin->changes != grid->changes || spin->own_then != spin->own || grid->clock_read)
            spin->compare = 0;
        else if (spin->at == at && same(spin, warp))
            return true;
    }
    if (spin->jumps >= spin->next && !spin->compare)
        take_picture(grid, warp, at);
    return false;
}
