#ifndef SIM_CORE_REGFILE_H
#define SIM_CORE_REGFILE_H

#include "core/sm_state.h"

/*
 * Reads the sources of a fixed-latency instruction that issues now. Returns the cycles by which
 * busy bank ports delay it, and with it the next dispatch of the sub-partition.
 */
uint32_t regfile_read(struct sm *sm, struct sub *sub, unsigned slot, const struct inst *inst);

#endif
