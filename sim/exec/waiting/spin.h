/* Finds groups of lanes that spin: they come back to the same instruction with the same registers
 * while memory has not changed. They do so for ever unless other lanes change memory. */
#ifndef SIM_EXEC_WAITING_SPIN_H
#define SIM_EXEC_WAITING_SPIN_H

#include "exec/control/exec_warp.h"

struct exec_grid;

struct exec_spin {
    uint32_t jumps;   /* backwards, since the group was begun with */
    uint32_t next;    /* the jump after which a picture is taken */
    uint32_t compare; /* jumps for which it is compared yet; 0: there is none */
    uint32_t at;      /* the copy of the registers: at which instruction, */
    uint64_t changes; /* at which exec_grid.changes, */
    uint64_t own_then;
    uint64_t own;   /* times that local memory was changed */
    bool yields;    /* YIELD was met since */
    bool clock;     /* a clock was read since the last jump backwards */
    uint32_t timed; /* grows while a clock is read at every other jump backwards or more often */
    uint32_t rows;  /* registers of the kernel */
    struct exec_warp *picture;
};

/* Begins to watch a group; `suspect`: it spun before. */
void exec_spin_begin(struct exec_spin *spin, bool suspect);

/* At each jump backwards, to `at`: whether the group spins. */
bool exec_spin_turn(struct exec_grid *grid, const struct exec_warp *warp, uint32_t at);

#endif
