/* Runs the viewer in a terminal. */
#ifndef VIZ_TUI_TUI_H
#define VIZ_TUI_TUI_H

#include "app/app.h"

struct tui_options {
    bool ascii;               /* only ASCII characters; else as the locale says */
    int width, height, scale; /* of written pictures: pixels, percent */
    /* Carries out app->wish, and reports the result in app->message. */
    void (*wish)(void *context, struct app *app);
    /* Called several times a second. Returns true if it changed the application. */
    bool (*look)(void *context, struct app *app);
    void *context; /* argument of `wish` and `look` */
};

/*
 * Shows the application until the user quits. Returns SIMSM_FAILED if there is no usable terminal;
 * the message says what to use instead.
 */
enum simsm_status tui_run(struct app *app, const struct tui_options *options,
                          struct simsm_error *error);

#endif
