/*
 * What is recorded of a warp that is executed without time: its instructions, packed. What sees
 * writes of other warps waits for them (model/wait.h). Of a loop that reads the same words again
 * and again, and writes nothing, the last pass is recorded.
 */
#ifndef SIM_EXEC_CONTROL_HEARD_H
#define SIM_EXEC_CONTROL_HEARD_H

#include "exec/control/exec_grid.h"
#include "front/packed_warp.h"

struct heard {
    struct packed_writer writer;
    struct byte_buffer bytes;
    /* The latest poll: */
    bool polls;                           /* nothing else has been done since than to read */
    bool again;                           /* it was in vain before */
    struct packed_mark mark;              /* the place before it */
    uint32_t index, active, exec, behind; /* behind: instructions since */
    uint64_t addresses;                   /* a hash of them */
    struct wait wait;
};

struct heard *heard_create(void);
/* NULL is allowed. */
void heard_destroy(struct heard *heard);
/* Begins a warp. */
void heard_begin(struct heard *heard, const struct exec_grid *grid);

/*
 * Adds an instruction that the warp has executed: index, active, exec, and of the flags
 * WARP_INST_DIVERGENT. The addresses of an access are in grid->addresses. `wrote`: it has changed
 * memory. `wait`: what it has waited for, of a wait for a phase; else NULL.
 */
void heard_put(struct exec_grid *grid, struct exec_slot *slot, struct warp_inst inst, bool wrote,
               const struct wait *wait);

#endif
