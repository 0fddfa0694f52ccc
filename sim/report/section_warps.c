/* Sections of the report: states of the warps, active lanes, the lines that cost most. */
#include <string.h>

#include "draw/bars.h"
#include "draw/label.h"
#include "report/costly.h"
#include "report/section.h"

enum { EXPLAINED = 3 };

/* Fills `order` with the states that warps were in, most frequent first. Returns their number. */
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

enum { GROUPS = 9 };

/* Groups of numbers of active lanes. One lane and all lanes have a group of their own. */
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

enum { TEXT_WIDTH = 36 };

static void line_row(const struct section *section, const struct costly_line *costly, double all)
{
    const struct simsm_line_info *info = &section->stats->line_info[costly->line];
    const struct simsm_line_stats *line = &section->stats->lines[costly->line];
    char where[16], state[48];
    if (info->line)
        (void)snprintf(where, sizeof where, "%u", info->line);
    else
        (void)snprintf(where, sizeof where, "0x%x", info->pc);
    (void)snprintf(state, sizeof state, "%s %.0f %%", simsm_states[costly->state].title,
                   100.0 * (double)line->states[costly->state] / (double)costly->cycles);
    double lanes = line->issues ? (double)line->threads / (double)line->issues : 0;
    (void)fprintf(section->file, "  %6.1f %% %8s %6s  ", 100.0 * (double)costly->cycles / all,
                  quantity_count((double)line->issues).text,
                  line->issues ? quantity_ratio(lanes).text : "-");
    label_pad(section->file, state, 26);
    (void)fprintf(section->file, " %6s  ", where);
    unsigned width = label_width(info->text);
    bool cut = width > TEXT_WIDTH;
    label_pad(section->file, info->text, cut ? TEXT_WIDTH - 3 : width);
    (void)fputs(cut ? "..." : "", section->file);
    (void)fputc('\n', section->file);
}

void section_lines(const struct section *section)
{
    struct costly_line lines[COSTLY_LINES];
    unsigned count = costly_lines(section->stats, lines);
    if (count == 0)
        return;
    double all = (double)metrics_resident_cycles(section->stats);
    section_title(section, "Lines that cost most: warp cycles spent issuing or waiting there");
    (void)fprintf(section->file, "  %8s %8s %6s  %-26s %6s  %s\n", "share", "issues", "lanes",
                  "mostly", "line", "instruction");
    for (unsigned i = 0; i < count; i++)
        line_row(section, &lines[i], all);
}
