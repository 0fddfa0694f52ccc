/*
 * Watches a running launch: shows its progress on a terminal, and ends it if a signal ends the
 * program.
 */
#ifndef SIM_CUDA_LAUNCH_WATCH_H
#define SIM_CUDA_LAUNCH_WATCH_H

#include "api/watched.h"
#include "cuda/journal.h"
#include "exec/launch/exec_launch.h"
#include "report/progress.h"

struct launch_watch {
    struct exec_watch execution; /* callback of execution */
    struct simsm_watch timing;   /* callback of the simulation, if the launch is timed */
    struct progress *progress;   /* of the program */
    char title[96];              /* "launch 3, add" */
    char before[96];             /* what the program has done before the launch */
    uint64_t next;               /* next count of warp instructions at which to read the clock */
};

/*
 * Starts to watch the launch of `row`; the launches before it took `ns`. The callbacks point to
 * *watch, so it must not move.
 */
void launch_watch_begin(struct launch_watch *watch, const struct journal_launch *row, double ns,
                        struct progress *progress);

/* Clears the line of progress, before other text is written to the terminal. */
void launch_watch_clear(struct launch_watch *watch);

#endif
