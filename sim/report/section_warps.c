/* Sections of the report: states of the warps, active lanes, the lines that cost most. */
#include <stdlib.h>
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

enum { TEXT_WIDTH = 32 };

/* Writes the letters of the states with most cycles, and their shares: "L 66 w 20 #10". */
static void states_words(const struct costly_line *line, char *text, size_t size)
{
    enum simsm_warp_state order[COSTLY_STATES];
    const unsigned count = costly_states(line, order);
    size_t used = 0;
    text[0] = '\0';
    for (unsigned i = 0; i < count && used < size; i++)
        used += (size_t)snprintf(
            text + used, size - used, "%s%c%3.0f", i ? " " : "", simsm_states[order[i]].letter,
            100.0 * (double)line->sums.states[order[i]] / (double)line->cycles);
}

/* Writes sectors or passes of a request, and how many would do: "8.02/1.41". */
static void sectors_words(const struct costly_line *line, char *text, size_t size)
{
    if (line->requests)
        (void)snprintf(text, size, "%s/%s", quantity_ratio(costly_sectors(line)).text,
                       quantity_ratio(costly_sectors_least(line)).text);
    else
        (void)snprintf(text, size, "-");
}

static void line_row(const struct section *section, const struct costly_line *line, double all,
                     const char *text)
{
    char where[16], states[32], sectors[96];
    if (line->info->line)
        (void)snprintf(where, sizeof where, "%u", line->info->line);
    else
        (void)snprintf(where, sizeof where, "0x%x", line->info->pc);
    states_words(line, states, sizeof states);
    sectors_words(line, sectors, sizeof sectors);
    const double issues = (double)line->sums.issues;
    (void)fprintf(section->file, "  %6s %7s %5s %9s %7s  %-17s %6s  ",
                  quantity_percent(100.0 * (double)line->cycles / all).text,
                  quantity_count(issues).text,
                  issues > 0 ? quantity_ratio((double)line->sums.threads / issues).text : "-",
                  sectors, quantity_percent(costly_hit_percent(line)).text, states, where);
    const unsigned width = label_width(text);
    const bool cut = width > TEXT_WIDTH;
    label_pad(section->file, text, cut ? TEXT_WIDTH - 3 : width);
    (void)fputs(cut ? "...\n" : "\n", section->file);
}

static void lines_table(const struct section *section, enum costly_kind kind, const char *title,
                        const char *last)
{
    uint32_t count;
    struct costly_line *lines = costly_lines(section->stats, kind, &count);
    const double all = (double)metrics_resident_cycles(section->stats);
    if (lines && count) {
        section_title(section, title);
        (void)fprintf(section->file, "  %6s %8s %5s %9s %7s  %-17s %6s  %s\n", "share", "issues",
                      "lanes", "sectors", "L1 hits", "states, %", "line", last);
    }
    for (uint32_t i = 0; lines && i < count && i < COSTLY_LINES && lines[i].cycles; i++) {
        const char *file = kind == COSTLY_SOURCE ? lines[i].info->file : NULL;
        const char *slash = file ? strrchr(file, '/') : NULL;
        line_row(section, &lines[i], all, slash ? slash + 1 : file ? file : lines[i].info->text);
    }
    free(lines);
}

void section_lines(const struct section *section)
{
    lines_table(section, COSTLY_INSTRUCTIONS,
                "Lines that cost most: warp cycles spent issuing or waiting there", "instruction");
    lines_table(section, COSTLY_SOURCE, "The same by line of the source", "file");
}
