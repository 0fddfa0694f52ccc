/* JSON strings. Private to this folder. */
#ifndef VIZ_EXPORT_JSON_TEXT_H
#define VIZ_EXPORT_JSON_TEXT_H

#include <stdio.h>

/* Writes `text` as a JSON string, with quotation marks. Bytes that are no UTF-8 become '?'. */
void json_text(FILE *file, const char *text);

#endif
