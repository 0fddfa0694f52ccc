/* Parts that charts are made of: axes, titles, legends, tables. */
#ifndef VIZ_VIEW_CHART_H
#define VIZ_VIEW_CHART_H

#include <stdio.h>

#include "canvas/canvas.h"
#include "canvas/theme.h"

/* A linear scale from values to device pixels: `low` at `at`, `high` at at + length (may be < 0).
 */
struct chart_axis {
    double low, high;
    int at, length;
};

double axis_place(const struct chart_axis *axis, double value); /* pixel */
double axis_value(const struct chart_axis *axis, double pixel);

/* Steps of 1, 2 or 5 times a power of ten, at most `most` of them in the axis' range. */
double axis_step(const struct chart_axis *axis, int most);

/*
 * A panel with title and question: fills the ground, and returns what is left for the chart. `note`
 * stands right of the title, quietly; may be NULL.
 */
struct rect chart_panel(struct canvas *canvas, const struct theme *theme, struct rect rect,
                        const char *title, const char *note);

/* Ticks and numbers below (x) or left of (y) `plot`, with lines across it. */
void chart_x_axis(struct canvas *canvas, const struct theme *theme, struct rect plot,
                  const struct chart_axis *axis, const char *label);
void chart_y_axis(struct canvas *canvas, const struct theme *theme, struct rect plot,
                  const struct chart_axis *axis, const char *label);
/* Room that the y axis needs at the left, the x axis below. */
int chart_y_room(const struct canvas *canvas);
int chart_x_room(const struct canvas *canvas);

/* Ticks for cycles at the top of a time area: `from` cycle at its left edge. */
void chart_time_axis(struct canvas *canvas, const struct theme *theme, struct rect strip,
                     struct rect area, double from, double cycles_per_px);

/* Points (x[i], y[i]) joined, or as steps; NaN interrupts. */
void chart_curve(struct canvas *canvas, struct rect plot, const struct chart_axis *x,
                 const struct chart_axis *y, const double *xs, const double *ys, size_t count,
                 bool step, uint32_t colour);
void chart_mark(struct canvas *canvas, const struct chart_axis *x, const struct chart_axis *y,
                double at_x, double at_y, uint32_t colour);

/* Colour, texture and words side by side, wrapped; returns the height used. */
struct legend_entry {
    uint32_t colour, ink;
    enum canvas_hatch hatch;
    char letter; /* 0: none */
    const char *text;
};
int chart_legend(struct canvas *canvas, const struct theme *theme, struct rect rect,
                 const struct legend_entry *entries, size_t count, bool draw);

/* A thumb at the right edge of `area`: rows from `first`, of `all`; nothing if all are shown. */
void chart_scrollbar(struct canvas *canvas, const struct theme *theme, struct rect area,
                     double first, double shown, double all);

/* "1 234 567", "12.3 k", "4.5 M" as fits `text` of 32 bytes. */
const char *chart_number(double value, char text[32]);
const char *chart_cycles(uint64_t cycles, char text[32]); /* with thin groups: 1,234,567 */

/* Why there is nothing to see here, in the middle of `area`. */
void chart_note(struct canvas *canvas, const struct theme *theme, struct rect area,
                const char *text);

/* A field of a CSV file, quoted if it must be. */
void chart_csv_text(FILE *file, const char *text);

#endif
