/* What the screen Latency hiding shows, for drawing it in a window or a terminal. */
#ifndef VIZ_VIEW_VIEW_LATENCY_H
#define VIZ_VIEW_VIEW_LATENCY_H

#include "view/view.h"

enum { LATENCY_READY = SIMSM_SLOTS_PER_SM + 1 };

/*
 * Returns the sub-partition of the selected slot, UINT32_MAX for all sub-partitions if no slot is
 * selected.
 */
uint32_t latency_sub(const struct view *view);

/* The warps that a scheduler has, and the warps that it needs to issue in every cycle. */
struct latency_balance {
    double have; /* mean resident warps of a sub-partition, while it has any */
    /*
     * Cycles from one issue of a warp to its next issue, less cycles in which the warp was eligible
     * but not selected, or waited for a pipe or a queue. 0: nothing was issued.
     */
    double own;
    double issue;    /* share of the cycles with a resident warp in which the scheduler issues */
    double slots;    /* warp slots of a sub-partition */
    bool few_blocks; /* the grid has fewer blocks than the GPU has places */
    double throttle; /* share of warp cycles that wait for a pipe or a queue */
};

/* Returns the balance over the whole recording. `own` is 0 if nothing was issued. */
struct latency_balance latency_balance(const struct view *view, struct track *track);

/* Writes a verdict on the balance in words. `own` must not be 0. */
void latency_words(const struct latency_balance *b, char *text, size_t size);

/*
 * Sets share[n] to the percentage of a sub-partition's cycles with n eligible warps. Returns the
 * largest n with at least 0.05 %.
 */
uint32_t latency_ready(const struct view *view, const struct track *track,
                       double share[LATENCY_READY]);

/*
 * Describes in view->status how many warps were in which state. `sums` are slot cycles by state
 * over `cycles` cycles from cycle `from` on.
 */
void latency_describe(struct view *view, const double *sums, double cycles, double from);

#endif
