/* A timeline as text: warp slots by cycle, one character for each cell. */
#ifndef SIM_TIMELINE_TIMELINE_PICTURE_H
#define SIM_TIMELINE_TIMELINE_PICTURE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "timeline/timeline_read.h"

enum { PICTURE_LEAST_WIDTH = 40, PICTURE_MOST_WIDTH = 1000 };

struct picture_options {
    uint32_t sm;   /* UINT32_MAX: the first on which something happens */
    bool range;    /* false: from the first activity on, one column for each cycle */
    uint64_t from; /* half-open; to = 0: as many cycles as there are columns */
    uint64_t to;
    uint64_t slots; /* bit per slot of the SM; 0: all in which something happens */
    uint32_t width; /* columns of a line */
    bool colour;    /* 256-colour escape sequences */
    bool ascii;     /* no characters beyond ASCII */
};

enum simsm_status picture_write(struct timeline_reader *reader,
                                const struct picture_options *options, FILE *file,
                                struct simsm_error *error);

#endif
