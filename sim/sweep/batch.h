/*
 * A batch: points to be simulated by other processes, divided among tasks. Batch N is listed in the
 * file `N.tasks` of the folder that the machines share; N counts from 1. Task T of batch N is
 * called `N.T`.
 */
#ifndef SIM_SWEEP_BATCH_H
#define SIM_SWEEP_BATCH_H

#include <stdbool.h>

#include "simsm/error.h"
#include "sweep/hash.h"

/* A point of a batch. Its identity shows whether the plan is still the same. */
struct batch_point {
    char identity[HASH_TEXT];
    uint64_t number; /* of its case (space_at) */
    uint32_t launch;
};

/* Begins as {0}; batch_free ends it. */
struct sweep_batch {
    struct batch_point *point; /* [count] */
    uint32_t count;
    uint32_t number,
        tasks; /* number of the batch; number of tasks. Points go to the tasks in turn. */
};

/* Adds a copy of the point. Returns false if memory runs out. */
bool batch_add(struct sweep_batch *batch, const struct batch_point *point);

/* Gives the batch the first free number, creates the folder and writes the file. The batch must
 * have points, and at most as many tasks as points. */
enum simsm_status batch_write(struct sweep_batch *batch, const char *folder,
                              struct simsm_error *error);

/* Reads the points of the task `name`, "N.T". Returns SIMSM_BAD_INPUT if there is no such task. */
enum simsm_status batch_read(struct sweep_batch *batch, const char *folder, const char *name,
                             struct simsm_error *error);

/* Reads the points of all tasks of batch `number`. Returns false if the file cannot be read. */
bool batch_read_all(struct sweep_batch *batch, const char *folder, uint32_t number);

void batch_free(struct sweep_batch *batch);

#endif
