/*
 * A run as one page for a browser: figures, the screens' pictures, and a timeline that can be moved
 * and zoomed. The page needs no network and no other file.
 */
#ifndef VIZ_HTML_HTML_H
#define VIZ_HTML_HTML_H

#include "track/track.h"

/* `other` is a second run to compare with, or NULL. Errors of the file stay in it (ferror). */
enum simsm_status html_write(struct run *run, struct run *other, FILE *file,
                             struct simsm_error *error);

#endif
