/* Measuring the points of tables on a GPU. */
#ifndef SIM_CALIBRATE_MEASURE_H
#define SIM_CALIBRATE_MEASURE_H

#include "calibrate/gpu_run.h"
#include "calibrate/record.h"
#include "calibrate/tables.h"
#include "simsm/config.h"

struct measure {
    const struct tables *tables;
    const struct simsm_config *config; /* measure: whose GPU it has to be */
    uint32_t repeat;                   /* runs of each point */
    int seconds;                       /* that they may take together */
    int (*stop)(void);                 /* asked between points; not 0: ends */
    /* Told of each row; `row` is the record's. May be NULL. */
    void (*told)(void *context, const struct record_row *row);
    void *context;
    bool warm; /* measure_launch: points with warm caches, or the others */
    void (*launched)(const struct table *table, const struct point *point); /* told after each */
};

/*
 * Measures the chosen points, and puts their rows into *record in place of those that their tables
 * have there. *about is the GPU. A point that fails becomes a row with its reason; those that take
 * a metric are left out. With another GPU than the configuration's, or none, nothing is measured
 * and about->sms is 0.
 */
enum simsm_status measure(const struct measure *measure, struct record *record,
                          struct gpu_about *about, struct simsm_error *error);

/* Launches the chosen points that take a metric, 1 + repeat times each, in this process and in
 * their order: for a profiler that counts what they do. Ends with the first that fails. */
enum simsm_status measure_launch(const struct measure *measure, struct simsm_error *error);

#endif
