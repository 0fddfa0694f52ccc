/*
 * Loops that do nothing but read memory until others have written to it, as they are recorded: what
 * was read in vain is left out, and the pass through the loop that leaves it is marked as a wait
 * for the writes that it has seen (model/wait.h). So how often the loop turns is up to the timing
 * model.
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

/* A warp's passing through such a loop; its instructions are put aside until it is known how the
 * pass ends. */
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
 * Finds the polling loops of the code: those that keep nothing in registers from one turn to the
 * next, so that only memory can end them, and that write nothing but by atomics whose operands they
 * have not read.
 */
enum simsm_status exec_loops_find(struct exec_grid *grid, struct simsm_error *error);

/* An instruction has been executed. True: it is kept, to be recorded later. */
bool exec_visit_keep(struct exec_grid *grid, struct exec_slot *slot, const struct warp_inst *inst);

/* A branch to a fixed target has been executed and recorded: maybe lanes have left the loop. */
void exec_visit_branch(struct exec_grid *grid, struct exec_slot *slot, const struct exec_step *step,
                       const struct warp_inst *inst);

/* Whether the words that the sleeping lanes of the slot have read in vain are others now. */
bool exec_visit_changed(const struct exec_slot *slot);

/* `lanes` have changed memory by a store, or by an atomic operation (`atomic`), at the addresses in
 * exec_grid.addresses, which are at `place`. */
void exec_visit_wrote(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes,
                      bool atomic, uint8_t *const place[EXEC_LANES]);

/*
 * Of the writes to the word of `poll` between the one numbered `missed`, with which `leaving` did
 * not leave the loop, and poll->count, with which they have left it: the number of the first with
 * which they would have. Others have had their turns in between: they may have written for the next
 * wait.
 */
uint32_t exec_visit_earliest(struct exec_grid *grid, struct exec_slot *slot,
                             const struct exec_polled *poll, uint32_t missed, uint32_t leaving);

#endif
