/*
 * Launches whose instructions are executed when their warps issue them. What a block does may
 * depend on when others do something, as on a GPU.
 */
#ifndef SIM_EXEC_LAUNCH_ISSUE_FRONT_H
#define SIM_EXEC_LAUNCH_ISSUE_FRONT_H

#include "exec/control/exec_grid.h"
#include "front/front.h"

/* The state of such a launch: the blocks that SMs hold, and what SMs have done to memory. */
struct issued;

/* What is done before the first instruction: as exec_launch.begin. NULL: nothing. */
typedef enum simsm_status issued_begin_fn(void *context, const struct exec_watch *watch,
                                          struct simsm_error *error);

/* `grid` and `context` must outlive it. The caller destroys it. */
enum simsm_status issued_create(struct issued **issued, struct exec_grid *grid,
                                issued_begin_fn *begin, void *context, struct simsm_error *error);
void issued_destroy(struct issued *issued);

/* Executes, without time, what has not been executed at issue: the accesses that the last exchange
 * has left, and the blocks that have not ended. */
enum simsm_status issued_finish(struct issued *issued, struct simsm_error *error);

/* Replaces operations of the front of such a launch. */
void issued_ops(struct front_ops *ops);

/* exec_launch.c: returns the launch of a front. */
struct issued *exec_issued_of(const struct front *front);

#endif
