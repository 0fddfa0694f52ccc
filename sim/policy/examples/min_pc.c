/*
 * The side of a divergent branch that stands at the lower address runs first (Collange: Stack-less
 * SIMT Reconvergence at Low Cost, 2011: the least program counter has the turn). Lanes that go
 * round a loop again then run before those that leave it. Otherwise: lanes meet again where the
 * kernel's convergence barriers say, not wherever their addresses come to be the same.
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
