/* What the screen Compare shows, for whoever draws it. */
#ifndef VIZ_VIEW_VIEW_COMPARE_H
#define VIZ_VIEW_VIEW_COMPARE_H

#include "view/view.h"

enum {
    COMPARE_RUNS = 2,
    COMPARE_STATES = 9, /* rows of the table by state, at most */
    COMPARE_FIRST = 4,  /* rows before them */
    COMPARE_ROWS = COMPARE_FIRST + COMPARE_STATES
};

struct compare_side {
    struct view view; /* as if it were the only run */
    struct track *track;
    double cycles, issues, warp_cycles, sub_cycles;
    double states[SIMSM_STATE_COUNT];
};

/* False if it is not loaded yet, or could not be: view->loading and view->problem say which. */
bool compare_open(struct view *view, struct run *run, struct compare_side *side);

/* Of its file, without folders. */
const char *compare_name(const struct run *run);

/*
 * What was set differently: kernel, launch and keys of the configuration, as far as `size` (at
 * least 64) bytes go.
 */
void compare_differences(struct run *a, struct run *b, char *text, size_t size);

struct compare_row {
    const char *name;
    char text[3][48]; /* A, B, change */
};

/* What differs; returns the number of rows. */
uint32_t compare_table(const struct compare_side sides[COMPARE_RUNS],
                       struct compare_row rows[COMPARE_ROWS]);
extern const char compare_states_title[]; /* of the rows from COMPARE_FIRST on */

/*
 * ahead[i]: warp instructions that A has issued more than B until cycle from + i * step. Returns
 * the largest size of these, at least 1.
 */
double compare_ahead(const struct compare_side sides[COMPARE_RUNS], double from, double step,
                     int count, double *ahead);

/* What stands there without a second run. */
extern const char compare_alone[];

#endif
