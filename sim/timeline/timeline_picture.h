/* A timeline as text: a row for each warp slot, one character for each cell. */
#ifndef SIM_TIMELINE_TIMELINE_PICTURE_H
#define SIM_TIMELINE_TIMELINE_PICTURE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "timeline/timeline_read.h"

enum { PICTURE_LEAST_WIDTH = 40, PICTURE_MOST_WIDTH = 1000 };

struct picture_options {
    uint32_t sm;   /* UINT32_MAX: the first SM on which something happens */
    bool range;    /* false: from the first activity on, one column for each cycle */
    uint64_t from; /* half-open; to = 0: as many cycles as there are columns */
    uint64_t to;
    uint64_t slots; /* a bit for each slot of the SM; 0: all slots that held a warp */
    uint32_t width; /* characters of a line */
    bool colour;    /* colours as 256-colour escape sequences */
    bool ascii;     /* only ASCII characters */
};

/*
 * Writes the picture to `file`. An SM or cycles that are not recorded, and damaged chunks, are
 * errors.
 */
enum simsm_status picture_write(struct timeline_reader *reader,
                                const struct picture_options *options, FILE *file,
                                struct simsm_error *error);

#endif
