/*
 * The second run of key h: the same run with one resident block on each SM, by a `simsm` process.
 */
#ifndef VIZ_MAIN_VIZ_RERUN_H
#define VIZ_MAIN_VIZ_RERUN_H

#include "app/app.h"
#include "base/companion.h"

/* Set to zero before the first use. */
struct rerun {
    struct companion simulator;
    char folder[4096];                       /* of both files; "": not made yet */
    char timeline[4096 + 16], log[4096 + 8]; /* the second run's timeline, and its output */
    struct run *run; /* the last successful second run, which is app->view.other */
};

/*
 * Starts the second run, or stops it if it runs. app->message says which, or why it could not
 * start.
 */
void rerun_toggle(struct rerun *rerun, struct app *app);

/*
 * Looks whether the second run has ended; with `wait` waits for its end. Compares the new run with
 * the first and sets app->message. Returns true if something must be drawn.
 */
bool rerun_poll(struct rerun *rerun, struct app *app, bool wait);

/* Stops the second run and removes its files. */
void rerun_close(struct rerun *rerun);

#endif
