/*
 * Polling loops: loops that only read memory until others have written to it. Passes that find
 * nothing are not recorded. The pass that leaves the loop is recorded as a wait for the writes that
 * it has seen (model/wait.h), so the timing model decides how often the loop repeats.
 */
#ifndef SIM_EXEC_WAITING_VISIT_H
#define SIM_EXEC_WAITING_VISIT_H

#include "exec/control/exec_warp.h"
#include "model/inst.h"
#include "simsm/error.h"

struct exec_grid;
struct exec_slot;
struct exec_step;

/* Most instructions of a loop, and accesses to memory. */
enum { EXEC_LOOP_MAX = 128, EXEC_LOOP_ACCESSES = 4 };

/* A polling loop: instructions peel to jump. */
struct exec_loop {
    uint32_t head, jump; /* the branch at `jump` leads back to `head` */
    uint32_t peel;       /* where its condition is tested before it is entered; else head */
    bool plain;          /* it reads always the same words, and by loads only */
};

/* What one lane has read in the pass. */
struct exec_polled {
    uint64_t address;
    uint32_t count; /* writes until then */
    uint32_t index; /* of the instruction */
    uint8_t lane;
    bool shared, lock, taken; /* taken: by this pass */
    uint8_t bytes;            /* up to 8, and where they are */
    uint8_t *place;
    uint64_t value; /* that was read, or left by an atomic operation */
};

/* The state of a word when it was read in vain. */
struct exec_missed {
    uint64_t address;
    uint32_t count;
};

/* The recorded state of a warp in a polling loop. Its instructions are held back until it is known
 * how the pass ends. */
struct exec_visit {
    uint32_t loop;  /* its number, from 1; 0: the warp is in none */
    uint32_t lanes; /* that go through it together */
    uint32_t insts, accesses, polls;
    uint32_t missed_polls; /* of the turn in vain before this pass; 0: there was none */
    uint32_t clock_reads;  /* of the pass */
    bool wrote;            /* it has changed memory */
    bool turned;           /* the turn is over, in vain */
    bool partial;          /* something was read that is not among the polls */
    uint32_t asleep;       /* lanes that wait for one of these to change; 0: none do */
    struct warp_inst inst[EXEC_LOOP_MAX];
    struct lane_addresses access[EXEC_LOOP_ACCESSES];
    struct exec_polled poll[EXEC_LOOP_ACCESSES * EXEC_LANES];
    struct exec_missed missed[EXEC_LOOP_ACCESSES * EXEC_LANES];
};

/*
 * Finds the polling loops of the code. A polling loop keeps nothing in registers from one pass to
 * the next, so that only memory can end it. It writes by atomic operations only, whose operands do
 * not depend on what it has read.
 */
enum simsm_status exec_loops_find(struct exec_grid *grid, struct simsm_error *error);

/* Called for each executed instruction. Returns true if the instruction is held back, to be
 * recorded later. */
bool exec_visit_keep(struct exec_grid *grid, struct exec_slot *slot, const struct warp_inst *inst);

/* Called for each executed and recorded branch to a fixed target: lanes may have left the loop. */
void exec_visit_branch(struct exec_grid *grid, struct exec_slot *slot, const struct exec_step *step,
                       const struct warp_inst *inst);

/* Returns whether a word that the sleeping lanes of the slot have read has changed. */
bool exec_visit_changed(const struct exec_slot *slot);

/* `lanes` have changed memory by a store, or by an atomic operation (`atomic`), at the addresses in
 * exec_grid.addresses, which are at `place`. */
void exec_visit_wrote(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes,
                      bool atomic, uint8_t *const place[EXEC_LANES]);

/*
 * Returns the number of the first write to the word of `poll` with which the lanes `leaving` would
 * have left the loop. They did not leave with write number `missed`, and left with write number
 * poll->count. Writes in between may belong to the next wait, as other warps have run.
 */
uint32_t exec_visit_earliest(struct exec_grid *grid, struct exec_slot *slot,
                             const struct exec_polled *poll, uint32_t missed, uint32_t leaving);

#endif
