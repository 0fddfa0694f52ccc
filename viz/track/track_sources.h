/* Source files that a timeline names. Private to this folder; other folders use run_source_line. */
#ifndef VIZ_TRACK_TRACK_SOURCES_H
#define VIZ_TRACK_TRACK_SOURCES_H

#include <stdint.h>
#include <stdio.h>

struct source_file;

/*
 * Returns line `line`, from 1, of source file `name`, or NULL if it is not found. Files are read
 * once and kept in *sources.
 */
const char *sources_line(struct source_file **sources, const char *timeline, const char *name,
                         uint32_t line);
/* Frees all files of the list. NULL is allowed. */
void sources_free(struct source_file *sources);

#endif
