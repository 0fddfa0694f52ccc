#include "report/costly.h"

static struct costly_line cost_of(const struct simsm_stats *stats, uint32_t line)
{
    const uint64_t *states = stats->lines[line].states;
    struct costly_line cost = {.line = line, .state = SIMSM_STATE_ISSUED};
    for (unsigned s = SIMSM_STATE_ISSUED; s < SIMSM_STATE_COUNT; s++) {
        cost.cycles += states[s];
        if (states[s] > states[cost.state])
            cost.state = (enum simsm_warp_state)s;
    }
    return cost;
}

unsigned costly_lines(const struct simsm_stats *stats, struct costly_line lines[COSTLY_LINES])
{
    unsigned count = 0;
    for (uint32_t i = 0; i < stats->line_count; i++) {
        struct costly_line cost = cost_of(stats, i);
        if (cost.cycles == 0 || (count == COSTLY_LINES && cost.cycles <= lines[count - 1].cycles))
            continue;
        unsigned at = count < COSTLY_LINES ? count++ : count - 1;
        for (; at && lines[at - 1].cycles < cost.cycles; at--)
            lines[at] = lines[at - 1];
        lines[at] = cost;
    }
    return count;
}
