/* Running a sweep: all that is not done yet, on all processors, into the file of results. */
#ifndef SIM_SWEEP_SWEEP_H
#define SIM_SWEEP_SWEEP_H

#include <stdbool.h>
#include <stdint.h>

#include "simsm/error.h"

enum { SWEEP_TASKS = 256 };

/* How far a sweep is. */
struct sweep_progress {
    uint32_t points;           /* all of them, the same one counted once */
    uint32_t before;           /* done or failed when the sweep began */
    uint32_t done, failed;     /* since then */
    uint32_t recordings, made; /* needed, and made so far; then points begin */
    double elapsed, left;      /* seconds since points began, and till the end; NaN: not known */
    const char *job;           /* of Slurm; NULL: points are run here */
    uint32_t waiting, running; /* tasks of this job */
};

/* One point that has ended and is in the results. */
struct sweep_ended {
    int64_t id;
    const char *config, *kernel, *reason; /* reason: NULL, or why it failed */
    const char *settings;                 /* "key=value key=value" of what is varied */
    uint32_t launch;
    double seconds;
};

/* Where points are run. */
enum sweep_where {
    SWEEP_HERE,
    SWEEP_SLURM,   /* in an array of jobs */
    SWEEP_PRINT,   /* by whoever runs the commands that are printed */
    SWEEP_NOWHERE, /* only what other machines have left is brought into the results */
    SWEEP_TASK     /* here, a task of the last two; the results are left to others */
};

struct sweep_request {
    const char *spec, *results; /* results NULL: as the spec says */
    const char *simsm;          /* the command */
    uint32_t jobs;              /* 0: all processors */
    bool retry;                 /* also points that have failed */
    enum sweep_where where;
    const char *task;           /* SWEEP_TASK: "batch.task" */
    uint32_t tasks;             /* at most; 0: SWEEP_TASKS */
    const char *const *options; /* [option_count] for sbatch, as they are */
    uint32_t option_count;
    bool leave;        /* SWEEP_SLURM: does not wait for the jobs */
    bool verbose;      /* tasks say what they have done */
    int (*stop)(void); /* asked often, in all processes; not 0: ends */
    void *context;
    /* SWEEP_PRINT: the command of a task. */
    void (*given)(void *context, const char *command);
    /* Now and then. NULL: nobody wants it. */
    void (*progress)(void *context, const struct sweep_progress *progress);
    /* After a point is in the results for good. NULL: nobody wants it. */
    void (*ended)(void *context, const struct sweep_ended *ended,
                  const struct sweep_progress *progress);
};

/* What came of it. */
struct sweep_summary {
    struct sweep_progress progress;
    uint32_t done, failed, waiting; /* of all points */
    char results[1024];
    char job[32];   /* of Slurm, whose tasks were given points or have some; "": none */
    uint32_t given; /* points that this call has given away */
};

/*
 * Plans and runs. Points that fail are no failure of the sweep. SIMSM_INTERRUPTED: stopped; what
 * has ended is in the results, and the next call goes on from there. *summary is filled in both
 * cases.
 */
enum simsm_status sweep_spec(const struct sweep_request *request, struct sweep_summary *summary,
                             struct simsm_error *error);

#endif
