/* The report: its sections in order, and the layout that they share. */
#include <stdarg.h>
#include <string.h>

#include "report/report.h"
#include "report/section.h"

void report_print(FILE *file, const struct run_info *run, const struct simsm_stats *stats,
                  bool ascii)
{
    static const struct {
        void (*print)(const struct section *);
        bool alone; /* needs counters of a launch that was alone on the GPU */
    } sections[] = {
        {section_header, false}, {section_launch, false}, {section_occupancy, true},
        {section_waves, true},   {section_speed, false},  {section_speed_of_light, true},
        {section_states, false}, {section_lanes, true},   {section_memory, true},
        {section_lines, false},  {section_verdict, true},
    };
    struct section section = {
        .file = file, .ascii = ascii, .run = run, .config = run->config, .stats = stats};
    metrics_compute(run->config, stats, section.metrics);
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++)
        if (!run->shared || !sections[i].alone)
            sections[i].print(&section);
    (void)fprintf(file,
                  "\nWords: `simsm explain WORD` says what a state, a metric or a word means.\n");
}

void section_title(const struct section *section, const char *title)
{
    (void)fprintf(section->file, "\n%s\n", title);
}

void section_row(const struct section *section, const char *label, struct quantity value,
                 const char *note, ...)
{
    char text[256] = "";
    va_list list;
    va_start(list, note);
    (void)vsnprintf(text, sizeof text, note, list);
    va_end(list);
    if (text[0])
        (void)fprintf(section->file, "  %-20s %10s  %s\n", label, value.text, text);
    else
        (void)fprintf(section->file, "  %-20s %10s\n", label, value.text);
}

void section_text(const struct section *section, unsigned indent, const char *text)
{
    unsigned column = 0;
    while (*text) {
        size_t word = strcspn(text, " ");
        if (column && column + 1 + word > SECTION_WIDTH) {
            (void)fputc('\n', section->file);
            column = 0;
        }
        if (column == 0)
            (void)fprintf(section->file, "%*s", (int)indent, "");
        else
            (void)fputc(' ', section->file);
        column += (column ? 1 : indent) + (unsigned)word;
        (void)fwrite(text, 1, word, section->file);
        text += word;
        text += strspn(text, " ");
    }
    (void)fputc('\n', section->file);
}
