/* What the head of a kernel's trace says. */
#ifndef SIM_ACCELSIM_ACCELSIM_HEADER_H
#define SIM_ACCELSIM_ACCELSIM_HEADER_H

#include <stdbool.h>
#include <stdint.h>

#include "accelsim/lines.h"
#include "simsm/kernel.h"

/* Oldest and newest tracer that are read. */
enum { ACCELSIM_FIRST_VERSION = 1, ACCELSIM_LAST_VERSION = 5 };

struct accelsim_header {
    struct simsm_launch launch;
    uint32_t version; /* of the tracer, without what follows the dot */
    uint32_t binary;  /* 70 for sm_70 */
    bool line_numbers;
    uint64_t shared_window, local_window; /* where generic addresses mean other memory; 0 unknown */
};

/*
 * Reads from the first line up to the first #BEGIN_TB, which is taken too. *blocks tells whether
 * there was one.
 */
enum simsm_status header_read(struct accelsim_header *header, bool *blocks,
                              struct accelsim_lines *lines, struct simsm_error *error);

#endif
