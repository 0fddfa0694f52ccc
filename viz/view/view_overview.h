/*
 * What the screen Overview shows, for drawing it in a window or a terminal: panels of rows, each a
 * way to the screen that shows more.
 */
#ifndef VIZ_VIEW_VIEW_OVERVIEW_H
#define VIZ_VIEW_VIEW_OVERVIEW_H

#include "view/view.h"

enum overview_panel {
    OVERVIEW_ADVICE,
    OVERVIEW_STATES,
    OVERVIEW_ROOFS,
    OVERVIEW_LOST,
    OVERVIEW_LINES,
    OVERVIEW_PANELS
};

/* Titles and notes of the panels. */
extern const struct overview_title {
    const char *title, *note;
} overview_titles[OVERVIEW_PANELS];

struct overview_row {
    enum overview_panel panel;
    char name[64];
    double percent; /* the length of the bar; NaN: the row has none */
    uint32_t colour;
    char detail[420]; /* what shows it, or where; "" if there is no more to say */
    const char *hint; /* what to try; NULL: nothing */
    enum screen_id screen;
    uint32_t line; /* the instruction to select; VIEW_NONE: none */
};

enum { OVERVIEW_PAGE_ROWS = 40 };

struct overview_page {
    char verdict[640];
    const char *hint; /* what to try */
    struct overview_row rows[OVERVIEW_PAGE_ROWS];
    uint32_t count;
};

/* Fills *overview. Returns false if the file has no statistics of the whole run. */
bool overview_fill(const struct view *view, struct overview_page *overview);

/* Makes row `row` the target of a click, and says in view->status where it leads. */
void overview_point(struct view *view, const struct overview_page *overview, uint32_t row);

/* The text of the screen if the file has no statistics. */
extern const char overview_absent[];

#endif
