/*
 * Points that are to be run elsewhere, divided among tasks: a file `N.tasks` in the folder that the
 * machines share, N counting from 1. Task T of batch N is called `N.T`.
 */
#ifndef SIM_SWEEP_BATCH_H
#define SIM_SWEEP_BATCH_H

#include <stdbool.h>

#include "simsm/error.h"
#include "sweep/hash.h"

/* A point, as its plan has it; the identity tells whether that is still the same plan. */
struct batch_point {
    char identity[HASH_TEXT];
    uint64_t number; /* of its case in the space */
    uint32_t launch;
};

/* Begins as {0}; batch_free ends it. */
struct sweep_batch {
    struct batch_point *point; /* [count] */
    uint32_t count;
    uint32_t number, tasks; /* the points are dealt out in turn */
};

/* Adds a point; false: memory has run out. */
bool batch_add(struct sweep_batch *batch, const struct batch_point *point);

/* Gives it the first number that is free, makes the folder and writes the file. */
enum simsm_status batch_write(struct sweep_batch *batch, const char *folder,
                              struct simsm_error *error);

/* Reads the points of task `name`, "N.T", alone. */
enum simsm_status batch_read(struct sweep_batch *batch, const char *folder, const char *name,
                             struct simsm_error *error);

/* Reads the points of all tasks of batch `number`; false: it cannot be read. */
bool batch_read_all(struct sweep_batch *batch, const char *folder, uint32_t number);

void batch_free(struct sweep_batch *batch);

#endif
