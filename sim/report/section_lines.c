#include "draw/label.h"
#include "report/section.h"

enum { LINES_SHOWN = 10, TEXT_WIDTH = 36 };

static uint64_t line_cycles(const struct simsm_line_stats *line)
{
    uint64_t sum = 0;
    for (unsigned s = SIMSM_STATE_ISSUED; s < SIMSM_STATE_COUNT; s++)
        sum += line->states[s];
    return sum;
}

/* The LINES_SHOWN lines with most warp cycles, most first; returns their number. */
static unsigned costliest(const struct simsm_stats *stats, uint32_t order[LINES_SHOWN],
                          uint64_t cycles[LINES_SHOWN])
{
    unsigned count = 0;
    for (uint32_t i = 0; i < stats->line_count; i++) {
        uint64_t cost = line_cycles(&stats->lines[i]);
        if (cost == 0 || (count == LINES_SHOWN && cost <= cycles[count - 1]))
            continue;
        unsigned at = count < LINES_SHOWN ? count++ : count - 1;
        for (; at && cycles[at - 1] < cost; at--) {
            order[at] = order[at - 1];
            cycles[at] = cycles[at - 1];
        }
        order[at] = i;
        cycles[at] = cost;
    }
    return count;
}

static void line_row(const struct section *section, uint32_t index, uint64_t cycles, double all)
{
    const struct simsm_line_info *info = &section->stats->line_info[index];
    const struct simsm_line_stats *line = &section->stats->lines[index];
    unsigned main_state = SIMSM_STATE_ISSUED;
    for (unsigned s = SIMSM_STATE_ISSUED; s < SIMSM_STATE_COUNT; s++) {
        if (line->states[s] > line->states[main_state])
            main_state = s;
    }
    char where[16], state[48];
    if (info->line)
        (void)snprintf(where, sizeof where, "%u", info->line);
    else
        (void)snprintf(where, sizeof where, "0x%x", info->pc);
    (void)snprintf(state, sizeof state, "%s %.0f %%", simsm_states[main_state].title,
                   100.0 * (double)line->states[main_state] / (double)cycles);
    double lanes = line->issues ? (double)line->threads / (double)line->issues : 0;
    (void)fprintf(section->file, "  %6.1f %% %8s %6s  ", 100.0 * (double)cycles / all,
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
    uint32_t order[LINES_SHOWN];
    uint64_t cycles[LINES_SHOWN];
    unsigned count = costliest(section->stats, order, cycles);
    if (count == 0)
        return;
    double all = (double)metrics_resident_cycles(section->stats);
    section_title(section, "Lines that cost most: warp cycles spent issuing or waiting there");
    (void)fprintf(section->file, "  %8s %8s %6s  %-26s %6s  %s\n", "share", "issues", "lanes",
                  "mostly", "line", "instruction");
    for (unsigned i = 0; i < count; i++)
        line_row(section, order[i], cycles[i], all);
}
