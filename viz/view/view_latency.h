/* What the screen Latency hiding shows, for whoever draws it. */
#ifndef VIZ_VIEW_VIEW_LATENCY_H
#define VIZ_VIEW_VIEW_LATENCY_H

#include "view/view.h"

enum { LATENCY_READY = SIMSM_SLOTS_PER_SM + 1 };

/* The sub-partition of the selected slot, or all (UINT32_MAX). */
uint32_t latency_sub(const struct view *view);

struct latency_balance {
    double have;     /* resident warps of a sub-partition, while it has any */
    double own;      /* cycles from one issue of a warp to its next, without waiting for its turn;
                        0: nothing was issued */
    double issue;    /* share of these cycles with an issue */
    double slots;    /* warp slots of a sub-partition, or of the SM */
    bool few_blocks; /* the grid is too small to fill the places of all SMs */
    double throttle; /* share of warp cycles that wait for a pipe or a queue */
};

struct latency_balance latency_balance(const struct view *view, struct track *track);

/* What it says, in words; of one that is not 0. */
void latency_words(const struct latency_balance *b, char *text, size_t size);

/* share[n]: percent of a sub-partition's cycles with n warps ready. Returns the last n that counts.
 */
uint32_t latency_ready(const struct view *view, const struct track *track,
                       double share[LATENCY_READY]);

/* The pointer is over `cycles` cycles from `from` on: how many warps were in which state. */
void latency_describe(struct view *view, const double *sums, double cycles, double from);

#endif
