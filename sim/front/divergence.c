/*
 * MODEL: the lanes of one warp when a branch splits them, in two machines. `barrier` (Volta and
 * later): BSSY stores the active lanes in a convergence barrier register; a path that reaches BSYNC
 * waits until every stored lane that has not exited has arrived, then all these lanes reconverge.
 * Each path issues its own BSYNC. `stack` (before Volta): SSY pushes the reconvergence point, a
 * divergent branch pushes the side that waits, and SYNC pops one entry. Which side of a split runs
 * first is a rule of the configuration (divergence.first).
 * SOURCE: `barrier`: US 10,067,768 B2 (convergence barriers). Which side runs first: H200,
 * cuda/calib diverge (docs/calibration.md): the side with fewer lanes, on a tie the lanes that do
 * not branch. `stack` and the order of waiting paths (last in, first out): own choice.
 * LEFT OUT: YIELD and the time-out that let a waiting path overtake a spinning path; WARPSYNC
 * barriers of arbitrary lanes; spilled barrier registers. Machine code has its own model of
 * divergence (sim/exec/control).
 */
#include "front/divergence.h"

#include <stddef.h>
#include <stdio.h>

#include "base/check.h"
#include "base/err.h"
#include "plugin/plugin.h"

/* Marks a stack entry that SSY pushed; positions stay below this bit. */
#define MEETING UINT32_C(0x80000000)

static unsigned lanes_in(uint32_t mask)
{
    return (unsigned)__builtin_popcount(mask);
}

void divergence_start(struct divergence *state, const struct divergence_rules *rules,
                      uint32_t lanes)
{
    state->active = lanes;
    state->alive = lanes;
    state->depth = 0;
    if (rules->model == SIMSM_BARRIER_divergence_model) {
        for (size_t b = 0; b < DIVERGENCE_BARRIERS; b++) {
            state->as.barrier.member[b] = 0;
            state->as.barrier.arrived[b] = 0;
        }
    }
}

void divergence_enter(struct divergence *state, const struct divergence_rules *rules,
                      uint32_t barrier, uint32_t resume)
{
    if (rules->model == SIMSM_STACK_divergence_model) {
        SIMSM_CHECK(state->depth < DIVERGENCE_STACK, "%u entries of %d", state->depth,
                    DIVERGENCE_STACK);
        state->as.stack[state->depth++] =
            (struct divergence_path){.lanes = state->active, .at = resume | MEETING};
        return;
    }
    SIMSM_CHECK(barrier < DIVERGENCE_BARRIERS, "barrier %u of %d", barrier, DIVERGENCE_BARRIERS);
    state->as.barrier.member[barrier] = state->active;
    state->as.barrier.arrived[barrier] = 0;
    state->as.barrier.resume[barrier] = resume;
}

static const char *const first_names[] = {
    [SIMSM_FEWER_divergence_first] = "fewer",
    [SIMSM_MORE_divergence_first] = "more",
    [SIMSM_FALL_THROUGH_divergence_first] = "fall_through",
    [SIMSM_TAKEN_divergence_first] = "taken",
};

enum simsm_status divergence_rules_open(struct divergence_rules *rules,
                                        const struct simsm_config *config,
                                        struct simsm_error *error)
{
    *rules = (struct divergence_rules){.model = SIMSM_BARRIER_divergence_model,
                                       .first = SIMSM_FEWER_divergence_first};
    if (config) {
        rules->model = config->divergence_model;
        rules->first = config->divergence_first;
    }
    if (rules->first != SIMSM_MODULE_divergence_first) {
        (void)snprintf(rules->text, sizeof rules->text, "%s", first_names[rules->first]);
        return SIMSM_OK;
    }
    enum simsm_status status = plugin_open(&rules->plugin, config, error);
    if (status != SIMSM_OK)
        return status;
    if (rules->plugin && rules->plugin->table->path_order) {
        (void)snprintf(rules->text, sizeof rules->text, "%s of module %s%s%.60s",
                       rules->plugin->table->path_order->name, rules->plugin->table->name,
                       config->policy_params[0] ? ", " : "", config->policy_params);
        return SIMSM_OK;
    }
    divergence_rules_close(rules);
    return err_set(error, SIMSM_BAD_INPUT,
                   "divergence.first is module, but %s; name one that has an order of paths with "
                   "policy.module",
                   config->policy_module[0] ? "policy.module has no order of paths"
                                            : "no policy.module is named");
}

