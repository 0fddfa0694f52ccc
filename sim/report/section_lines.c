#include "draw/label.h"
#include "report/costly.h"
#include "report/section.h"

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
