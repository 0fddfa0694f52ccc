/* Lines of source files. */
#ifndef SIM_DIFF_SOURCE_TEXT_H
#define SIM_DIFF_SOURCE_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* Writes line `line`, from 1, of a file to text[size], without blanks around it; "" if the file or
 * the line is not found. */
void source_text(const char *path, uint32_t line, char *text, size_t size);

#endif
