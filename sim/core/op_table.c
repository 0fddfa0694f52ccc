/*
 * MODEL: how each opcode class is executed: its path, the unit that it needs, and its times.
 * SOURCE: latency table of the configuration (cuda/calib/ops, latency, pairs); docs/model.md.
 * LEFT OUT: nothing known.
 */
#include "core/op_table.h"

#include "core/sm_state.h"
#include "model/op.h"

static enum op_path path_of(enum simsm_op_class op, enum simsm_op_route route, uint32_t pipe,
                            bool shared)
{
    if (route == SIMSM_ROUTE_CONTROL)
        return PATH_CONTROL;
    if (op_is_memory(op))
        return PATH_MEMORY;
    bool behind_queue = pipe == SIMSM_PIPE_LSU || pipe == SIMSM_PIPE_ADU ||
                        pipe == SIMSM_PIPE_TEX || pipe == SIMSM_PIPE_TMA;
    if (shared || (route != SIMSM_ROUTE_FIXED && behind_queue))
        return PATH_QUEUE;
    return route == SIMSM_ROUTE_FIXED ? PATH_PIPE : PATH_XU;
}

/*
 * Returns the unit that an instruction needs at issue. The FMA pipe is two halves, each of which
 * takes an instruction every 2 cycles. A class of interval 1 goes to either half, any other class
 * to both. SOURCE: H200, cuda/calib/pairs: FFMA and IMAD (one half) in turn 2.04 cycles, FFMA and
 * HFMA2 (both halves) 4.03.
 */
static uint8_t unit_of(enum simsm_op_class op, enum op_path path, uint32_t pipe, uint32_t interval)
{
    if (path != PATH_QUEUE && path != PATH_MEMORY)
        return (uint8_t)(pipe == SIMSM_PIPE_FMA && interval > 1 ? UNIT_FMA_WHOLE : pipe);
    if (op == SIMSM_OP_TEX)
        return UNIT_TEX;
    return simsm_ops[op].route == SIMSM_ROUTE_LONG ? UNIT_LG : UNIT_MIO;
}

/* Returns whether an access to local memory is an instruction without memory
 * (what_if.free_local). */
static bool is_free_local(const struct simsm_config *config, enum simsm_op_class op)
{
    return config->what_if_free_local && (op == SIMSM_OP_LD_LOCAL || op == SIMSM_OP_ST_LOCAL);
}

void op_table_init(struct op_table *table, const struct simsm_config *config)
{
    table->tracked_pipes = 0;
    for (int i = 0; i < SIMSM_OP_COUNT; i++) {
        enum simsm_op_class op = (enum simsm_op_class)i;
        enum simsm_op_route route = simsm_ops[op].route;
        const struct simsm_op_timing *timing =
            &config->ops[is_free_local(config, op) ? SIMSM_OP_INT : op];
        enum op_path path = path_of(op, route, timing->pipe, config->pipe_shared[timing->pipe]);
        if (is_free_local(config, op))
            path = PATH_PIPE;
        table->op[op] = (struct op_exec){
            .path = (uint8_t)path,
            .unit = unit_of(op, path, timing->pipe, timing->interval),
            .stage = (uint8_t)timing->pipe,
            .wait = route == SIMSM_ROUTE_LONG || op == SIMSM_OP_MBARRIER_WAIT ? WAIT_LONG
                    : path == PATH_PIPE                                       ? WAIT_FIXED
                                                                              : WAIT_SHORT,
            .is_store = op_is_posted(op),
            .runs_on = op == SIMSM_OP_GMMA_ARRIVE || (path == PATH_PIPE && op != SIMSM_OP_DEPBAR &&
                                                      op != SIMSM_OP_NOP && op != SIMSM_OP_GMMA),
            .is_posted = op_is_posted(op),
            .latency = timing->latency,
            .interval = timing->interval,
            .hold = op == SIMSM_OP_IMAD_WIDE ? config->issue_wide_hold : 0,
        };
        if (path == PATH_XU)
            table->tracked_pipes |= 1u << table->op[op].unit;
    }
}
