/* What the screen Compare shows, for drawing it in a window or a terminal. */
#ifndef VIZ_VIEW_VIEW_COMPARE_H
#define VIZ_VIEW_VIEW_COMPARE_H

#include "view/rows.h"
#include "view/view.h"

enum {
    COMPARE_RUNS = 2,
    COMPARE_STATES = 9, /* most rows of the table that are states */
    COMPARE_FIRST = 4,  /* rows before the states */
    COMPARE_ROWS = COMPARE_FIRST + COMPARE_STATES
};

/* One of the two runs, with sums over the recording of the shown SM. */
struct compare_side {
    struct view view; /* the view as if this were the only run, in cycles of this run */
    double shift;     /* of the run's cycles to those of the axis, which are of the first run */
    struct track *track;
    /*
     * warp_cycles: slot cycles in which a warp lives. sub_cycles: sub-partition cycles with at
     * least one warp.
     */
    double cycles, issues, warp_cycles, sub_cycles;
    double states[SIMSM_STATE_COUNT]; /* slot cycles */
};

/*
 * Fills *side from `run`: its track and sums. Returns false if the track is not loaded yet
 * (view->loading is set) or cannot be read (view->problem is set).
 */
bool compare_open(struct view *view, struct run *run, struct compare_side *side);

/* Returns `sm` if the run has recorded this SM, else the first recorded SM. */
uint32_t compare_sm(const struct run *run, uint32_t sm);

/* Returns the time axis `time` in cycles of the side's run. */
struct time_scale compare_time(const struct compare_side *side, const struct time_scale *time);

/* Writes what line a run has above its rows: name, kernel, GPU, cycles, its first block. */
const char *compare_head(const struct compare_side *side, int i, char *text, size_t size);

/* The two ways to align the runs, for the key m. */
const char *compare_aligned(const struct view *view);

/* Returns the file name of a run's timeline without folders. The run owns it. */
const char *compare_name(const struct run *run);

/*
 * Writes what was set differently in the two runs: kernel, launch, and keys of the configuration.
 * What does not fit into `size` bytes (at least 64) is counted at the end.
 */
void compare_differences(struct run *a, struct run *b, char *text, size_t size);

/*
 * Writes who is faster and why, in a sentence (report/speed_change.h). "" if a file has no figures
 * of the whole run.
 */
void compare_sentence(struct run *a, struct run *b, char *text, size_t size);

struct compare_row {
    const char *name;
    char text[3][48]; /* A, B, change */
};

/* Fills the rows of the table of differences. Returns their number. */
uint32_t compare_table(const struct compare_side sides[COMPARE_RUNS],
                       struct compare_row rows[COMPARE_ROWS]);
extern const char compare_states_title[]; /* heading above the rows from COMPARE_FIRST on */

/*
 * Sets ahead[i] to the warp instructions that A has issued more than B up to cycle from + i * step
 * of the axis.
 * Returns the largest absolute value, at least 1.
 */
double compare_ahead(const struct compare_side sides[COMPARE_RUNS], double from, double step,
                     int count, double *ahead);

/* The text of the screen without a second run. */
extern const char compare_alone[];

#endif
