/* The pipes that count an instruction in Nsight Compute, not always the pipe that executes it. */
#ifndef SIM_MODEL_MODEL_COUNTED_H
#define SIM_MODEL_MODEL_COUNTED_H

#include "model/inst.h"
#include "simsm/config.h"

/* The bit of a counter SIMSM_COUNTER_PIPE_*. */
#define COUNTED_BY(pipe) (1u << (SIMSM_COUNTER_PIPE_##pipe - SIMSM_COUNTER_PIPE_ALU))

enum {
    COUNTED_BY_ALL =
        SIMSM_COUNTER_PIPE_FMALITE - SIMSM_COUNTER_PIPE_ALU + 1, /* number of counters */
    COUNTED_NOWHERE = 1 << 15
};

/*
 * Returns the pipes that count `inst` each time it is executed, as a mask of COUNTED_BY:
 * inst->counted if the front has set it, else what model_counted.def and `config` say of its class.
 * The core counts what depends on the moment: which half of fma takes an FFMA, and the further
 * passes of constants with register addresses and of MATCH.
 */
uint32_t counted_pipes(const struct inst *inst, const struct simsm_config *config);

#endif
