/* The screens as inline SVG, each with its question and its help. */
#ifndef VIZ_HTML_PICTURES_H
#define VIZ_HTML_PICTURES_H

#include "html/recolour.h"
#include "track/track.h"
#include "view/view.h"

/*
 * Writes a section of the page for each screen. `other` may be NULL. If a screen cannot draw, its
 * section says why.
 */
enum simsm_status pictures_write(FILE *file, struct run *run, struct run *other,
                                 struct recolour *colours, struct simsm_error *error);

/*
 * Draws the screen Program, the whole time, and writes it as SVG. *view is left as drawn; its area
 * is that of the picture (view/view_program.h: program_bar).
 */
enum simsm_status pictures_write_program(FILE *file, struct view *view,
                                         const struct program_file *program,
                                         struct recolour *colours, struct simsm_error *error);

#endif
