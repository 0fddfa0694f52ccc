/* The header of a kernel's trace. */
#ifndef SIM_ACCELSIM_ACCELSIM_HEADER_H
#define SIM_ACCELSIM_ACCELSIM_HEADER_H

#include <stdbool.h>
#include <stdint.h>

#include "accelsim/lines.h"
#include "simsm/kernel.h"

/* Oldest and newest version of the tracer that can be read. */
enum { ACCELSIM_FIRST_VERSION = 1, ACCELSIM_LAST_VERSION = 5 };

struct accelsim_header {
    struct simsm_launch launch;
    uint32_t version; /* major version of the tracer */
    uint32_t binary;  /* 70 for sm_70 */
    bool line_numbers;
    uint64_t shared_window; /* generic addresses from here on mean shared memory; 0: unknown */
    uint64_t local_window;  /* likewise for local memory */
};

/*
 * Reads from the first line up to the first #BEGIN_TB, which is consumed. *blocks: whether there
 * was a #BEGIN_TB.
 */
enum simsm_status header_read(struct accelsim_header *header, bool *blocks,
                              struct accelsim_lines *lines, struct simsm_error *error);

#endif
