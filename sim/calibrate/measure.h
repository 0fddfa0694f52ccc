/* Measuring the points of tables on a GPU. */
#ifndef SIM_CALIBRATE_MEASURE_H
#define SIM_CALIBRATE_MEASURE_H

#include "calibrate/gpu_run.h"
#include "calibrate/record.h"
#include "calibrate/tables.h"

struct measure {
    const struct tables *tables;
    uint32_t repeat;   /* runs of each point */
    int seconds;       /* that they may take together */
    int (*stop)(void); /* asked between points; not 0: ends */
    /* Told of each row; `row` is the record's. May be NULL. */
    void (*told)(void *context, const struct record_row *row);
    void *context;
};

/*
 * Measures the chosen points, and puts their rows into *record in place of those that their tables
 * have there. *about is the GPU. A point that fails becomes a row with its reason.
 */
enum simsm_status measure(const struct measure *measure, struct record *record,
                          struct gpu_about *about, struct simsm_error *error);

#endif
