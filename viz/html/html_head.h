/* The head of a page. */
#ifndef VIZ_HTML_HTML_HEAD_H
#define VIZ_HTML_HTML_HEAD_H

#include <stdio.h>

#include "html/recolour.h"

/*
 * Writes the page up to the heading: `what` on `gpu`. The body is open then. `colours` has the
 * colours of all pictures that follow.
 */
void head_write(FILE *file, const char *what, const char *gpu, const struct recolour *colours);

#endif
