/*
 * Barriers in shared memory (mbarrier): 64-bit words that count arrivals, and on sm_90 the bytes of
 * asynchronous copies. A phase ends when everything that is expected has arrived; the next phase
 * then begins.
 */
#ifndef SIM_EXEC_ASYNC_MBARRIER_H
#define SIM_EXEC_ASYNC_MBARRIER_H

#include "exec/control/exec_grid.h"

/* One arrival at a barrier. */
struct mbarrier_arrival {
    uint32_t threads;
    int32_t bytes; /* change of the bytes under way: positive when they are announced, negative when
                      they have arrived */
    bool drop;     /* from the next phase on, `threads` fewer threads are expected */
};

/*
 * Apply an arrival to a barrier's word, of sm_80 to sm_89 or of sm_90. Return false, and leave
 * *word unchanged, if more threads arrive than are expected, or if more bytes are under way than
 * can be counted.
 */
bool mbarrier_arrive_80(uint64_t *word, uint32_t threads);
bool mbarrier_arrive_90(uint64_t *word, const struct mbarrier_arrival *arrival);

/* Prepares SYNCS.EXCH, SYNCS.ARRIVE, ATOMS.ARRIVE or ARRIVES: fills run and mod of *inst. Returns
 * false for other instructions. */
bool exec_prepare_mbarrier(struct exec_inst *inst);

/*
 * Counts an arrival at the barrier at `at` of the block's shared memory; `by` and `inst` are blamed
 * if there is no barrier that can count it. Returns false then; the launch has failed.
 */
bool mbarrier_count(struct exec_block *block, struct exec_warp *by, const struct exec_inst *inst,
                    uint32_t at, const struct mbarrier_arrival *arrival);

/* `bytes` bytes have arrived at the barrier at `address` of shared memory, of any block of the
 * cluster. They count when the timing model says so (landing.h), without time at once. Returns
 * false if the launch has failed. */
bool exec_mbarrier_complete(struct exec_warp *warp, const struct exec_inst *inst, uint32_t address,
                            uint32_t bytes);

/* Returns whether SYNCS.ARRIVE.RED arrives at a barrier of another block of the cluster in any
 * lane; cuda::barrier uses it for barriers of its own block, too. */
bool exec_arrives_elsewhere(const struct exec_warp *warp, const struct exec_inst *inst,
                            uint32_t lanes);

/* SYNCS.PHASECHK: tests whether a phase has ended. With .TRYWAIT the group waits until a phase has
 * ended. */
exec_control_fn exec_phase_check;

/* Of warps whose instructions are executed as they issue. exec_phase_over: looks whether the phase
 * has ended that the warp waits for, or ends the wait in vain; returns whether the wait is over.
 * exec_arrive_later: `lanes` of an arrival that has issued arrive at `address`. */
bool exec_phase_over(struct exec_slot *slot, bool give_up);
void exec_arrive_later(struct exec_slot *slot, const struct exec_step *step, uint64_t address,
                       uint32_t lanes);
void exec_prepare_phase_check(struct exec_inst *inst);

/* Lets a group that waits at SYNCS.PHASECHK.TRYWAIT go on if a phase that one of its lanes waits
 * for has ended, or in any case if `give_up`. Returns whether the group goes on. */
bool exec_phase_wake(struct exec_slot *slot, struct exec_group *group, bool give_up);

#endif
