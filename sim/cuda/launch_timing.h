/* Runs a launch: executed and timed in the simulator, or only executed. */
#ifndef SIM_CUDA_LAUNCH_TIMING_H
#define SIM_CUDA_LAUNCH_TIMING_H

#include "cuda/journal.h"
#include "cuda/launch_watch.h"
#include "cuda/runtime.h"
#include "exec/launch/exec_launch.h"

struct block_sampler;

/* Options of a timed launch with --sample. */
struct timed_part {
    struct block_sampler *blocks; /* chooses the timed blocks; NULL: all are timed */
    bool skip_untimed; /* untimed blocks are not executed: the caller restores their effects */
};

/*
 * Times a launch, or the part of it that `part` describes (NULL: all of it). Writes its report and
 * files, and fills the figures of *row. Executes all blocks, also those that the clock did not
 * reach because of --max-cycles. SIMSM_INTERRUPTED: `watch` ended the launch, and *error says in
 * which cycle.
 */
enum simsm_status launch_time(struct runtime *rt, struct exec_launch *launch,
                              const struct launch_watch *watch, const struct timed_part *part,
                              struct journal_launch *row, struct simsm_error *error);

/*
 * Executes a launch without timing, and records it if a recording was asked for. *row receives the
 * least time that the launch can take: launch latency plus one warp instruction per cycle and
 * sub-partition.
 */
enum simsm_status launch_execute(struct runtime *rt, struct exec_launch *launch,
                                 struct journal_launch *row, struct simsm_error *error);

#endif
