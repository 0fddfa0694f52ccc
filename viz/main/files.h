/* Pictures and numbers as files. */
#ifndef VIZ_MAIN_FILES_H
#define VIZ_MAIN_FILES_H

#include "app/app.h"

/* What the application shows now, at its size; `path` is written whole or not at all. */
enum simsm_status files_png(struct app *app, const char *path, struct simsm_error *error);
enum simsm_status files_svg(struct app *app, const char *path, struct simsm_error *error);
/* The numbers of the screen's chart. */
enum simsm_status files_csv(struct app *app, const char *path, struct simsm_error *error);

/* A page about the whole run. */
enum simsm_status files_html(struct app *app, const char *path, struct simsm_error *error);

/* "NAME-screen.png" beside the timeline, for `suffix` ".png"; not one that exists. */
void files_name(const struct app *app, const char *suffix, char *path, size_t size);

#endif
