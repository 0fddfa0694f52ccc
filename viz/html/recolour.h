/*
 * One picture for two themes. A picture drawn twice, in a light and in a dark theme, has the same
 * elements in other colours; a page needs them once, with names for the colours.
 */
#ifndef VIZ_HTML_RECOLOUR_H
#define VIZ_HTML_RECOLOUR_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { RECOLOUR_MOST = 1024 };

/* Pairs of colours of all pictures of a page: variables --c0, --c1, ... Begin with zeros. */
struct recolour {
    uint32_t light[RECOLOUR_MOST], dark[RECOLOUR_MOST];
    unsigned count;
};

/*
 * Writes a picture, as canvas_write_svg makes it, with variables in place of colours. `ids` is put
 * in front of its names, as a page has many pictures. Should the two differ in more than colours,
 * the light one is taken for both.
 */
void recolour_write(struct recolour *colours, const char *light, const char *dark, const char *ids,
                    FILE *file);

/* The declarations "--c0:#rrggbb;...". */
void recolour_variables(const struct recolour *colours, bool dark, FILE *file);

#endif
