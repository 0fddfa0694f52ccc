/* Source files that a timeline names. Private to this folder; run_source_line is for others. */
#ifndef VIZ_TRACK_TRACK_SOURCES_H
#define VIZ_TRACK_TRACK_SOURCES_H

#include <stdint.h>
#include <stdio.h>

struct source_file;

/* Line `line`, from 1, of file `name`; NULL if it is not found. Read once, kept in *sources. */
const char *sources_line(struct source_file **sources, const char *timeline, const char *name,
                         uint32_t line);
void sources_free(struct source_file *sources);

#endif
