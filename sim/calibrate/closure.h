/* Closure: what points give in the simulator beside what is known of the hardware. */
#ifndef SIM_CALIBRATE_CLOSURE_H
#define SIM_CALIBRATE_CLOSURE_H

#include "calibrate/facts.h"
#include "calibrate/known.h"
#include "calibrate/tables.h"
#include "simsm/config.h"

enum closure_verdict {
    CLOSURE_WITHIN,   /* the tolerance of its kind */
    CLOSURE_INFO,     /* of a kind that is not judged */
    CLOSURE_KNOWN,    /* out of it, as is known, and not more than that */
    CLOSURE_WORSE,    /* out of it by more than is known */
    CLOSURE_NEEDLESS, /* within it, but listed as out of it */
    CLOSURE_OFF,      /* out of it */
    CLOSURE_FAILED,   /* the simulator gave no value */
    CLOSURE_VERDICTS
};

extern const char *const closure_verdict_names[CLOSURE_VERDICTS];

/* Whether it is as it should be. */
bool closure_is_good(enum closure_verdict verdict);

struct closure_row {
    const struct table *table;
    uint32_t index; /* of the point in its table */
    const char *name;
    enum point_kind kind;
    const struct fact *fact; /* what is known of it */
    double simulated;
    char *list;   /* simulated, where it is a list: owned */
    double error; /* relative: simulated / known - 1; NaN where that has no sense */
    enum closure_verdict verdict;
    char note[FACT_NOTE];
    double seconds; /* that it took */
};

struct closure {
    struct closure_row *row; /* [rows], in the order of the tables */
    uint32_t rows;
    uint32_t unknown, slow; /* points that are not run: nothing is known of them; they are slow */
};

struct closure_task {
    const struct tables *tables;
    const struct simsm_config *config;
    const struct facts *facts;
    const struct known *known;
    uint32_t jobs;
    bool quick; /* leave out points that are slow */
    int (*stop)(void);
    /* Told after each row how many are done, by one thread at a time. May be NULL. */
    void (*told)(const struct closure *closure, uint32_t done);
};

/* Runs all chosen points of which something is known. closure_free must be called whatever it
 * returns. */
enum simsm_status closure_run(struct closure *closure, const struct closure_task *task,
                              struct simsm_error *error);
void closure_free(struct closure *closure);

/* The error that a kind allows, as a share of the value, and in units of it: either is enough. */
void closure_tolerance(enum point_kind kind, double *share, double *absolute);

#endif
