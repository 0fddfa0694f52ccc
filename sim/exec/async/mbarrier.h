/*
 * Barriers in shared memory (mbarrier): words of 64 bits that count arrivals, and on sm_90 bytes of
 * asynchronous copies. When all that is expected has come, a phase ends and the next one begins.
 */
#ifndef SIM_EXEC_ASYNC_MBARRIER_H
#define SIM_EXEC_ASYNC_MBARRIER_H

#include "exec/control/exec_grid.h"

/* What comes to a barrier at a time. */
struct mbarrier_arrival {
    uint32_t threads;
    int32_t bytes; /* expected ones are positive, complete ones negative */
    bool drop;     /* so many threads less are expected from the next phase on */
};

/*
 * The word after an arrival, on sm_80 to sm_89 or on sm_90. False: more arrive than are expected,
 * or more bytes are under way than can be counted; *word is unchanged.
 */
bool mbarrier_arrive_80(uint64_t *word, uint32_t threads);
bool mbarrier_arrive_90(uint64_t *word, const struct mbarrier_arrival *arrival);

/* SYNCS.EXCH, SYNCS.ARRIVE, ATOMS.ARRIVE, ARRIVES: fills run and mod of *inst. False: it is none of
 * these. */
bool exec_prepare_mbarrier(struct exec_inst *inst);

/* SYNCS.PHASECHK: whether a phase has ended. With .TRYWAIT the group waits until one has. */
exec_control_fn exec_phase_check;
void exec_prepare_phase_check(struct exec_inst *inst);

/*
 * For a group that waits so: it goes on if a phase that one of its lanes waits for has ended, or
 * (`give_up`) if not. Returns whether it goes on.
 */
bool exec_phase_wake(struct exec_slot *slot, struct exec_group *group, bool give_up);

#endif
