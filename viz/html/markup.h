/* Texts of unknown origin, made fit for a page. */
#ifndef VIZ_HTML_MARKUP_H
#define VIZ_HTML_MARKUP_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * As content of an element or between quotation marks: no character of it can end either. Control
 * characters and bytes that are no UTF-8 become '?'.
 */
void markup_text(FILE *file, const char *text);

/* As a string of JSON, with its quotation marks, that may stand in a script element. */
void markup_json(FILE *file, const char *text);

void markup_base64(FILE *file, const uint8_t *data, size_t size);

#endif
