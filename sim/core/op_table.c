#include "core/op_table.h"

#include "core/sm_state.h"
#include "model/op.h"

static bool is_store(enum simsm_op_class op)
{
    return op == SIMSM_OP_ST_GLOBAL || op == SIMSM_OP_RED_GLOBAL || op == SIMSM_OP_ST_LOCAL;
}

static enum op_path path_of(enum simsm_op_class op, enum simsm_op_route route, uint32_t pipe,
                            bool shared)
{
    if (route == SIMSM_ROUTE_CONTROL)
        return PATH_CONTROL;
    if (op_is_memory(op))
        return PATH_MEMORY;
    bool behind_queue = pipe == SIMSM_PIPE_LSU || pipe == SIMSM_PIPE_ADU || pipe == SIMSM_PIPE_TEX;
    if (shared || (route != SIMSM_ROUTE_FIXED && behind_queue))
        return PATH_QUEUE;
    return route == SIMSM_ROUTE_FIXED ? PATH_PIPE : PATH_XU;
}

static uint8_t unit_of(enum simsm_op_class op, enum op_path path, uint32_t pipe)
{
    if (path != PATH_QUEUE && path != PATH_MEMORY)
        return (uint8_t)pipe;
    if (op == SIMSM_OP_TEX)
        return UNIT_TEX;
    return simsm_ops[op].route == SIMSM_ROUTE_LONG ? UNIT_LG : UNIT_MIO;
}

void op_table_init(struct op_table *table, const struct simsm_config *config)
{
    table->tracked_pipes = 0;
    for (int i = 0; i < SIMSM_OP_COUNT; i++) {
        enum simsm_op_class op = (enum simsm_op_class)i;
        enum simsm_op_route route = simsm_ops[op].route;
        const struct simsm_op_timing *timing = &config->ops[op];
        enum op_path path = path_of(op, route, timing->pipe, config->pipe_shared[timing->pipe]);
        table->op[op] = (struct op_exec){
            .path = (uint8_t)path,
            .unit = unit_of(op, path, timing->pipe),
            .stage = (uint8_t)(timing->pipe == SIMSM_PIPE_ADU ? SIMSM_PIPE_LSU : timing->pipe),
            .wait = route == SIMSM_ROUTE_LONG ? WAIT_LONG
                    : path == PATH_PIPE       ? WAIT_FIXED
                                              : WAIT_SHORT,
            .is_store = is_store(op),
            .latency = timing->latency,
            .interval = timing->interval,
        };
        if (path == PATH_XU)
            table->tracked_pipes |= 1u << timing->pipe;
    }
}
