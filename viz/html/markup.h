/* Texts of unknown origin, escaped for a page. */
#ifndef VIZ_HTML_MARKUP_H
#define VIZ_HTML_MARKUP_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Writes `text` as the content of an element or of an attribute: no character can end either.
 * Control characters and bytes that are no UTF-8 become '?'.
 */
void markup_text(FILE *file, const char *text);

/* Writes the name of a file as the address of a link, in an attribute. */
void markup_link(FILE *file, const char *name);

/* Writes `text` as a JSON string with quotation marks, safe inside a script element. */
void markup_json(FILE *file, const char *text);

/* Writes bytes as base64. */
void markup_base64(FILE *file, const uint8_t *data, size_t size);

#endif
