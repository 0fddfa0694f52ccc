/* Closure: the values of points in the simulator beside the known values of the hardware. */
#ifndef SIM_CALIBRATE_CLOSURE_H
#define SIM_CALIBRATE_CLOSURE_H

#include "calibrate/facts.h"
#include "calibrate/known.h"
#include "calibrate/tables.h"
#include "simsm/config.h"

enum closure_verdict {
    CLOSURE_WITHIN,   /* within the tolerance of its kind */
    CLOSURE_INFO,     /* the kind is not judged */
    CLOSURE_KNOWN,    /* outside of the tolerance, by no more than its known error */
    CLOSURE_WORSE,    /* outside of the tolerance by more than its known error */
    CLOSURE_NEEDLESS, /* within the tolerance, but listed as known to be outside */
    CLOSURE_OFF,      /* outside of the tolerance, and not known to be */
    CLOSURE_FAILED,   /* the simulator gave no value */
    CLOSURE_VERDICTS
};

extern const char *const closure_verdict_names[CLOSURE_VERDICTS];

/* Returns whether the verdict needs no attention. */
bool closure_is_good(enum closure_verdict verdict);

struct closure_row {
    const struct table *table;
    uint32_t index; /* name of the point in its table */
    const char *name;
    enum point_kind kind;
    const struct fact *fact; /* the known value */
    double simulated;
    char *list;   /* the simulated list, if the value is a list; owned */
    double error; /* simulated / known - 1; NaN if that is undefined */
    enum closure_verdict verdict;
    char note[FACT_NOTE];
    double seconds; /* time that the simulation took */
};

struct closure {
    struct closure_row *row; /* [rows], in the order of the tables */
    uint32_t rows;
    uint32_t unknown, slow; /* points not run: without a known value; slow */
};

struct closure_task {
    const struct tables *tables;
    const struct simsm_config *config;
    const struct facts *facts;
    const struct known *known;
    uint32_t jobs;
    bool quick; /* leave out slow points */
    int (*stop)(void);
    /* Called after each row, by one thread at a time, with the number of finished rows. May be
     * NULL. */
    void (*told)(const struct closure *closure, uint32_t done);
};

/* Runs all chosen points that have a known value. The caller calls closure_free() whatever the
 * result. */
enum simsm_status closure_run(struct closure *closure, const struct closure_task *task,
                              struct simsm_error *error);
void closure_free(struct closure *closure);

/* Returns the error that a kind allows: *share of the value, or *absolute in its unit. A point
 * within either of them is within its tolerance. */
void closure_tolerance(enum point_kind kind, double *share, double *absolute);

#endif
