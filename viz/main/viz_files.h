/* Pictures, numbers and pages as files. */
#ifndef VIZ_MAIN_VIZ_FILES_H
#define VIZ_MAIN_VIZ_FILES_H

#include "app/app.h"
#include "base/outfile.h"

/* Opens a file that is written whole or not at all. "-" is standard output. */
enum simsm_status files_open(struct outfile *out, const char *path, struct simsm_error *error);

/*
 * Ends writing: keeps the file if `status` is SIMSM_OK, else removes it. Returns `status`, or an
 * error if the last bytes could not be written.
 */
enum simsm_status files_finish(struct outfile *out, enum simsm_status status,
                               struct simsm_error *error);

/* Write what the application shows, at its size. The file is written whole or not at all. */
enum simsm_status files_png(struct app *app, const char *path, struct simsm_error *error);
enum simsm_status files_svg(struct app *app, const char *path, struct simsm_error *error);
/* Writes the numbers of the screen's chart. A screen without numbers is an error. */
enum simsm_status files_csv(struct app *app, const char *path, struct simsm_error *error);

/* Writes a page about the whole run. */
enum simsm_status files_html(struct app *app, const char *path, struct simsm_error *error);

/*
 * Fills `path` with the name of a file beside the timeline that does not exist: "NAME-screen.png"
 * for `suffix` ".png".
 */
void files_name(const struct app *app, const char *suffix, char *path, size_t size);

#endif
