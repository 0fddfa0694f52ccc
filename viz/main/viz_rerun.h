/* The run that key h asks for: the same with one resident block, by a simsm of its own. */
#ifndef VIZ_MAIN_VIZ_RERUN_H
#define VIZ_MAIN_VIZ_RERUN_H

#include "app/app.h"
#include "base/companion.h"

/* Zero it before its first use. */
struct rerun {
    struct companion simulator;
    char folder[4096];                       /* for both files; "": none */
    char timeline[4096 + 16], log[4096 + 8]; /* what it writes, what it says */
    struct run *run;                         /* of the last one that ended well: app->view.other */
};

/* Starts it, or stops the one that runs; app->message says which, or why not. */
void rerun_toggle(struct rerun *rerun, struct app *app);

/*
 * Looks whether it has ended, or with `wait` waits for that. The new run is then compared with the
 * first one; app->message says what has happened. True if there is something new to draw.
 */
bool rerun_poll(struct rerun *rerun, struct app *app, bool wait);

/* Stops what runs and removes its files. */
void rerun_close(struct rerun *rerun);

#endif
