#include "draw/bars.h"

#include <math.h>

#include "draw/label.h"

/* Draws a bar of `eighths` eighths of a character, padded to `width` characters. */
static void draw_bar(FILE *file, unsigned eighths, unsigned width, bool ascii)
{
    static const char *const part[8] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    unsigned whole = ascii ? (eighths + 4) / 8 : eighths / 8, used = whole;
    for (unsigned i = 0; i < whole; i++)
        (void)fputs(ascii ? "#" : "█", file);
    if (!ascii && eighths % 8) {
        (void)fputs(part[eighths % 8], file);
        used++;
    }
    (void)fprintf(file, "%*s", (int)(width - used), "");
}

static unsigned bar_eighths(double value, double full, unsigned width)
{
    if (!(value > 0) || !(full > 0))
        return 0;
    double eighths = value >= full ? width * 8.0 : round(value / full * width * 8.0);
    return eighths < 1 ? 1 : (unsigned)eighths; /* a value above 0 is always visible */
}

void bars_text(FILE *file, const struct bar *bars, size_t count, double full, unsigned indent,
               unsigned width, bool ascii)
{
    unsigned label = 0, text = 0;
    double largest = 0;
    for (size_t i = 0; i < count; i++) {
        unsigned l = label_width(bars[i].label), t = label_width(bars[i].text);
        label = l > label ? l : label;
        text = t > text ? t : text;
        largest = bars[i].value > largest ? bars[i].value : largest;
    }
    unsigned taken = indent + label + text + 4;
    unsigned room = width > taken + 8 ? width - taken : 8;
    for (size_t i = 0; i < count; i++) {
        (void)fprintf(file, "%*s", (int)indent, "");
        label_pad(file, bars[i].label, label);
        (void)fputs("  ", file);
        unsigned eighths = bar_eighths(bars[i].value, full > 0 ? full : largest, room);
        /* Without text behind the bar, the line ends with the bar. */
        bool last = !bars[i].text || !*bars[i].text;
        draw_bar(file, eighths, last ? (eighths + 7) / 8 : room, ascii);
        if (!last) {
            (void)fputs("  ", file);
            label_pad(file, bars[i].text, label_width(bars[i].text));
        }
        (void)fputc('\n', file);
    }
}
