/* How reports look on the file that they are printed to. */
#ifndef SIM_REPORT_REPORT_STYLE_H
#define SIM_REPORT_REPORT_STYLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct report_style {
    bool full;      /* all sections; otherwise the short report */
    bool ascii;     /* bars of ASCII characters; names from the trace are printed as they are */
    bool colour;    /* ANSI colours */
    bool explained; /* this output has explained its figures already */
    uint32_t width; /* columns of a line */
};

enum report_colour { COLOUR_NONE, COLOUR_TITLE, COLOUR_LIMIT, COLOUR_ADVICE, COLOUR_COMMAND };

/*
 * Returns the style of reports on `file`: the columns of its terminal, and colours as `colour` says
 * ("auto", "always", "never", or NULL for "auto").
 */
struct report_style report_style_of(FILE *file, bool full, bool ascii, const char *colour);

/* Begins a colour. COLOUR_NONE ends it. Writes nothing if the style has no colours. */
void report_colour(FILE *file, const struct report_style *style, enum report_colour colour);

/*
 * Writes `text` in a colour from column `column` on, which the cursor is at, in lines of the
 * style's width. Further lines are indented to the same column. Ends with a newline.
 */
void report_wrap(FILE *file, const struct report_style *style, unsigned column,
                 enum report_colour colour, const char *text);

#endif
