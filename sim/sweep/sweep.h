/* Running a sweep: all that is not done yet, on all processors, into the file of results. */
#ifndef SIM_SWEEP_SWEEP_H
#define SIM_SWEEP_SWEEP_H

#include <stdbool.h>
#include <stdint.h>

#include "simsm/error.h"

/* How far a sweep is. */
struct sweep_progress {
    uint32_t points;           /* all of them, the same one counted once */
    uint32_t before;           /* done or failed when the sweep began */
    uint32_t done, failed;     /* since then */
    uint32_t recordings, made; /* needed, and made so far; then points begin */
    double elapsed, left;      /* seconds since points began, and till the end; NaN: not known */
};

/* One point that has ended and is in the results. */
struct sweep_ended {
    int64_t id;
    const char *config, *kernel, *reason; /* reason: NULL, or why it failed */
    const char *settings;                 /* "key=value key=value" of what is varied */
    uint32_t launch;
    double seconds;
};

struct sweep_request {
    const char *spec, *results; /* results NULL: as the spec says */
    const char *simsm;          /* the command */
    uint32_t jobs;              /* 0: all processors */
    bool retry;                 /* also points that have failed */
    int (*stop)(void);          /* asked often, in all processes; not 0: ends */
    void *context;
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
};

/*
 * Plans and runs. Points that fail are no failure of the sweep. SIMSM_INTERRUPTED: stopped; what
 * has ended is in the results, and the next call goes on from there. *summary is filled in both
 * cases.
 */
enum simsm_status sweep_spec(const struct sweep_request *request, struct sweep_summary *summary,
                             struct simsm_error *error);

#endif
