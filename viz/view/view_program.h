/* What the window, the terminal and the page share of the screen Program. */
#ifndef VIZ_VIEW_VIEW_PROGRAM_H
#define VIZ_VIEW_VIEW_PROGRAM_H

#include "view/rows.h"
#include "view/view.h"

/* How activities of a kind are drawn. */
struct program_look {
    uint32_t colour;
    enum canvas_hatch hatch;
};
struct program_look program_look(const struct theme *theme, enum activity_kind kind);

/* Returns the scale with which `area` shows the time in view, in ns. */
struct time_scale program_scale(const struct view *view, struct rect area);

/*
 * Writes a time since the start of the program, with the digits that distinguish times `step` ns
 * apart: "1.250 ms". Returns `text`.
 */
const char *program_time(const struct activity_log *log, double ns, double step, char text[32]);

/* Writes the name of a row: "host", "stream 3". Returns `text`. */
const char *program_lane(const struct activity_log *log, uint32_t lane, char text[32]);

/* Describes an activity in the status line; VIEW_NONE: does nothing. */
void program_describe(struct view *view, uint32_t activity);

/*
 * Writes lines about an activity: what it is, when, its size, and how to see the timeline of a
 * launch.
 */
void program_words(const struct view *view, uint32_t activity, char *text, size_t size);

/* Writes the line about the whole program: command, GPU, time, launches and copies. */
void program_title(const struct program_file *program, char *text, size_t size);

/* A row of a table: what, and numbers as texts. */
struct program_row {
    enum activity_kind kind; /* ACTIVITY_KIND_COUNT: none */
    char what[96], count[24], time[40], share[40];
};
enum { PROGRAM_SHARES = 5 };
/* Fill rows for [from, to) of the program: how much was on the device; the work, by name. */
void program_share_rows(const struct activity_log *log, double from, double to,
                        struct program_row rows[PROGRAM_SHARES]);
size_t program_sum_rows(const struct activity_log *log, double from, double to,
                        struct program_row *rows, size_t most);

/* Why the screen is empty. */
extern const char program_absent[];

/*
 * Returns where an activity is drawn, or was drawn in the last frame of the window: at least a
 * pixel wide, not clipped.
 */
struct rect program_bar(const struct view *view, uint32_t activity);

#endif
