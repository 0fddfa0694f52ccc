/* The report and the files of one timed launch: for launch N, "run.smtl" becomes "run.N.smtl". */
#ifndef SIM_CUDA_OUTPUTS_H
#define SIM_CUDA_OUTPUTS_H

#include "cuda/journal.h"
#include "cuda/runtime.h"
#include "observe/timeline_write.h"
#include "simsm/simsm.h"

/*
 * The open timeline of a launch. If it fails, a message is printed, no more timelines are written,
 * and the program goes on.
 */
struct outputs {
    struct runtime *rt;
    uint64_t number;                /* number of the launch */
    struct timeline *timeline;      /* NULL: not asked for, or it failed */
    struct simsm_observer observer; /* passes events to `timeline` */
};

/* Opens the timeline of launch `number`. The observer points to *outputs, so it must not move. */
void outputs_open(struct outputs *outputs, struct runtime *rt, uint64_t number);

/*
 * Writes the description of the launch to the timeline. Must be called once, before the simulation
 * runs.
 */
void outputs_describe(struct outputs *outputs, struct simsm *simulation);

/* Passes the figures of the launch to the journal, and closes the timeline. `shared`, `stopped_by`:
 * see struct run_info. */
void outputs_write(struct outputs *outputs, struct journal_launch *row,
                   const struct simsm_stats *stats, bool shared, const char *stopped_by);

/* Says in place of a report that the launch of `row` repeats an earlier one. */
void outputs_say_copy(struct runtime *rt, const struct journal_launch *row);

/* Closes and deletes a timeline that outputs_write has not finished. */
void outputs_abandon(struct outputs *outputs);

/* Refuses file names that cannot be written, and timeline options that do not fit the GPU. */
enum simsm_status outputs_check(const struct settings *settings, const struct simsm_config *config,
                                struct simsm_error *error);

#endif
