/* The screens as inline SVG, each with its question and its help. */
#ifndef VIZ_HTML_PICTURES_H
#define VIZ_HTML_PICTURES_H

#include "html/recolour.h"
#include "track/track.h"

/*
 * Writes a section of the page for each screen. `other` may be NULL. If a screen cannot draw, its
 * section says why.
 */
enum simsm_status pictures_write(FILE *file, struct run *run, struct run *other,
                                 struct recolour *colours, struct simsm_error *error);

#endif
