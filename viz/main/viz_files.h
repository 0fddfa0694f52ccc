/* Pictures and numbers as files. */
#ifndef VIZ_MAIN_VIZ_FILES_H
#define VIZ_MAIN_VIZ_FILES_H

#include "app/app.h"
#include "base/outfile.h"

/* Opens a file that is written whole or not at all; "-" is standard output. */
enum simsm_status files_open(struct outfile *out, const char *path, struct simsm_error *error);

/* Ends it: `status` says how writing went, and is returned, or that the last of it failed. */
enum simsm_status files_finish(struct outfile *out, enum simsm_status status,
                               struct simsm_error *error);

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
