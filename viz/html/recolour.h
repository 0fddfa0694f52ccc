/*
 * One picture for two themes. A picture drawn in a light and in a dark theme has the same elements
 * with different colours. The page holds the elements once, with variables for the colours.
 */
#ifndef VIZ_HTML_RECOLOUR_H
#define VIZ_HTML_RECOLOUR_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { RECOLOUR_MOST = 1024 };

/*
 * The pairs of colours of all pictures of a page: variables --c0, --c1, ... Zero before the first
 * use.
 */
struct recolour {
    uint32_t light[RECOLOUR_MOST], dark[RECOLOUR_MOST];
    unsigned count;
};

/*
 * Writes a picture made by canvas_write_svg, with variables for colours. `ids` is put in front of
 * the ids in the picture, as a page has several pictures. If the two pictures differ in more than
 * colours, the light picture serves for both themes.
 */
void recolour_write(struct recolour *colours, const char *light, const char *dark, const char *ids,
                    FILE *file);

/* Writes the declarations "--c0:#rrggbb;...". */
void recolour_variables(const struct recolour *colours, bool dark, FILE *file);

#endif
