/* The sections of the text report, and functions for their layout. */
#ifndef SIM_REPORT_SECTION_H
#define SIM_REPORT_SECTION_H

#include <stdbool.h>
#include <stdio.h>

#include "report/metrics.h"
#include "report/quantity.h"
#include "report/run_info.h"

enum { SECTION_WIDTH = 96 };

struct section {
    FILE *file; /* the caller checks ferror(file) */
    bool ascii; /* bars consist of '#' instead of block elements */
    const struct run_info *run;
    const struct simsm_config *config;
    const struct simsm_stats *stats;
    struct simsm_metric metrics[METRIC_COUNT];
};

/* Each writes one section, or nothing if the section would be empty. */
void section_header(const struct section *section);
void section_launch(const struct section *section);
void section_occupancy(const struct section *section);
void section_waves(const struct section *section);
void section_speed(const struct section *section);
void section_speed_of_light(const struct section *section);
void section_states(const struct section *section);
void section_lanes(const struct section *section);
void section_memory(const struct section *section);
void section_lines(const struct section *section);
void section_verdict(const struct section *section);

/* Writes a table of the ways between the parts of the memory hierarchy: bytes, hits, share of the
 * peak. */
void section_memory_links(const struct section *section);

/* Writes an empty line and a title. */
void section_title(const struct section *section, const char *title);

/* Writes a row of a section: "  label    value    note", with the note made as by printf. */
void section_row(const struct section *section, const char *label, struct quantity value,
                 const char *note, ...) __attribute__((format(printf, 4, 5)));

/* Writes a text in lines of SECTION_WIDTH columns, each indented by `indent`. The text needs no
 * newlines. */
void section_text(const struct section *section, unsigned indent, const char *text);

static inline double section_value(const struct section *section, unsigned metric)
{
    return section->metrics[metric].value;
}

static inline uint64_t section_count(const struct section *section, enum simsm_counter counter)
{
    return section->stats->counter[counter];
}

#endif
