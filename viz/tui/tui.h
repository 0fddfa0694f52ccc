/* The viewer in a terminal. */
#ifndef VIZ_TUI_TUI_H
#define VIZ_TUI_TUI_H

#include "app/app.h"

struct tui_options {
    bool ascii;               /* nothing but ASCII; else as the locale says */
    int width, height, scale; /* of pictures that are written: pixels, percent */
    /* Carries out what the application wishes; its message says how. */
    void (*wish)(void *context, struct app *app);
    /* Called several times a second: true if what it looked at has changed the application. */
    bool (*look)(void *context, struct app *app);
    void *context;
};

/*
 * Shows the application until it is closed. SIMSM_FAILED, with what else can be done, where there
 * is no terminal.
 */
enum simsm_status tui_run(struct app *app, const struct tui_options *options,
                          struct simsm_error *error);

#endif
