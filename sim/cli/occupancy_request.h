/* The options of `simsm occupancy`. */
#ifndef SIM_CLI_OCCUPANCY_REQUEST_H
#define SIM_CLI_OCCUPANCY_REQUEST_H

#include <stdbool.h>

#include "simsm/kernel.h"

/* The values of all options. */
struct occupancy_request {
    const char *config;
    struct simsm_launch launch; /* as given; block[0] is 0 without --threads */
    bool has_registers, has_shared, has_carveout;
    bool carveout_is_percent; /* launch.carveout is a percentage of the SM's shared memory */
    bool has_bounds;
    uint32_t bounds_threads, bounds_blocks;
    bool advise, no_plot, ascii;
    const char *csv, *svg, *json; /* files to write; NULL: not given */
};

/* Reads the command line into *request. On --help or a mistake prints, and exits with status 0 or
 * 2. */
void occupancy_request_parse(int argc, char **argv, struct occupancy_request *request);

#endif