void divergence_rules_close(struct divergence_rules *rules)
{
    plugin_close(rules->plugin);
    rules->plugin = NULL;
}

bool divergence_taken_first(const struct divergence_rules *rules, uint32_t taken, uint32_t stay,
                            bool backward)
{
    switch (rules->first) {
    case SIMSM_FEWER_divergence_first:
        return lanes_in(taken) < lanes_in(stay);
    case SIMSM_MORE_divergence_first:
        return lanes_in(taken) > lanes_in(stay);
    case SIMSM_TAKEN_divergence_first:
        return true;
    case SIMSM_MODULE_divergence_first:
        return rules->plugin->table->path_order->taken_first(&(struct simsm_split){
            .param = rules->plugin->param, .taken = taken, .stay = stay, .backward = backward});
    case SIMSM_FALL_THROUGH_divergence_first:
    case SIMSM_COUNT_divergence_first:
        break;
    }
    return false;
}

uint32_t divergence_branch(struct divergence *state, const struct divergence_rules *rules,
                           uint32_t taken, uint32_t target, uint32_t next)
{
    uint32_t stay = state->active & ~taken;
    taken &= state->active;
    if (!stay)
        return target;
    if (!taken)
        return next;
    struct divergence_path first = {.lanes = stay, .at = next};
    struct divergence_path second = {.lanes = taken, .at = target};
    if (divergence_taken_first(rules, taken, stay, target < next)) {
        struct divergence_path other = first;
        first = second;
        second = other;
    }
    const bool stack = rules->model == SIMSM_STACK_divergence_model;
    struct divergence_path *entries = stack ? state->as.stack : state->as.barrier.waiting;
    const uint32_t room = stack ? DIVERGENCE_STACK : DIVERGENCE_PATHS;
    SIMSM_CHECK(state->depth < room, "%u paths of %u", state->depth, room);
    entries[state->depth++] = second;
    state->active = first.lanes;
    return first.at;
}

static uint32_t pop_stack(struct divergence *state)
{
    while (state->depth) {
        struct divergence_path entry = state->as.stack[--state->depth];
        state->active = entry.lanes & state->alive;
        if (state->active)
            return entry.at & ~MEETING;
    }
    state->active = 0;
    return DIVERGENCE_END;
}

static uint32_t next_waiting(struct divergence *state)
{
    state->active = 0;
    if (!state->depth)
        return DIVERGENCE_END;
    struct divergence_path path = state->as.barrier.waiting[--state->depth];
    state->active = path.lanes;
    return path.at;
}

static uint32_t open_barrier(struct divergence *state, uint32_t barrier)
{
    state->active = state->as.barrier.member[barrier];
    state->as.barrier.member[barrier] = 0;
    state->as.barrier.arrived[barrier] = 0;
    return state->as.barrier.resume[barrier];
}

uint32_t divergence_sync(struct divergence *state, const struct divergence_rules *rules,
                         uint32_t barrier, uint32_t resume)
{
    if (rules->model == SIMSM_STACK_divergence_model)
        return pop_stack(state);
    SIMSM_CHECK(barrier < DIVERGENCE_BARRIERS, "barrier %u of %d", barrier, DIVERGENCE_BARRIERS);
    state->as.barrier.arrived[barrier] |= state->active;
    state->as.barrier.resume[barrier] = resume;
    if (state->as.barrier.arrived[barrier] == state->as.barrier.member[barrier])
        return open_barrier(state, barrier);
    return next_waiting(state);
}

uint32_t divergence_exit(struct divergence *state, const struct divergence_rules *rules,
                         uint32_t lanes, uint32_t next)
{
    lanes &= state->active;
    state->alive &= ~lanes;
    state->active &= ~lanes;
    if (rules->model == SIMSM_STACK_divergence_model)
        return state->active ? next : pop_stack(state);
    for (uint32_t b = 0; b < DIVERGENCE_BARRIERS; b++)
        state->as.barrier.member[b] &= ~lanes;
    if (state->active)
        return next;
    /*
     * The lanes that exit may have been the last ones that a barrier waited for. The innermost
     * barrier opens first.
     */
    for (uint32_t b = DIVERGENCE_BARRIERS; b-- > 0;) {
        uint32_t member = state->as.barrier.member[b];
        if (member && member == state->as.barrier.arrived[b])
            return open_barrier(state, b);
    }
    return next_waiting(state);
}
