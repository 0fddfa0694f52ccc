/* The parts of charts: axes, titles, curves, legends, texts. */
#ifndef VIZ_VIEW_CHART_H
#define VIZ_VIEW_CHART_H

#include <stdio.h>

#include "canvas/canvas.h"
#include "canvas/theme.h"

/*
 * A linear scale from values to device pixels: `low` at pixel `at`, `high` at pixel at + length.
 * `length` may be negative.
 */
struct chart_axis {
    double low, high;
    int at, length;
};

/* Convert between a value and its pixel. */
double axis_place(const struct chart_axis *axis, double value);
double axis_value(const struct chart_axis *axis, double pixel);

/*
 * Returns a distance of ticks, 1, 2 or 5 times a power of ten, so that at most `most` ticks fit on
 * the axis.
 */
double axis_step(const struct chart_axis *axis, int most);

/*
 * Draws the ground, frame and title of a panel. `note` stands at the right of the title if it fits;
 * it may be NULL. Returns the rectangle that is left for the chart.
 */
struct rect chart_panel(struct canvas *canvas, const struct theme *theme, struct rect rect,
                        const char *title, const char *note);

/*
 * Draw ticks and numbers below `plot` (x) or at its left (y), and lines across `plot`. `label` may
 * be NULL.
 */
void chart_x_axis(struct canvas *canvas, const struct theme *theme, struct rect plot,
                  const struct chart_axis *axis, const char *label);
void chart_y_axis(struct canvas *canvas, const struct theme *theme, struct rect plot,
                  const struct chart_axis *axis, const char *label);
/*
 * Return the width that the y axis needs at the left, and the height that the x axis needs below,
 * in device pixels.
 */
int chart_y_room(const struct canvas *canvas);
int chart_x_room(const struct canvas *canvas);

/*
 * Draws ticks and numbers of cycles into `strip`, for a time area whose left edge is cycle `from`.
 */
void chart_time_axis(struct canvas *canvas, const struct theme *theme, struct rect strip,
                     struct rect area, double from, double cycles_per_px);

/*
 * Draws `count` points (xs[i], ys[i]), joined by lines, or by steps if `step`. A NaN interrupts the
 * curve. Draws nothing if memory runs out.
 */
void chart_curve(struct canvas *canvas, struct rect plot, const struct chart_axis *x,
                 const struct chart_axis *y, const double *xs, const double *ys, size_t count,
                 bool step, uint32_t colour);
/* Draws a bar on a track in the colour of the ground, `share` (0 to 1) of it; NaN: only the track.
 */
void chart_bar(struct canvas *canvas, const struct theme *theme, struct rect rect, double share,
               uint32_t colour);
/* Draws a diamond at a point. */
void chart_mark(struct canvas *canvas, const struct chart_axis *x, const struct chart_axis *y,
                double at_x, double at_y, uint32_t colour);

/* An entry of a legend: a box of this colour, texture and letter, and words. */
struct legend_entry {
    uint32_t colour, ink;
    enum canvas_hatch hatch;
    char letter; /* 0: no letter */
    const char *text;
};
/*
 * Draws the entries side by side, wrapped to the width of `rect`. Returns the height used in device
 * pixels. Draws nothing if `draw` is false.
 */
int chart_legend(struct canvas *canvas, const struct theme *theme, struct rect rect,
                 const struct legend_entry *entries, size_t count, bool draw);

/*
 * Draws a scroll bar at the right edge of `area`: `shown` of `all` rows, beginning with row
 * `first`. Draws nothing if all rows are shown.
 */
void chart_scrollbar(struct canvas *canvas, const struct theme *theme, struct rect area,
                     double first, double shown, double all);

/* Writes a number with a suffix, as "12.3k" or "4.5M"; returns `text`. */
const char *chart_number(double value, char text[32]);
const char *chart_cycles(uint64_t cycles, char text[32]); /* writes "1,234,567"; returns `text` */

/* Draws `text` in the middle of `area`: why the chart is empty. */
void chart_note(struct canvas *canvas, const struct theme *theme, struct rect area,
                const char *text);

/* Writes a field of a CSV file, quoted if it contains a comma, quote or new line. */
void chart_csv_text(FILE *file, const char *text);

#endif
