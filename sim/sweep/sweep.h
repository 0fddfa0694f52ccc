/* Runs a sweep: simulates all points that are not done, in processes, and writes the file of
 * results. */
#ifndef SIM_SWEEP_SWEEP_H
#define SIM_SWEEP_SWEEP_H

#include <stdbool.h>
#include <stdint.h>

#include "simsm/error.h"

enum { SWEEP_TASKS = 256 };

/* The progress of a sweep. */
struct sweep_progress {
    uint32_t points;           /* all points; equal points count once */
    uint32_t before;           /* done or failed before this sweep began */
    uint32_t done, failed;     /* ended since then */
    uint32_t recordings, made; /* recordings to make, and made; points begin after them */
    double elapsed,
        left; /* seconds since the points began, and estimated seconds to the end; NaN: not known */
    const char *job;           /* number of the Slurm job; NULL: points run here */
    uint32_t waiting, running; /* tasks of the Slurm job */
};

/* A point that has ended and whose result is stored. */
struct sweep_ended {
    int64_t id;
    const char *config, *kernel, *reason; /* reason: why it failed; NULL: it is done */
    const char *settings;                 /* "key=value key=value": the varied values */
    uint32_t launch;
    double seconds;
};

/* Where points are simulated. */
enum sweep_where {
    SWEEP_HERE,
    SWEEP_SLURM,   /* in a Slurm array of jobs */
    SWEEP_PRINT,   /* by whoever runs the printed commands */
    SWEEP_NOWHERE, /* nowhere: only collects the fragments that tasks have left */
    SWEEP_TASK     /* here, as a task of SWEEP_SLURM or SWEEP_PRINT; does not write the results */
};

/* A sweep to run. Callbacks get `context`. */
struct sweep_request {
    const char *spec, *results; /* results NULL: as in the spec */
    const char *simsm;          /* path of the command */
    uint32_t jobs;              /* points at a time; 0: as many as processors allow */
    bool retry;                 /* simulate failed points again */
    enum sweep_where where;
    const char *task;           /* for SWEEP_TASK: "batch.task" */
    uint32_t tasks;             /* most tasks; 0: SWEEP_TASKS */
    const char *const *options; /* [option_count] further options of sbatch */
    uint32_t option_count;
    bool leave;        /* for SWEEP_SLURM: do not wait for the jobs */
    bool verbose;      /* tasks report their points */
    int (*stop)(void); /* called often, in all processes; nonzero: stop */
    void *context;
    /* For SWEEP_PRINT: gets the command of each task. */
    void (*given)(void *context, const char *command);
    /* Called repeatedly. NULL: not called. */
    void (*progress)(void *context, const struct sweep_progress *progress);
    /* Called after the result of a point is committed. NULL: not called. */
    void (*ended)(void *context, const struct sweep_ended *ended,
                  const struct sweep_progress *progress);
};

/* The result of a sweep. */
struct sweep_summary {
    struct sweep_progress progress;
    uint32_t done, failed, waiting; /* states of all points */
    char results[1024];
    char job[32];   /* Slurm job that has points of the sweep; "": none */
    uint32_t given; /* points that this call gave to other processes */
};

/*
 * Plans and runs the sweep. A failed point is no failure of the sweep. Returns SIMSM_INTERRUPTED if
 * it was stopped: results of ended points are stored, and the next call continues. Fills *summary
 * in every case.
 */
enum simsm_status sweep_spec(const struct sweep_request *request, struct sweep_summary *summary,
                             struct simsm_error *error);

#endif
