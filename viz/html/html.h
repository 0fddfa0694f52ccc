/*
 * A run as a page for a browser: figures, pictures of the screens, and a timeline to move and zoom.
 * The page needs no network and no other file.
 */
#ifndef VIZ_HTML_HTML_H
#define VIZ_HTML_HTML_H

#include "track/track.h"

/*
 * Writes the page. `other` is a second run to compare with, or NULL. Errors of writing stay in the
 * file (ferror).
 */
enum simsm_status html_write(struct run *run, struct run *other, FILE *file,
                             struct simsm_error *error);

#endif
