#include "report/report_style.h"

#include <string.h>

#include "base/terminal.h"

enum { WIDTH = 96, LEAST_WIDTH = 60, MOST_WIDTH = 120 };

struct report_style report_style_of(FILE *file, bool full, bool ascii, const char *colour)
{
    struct report_style style = {.full = full, .ascii = ascii, .width = WIDTH};
    style.width = terminal_width(file, WIDTH);
    if (style.width < LEAST_WIDTH)
        style.width = LEAST_WIDTH;
    if (style.width > MOST_WIDTH)
        style.width = MOST_WIDTH;
    (void)terminal_colour(file, colour, &style.colour);
    return style;
}

void report_colour(FILE *file, const struct report_style *style, enum report_colour colour)
{
    static const char *const codes[] = {[COLOUR_NONE] = "\033[0m",
                                        [COLOUR_TITLE] = "\033[1m",
                                        [COLOUR_LIMIT] = "\033[1;33m",
                                        [COLOUR_ADVICE] = "\033[32m",
                                        [COLOUR_COMMAND] = "\033[36m"};
    if (style->colour)
        (void)fputs(codes[colour], file);
}

void report_wrap(FILE *file, const struct report_style *style, unsigned column,
                 enum report_colour colour, const char *text)
{
    unsigned at = column;
    if (colour)
        report_colour(file, style, colour);
    while (*text) {
        const size_t word = strcspn(text, " ");
        if (at > column && at + 1 + word > style->width) {
            (void)fprintf(file, "\n%*s", (int)column, "");
            at = column;
        }
        if (at > column) {
            (void)fputc(' ', file);
            at++;
        }
        (void)fwrite(text, 1, word, file);
        at += (unsigned)word;
        text += word;
        text += strspn(text, " ");
    }
    if (colour)
        report_colour(file, style, COLOUR_NONE);
    (void)fputc('\n', file);
}
