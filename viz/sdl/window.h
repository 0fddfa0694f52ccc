/* The viewer's window, with SDL2. */
#ifndef VIZ_SDL_WINDOW_H
#define VIZ_SDL_WINDOW_H

#include "app/app.h"

/*
 * Carries out what the application wishes (pictures, numbers, a second run). app->message says how
 * it went.
 */
typedef void window_wish(void *context, struct app *app);
/* Called several times a second. Returns true if it has changed the application. */
typedef bool window_look(void *context, struct app *app);

struct window_options {
    int width, height; /* of the window, in units of the desktop */
    int scale;         /* percent; 0: as the display says */
    const char *title;
    window_wish *wish;
    window_look *look; /* NULL: none */
    void *context;
};

/*
 * Shows the application until the window is closed. Without a display returns SIMSM_FAILED with a
 * message that names other ways.
 */
enum simsm_status window_run(struct app *app, const struct window_options *options,
                             struct simsm_error *error);

#endif
