#include "draw/bars.h"
#include "report/section.h"

enum { GROUPS = 9 };

/* Lanes of an instruction, in groups that keep the two telling cases apart: one lane and all. */
static void histogram(const struct section *section)
{
    static const struct {
        unsigned from, to;
    } groups[GROUPS] = {{1, 1},   {2, 4},   {5, 8},   {9, 12}, {13, 16},
                        {17, 20}, {21, 24}, {25, 31}, {32, 32}};
    struct bar bars[GROUPS];
    char labels[GROUPS][24], texts[GROUPS][24];
    unsigned count = 0;
    double all = (double)section_count(section, SIMSM_COUNTER_INST_EXECUTED);
    for (unsigned g = 0; g < GROUPS; g++) {
        uint64_t sum = 0;
        for (unsigned n = groups[g].from; n <= groups[g].to; n++)
            sum += section->stats->lanes[n];
        if (sum == 0)
            continue;
        if (groups[g].from == groups[g].to)
            (void)snprintf(labels[count], sizeof labels[count], "%5u lane%s", groups[g].from,
                           groups[g].from == 1 ? "" : "s");
        else
            (void)snprintf(labels[count], sizeof labels[count], "%2u-%2u lanes", groups[g].from,
                           groups[g].to);
        (void)snprintf(texts[count], sizeof texts[count], "%6.1f %%", 100.0 * (double)sum / all);
        bars[count] =
            (struct bar){.label = labels[count], .value = (double)sum / all, .text = texts[count]};
        count++;
    }
    bars_text(section->file, bars, count, 1, 2, 80, section->ascii);
}

void section_lanes(const struct section *section)
{
    uint64_t branches = section_count(section, SIMSM_COUNTER_BRANCHES);
    if (section_count(section, SIMSM_COUNTER_INST_EXECUTED) == 0)
        return;
    section_title(section, "Lanes and divergence");
    section_row(section, "active lanes",
                quantity_ratio(section_value(section, METRIC_THREADS_PER_INST)),
                "of 32 per instruction (%s); %s with the guard true",
                quantity_percent(section_value(section, METRIC_LANE_USE)).text,
                quantity_ratio(section_value(section, METRIC_PRED_ON_PER_INST)).text);
    section_row(
        section, "bodies only", quantity_percent(section_value(section, METRIC_BODY_LANE_USE)),
        "of lanes, branches and convergence left out (%s)",
        quantity_of((double)section_count(section, SIMSM_COUNTER_BODY_INST_EXECUTED), "instruction")
            .text);
    if (branches)
        section_row(
            section, "branch efficiency",
            quantity_percent(section_value(section, METRIC_BRANCH_EFFICIENCY)),
            "%s of %s branches diverged",
            quantity_count((double)section_count(section, SIMSM_COUNTER_BRANCHES_DIVERGENT)).text,
            quantity_count((double)branches).text);
    else
        section_row(section, "branch efficiency",
                    quantity_percent(section_value(section, METRIC_BRANCH_EFFICIENCY)),
                    "no branch was executed");
    histogram(section);
}
