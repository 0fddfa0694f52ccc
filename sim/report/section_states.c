#include <string.h>

#include "draw/bars.h"
#include "report/section.h"

enum { EXPLAINED = 3 };

/* States of living warps that occur, most frequent first; returns their number. */
static unsigned ranked(const struct simsm_stats *stats, unsigned order[SIMSM_STATE_COUNT])
{
    unsigned count = 0;
    for (unsigned s = SIMSM_STATE_ISSUED; s < SIMSM_STATE_COUNT; s++) {
        if (stats->states[s] == 0)
            continue;
        unsigned at = count++;
        for (; at && stats->states[order[at - 1]] < stats->states[s]; at--)
            order[at] = order[at - 1];
        order[at] = s;
    }
    return count;
}

void section_states(const struct section *section)
{
    const uint64_t *states = section->stats->states;
    unsigned order[SIMSM_STATE_COUNT];
    unsigned count = ranked(section->stats, order);
    if (count == 0)
        return;
    double all = (double)metrics_resident_cycles(section->stats);
    struct bar bars[SIMSM_STATE_COUNT];
    char labels[SIMSM_STATE_COUNT][40], texts[SIMSM_STATE_COUNT][40];
    for (unsigned i = 0; i < count; i++) {
        const struct simsm_state_info *info = &simsm_states[order[i]];
        double share = (double)states[order[i]] / all;
        (void)snprintf(labels[i], sizeof labels[i], "%c %s", info->letter, info->title);
        if (share < 0.0005)
            (void)snprintf(texts[i], sizeof texts[i], "< 0.1 %%");
        else
            (void)snprintf(texts[i], sizeof texts[i], "%6.1f %%", 100 * share);
        bars[i] = (struct bar){.label = labels[i], .value = share, .text = texts[i]};
    }
    section_title(section, "Warp states: where the resident warps' cycles went");
    bars_text(section->file, bars, count, 0, 2, 80, section->ascii);
    for (unsigned i = 0; i < count && i < EXPLAINED; i++) {
        char text[256];
        (void)snprintf(text, sizeof text, "%s: %s.", simsm_states[order[i]].title,
                       simsm_states[order[i]].meaning);
        section_text(section, 2, text);
    }
}
