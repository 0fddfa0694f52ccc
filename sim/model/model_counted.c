/* The table of model_counted.def, and pipes that are parts of other pipes. */
#include "model/model_counted.h"

#define PIPE(id, ...)                                                                              \
    _Static_assert(SIMSM_COUNTER_PIPE_##id - SIMSM_COUNTER_PIPE_ALU == (int)SIMSM_PIPE_##id,       \
                   "the counters of pipes are in the order of the pipes");
#include "simsm/defs/pipes.def"
#undef PIPE

static const uint16_t classes[SIMSM_OP_COUNT] = {
#define COUNTED(class, pipes) [SIMSM_OP_##class] = (pipes),
#include "model/model_counted.def"
#undef COUNTED
};

/* Returns the pipe and the pipes that it is a part of: all of them count. */
static uint32_t with_whole(uint8_t op, enum simsm_pipe pipe)
{
    if (op == SIMSM_OP_FP16 && pipe == SIMSM_PIPE_FMA)
        return COUNTED_BY(FMA) | COUNTED_BY(FMAHEAVY) | COUNTED_BY(FMALITE) | COUNTED_BY(FP16);
    if (pipe == SIMSM_PIPE_FMAHEAVY)
        return COUNTED_BY(FMA) | COUNTED_BY(FMAHEAVY);
    return 1u << pipe;
}

uint32_t counted_pipes(const struct inst *inst, const struct simsm_config *config)
{
    uint32_t pipes = inst->counted ? inst->counted : classes[inst->op];
    if (pipes == 0)
        pipes = with_whole(inst->op, config->ops[inst->op].pipe);
    if (inst->op == SIMSM_OP_MEMBAR && inst->scope != SCOPE_BLOCK)
        pipes |= COUNTED_BY(TEX);
    return pipes & ~(uint32_t)COUNTED_NOWHERE;
}
