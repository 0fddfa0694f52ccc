/*
 * Several runs of the same launches on a GPU, which differs from itself: a table with the columns
 * `caches` (cold: flushed before each launch; warm: as the launch before left them) and `run`, and
 * beside it one without them, which is a cold run more.
 */
#ifndef SIM_COMPARE_REPEAT_H
#define SIM_COMPARE_REPEAT_H

#include "compare/compare_launches.h"

/*
 * Makes one row of all runs of a launch with these caches, with the median of each metric and its
 * range; the other caches' rows are dropped. Rows are of one launch if program, number, kernel,
 * grid and block are the same. Their order is that of the first of each. False: memory has run out.
 */
bool repeat_merge(struct launches *launches, bool warm);

/*
 * Each run of a launch beside each later one of the same: row i of *first belongs to row i of
 * *second. Both start as {0}. False: memory has run out.
 */
bool repeat_pairs(const struct launches *launches, bool warm, struct launches *first,
                  struct launches *second);

#endif
