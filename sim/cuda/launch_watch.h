/* Watches a launch: ends it when the program is to end, and says on a terminal how far it is. */
#ifndef SIM_CUDA_LAUNCH_WATCH_H
#define SIM_CUDA_LAUNCH_WATCH_H

#include "api/watched.h"
#include "cuda/journal.h"
#include "exec/launch/exec_launch.h"
#include "report/progress.h"

struct launch_watch {
    struct exec_watch execution; /* of its blocks */
    struct simsm_watch timing;   /* of the simulation, if the launch is timed */
    char title[96];              /* "launch 3, kernel add" */
    struct progress progress;
    uint64_t next; /* warp instructions at which to look at the time again */
};

/* `terminal` may be NULL. *watch must stay where it is. */
void launch_watch_begin(struct launch_watch *watch, const struct journal_launch *row,
                        FILE *terminal);

/* Takes away what it has on the terminal: something else is to be written. */
void launch_watch_clear(struct launch_watch *watch);

#endif
