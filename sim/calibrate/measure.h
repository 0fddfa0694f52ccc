/* Measures the points of tables on a GPU. */
#ifndef SIM_CALIBRATE_MEASURE_H
#define SIM_CALIBRATE_MEASURE_H

#include "calibrate/gpu_run.h"
#include "calibrate/record.h"
#include "calibrate/tables.h"
#include "simsm/config.h"

struct measure {
    const struct tables *tables;
    const struct simsm_config *config; /* measure(): the configuration whose GPU must be present */
    uint32_t repeat;                   /* runs of each point */
    int seconds;                       /* time limit for all runs of a point */
    int (*stop)(void); /* polled between points; a result other than 0 ends the measurement */
    /* Called with each row, which belongs to the record. May be NULL. */
    void (*told)(void *context, const struct record_row *row);
    void *context;
    bool warm; /* measure_launch(): launch the points with warm caches, or all others */
    void (*launched)(const struct table *table,
                     const struct point *point); /* called after each point */
};

/*
 * Measures the chosen points. Their rows replace those of the same points in *record. *about
 * describes the GPU. A point that fails gets a row with the reason. Points that take a metric are
 * left out. If there is no GPU, or another one than the configuration's, nothing is measured and
 * about->sms is 0.
 */
enum simsm_status measure(const struct measure *measure, struct record *record,
                          struct gpu_about *about, struct simsm_error *error);

/* Launches the chosen points that take a metric, 1 + repeat times each, in this process and in
 * their order, for a profiler around the process. Ends at the first point that fails. */
enum simsm_status measure_launch(const struct measure *measure, struct simsm_error *error);

#endif
