/* Runs one launch: executed and timed in the simulator, or executed alone. */
#ifndef SIM_CUDA_LAUNCH_TIMING_H
#define SIM_CUDA_LAUNCH_TIMING_H

#include "cuda/journal.h"
#include "cuda/launch_watch.h"
#include "cuda/runtime.h"
#include "exec/launch/exec_launch.h"

struct block_sampler;
struct sample_profile;
struct sample_signature;

/* What --sample wants of a launch that is timed. */
struct timed_part {
    struct block_sampler *blocks; /* not all blocks need be timed; NULL: they need */
    bool leave; /* the others are not executed: whoever asked knows what they do */
    struct sample_signature *signature; /* gets what the launch does; NULL: it is known */
    struct sample_profile *profile;     /* likewise */
};

/*
 * Times the launch, or a part of it (`part` is NULL: all), writes its report and files, and fills
 * the figures of *row. All its blocks are executed, also where the clock stops before their end.
 * SIMSM_INTERRUPTED: the watch has ended it; *error says where. *note, NULL before, gets what
 * simsm_note says; to be freed.
 */
enum simsm_status launch_time(struct runtime *rt, struct exec_launch *launch,
                              const struct launch_watch *watch, const struct timed_part *part,
                              struct journal_launch *row, char **note, struct simsm_error *error);

/* Executes alone, and records if that was asked for; the time that *row gets is the least it could
 * have taken. */
enum simsm_status launch_execute(struct runtime *rt, struct exec_launch *launch,
                                 struct journal_launch *row, struct simsm_error *error);

#endif
