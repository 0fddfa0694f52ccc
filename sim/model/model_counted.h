/* Which pipes count an instruction, as Nsight Compute does: not always the one it runs in. */
#ifndef SIM_MODEL_MODEL_COUNTED_H
#define SIM_MODEL_MODEL_COUNTED_H

#include "model/inst.h"
#include "simsm/config.h"

/* A bit for each of the counters SIMSM_COUNTER_PIPE_*. */
#define COUNTED_BY(pipe) (1u << (SIMSM_COUNTER_PIPE_##pipe - SIMSM_COUNTER_PIPE_ALU))

enum {
    COUNTED_BY_ALL = SIMSM_COUNTER_PIPE_FMALITE - SIMSM_COUNTER_PIPE_ALU + 1, /* counters */
    COUNTED_NOWHERE = 1 << 15
};

/*
 * The pipes that count `inst` whenever it is executed: what the front end says, or what
 * counted.def and `config` say of its class. What depends on the moment is counted by the core: the
 * half of fma that takes a float, and what constants by address and MATCH count beyond 1.
 */
uint32_t counted_pipes(const struct inst *inst, const struct simsm_config *config);

#endif
