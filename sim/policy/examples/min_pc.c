/*
 * MODEL: an order of divergent paths: the side of a branch at the lower address runs first. Lanes
 * that repeat a loop then run before lanes that leave it.
 * SOURCE: Collange: Stack-less SIMT Reconvergence at Low Cost, 2011 (the least program counter has
 * the turn). Changed: lanes reconverge where the kernel's convergence barriers say, not wherever
 * their addresses become equal.
 * LEFT OUT: nothing known.
 */
#include <simsm/policy.h>

static bool taken_first(const struct simsm_split *split)
{
    return split->backward;
}

static const struct simsm_path_order order = {
    .name = "min_pc",
    .summary = "the side at the lower address first",
    .taken_first = taken_first,
};

const struct simsm_policy_module simsm_policy_module = {
    .head = SIMSM_POLICY_HEAD,
    .name = "min_pc",
    .summary = "an order of divergent paths (Collange, 2011)",
    .path_order = &order,
};
